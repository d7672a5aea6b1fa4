package jsonvalue

import (
	"fmt"
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
	if !utf8.ValidString(s) {
		s = string([]rune(s))
	}
	room := len(s) + len(s)/16 + 8 // for some escapes, and for a quote
	if len(s) > longText {
		room += strings.Count(s, `"`) + strings.Count(s, `\\`)
	}
	dst = slices.Grow(dst, room)
	for {
		n := strictjson.PlainRun(s)
		dst = append(dst, s[:n]...)
		if n == len(s) {
			return dst
		}
		dst = append(dst, escapes[s[n]]...)
		s = s[n+1:]
	}
}

// Escape returns the JSON escape of a quote, a backslash or a control character.
func Escape(c byte) string { return escapes[c] }

var escapes = func() (t [256]string) {
	for c := range byte(' ') {
		t[c] = fmt.Sprintf(`\u%04x`, c)
	}
	t['\b'], t['\f'], t['\n'], t['\r'], t['\t'] = `\b`, `\f`, `\n`, `\r`, `\t`
	t['"'], t['\\'] = `\"`, `\\`
	return t
}()

// Quote returns s in the form of [AppendQuoted].
func Quote(s string) string {
	return string(AppendQuoted(make([]byte, 0, len(s)+len(`""`)), s))
}
