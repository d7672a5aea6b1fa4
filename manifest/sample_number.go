package manifest

import (
	"iter"
	"math"
	"math/big"
	"slices"
)

// numbers yields numbers within the bounds of a shape, and such as are near those
// hinted at.
func (s *shape) numbers(kind string, turn int, hints func() hints) iter.Seq[*node] {
	return func(yield func(*node) bool) {
		r := numberRange{turn: turn, yield: yield}
		r.low, r.overLow = s.limit("minimum", "exclusiveMinimum")
		r.high, r.underHigh = s.limit("maximum", "exclusiveMaximum")
		for _, n := range s.steps {
			if step, ok := ratOf(n); ok && step.Sign() > 0 {
				r.steps = append(r.steps, step)
			}
		}
		unit := big.NewRat(1, 1)
		if kind != "integer" && len(r.steps) > 0 {
			unit = r.steps[0]
		}
		for _, step := range r.steps {
			unit = common(unit, step)
		}
		if kind == "number" && len(r.steps) == 0 {
			r.decimals()
		} else {
			r.multiples(unit)
		}
		for _, hint := range hints().numbers {
			for _, off := range []int64{0, 1, -1} {
				near := new(big.Rat).Add(hint, big.NewRat(off, 1))
				if kind == "integer" || len(r.steps) > 0 {
					near = times(steps(near, unit, off > 0), unit)
				}
				r.add(near)
			}
		}
	}
}

// limit reads a bound and its exclusive form, which is a number or, in older drafts,
// whether the other is exclusive. There is none where it is nil.
func (s *shape) limit(plain, exclusive string) (at *big.Rat, excluded bool) {
	if r, ok := ratOf(s.bounds[plain]); ok {
		at, excluded = r, s.bounds[exclusive].IsTrue()
	}
	if r, ok := ratOf(s.bounds[exclusive]); ok {
		if at == nil || plain == "minimum" && r.Cmp(at) >= 0 || plain == "maximum" && r.Cmp(at) <= 0 {
			at, excluded = r, true
		}
	}
	return at, excluded
}

// numberRange yields numbers between two bounds.
type numberRange struct {
	low, high          *big.Rat // nil: none
	overLow, underHigh bool     // the bound itself is outside
	steps              []*big.Rat
	turn               int

	yield func(*node) bool
	done  bool // no more are wanted
	some  bool // at least one was yielded
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
	if r.done || !r.holds(v) {
		return
	}
	if n, ok := numberNode(v); ok {
		r.some = true
		r.done = !r.yield(n)
	}
}

const (
	// maxTurns is how many of what is much the same are tried. It is more than
	// maxElements, so that those of a list can differ.
	maxTurns = 40
	// maxMultiples is how many are looked at for those that are exact in binary.
	maxMultiples = 256
)

// multiples adds those of a unit: small ones, or those next to a bound.
func (r *numberRange) multiples(unit *big.Rat) {
	from, up := big.NewInt(1), int64(1)
	switch {
	case r.high != nil && r.high.Cmp(unit) < 0:
		from, up = steps(r.high, unit, false), -1
	case r.low != nil && !r.holds(unit):
		from = steps(r.low, unit, true)
	}
	multiple := func(i int) *big.Rat { return times(new(big.Int).Add(from, big.NewInt(up*int64(i))), unit) }
	if !slices.ContainsFunc(r.steps, func(step *big.Rat) bool { return !step.IsInt() }) {
		for i := r.turn; i < r.turn+maxTurns && !r.done; i++ {
			r.add(multiple(i))
		}
		for i := 0; i < r.turn && !r.done; i++ {
			r.add(multiple(i))
		}
		return
	}
	var by [3][]*big.Rat
	for i := range maxMultiples {
		if v := multiple(i); r.holds(v) {
			off := r.inexact(v)
			by[off] = append(by[off], v)
		}
	}
	for _, same := range by {
		for i := range min(len(same), maxTurns) {
			r.add(same[(i+r.turn)%len(same)])
		}
	}
}

// inexact tells in how many of the two usual ways, the quotient and the remainder, a
// multiple is none once it is counted in binary.
func (r *numberRange) inexact(v *big.Rat) int {
	quotient, remainder := 0, 0
	f, _ := v.Float64()
	for _, step := range r.steps {
		s, _ := step.Float64()
		if _, fraction := math.Modf(f / s); fraction != 0 {
			quotient = 1
		}
		if math.Mod(f, s) != 0 {
			remainder = 1
		}
	}
	return quotient + remainder
}

// decimals adds numbers of as few digits as there are within the bounds.
func (r *numberRange) decimals() {
	half := big.NewRat(1, 2)
	r.add(new(big.Rat).Add(big.NewRat(int64(r.turn)+1, 1), half))
	whole := big.NewRat(1, 1)
	unit, usual := whole, r.some
	for r.some = false; !r.some && !r.done; unit = new(big.Rat).Quo(unit, big.NewRat(10, 1)) {
		if r.multiples(unit); unit.Denom().BitLen() > 4*maxDecimal {
			break
		}
	}
	if usual || r.done {
		return
	}
	// A whole number may be what is wrong, as where it is one of integers and numbers.
	for i := range maxTurns {
		off := big.NewRat(int64(2*(r.turn+i)+1), 2)
		for _, bound := range []*big.Rat{r.low, r.high} {
			if bound != nil {
				r.add(new(big.Rat).Add(bound, off))
				r.add(new(big.Rat).Sub(bound, off))
			}
		}
	}
}
