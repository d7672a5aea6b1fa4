package jsonvalue

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/bytescan"
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
	s = bytescan.ToUTF8(s)
	room := len(s) + len(s)/16 + 8 // for some escapes, and for a quote
	if len(s) > longText {
		room += strings.Count(s, `"`) + strings.Count(s, `\\`)
	}
	return AppendPart(slices.Grow(dst, room), s)
}

// AppendPart is [AppendEscaped] for a part of a text: characters may go on in the next part,
// so that what is not UTF-8 stays as it is.
func AppendPart(dst []byte, s string) []byte {
	for s != "" {
		at := len(dst)
		if cap(dst)-at < min(16, len(s)+8) { // what Escape needs to read any byte
			dst = slices.Grow(dst, len(s)+len(s)/16+16)
		}
		wrote, read := bytescan.Escape(dst[at:cap(dst)], s)
		dst, s = dst[:at+wrote], s[read:]
		if s != "" && escapes[s[0]] != "" {
			dst, s = append(dst, escapes[s[0]]...), s[1:]
		}
	}
	return dst
}

// Escape returns the JSON escape of a quote, a backslash or a control character.
func Escape(c byte) string { return escapes[c] }

var escapes = func() (t [256]string) {
	for c := range byte(' ') {
		t[c] = fmt.Sprintf(`\u%04x`, c)
	}
	for c := range t {
		if letter := bytescan.Letter(byte(c)); letter != 0 {
			t[c] = `\` + string(letter)
		}
	}
	return t
}()

// Quote returns s in the form of [AppendQuoted].
func Quote(s string) string {
	return string(AppendQuoted(make([]byte, 0, len(s)+len(`""`)), s))
}

// StringEnd returns the index of the quote that ends the string whose text begins at
// doc[at], or len(doc) if the string does not end. It jumps from quote to quote.
func StringEnd(doc []byte, at int) int {
	for begin := at; ; {
		n := bytes.IndexByte(doc[at:], '"')
		if n < 0 {
			return len(doc)
		}
		slashes := at + n
		for slashes > begin && doc[slashes-1] == '\\' {
			slashes--
		}
		if (at+n-slashes)%2 == 0 {
			return at + n
		}
		at += n + 1
	}
}
