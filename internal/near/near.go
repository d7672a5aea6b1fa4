// Package near suggests names that a model or a person may have meant.
package near

import (
	"cmp"
	"slices"
	"unicode"
)

// A search examines at most this many names, and this many runes of each.
const (
	maxNames = 500
	maxLen   = 64
)

// Names returns the members of among that are similar to name, the most similar first, and
// at most max of them. It ignores case and separators between words, so that "filePath"
// equals "file_path". A name that contains the other at a word boundary is similar, too.
// Names examines only the first maxNames members.
func Names(name string, among []string, max int) []string {
	type candidate struct {
		name     string
		distance int
	}
	var found []candidate
	want := fold(name)
	for _, other := range among[:min(len(among), maxNames)] {
		if d, ok := distance(want, fold(other)); ok {
			found = append(found, candidate{other, d})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	var names []string
	for _, c := range found[:min(len(found), max)] {
		names = append(names, c.name)
	}
	return names
}

// Misspelling returns the member of among that name is a likely misspelling of, or "". It is
// stricter than [Names]: it allows one edit for each four letters, and none in shorter
// words.
func Misspelling(name string, among []string) string {
	want := fold(name)
	best, fewest := "", len(want.runes)/4+1
	if fewest == 1 {
		return ""
	}
	for _, other := range among[:min(len(among), maxNames)] {
		got := fold(other)
		if more := len(got.runes) - len(want.runes); more >= fewest || -more >= fewest {
			continue
		}
		if d := damerau(want.runes, got.runes); d < fewest {
			best, fewest = other, d
		}
	}
	return best
}

// folded is a name in the form that is compared: its letters and digits in lower case.
// begins tells which of them begin a word.
type folded struct {
	runes  []rune
	begins []bool
}

// fold prepares a name for comparison. It keeps at most maxLen runes.
func fold(name string) folded {
	var f folded
	begins, lower := true, false
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			begins = true
			continue
		}
		f.runes = append(f.runes, unicode.ToLower(r))
		f.begins = append(f.begins, begins || lower && unicode.IsUpper(r))
		if begins, lower = false, unicode.IsLower(r); len(f.runes) == maxLen {
			break
		}
	}
	return f
}

// holds reports whether f contains other, starting or ending at a word boundary.
func (f folded) holds(other folded) bool {
	n := len(other.runes)
	for i := 0; i+n <= len(f.runes); i++ {
		if slices.Equal(f.runes[i:i+n], other.runes) && (f.begins[i] || i+n == len(f.runes) || f.begins[i+n]) {
			return true
		}
	}
	return false
}

// distance returns the number of edits between two names, and whether they are similar at
// all. Names that merely contain one another rank after all misspellings.
func distance(a, b folded) (edits int, isNear bool) {
	short, long := a, b
	if len(short.runes) > len(long.runes) {
		short, long = long, short
	}
	most, more := len(long.runes), len(long.runes)-len(short.runes)
	if allowed := max(1, most/3); more <= allowed && most-more > 1 {
		if d := damerau(a.runes, b.runes); d <= allowed {
			return d, true
		}
	}
	if most-more >= 3 && long.holds(short) {
		return maxLen + more, true
	}
	return 0, false
}

// damerau returns the number of insertions, deletions, substitutions and transpositions of
// neighbours that turn a into b, without editing any place twice (optimal string
// alignment). The cost is len(a) × len(b).
func damerau(a, b []rune) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		before, last, row = last, row, before
		row[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, last[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}
