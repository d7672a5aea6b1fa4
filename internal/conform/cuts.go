package conform

import (
	"fmt"
	"iter"
)

// cutWork bounds the bytes that the parser reads for the two-way cuts of one input, so
// that inputs up to 5 KB are cut at every byte.
const cutWork = 32 << 20

// cut is one way to divide an input into chunks.
type cut struct {
	kind cutKind
	n    int
}

type cutKind uint8

const (
	cutNowhere cutKind = iota
	cutAsGiven
	cutEvery // chunks of n bytes
	cutAt    // two chunks, the first of n bytes
)

// String describes the cut in reports.
func (c cut) String() string {
	switch c.kind {
	case cutAsGiven:
		return "cut as given"
	case cutEvery:
		return fmt.Sprintf("in chunks of %d", c.n)
	case cutAt:
		return fmt.Sprintf("cut at byte %d", c.n)
	}
	return "whole"
}

// cuts yields the ways to cut v's input, the whole input first. The chunks are valid
// until the next step.
func (v Vector) cuts() iter.Seq2[cut, []string] {
	return func(yield func(cut, []string) bool) {
		in := v.Input
		if !yield(cut{kind: cutNowhere}, []string{in}) {
			return
		}
		if v.Chunks != nil && !yield(cut{kind: cutAsGiven}, v.Chunks) {
			return
		}
		var chunks []string
		for _, n := range []int{1, 2, 3, 7} {
			chunks = chunks[:0]
			for rest := in; rest != ""; {
				k := min(n, len(rest))
				chunks, rest = append(chunks, rest[:k]), rest[k:]
			}
			if !yield(cut{cutEvery, n}, chunks) {
				return
			}
		}
		for i, n := 1, twoWayCuts(len(in)); i <= n; i++ {
			at := i * len(in) / (n + 1)
			if !yield(cut{cutAt, at}, []string{in[:at], in[at:]}) {
				return
			}
		}
	}
}

// sampled reports whether cuts omits some of the two-way cuts.
func (v Vector) sampled() bool { return twoWayCuts(len(v.Input)) < len(v.Input)-1 }

// twoWayCuts returns how many of the size-1 ways to cut an input of size bytes in two
// are tried. They are spread evenly.
func twoWayCuts(size int) int {
	if size < 2 {
		return 0
	}
	return max(1, min(size-1, cutWork/size))
}
