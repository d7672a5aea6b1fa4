package yaml

import "testing"

func TestIsPlain(t *testing.T) {
	for s, want := range map[string]bool{
		"Oslo": true, "some city": true, "a-1, (b)/c.d_e": true, "Østre Aker": true, "yesterday": true,
		"": false, "1a": false, "-a": false, "a ": false, "a  b": false, "a: b": false, "a#b": false, "Yes": false, "null": false, "n": false, "a\u2028b": false,
	} {
		if got := isPlain(s); got != want {
			t.Errorf("%q: %t", s, got)
		}
	}
}
