package bytescan

import (
	"encoding/binary"
	"math/bits"
)

// meanings has the character that a backslash and a byte stand for in a JSON string, letters the
// byte that follows the backslash of a character's escape; 0 if there is no such escape of two
// bytes. shared is meanings without the slash. All are read only.
var (
	meanings = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}
	shared   = [256]byte{'"': '"', '\\': '\\', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}
	letters  = [256]byte{'"': '"', '\\': '\\', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't'}
)

// Meaning returns the character that a backslash and c stand for in a JSON string, or 0 if they
// are no escape of two bytes.
func Meaning(c byte) byte { return meanings[c] }

// Letter returns the byte after the backslash in the escape of c, or 0 if c needs none or one of
// six bytes.
func Letter(c byte) byte { return letters[c] }

// longRun is the length in bytes from which the search by blocks is worth its call, shortRun that
// for escapeBlocks. No block function looks, or writes, further than longRun ahead.
const (
	longRun  = 160
	shortRun = 16
)

// PlainEnd returns the offset of the first byte of s at or after at that does not stand for
// itself in a JSON string, or len(s).
func PlainEnd[T ~string | ~[]byte](s T, at int) int {
	for ; at+8 <= len(s); at += 8 {
		if found := Specials(Load(s, at)); found != 0 {
			return at + First(found)
		}
	}
	if last := len(s) - 8; last >= 0 {
		// The last word again, without its bytes before at. The zeros that take their place are
		// marked, as a stop at len(s).
		return at + First(Specials(Load(s, last)>>(8*uint(at-last))))
	}
	for at < len(s) && s[at] >= ' ' && s[at] != '"' && s[at] != '\\' {
		at++
	}
	return at
}

// EscapedEnd returns the offset, at or after at, up to which s consists of bytes that stand for
// themselves in a JSON string and of escapes of two bytes. It may end up to eight bytes before
// the end of s although these bytes are such, too.
func EscapedEnd[T ~string | ~[]byte](s T, at int) int { return escapedEnd(s, at, &meanings) }

// SharedEnd is [EscapedEnd] without the escape of a slash, which other languages do not know.
func SharedEnd(s string, at int) int { return escapedEnd(s, at, &shared) }

func escapedEnd[T ~string | ~[]byte](s T, at int, meanings *[256]byte) int {
	if rest := s[at:]; len(rest) >= longRun {
		at += escapedBlocks(asString(rest), meanings)
	}
	for at+8 < len(s) {
		found := Specials(Load(s, at))
		if found == 0 {
			at += 8
			continue
		}
		if at += First(found); s[at] != '\\' || meanings[s[at+1]] == 0 {
			break
		}
		at += 2
	}
	return at
}

// Unescape decodes the front of data, content of a JSON string, into out. It stops at a byte
// that is neither plain nor part of an escape of two bytes, or where less than eight bytes are
// left of data or of the room in out.
func Unescape(out, data []byte) (wrote, read int) {
	if min(len(data), len(out)) >= longRun {
		wrote, read = unescapeBlocks(out, data, &meanings)
	}
	for read+8 <= len(data) && wrote+8 <= len(out) {
		// Eight bytes are written, and of those only the ones before the first escape kept.
		word := Load(data, read)
		binary.LittleEndian.PutUint64(out[wrote:wrote+8], word)
		found := Specials(word)
		if found == 0 {
			wrote, read = wrote+8, read+8
			continue
		}
		plain := First(found)
		wrote, read = wrote+plain, read+plain
		if data[read] != '\\' || read+1 == len(data) {
			break
		}
		c := meanings[data[read+1]]
		if c == 0 {
			break
		}
		out[wrote] = c
		wrote, read = wrote+1, read+2
	}
	return wrote, read
}

// Escape writes the front of s into out as content of a JSON string. It stops at a character
// that needs an escape of six bytes, at one of the last seven that needs any, or where less
// than 16 bytes are left of the room in out, or eight for the last seven.
func Escape(out []byte, s string) (wrote, read int) {
	if len(s) >= shortRun && len(out) >= 3*shortRun {
		wrote, read = escapeBlocks(out, s, &letters)
	}
	for read+8 <= len(s) && wrote+16 <= len(out) {
		word := Load(s, read)
		binary.LittleEndian.PutUint64(out[wrote:wrote+8], word)
		found := Specials(word)
		if found == 0 {
			wrote, read = wrote+8, read+8
			continue
		}
		plain := First(found)
		wrote, read = wrote+plain, read+plain
		for read < len(s) && wrote+2 <= len(out) && letters[s[read]] != 0 { // often several, as in indented code
			out[wrote], out[wrote+1] = '\\', letters[s[read]]
			wrote, read = wrote+2, read+1
		}
		if read < len(s) && s[read] < ' ' {
			return wrote, read
		}
	}
	if rest := s[read:]; len(rest) < 8 && wrote+8 <= len(out) {
		word := loadShort(rest)
		binary.LittleEndian.PutUint64(out[wrote:wrote+8], word)
		plain := min(len(rest), bits.TrailingZeros64(Specials(word))/8)
		wrote, read = wrote+plain, read+plain
	}
	return wrote, read
}

// loadShort returns the word of less than eight bytes.
func loadShort(s string) (word uint64) {
	for i := range len(s) {
		word |= uint64(s[i]) << (8 * i & 63)
	}
	return word
}
