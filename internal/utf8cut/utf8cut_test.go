package utf8cut

import "testing"

func TestTail(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "a": 0, "é": 0, "a\xc3": 1, "\xe2\x82": 2, "€": 0, "\xf0\x9f\x98": 3, "😀": 0,
		"\xff": 0, "\x80\x80\x80": 0, "\xe2a": 0, "\xf0\x9f\x98\x80\x80": 0, "\xc3\xe2": 1,
	} {
		if got := Tail([]byte(text)); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
