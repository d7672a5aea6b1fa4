package bridge

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
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
	Parse(kit, text, nil, func(piece []byte) { made = string(piece) })
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

// Threads that feed the same stream, and end it, wait for each other.
func TestFeedInParallel(t *testing.T) {
	n := handle(t, "open", fmt.Sprint(handle(t, "kit", `{"dialect":"hermes","wire":"text"}`)))
	var raw atomic.Int64
	feed := func(chunk string, end bool) {
		Feed(n, []byte(chunk), end, func(piece []byte) {
			for _, v := range unpickle(t, string(piece)) {
				part, _ := v.(instance).attributes["raw"].(string)
				raw.Add(int64(len(part)))
			}
		})
	}
	var threads sync.WaitGroup
	for range 4 {
		threads.Go(func() {
			for range 500 {
				feed("ab<tool", false)
			}
		})
	}
	threads.Wait()
	feed("", true)
	if want := int64(4 * 500 * len("ab<tool")); raw.Load() != want {
		t.Errorf("%d bytes, want %d", raw.Load(), want)
	}
}

// results returns what Begin makes of texts.
func results(kit int64, texts []string, first int) string {
	begun := Begin(kit, texts, first)
	defer Drop(begun)
	return string(Results(begun))
}

// Of one text, Begin makes what Parse does, and of many a list of that.
func TestBegin(t *testing.T) {
	kit := handle(t, "kit", `{"wire":"text","spans":true}`)
	var texts []string
	var want []any
	for i := range len(hermes) {
		texts = append(texts, "é"+hermes[:i])
		each := parse(kit, texts[i])
		if diff := cmp.Diff(each, results(kit, texts[i:], 0)); i == len(hermes)-1 && diff != "" {
			t.Errorf("%q: %s", texts[i], diff)
		}
		want = append(want, unpickle(t, each)...)
	}
	var begun []int64
	for range 8 { // at the same time
		begun = append(begun, Begin(kit, texts, 0))
	}
	for _, n := range begun {
		if diff := cmp.Diff(want, unpickle(t, string(Results(n))), cmp.AllowUnexported(instance{})); diff != "" {
			t.Error(diff)
		}
		Drop(n)
		Drop(n) // a second one does nothing
		if got := Results(n); got != nil {
			t.Errorf("after the end: %q", got)
		}
	}
}

// The failure of a text says which one it is.
func TestBeginFails(t *testing.T) {
	const cut = "data: {\"object\":\"chat.completion.chunk\",\"choices\":[{\"delta\":{\"content\":\"H\"}}]}\n\n"
	if got := results(handle(t, "kit", `{"wire":"auto"}`), []string{"x", "x", cut, cut}, 1000); !strings.Contains(got, `"place":"texts[1002]"`) {
		t.Error(got)
	}
	if got := results(999, []string{"x"}, 0); !strings.Contains(got, "no handle") {
		t.Error(got)
	}
}
