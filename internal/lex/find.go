package lex

import "math/bits"

// ones and highs have the lowest and the highest bit of each byte set.
const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// Load8 returns s[i:i+8] as a little-endian number, for [FirstByte]. The compiler turns it
// into a single load.
func Load8(s string, i int) uint64 {
	b := s[i : i+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// Bytes8 returns the number that has c in each byte.
func Bytes8(c byte) uint64 { return uint64(c) * ones }

// ZeroBytes marks the zero bytes of x by their highest bit. Only the lowest mark is certain:
// the bytes above it may be marked wrongly.
func ZeroBytes(x uint64) uint64 { return (x - ones) &^ x & highs }

// ControlBytes marks the ASCII control characters in x, like [ZeroBytes].
func ControlBytes(x uint64) uint64 { return (x - ' '*ones) &^ x & highs }

// FirstMark returns the index of the lowest byte that is marked.
func FirstMark(marks uint64) int { return bits.TrailingZeros64(marks) / 8 }

// A Finder finds the next of a few bytes in short texts, where a call of IndexByte for each
// of them costs more than the search.
type Finder struct {
	a, b, c, d, e uint64 // the bytes, as of Bytes8
	more          bool   // d and e count
}

// MaxFind is the number of bytes that a [Finder] can look for.
const MaxFind = 5

// NewFinder returns a finder of the given bytes, 1 to [MaxFind] of them.
func NewFinder(bytes ...byte) *Finder {
	at := func(k int) uint64 { return Bytes8(bytes[min(k, len(bytes)-1)]) }
	return &Finder{at(0), at(1), at(2), at(3), at(4), len(bytes) > 3}
}

// Find returns the offset of the first of the bytes in s at or after i, or len(s).
func (f *Finder) Find(s string, i int) int {
	for ; i+8 <= len(s); i += 8 {
		w := Load8(s, i)
		marks := ZeroBytes(w^f.a) | ZeroBytes(w^f.b) | ZeroBytes(w^f.c)
		if f.more {
			marks |= ZeroBytes(w^f.d) | ZeroBytes(w^f.e)
		}
		if marks != 0 {
			return i + FirstMark(marks)
		}
	}
	for ; i < len(s); i++ {
		if c := s[i]; c == byte(f.a) || c == byte(f.b) || c == byte(f.c) || c == byte(f.d) || c == byte(f.e) {
			break
		}
	}
	return i
}
