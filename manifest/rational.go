package manifest

import (
	"math/big"
	"strconv"
	"strings"
)

// maxNumber bounds the digits of a number that is calculated with, its exponent among
// them.
const maxNumber = 1000

// number is the exact value of a number, which as that of a keyword may stand in
// quotes: Gemini writes some so. It is false for what is none, or too large.
func (n *node) number() (*big.Rat, bool) {
	if n.kind() != '0' && n.kind() != '"' {
		return nil, false
	}
	return rational(n.words())
}

func rational(text string) (*big.Rat, bool) {
	if len(text) > maxNumber || strings.ContainsAny(text, "_/xXpPbBoO") {
		return nil, false
	}
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		if exp, err := strconv.Atoi(text[i+1:]); err != nil || exp > maxNumber || exp < -maxNumber {
			return nil, false
		}
	}
	return new(big.Rat).SetString(text)
}

// count is the value of a keyword that counts something.
func (n *node) count(none int) int {
	r, ok := n.number()
	if !ok || !r.IsInt() || !r.Num().IsInt64() || r.Sign() < 0 {
		return none
	}
	return int(min(r.Num().Int64(), 1<<31-1))
}

// maxDecimal bounds the digits of a number that is shown.
const maxDecimal = 40

// numberNode is a number, as a decimal. It is false for one with too many digits.
func numberNode(r *big.Rat) (*node, bool) {
	digits, exact := r.FloatPrec()
	if !exact || digits > maxDecimal || r.Num().BitLen() > 4*maxDecimal {
		return nil, false
	}
	return &node{raw: []byte(r.FloatString(digits))}, true
}

// steps rounds r/unit to a whole number, down or up.
func steps(r, unit *big.Rat, up bool) *big.Int {
	q := new(big.Rat).Quo(r, unit)
	whole := new(big.Int).Div(q.Num(), q.Denom()) // Euclid's: down, since the denominator is positive
	if up && !q.IsInt() {
		whole.Add(whole, big.NewInt(1))
	}
	return whole
}

// times is n units.
func times(n *big.Int, unit *big.Rat) *big.Rat {
	return new(big.Rat).Mul(new(big.Rat).SetInt(n), unit)
}

// common is the least number that is a multiple of both.
func common(a, b *big.Rat) *big.Rat {
	denom := new(big.Int).Mul(a.Denom(), b.Denom())
	x, y := new(big.Int).Mul(a.Num(), b.Denom()), new(big.Int).Mul(b.Num(), a.Denom())
	gcd := new(big.Int).GCD(nil, nil, x, y)
	return new(big.Rat).SetFrac(x.Mul(x, y.Div(y, gcd)), denom)
}
