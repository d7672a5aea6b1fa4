package format_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
	"github.com/toolparse/toolparse/toolcall"
)

// breaks are characters at which some readers of lines end one, in addition to those that
// JSON escapes anyway.
const breaks = "\u0085\u0090\u2028\u2029"

// TestLinesHold: every encoder writes a stream or a body so that no reader takes one line
// for two, and values stay the same.
func TestLinesHold(t *testing.T) {
	text, _ := json.Marshal("a" + breaks + "b")
	raw := strings.NewReplacer(`\u2028`, "\u2028", `\u2029`, "\u2029").Replace(string(text)) // as other encoders write them
	deltas := []toolcall.Delta{
		{Kind: toolcall.DeltaReasoning, Text: "thought" + breaks},
		{Kind: toolcall.DeltaText, Text: "text" + breaks},
		{Kind: toolcall.DeltaToolCall, ID: "call_1", Name: "f", Text: `{"a":` + raw[:6]},
		{Kind: toolcall.DeltaToolCall, Text: raw[6:] + `}`, Done: true},
		{Kind: toolcall.DeltaToolCall, Index: 1, ID: "call_2", Name: "g", Text: `{"` + breaks + `":` + raw + `}`, Whole: true, Done: true},
		{Kind: toolcall.DeltaFinish, Name: "tool_calls"},
	}
	for _, name := range writable() {
		codec, _ := all.CodecOf(name)
		enc := codec.NewEncoder(wire.Options{})
		enc.SetMeta(chat.Meta{ID: "id" + breaks, Model: "m" + breaks})
		var out []byte
		for _, d := range deltas {
			out = enc.Append(out, d)
		}
		out = enc.Close(out)
		unbroken(t, string(name)+" stream", out)
		said, _, err := say(out, name, name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(said.Text, "text"+breaks) || len(said.Calls) != 2 {
			t.Errorf("%s: the stream says %+v", name, said)
		}
		for _, c := range said.Calls {
			var args map[string]string
			if err := json.Unmarshal([]byte(c.Args), &args); err != nil || len(args) != 1 {
				t.Errorf("%s: arguments %q: %v", name, c.Args, err)
			}
			for _, v := range args {
				if v != "a"+breaks+"b" {
					t.Errorf("%s: an argument is %+q", name, v)
				}
			}
		}
		call := chat.CallPart("call_1", "f", `{"`+breaks+`":`+raw+`}`)
		call.Extras = chat.Extras{{Wire: string(name), Name: "x_unknown", Value: json.RawMessage(raw)}}
		message := chat.Message{Role: chat.Assistant, Parts: []chat.Part{chat.TextPart(breaks), call}}
		body, _ := codec.EncodeResponse(&wire.Response{Meta: chat.Meta{ID: "x", Model: "m"}, Choices: []wire.Choice{{Message: message}}}, wire.Options{})
		unbroken(t, string(name)+" response", body)
	}
}

// TestUnknownMembersHold checks the same for members that only one wire has.
func TestUnknownMembersHold(t *testing.T) {
	for wire, bodies := range foreignStreams() {
		for _, body := range bodies {
			for _, to := range writable() {
				var out bytes.Buffer
				if _, err := format.TranslateStream(&out, strings.NewReader(body), wire, to, format.TranslateOptions{}); err != nil {
					t.Fatalf("%s: %v", wire, err)
				}
				unbroken(t, string(wire)+" to "+string(to), out.Bytes())
			}
		}
	}
}

// foreignStreams are streams with members that only their wire has.
func foreignStreams() map[format.Wire][]string {
	x := `"x_note":{"` + breaks + `":["` + breaks + `"]}`
	return map[format.Wire][]string{
		format.OpenAI: {`data: {"id":"c","object":"chat.completion.chunk",` + x + `,"choices":[{"index":0,` + x + `,"delta":{"content":"a",` + x + `,"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"{}"},` + x + `}]},"finish_reason":"tool_calls"}]}` + "\n\ndata: [DONE]\n\n"},
		format.Anthropic: {`data: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],` + x + `}}` + "\n\n" +
			`data: {"type":"content_block_start","index":0,"content_block":{"type":"server_tool_use","id":"s","name":"web_search","input":{},` + x + `}}` + "\n\n" +
			`data: {"type":"content_block_stop","index":0}` + "\n\n" + `data: {"type":"x_event",` + x + `}` + "\n\n" +
			`data: {"type":"message_delta","delta":{"stop_reason":"end_turn",` + x + `}}` + "\n\n" + `data: {"type":"message_stop"}` + "\n\n"},
		format.Gemini: {`data: {"candidates":[{"content":{"parts":[{"text":"a",` + x + `},{"executableCode":{"code":"` + breaks + `"}},{"functionCall":{"name":"f","args":{` + x + `}}}],"role":"model"},"finishReason":"STOP",` + x + `}],` + x + `}` + "\n\n"},
		format.Ollama: {`{"model":"m","message":{"role":"assistant","content":"a",` + x + `,"tool_calls":[{"function":{"name":"f","arguments":{` + x + `}}}]},"done":true,"done_reason":"stop",` + x + `}` + "\n"},
		format.Responses: {`data: {"type":"response.created","response":{"id":"r","object":"response","status":"in_progress","output":[],` + x + `}}` + "\n\n" +
			`data: {"type":"response.output_item.added","output_index":0,"item":{"type":"x_item","id":"i",` + x + `}}` + "\n\n" +
			`data: {"type":"response.output_item.done","output_index":0,"item":{"type":"x_item","id":"i",` + x + `}}` + "\n\n" +
			`data: {"type":"response.completed","response":{"id":"r","object":"response","status":"completed","output":[{"type":"x_item","id":"i",` + x + `}],` + x + `}}` + "\n\n"},
	}
}

// unbroken fails if a line of JSON contains a character that ends lines.
func unbroken(t *testing.T, what string, text []byte) {
	t.Helper()
	if at := bytes.IndexFunc(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), func(r rune) bool {
		return r != '\n' && (unicode.IsControl(r) || r == '\u2028' || r == '\u2029')
	}); at >= 0 {
		t.Errorf("%s: a line may end at byte %d: %+q", what, at, text[max(0, at-40):min(len(text), at+10)])
	}
}
