package jsonstream

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"
)

func TestIsQuoted(t *testing.T) {
	for text, want := range map[string]bool{
		"": true, "plain é \xff": true, `a\n\t\r\b\f\"\\z`: true,
		`a"`: false, "a\n": false, `a\`: false, `a\\\`: false, `a\q`: false,
		`\/`:     false, // Python means both bytes
		`\u0041`: false, "a long run of text, then \x01": false,
	} {
		if got := IsQuoted(text); got != want {
			t.Errorf("%q: got %t, want %t", text, got, want)
		}
	}
}

// TestAddEscaped: text that is escaped in pieces is a string of JSON, and comes back.
func TestAddEscaped(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom([]rune("ab \"\\\n\t\x00\x1fé€")), 0, 60, -1).Draw(t, "text")
		cut := rapid.IntRange(0, len(text)).Draw(t, "cut")
		var out Out
		out.AddByte('"')
		out.AddEscaped(text, 0, cut)
		out.AddEscaped(text, cut, len(text))
		out.AddByte('"')
		var got string
		if written := out.Take(); json.Unmarshal([]byte(written), &got) != nil || got != text {
			t.Fatalf("%q became %s", text, written)
		}
	})
}
