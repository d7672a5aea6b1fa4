// Package lex reads the small pieces of markup that calls consist of: names, tags,
// entities, escapes and literal markers.
//
// The readers are incremental. Each has a method that takes the input at hand and an
// offset, consumes as much as it can, and returns the offset of the first byte that it did
// not consume; an input may end anywhere, and the next input continues where it ended. The
// package knows nothing about dialects or calls.
package lex

// MaxName is the maximum length, in bytes, of the name of a tool or a parameter.
const MaxName = 256

// Lower returns c in lower case if it is an ASCII letter, and c itself otherwise.
func Lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// Upper returns c in upper case if it is an ASCII letter, and c itself otherwise.
func Upper(c byte) byte {
	if c >= 'a' && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}

// EqualFold reports whether a and b are equal when ASCII case is ignored. Unlike
// strings.EqualFold it folds nothing beyond ASCII: the Kelvin sign is not a K.
func EqualFold[T ~[]byte | ~string](a T, b string) bool {
	if len(a) != len(b) {
		return false
	}
	if string(a) == b {
		return true
	}
	for i := range len(b) {
		if Lower(a[i]) != Lower(b[i]) {
			return false
		}
	}
	return true
}

// IsBlank reports whether c is a space, a tab, a line feed or a carriage return: JSON's
// white space.
func IsBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// IsLetter reports whether c is an ASCII letter.
func IsLetter(c byte) bool { return Lower(c) >= 'a' && Lower(c) <= 'z' }

// IsNameStart reports whether c may begin the name of a tag. All bytes of non-ASCII
// characters may.
func IsNameStart(c byte) bool { return nameBytes[c] > 1 }

// IsName reports whether c may continue the name of a tag or an attribute.
func IsName(c byte) bool { return nameBytes[c] > 0 }

// nameBytes is 2 for bytes that may begin a name, and 1 for those that may only continue it.
var nameBytes = func() (t [256]uint8) {
	for c := range t {
		switch c := byte(c); {
		case IsLetter(c), c == '_', c >= 0x80:
			t[c] = 2
		case c >= '0' && c <= '9', c == '-', c == '.', c == ':':
			t[c] = 1
		}
	}
	return t
}()

// NameEnd returns the offset of the first byte of s at or after i that does not continue a
// name, or the smaller one of i+limit and len(s).
func NameEnd(s string, i, limit int) int {
	rest := s[i:min(len(s), i+limit)]
	for n := range len(rest) {
		if !IsName(rest[n]) {
			return i + n
		}
	}
	return i + len(rest)
}

// Bytes is a set of bytes.
type Bytes [256]bool

// KeyBytes are the bytes of names but the colon, which may end a key.
var KeyBytes = func() (b Bytes) {
	for c := range b {
		b[c] = IsName(byte(c)) && c != ':'
	}
	return b
}()

// End returns the offset of the first byte of s at or after i that is not in b, or len(s).
func (b *Bytes) End(s string, i int) int {
	for i < len(s) && b[s[i]] {
		i++
	}
	return i
}

// Key returns the offset of sign after the key at s[i], or 0 if that is not a name of bytes in b
// with the sign.
func (b *Bytes) Key(s string, i int, sign byte) int {
	if i == len(s) || !IsNameStart(s[i]) {
		return 0
	}
	n := b.End(s, i)
	if n == len(s) || s[n] != sign || n-i > MaxName {
		return 0
	}
	return n
}

// SkipBlanks returns the offset of the first non-blank byte of s at or after i, or len(s).
func SkipBlanks(s string, i int) int {
	for i < len(s) && IsBlank(s[i]) {
		i++
	}
	return i
}

// TrimBlanks returns s without leading and trailing blanks.
func TrimBlanks(s string) string {
	for s != "" && IsBlank(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s[SkipBlanks(s, 0):]
}

// IsDigits reports whether s is non-empty and consists of decimal digits.
func IsDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// Unquoted strips a pair of single or double quotes from s, if it has one, and reports
// whether they enclose only the bytes of a name.
func Unquoted(s string) (inner string, name bool) {
	n := len(s)
	if n < 3 || s[0] != '"' && s[0] != '\'' || s[n-1] != s[0] {
		return s, false
	}
	inner = s[1 : n-1]
	for i := range len(inner) {
		if !IsName(inner[i]) {
			return inner, false
		}
	}
	return inner, true
}
