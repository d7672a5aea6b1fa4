package manifest

import (
	"math/big"

	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// hints are what a schema, its choices and conditions speak of: where what is usual
// does not fit, something near these may.
type hints struct {
	values   []*node
	numbers  []*big.Rat
	lengths  []int
	patterns []string
}

// maxHints bounds how many schemas are looked at for hints.
const maxHints = 100

// hints are those of a schema and of what applies in place.
func (d *document) hints(n *node) hints {
	var h hints
	seen := map[*node]bool{}
	queue := []*node{n}
	for len(queue) > 0 && len(seen) < maxHints {
		n, queue = queue[0], queue[1:]
		if !n.Is(jsonvalue.Object) || seen[n] {
			continue
		}
		seen[n] = true
		h.read(n)
		if to := d.target(n); to != nil {
			queue = append(queue, to)
		}
		for _, key := range []string{"allOf", "anyOf", "oneOf"} {
			queue = append(queue, n.Get(key).Elements()...)
		}
		for _, key := range []string{"not", "if", "then", "else"} {
			queue = append(queue, n.Get(key))
		}
	}
	return h
}

func (h *hints) read(n *node) {
	if c := n.Get("const"); c != nil {
		h.values = append(h.values, c)
	}
	h.values = append(h.values, n.Get("enum").Elements()...)
	h.values = append(h.values, n.Get("examples").Elements()...)
	for _, key := range []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"} {
		if r, ok := ratOf(n.Get(key)); ok {
			h.numbers = append(h.numbers, r)
		}
	}
	for _, key := range []string{"minLength", "maxLength"} {
		if at := countOf(n.Get(key), -1); at >= 0 && at < maxSample {
			h.lengths = append(h.lengths, at, at+1, max(at-1, 0))
		}
	}
	if p := textOf(n, "pattern"); p != "" {
		h.patterns = append(h.patterns, p)
	}
}
