package jsonvalue

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

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
	if !utf8.ValidString(s) {
		s = string([]rune(s))
	}
	room := len(s) + len(s)/16 + 8 // for some escapes, and for a quote
	if len(s) > longText {
		room += strings.Count(s, `"`) + strings.Count(s, `\\`)
	}
	return AppendPart(slices.Grow(dst, room), s)
}

// AppendPart is [AppendEscaped] for a part of a text: characters may go on in the next part,
// so that what is not UTF-8 stays as it is.
func AppendPart(dst []byte, s string) []byte {
	for len(s) >= 8 {
		// Eight bytes are written, and of those only the ones before the first escape kept.
		at := len(dst)
		if cap(dst) < at+16 {
			dst = slices.Grow(dst, len(s)+len(s)/16+16)
		}
		word := bytescan.Load(s, 0)
		binary.LittleEndian.PutUint64(dst[at:at+8], word)
		specials := bytescan.Specials(word)
		if specials == 0 {
			dst, s = dst[:at+8], s[8:]
			continue
		}
		n := bytescan.First(specials)
		dst, s = appendEscape(dst[:at+n], s[n]), s[n+1:]
		for s != "" && short[s[0]] != 0 { // as in the indentation of code
			dst, s = append(dst, '\\', short[s[0]]), s[1:]
		}
	}
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' {
			dst = appendEscape(dst, c)
		} else {
			dst = append(dst, c)
		}
	}
	return dst
}

// appendEscape appends the escape of c.
func appendEscape(dst []byte, c byte) []byte {
	if e := short[c]; e != 0 { // without a call for so few bytes
		return append(dst, '\\', e)
	}
	return append(dst, escapes[c]...)
}

// Escape returns the JSON escape of a quote, a backslash or a control character.
func Escape(c byte) string { return escapes[c] }

// short has the second byte of the escapes of two bytes.
var short = [256]byte{'\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't', '"': '"', '\\': '\\'}

var escapes = func() (t [256]string) {
	for c := range byte(' ') {
		t[c] = fmt.Sprintf(`\u%04x`, c)
	}
	for c, second := range short {
		if second != 0 {
			t[c] = `\` + string(second)
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
