package strictjson

import (
	"errors"

	"github.com/toolparse/toolparse/internal/bytescan"
)

var errCut = errors.New("invalid JSON: it is truncated inside a value")

// plain holds the bytes that stand for themselves inside a string, and blank JSON's white
// space. Both are read only.
var (
	plain = classOf(func(c byte) bool { return c >= 0x20 && c != '"' && c != '\\' })
	blank = classOf(func(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' })
)

func classOf(in func(byte) bool) (class [256]bool) {
	for c := range class {
		class[c] = in(byte(c))
	}
	return class
}

// IsPlainASCII reports whether s consists of printable ASCII characters that stand for
// themselves inside a string, as most names and short texts do.
func IsPlainASCII(s string) bool {
	i := 0
	for ; i+8 <= len(s); i += 8 {
		w := bytescan.Load(s, i)
		if bytescan.Specials(w)|bytescan.Zeros(w^bytescan.All(0x7F))|w&bytescan.All(0x80) != 0 {
			return false
		}
	}
	for ; i < len(s); i++ {
		if !plain[s[i]] || s[i] >= 0x7F {
			return false
		}
	}
	return true
}

// IsBlank reports whether c is JSON's white space.
func IsBlank(c byte) bool { return blank[c] }

// IsHex reports whether c is a hexadecimal digit.
func IsHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
