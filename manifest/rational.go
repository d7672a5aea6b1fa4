package manifest

import (
	"math/big"

	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// maxDecimal bounds the digits of a number that is shown.
const maxDecimal = 40

// numberNode is a number, as a decimal. It is false for one with too many digits.
func numberNode(r *big.Rat) (*node, bool) {
	digits, exact := r.FloatPrec()
	if !exact || digits > maxDecimal || r.Num().BitLen() > 4*maxDecimal {
		return nil, false
	}
	text := r.FloatString(digits)
	return &node{Kind: jsonvalue.Number, Text: text, Raw: text}, true
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
