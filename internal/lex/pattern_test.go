package lex

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestMatcher(t *testing.T) {
	patterns := NewPatterns("</invoke>\n", "<invoke name=\"", "<|a|> <|b|>\n", "")
	for _, test := range []struct {
		in          string
		which, next int
	}{
		{"</invoke> rest", 0, 9},
		{"<invoke \n name=\"x", 1, 16},
		{"<invokename=\"x", MatchNone, 7},
		{"<|a|><|b|>", 2, 10},
		{"<|a|> \t<|b|>x", 2, 12},
		{"<|a|> \t<", MatchMore, 8},
		{"<in", MatchMore, 3},
		{"x", MatchNone, 0},
	} {
		for cut := range len(test.in) + 1 {
			var m Matcher
			m.Reset(NewSet(patterns...))
			which, next := m.Match(test.in[:cut], 0)
			if which == MatchMore {
				which, next = m.Match(test.in, cut)
			}
			if which != test.which || next != test.next {
				t.Errorf("%q cut at %d: got %d at %d, want %d at %d", test.in, cut, which, next, test.which, test.next)
			}
		}
	}
}

// TestMatcherBytes: a matcher finds the same in a text as in its bytes, one by one: the first
// pattern that is complete.
func TestMatcherBytes(t *testing.T) {
	pattern := rapid.StringMatching("[ab\\x00-\\x03]{0,4}[ab]")
	rapid.Check(t, func(t *rapid.T) {
		var patterns []Pattern
		for _, p := range rapid.SliceOfN(pattern, 1, 5).Draw(t, "patterns") {
			patterns = append(patterns, Pattern(p))
		}
		in := rapid.StringMatching("[ab .]{0,8}").Draw(t, "text")
		var whole, bytes Matcher
		whole.Reset(NewSet(patterns...))
		bytes.Reset(NewSet(patterns...))
		which, next := whole.Match(in, 0)
		one, n := MatchMore, 0
		for n < len(in) && one == MatchMore {
			one, n = bytes.Match(in[:n+1], n)
		}
		if one != which || n != next {
			t.Fatalf("got %d at %d, and byte by byte %d at %d", which, next, one, n)
		}
		for k := range patterns {
			if which == MatchMore && whole.Matched(k) != bytes.Matched(k) {
				t.Fatalf("%d bytes of pattern %d match, and byte by byte %d", whole.Matched(k), k, bytes.Matched(k))
			}
		}
	})
}

func TestPatternLiteral(t *testing.T) {
	for marker, want := range map[string]string{
		"<tool_call>\n<function=": "<tool_call>",
		"<invoke name=\"":         "<invoke",
		"\n```json\n[":            "```json",
		"[TOOL_CALLS]":            "[TOOL_CALLS]",
	} {
		if got := NewPattern(marker).Literal(); got != want {
			t.Errorf("%q begins with %q, want %q", marker, got, want)
		}
	}
}

func TestPatternFixed(t *testing.T) {
	for marker, want := range map[string]int{
		"": 0, "[": 1, "[[ ## name ## ]]\n": 12, "to do": 5, "<{name}>": 1, "<call> {name}": 6,
	} {
		if got := NewPattern(marker).Fixed(); got != want {
			t.Errorf("%q has %d fixed bytes, want %d", marker, got, want)
		}
	}
}

// A slot for a name matches the longest name, and no longer one.
func TestMatcherName(t *testing.T) {
	for n, want := range map[int]int{0: 0, MaxName: 0, MaxName + 1: MatchNone} {
		var m Matcher
		m.Reset(NewSet(NewPatterns("<{name}>")...))
		if which, _ := m.Match("<"+strings.Repeat("x", n)+">", 0); which != want {
			t.Errorf("a name of %d bytes: got %d, want %d", n, which, want)
		}
	}
}
