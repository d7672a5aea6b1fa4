package manifest

import (
	"math"
	"math/big"
	"slices"
)

// numbers are numbers within the bounds of a shape, and near those hinted at.
func (s *shape) numbers(kind string, turn int, hints []*big.Rat) []*node {
	r := numberRange{turn: turn}
	r.low, r.overLow = s.limit("minimum", "exclusiveMinimum")
	r.high, r.underHigh = s.limit("maximum", "exclusiveMaximum")
	if kind == "integer" {
		r.unit = big.NewRat(1, 1)
	}
	for _, n := range s.steps {
		step, ok := n.number()
		switch {
		case !ok || step.Sign() <= 0:
		case r.unit == nil:
			r.unit = step
		default:
			r.unit = common(r.unit, step)
		}
	}
	if r.unit == nil {
		r.decimals()
	} else {
		r.multiples(r.unit)
	}
	for _, hint := range hints {
		for _, off := range []int64{0, 1, -1} {
			near := new(big.Rat).Add(hint, big.NewRat(off, 1))
			if r.unit != nil {
				near = times(steps(near, r.unit, off > 0), r.unit)
			}
			r.add(near)
		}
	}
	return r.list
}

// limit reads a bound and its exclusive form, which is a number or, in older drafts,
// whether the other is exclusive. There is none where it is nil.
func (s *shape) limit(plain, exclusive string) (at *big.Rat, excluded bool) {
	if r, ok := s.bounds[plain].number(); ok {
		at, excluded = r, s.bounds[exclusive].kind() == 't'
	}
	if r, ok := s.bounds[exclusive].number(); ok {
		if at == nil || plain == "minimum" && r.Cmp(at) >= 0 || plain == "maximum" && r.Cmp(at) <= 0 {
			at, excluded = r, true
		}
	}
	return at, excluded
}

// numberRange makes numbers between two bounds.
type numberRange struct {
	low, high          *big.Rat // nil: none
	overLow, underHigh bool     // the bound itself is outside
	unit               *big.Rat // of which they are multiples, or nil
	turn               int
	list               []*node
}

func (r *numberRange) holds(v *big.Rat) bool {
	if r.low != nil {
		if order := v.Cmp(r.low); order < 0 || order == 0 && r.overLow {
			return false
		}
	}
	if r.high != nil {
		if order := v.Cmp(r.high); order > 0 || order == 0 && r.underHigh {
			return false
		}
	}
	return true
}

func (r *numberRange) add(v *big.Rat) {
	if !r.holds(v) {
		return
	}
	if n, ok := numberNode(v); ok {
		r.list = append(r.list, n)
	}
}

// maxMultiples is how many multiples are tried.
const maxMultiples = 256

// multiples adds those of a unit: small ones, or those next to a bound. Those that stay
// multiples in binary come first, since most validators count so.
func (r *numberRange) multiples(unit *big.Rat) {
	from, up := big.NewInt(1), int64(1)
	switch {
	case r.low != nil && !r.holds(times(from, unit)) && r.low.Cmp(unit) >= 0:
		from = steps(r.low, unit, true)
	case r.high != nil && r.high.Cmp(unit) < 0:
		from, up = steps(r.high, unit, false), -1
	case !r.holds(times(from, unit)) && r.low != nil:
		from = steps(r.low, unit, true)
	}
	var by [3][]*big.Rat
	for i := range int64(maxMultiples) {
		v := times(new(big.Int).Add(from, big.NewInt(up*i)), unit)
		if !r.holds(v) {
			continue
		}
		off := 0
		if r.unit != nil {
			off = inexact(v, unit)
		}
		if by[off] = append(by[off], v); off == 0 && len(by[0]) > maxTurns {
			break
		}
	}
	for _, same := range by {
		for i := range min(len(same), maxTurns) {
			r.add(same[(i+r.turn)%len(same)])
		}
	}
}

// maxTurns is how many of what is much the same are tried.
const maxTurns = 40

// inexact tells in how many of the two usual ways, the quotient and the remainder, a
// multiple is none once it is counted in binary.
func inexact(v, unit *big.Rat) int {
	off := 0
	if unit.IsInt() {
		return off
	}
	f, _ := v.Float64()
	step, _ := unit.Float64()
	if math.Mod(f, step) != 0 {
		off++
	}
	if _, fraction := math.Modf(f / step); fraction != 0 {
		off++
	}
	return off
}

// decimals adds numbers of as few digits as there are within the bounds.
func (r *numberRange) decimals() {
	half := big.NewRat(1, 2)
	plain := new(big.Rat).Add(big.NewRat(int64(r.turn)+1, 1), half)
	r.add(plain)
	unit := big.NewRat(1, 1)
	for range maxDecimal {
		before := len(r.list)
		r.multiples(unit)
		if len(r.list) > before {
			break
		}
		unit = new(big.Rat).Mul(unit, big.NewRat(1, 10))
	}
	// A whole number may be what is wrong, as with a oneOf of integers and numbers.
	for _, v := range slices.Clone(r.list) {
		if value, ok := v.number(); ok {
			r.add(new(big.Rat).Add(value, half))
		}
	}
}
