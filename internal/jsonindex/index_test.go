package jsonindex

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/internal/strictjson"
)

var samples = []string{
	``, ` `, `{}`, ` { } `, `[]`, `[ ]`, `[1,2]`, `{"a":1}`, `{"a":{"b":[null,true,false]}}`, `"x"`, `"\u00e9\n\""`, `"\ud83d"`, `"\ud83d\ude00"`,
	`0`, `-0`, `1.5`, `1e5`, `1E+5`, `1e-5`, `01`, `1.`, `.5`, `-`, `1e`, `1e+`, `--1`, `0x1`, `+1`, `1 2`, `nul`, `nulll`, `True`, `true`, `tru`,
	`{`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`, `{"a":1,"b":2}`, `[1,]`, `[,1]`, `{,}`, `{"a" 1}`, `{a:1}`, `]`, `}`, `[}`, `{]`, `[{]}`, `{"a":[}]`,
	"\"a\nb\"", "\"a\tb\"", `"\x"`, `"\`, `"\u12"`, `"\u12g4"`, `"\u`, `{"a":1}}`, `[[[[]]]]`, "\xff", "\"\xff\"", "\"\x7f\"",
	`{"a":[1,{"b":"c"}],"d":-1.25e10}`, `"aaaaaaa\"`, `"aaaaaaa\\"`, `"aaaaaa\"bbbbbbbbbbbbbbbbb\\\"c"`, `{"":{"":[[],{},""]}}`,
}

// Read accepts what encoding/json does.
func TestReadIsJSON(t *testing.T) {
	var ix Index
	for _, sample := range samples {
		if _, ok := ix.Read([]byte(sample)); ok != json.Valid([]byte(sample)) {
			t.Errorf("Read(%q) = %v", sample, ok)
		}
	}
	for depth, want := range map[int]bool{strictjson.MaxDepth: true, strictjson.MaxDepth + 1: false} {
		if _, ok := ix.Read([]byte(strings.Repeat("[", depth) + strings.Repeat("]", depth))); ok != want {
			t.Errorf("a depth of %d: %v", depth, ok)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, sample := range samples {
		f.Add([]byte(sample))
	}
	var ix Index
	f.Fuzz(func(t *testing.T, data []byte) { check(t, &ix, data) })
}

// check compares an index with encoding/json, and with a walk that needs no index.
func check(t interface {
	Helper()
	Fatalf(string, ...any)
}, ix *Index, data []byte) {
	t.Helper()
	v, ok := ix.Read(data)
	if ok != json.Valid(data) {
		t.Fatalf("Read(%q) = %v", data, ok)
	}
	if !ok {
		return
	}
	if diff := cmp.Diff(nodeOf(Small(data)), nodeOf(v)); diff != "" {
		t.Fatalf("%q: with and without an index (-without +with):\n%s", data, diff)
	}
	var lender Index
	lender.Lend()
	lent, _ := lender.Read(data)
	if diff := cmp.Diff(nodeOf(v), nodeOf(lent)); diff != "" {
		t.Fatalf("%q: with copies of texts and without (-with +without):\n%s", data, diff)
	}
	last := map[string]node{}
	for key, m := range v.Fields() {
		last[string(key)] = nodeOf(m)
	}
	for key, want := range last {
		if diff := cmp.Diff(want, nodeOf(v.Get(key))); diff != "" {
			t.Fatalf("%q: Get(%q) is not the last of Fields (-want +got):\n%s", data, key, diff)
		}
	}
	if bytes.IndexByte(data, '{') >= 0 { // containers alone
		var all func(v Value)
		all = func(v Value) {
			if v.Kind == Object || v.Kind == Array {
				if diff := cmp.Diff(nodeOf(Small(v.Raw)), nodeOf(v.Alone())); diff != "" {
					t.Fatalf("%q: alone (-without +with):\n%s", v.Raw, diff)
				}
			}
			for _, m := range v.Fields() {
				all(m)
			}
			for m := range v.Items() {
				all(m)
			}
		}
		all(v)
	}
}

// node is a value as a walk sees it.
type node struct {
	Kind     Kind
	At       int
	Raw, Key string
	Text     string
	Inner    []node
}

func nodeOf(v Value) node {
	n := node{Kind: v.Kind, At: v.At, Raw: string(v.Raw), Text: v.Text()}
	for key, m := range v.Fields() {
		inner := nodeOf(m)
		inner.Key = string(key)
		n.Inner = append(n.Inner, inner)
	}
	for m := range v.Items() {
		n.Inner = append(n.Inner, nodeOf(m))
	}
	return n
}

// Valid JSON with odd blanks and strings, and with one byte changed.
func TestIndex(t *testing.T) {
	var ix Index
	rapid.Check(t, func(t *rapid.T) {
		data := []byte(genValue(t, 3))
		check(t, &ix, data)
		if rapid.Bool().Draw(t, "change") {
			at := rapid.IntRange(0, len(data)-1).Draw(t, "at")
			data[at] = rapid.SampledFrom([]byte("\"\\{}[],: 0u\n\xff")).Draw(t, "byte")
			check(t, &ix, data)
		}
	})
}

func genValue(t *rapid.T, depth int) string {
	blanks := func() string { return rapid.SampledFrom([]string{"", "", " ", "\r\n\t"}).Draw(t, "blanks") }
	text := func() string { return `"` + strings.Join(rapid.SliceOfN(genPiece, 0, 6).Draw(t, "text"), "") + `"` }
	kind := rapid.IntRange(0, 5).Draw(t, "kind")
	switch {
	case kind < 2 || depth == 0 && kind > 3:
		return blanks() + text() + blanks()
	case kind == 2:
		return blanks() + rapid.SampledFrom([]string{"0", "-1.5e+10", "12", "true", "false", "null"}).Draw(t, "word") + blanks()
	}
	var members []string
	for range rapid.IntRange(0, 3).Draw(t, "members") {
		member := genValue(t, depth-1)
		if kind == 5 {
			member = blanks() + text() + blanks() + ":" + member
		}
		members = append(members, member)
	}
	brackets := "[]"
	if kind == 5 {
		brackets = "{}"
	}
	inner := strings.Join(members, ",")
	if inner == "" {
		inner = blanks()
	}
	return blanks() + brackets[:1] + inner + brackets[1:] + blanks()
}

var genPiece = rapid.SampledFrom([]string{
	"a", "seven b", "eight by", "sixteen bytes of", `\"`, `\\`, `\n`, `\/`, `\u00e9`, `\ud83d`, `\ude00`, `\ud83d\ude00`, "é", "😀", "{", "]", "\x7f", "\xff",
})

// AppendUnescaped decodes as its definition says, one character at a time.
func TestAppendUnescaped(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOfN(genPiece, 0, 12).Draw(t, "pieces")
		raw := strings.Join(pieces, "")
		want, whole := []byte("before"), true
		for rest := raw; rest != ""; {
			var unit, low uint16
			switch {
			case rest[0] != '\\':
				want, rest = append(want, rest[0]), rest[1:]
				continue
			case rest[1] != 'u':
				var s string
				if err := json.Unmarshal([]byte(`"`+rest[:2]+`"`), &s); err != nil {
					t.Fatal(err)
				}
				want, rest = append(want, s...), rest[2:]
				continue
			}
			unit = hex(rest[2:6])
			if rest = rest[6:]; strings.HasPrefix(rest, `\u`) {
				low = hex(rest[2:6])
			}
			r := rune(unit)
			if utf16.IsSurrogate(r) {
				if r = utf16.DecodeRune(r, rune(low)); r == 0xfffd {
					whole = false
				} else {
					rest = rest[6:]
				}
			}
			want = append(want, string(r)...)
		}
		got, gotWhole := AppendUnescaped([]byte("before"), []byte(raw))
		if diff := cmp.Diff(string(want), string(got)); diff != "" || whole != gotWhole {
			t.Fatalf("%q: whole %v, want %v (-want +got):\n%s", raw, gotWhole, whole, diff)
		}
	})
}

func hex(digits string) (n uint16) {
	for _, c := range digits {
		n = n<<4 | uint16(strings.IndexRune("0123456789abcdef", c))
	}
	return n
}
