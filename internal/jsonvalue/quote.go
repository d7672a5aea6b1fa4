package jsonvalue

import (
	"math/bits"
	"slices"
	"unicode/utf8"
)

// AppendQuoted appends s as a JSON string with as few escapes as possible: only quotes,
// backslashes and control characters. Each byte of invalid UTF-8 becomes U+FFFD.
func AppendQuoted(dst []byte, s string) []byte {
	return append(AppendEscaped(append(dst, '"'), s), '"')
}

// AppendEscaped is [AppendQuoted] without the surrounding quotes.
func AppendEscaped(dst []byte, s string) []byte {
	dst = slices.Grow(dst, len(s)+len(s)/16+8) // room for some escapes, and for a quote
	done := 0                                  // s[:done] has been appended
	for i := 0; i < len(s); {
		if len(s)-i >= 8 {
			if n := plainBytes(s[i : i+8]); n > 0 {
				i += n
				continue
			}
		}
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 {
				dst = append(dst, s[done:i]...)
				dst = append(dst, "\uFFFD"...)
				done = i + 1
			}
			i += size
			continue
		}
		if c < ' ' || c == '"' || c == '\\' {
			dst = append(dst, s[done:i]...)
			dst = appendEscape(dst, c)
			done = i + 1
		}
		i++
	}
	return append(dst, s[done:]...)
}

// plainBytes returns how many of the first eight bytes of s are ASCII without an escape
// before the first that is not.
func plainBytes(s string) int {
	_ = s[7]
	w := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	// A borrow from a byte makes the next ones wrong, but never the first.
	quote, backslash := w^'"'*ones, w^'\\'*ones
	found := (w | (w - ' '*ones) | (quote - ones) | (backslash - ones)) & tops
	return bits.TrailingZeros64(found) / 8
}

func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '\b':
		return append(dst, `\b`...)
	case '\t':
		return append(dst, `\t`...)
	case '\n':
		return append(dst, `\n`...)
	case '\f':
		return append(dst, `\f`...)
	case '\r':
		return append(dst, `\r`...)
	case '"', '\\':
		return append(dst, '\\', c)
	}
	const hex = "0123456789abcdef"
	return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xf])
}

// Quote returns s in the form of [AppendQuoted].
func Quote(s string) string {
	return string(AppendQuoted(make([]byte, 0, len(s)+len(`""`)), s))
}
