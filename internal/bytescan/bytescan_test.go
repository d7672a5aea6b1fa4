package bytescan

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// marks are the functions that mark bytes, and the bytes that they look for.
var marks = []struct {
	name string
	mark func(uint64) uint64
	is   func(byte) bool
}{
	{"Zeros", Zeros, func(c byte) bool { return c == 0 }},
	{"Zeros of a quote", func(w uint64) uint64 { return Zeros(w ^ All('"')) }, func(c byte) bool { return c == '"' }},
	{"Zeros of a high byte", func(w uint64) uint64 { return Zeros(w ^ All(0xe2)) }, func(c byte) bool { return c == 0xe2 }},
	{"Specials", Specials, func(c byte) bool { return c < 0x20 || c == '"' || c == '\\' }},
}

// Each byte, behind each other byte, at each place of a word and of the text that it is
// loaded from: the lowest mark is the first byte that is looked for.
func TestMarks(t *testing.T) {
	text := make([]byte, 24)
	for _, m := range marks {
		for c := range 256 {
			for before := range 256 {
				copy(text, bytes.Repeat([]byte{'x'}, len(text)))
				at := (c + before) % 8
				from := (c + 3*before) % 9
				text[from+at] = byte(c)
				if at > 0 {
					text[from+at-1] = byte(before)
				}
				want := -1
				for i, b := range text[from : from+8] {
					if m.is(b) {
						want = i
						break
					}
				}
				for _, w := range []uint64{Load(text, from), Load(string(text), from)} {
					got := -1
					if marks := m.mark(w); marks != 0 {
						got = First(marks)
					}
					if got != want {
						t.Fatalf("%s of %q: %d, want %d", m.name, text[from:from+8], got, want)
					}
				}
			}
		}
	}
}

// A finder finds what a search byte by byte does, from any place in texts of any length.
func TestFinder(t *testing.T) {
	some := rapid.OneOf(rapid.SampledFrom([]byte("aaaa\"\\<\n&\x00\x01!\x80\xff")), rapid.Byte())
	rapid.Check(t, func(t *rapid.T) {
		set := rapid.SliceOfN(some, 1, MaxFind).Draw(t, "bytes")
		f := NewFinder(set...)
		if f == nil {
			if slices.Max(set) < 0x80 {
				t.Fatalf("no finder of %q", set)
			}
			return
		}
		s := string(rapid.SliceOfN(some, 0, 80).Draw(t, "text"))
		from := rapid.IntRange(0, len(s)).Draw(t, "from")
		want := from
		for want < len(s) && bytes.IndexByte(set, s[want]) < 0 {
			want++
		}
		if got := f.Find(s, from); got != want {
			t.Fatalf("%q in %q from %d on: %d, want %d", set, s, from, got, want)
		}
	})
}

func TestIndex(t *testing.T) {
	for _, word := range []string{`"tools"`, `"ax"`, "x", "axb"} {
		for _, s := range []string{"", "x", "ax", `"ax"`, `""ax"`, `x"ax"`, "axaxb", "axbx", "aaxb", `{"tools`, `{"tools"`, `{"tool":"tools":`, strings.Repeat(`"tool`, 20) + `"tools"`} {
			for i := range len(word) {
				if got, want := Index([]byte(s), word, word[i]), strings.Index(s, word); got != want {
					t.Errorf("Index(%q, %q, %q) = %d, want %d", s, word, word[i], got, want)
				}
			}
		}
	}
}

func TestIsASCII(t *testing.T) {
	for n := range 40 {
		text := strings.Repeat("\x7f", n)
		if !IsASCII(text) {
			t.Errorf("%q is ASCII", text)
		}
		for i := range n {
			if text := text[:i] + "\x80" + text[i+1:]; IsASCII(text) {
				t.Errorf("%q is not ASCII", text)
			}
		}
	}
}
