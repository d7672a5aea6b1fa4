package grammar

// maxDigits limits the digits of a number without bounds.
const maxDigits = 20

var (
	digit     = charset{{'0', '9'}}
	firstOnes = charset{{'1', '9'}}
	fraction  = seq(lit("."), rep(char(digit), 1, maxDigits))

	// anyDigits matches the further digits of a number, or none.
	anyDigits = rep(char(digit), 0, maxDigits)
)

// The functions of this file match the fraction of a number, with the decimal point
// (fraction...) or without it (digits..., rest...). low and high are the digits of the
// limits after the point, without trailing zeros. open, overLow and underHigh say that
// the limit itself is excluded.

// fractionFrom matches a fraction that is not below low.
func fractionFrom(low string, open bool) *node {
	if low == "" && !open {
		return optional(fraction)
	}
	return seq(lit("."), digitsFrom(low, open))
}

// fractionTo matches a fraction that is not above high.
func fractionTo(high string, open bool) *node {
	if high == "" && open {
		return alt()
	}
	return optional(seq(lit("."), digitsTo(high, open)))
}

// fractionWithin matches a fraction from low to high.
func fractionWithin(low string, overLow bool, high string, underHigh bool) *node {
	switch {
	case low == "" && !overLow:
		return fractionTo(high, underHigh)
	case low > high, low == high && (overLow || underHigh): // digits of fractions sort as text
		return alt()
	}
	return seq(lit("."), digitsWithin(low, overLow, high, underHigh))
}

// digitsFrom matches at least one digit; the digits are not below low.
func digitsFrom(low string, open bool) *node {
	switch {
	case low == "" && open:
		return seq(rep(lit("0"), 0, maxDigits), char(firstOnes), anyDigits)
	case low == "":
		return rep(char(digit), 1, maxDigits)
	}
	return alt(seq(lit(low[:1]), restFrom(low[1:], open)), between1(low[0]+1, '9'))
}

// restFrom matches any number of digits that are not below low. An empty text counts as 0.
func restFrom(low string, open bool) *node {
	if low == "" && !open {
		return anyDigits
	}
	return digitsFrom(low, open)
}

// digitsTo matches at least one digit; the digits are not above high.
func digitsTo(high string, open bool) *node {
	switch {
	case high == "" && open:
		return alt()
	case high == "":
		return rep(lit("0"), 1, maxDigits)
	}
	return alt(between1('0', high[0]-1), seq(lit(high[:1]), restTo(high[1:], open)))
}

// restTo matches any number of digits that are not above high. An empty text counts as 0.
func restTo(high string, open bool) *node {
	if high == "" && open {
		return alt()
	}
	return optional(digitsTo(high, open))
}

// between1 matches digits, the first of which is between first and last.
func between1(first, last byte) *node {
	if first > last {
		return alt()
	}
	return seq(char(charset{{rune(first), rune(last)}}), anyDigits)
}

// digitsWithin matches at least one digit; the digits are from low to high.
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
