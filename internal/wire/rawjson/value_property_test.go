package rawjson

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/internal/jsonindex"
	"github.com/toolparse/toolparse/internal/wire/frame"
)

// goValue returns the value as encoding/json would.
func goValue(v Value) any {
	var texts Texts
	switch v.Kind {
	case Bool:
		return v.IsTrue()
	case Number:
		return json.Number(v.Raw)
	case String:
		return texts.Whole(v)
	case Array:
		list := []any{}
		for item := range v.Items() {
			list = append(list, goValue(item))
		}
		return list
	case Object:
		members := map[string]any{}
		for key, member := range v.Fields() {
			members[string(key)] = goValue(member)
		}
		return members
	}
	return nil
}

// asGo is what encoding/json makes of data, or false where these are no JSON, or
// have bytes that it would replace.
func asGo(data []byte) (v any, ok bool) {
	if !json.Valid(data) || !utf8.Valid(data) {
		return nil, false
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	return v, dec.Decode(&v) == nil
}

var genJSON = rapid.Custom(func(t *rapid.T) string {
	var value func(depth int) string
	blanks := func() string { return rapid.SampledFrom([]string{"", " ", "\r\n\t"}).Draw(t, "blanks") }
	text := func() string {
		return `"` + rapid.SampledFrom([]string{"", "a", `\"`, `\\`, `\\\"`, `\\\\`, `{`, `]`, `{]`, `é`, `more than is looked at byte by byte`, strings.Repeat(`long \" `, 100), strings.Repeat("{", 300), `more than is looked at byte by \"`, `\u00e9\ud83d\ude00`, `\ud83d`}).Draw(t, "text") + `"`
	}
	value = func(depth int) string {
		kind := rapid.IntRange(0, 5).Draw(t, "kind")
		if depth == 0 {
			kind = min(kind, 3)
		}
		switch kind {
		case 4, 5:
			open, end := "[", "]"
			if kind == 5 {
				open, end = "{", "}"
			}
			out := open + blanks()
			for i := range rapid.IntRange(0, 4).Draw(t, "members") {
				if i > 0 {
					out += "," + blanks()
				}
				if kind == 5 {
					out += text() + blanks() + ":" + blanks()
				}
				out += value(depth-1) + blanks()
			}
			return out + end
		case 3:
			return text()
		}
		return rapid.SampledFrom([]string{"true", "false", "null", "0", "-1.5e+3", "10000000000000001"}).Draw(t, "literal")
	}
	return blanks() + value(4) + blanks()
})

// large makes any data so large that they have an index.
var large = strings.Repeat(" ", jsonindex.MinIndexed)

// Valid JSON is read as encoding/json reads it.
func TestWalk(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := genJSON.Draw(t, "data")
		want, ok := asGo([]byte(data))
		if !ok {
			t.Fatalf("no JSON: %s", data)
		}
		for _, data := range []string{data, data + large} {
			v, err := new(Reader).Open(frame.Event{Data: []byte(data)})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, goValue(v)); diff != "" {
				t.Fatalf("%s (-want +got):\n%s", data, diff)
			}
		}
	})
}

// What the reader takes for JSON is read to its end, and as encoding/json reads
// it.
func FuzzWalk(f *testing.F) {
	for _, seed := range []string{`{"a":[1,"b\\",{}]}`, `{"\u00e9":"\ud83d"}`, `[[],{"":""}] `, "{", ""} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := new(Reader).Open(frame.Event{Data: data})
		if err != nil {
			return
		}
		got := goValue(v)
		if v, err = new(Reader).Open(frame.Event{Data: append(data, large...)}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(got, goValue(v)); diff != "" {
			t.Fatalf("%q, by the index (-want +got):\n%s", data, diff)
		}
		if want, ok := asGo(data); ok {
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%q (-want +got):\n%s", data, diff)
			}
		}
	})
}
