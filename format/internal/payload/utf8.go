package payload

import (
	"errors"
	"unicode/utf8"
)

// ErrNotText is the error of JSON that has bytes in it that are no UTF-8.
var ErrNotText = errors.New("invalid UTF-8")

// ValidText returns how many bytes of data are UTF-8 before the first that is not.
func ValidText(data []byte) int {
	at := 0
	for at < len(data) {
		r, n := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		at += n
	}
	return at
}
