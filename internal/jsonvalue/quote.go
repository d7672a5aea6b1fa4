package jsonvalue

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/toolparse/toolparse/internal/strictjson"
)

// AppendQuoted appends s as a JSON string with as few escapes as possible: only quotes,
// backslashes and control characters. Each byte of invalid UTF-8 becomes U+FFFD.
func AppendQuoted(dst []byte, s string) []byte {
	return append(AppendEscaped(append(dst, '"'), s), '"')
}

// longText is the length from which it is cheaper to count quotes than to allocate twice.
const longText = 1 << 10

// AppendEscaped is [AppendQuoted] without the surrounding quotes.
func AppendEscaped(dst []byte, s string) []byte {
	room := len(s) + len(s)/16 + 8 // for some escapes, and for a quote
	if len(s) > longText {
		room += strings.Count(s, `"`) + strings.Count(s, `\`)
	}
	dst = slices.Grow(dst, room)
	valid := utf8.ValidString(s)
	for {
		n := strictjson.PlainRun(s)
		if valid {
			dst = append(dst, s[:n]...)
		} else {
			for _, r := range s[:n] {
				dst = utf8.AppendRune(dst, r)
			}
		}
		if n == len(s) {
			return dst
		}
		dst = appendEscape(dst, s[n])
		s = s[n+1:]
	}
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
