// Package printable escapes characters that make output misleading or dangerous:
// control characters, which terminals execute; U+0085, U+2028 and U+2029, at which many
// programs end a line; and bidirectional controls, which change the order in which text
// is displayed.
package printable

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/toolparse/toolparse/internal/bytescan"
)

const digits = "0123456789abcdef"

// JSON returns valid JSON with those characters as \u escapes. Its meaning does not
// change, because only strings can contain them. If there are none, it returns json
// itself.
func JSON(json []byte) []byte {
	i := indexHidden(json)
	if i < 0 {
		return json
	}
	return appendEscaped(append(make([]byte, 0, len(json)+64), json[:i]...), json[i:])
}

// EscapeFrom applies JSON to the part of dst from an offset on.
func EscapeFrom(dst []byte, from int) []byte {
	i := indexHidden(dst[from:])
	if i < 0 {
		return dst
	}
	rest := bytes.Clone(dst[from+i:])
	return appendEscaped(dst[:from+i], rest)
}

// indexHidden returns the offset of the first such character in valid JSON, or -1. Valid
// JSON already escapes the characters below U+0020.
func indexHidden(b []byte) int {
	at := bytescan.ASCIIRun(b) // most texts are without any of them
	at += min(index(b[at:], 0x7F), index(b[at:], 0xC2), index(b[at:], 0xE2))
	for ; at < len(b); at++ {
		if n := hidden(b[at:]); n > 0 {
			return at
		}
	}
	return -1
}

func index(b []byte, c byte) int {
	if i := bytes.IndexByte(b, c); i >= 0 {
		return i
	}
	return len(b)
}

// hidden returns the length of the character with which b begins, if it is one of
// those, else 0. All of them begin with one of three bytes.
func hidden(b []byte) int {
	switch {
	case b[0] == 0x7F: // DEL
		return 1
	case len(b) >= 2 && b[0] == 0xC2 && b[1] < 0xA0: // C1
		return 2
	case len(b) < 3 || b[0] != 0xE2:
		return 0
	case b[1] == 0x80 && (b[2] >= 0xA8 && b[2] <= 0xAE || b[2] == 0x8E || b[2] == 0x8F), // separators, embeddings, marks
		b[1] == 0x81 && b[2] >= 0xA6 && b[2] <= 0xA9: // isolates
		return 3
	}
	return 0
}

// appendEscaped appends src with those characters escaped.
func appendEscaped(dst, src []byte) []byte {
	done := 0
	for i := 0; i < len(src); {
		n := hidden(src[i:])
		if n == 0 {
			i++
			continue
		}
		dst = append(dst, src[done:i]...)
		r, _ := utf8.DecodeRune(src[i:])
		dst = appendEscape(dst, r)
		i += n
		done = i
	}
	return append(dst, src[done:]...)
}

// appendEscape appends the \u escape of a character below U+10000.
func appendEscape(dst []byte, r rune) []byte {
	return append(dst, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}

// Text makes untrusted text safe to print within a line. It escapes those characters,
// all control characters, and invalid UTF-8, as in a Go string.
func Text(s string) string { return escape(s, false) }

// Lines is Text, but keeps line feeds.
func Lines(s string) string { return escape(s, true) }

func escape(s string, lines bool) string {
	var out strings.Builder
	done := 0
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		escaped := ""
		switch {
		case r == '\n' && lines:
		case r == '\n':
			escaped = `\n`
		case r == '\t':
			escaped = `\t`
		case r == '\r':
			escaped = `\r`
		case r < ' ' || r == 0x7F || r == utf8.RuneError && n == 1:
			escaped = string([]byte{'\\', 'x', digits[s[i]>>4], digits[s[i]&15]})
		case n > 1 && hidden([]byte(s[i:i+n])) > 0:
			escaped = string(appendEscape(nil, r))
		}
		if escaped != "" {
			out.WriteString(s[done:i])
			out.WriteString(escaped)
			done = i + n
		}
		i += n
	}
	if done == 0 {
		return s
	}
	out.WriteString(s[done:])
	return out.String()
}

// Short cuts a text to a number of bytes, and marks the end with "..." if it did.
func Short(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "..."
}

// Fit returns a text in at most this many characters; an ellipsis stands for the rest.
func Fit(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most-1]) + "…"
}

// CutTail returns the length in bytes, 0 to 3, of an incomplete UTF-8 sequence at the end
// of text that further bytes may complete.
func CutTail(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if utf8.RuneStart(text[len(text)-n]) {
			if !utf8.FullRune(text[len(text)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}
