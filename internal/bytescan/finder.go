package bytescan

import (
	"bytes"
	"strings"
)

// A Finder finds the next of a few bytes, where a call of IndexByte for each of them costs more
// than the search.
type Finder struct {
	a, b, c, d, e uint64            // the bytes, as of All, if they are few
	more, few     bool              // d and e count; the bytes are at most fewBytes
	many          bool              // the bytes are more than four
	blocks        [MaxFind][16]byte // the bytes, for blocks
	set           [2]uint64         // a bit for each byte
}

// MaxFind is the number of bytes that a [Finder] can look for.
const MaxFind = 8

// fewBytes is the number of bytes up to which a search by words is faster than a table.
const fewBytes = 5

// NewFinder returns a finder of the given bytes, 1 to [MaxFind] of them, or nil if one is not
// ASCII.
func NewFinder(bytes ...byte) *Finder {
	at := func(k int) byte { return bytes[min(k, len(bytes)-1)] }
	f := &Finder{a: All(at(0)), b: All(at(1)), c: All(at(2)), d: All(at(3)), e: All(at(4)), more: len(bytes) > 3, few: len(bytes) <= fewBytes, many: len(bytes) > 4}
	for k := range f.blocks {
		c := at(k)
		if c >= 0x80 {
			return nil
		}
		f.set[c/64] |= 1 << (c % 64)
		for i := range f.blocks[k] {
			f.blocks[k][i] = c
		}
	}
	return f
}

// IsFast reports whether a search in a text of some bytes is faster than one by a table.
func (f *Finder) IsFast(length int) bool { return f.few && length >= 8 || HasBlocks && length >= 16 }

// Find returns the offset of the first of the bytes in s at or after i, or len(s).
func (f *Finder) Find(s string, i int) int {
	i = max(i, 0)
	if HasBlocks && len(s)-i >= 16 {
		return i + findBlocks(s[i:], &f.blocks, f.many)
	}
	if f.few {
		return f.findWords(s, i)
	}
	for i < len(s) && !f.finds(s[i]) {
		i++
	}
	return i
}

func (f *Finder) finds(c byte) bool { return c < 0x80 && f.set[c/64]>>(c%64)&1 != 0 }

// findWords is Find for few bytes.
func (f *Finder) findWords(s string, i int) int {
	for ; i <= len(s)-16; i += 16 {
		v, w := Load(s[i:i+16], 0), Load(s[i:i+16], 8)
		low, high := f.marks(v), f.marks(w)
		if f.more {
			low, high = low|f.marksMore(v), high|f.marksMore(w)
		}
		if low, high = low&^v, high&^w; (low|high)&highs != 0 {
			if low &= highs; low != 0 {
				return i + First(low)
			}
			return i + 8 + First(high&highs)
		}
	}
	if last := len(s) - 8; last >= 0 {
		for ; i < len(s); i += 8 {
			// The last word may have been read in part. Zeros take the place of those bytes,
			// but at its end.
			at := min(i, last)
			w := Load(s, at) >> (8 * uint(i-at) & 63)
			if marks := (f.marks(w) | f.marksMore(w)) &^ w & highs; marks != 0 {
				return min(i+First(marks), len(s))
			}
		}
		return len(s)
	}
	for i < len(s) && !f.finds(s[i]) {
		i++
	}
	return i
}

// marks marks the first bytes of f in w, marksMore the others. Both mark any other byte that
// is not ASCII, too: since those that are looked for are, one mask serves all (see Zeros).
func (f *Finder) marks(w uint64) uint64 {
	return ((w ^ f.a) - ones) | ((w ^ f.b) - ones) | ((w ^ f.c) - ones)
}

func (f *Finder) marksMore(w uint64) uint64 { return ((w ^ f.d) - ones) | ((w ^ f.e) - ones) }

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
