// Package bytescan searches text, and reads and writes escapes of JSON, many bytes at a time.
//
// A word holds eight bytes, the first one lowest. The functions that mark bytes set the
// highest bit of each byte that they look for, and clear all other bits:
//
//	bytes of a word   a    "    \    b    "    c    d    e     (the first on the left)
//	Zeros(w ^ '"'s)   0   80    0    0   80    0    0    0
//
// The subtraction inside may borrow from the bytes above a match, and mark one of them
// wrongly. So only the lowest mark is certain, and that nothing is below it. The marks of
// several searches may be joined by "or": each is certain up to its lowest mark, and so is
// the lowest of them all. [First] returns it.
//
// Texts of some length go in blocks of 64 bytes first, in assembly for amd64: whether they are
// ASCII, and the escapes of JSON strings, whose words cost a wrong guess of a branch each. All
// other processors, and the ends of texts, go by words. The functions in Go define what is right.
package bytescan

import "math/bits"

// The words that have the lowest and the highest bit of each byte set.
const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
)

// Load returns the word s[at:at+8], by a single load.
func Load[T ~string | ~[]byte](s T, at int) uint64 {
	b := s[at : at+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// All returns the word with c in each byte.
func All(c byte) uint64 { return uint64(c) * ones }

// Zeros marks the zero bytes of w, and so Zeros(w ^ All(c)) the bytes that are c.
func Zeros(w uint64) uint64 { return (w - ones) &^ w & highs }

// Specials marks the bytes of w that do not stand for themselves in a JSON string: quotes,
// backslashes and control characters. With bit 1 flipped, a quote becomes a space, and the
// control characters stay below it, so that one comparison marks them all.
func Specials(w uint64) uint64 {
	low, slash := w^0x02*ones, w^'\\'*ones
	return ((low - (' '+1)*ones) | (slash - ones)) &^ w & highs
}

// First returns the index of the first byte that is marked; marks must not be 0.
func First(marks uint64) int { return bits.TrailingZeros64(marks) / 8 }
