package conform

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCuts(t *testing.T) {
	tests := []struct {
		name string
		v    Vector
		want []string
	}{
		{"empty", Vector{}, []string{"whole: ", "in chunks of 1:", "in chunks of 2:", "in chunks of 3:", "in chunks of 7:"}},
		{"one byte", Vector{Input: "a"}, []string{
			"whole: a", "in chunks of 1: a", "in chunks of 2: a", "in chunks of 3: a", "in chunks of 7: a"}},
		{"chunks", Vector{Input: "abcd", Chunks: []string{"abc", "d"}}, []string{
			"whole: abcd", "cut as given: abc|d",
			"in chunks of 1: a|b|c|d", "in chunks of 2: ab|cd", "in chunks of 3: abc|d", "in chunks of 7: abcd",
			"cut at byte 1: a|bcd", "cut at byte 2: ab|cd", "cut at byte 3: abc|d"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for c, chunks := range tt.v.cuts() {
				line := c.String() + ":"
				if len(chunks) > 0 {
					line += " " + strings.Join(chunks, "|")
				}
				got = append(got, line)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("cuts (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTwoWayCutsAreBounded(t *testing.T) {
	tests := []struct{ size, want int }{
		{0, 0}, {1, 0}, {2, 1}, {5000, 4999}, {1 << 20, 32}, {64 << 20, 1},
	}
	for _, tt := range tests {
		if got := twoWayCuts(tt.size); got != tt.want {
			t.Errorf("%d bytes: got %d cuts, want %d", tt.size, got, tt.want)
		}
	}
	v := Vector{Input: strings.Repeat("x", 1<<20)}
	n := 0
	for _, chunks := range v.cuts() {
		if n++; strings.Join(chunks, "") != v.Input {
			t.Fatal("chunks are not the input")
		}
	}
	if want := 5 + 32; n != want || !v.sampled() {
		t.Errorf("got %d cuts, sampled %v; want %d, true", n, v.sampled(), want)
	}
}
