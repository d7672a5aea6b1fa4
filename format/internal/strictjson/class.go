package strictjson

import "errors"

var errCut = errors.New("invalid JSON: it ends inside a value")

// plain holds the bytes that stand for themselves inside a string, and blank
// JSON's white space. Both are read only.
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

// IsBlank reports whether c is JSON's white space.
func IsBlank(c byte) bool { return blank[c] }

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
