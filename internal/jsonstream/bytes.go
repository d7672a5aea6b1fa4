package jsonstream

import "github.com/toolparse/toolparse/internal/bytescan"

// isBlank reports whether c is JSON white space.
func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

func isNameStart(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '$'
}

// isWord reports whether c may occur in a number, a literal or a bare key.
func isWord(c byte) bool {
	return isNameStart(c) || c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.'
}

// stringStop returns the first offset at or after i of a byte that needs attention inside a
// string: the closing quote, a double quote, a backslash or a control character. It returns
// len(in) if there is none. It tests eight bytes at a time.
func stringStop(in string, i int, quote byte) int {
	q := bytescan.All(quote)
	for ; i+8 <= len(in); i += 8 {
		w := bytescan.Load(in, i)
		marks := bytescan.Zeros(w^q) | bytescan.Specials(w)
		if marks != 0 {
			return i + bytescan.First(marks)
		}
	}
	for ; i < len(in); i++ {
		if c := in[i]; c == quote || c == '"' || c == '\\' || c < 0x20 {
			return i
		}
	}
	return i
}

// PlainLen returns the length of the longest prefix of s that needs no escaping in a JSON
// string.
func PlainLen(s string) int { return stringStop(s, 0, '"') }

// IsQuoted reports whether s may occur in a JSON string as it is: plain text and complete
// one-letter escapes. It rejects \u, whose digits may be incomplete, and \/, which other
// languages do not know.
func IsQuoted(s string) bool {
	for i := 0; ; i += 2 {
		i = stringStop(s, i, '"')
		switch {
		case i == len(s):
			return true
		case s[i] != '\\' || i+1 == len(s) || s[i+1] == '/' || simpleEscapes[s[i+1]] == "":
			return false
		}
	}
}
