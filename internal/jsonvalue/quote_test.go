package jsonvalue

import (
	"strings"
	"testing"
)

// TestAppendPartInAnyRoom appends texts of all short lengths to buffers with all small rooms.
func TestAppendPartInAnyRoom(t *testing.T) {
	for length := range 40 {
		plain := strings.Repeat("b", length)
		for _, s := range []string{plain, plain + `"`, "\n" + plain + `\x`, strings.Repeat("\n", length), plain + "\x01", "\x01" + plain} {
			want := string(AppendPart(nil, s))
			for room := range 64 {
				if got := string(AppendPart(make([]byte, 0, room), s)); got != want {
					t.Fatalf("%q in a room of %d bytes: %q, want %q", s, room, got, want)
				}
			}
		}
	}
}
