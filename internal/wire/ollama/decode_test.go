package ollama

import (
	"strings"
	"testing"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/internal/wire/test/wiretest"
	"github.com/toolparse/toolparse/toolcall"
)

// Short words for the tables.
type D = toolcall.Delta

const (
	text      = toolcall.DeltaText
	reasoning = toolcall.DeltaReasoning
	call      = toolcall.DeltaToolCall
	finish    = toolcall.DeltaFinish
	failure   = toolcall.DeltaError
	member    = toolcall.DeltaExtra
	none      = toolcall.NoIndex
)

func line(message, rest string) string {
	return `{"model":"m","created_at":"1970-01-01T00:00:07Z","message":{"role":"assistant",` + message + `},` + rest + `}`
}

const more = `"done":false`

func newDecoder() *Decoder { return new(Decoder) }

func TestDecoder(t *testing.T) {
	const end = `"done":true,"done_reason":"stop","eval_count":1`
	wiretest.Run(t, newDecoder, []wiretest.Case{
		{
			Name: "thinking and text", Framing: frame.JSON, In: []string{line(`"content":"","thinking":"r"`, more), line(`"content":"a\n"`, more), line(`"content":""`, end)},
			Want: []D{{Kind: reasoning, Text: "r"}, {Kind: text, Text: "a\n"}, {Kind: finish, Text: "stop"}}, Ended: true,
		},
		{
			Name: "calls", Framing: frame.JSON, In: []string{line(`"content":"","tool_calls":[{"id":"c","function":{"index":0,"name":"f","arguments":{"n": 1.50}}},{"id":"d","function":{"index":1,"name":"g","arguments":{}}}]`, more), line(`"content":""`, end)},
			Want: []D{{Kind: call, ID: "c", Name: "f", Text: `{"n": 1.50}`, Whole: true, Done: true}, {Kind: call, Index: 1, ID: "d", Name: "g", Text: "{}", Whole: true, Done: true}, {Kind: finish, Text: "stop"}}, Ended: true,
		},
		{
			Name: "older builds have no id and no index, and the call may be on the last line", Framing: frame.JSON, In: []string{line(`"content":"","tool_calls":[{"function":{"name":"f","arguments":{}}}]`, end)},
			Want: []D{{Kind: call, Index: none, Name: "f", Text: "{}", Whole: true, Done: true}, {Kind: finish, Text: "stop"}}, Ended: true,
		},
		{Name: "arguments as text, or none", Framing: frame.JSON, In: []string{line(`"tool_calls":[{"function":{"name":"f","arguments":"{\"a\":1}"}},{"function":{"name":"g"}}]`, more)}, Want: []D{{Kind: call, Index: none, Name: "f", Text: `{"a":1}`, Whole: true, Done: true}, {Kind: call, Index: none, Name: "g", Whole: true, Done: true}}},
		{Name: "cut", Framing: frame.JSON, In: []string{line(`"content":"a"`, `"done":true,"done_reason":"length"`)}, Want: []D{{Kind: text, Text: "a"}, {Kind: finish, Text: "length", Truncated: true}}, Ended: true},
		{Name: "done without a reason", Framing: frame.JSON, In: []string{line(`"content":"a\ud83d"`, `"done":true`)}, Want: []D{{Kind: text, Text: "a"}, {Kind: text, Text: "\ufffd"}}, Ended: true},
		{Name: "no end", Framing: frame.JSON, In: []string{line(`"content":"a"`, more)}, Want: []D{{Kind: text, Text: "a"}}},
		{Name: "error on a line", Framing: frame.JSON, In: []string{line(`"content":"a"`, more), `{"error":"gone"}`}, Want: []D{{Kind: text, Text: "a"}, {Kind: failure, Text: "gone"}}},
		{Name: "error alone", Framing: frame.JSON, In: []string{`{"error":"model \"x\" not found"}`}, Want: []D{{Kind: failure, Text: `model "x" not found`}}, Ended: true},
		{
			Name: "lines of /api/generate", Framing: frame.JSON, In: []string{`{"model":"m","response":"","thinking":"r","done":false}`, `{"model":"m","response":"a\n","done":false}`, `{"model":"m","response":"","done":true,"done_reason":"length"}`},
			Want: []D{{Kind: reasoning, Text: "r"}, {Kind: text, Text: "a\n"}, {Kind: finish, Text: "length", Truncated: true}}, Ended: true,
		},
		{Name: "in events", In: []string{line(`"content":"a"`, more), "[DONE]"}, Want: []D{{Kind: text, Text: "a"}}, Ended: true},
		{Name: "broken", Framing: frame.JSON, In: []string{`{"message":`}, Err: "event 1, byte 11"},
		{Name: "wrong type", Framing: frame.JSON, In: []string{line(`"content":["a"]`, more)}, Err: "message.content: expected a string, got an array"},
		{Name: "indices that are all the same", Framing: frame.JSON, In: []string{line(`"tool_calls":[{"function":{"index":0,"name":"f"}},{"function":{"index":0,"name":"f"}}]`, more)}, Want: []D{{Kind: call, Name: "f", Whole: true, Done: true}, {Kind: call, Index: none, Name: "f", Whole: true, Done: true}}},
		{Name: "ids that are numbers", Framing: frame.JSON, In: []string{line(`"tool_calls":[{"id":7,"function":{"index":"0","name":"f"}}]`, more)}, Want: []D{{Kind: call, ID: "7", Name: "f", Whole: true, Done: true}}},
		{Name: "null for whatever is not there", Framing: frame.JSON, In: []string{`{"model":null,"created_at":null,"message":{"role":null,"content":null,"thinking":null,"tool_calls":null,"x":null},"error":null,"done":null,"done_reason":null,"eval_count":null,"y":null}`, `{"message":null,"error":"","done":true,"done_reason":""}`}, Ended: true},
		{Name: "nothing but blanks behind the end", Framing: frame.JSON, In: []string{line(`"content":"a"`, end), line(`"content":""`, `"done":true,"eval_duration":3`)}, Want: []D{{Kind: text, Text: "a"}, {Kind: finish, Text: "stop"}, {Kind: member, Index: none, Name: "eval_duration", Text: "3"}}, Ended: true},
		{Name: "an answer behind the end", Framing: frame.JSON, In: []string{line(`"content":"a"`, end), line(`"content":"b"`, more)}, Want: []D{{Kind: text, Text: "a"}, {Kind: finish, Text: "stop"}}, Ended: true, Err: "event 2, byte 59: message: output after the last line"},
		{Name: "what no other delta tells", Framing: frame.JSON, In: []string{
			line(`"content":"a","x":{"y":1},"tool_calls":[{"z":1,"function":{"name":"f","w":[2]},"type":"function"}]`, `"logprobs":[1],"tier":"t"`),
			line(`"x":{"y":1}`, `"logprobs":[1],"tier":"t","none":null`),
		}, Want: []D{
			{Kind: member, Index: none, Name: "logprobs", Text: "[1]"}, {Kind: member, Index: none, Name: "tier", Text: `"t"`}, {Kind: member, Index: none, Name: "message.x", Text: `{"y":1}`},
			{Kind: text, Text: "a"},
			{Kind: member, Index: none, Name: "message.tool_calls[].z", Text: "1"}, {Kind: member, Index: none, Name: "message.tool_calls[].function.w", Text: "[2]"},
			{Kind: call, Index: none, Name: "f", Whole: true, Done: true},
			{Kind: member, Index: none, Name: "logprobs", Text: "[1]"},
		}},
		{Name: "errors of other shapes", Framing: frame.JSON, In: []string{`{"error":{"message":"m","type":"t","code":5,"param":"p"}}`, `{"error":{"message":"m","x":{}}}`}, Want: []D{{Kind: member, Index: none, Name: "error.code", Text: "5"}, {Kind: member, Index: none, Name: "error.param", Text: `"p"`}, {Kind: failure, Name: "t", Text: "m"}, {Kind: member, Index: none, Name: "error.x", Text: "{}"}, {Kind: failure, Text: "m"}}, Ended: true},
		{Name: "wrong calls", Framing: frame.JSON, In: []string{line(`"tool_calls":{}`, more)}, Err: "message.tool_calls: expected an array, got an object"},
	})
}

// What has a wrong type is an error with its place; what came before it in the
// line is told. It is a line of a stream: of a whole answer, only what is wrong is left out.
func TestWrongTypes(t *testing.T) {
	for in, want := range map[string]string{
		`[]`:                        "byte 0: expected an object, got an array",
		`{"message":5}`:             "byte 11: message: expected an object, got a number",
		`{"message":{"role":1}}`:    "byte 19: message.role: expected a string, got a number",
		`{"message":{"content":5}}`: "byte 22: message.content: expected a string, got a number",
		`{"message":{"content":"a","thinking":{}}}`:                          "byte 37: message.thinking: expected a string, got an object",
		`{"message":{"tool_calls":{}}}`:                                      "byte 25: message.tool_calls: expected an array, got an object",
		`{"message":{"tool_calls":["f"]}}`:                                   "byte 27: message.tool_calls[]: expected an object, got a string",
		`{"message":{"tool_calls":[{"id":{}}]}}`:                             "byte 32: message.tool_calls[].id: expected a string, got an object",
		`{"message":{"tool_calls":[{"function":"f"}]}}`:                      "byte 39: message.tool_calls[].function: expected an object, got a string",
		`{"message":{"tool_calls":[{"function":{"index":"x","name":"f"}}]}}`: "byte 48: message.tool_calls[].function.index: not an index: expected a whole number of at least 0",
		`{"message":{"tool_calls":[{"function":{"index":-1,"name":"f"}}]}}`:  "byte 47: message.tool_calls[].function.index: not an index: expected a whole number of at least 0",
		`{"message":{"tool_calls":[{"function":{"index":0,"name":["f"]}}]}}`: "byte 56: message.tool_calls[].function.name: expected a string, got an array",
		`{"done":"true"}`:      "byte 9: done: expected a boolean, got a string",
		`{"done_reason":true}`: "byte 15: done_reason: expected a string, got a boolean",
		`{"model":1}`:          "byte 9: model: expected a string, got a number",
		`{"created_at":1}`:     "byte 14: created_at: expected a string, got a number",
	} {
		d := newDecoder()
		_, err := d.Feed(nil, frame.Event{Framing: frame.JSON, Number: 2, Data: []byte(in)})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", in, err, want)
		}
	}
}

func FuzzDecoder(f *testing.F) {
	wiretest.Fuzz(f, newDecoder,
		line(`"content":"a\ud83d","thinking":"r","x":[1]`, more)+"\n"+line(`"content":"\ude00"`, `"done":true,"done_reason":"stop"`),
		line(`"content":"","tool_calls":[{"id":"c","function":{"index":0,"name":"f","arguments":{"a":1}}}]`, more)+"\n"+`{"error":"x"}`,
	)
}

// Every line has its own time, and the last the counts.
func TestMeta(t *testing.T) {
	d := newDecoder()
	for i, in := range []string{
		`{"model":"m","created_at":"2026-11-20T15:38:10.8Z","message":{"content":"a"},"done":false}`,
		`{"model":"m","created_at":"2026-11-20T15:38:12Z","message":{"content":""},"done":true,"done_reason":"stop","prompt_eval_count":3,"prompt_eval_cached_count":2,"eval_count":5}`,
	} {
		if _, err := d.Feed(nil, frame.Event{Framing: frame.JSON, Number: i + 1, Data: []byte(in)}); err != nil {
			t.Fatal(err)
		}
	}
	want := chat.Meta{Wire: Wire, Model: "m", Created: 1795189090, Usage: chat.Usage{Input: 3, CachedInput: 2, Output: 5, Total: 8}}
	if got := d.Meta(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
