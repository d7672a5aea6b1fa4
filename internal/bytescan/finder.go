package bytescan

import (
	"bytes"
	"strings"
)

// A Finder finds the next of a few bytes in short texts, where a call of IndexByte for each
// of them costs more than the search.
type Finder struct {
	a, b, c, d, e uint64 // the bytes, as of All
	more          bool   // d and e count
}

// MaxFind is the number of bytes that a [Finder] can look for.
const MaxFind = 5

// NewFinder returns a finder of the given bytes, 1 to [MaxFind] of them, or nil if one is not
// ASCII.
func NewFinder(bytes ...byte) *Finder {
	for _, c := range bytes {
		if c >= 0x80 {
			return nil
		}
	}
	at := func(k int) uint64 { return All(bytes[min(k, len(bytes)-1)]) }
	return &Finder{at(0), at(1), at(2), at(3), at(4), len(bytes) > 3}
}

// Find returns the offset of the first of the bytes in s at or after i, or len(s).
func (f *Finder) Find(s string, i int) int {
	for ; i <= len(s)-8; i += 8 {
		if marks := f.marks(Load(s, i)); marks != 0 {
			return i + First(marks)
		}
	}
	if last := len(s) - 8; last >= 0 && i < len(s) {
		// The last word again, without its bytes before i. Zeros take their place at the end.
		if marks := f.marks(Load(s, last) >> (8 * (i - last))); marks != 0 {
			return min(i+First(marks), len(s))
		}
		return len(s)
	}
	for ; i < len(s); i++ {
		if c := s[i]; c == byte(f.a) || c == byte(f.b) || c == byte(f.c) || c == byte(f.d) || c == byte(f.e) {
			break
		}
	}
	return i
}

// marks marks the bytes of w. All bytes are ASCII, so that one mask serves the five searches
// (see Zeros).
func (f *Finder) marks(w uint64) uint64 {
	marks := ((w ^ f.a) - ones) | ((w ^ f.b) - ones) | ((w ^ f.c) - ones)
	if f.more {
		marks |= ((w ^ f.d) - ones) | ((w ^ f.e) - ones)
	}
	return marks &^ w & highs
}

// Index returns the offset of the first word in s, or -1. It jumps from one rare to the next,
// a byte of word that should occur seldom in s. So it is faster than bytes.Index, whose
// search for a word of some bytes takes several steps for each byte of s.
func Index(s []byte, word string, rare byte) int {
	before, last := strings.IndexByte(word, rare), len(word)-1
	for at := before; at+last-before < len(s); at++ {
		next := bytes.IndexByte(s[at:], rare)
		if next < 0 {
			return -1
		}
		at += next
		if from := at - before; from+last < len(s) && s[from+last] == word[last] && string(s[from:from+last]) == word[:last] {
			return from
		}
	}
	return -1
}
