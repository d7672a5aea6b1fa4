package strictjson

import (
	"testing"

	"pgregory.net/rapid"
)

// Eight bytes at a time are the same as one by one.
func TestPlainRun(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom([]byte("aaaaaa !#[]\x7f\x80\xff")), rapid.Byte()), 0, 40).Draw(t, "p")
		want := 0
		for want < len(p) && plain[p[want]] {
			want++
		}
		if got := PlainRun(p); got != want {
			t.Fatalf("%q: %d, want %d", p, got, want)
		}
	})
}
