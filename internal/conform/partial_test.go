package conform

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"
)

func TestCloseJSON(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"whole", `{"a":[1,{"b":null}],"c":"x"}`, `{"a":[1,{"b":null}],"c":"x"}`},
		{"nothing", ``, `{}`},
		{"blanks", "\n ", `{}`},
		{"opened", `{`, `{}`},
		{"in a key", `{"a`, `{}`},
		{"after a key", `{"a"`, `{}`},
		{"after a colon", `{"a": `, `{}`},
		{"in a string", `{"a": "Lugo Fr`, `{"a":"Lugo Fr"}`},
		{"after a member", `{"a": 1`, `{"a":1}`},
		{"after a comma", `{"l": [],`, `{"l":[]}`},
		{"in a list", `[1, [2, "x`, `[1,[2,"x"]]`},
		{"nested", `{"o": {`, `{"o":{}}`},
		{"brace as a value", `{"a":"{", "b":["[`, `{"a":"{","b":["["]}`},
		{"in a word", `{"a": 1, "b": tr`, `{"a":1}`},
		{"in an escape", `{"a": "x\u00e`, `{"a":"x"}`},
		{"after a backslash", `{"a": "x\`, `{"a":"x"}`},
		{"in a surrogate pair", `{"a": "x\ud83d\ude0`, `{"a":"x"}`},
		{"surrogate pair", `{"a": "x\ud83d\ude00`, `{"a":"x\ud83d\ude00"}`},
		{"in a character", "{\"a\": \"x\xe2\x82", `{"a":"x"}`},
		{"raw control character", "{\"a\": \"x\x00b\"}", `{"a":"x"}`},
		{"number without its fraction", `{"a": 0.}`, `{"a":0}`},
		{"number without its exponent", `{"a": 1.5e+`, `{"a":1.5}`},
		{"number with a leading zero", `{"a": 01}`, `{"a":0}`},
		{"number without digits", `{"a": -}`, `{}`},
		{"number without a whole part", `{"a": .5}`, `{}`},
		{"wrong closer", `{"a": [1}`, `{"a":[1]}`},
		{"missing comma", `{"a": 1 "b": 2}`, `{"a":1}`},
		{"trailing comma", `{"a": 1,}`, `{"a":1}`},
		{"more after the value", `{"a": 1} x`, `{"a":1}`},
		{"scalar", `"fog`, `"fog"`},
		{"null", `null`, `null`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := closeJSON(tt.in); got != tt.want {
				t.Errorf("%s: got %s, want %s", tt.in, got, tt.want)
			}
		})
	}
}

// Whatever text is closed, JSON comes out, and JSON stays what it is.
func TestCloseJSONProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune(`{}[]":,\u12dD8e.-+0 tfn`))).Draw(t, "text")
		if got := closeJSON(text); !json.Valid([]byte(got)) {
			t.Fatalf("%q closed to %q, which is not JSON", text, got)
		}
		whole, err := json.Marshal(map[string]any{text: []any{text, 1.5, nil, map[string]any{"k": true}}})
		if err != nil {
			t.Fatal(err)
		}
		if got := closeJSON(string(whole)); got != string(whole) {
			t.Fatalf("%s became %s", whole, got)
		}
		cut := whole[:rapid.IntRange(0, len(whole)).Draw(t, "cut")]
		if got := closeJSON(string(cut)); !json.Valid([]byte(got)) {
			t.Fatalf("%q closed to %q, which is not JSON", cut, got)
		}
	})
}
