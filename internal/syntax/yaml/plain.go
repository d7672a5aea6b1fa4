package yaml

import (
	"slices"
	"strings"
)

const (
	// plainPunctuation may stand in a plain string after its first letter, besides letters,
	// digits and single blanks.
	plainPunctuation = "_-./,()"
	// notPlain holds the characters beyond ASCII that a plain string must not contain.
	notPlain = "\u0085\u00a0\u2028\u2029\ufeff"
)

// valueWords are the words, in lower case, that mean another value without quotes.
var valueWords = []string{"null", "true", "false", "yes", "no", "on", "off", "y", "n"}

// isPlain reports whether s is read as a string without quotes: it consists of words of
// letters, digits and some punctuation, and begins with a letter.
func isPlain(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= 0x80:
		case i == 0:
			return false
		case c >= '0' && c <= '9', strings.IndexByte(plainPunctuation, c) >= 0:
		case c == ' ':
			if i == len(s)-1 || s[i-1] == ' ' {
				return false
			}
		default:
			return false
		}
	}
	return s != "" && !strings.ContainsAny(s, notPlain) && !slices.Contains(valueWords, strings.ToLower(s))
}
