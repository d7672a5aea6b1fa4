package bytescan

import (
	"unicode/utf8"
	"unsafe"
)

// IsASCII says whether no byte of s is above 0x7F.
func IsASCII(s string) bool {
	s = s[ASCIIRun(s):]
	for len(s) >= 16 {
		if (Load(s, 0)|Load(s, 8))&highs != 0 {
			return false
		}
		s = s[16:]
	}
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// ASCIIRun returns the length in bytes of a front of s without a byte above 0x7E. It may be
// less than what is possible.
func ASCIIRun[T ~string | ~[]byte](s T) int {
	if len(s) < longRun {
		return 0
	}
	return asciiBlocks(asString(s))
}

// IsUTF8 says whether s is valid UTF-8. It is faster than package utf8 on text that begins with
// much ASCII.
func IsUTF8[T ~string | ~[]byte](s T) bool {
	return utf8.ValidString(asString(s[ASCIIRun(s):]))
}

// ToUTF8 returns s with each byte that is not UTF-8 replaced by U+FFFD, as in package json.
func ToUTF8(s string) string {
	if IsUTF8(s) {
		return s
	}
	return string([]rune(s))
}

// asString returns s as a string in the same memory, valid as long as s does not change.
func asString[T ~string | ~[]byte](s T) string {
	return *(*string)(unsafe.Pointer(&s)) // both begin with a pointer and a length
}
