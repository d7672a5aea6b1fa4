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

// fractions is a range of fractions. Its limits are the digits after the point, without
// trailing zeros. The zero value contains only 0.
type fractions struct {
	low, high   string
	over, under bool // low or high itself is excluded
	endless     bool // there is no upper limit
}

// node matches a fraction in the range, with the point, or nothing for 0.
func (f fractions) node() *node {
	hasZero := f.low == "" && !f.over
	switch {
	case hasZero && f.endless:
		return optional(fraction)
	case hasZero && f.high == "" && f.under, !f.endless && (f.low > f.high || f.low == f.high && (f.over || f.under)): // digits of fractions sort as text
		return alt()
	case hasZero:
		return optional(seq(lit("."), f.digits()))
	}
	return seq(lit("."), f.digits())
}

// digits matches the digits of a fraction in the range, at least one.
func (f fractions) digits() *node {
	low, high := f.low, f.high
	atLow := func() *node { return seq(lit(low[:1]), fractions{low: low[1:], over: f.over, endless: true}.rest()) }
	atHigh := func() *node { return seq(lit(high[:1]), fractions{high: high[1:], under: f.under}.rest()) }
	switch hasZero := low == "" && !f.over; {
	case hasZero && f.endless:
		return rep(char(digit), 1, maxDigits)
	case low == "" && f.endless:
		return seq(rep(lit("0"), 0, maxDigits), char(firstOnes), anyDigits)
	case f.endless:
		return alt(atLow(), digitBetween(low[0]+1, '9'))
	case hasZero && high == "" && !f.under:
		return rep(lit("0"), 1, maxDigits)
	case high == "":
		return alt()
	case hasZero:
		return alt(digitBetween('0', high[0]-1), atHigh())
	}
	if low == "" {
		low = "0"
	}
	if low[0] == high[0] {
		return seq(lit(low[:1]), fractions{low[1:], high[1:], f.over, f.under, false}.rest())
	}
	return alt(atLow(), digitBetween(low[0]+1, high[0]-1), atHigh())
}

// rest matches the digits after the first, which may be none.
func (f fractions) rest() *node {
	switch hasZero := f.low == "" && !f.over; {
	case hasZero && f.endless:
		return anyDigits
	case hasZero && f.high == "" && f.under:
		return alt()
	case hasZero:
		return optional(f.digits())
	}
	return f.digits()
}

// digitBetween matches digits, the first of which is between first and last.
func digitBetween(first, last byte) *node {
	if first > last {
		return alt()
	}
	return seq(char(charset{{rune(first), rune(last)}}), anyDigits)
}
