package openai_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/toolcall"
)

type D = toolcall.Delta

// encode writes a stream and returns its events, each without what all chunks
// have in common.
func encode(t *testing.T, meta chat.Meta, opts wire.Options, deltas ...D) ([]string, []chat.Loss) {
	t.Helper()
	out, losses := codec.WriteStream(t, meta, opts, deltas...)
	text, ok := strings.CutSuffix(out, "\n\n")
	if !ok {
		t.Errorf("the last event has no blank line")
	}
	var events []string
	for event := range strings.SplitSeq(text, "\n\n") {
		event = strings.TrimPrefix(event, "data: ")
		event = strings.TrimPrefix(event, `{"id":"r1","object":"chat.completion.chunk","created":7,"model":"m","choices":[`)
		events = append(events, strings.Replace(event, `},"finish_reason":null}]}`, "", 1))
	}
	return events, losses
}

var meta = chat.Meta{Wire: "openai", ID: "r1", Model: "m", Created: 7}

const roleChunk = `{"index":0,"delta":{"role":"assistant","content":""`

func TestStream(t *testing.T) {
	const text, reasoning, refusal, call, finish = toolcall.DeltaText, toolcall.DeltaReasoning, toolcall.DeltaRefusal, toolcall.DeltaToolCall, toolcall.DeltaFinish
	withUsage := meta
	withUsage.Usage = chat.Usage{Input: 3, Output: 2, CachedInput: 1, Reasoning: 1, Total: 5}
	fromAnthropic := meta
	fromAnthropic.Wire = "anthropic"
	fromGemini := meta
	fromGemini.Wire = "gemini"
	fromResponses := meta
	fromResponses.Wire = "responses"
	tests := []struct {
		name   string
		meta   chat.Meta
		opts   wire.Options
		in     []D
		want   []string
		losses int
	}{
		{
			"id, type and name once, arguments by themselves, usage last", withUsage, wire.Options{},
			[]D{
				{Kind: reasoning, Text: "hm"}, {Kind: text, Text: "a\n\"😀"},
				{Kind: call, ID: "c1", Name: "f", Text: `{"x"`}, {Kind: call, Index: 1, ID: "c2", Name: "g"},
				{Kind: call, Text: ":1}", Done: true}, {Kind: call, Index: 1, Text: "{}", Done: true},
				{Kind: finish, Text: "stop"},
			},
			[]string{
				roleChunk, `{"index":0,"delta":{"reasoning_content":"hm"`, `{"index":0,"delta":{"content":"a\n\"😀"`,
				`{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"f","arguments":""}}]`,
				`{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"x\""}}]`,
				`{"index":0,"delta":{"tool_calls":[{"index":1,"id":"c2","type":"function","function":{"name":"g","arguments":""}}]`,
				`{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":":1}"}}]`,
				`{"index":0,"delta":{"tool_calls":[{"index":1,"function":{"arguments":"{}"}}]`,
				`{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`,
				`],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5,"prompt_tokens_details":{"cached_tokens":1},"completion_tokens_details":{"reasoning_tokens":1}}}`,
				"[DONE]",
			}, 0,
		},
		{
			"length inside arguments", meta, wire.Options{},
			[]D{{Kind: call, ID: "c", Name: "f", Text: "{"}, {Kind: finish, Text: "tool_calls", Truncated: true}},
			[]string{
				roleChunk, `{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"f","arguments":""}}]`,
				`{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{"}}]`,
				`{"index":0,"delta":{},"finish_reason":"length"}]}`, "[DONE]",
			}, 0,
		},
		{"refusal", meta, wire.Options{}, []D{{Kind: refusal, Text: "no"}, {Kind: finish, Text: "stop"}}, []string{roleChunk, `{"index":0,"delta":{"refusal":"no"`, `{"index":0,"delta":{},"finish_reason":"stop"}]}`, "[DONE]"}, 0},
		{"refusal as a reason", fromAnthropic, wire.Options{}, []D{{Kind: finish, Text: "refusal", Truncated: true}}, []string{roleChunk, `{"index":0,"delta":{},"finish_reason":"content_filter"}]}`, "[DONE]"}, 1},
		{"a filter of Responses", meta, wire.Options{}, []D{{Kind: finish, Text: "incomplete", Name: "content_filter", Truncated: true}}, []string{roleChunk, `{"index":0,"delta":{},"finish_reason":"content_filter"}]}`, "[DONE]"}, 0},
		{"errors in mid-stream", meta, wire.Options{}, []D{{Kind: text, Text: "a"}, {Kind: toolcall.DeltaError, Name: "overloaded", Text: "m"}}, []string{roleChunk, `{"index":0,"delta":{"content":"a"`, `{"error":{"message":"m","code":"overloaded"}}`, "[DONE]"}, 0},
		{"errors of another wire", fromAnthropic, wire.Options{}, []D{{Kind: toolcall.DeltaError, Name: "overloaded_error", Text: "m"}}, []string{roleChunk, `{"error":{"message":"m","type":"server_error","code":"overloaded_error"}}`, "[DONE]"}, 0},
		{"errors with a number", meta, wire.Options{}, []D{{Kind: toolcall.DeltaError, Name: "429", Text: "m"}}, []string{roleChunk, `{"error":{"message":"m","code":429}}`, "[DONE]"}, 0},
		{"never finished", meta, wire.Options{}, []D{{Kind: text, Text: "a"}}, []string{roleChunk, `{"index":0,"delta":{"content":"a"`, `{"index":0,"delta":{},"finish_reason":"length"}]}`, "[DONE]"}, 0},
		{
			"nothing follows a finish reason", meta, wire.Options{}, []D{{Kind: finish, Text: "stop"}, {Kind: text, Text: "a"}, {Kind: text, Text: "b"}},
			[]string{roleChunk, `{"index":0,"delta":{},"finish_reason":"stop"}]}`, "[DONE]"}, 1,
		},
		{
			"choices above index 0", meta, wire.Options{}, []D{{Kind: text, Choice: 2, Text: "a"}, {Kind: finish, Choice: 2, Text: "stop"}},
			[]string{`{"index":2,"delta":{"role":"assistant","content":""`, `{"index":2,"delta":{"content":"a"`, `{"index":2,"delta":{},"finish_reason":"stop"}]}`, "[DONE]"}, 0,
		},
		{
			"signatures", fromGemini, wire.Options{},
			[]D{{Kind: toolcall.DeltaSignature, Index: -1, Text: "s"}, {Kind: call, ID: "c", Name: "f", Text: "{}", Done: true}, {Kind: toolcall.DeltaSignature, Name: toolcall.SignsCall, Text: "t"}, {Kind: finish, Text: "STOP"}},
			[]string{
				roleChunk, `{"index":0,"delta":{"reasoning_details":[{"type":"reasoning.text","signature":"s","format":"google-gemini-v1","index":0}]`,
				`{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"f","arguments":""},"extra_content":{"google":{"thought_signature":"t"}}}]`,
				`{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]`,
				`{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`, "[DONE]",
			}, 0,
		},
		{
			"a signature that comes after its call began", fromGemini, wire.Options{},
			[]D{{Kind: call, ID: "c", Name: "f", Text: "{"}, {Kind: toolcall.DeltaSignature, Name: toolcall.SignsCall, Text: "t"}, {Kind: call, Text: "}", Done: true}, {Kind: finish, Text: "STOP"}},
			[]string{
				roleChunk, `{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"f","arguments":""}}]`,
				`{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{"}}]`,
				`{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":""},"extra_content":{"google":{"thought_signature":"t"}}}]`,
				`{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"}"}}]`,
				`{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`, "[DONE]",
			}, 0,
		},
		{
			"calls of custom tools", fromResponses, wire.Options{},
			[]D{
				{Kind: call, ID: "c", Name: "sh", Text: `{"in`, Custom: true}, {Kind: call, Text: `put":"ls \"\u00`}, {Kind: call, Text: `e9\"\`}, {Kind: call, Text: `n"}`, Done: true},
				{Kind: call, Index: 1, ID: "d", Name: "sh", Text: `{"in":1}`, Custom: true, Done: true},
				{Kind: finish, Text: "completed"},
			},
			[]string{
				roleChunk,
				`{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","type":"custom","custom":{"name":"sh","input":""}}]`,
				`{"index":0,"delta":{"tool_calls":[{"index":0,"custom":{"input":"ls \""}}]`,
				`{"index":0,"delta":{"tool_calls":[{"index":0,"custom":{"input":"\u00e9\""}}]`,
				`{"index":0,"delta":{"tool_calls":[{"index":0,"custom":{"input":"\n"}}]`,
				`{"index":0,"delta":{"tool_calls":[{"index":1,"id":"d","type":"custom","custom":{"name":"sh","input":""}}]`,
				`{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`, "[DONE]",
			}, 1,
		},
		{
			"calls of custom tools, in the vendor's fields only", fromResponses, wire.Options{VendorOnly: true},
			[]D{{Kind: call, ID: "c", Name: "sh", Text: `{"input":"x"}`, Custom: true, Done: true}, {Kind: finish, Text: "completed"}},
			[]string{
				roleChunk,
				`{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"sh","arguments":""}}]`,
				`{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"input\":\"x\"}"}}]`,
				`{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`, "[DONE]",
			}, 1,
		},
		{
			"the vendor's fields only", fromGemini, wire.Options{VendorOnly: true},
			[]D{{Kind: reasoning, Text: "r"}, {Kind: reasoning, Text: "r"}, {Kind: toolcall.DeltaSignature, Index: -1, Text: "s"}, {Kind: finish, Text: "STOP"}},
			[]string{roleChunk, `{"index":0,"delta":{},"finish_reason":"stop"}]}`, "[DONE]"}, 2,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, losses := encode(t, tt.meta, tt.opts, tt.in...)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if len(losses) != tt.losses {
				t.Errorf("losses %v, want %d", losses, tt.losses)
			}
		})
	}
}

// The id of a chunk is that of the first, also where the source has none or
// changes its own.
func TestStreamKeepsItsID(t *testing.T) {
	e := codec.NewEncoder(wire.Options{})
	out := e.Append(nil, D{Kind: toolcall.DeltaText, Text: "a"})
	e.SetMeta(meta)
	out = e.Append(out, D{Kind: toolcall.DeltaText, Text: "b"})
	lines := strings.Split(strings.TrimSpace(string(out)), "\n\n")
	for _, line := range lines {
		if line[:30] != lines[0][:30] || !strings.HasPrefix(line, `data: {"id":"chatcmpl-`) {
			t.Errorf("%s", line)
		}
	}
}
