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

// What a request holds that this wire cannot is told, each with what is done.
func TestRequestLosses(t *testing.T) {
	text := chat.TextPart
	image := chat.Part{Kind: chat.PartImage, Media: &chat.Media{Type: "image/png", Data: "iVBORw0KGgoAAAA="}}
	file := chat.Part{Kind: chat.PartFile, Media: &chat.Media{Type: "application/pdf", Data: "AAAA", Name: "a.pdf"}}
	failed := codectest.Failed(result("a", text("boom")))
	strict := codectest.Strict("f", `{"type":"object","properties":{}}`)
	two := []chat.Tool{tool("f", ""), tool("g", "")}
	const f, g = `{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{}}}}`, `{"type":"function","function":{"name":"g","parameters":{"type":"object","properties":{}}}}`
	tests := []struct {
		name   string
		req    chat.Request
		fields []string
		want   string // in the body
	}{
		{"fields of another wire", chat.Request{Extras: chat.Extras{{Wire: "anthropic", Name: "cache_control", Value: json.RawMessage(`{"type":"ephemeral"}`)}}}, []string{"cache_control"}, `{"model":"m","messages":[],"stream":false}`},
		{
			"system prompts in their place", history(chat.Message{Role: chat.System, Parts: []chat.Part{text("a")}}, user(text("u")), chat.Message{Role: chat.Developer, Parts: []chat.Part{text("b")}}),
			[]string{"messages[2].role"}, `[{"role":"system","content":"a"},{"role":"user","content":"u"},{"role":"system","content":"b"}]`,
		},
		{"empty messages", history(assistant(), user()), nil, `[{"role":"assistant","content":""},{"role":"user","content":""}]`},
		{
			"messages of which nothing is left", history(assistant(chat.Part{Kind: chat.PartReasoning, Redacted: "z"}), user(chat.Part{}), user(text("u"))),
			[]string{"messages[0].parts[0].redacted", "messages[0]", "messages[1].parts[0]", "messages[1]"}, `"messages":[{"role":"user","content":"u"}]`,
		},
		{"several texts", history(user(text("a"), text("b"))), []string{"messages[0].parts"}, `"content":"a\nb"`},
		{"several texts of the model, which may be halves of a sentence", history(assistant(text("a"), text(" b"))), []string{"messages[0].parts"}, `"content":"a b"`},
		{"order of text and calls", history(assistant(text("a"), chat.CallPart("c", "f", "{}"), text("b"))), []string{"messages[0].parts"}, `"content":"ab","tool_calls":[{"id":"c",`},
		{"order of text and images", history(user(image, text("a"))), []string{"messages[0].parts"}, `"content":"a","images":["iVBORw0KGgoAAAA="]`},
		{
			"thinking signatures", history(assistant(chat.Part{Kind: chat.PartReasoning, Text: "r", Signature: "s", SignedBy: "anthropic"}, text("t"))),
			[]string{"messages[0].parts[0].signature"}, `"content":"t","thinking":"r"}`,
		},
		{
			"redacted thinking", history(assistant(chat.Part{Kind: chat.PartReasoning, Redacted: "z", SignedBy: "anthropic"}, text("t"))),
			[]string{"messages[0].parts[0].redacted"}, `{"role":"assistant","content":"t"}`,
		},
		{"refusals", history(assistant(chat.Part{Kind: chat.PartRefusal, Text: "no"})), []string{"messages[0].parts[0]"}, `"content":"no"`},
		{
			"ids repeated by the source in later turns", history(assistant(chat.CallPart("a", "f", "{}")), result("a", text("1")), assistant(chat.CallPart("a", "g", "{}")), result("a", text("2"))),
			[]string{"messages[2].parts[0].call.id"}, `{"role":"tool","content":"2","tool_name":"g","tool_call_id":"a_2"}`,
		},
		{
			"results know the name of their call", history(assistant(chat.CallPart("a", "f", "{}"), chat.CallPart("b", "g", "{}")), result("b", text("2")), result("a", text("1"))), nil,
			`{"role":"tool","content":"2","tool_name":"g","tool_call_id":"b"},{"role":"tool","content":"1","tool_name":"f","tool_call_id":"a"}`,
		},
		{
			"calls without ids", history(assistant(chat.CallPart("", "f", "{}")), result("", text("1"))), nil,
			`"tool_calls":[{"function":{"index":0,"name":"f","arguments":{}}}]},{"role":"tool","content":"1","tool_name":"f"}]`,
		},
		{
			"parallel results and text in one message", history(assistant(chat.CallPart("a", "f", "{}"), chat.CallPart("b", "g", "{}")), user(text("u"), chat.ResultPart("a", text("1")), chat.ResultPart("b", text("2")))), nil,
			`{"role":"tool","content":"1","tool_name":"f","tool_call_id":"a"},{"role":"tool","content":"2","tool_name":"g","tool_call_id":"b"},{"role":"user","content":"u"}]`,
		},
		{"results without a call", history(result("x", text("1"))), nil, `{"role":"tool","content":"1","tool_call_id":"x"}`},
		{"is_error", history(assistant(chat.CallPart("a", "f", "{}")), failed), []string{"messages[1].parts[0].result.is_error"}, `"content":"[tool_error] boom"`},
		{
			"arguments that are not an object", history(assistant(chat.CallPart("a", "f", "[1]"), chat.CallPart("b", "f", `{"cut`), chat.CallPart("c", "f", ""))),
			[]string{"messages[0].parts[0].call.arguments", "messages[0].parts[1].call.arguments"},
			`"arguments":{"input":[1]}}},{"id":"b","function":{"index":1,"name":"f","arguments":{"INVALID_JSON":"{\"cut"}}},{"id":"c","function":{"index":2,"name":"f","arguments":{}}}`,
		},
		{
			"images in tool results", history(assistant(chat.CallPart("a", "f", "{}")), result("a", image, text("1"), text("2"), file)),
			[]string{"messages[1].parts[0].result.parts[3]", "messages[1].parts[0].result.parts"},
			`{"role":"tool","content":"1\n2\n[file a.pdf]","images":["iVBORw0KGgoAAAA="],"tool_name":"f","tool_call_id":"a"}`,
		},
		{
			"images and files elsewhere", history(user(chat.Part{Kind: chat.PartImage, Media: &chat.Media{URL: "https://example.com/a"}})), []string{"messages[0].parts[0]"}, `"content":"[image https://example.com/a]"`,
		},
		{"files by a provider's id", history(user(chat.Part{Kind: chat.PartImage, Media: &chat.Media{ID: "file-1"}})), []string{"messages[0].parts[0]"}, `"content":"[image file-1]"`},
		{"images of a type that cannot be seen", history(user(chat.Part{Kind: chat.PartImage, Media: &chat.Media{Type: "image/tiff", Data: "AAAA", Name: "n"}})), []string{"messages[0].parts[0].media.name", "messages[0].parts[0].media.type"}, `"images":["AAAA"]`},
		{"images that no client can decode", history(user(chat.Part{Kind: chat.PartImage, Media: &chat.Media{Data: "a_-b"}})), []string{"messages[0].parts[0]"}, `"content":"[image]"`},
		{"tool names with other characters", chat.Request{Tools: []chat.Tool{tool("7 zip.ü", `{"type":"object","properties":{}}`)}}, nil, `"name":"7 zip.ü"`},
		{
			"custom tools", chat.Request{Tools: []chat.Tool{{ToolDefinition: toolcall.ToolDefinition{Name: "f"}, Custom: true}}, Messages: []chat.Message{assistant(chat.Part{Kind: chat.PartCall, Call: &chat.Call{ID: "a", Name: "f", Arguments: `{"input":"x"}`, Custom: true}})}},
			[]string{"messages[0].parts[0].call.custom", "tools[0]"}, `"parameters":{"type":"object","properties":{"input":{"type":"string"}},"required":["input"]}`,
		},
		{"tools that a provider runs", chat.Request{Tools: []chat.Tool{{ToolDefinition: toolcall.ToolDefinition{Name: "web"}, Hosted: true}}}, []string{"tools[0]"}, `"messages":[],"stream":false}`},
		{"strict tools", chat.Request{Tools: []chat.Tool{strict}}, []string{"tools[0].strict"}, `"name":"f"`},
		{"auto", chat.Request{Tools: two, ToolChoice: chat.ToolChoice{Mode: chat.ChoiceAuto}}, nil, `"tools":[` + f + `,` + g + `]`},
		{"no tools", chat.Request{Tools: two, ToolChoice: chat.ToolChoice{Mode: chat.ChoiceNone}}, []string{"tool_choice"}, `"messages":[],"stream":false}`},
		{"required tools", chat.Request{Tools: two, ToolChoice: chat.ToolChoice{Mode: chat.ChoiceRequired}}, []string{"tool_choice"}, `"tools":[` + f + `,` + g + `]`},
		{"a forced tool", chat.Request{Tools: two, ToolChoice: chat.ToolChoice{Mode: chat.ChoiceOne, Tools: []string{"g"}}}, []string{"tool_choice"}, `"tools":[` + g + `]`},
		{"allowed tools", chat.Request{Tools: two, ToolChoice: chat.ToolChoice{Mode: chat.ChoiceRequired, Tools: []string{"g"}}}, []string{"tool_choice", "tool_choice.tools"}, `"tools":[` + g + `]`},
		{"no parallel calls", chat.Request{ParallelCalls: chat.Off}, []string{"parallel_calls"}, `{"model":"m","messages":[],"stream":false}`},
		{"settings", chat.Request{Stream: true, Temperature: "0.50", TopP: "1", MaxTokens: 3, Stop: []string{"a"}}, nil, `"options":{"temperature":0.50,"top_p":1,"num_predict":3,"stop":["a"]},"stream":true}`},
		{"numbers that are none", chat.Request{Temperature: "hot"}, []string{"temperature"}, `"options":{}`},
	}
	for _, tt := range tests {
		tt.req.Model = "m"
		t.Run(tt.name, func(t *testing.T) {
			body, losses := codec.WriteRequest(t, &tt.req, wire.Options{})
			codectest.Written(t, body, losses, tt.fields, tt.want)
			codec.ReadRequest(t, body)
		})
	}
}

// The server reads a part of JSON Schema, and refuses requests for what is not
// as it wants it.
func TestJSONSchemaSubset(t *testing.T) {
	for _, tt := range []struct {
		schema, want string
		fields       []string
	}{
		{``, `{"type":"object","properties":{}}`, nil},
		{`{"type":"object","properties":{"a":{"type":["string","null"],"enum":["x",1],"description":"d"}},"required":["a"],"$schema":"s","$defs":{"A":{"minimum":1}}}`, "", nil},
		{`{"type":"object","additionalProperties":false,"properties":{"a":{"minimum":1.0,"items":{"pattern":"x"}},"b":{"anyOf":[{"format":"uri"}]}}}`, "", nil},
		{`{"anyOf":[true],"description":5}`, "", nil},
		{`{"type":["object","null"],"properties":{"a":true,"b":{"anyOf":[false],"type":5,"description":[]}},"required":[1]}`, `{"type":"object","properties":{"a":{},"b":{"anyOf":[{}]}}}`, []string{"type", "properties.a", "properties.b.anyOf[0]", "properties.b.type", "properties.b.description", "required"}},
		{`{"properties":[],"type":["string"]}`, `{}`, []string{"properties", "type"}},
		{`[]`, `{"type":"object","properties":{}}`, []string{""}},
		{`{"broken`, `{"type":"object","properties":{}}`, []string{""}},
	} {
		out, losses := codec.WriteTools(t, []chat.Tool{tool("f", tt.schema)}, wire.Options{})
		if tt.want == "" {
			tt.want = tt.schema
		}
		if want := `[{"type":"function","function":{"name":"f","parameters":` + tt.want + `}}]`; out != want {
			t.Errorf("%s is written\n%s\nwant\n%s", tt.schema, out, want)
		}
		var fields []string
		for _, f := range codectest.Fields(losses) {
			fields = append(fields, strings.TrimPrefix(strings.TrimPrefix(f, "tools[0].parameters"), "."))
		}
		if diff := cmp.Diff(tt.fields, fields); diff != "" {
			t.Errorf("%s: losses (-want +got):\n%s", tt.schema, diff)
		}
	}
}

// Deep schemas take no more than linear time, and no stack to speak of.
func TestDeepSchema(t *testing.T) {
	const depth = 3000
	deep := strings.Repeat(`{"properties":{"a":`, depth) + "{}" + strings.Repeat("}}", depth)
	out, _ := codec.EncodeTools([]chat.Tool{tool("f", deep)}, wire.Options{})
	if !strings.Contains(string(out), deep) {
		t.Errorf("%d bytes", len(out))
	}
}

// Ids that are made are the same whenever the history is replayed, however far
// it has come, and the results find their calls.
func TestIDsMadeForCallsAreStable(t *testing.T) {
	messages := codec.ReadRequest(t, requests[2]).Messages
	all := wire.Link(messages)
	calls := all[2].Parts[1:]
	for i, c := range calls {
		if r := all[3+i].Parts[0].Result; c.Call.ID == "" || r.CallID != c.Call.ID || r.Name != "f" {
			t.Errorf("call %+v, result %+v", c.Call, r)
		}
	}
	if calls[0].Call.ID == calls[1].Call.ID {
		t.Error("two calls have one id")
	}
	if first := wire.Link(messages[:3]); first[2].Parts[1].Call.ID != calls[0].Call.ID {
		t.Error("the id depends on what comes later")
	}
}
