// Package utf8cut finds where a piece of text was cut inside a character.
package utf8cut

import "unicode/utf8"

// Tail returns the length in bytes, 0 to 3, of an incomplete UTF-8 sequence at the end
// of b that further bytes may complete.
func Tail(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if utf8.RuneStart(b[len(b)-n]) {
			if !utf8.FullRune(b[len(b)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}
