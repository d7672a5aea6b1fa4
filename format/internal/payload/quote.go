package payload

import (
	"unicode/utf8"

	"github.com/toolparse/toolparse/internal/printable"
)

// plain are the ASCII characters that stand in a JSON string as they are.
var plain = func() (t [256]bool) {
	for c := 0x20; c < utf8.RuneSelf; c++ {
		t[c] = c != '"' && c != '\\'
	}
	return t
}()

// AppendQuoted appends s as a JSON string, with no more escapes than JSON needs
// and those of package printable. Bytes that are no UTF-8 become U+FFFD.
func AppendQuoted(dst []byte, s string) []byte {
	const digits = "0123456789abcdef"
	dst = append(dst, '"')
	for i := 0; i < len(s); {
		from := i
		for i < len(s) && plain[s[i]] {
			i++
		}
		dst = append(dst, s[from:i]...)
		if i == len(s) {
			break
		}
		switch c := s[i]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
			i++
		case c == '\n':
			dst = append(dst, '\\', 'n')
			i++
		case c < 0x20:
			dst = append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
			i++
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			dst = printable.AppendRune(dst, r)
			i += n
		}
	}
	return append(dst, '"')
}
