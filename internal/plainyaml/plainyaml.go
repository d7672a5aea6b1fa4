// Package plainyaml finds strings that need no quotes in YAML.
package plainyaml

import "strings"

// Punctuation holds the characters that a plain string may contain after its first
// letter, besides letters, digits and single blanks.
const Punctuation = "_-./,()"

// Excluded holds the characters beyond ASCII that a plain string must not contain.
const Excluded = "\u0085\u00a0\u2028\u2029\ufeff"

// Words returns the words, in lower case, that mean another value without quotes.
func Words() []string {
	return []string{"null", "true", "false", "yes", "no", "on", "off", "y", "n"}
}

// Is reports whether s is read as a string without quotes: it consists of words of
// letters, digits and some punctuation, and begins with a letter.
func Is(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= 0x80:
		case i == 0:
			return false
		case c >= '0' && c <= '9', strings.IndexByte(Punctuation, c) >= 0:
		case c == ' ':
			if i == len(s)-1 || s[i-1] == ' ' {
				return false
			}
		default:
			return false
		}
	}
	lower := strings.ToLower(s)
	for _, word := range Words() {
		if lower == word {
			return false
		}
	}
	return s != "" && !strings.ContainsAny(s, Excluded)
}
