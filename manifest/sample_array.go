package manifest

import (
	"errors"
	"iter"
	"math"
	"strconv"

	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// maxElements bounds the list that is made because a schema asks for many elements.
const maxElements = 32

// arrays are lists of two scalars, or of one element that is itself a list or an
// object, and then shorter and longer ones.
func (g *sampler) arrays(to *goal, s *shape) iter.Seq[candidate] {
	least, most := countOf(s.bounds["minItems"], 0), countOf(s.bounds["maxItems"], math.MaxInt32)
	want := 2
	switch {
	case s.items == nil && len(s.tuple) > 0:
		want = len(s.tuple)
		most = min(most, max(want, least))
	case s.items != nil:
		if items, err := g.doc.shape(s.items); err != nil || items.allowsContainer() || len(items.choices) > 0 {
			want = 1
		}
	}
	if s.contains != nil {
		want = max(want, countOf(s.bounds["minContains"], 1))
	}
	if s.sealed {
		most = min(most, len(s.tuple))
	}
	want = min(max(want, least), most)
	return func(yield func(candidate) bool) {
		more := func(n int) bool {
			return yield(candidate{build: func() (*node, error) { return g.array(to, s, n) }})
		}
		if !more(want) {
			return
		}
		for n := min(want, maxElements) - 1; n >= least; n-- {
			if !more(n) {
				return
			}
		}
		for n := want + 1; n <= min(most, want+3); n++ {
			if !more(n) {
				return
			}
		}
	}
}

// array makes a list of n elements.
func (g *sampler) array(to *goal, s *shape, n int) (*node, error) {
	if n > maxElements {
		return nil, &sampleError{to.path, errTooMany}
	}
	contained := 0
	if s.contains != nil {
		contained = countOf(s.bounds["minContains"], 1)
	}
	maker := *g
	defer func() { g.left = maker.left }()
	var list []*node
	for i := range n {
		own := s.items
		if i < len(s.tuple) {
			own = s.tuple[i]
		}
		if i < contained {
			own = g.doc.join(own, s.contains)
		}
		if own == nil {
			own = anything
		}
		v, err := maker.element(own, to, i, s.unique, list)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return written(jsonvalue.NewArray(list...)), nil
}

// element makes the element of a list at i, where need be one that is not there yet.
func (g *sampler) element(own *node, to *goal, i int, unique bool, list []*node) (v *node, err error) {
	turn := g.turn
	defer func() { g.turn = turn }()
	one := &goal{schema: own, name: to.name, path: to.path + "/" + strconv.Itoa(i), optional: -1}
	if unique {
		one.other = list
	}
	for more := range len(one.other) + 1 {
		g.turn = turn + i + more
		if v, err = g.reach(one); err == nil || errors.Is(err, errTooLarge) {
			break
		}
	}
	return v, err
}
