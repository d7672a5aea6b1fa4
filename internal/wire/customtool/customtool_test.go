package customtool

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// read gives the input of arguments that come in pieces.
func read(pieces ...string) (text string, ok bool) {
	var in Input
	for _, piece := range pieces {
		var more string
		if more, ok = in.Next(piece); !ok {
			return text, false
		}
		text += more
	}
	return text, ok
}

func TestInput(t *testing.T) {
	for arguments, want := range map[string]string{
		`{"input":"ls \"x\"\n"}`:                 `ls \"x\"\n`,
		" {\n \"input\" : \"\\ud83d\\ude00\" } ": `\ud83d\ude00`,
		`{"input":"\ud83d"}`:                     `\ud83d`,
		`{"input":"\ud83d!\u0041\\"}`:            `\ud83d!\u0041\\`,
		`{"input":""}`:                           "",
		`{}`:                                     "",
		`{"input":"cut`:                          "cut",
		`{"input":"cut\u00`:                      "cut",
	} {
		if got, ok := read(arguments); got != want || !ok {
			t.Errorf("%s: %q, %v", arguments, got, ok)
		}
		if got, ok := read(strings.Split(arguments, "")...); got != want || !ok {
			t.Errorf("%s byte by byte: %q, %v", arguments, got, ok)
		}
	}
	for _, other := range []string{`{"in":"x"}`, `{"input":1}`, `[]`, `{"input":"a","b":1}`, `{ x`, `{"in put":"x"}`, "{\"input\":\"a\nb\"}", `{"input":"\x"}`, `{"input":"\u00g0"}`, `{"input":"\ud83d\u00gg"}`} {
		if got, ok := read(strings.Split(other, "")...); ok {
			t.Errorf("%s: %q", other, got)
		}
	}
}

// Each piece is text of its own, and together they are the input.
func TestInputInPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.StringMatching(`([a"é\\]|\\n|\\\\|\\u00e9|\\ud83d\\ude00|\\ud83d){0,8}`).Filter(func(s string) bool {
			return json.Valid([]byte(`"` + s + `"`))
		}).Draw(t, "value")
		rest := Opener + value + Closer
		var in Input
		var joined string
		for rest != "" {
			n := rapid.IntRange(1, min(8, len(rest))).Draw(t, "piece")
			text, ok := in.Next(rest[:n])
			if rest = rest[n:]; !ok || !json.Valid([]byte(`"`+text+`"`)) {
				t.Fatalf("%q, %v", text, ok)
			}
			joined += text
		}
		if joined != value {
			t.Fatalf("%q, want %q", joined, value)
		}
	})
}
