package parser

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// testGrammar finds these markers, ignoring the case of those that a ~ follows, and stops at
// single bytes.
func testGrammar(markers ...string) *grammar {
	g := newGrammar()
	for _, marker := range markers {
		if len(marker) == 1 {
			g.watch(marker[0])
			continue
		}
		text, fold := strings.CutSuffix(marker, "~")
		g.add(text, fold, &entry{marker: text})
	}
	return g
}

func TestFind(t *testing.T) {
	long := strings.Repeat("plain text, ", 20)
	for _, tt := range []struct {
		name    string
		markers []string
		text    string
		want    int // len(text) if there is nothing
	}{
		{"nothing", []string{"<tool~"}, "abc", 3},
		{"empty", []string{"<tool~"}, "", 0},
		{"at the beginning", []string{"<tool~"}, "<tool", 0},
		{"far off", []string{"<tool~"}, long + "<tool", len(long)},
		{"the other case", []string{"<tool~"}, long + "<TOOL", len(long)},
		{"another case does not count", []string{"<tool"}, long + "<TOOL", len(long) + 5},
		{"a second byte that does not fit", []string{"<tool~"}, long + "a < b", len(long) + 5},
		{"the last byte may", []string{"<tool~"}, long + "<", len(long)},
		{"the nearer of two", []string{"<tool~", "[[SEG"}, long + "[[ <t", len(long)},
		{"a second byte of another marker", []string{"<tool~", "[[SEG"}, long + "<[ [t", len(long) + 5},
		{"a flood, then one", []string{"<tool~"}, strings.Repeat("<", 1000) + "t", 999},
		{"a flood alone", []string{"<tool~"}, strings.Repeat("< ", 1000), 2000},
		{"a flood after text", []string{"<tool~"}, long + strings.Repeat("<", 100) + long + "<t", len(long)*2 + 100},
		{"after a window", []string{"<tool~"}, strings.Repeat("x", window) + "<t", window},
		{"across windows", []string{"<tool~", "{"}, strings.Repeat("x", 2*window-1) + "<t", 2*window - 1},
		{"a word after a window", []string{"put_file"}, strings.Repeat("x", window) + "put_file", window},
		{"a word across windows", []string{"put_file"}, strings.Repeat("x", window-3) + "put_file", window - 3},
		{"a single byte needs no second", []string{"{"}, long + "{!", len(long)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var j jumper
			if got := j.find(testGrammar(tt.markers...), tt.text, 0); got != tt.want {
				t.Errorf("found at %d, want %d of %d", got, tt.want, len(tt.text))
			}
		})
	}
}

// TestFindAll checks that the search, which remembers parts of an input, finds the same places
// as a check of every byte.
func TestFindAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		markers := []string{"<tool~", "<think>", "[[SEG", "{", "`", "~~~", "(a", "|b", "@c", "#d"}
		g := testGrammar(markers[:rapid.IntRange(1, len(markers)).Draw(t, "markers")]...)
		piece := rapid.SampledFrom([]string{"<", "<t", "<T", "[[", "{", "`", "~", "(a", "|", "plain", strings.Repeat("x", 40), strings.Repeat("<", 70)})
		text := strings.Join(rapid.SliceOfN(piece, 0, 30).Draw(t, "pieces"), "")
		var j jumper
		for i := 0; i <= len(text); i++ {
			want := i
			for want < len(text) && !g.begins(text, want) {
				want++
			}
			if i = j.find(g, text, i); i != want {
				t.Fatalf("found at %d, want %d in %q", i, want, text)
			}
		}
	})
}

// TestFindWords checks that the search finds a marker that begins with a letter by another of
// its bytes, and its beginning at the end of the input.
func TestFindWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		markers := []string{"call:", "put_file", "functools[", "a\nb", "zoo", "<tool~", "p:"}
		markers = markers[rapid.IntRange(0, len(markers)-1).Draw(t, "from"):]
		g := testGrammar(markers...)
		piece := rapid.SampledFrom([]string{"call:", "put_file", "functools[", "a\nb", "zoo", "p:", "p", "ca", "put", ":", "_", "<", "<t", " ", strings.Repeat("a call ", 9)})
		text := strings.Join(rapid.SliceOfN(piece, 0, 30).Draw(t, "pieces"), "")
		found := map[int]bool{}
		var j jumper
		for i := 0; i < len(text); i++ {
			i = j.find(g, text, i)
			found[i] = true
		}
		for i := range text {
			for _, m := range markers {
				m = strings.TrimSuffix(m, "~")
				if rest := text[i:]; (strings.HasPrefix(rest, m) || strings.HasPrefix(m, rest)) && !found[i] {
					t.Fatalf("%q at %d is not found in %q", m, i, text)
				}
			}
		}
	})
}

// TestSearchIsBounded checks that the search for one byte reads no more than a window, so that
// two grammars may take turns in a long input.
func TestSearchIsBounded(t *testing.T) {
	g := testGrammar("<tool~")
	if got := g.search(g.jumps[0], strings.Repeat("x", 3*window), 5, window); got != 5+window {
		t.Errorf("searched up to %d, want %d", got, 5+window)
	}
}

// TestJumpIsBounded checks that the bytes after the nearest position are hardly searched,
// because a call may begin there.
func TestJumpIsBounded(t *testing.T) {
	g := testGrammar("<tool~", "[tool~", "{tool~")
	var j jumper
	if got := j.jump(g, strings.Repeat("x", 100)+"<t"+strings.Repeat("x", 1000), 0); got != 100 {
		t.Fatalf("found at %d", got)
	}
	for k, at := range j.at[:len(g.jumps)] {
		if at > 100+ahead {
			t.Errorf("byte %q is searched up to %d", g.jumps[k].c, at)
		}
	}
}

// TestJumperForgets checks that a jumper forgets the previous input. Otherwise it would miss
// the marker.
func TestJumperForgets(t *testing.T) {
	g := testGrammar("<tool~")
	var j jumper
	far := strings.Repeat("x", 100)
	if got := j.find(g, far+"<t", 0); got != 100 {
		t.Fatalf("found at %d", got)
	}
	j.grammar = nil
	if got := j.find(g, far[:40]+"<t"+far, 0); got != 40 {
		t.Errorf("found at %d, want 40", got)
	}
}
