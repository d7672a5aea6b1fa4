package lex

import (
	"strings"
	"testing"
)

// TestArena: strings of an arena keep their text, and short ones share allocations.
func TestArena(t *testing.T) {
	var m Arena
	var got, want []string
	for n := range 3 * arenaMost {
		a, b := strings.Repeat("a", n/2), strings.Repeat("b", n-n/2)
		got, want = append(got, m.Join([]byte(a), b)), append(want, a+b)
	}
	for n := range got {
		if got[n] != want[n] {
			t.Errorf("%q, want %q", got[n], want[n])
		}
	}
	if (*Arena)(nil).Join([]byte("a"), "b") != "ab" {
		t.Error("a nil arena joins nothing")
	}
	short := []byte("12345678")
	if n := testing.AllocsPerRun(arenaBlock, func() { m.Join(short, "") }); n > 0 {
		t.Errorf("%v allocations for a short string", n)
	}
}

// TestLend checks that the strings of an arena that lends keep their text until the next Lend.
func TestLend(t *testing.T) {
	var m Arena
	for _, prefix := range []string{"a", "b"} {
		m.Lend()
		var got []string
		for i := range 100 {
			got = append(got, m.Join([]byte(prefix), strings.Repeat("x", i)))
		}
		for i, s := range got {
			if want := prefix + strings.Repeat("x", i); s != want {
				t.Errorf("string %d is %q, want %q", i, s, want)
			}
		}
	}
	if m.Join(nil, "") != "" {
		t.Error("an empty string is not empty")
	}
}
