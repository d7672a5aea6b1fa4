package rules

// maxDigits limits the digits of a number without bounds.
const maxDigits = 20

var (
	Digit     = Charset{{'0', '9'}}
	firstOnes = Charset{{'1', '9'}}
	fraction  = Seq(Text("."), Repeat(Char(Digit), 1, maxDigits))

	// anyDigits matches the further digits of a number, or none.
	anyDigits = Repeat(Char(Digit), 0, maxDigits)
)

// fractions is a range of fractions. Its limits are the digits after the point, without
// trailing zeros. The zero value contains only 0.
type fractions struct {
	low, high   string
	over, under bool // low or high itself is excluded
	endless     bool // there is no upper limit
}

// node matches a fraction in the range, with the point, or nothing for 0.
func (f fractions) node() *Node {
	hasZero := f.low == "" && !f.over
	switch {
	case hasZero && f.endless:
		return Optional(fraction)
	case hasZero && f.high == "" && f.under, !f.endless && (f.low > f.high || f.low == f.high && (f.over || f.under)): // digits of fractions sort as text
		return Alt()
	case hasZero:
		return Optional(Seq(Text("."), f.digits()))
	}
	return Seq(Text("."), f.digits())
}

// digits matches the digits of a fraction in the range, at least one.
func (f fractions) digits() *Node {
	low, high := f.low, f.high
	atLow := func() *Node { return Seq(Text(low[:1]), fractions{low: low[1:], over: f.over, endless: true}.rest()) }
	atHigh := func() *Node { return Seq(Text(high[:1]), fractions{high: high[1:], under: f.under}.rest()) }
	switch hasZero := low == "" && !f.over; {
	case hasZero && f.endless:
		return Repeat(Char(Digit), 1, maxDigits)
	case low == "" && f.endless:
		return Seq(Repeat(Text("0"), 0, maxDigits), Char(firstOnes), anyDigits)
	case f.endless:
		return Alt(atLow(), digitBetween(low[0]+1, '9'))
	case hasZero && high == "" && !f.under:
		return Repeat(Text("0"), 1, maxDigits)
	case high == "":
		return Alt()
	case hasZero:
		return Alt(digitBetween('0', high[0]-1), atHigh())
	}
	if low == "" {
		low = "0"
	}
	if low[0] == high[0] {
		return Seq(Text(low[:1]), fractions{low[1:], high[1:], f.over, f.under, false}.rest())
	}
	return Alt(atLow(), digitBetween(low[0]+1, high[0]-1), atHigh())
}

// rest matches the digits after the first, which may be none.
func (f fractions) rest() *Node {
	switch hasZero := f.low == "" && !f.over; {
	case hasZero && f.endless:
		return anyDigits
	case hasZero && f.high == "" && f.under:
		return Alt()
	case hasZero:
		return Optional(f.digits())
	}
	return f.digits()
}

// digitBetween matches digits, the first of which is between first and last.
func digitBetween(first, last byte) *Node {
	if first > last {
		return Alt()
	}
	return Seq(Char(Charset{{rune(first), rune(last)}}), anyDigits)
}
