package manifest

import "math/big"

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
		if n.kind() != '{' || seen[n] {
			continue
		}
		seen[n] = true
		h.read(n)
		if to := d.target(n.str("$ref")); to != nil {
			queue = append(queue, to)
		}
		for _, key := range []string{"allOf", "anyOf", "oneOf"} {
			queue = append(queue, n.elements(key)...)
		}
		for _, key := range []string{"not", "if", "then", "else"} {
			queue = append(queue, n.get(key))
		}
	}
	return h
}

func (h *hints) read(n *node) {
	if c := n.get("const"); c != nil {
		h.values = append(h.values, c)
	}
	h.values = append(h.values, n.elements("enum")...)
	h.values = append(h.values, n.elements("examples")...)
	for _, key := range []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"} {
		if r, ok := n.get(key).number(); ok {
			h.numbers = append(h.numbers, r)
		}
	}
	for _, key := range []string{"minLength", "maxLength"} {
		if at := n.get(key).count(-1); at >= 0 && at < maxSample {
			h.lengths = append(h.lengths, at, at+1, max(at-1, 0))
		}
	}
	if p := n.str("pattern"); p != "" {
		h.patterns = append(h.patterns, p)
	}
}
