package rules

import (
	"math/big"
	"strings"

	"github.com/toolparse/toolparse/internal/schema"
)

func floor(r *big.Rat) *big.Int {
	return new(big.Int).Div(r.Num(), r.Denom()) // Euclidean, and the denominator is positive
}

func ceil(r *big.Rat) *big.Int {
	return new(big.Int).Neg(floor(new(big.Rat).Neg(r)))
}

// bounds returns the least and the greatest integer within the limits of s; nil means
// no bound.
func bounds(s *Shape) (least, most *big.Int) {
	one := big.NewInt(1)
	if s.Min != nil {
		if least = ceil(s.Min.Rat); s.Min.Open && s.Min.IsInt() {
			least.Add(least, one)
		}
	}
	if s.Max != nil {
		if most = floor(s.Max.Rat); s.Max.Open && s.Max.IsInt() {
			most.Sub(most, one)
		}
	}
	return least, most
}

// integer matches an integer within the limits of s.
func integer(s *Shape) *Node {
	least, most := bounds(s)
	if least == nil && most == nil {
		return Seq(Optional(Text("-")), natural())
	}
	return between(least, most)
}

// maxDigits limits the digits of a number without bounds.
const maxDigits = 20

var (
	Digit     = Charset{{'0', '9'}}
	firstOnes = Charset{{'1', '9'}}
	fraction  = Seq(Text("."), Repeat(Char(Digit), 1, maxDigits))
)

func natural() *Node {
	return Alt(Text("0"), Seq(Char(firstOnes), Repeat(Char(Digit), 0, maxDigits-1)))
}

// number matches a number within the limits of s, with or without a fraction. Of a limit that
// is not a whole number only the whole part counts, and so it does of an excluded lower one.
func number(s *Shape) *Node {
	if s.Min == nil && s.Max == nil {
		return Seq(Optional(Text("-")), natural(), Optional(fraction),
			Optional(Seq(Char(Chars("eE")), Optional(Char(Chars("-+"))), Repeat(Char(Digit), 1, 2))))
	}
	zero := &schema.Limit{Rat: new(big.Rat)}
	var ways []*Node
	if s.Max == nil || s.Max.Sign() >= 0 {
		ways = append(ways, unsigned(zero.Tighter(s.Min, 1), s.Max))
	}
	if s.Min == nil || s.Min.Sign() < 0 {
		ways = append(ways, Seq(Text("-"), unsigned(zero.Tighter(mirrored(s.Max), 1), mirrored(s.Min))))
	}
	return Alt(ways...)
}

// mirrored returns the limit with the opposite sign.
func mirrored(l *schema.Limit) *schema.Limit {
	if l == nil {
		return nil
	}
	return &schema.Limit{Rat: new(big.Rat).Neg(l.Rat), Open: l.Open}
}

// unsigned matches a number from low, which is not negative, to high; a nil high means no
// bound.
func unsigned(low, high *schema.Limit) *Node {
	from := floor(low.Rat)
	if high == nil {
		return Seq(positive(from, nil), Optional(fraction))
	}
	to := floor(high.Rat)
	if !high.IsInt() {
		return Seq(positive(from, to), Optional(fraction))
	}
	below := Seq(positive(from, new(big.Int).Sub(to, big.NewInt(1))), Optional(fraction))
	if high.Open || from.Cmp(to) > 0 {
		return below
	}
	return Alt(below, Seq(Text(to.String()), Optional(Seq(Text("."), Repeat(Text("0"), 1, maxDigits)))))
}

// between matches an integer from least to most; nil means no bound.
func between(least, most *big.Int) *Node {
	minusOne := big.NewInt(-1)
	var ways []*Node
	if least == nil || least.Sign() < 0 {
		low, high := least, most
		if high == nil || high.Sign() >= 0 {
			high = minusOne
		}
		from := new(big.Int).Neg(high)
		var to *big.Int
		if low != nil {
			to = new(big.Int).Neg(low)
		}
		ways = append(ways, Seq(Text("-"), positive(from, to)))
	}
	if most == nil || most.Sign() >= 0 {
		from := least
		if from == nil || from.Sign() < 0 {
			from = new(big.Int)
		}
		ways = append(ways, positive(from, most))
	}
	return Alt(ways...)
}

// positive matches an integer from low, which is not negative, to high; a nil high
// means no bound.
func positive(low, high *big.Int) *Node {
	if high != nil && low.Cmp(high) > 0 {
		return Alt()
	}
	from := low.String()
	var ways []*Node
	if high == nil {
		nines := strings.Repeat("9", len(from))
		ways = append(ways, sameLength(from, nines))
		if more := max(maxDigits, len(from)+1); more > len(from) {
			ways = append(ways, Seq(Char(firstOnes), Repeat(Char(Digit), len(from), more-1)))
		}
		return Alt(ways...)
	}
	to := high.String()
	for n := len(from); n <= len(to); n++ {
		a, b := "1"+strings.Repeat("0", n-1), strings.Repeat("9", n)
		if n == len(from) {
			a = from
		}
		if n == len(to) {
			b = to
		}
		if n > len(from) && n < len(to) { // all lengths in between at once
			ways = append(ways, Seq(Char(firstOnes), Repeat(Char(Digit), n-1, len(to)-2)))
			n = len(to) - 1
			continue
		}
		ways = append(ways, sameLength(a, b))
	}
	return Alt(ways...)
}

// sameLength matches the digits from a to b, which have the same length.
func sameLength(a, b string) *Node {
	if a == b {
		return Text(a)
	}
	n := 0
	for a[n] == b[n] {
		n++
	}
	head, a, b := a[:n], a[n:], b[n:]
	rest := len(a) - 1
	tail := Repeat(Char(Digit), rest, rest)
	low, high := a[0], b[0]
	var ways []*Node
	if rest > 0 && strings.Trim(a[1:], "0") != "" {
		ways = append(ways, Seq(Text(a[:1]), sameLength(a[1:], strings.Repeat("9", rest))))
		low++
	}
	var last *Node
	if rest > 0 && strings.Trim(b[1:], "9") != "" {
		last = Seq(Text(b[:1]), sameLength(strings.Repeat("0", rest), b[1:]))
		high--
	}
	if low <= high {
		ways = append(ways, Seq(Char(Charset{{rune(low), rune(high)}}), tail))
	}
	if last != nil {
		ways = append(ways, last)
	}
	return Seq(Text(head), Alt(ways...))
}
