package recent

import (
	"strconv"
	"strings"
	"sync"
	"testing"
)

// TestTexts checks that a text is written once while it is kept, that only long texts
// are kept, and that what is kept does not depend on the caller's memory.
func TestTexts(t *testing.T) {
	long := strings.Repeat("a", minText)
	written := 0
	quote := func(dst []byte, s string) []byte {
		written++
		return strconv.AppendQuote(dst, s)
	}
	for _, tt := range []struct {
		name string
		of   *Texts
		text string
		want int // times that two uses write it
	}{
		{"long", NewTexts(), long, 1},
		{"short", NewTexts(), long[1:], 2},
		{"longest", NewTexts(), strings.Repeat("a", maxText), 1},
		{"too long", NewTexts(), strings.Repeat("a", maxText+1), 2},
		{"no memory", nil, long, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			written = 0
			want := "[" + strconv.Quote(tt.text)
			first := tt.of.AppendQuoted([]byte("["), tt.text, quote)
			if string(first) != want {
				t.Fatalf("first use: %.30q", first)
			}
			clear(first)
			if again := tt.of.AppendQuoted([]byte("["), tt.text, quote); string(again) != want {
				t.Errorf("second use: %.30q", again)
			}
			if written != tt.want {
				t.Errorf("written %d times, want %d", written, tt.want)
			}
		})
	}
}

func TestTextsConcurrent(t *testing.T) {
	m := NewTexts()
	var all sync.WaitGroup
	for i := range 4 {
		text := strings.Repeat(strconv.Itoa(i%2), minText)
		all.Go(func() {
			for range 50 {
				if got := m.AppendQuoted(nil, text, strconv.AppendQuote); string(got) != strconv.Quote(text) {
					t.Errorf("got %.30q", got)
				}
			}
		})
	}
	all.Wait()
}

// TestMade checks that a maker's work is kept by its text, unless it says otherwise.
func TestMade(t *testing.T) {
	m := NewTexts()
	one, two := m.NewMaker(), m.NewMaker()
	text := []byte("text")
	for _, tt := range []struct {
		name  string
		of    *Texts
		maker uint64
		text  []byte
		size  int
		want  int // times that two uses make it
	}{
		{"first", m, one, text, 1, 1},
		{"known", m, one, text, 1, 0},
		{"another maker", m, two, text, 1, 1},
		{"not to be kept", m, one, []byte("other"), -1, 2},
		{"longest", m, one, make([]byte, maxText), 1, 1},
		{"too long", m, one, make([]byte, maxText+1), 1, 2},
		{"too large", m, one, []byte("large"), maxMadeBytes, 2},
		{"no memory", nil, 0, text, 1, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			made := 0
			for range 2 {
				got := tt.of.Made(tt.maker, tt.text, func() (any, int) {
					made++
					return string(tt.text) + tt.name, tt.size
				})
				if want := string(tt.text) + tt.name; got != want && tt.want > 0 {
					t.Errorf("got %.30q, want %.30q", got, want)
				}
			}
			if made != tt.want {
				t.Errorf("made %d times, want %d", made, tt.want)
			}
		})
	}
	if m.Keeps(maxText+1) || !m.Keeps(maxText) || (*Texts)(nil).Keeps(1) {
		t.Error("what is kept does not depend on the size and on the memory")
	}
	clear(text) // the memory must not refer to it
	if got := m.Made(one, []byte("text"), func() (any, int) { return "again", 0 }); got != "textfirst" {
		t.Errorf("got %q", got)
	}
}
