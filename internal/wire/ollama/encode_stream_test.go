package ollama_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/test/codectest"
	"github.com/toolparse/toolparse/toolcall"
)

type D = toolcall.Delta

var meta = chat.Meta{Wire: "ollama", Model: "m", Created: 7}

const lineHead = `{"model":"m","created_at":"1970-01-01T00:00:07Z","message":{"role":"assistant",`

// encode writes a stream and returns its lines, each without what all of them
// have in common.
func encode(t *testing.T, meta chat.Meta, deltas ...D) ([]string, []chat.Loss) {
	t.Helper()
	out, losses := codec.WriteStream(t, meta, wire.Options{}, deltas...)
	text, ok := strings.CutSuffix(out, "\n")
	if !ok {
		t.Errorf("the last line does not end: %q", out)
	}
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		if !json.Valid([]byte(line)) {
			t.Errorf("no JSON: %q", line)
		}
		lines = append(lines, strings.TrimSuffix(strings.TrimPrefix(line, lineHead), `},"done":false}`))
	}
	return lines, losses
}

func TestStream(t *testing.T) {
	const (
		text, reasoning, refusal = toolcall.DeltaText, toolcall.DeltaReasoning, toolcall.DeltaRefusal
		call, finish, signature  = toolcall.DeltaToolCall, toolcall.DeltaFinish, toolcall.DeltaSignature
		failure                  = toolcall.DeltaError
	)
	from := func(wire string, u chat.Usage) chat.Meta {
		m := meta
		m.Wire, m.Usage = wire, u
		return m
	}
	const end = `"content":""},"done":true,"done_reason":`
	tests := []struct {
		name   string
		meta   chat.Meta
		in     []D
		want   []string
		losses []string
	}{
		{
			"calls whole, in their order, and the usage last", from("ollama", chat.Usage{Input: 3, Output: 5, Total: 8}),
			[]D{
				{Kind: reasoning, Text: "hm"}, {Kind: text, Text: "a\n\"😀"},
				{Kind: call, ID: "c1", Name: "f", Text: "{\n\"x\""}, {Kind: call, Index: 1, ID: "c2", Name: "g", Text: "{}", Done: true},
				{Kind: call, Text: ":1\r\n}", Done: true}, {Kind: finish, Text: "stop"},
			},
			[]string{
				`"content":"","thinking":"hm"`, `"content":"a\n\"😀"`,
				`"content":"","tool_calls":[{"id":"c1","function":{"index":0,"name":"f","arguments":{ "x":1  }}}]`,
				`"content":"","tool_calls":[{"id":"c2","function":{"index":1,"name":"g","arguments":{}}}]`,
				end + `"stop","prompt_eval_count":3,"eval_count":5}`,
			}, nil,
		},
		{
			"text between the pieces of a call", meta,
			[]D{{Kind: call, ID: "c", Name: "f", Text: "{"}, {Kind: text, Text: "a"}, {Kind: call, Text: "}", Done: true}, {Kind: finish, Text: "stop"}},
			[]string{`"content":"a"`, `"content":"","tool_calls":[{"id":"c","function":{"index":0,"name":"f","arguments":{}}}]`, end + `"stop"}`}, []string{"stream.calls"},
		},
		{
			"thinking signatures and redacted thinking", from("anthropic", chat.Usage{CachedInput: 1, CacheWrite: 2, Reasoning: 3}),
			[]D{{Kind: reasoning, Text: "r"}, {Kind: signature, Index: -1, Text: "s"}, {Kind: signature, Index: -1, Name: toolcall.SignsRedacted, Text: "z"}, {Kind: finish, Text: "end_turn"}},
			[]string{`"content":"","thinking":"r"`, end + `"stop","prompt_eval_cached_count":1}`},
			[]string{"stream.signature", "stream.redacted", "usage.cache_write", "usage.reasoning"},
		},
		{
			"length inside arguments", from("openai", chat.Usage{}), []D{{Kind: text, Text: "a"}, {Kind: call, ID: "c", Name: "f", Text: "{"}, {Kind: finish, Text: "tool_calls", Truncated: true}},
			[]string{`"content":"a"`, end + `"length"}`}, []string{"stream.calls.f"},
		},
		{
			"a whole call behind one that was cut", from("responses", chat.Usage{}),
			[]D{{Kind: call, ID: "a", Name: "f", Text: "{"}, {Kind: call, Index: 1, ID: "b", Name: "g", Text: "{}", Done: true}, {Kind: finish, Text: "completed"}},
			[]string{`"content":"","tool_calls":[{"id":"b","function":{"index":0,"name":"g","arguments":{}}}]`, end + `"length"}`}, []string{"stream.calls.f"},
		},
		{
			"arguments that are not an object", from("openai", chat.Usage{}), []D{{Kind: call, ID: "c", Name: "f", Text: " [1]", Done: true}, {Kind: finish, Text: "stop"}},
			[]string{`"content":"","tool_calls":[{"id":"c","function":{"index":0,"name":"f","arguments":{"input": [1]}}}]`, end + `"stop"}`}, []string{"stream.calls.arguments"},
		},
		{"refusal", from("openai", chat.Usage{}), []D{{Kind: refusal, Text: "no"}, {Kind: refusal, Text: "pe"}, {Kind: finish, Text: "stop"}}, []string{`"content":"no"`, `"content":"pe"`, end + `"stop"}`}, []string{"stream.refusal"}},
		{"refusal as a reason", from("anthropic", chat.Usage{}), []D{{Kind: finish, Text: "refusal", Truncated: true}}, []string{end + `"length"}`}, []string{"stream.finish"}},
		{"content filter", from("openai", chat.Usage{}), []D{{Kind: finish, Text: "content_filter", Truncated: true}}, []string{end + `"length"}`}, []string{"stream.finish"}},
		{"the server's own reason", meta, []D{{Kind: finish, Text: "unload"}}, []string{end + `"unload"}`}, nil},
		{
			"errors in mid-stream, behind whole calls", meta,
			[]D{{Kind: text, Text: "a"}, {Kind: call, ID: "c", Name: "f", Text: "{}", Done: true}, {Kind: failure, Name: "overloaded", Text: "m"}},
			[]string{`"content":"a"`, `"content":"","tool_calls":[{"id":"c","function":{"index":0,"name":"f","arguments":{}}}]`, `{"error":"m"}`}, []string{"error.code"},
		},
		{"errors without a text", meta, []D{{Kind: failure}}, []string{`"content":""`, `{"error":"unknown error"}`}, nil},
		{"never finished", meta, []D{{Kind: text, Text: "a"}}, []string{`"content":"a"`, end + `"length"}`}, nil},
		{"nothing follows a finish reason", meta, []D{{Kind: finish, Text: "stop"}, {Kind: text, Text: "a"}, {Kind: text, Text: "b"}}, []string{end + `"stop"}`}, []string{"stream"}},
		{"choices above index 0", meta, []D{{Kind: text, Choice: 1, Text: "b"}, {Kind: text, Text: "a"}, {Kind: finish, Choice: 1, Text: "stop"}, {Kind: finish, Text: "length"}}, []string{`"content":"a"`, end + `"length"}`}, []string{"stream.choices"}},
		{"the answer's id", chat.Meta{Wire: "openai", ID: "r", Model: "m", Created: 7}, []D{{Kind: finish, Text: "stop"}}, []string{end + `"stop"}`}, []string{"id"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, losses := encode(t, tt.meta, tt.in...)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.losses, codectest.Fields(losses)); diff != "" {
				t.Errorf("losses (-want +got):\n%s", diff)
			}
		})
	}
}

// A call is written as soon as it is whole, a text at once.
func TestStreamIsPrompt(t *testing.T) {
	e := codec.NewEncoder(wire.Options{})
	for _, step := range []struct {
		d      D
		prompt bool
	}{
		{D{Kind: toolcall.DeltaText, Text: "a"}, true},
		{D{Kind: toolcall.DeltaToolCall, ID: "c", Name: "f", Text: "{"}, false},
		{D{Kind: toolcall.DeltaToolCall, Text: "}", Done: true}, true},
	} {
		if out := e.Append(nil, step.d); step.prompt != (len(out) > 0) {
			t.Errorf("%+v: %q", step.d, out)
		}
	}
}

// No text makes a line that is longer than Ollama's client reads, and none is
// split inside a character.
func TestLongTextsAreSplit(t *testing.T) {
	long := strings.Repeat("\x01é😀", 60_000)
	lines, _ := encode(t, meta, D{Kind: toolcall.DeltaText, Text: long}, D{Kind: toolcall.DeltaFinish, Text: "stop"})
	var got strings.Builder
	for _, line := range lines[:len(lines)-1] {
		if len(line) > 500_000 {
			t.Errorf("a line of %d bytes", len(line))
		}
		var message struct{ Content string }
		if err := json.Unmarshal([]byte("{"+line+"}"), &message); err != nil {
			t.Fatal(err)
		}
		got.WriteString(message.Content)
	}
	if got.String() != long {
		t.Error("the text came out differently")
	}
	if lines, _ = encode(t, meta, D{Kind: toolcall.DeltaText, Text: strings.Repeat("\x80", 200_000)}); len(lines) != 5 {
		t.Errorf("%d lines of what is no UTF-8", len(lines))
	}
}

// What is held of calls is bounded.
func TestStreamHoldsNotTooMuch(t *testing.T) { codec.HoldsNotTooMuch(t, meta, `"length"`) }
