package jsonstream

import "github.com/toolparse/toolparse/internal/bytescan"

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
	if quote != '"' {
		return singleStop(in, i, quote)
	}
	return bytescan.PlainEnd(in, i)
}

// singleStop is stringStop for a string in quotes of another kind.
func singleStop(in string, i int, quote byte) int {
	for ; i+8 <= len(in); i += 8 {
		w := bytescan.Load(in, i)
		if marks := bytescan.Zeros(w^bytescan.All(quote)) | bytescan.Specials(w); marks != 0 {
			return i + bytescan.First(marks)
		}
	}
	for i < len(in) && in[i] != quote && in[i] != '"' && in[i] != '\\' && in[i] >= ' ' {
		i++
	}
	return i
}

// IsQuoted reports whether s may occur in a JSON string as it is: plain text and complete
// one-letter escapes. It rejects \u, whose digits may be incomplete, and \/, which other
// languages do not know.
func IsQuoted(s string) bool { return QuotedEnd(s, 0, '"') == len(s) }

// QuotedEnd returns the offset up to which in[i:] may occur in a JSON string as it is, in the
// sense of IsQuoted, and contains no quote.
func QuotedEnd(in string, i int, quote byte) int {
	if quote == '"' {
		i = bytescan.SharedEnd(in, i)
	}
	for {
		i = stringStop(in, i, quote)
		if i+1 >= len(in) || in[i] != '\\' || !isQuotedLetter(in[i+1]) {
			return i
		}
		i += 2
	}
}

// isQuotedLetter reports whether a backslash and c are an escape that IsQuoted accepts.
func isQuotedLetter(c byte) bool { return c != '/' && simpleEscapes[c] != "" }
