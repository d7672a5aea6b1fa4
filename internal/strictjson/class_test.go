package strictjson

import (
	"testing"

	"pgregory.net/rapid"
)

// TestIsPlainASCII compares with reading one byte after the other.
func TestIsPlainASCII(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bytes := rapid.OneOf(rapid.ByteRange(' ', '~'), rapid.ByteRange(' ', '~'), rapid.ByteRange(' ', '~'), rapid.Byte())
		p := rapid.SliceOfN(bytes, 0, 30).Draw(t, "p")
		want := true
		for _, c := range p {
			want = want && c >= ' ' && c < 0x7F && c != '"' && c != '\\'
		}
		if got := IsPlainASCII(string(p)); got != want {
			t.Fatalf("%q: %v, want %v", p, got, want)
		}
	})
	for c := range 256 {
		for at := range 20 {
			p := []byte("abcdefghijklmnopqrst")
			p[at] = byte(c)
			if got, want := IsPlainASCII(string(p)), plain[c] && c < 0x7F; got != want {
				t.Errorf("%q: %v, want %v", p, got, want)
			}
		}
	}
}
