package printable

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// splits reports whether Python's str.splitlines ends a line at r, or a terminal
// may obey it or change the order of what it shows.
func splits(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Bidi_Control, r) && r != '\u061C'
}

// TestJSON walks all characters: those that split lines or rule terminals are
// escaped, the others stay, and the string is the same.
func TestJSON(t *testing.T) {
	for r := rune(0x20); r <= 0x2FFFF; r++ {
		if !utf8.ValidRune(r) || r == '"' || r == '\\' {
			continue
		}
		text := `"a` + string(r) + `b` + string(r) + `"`
		got := string(JSON([]byte(text)))
		if kept := got == text; kept == splits(r) {
			t.Fatalf("U+%04X: %s", r, got)
		}
		if from := string(EscapeFrom([]byte(text+text), len(text))); from != text+got {
			t.Fatalf("U+%04X: from the second string on: %s", r, from)
		}
		var s string
		if err := json.Unmarshal([]byte(got), &s); err != nil || s != "a"+string(r)+"b"+string(r) {
			t.Fatalf("U+%04X: %s is %q, %v", r, got, s, err)
		}
	}
}

func TestJSONAllocatesNothing(t *testing.T) {
	text := []byte(`{"text":"It’s “quoted”: naïve café, £5, שלום, 漢字"}`)
	if n := testing.AllocsPerRun(100, func() { JSON(text) }); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"plain, naïve, 漢字 \\n":  "plain, naïve, 漢字 \\n",
		"\x1b[31mred\x07":       `\x1b[31mred\x07`,
		"a\nb\r\tc\x7f":         `a\nb\r\tc\x7f`,
		"a\u202eb\u2066c\u200f": `a\u202eb\u2066c\u200f`,
		"\u0085\u009b\u2028":    `\u0085\u009b\u2028`,
		"\xff\xc3(\ufffd":       `\xff\xc3(` + "\ufffd",
	} {
		if got := Text(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	if got := Lines("a\n\x1bb\n"); got != "a\n\\x1bb\n" {
		t.Errorf("lines: %q", got)
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if strings.ContainsFunc(Text(string(r)), func(r rune) bool { return splits(r) }) {
			t.Fatalf("U+%04X stands as it is", r)
		}
	}
}

func TestCutTail(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "a": 0, "é": 0, "a\xc3": 1, "\xe2\x82": 2, "€": 0, "\xf0\x9f\x98": 3, "😀": 0,
		"\xff": 0, "\x80\x80\x80": 0, "\xe2a": 0, "\xf0\x9f\x98\x80\x80": 0, "\xc3\xe2": 1,
	} {
		if got := CutTail([]byte(text)); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

func TestShort(t *testing.T) {
	for in, want := range map[string]string{"": "", "abcd": "abcd", "abcde": "abcd...", "abcé": "abc...", "é\xff": "é\xff"} {
		if got := Short(in, 4); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
