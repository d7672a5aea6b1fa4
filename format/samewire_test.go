package format_test

import (
	"testing"

	"github.com/toolparse/toolparse/format"
)

// Translating from a wire to itself changes nothing, or reports the change.
func TestShapeIsKeptOnTheSameWire(t *testing.T) {
	const (
		reshaped = "stream.content: their place is already written, has another shape, or is missing; its thinking is written as reasoning_content"
		thinking = `"content":[{"type":"thinking","thinking":[{"type":"text","text":"r"}]}]`
		sent     = `{"id":"a","choices":[{"index":0,"delta":{` + thinking + `}}]}`
		other    = `{"id":"b","choices":[{"index":0,"delta":{"content":"t"},"finish_reason":"stop"}]}`
	)
	for _, tt := range []struct {
		name, body string
		kind       format.Kind
		want       translated
	}{
		{"thinking in a list", event(sent) + event("[DONE]"), format.KindStream, translated{format.OpenAI, `"reasoning_content":"r"`, thinking, []string{reshaped}}},
		{"an id that changes", event(sent) + event(other) + event("[DONE]"), format.KindStream, translated{
			format.OpenAI, `"content":"t"`, `"id":"b"`, []string{reshaped, "stream.id: every answer has one id; the first one stays"},
		}},
		{"a text in a list", `{"model":"m","max_tokens":5,"system":[{"type":"text","text":"s"}],"messages":[{"role":"user","content":[{"type":"text","text":"t"}]}]}`, format.KindRequest, translated{
			format.Anthropic, `"system":[{"type":"text","text":"s"}],"messages":[{"role":"user","content":[{"type":"text","text":"t"}]}]`, "", nil,
		}},
		{"a text alone", `{"model":"m","max_tokens":5,"messages":[{"role":"user","content":"t"}]}`, format.KindRequest, translated{format.Anthropic, `"content":"t"`, "", nil}},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.want.check(t, tt.want.to, tt.kind, tt.body) })
	}
}
