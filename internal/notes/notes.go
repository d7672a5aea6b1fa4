// Package notes chooses which notes of an answer to tell.
package notes

import (
	"slices"

	"github.com/toolparse/toolparse/toolcall"
)

// minCandidate is the number of bytes of a candidate that must have been read for a note;
// fewer are a tag in prose.
const minCandidate = 10

// Told returns the notes that are worth telling, in their order; it may return a part of all.
// Of several candidates at
// one place these are the one that was read furthest, and no candidates at all if the
// answer has a whole call that was not read. The time is quadratic in the number of
// candidates, which the parser limits.
func Told(all []toolcall.Note) []toolcall.Note {
	var chosen []toolcall.Note
	whole := slices.ContainsFunc(all, func(n toolcall.Note) bool { return n.Kind != toolcall.NoteCandidate })
	for i, n := range all {
		switch {
		case n.Kind == toolcall.NoteCandidate && (whole || n.End-n.Offset < minCandidate || isOutdone(all, i)):
		case len(chosen) == i: // so far all, which takes no memory
			chosen = all[: i+1 : i+1]
		default:
			chosen = append(chosen, n)
		}
	}
	return chosen
}

// isOutdone reports whether another candidate at the place of all[i] was read further, or
// as far and comes first.
func isOutdone(all []toolcall.Note, i int) bool {
	n := all[i]
	for j, other := range all {
		if j != i && other.Kind == n.Kind && other.Offset == n.Offset && (other.End > n.End || other.End == n.End && j < i) {
			return true
		}
	}
	return false
}
