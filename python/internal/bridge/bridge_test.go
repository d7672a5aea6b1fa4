package bridge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const hermes = `<tool_call>{"name": "add", "arguments": {"a": 1}}</tool_call>`

// fataler is what the tests of packages testing and rapid share.
type fataler interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

// call runs an operation that must do well, and returns what it gives.
func call(t fataler, operation, in string) json.RawMessage {
	t.Helper()
	var out struct {
		OK    json.RawMessage
		Error string
	}
	if err := json.Unmarshal(Call(operation, []byte(in)), &out); err != nil || out.Error != "" {
		t.Fatalf("%s(%s): %s (%v)", operation, in, out.Error, err)
	}
	return out.OK
}

func handle(t fataler, operation, in string) (n int64) {
	if err := json.Unmarshal(call(t, operation, in), &n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestFailures(t *testing.T) {
	for _, test := range []struct{ operation, in, want string }{
		{"fly", `{}`, `{"error":"there is no operation \"fly\""}`},
		{"open", `999`, `{"error":"there is no handle 999"}`},
		{"kit", `{"tools":[{"name":1}]}`, `"place":"$[0].name"`},
		{"write", `{"calls":[]}`, `{"error":"give the dialect or the model"}`},
		{"write", `{"dialect":"auto","calls":[]}`, "several dialects"},
		{"kit", `{"tools":`, "unexpected end"},
	} {
		if got := string(Call(test.operation, []byte(test.in))); !strings.Contains(got, test.want) {
			t.Errorf("%s(%s): %s, want %s", test.operation, test.in, got, test.want)
		}
	}
	if got := parse(999, "x"); !strings.Contains(got, "no handle") {
		t.Error(got)
	}
}

// parse returns what Parse makes of a text.
func parse(kit int64, text string) (made string) {
	Parse(kit, text, func(piece []byte) { made = string(piece) })
	return made
}

// However a stream is fed, the raw bytes of its events come to the input, and its calls to
// those in it.
func TestFeed(t *testing.T) {
	kit := handle(t, "kit", `{"dialect":"hermes","wire":"text"}`)
	feed := func(n int64, chunk string, end bool) (made string) {
		Feed(n, []byte(chunk), end, func(piece []byte) { made = string(piece) })
		return made
	}
	rapid.Check(t, func(t *rapid.T) {
		input := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{hermes, "text ", "é", "<tool", "<think>x</think>", strings.Repeat("long ", 2000)}), 0, 6).Draw(t, "input"), "")
		n := handle(t, "open", fmt.Sprint(kit))
		var made []any
		for at := 0; at < len(input); {
			size := rapid.IntRange(1, len(input)-at).Draw(t, "chunk")
			made = append(made, unpickle(t, feed(n, input[at:at+size], false))...)
			at += size
		}
		made = append(made, unpickle(t, feed(n, "", true))...)
		raw, calls := "", 0
		for _, v := range made {
			v := v.(instance)
			if part, ok := v.attributes["raw"]; ok {
				raw += part.(string)
			}
			switch kind, _ := v.attributes["type"].(string); {
			case v.class == "toolparse.Call":
				calls++
			case v.class != "toolparse.Event" || !strings.HasPrefix(kind, "SEGMENT_"):
				t.Fatalf("an unknown item: %v", v)
			}
		}
		if raw != input || calls < strings.Count(input, hermes) {
			t.Fatalf("input %q: raw %q, %d calls", input, raw, calls)
		}
		if got := feed(n, "", true); !strings.Contains(got, "no handle") {
			t.Fatalf("after the end: %s", got)
		}
	})
}

// Of one text, ParseMany makes what Parse does; of many it makes pickles of a share each.
func TestParseMany(t *testing.T) {
	kit := handle(t, "kit", `{"wire":"text","spans":true}`)
	many := func(texts ...string) (pieces []string) {
		ParseMany(kit, texts, 0, func(all [][]byte) {
			for _, piece := range all {
				pieces = append(pieces, string(piece))
			}
		})
		return pieces
	}
	var texts []string
	for i := range len(hermes) {
		texts = append(texts, "é"+hermes[:i])
		if diff := cmp.Diff([]string{parse(kit, texts[i])}, many(texts[i])); diff != "" {
			t.Errorf("%q: %s", texts[i], diff)
		}
	}
	texts = slices.Repeat(texts, 4)
	got := many(texts...)
	if want := (len(texts) + share - 1) / share; len(got) != want {
		t.Errorf("%d pieces, want %d", len(got), want)
	}
	for i := range got { // whatever memory the other shares took
		if diff := cmp.Diff(many(texts[i*share:min((i+1)*share, len(texts))]...), got[i:i+1]); diff != "" {
			t.Errorf("piece %d: %s", i, diff)
		}
	}
	if got := many(); len(got) > 0 {
		t.Errorf("of no texts: %q", got)
	}
}

// The failure of a text says which one it is.
func TestParseManyFails(t *testing.T) {
	kit := handle(t, "kit", `{"wire":"auto"}`)
	const cut = "data: {\"object\":\"chat.completion.chunk\",\"choices\":[{\"delta\":{\"content\":\"H\"}}]}\n\n"
	texts := slices.Repeat([]string{"x"}, 3*share)
	texts[2*share-1], texts[share+7] = cut, cut
	ParseMany(kit, texts, 1000, func(pieces [][]byte) {
		want := fmt.Sprintf(`"place":"texts[%d]"`, 1000+share+7)
		if got := string(bytes.Join(pieces, nil)); len(pieces) != 1 || !strings.Contains(got, want) {
			t.Errorf("%q, want %s", got, want)
		}
	})
	ParseMany(999, texts, 0, func(pieces [][]byte) {
		if got := string(bytes.Join(pieces, nil)); !strings.Contains(got, "no handle") {
			t.Error(got)
		}
	})
}
