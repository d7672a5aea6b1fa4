package gemini_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/toolcall"
)

type D = toolcall.Delta

var meta = chat.Meta{Wire: "gemini", ID: "r1", Model: "m", Created: 7}

const (
	chunkHead = `data: {"candidates":[{"content":{"parts":[`
	chunkTail = `],"role":"model"},"index":0}],"modelVersion":"m","responseId":"r1","createTime":"1970-01-01T00:00:07Z"}`
	lastHead  = `data: {"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"finishReason":`
)

// encode writes a stream and returns its events, each without what all chunks
// have in common.
func encode(t *testing.T, meta chat.Meta, deltas ...D) ([]string, []chat.Loss) {
	t.Helper()
	out, losses := codec.WriteStream(t, meta, wire.Options{}, deltas...)
	text, ok := strings.CutSuffix(out, "\r\n\r\n")
	if !ok || strings.Count(text, "\n") != 2*strings.Count(text, "\r\n\r\n") {
		t.Errorf("the events do not end as they must: %q", out)
	}
	var events []string
	for event := range strings.SplitSeq(text, "\r\n\r\n") {
		if part, ok := strings.CutPrefix(event, chunkHead); ok {
			if part, ok = strings.CutSuffix(part, chunkTail); ok {
				event = part
			}
		}
		event = strings.TrimPrefix(event, lastHead)
		events = append(events, strings.TrimSuffix(event, `,"modelVersion":"m","responseId":"r1","createTime":"1970-01-01T00:00:07Z"}`))
	}
	return events, losses
}

func TestStream(t *testing.T) {
	const (
		text, reasoning, refusal = toolcall.DeltaText, toolcall.DeltaReasoning, toolcall.DeltaRefusal
		call, finish, signature  = toolcall.DeltaToolCall, toolcall.DeltaFinish, toolcall.DeltaSignature
		failure                  = toolcall.DeltaError
	)
	withUsage := meta
	withUsage.Usage = chat.Usage{Input: 3, Output: 5, CachedInput: 1, Reasoning: 2, Total: 8}
	from := func(wire string) chat.Meta {
		m := meta
		m.Wire = wire
		return m
	}
	tests := []struct {
		name   string
		meta   chat.Meta
		in     []D
		want   []string
		losses int
	}{
		{
			"calls whole, in their order, and the usage last", withUsage,
			[]D{
				{Kind: reasoning, Text: "hm"}, {Kind: text, Text: "a\n\"😀"},
				{Kind: call, ID: "c1", Name: "f", Text: "{\n\"x\""}, {Kind: call, Index: 1, ID: "c2", Name: "g", Text: "{}", Done: true},
				{Kind: call, Text: ":1\r\n}", Done: true}, {Kind: finish, Text: "STOP"},
			},
			[]string{
				`{"text":"hm","thought":true}`, `{"text":"a\n\"😀"}`,
				`{"functionCall":{"id":"c1","name":"f","args":{ "x":1  }}}`, `{"functionCall":{"id":"c2","name":"g","args":{}}}`,
				`"STOP","index":0}],"usageMetadata":{"promptTokenCount":3,"cachedContentTokenCount":1,"candidatesTokenCount":3,"thoughtsTokenCount":2,"totalTokenCount":8}`,
			}, 0,
		},
		{
			"signatures on their parts", meta,
			[]D{
				{Kind: reasoning, Text: "hm"}, {Kind: signature, Index: -1, Text: "AAAA"}, {Kind: text, Text: "t"}, {Kind: signature, Index: -1, Text: "BBBB"},
				{Kind: call, ID: "c", Name: "f", Text: "{}", Done: true}, {Kind: signature, Name: toolcall.SignsCall, Text: "CCCC"}, {Kind: finish, Text: "STOP"},
			},
			[]string{
				`{"text":"hm","thought":true}`, `{"text":"","thought":true,"thoughtSignature":"AAAA"}`, `{"text":"t"}`, `{"text":"","thoughtSignature":"BBBB"}`,
				`{"functionCall":{"id":"c","name":"f","args":{}},"thoughtSignature":"CCCC"}`, `"STOP","index":0}]`,
			}, 0,
		},
		{
			"signatures of calls, from an OpenAI endpoint of the provider", from("openai"),
			[]D{{Kind: call, ID: "c", Name: "f", Text: "{}", Done: true}, {Kind: signature, Name: toolcall.SignsCall, Text: "CCCC"}, {Kind: text, Text: "t"}, {Kind: finish, Text: "stop"}},
			[]string{`{"functionCall":{"id":"c","name":"f","args":{}},"thoughtSignature":"CCCC"}`, `{"text":"t"}`, `"STOP","index":0}]`}, 0,
		},
		{
			"signatures of another provider, and encrypted reasoning", from("anthropic"),
			[]D{{Kind: reasoning, Text: "r"}, {Kind: signature, Index: -1, Text: "AAAA"}, {Kind: signature, Index: -1, Name: toolcall.SignsRedacted, Text: "AAAA"}, {Kind: finish, Text: "end_turn"}},
			[]string{`{"text":"r","thought":true}`, `"STOP","index":0}]`}, 2,
		},
		{
			"signatures that no client can decode, as the provider sent them", meta,
			[]D{{Kind: text, Text: "r"}, {Kind: signature, Index: -1, Text: "no base64"}, {Kind: finish, Text: "STOP"}},
			[]string{`{"text":"r"}`, `{"text":"","thoughtSignature":"no base64"}`, `"STOP","index":0}]`}, 0,
		},
		{
			"signatures that no client can decode, of another wire", from("openai"),
			[]D{{Kind: call, ID: "c", Name: "f", Text: "{}", Done: true}, {Kind: signature, Name: toolcall.SignsCall, Text: "no base64"}, {Kind: finish, Text: "stop"}},
			[]string{`{"functionCall":{"id":"c","name":"f","args":{}}}`, `"STOP","index":0}]`}, 1,
		},
		{
			"free text tools", from("openai"), []D{{Kind: call, ID: "c", Name: "f", Text: `{"input":"x"}`, Custom: true, Done: true}, {Kind: finish, Text: "stop"}},
			[]string{`{"functionCall":{"id":"c","name":"f","args":{"input":"x"}}}`, `"STOP","index":0}]`}, 1,
		},
		{
			"length inside arguments", meta, []D{{Kind: text, Text: "a"}, {Kind: call, ID: "c", Name: "f", Text: "{"}, {Kind: finish, Text: "tool_calls", Truncated: true}},
			[]string{`{"text":"a"}`, `"MAX_TOKENS","index":0}]`}, 1,
		},
		{
			"a whole call behind one that was cut", from("responses"),
			[]D{{Kind: call, ID: "a", Name: "f", Text: "{"}, {Kind: call, Index: 1, ID: "b", Name: "g", Text: "{}", Done: true}, {Kind: finish, Text: "completed"}},
			[]string{`{"functionCall":{"id":"b","name":"g","args":{}}}`, `"MAX_TOKENS","index":0}]`}, 1,
		},
		{"arguments that are not an object", from("openai"), []D{{Kind: call, ID: "c", Name: "f", Text: "[1]", Done: true}, {Kind: finish, Text: "stop"}}, []string{`{"functionCall":{"id":"c","name":"f","args":{"input":[1]}}}`, `"STOP","index":0}]`}, 1},
		{"refusal", from("openai"), []D{{Kind: refusal, Text: "no"}, {Kind: refusal, Text: "pe"}, {Kind: finish, Text: "stop"}}, []string{`{"text":"no"}`, `{"text":"pe"}`, `"STOP","index":0}]`}, 1},
		{"refusal as a reason", from("anthropic"), []D{{Kind: finish, Text: "refusal", Truncated: true}}, []string{`"SAFETY","index":0}]`}, 1},
		{"content filter", from("openai"), []D{{Kind: finish, Text: "content_filter", Truncated: true}}, []string{`"SAFETY","index":0}]`}, 0},
		{"the provider's own reason", meta, []D{{Kind: finish, Text: "PROHIBITED_CONTENT", Truncated: true}}, []string{`"PROHIBITED_CONTENT","index":0}]`}, 0},
		{"its reasons that others call otherwise", meta, []D{{Kind: finish, Text: "NO_IMAGE", Truncated: true}}, []string{`"NO_IMAGE","index":0}]`}, 0},
		{"its new reasons", meta, []D{{Kind: finish, Text: "NEW_REASON", Truncated: true}}, []string{`"NEW_REASON","index":0}]`}, 0},
		{"a blocked prompt", meta, []D{{Kind: finish, Name: "content_filter", Text: "OTHER", Truncated: true}}, []string{`data: {"promptFeedback":{"blockReason":"OTHER"}`}, 0},
		{"a blocked prompt, for a reason that is none of a finish", meta, []D{{Kind: finish, Name: "content_filter", Text: "JAILBREAK", Truncated: true}}, []string{`data: {"promptFeedback":{"blockReason":"JAILBREAK"}`}, 0},
		{"a prompt blocked late", meta, []D{{Kind: text, Text: "a"}, {Kind: finish, Name: "content_filter", Text: "BLOCKLIST", Truncated: true}}, []string{`{"text":"a"}`, `"BLOCKLIST","index":0}]`}, 0},
		{"a prompt blocked late, for a reason that means something else there", meta, []D{{Kind: text, Text: "a"}, {Kind: finish, Name: "content_filter", Text: "OTHER", Truncated: true}}, []string{`{"text":"a"}`, `"SAFETY","index":0}]`}, 0},
		{"a content filter of another wire", from("responses"), []D{{Kind: finish, Name: "content_filter", Text: "incomplete", Truncated: true}}, []string{`"SAFETY","index":0}]`}, 0},
		{
			"errors in mid-stream, without a frame, and behind whole calls", meta,
			[]D{{Kind: text, Text: "a"}, {Kind: call, ID: "c", Name: "f", Text: "{}", Done: true}, {Kind: failure, Name: "UNAVAILABLE", Text: "m"}},
			[]string{`{"text":"a"}`, `{"functionCall":{"id":"c","name":"f","args":{}}}`, `{"error":{"code":503,"message":"m","status":"UNAVAILABLE"}}`}, 0,
		},
		{"errors with a number", meta, []D{{Kind: failure, Name: "429", Text: "m"}}, []string{`data: {"modelVersion":"m","responseId":"r1","createTime":"1970-01-01T00:00:07Z"}`, `{"error":{"code":429,"message":"m"}}`}, 0},
		{"never finished", meta, []D{{Kind: text, Text: "a"}}, []string{`{"text":"a"}`, `"MAX_TOKENS","index":0}]`}, 0},
		{"nothing follows a finish reason", meta, []D{{Kind: finish, Text: "STOP"}, {Kind: text, Text: "a"}, {Kind: text, Text: "b"}}, []string{`"STOP","index":0}]`}, 1},
		{
			"choices above index 0", meta,
			[]D{{Kind: text, Choice: 1, Text: "b"}, {Kind: text, Text: "a"}, {Kind: finish, Choice: 1, Text: "STOP"}, {Kind: finish, Text: "MAX_TOKENS"}},
			[]string{
				`data: {"candidates":[{"content":{"parts":[{"text":"b"}],"role":"model"},"index":1}]`, `{"text":"a"}`,
				`"MAX_TOKENS","index":0},{"content":{"parts":[{"text":""}],"role":"model"},"finishReason":"STOP","index":1}]`,
			}, 0,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, losses := encode(t, tt.meta, tt.in...)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if len(losses) != tt.losses {
				t.Errorf("losses %v, want %d", losses, tt.losses)
			}
		})
	}
}

// A call is written as soon as it is whole, unless its signature may follow.
func TestStreamIsPrompt(t *testing.T) {
	for name, prompt := range map[string]bool{"": true, "anthropic": true, "responses": true, "openai": false, "gemini": false} {
		e := codec.NewEncoder(wire.Options{})
		e.SetMeta(chat.Meta{Wire: name})
		out := e.Append(nil, D{Kind: toolcall.DeltaToolCall, ID: "c", Name: "f", Text: "{}", Done: true})
		if prompt != (len(out) > 0) {
			t.Errorf("from %q: %q", name, out)
		}
	}
}

// What is held of calls is bounded.
func TestStreamHoldsNotTooMuch(t *testing.T) { codec.HoldsNotTooMuch(t, meta, "MAX_TOKENS") }
