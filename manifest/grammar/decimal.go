package grammar

// maxDigits is how many digits a number has that no bound limits.
const maxDigits = 20

var (
	digit     = charset{{'0', '9'}}
	firstOnes = charset{{'1', '9'}}
	fraction  = seq(lit("."), rep(char(digit), 1, maxDigits))

	// anyDigits are as many digits as any number has, or none.
	anyDigits = rep(char(digit), 0, maxDigits)
)

// The functions of this file write what stands behind the whole part of a number, or
// behind its point, so that the number is within limits whose digits there are given,
// without zeros at their end. open: the limit itself is excluded.

// fractionFrom is what may stand behind the whole part of a number that is not below
// low.
func fractionFrom(low string, open bool) *node {
	if low == "" && !open {
		return optional(fraction)
	}
	return seq(lit("."), digitsFrom(low, open))
}

// fractionTo is the same for one that is not above high.
func fractionTo(high string, open bool) *node {
	if high == "" && open {
		return alt()
	}
	return optional(seq(lit("."), digitsTo(high, open)))
}

// fractionWithin is the same for one that is neither.
func fractionWithin(low string, overLow bool, high string, underHigh bool) *node {
	switch {
	case low == "" && !overLow:
		return fractionTo(high, underHigh)
	case low > high, low == high && (overLow || underHigh): // as texts they are in the order of their values
		return alt()
	}
	return seq(lit("."), digitsWithin(low, overLow, high, underHigh))
}

// digitsFrom are digits, at least one, that are not below low.
func digitsFrom(low string, open bool) *node {
	switch {
	case low == "" && open:
		return seq(rep(lit("0"), 0, maxDigits), char(firstOnes), anyDigits)
	case low == "":
		return rep(char(digit), 1, maxDigits)
	}
	return alt(seq(lit(low[:1]), restFrom(low[1:], open)), between1(low[0]+1, '9'))
}

// restFrom are digits that are not below low; none count as zero.
func restFrom(low string, open bool) *node {
	if low == "" && !open {
		return anyDigits
	}
	return digitsFrom(low, open)
}

// digitsTo are digits, at least one, that are not above high.
func digitsTo(high string, open bool) *node {
	switch {
	case high == "" && open:
		return alt()
	case high == "":
		return rep(lit("0"), 1, maxDigits)
	}
	return alt(between1('0', high[0]-1), seq(lit(high[:1]), restTo(high[1:], open)))
}

// restTo are digits that are not above high; none count as zero.
func restTo(high string, open bool) *node {
	if high == "" && open {
		return alt()
	}
	return optional(digitsTo(high, open))
}

// between1 are digits of which the first is between two.
func between1(first, last byte) *node {
	if first > last {
		return alt()
	}
	return seq(char(charset{{rune(first), rune(last)}}), anyDigits)
}

// digitsWithin are digits, at least one, that are neither below low nor above high.
func digitsWithin(low string, overLow bool, high string, underHigh bool) *node {
	switch {
	case low == "" && !overLow:
		return digitsTo(high, underHigh)
	case high == "":
		return alt()
	}
	a := byte('0')
	if low != "" {
		a, low = low[0], low[1:]
	}
	b, high := high[0], high[1:]
	if a == b {
		rest := digitsWithin(low, overLow, high, underHigh)
		if low == "" && !overLow && (high != "" || !underHigh) {
			rest = optional(rest)
		}
		return seq(lit(string(a)), rest)
	}
	return alt(seq(lit(string(a)), restFrom(low, overLow)), between1(a+1, b-1), seq(lit(string(b)), restTo(high, underHigh)))
}
