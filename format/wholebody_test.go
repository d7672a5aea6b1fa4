package format_test

import (
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/internal/jsonindex"
	"github.com/toolparse/toolparse/internal/wholebody"
)

// envelopeMembers are members that distinguish wires, calls and requests, and values that
// they have, in any combination.
var (
	envelopeKeys = []string{
		"type", "object", "choices", "candidates", "promptFeedback", "usageMetadata", "message", "done", "model", "content", "role", "response",
		"sequence_number", "event_id", "error", "id", "created", "usage", "modelVersion", "output", "status", "name", "arguments", "parameters",
		"input", "tool_calls", "function", "messages", "contents", "novelty", `n\u0061me`,
	}
	envelopeValues = []string{
		`"message"`, `"error"`, `"response"`, `"response.created"`, `"message_start"`, `"chat.completion"`, `"function"`, `"session.update"`, `"assistant"`, `"m"`, `""`,
		`"chat\u002ecompletion"`, `null`, `true`, `3`, `{}`, `[]`, `[{}]`, `{"role":"assistant"}`, `{"message":"m"}`, `{"status":"s"}`, `[{"type":"message"}]`, `[{"delta":{}}]`,
		`[{"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}]`, `[{"content":{"parts":[{"text":"a"}]}}]`, `[{"role":"user","content":"hi"}]`,
		`[{"type":"tool_use","id":"t","name":"f","input":{}}]`,
	}
	decidingMembers = []string{
		`"name":"f"`, `"name":3`, `"arguments":{}`, `"type":"function"`, `"type":"t"`, `"object":"chat.completion"`, `"choices":[{"message":{}}]`, `"error":"x"`,
		`"model":"m"`, `"input":"x"`, `"tools":[]`, `"type":"message_start"`,
	}
)

// wholeBody returns a reader of a value inside a document.
func wholeBody(v jsonindex.Value, wire string) *wholebody.Reader {
	r := new(wholebody.Reader)
	r.Reset(v, wire)
	return r
}

// A body inside a document that has been read is what it is alone.
func TestWholeBodyInADocument(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var body string
		if rapid.Bool().Draw(t, "known") {
			maker := &bodyMaker{t: t}
			body = maker.pick("wire", maker.openai(), maker.responses(), maker.anthropic())
		} else {
			var members []string
			for range rapid.IntRange(0, 5).Draw(t, "members") {
				members = append(members, `"`+rapid.SampledFrom(envelopeKeys).Draw(t, "key")+`":`+rapid.SampledFrom(envelopeValues).Draw(t, "value"))
			}
			body = object(members...)
		}
		var ix jsonindex.Index
		document, ok := ix.Read([]byte(`{"line":[1,{"é":""}],"body": ` + body + `,"last":2}`))
		if !ok {
			t.Fatalf("not JSON: %s", body)
		}
		wire := rapid.SampledFrom(append(format.Wires(), format.Auto, "")).Draw(t, "wire")
		inside := wholeBody(document.Get("body"), string(wire))
		checkStreams(t, body, format.NewStream(strings.NewReader(body), format.Options{Wire: wire}), format.NewStream(inside, format.Options{}))
		if bytes, err := io.ReadAll(wholeBody(document.Get("body"), "")); string(bytes) != body || err != nil {
			t.Errorf("it reads as %s, %v, want %s", bytes, err, body)
		}
	})
}

// Inputs that are told apart by their beginning, if they are one object.
func TestWholeBodySniffed(t *testing.T) {
	for _, tt := range sniffed {
		if !json.Valid([]byte(tt.input)) || !strings.HasPrefix(tt.input, "{") {
			continue
		}
		v, _ := new(jsonindex.Index).Read([]byte(tt.input))
		checkStreams(t, tt.input, format.NewStream(strings.NewReader(tt.input), format.Options{}), format.NewStream(wholeBody(v, ""), format.Options{}))
	}
}

// Members that decide, in each order of three of them.
func TestWholeBodyInAnyOrder(t *testing.T) {
	for _, first := range decidingMembers {
		for _, second := range decidingMembers {
			for _, third := range decidingMembers {
				body := object(first, second, third)
				v, _ := new(jsonindex.Index).Read([]byte(body))
				checkStreams(t, body, format.NewStream(strings.NewReader(body), format.Options{}), format.NewStream(wholeBody(v, ""), format.Options{}))
			}
		}
	}
}

// checkStreams compares the wires, the deltas, the errors and the metadata of two streams.
func checkStreams(t interface{ Errorf(string, ...any) }, body string, want, got *format.Stream) {
	wantWire, wantErr := want.Wire()
	gotWire, gotErr := got.Wire()
	if gotWire != wantWire || message(gotErr) != message(wantErr) {
		t.Errorf("%s: wire %s, %v; want %s, %v", body, gotWire, gotErr, wantWire, wantErr)
	}
	wantDeltas, wantErr := collectStream(want)
	gotDeltas, gotErr := collectStream(got)
	if diff := cmp.Diff(wantDeltas, gotDeltas); diff != "" {
		t.Errorf("%s: deltas (-want +got):\n%s", body, diff)
	}
	if diff := cmp.Diff(message(wantErr), message(gotErr)); diff != "" {
		t.Errorf("%s: error (-want +got):\n%s", body, diff)
	}
	if diff := cmp.Diff([]any{want.Meta(), want.Faults()}, []any{got.Meta(), got.Faults()}); diff != "" {
		t.Errorf("%s: meta and faults (-want +got):\n%s", body, diff)
	}
}
