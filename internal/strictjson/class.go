package strictjson

import (
	"errors"
	"math/bits"
	"strings"
)

var errCut = errors.New("invalid JSON: it is truncated inside a value")

// plain holds the bytes that stand for themselves inside a string, short those that are
// an escape behind a backslash, and blank JSON's white space. All are read only.
var (
	plain = classOf(func(c byte) bool { return c >= 0x20 && c != '"' && c != '\\' })
	short = classOf(func(c byte) bool { return strings.IndexByte(`"\/bfnrt`, c) >= 0 })
	blank = classOf(func(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' })
)

func classOf(in func(byte) bool) (class [256]bool) {
	for c := range class {
		class[c] = in(byte(c))
	}
	return class
}

const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
)

// PlainRun returns how many bytes p begins with that stand for themselves inside
// a string. It looks at eight of them at a time.
func PlainRun[T ~string | ~[]byte](p T) int {
	i := 0
	for ; i+8 <= len(p); i += 8 {
		w := p[i : i+8] // which is one load
		v := uint64(w[0]) | uint64(w[1])<<8 | uint64(w[2])<<16 | uint64(w[3])<<24 |
			uint64(w[4])<<32 | uint64(w[5])<<40 | uint64(w[6])<<48 | uint64(w[7])<<56
		quote, slash := v^'"'*ones, v^'\\'*ones
		// The high bit of each byte that is not plain is set, and maybe of those
		// after the first.
		found := ((quote-ones)&^quote | (slash-ones)&^slash | (v-0x20*ones)&^v) & highs
		if found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for i < len(p) && plain[p[i]] {
		i++
	}
	return i
}

// IsBlank reports whether c is JSON's white space.
func IsBlank(c byte) bool { return blank[c] }

// IsHex reports whether c is a hexadecimal digit.
func IsHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
