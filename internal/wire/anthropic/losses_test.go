package anthropic_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/test/codectest"
	"github.com/toolparse/toolparse/toolcall"
)

// The known hard parts of translation, as this wire has them: each is carried,
// or changed and told.
func TestHardParts(t *testing.T) {
	foreign := chat.Extras{{Wire: "openai", Name: "seed", Value: json.RawMessage("7")}}
	image := chat.Part{Kind: chat.PartImage, Media: &chat.Media{Data: "/9j/AA"}}
	plain := tool("f", `{"type":"object"}`)
	isError := codectest.Failed(result("a", chat.TextPart("boom")))
	tests := []struct {
		name   string
		req    chat.Request
		opts   wire.Options
		fields []string // of the losses, but for the default token limit
		want   string   // in the body
	}{
		{
			"thinking signatures and redacted thinking carried",
			chat.Request{Messages: []chat.Message{assistant(chat.Part{Kind: chat.PartReasoning, Text: "r", Signature: "s", SignedBy: "anthropic"}, chat.Part{Kind: chat.PartReasoning, Redacted: "z", SignedBy: "anthropic"}, chat.TextPart("t"))}},
			wire.Options{}, nil, `[{"type":"thinking","thinking":"r","signature":"s"},{"type":"redacted_thinking","data":"z"},{"type":"text","text":"t"}]`,
		},
		{
			"thinking of other providers reported",
			chat.Request{Messages: []chat.Message{assistant(chat.Part{Kind: chat.PartReasoning, Text: "r", Signature: "s", SignedBy: "gemini"}, chat.Part{Kind: chat.PartReasoning, Redacted: "z", SignedBy: "responses"}, chat.Part{Kind: chat.PartReasoning, Text: "unsigned"}, chat.TextPart("t"))}},
			wire.Options{}, []string{"messages[0].parts[0].signature", "messages[0].parts[0].text", "messages[0].parts[1].redacted", "messages[0].parts[2].text"}, `"messages":[{"role":"assistant","content":"t"}]`,
		},
		{
			"nothing but another's thinking leaves no message",
			chat.Request{Messages: []chat.Message{user(chat.TextPart("u")), assistant(chat.Part{Kind: chat.PartReasoning, Text: "r"}), user(chat.TextPart("v"))}},
			wire.Options{}, []string{"messages[1].parts[0].text", "messages[1]"}, `"messages":[{"role":"user","content":"u"},{"role":"user","content":"v"}]`,
		},
		{
			"blank texts",
			chat.Request{Messages: []chat.Message{assistant(chat.CallPart("a", "f", "{}"), chat.TextPart(" \n"), chat.CallPart("b", "f", "{}")), user(chat.TextPart(" "))}},
			wire.Options{}, []string{"messages[0].parts[1]", "messages[0].parts[0]", "messages[0].parts[2]", "messages[1].parts[0]", "messages[1]"}, `"input":{}},{"type":"tool_use","id":"b","name":"f","input":{}}]}]}`,
		},
		{
			"signatures of texts and calls",
			chat.Request{Messages: []chat.Message{assistant(chat.Part{Kind: chat.PartText, Text: "t", Signature: "g", SignedBy: "gemini"}, chat.Part{Kind: chat.PartCall, Call: &chat.Call{ID: "a", Name: "f", Arguments: "{}"}, Signature: "g", SignedBy: "gemini"})}},
			wire.Options{}, []string{"messages[0].parts[0].signature", "messages[0].parts[1].signature", "messages[0].parts[1]"}, `[{"type":"text","text":"t"},{"type":"tool_use","id":"a","name":"f","input":{}}]`,
		},
		{
			"ids with other characters, in calls and results",
			chat.Request{Messages: []chat.Message{assistant(chat.CallPart("functions.f:0", "f", "{}")), result("functions.f:0", chat.TextPart("r"))}},
			wire.Options{IDs: renamesTo(t, "functions.f:0")}, []string{"messages[0].parts[0].call.id"}, `"tool_use_id":"functions_f_0_`,
		},
		{
			"ids repeated by the source in later turns",
			chat.Request{Messages: []chat.Message{assistant(chat.CallPart("a", "f", "{}")), result("a", chat.TextPart("1")), assistant(chat.CallPart("a", "f", "{}")), result("a", chat.TextPart("2"))}},
			wire.Options{}, []string{"messages[2].parts[0].call.id"}, `"tool_use_id":"a_2","content":"2"`,
		},
		{
			"ids made for calls without one, and matched back",
			chat.Request{Messages: []chat.Message{assistant(chat.CallPart("", "f", "{}"), chat.CallPart("", "g", "{}")), {Role: chat.ToolRole, Parts: []chat.Part{{Kind: chat.PartResult, Result: &chat.Result{Name: "g", Parts: []chat.Part{chat.TextPart("2")}}}, {Kind: chat.PartResult, Result: &chat.Result{Name: "f", Parts: []chat.Part{chat.TextPart("1")}}}}}}},
			wire.Options{}, []string{"messages[1]"}, `[{"type":"tool_result","tool_use_id":"` + wire.MakeID("", 0, "f") + `","content":"1"},{"type":"tool_result","tool_use_id":"` + wire.MakeID("", 1, "g") + `","content":"2"}]`,
		},
		{
			"parallel results merged into one user turn, in call order, before the user's text",
			chat.Request{Messages: []chat.Message{assistant(chat.CallPart("a", "f", "{}"), chat.CallPart("b", "f", "{}")), user(chat.TextPart("and")), result("b", chat.TextPart("2")), result("a", chat.TextPart("1"))}},
			wire.Options{}, []string{"messages[2]"}, `{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"1"},{"type":"tool_result","tool_use_id":"b","content":"2"},{"type":"text","text":"and"}]}`,
		},
		{
			"parallel results in call order are no loss",
			chat.Request{Messages: []chat.Message{assistant(chat.CallPart("a", "f", "{}"), chat.CallPart("b", "f", "{}")), result("a", chat.TextPart("1")), result("b", chat.TextPart("2"))}},
			wire.Options{}, nil, `{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"1"},{"type":"tool_result","tool_use_id":"b","content":"2"}]}`,
		},
		{
			"calls in several messages in a row",
			chat.Request{Messages: []chat.Message{assistant(chat.CallPart("a", "f", "{}")), assistant(chat.CallPart("b", "f", "{}")), result("b", chat.TextPart("2")), result("a", chat.TextPart("1"))}},
			wire.Options{}, []string{"messages[2]"}, `{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"1"},{"type":"tool_result","tool_use_id":"b","content":"2"}]}`,
		},
		{
			"results without a call",
			chat.Request{Messages: []chat.Message{user(chat.TextPart("u")), result("gone", chat.TextPart("r"))}},
			wire.Options{}, []string{"messages[1].parts[0]"}, `[{"role":"user","content":"u"},{"role":"user","content":[{"type":"text","text":"[result of the call gone]"},{"type":"text","text":"r"}]}]`,
		},
		{
			"calls without a result",
			chat.Request{Messages: []chat.Message{assistant(chat.CallPart("a", "f", "{}"), chat.CallPart("b", "f", "{}")), result("b", chat.TextPart("2")), assistant(chat.CallPart("c", "f", "{}"))}},
			wire.Options{}, []string{"messages[0].parts[0]", "messages[2].parts[0]"}, `[{"type":"tool_result","tool_use_id":"b","content":"2"}]`,
		},
		{"is_error", chat.Request{Messages: []chat.Message{assistant(chat.CallPart("a", "f", "{}")), isError}}, wire.Options{}, nil, `{"type":"tool_result","tool_use_id":"a","content":"boom","is_error":true}`},
		{
			"arguments that are not an object",
			chat.Request{Messages: []chat.Message{assistant(chat.CallPart("a", "f", "[1]"), chat.CallPart("b", "f", `{"cut`), chat.CallPart("c", "f", ""))}},
			wire.Options{}, []string{"messages[0].parts[0].call.arguments", "messages[0].parts[1].call.arguments", "messages[0].parts[0]", "messages[0].parts[1]", "messages[0].parts[2]"},
			`"input":{"input":[1]}},{"type":"tool_use","id":"b","name":"f","input":{"INVALID_JSON":"{\"cut"}},{"type":"tool_use","id":"c","name":"f","input":{}}`,
		},
		{
			"tool names with other characters",
			chat.Request{Tools: []chat.Tool{tool("a.b", `{"type":"object"}`)}, ToolChoice: chat.ToolChoice{Mode: chat.ChoiceOne, Tools: []string{"a.b"}}},
			wire.Options{}, []string{"tools[0].name"}, `"tool_choice":{"type":"tool","name":"a_b_`,
		},
		{
			"forced tool without parallel calls",
			chat.Request{Tools: []chat.Tool{plain}, ToolChoice: chat.ToolChoice{Mode: chat.ChoiceOne, Tools: []string{"f"}}, ParallelCalls: chat.Off},
			wire.Options{}, nil, `"tool_choice":{"type":"tool","name":"f","disable_parallel_tool_use":true}`,
		},
		{"no parallel calls, and no choice", chat.Request{Tools: []chat.Tool{plain}, ParallelCalls: chat.Off}, wire.Options{}, nil, `"tool_choice":{"type":"auto","disable_parallel_tool_use":true}`},
		{"required", chat.Request{Tools: []chat.Tool{plain}, ToolChoice: chat.ToolChoice{Mode: chat.ChoiceRequired}}, wire.Options{}, nil, `"tool_choice":{"type":"any"}`},
		{"none, and parallel calls", chat.Request{Tools: []chat.Tool{plain}, ToolChoice: chat.ToolChoice{Mode: chat.ChoiceNone}, ParallelCalls: chat.Off}, wire.Options{}, []string{"parallel_calls"}, `"tool_choice":{"type":"none"}`},
		{"a choice without tools", chat.Request{ToolChoice: chat.ToolChoice{Mode: chat.ChoiceOne, Tools: []string{"f"}}, ParallelCalls: chat.Off}, wire.Options{}, []string{"tool_choice", "parallel_calls"}, `"messages":[]}`},
		{
			"allowed tools",
			chat.Request{Tools: []chat.Tool{tool("f", `{"type":"object"}`), tool("g.", `{"type":"object"}`), tool("h.", `{"type":"object"}`)}, ToolChoice: chat.ToolChoice{Mode: chat.ChoiceRequired, Tools: []string{"f", "h."}}},
			wire.Options{}, []string{"tool_choice.tools", "tools[2].name"}, `"tool_choice":{"type":"any"}`,
		},
		{
			"system prompts in their place",
			chat.Request{Messages: []chat.Message{{Role: chat.System, Parts: []chat.Part{chat.TextPart("a")}}, user(chat.TextPart("u")), {Role: chat.Developer, Parts: []chat.Part{chat.TextPart("b")}}}},
			wire.Options{}, []string{"messages[2]", "messages[2].role"}, `"system":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"messages":[{"role":"user","content":"u"}]`,
		},
		{
			"images in tool results",
			chat.Request{Messages: []chat.Message{assistant(chat.CallPart("a", "f", "{}")), result("a", chat.TextPart("see"), image)}},
			wire.Options{}, nil, `"content":[{"type":"text","text":"see"},{"type":"image","source":{"type":"base64","media_type":"image/jpeg","data":"/9j/AA"}}]`,
		},
		{"images of the model", chat.Request{Messages: []chat.Message{assistant(image, chat.TextPart("t"))}}, wire.Options{}, []string{"messages[0].parts[0]"}, `{"role":"assistant","content":"t"}`},
		{"text files", chat.Request{Messages: []chat.Message{{Role: chat.User, Parts: []chat.Part{{Kind: chat.PartFile, Media: &chat.Media{Type: "text/csv", Name: "a.csv", Data: "YSxi"}}}}}}, wire.Options{}, []string{"messages[0].parts[0].media.type"}, `{"type":"document","source":{"type":"text","media_type":"text/plain","data":"a,b"},"title":"a.csv"}`},
		{"temperature", chat.Request{Temperature: "1.5"}, wire.Options{}, []string{"temperature"}, `"temperature":1`},
		{"blank stop sequences", chat.Request{Stop: []string{"\n", "a"}}, wire.Options{}, []string{"stop[0]"}, `"stop_sequences":["a"]`},
		{"custom tools", chat.Request{Tools: []chat.Tool{{ToolDefinition: toolcall.ToolDefinition{Name: "f"}, Custom: true}}}, wire.Options{}, []string{"tools[0]"}, `"input_schema":{"type":"object","properties":{"input":{"type":"string"}},"required":["input"]}`},
		{"tools that another provider runs", chat.Request{Tools: []chat.Tool{{ToolDefinition: toolcall.ToolDefinition{Name: "web"}, Hosted: true, Extras: foreign}}, ToolChoice: chat.ToolChoice{Mode: chat.ChoiceAuto}}, wire.Options{}, []string{"tool_choice", "tools[0]"}, `"messages":[]}`},
		{"strict tools", chat.Request{Tools: []chat.Tool{{ToolDefinition: toolcall.ToolDefinition{Name: "f"}, Strict: chat.On}}}, wire.Options{}, nil, `"input_schema":{"type":"object","properties":{},"additionalProperties":false},"strict":true`},
		{
			"strict tools with bounds", chat.Request{Tools: []chat.Tool{{ToolDefinition: toolcall.ToolDefinition{Name: "f", Parameters: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer","minimum":1}},"required":["n"],"additionalProperties":false}`)}, Strict: chat.On}}},
			wire.Options{}, []string{"tools[0].parameters.properties.n.minimum"}, `{"n":{"type":"integer","description":"minimum: 1"}},"required":["n"],"additionalProperties":false},"strict":true`,
		},
		{
			"strict tools with recursive schemas", chat.Request{Tools: []chat.Tool{{ToolDefinition: toolcall.ToolDefinition{Name: "f", Parameters: json.RawMessage(`{"type":"object","properties":{"n":{"$ref":"#"}}}`)}, Strict: chat.On}}},
			wire.Options{}, []string{"tools[0].strict"}, `{"n":{"$ref":"#"}}},"strict":false`,
		},
		{"fields of another wire", chat.Request{Extras: foreign}, wire.Options{}, []string{"seed"}, `"messages":[]`},
		{"refusals", chat.Request{Messages: []chat.Message{assistant(chat.Part{Kind: chat.PartRefusal, Text: "no"})}}, wire.Options{}, []string{"messages[0].parts[0]"}, `"content":"no"`},
		{"roles of another wire", chat.Request{Messages: []chat.Message{{Role: "critic", Parts: []chat.Part{chat.TextPart("x")}}}}, wire.Options{}, []string{"messages[0]"}, `"messages":[]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.req.MaxTokens, tt.req.Model = 1, "m"
			before, err := json.Marshal(tt.req)
			if err != nil {
				t.Fatal(err)
			}
			body, losses := codec.WriteRequest(t, &tt.req, tt.opts)
			codectest.Written(t, body, losses, tt.fields, tt.want)
			if after, _ := json.Marshal(tt.req); string(after) != string(before) {
				t.Errorf("the request was changed:\n%s\n%s", before, after)
			}
		})
	}
}

// renamesTo returns renames that are checked, at the end of the test, to know
// the way back to a source.
func renamesTo(t *testing.T, source string) *wire.Renames {
	r := wire.NewRenames(wire.Rule{OtherChars: "_-"})
	t.Cleanup(func() {
		name, changed := r.Rename(source)
		if !changed || r.Source(name) != source {
			t.Errorf("%q does not lead back to %q", name, source)
		}
	})
	return r
}

// max_tokens is mandatory: a default is set, and told.
func TestDefaultTokenLimit(t *testing.T) {
	body, losses := codec.WriteRequest(t, &chat.Request{Model: "m"}, wire.Options{})
	if !strings.Contains(body, `"max_tokens":4096`) || len(losses) != 1 || losses[0].Field != "max_tokens" || !strings.Contains(losses[0].Action, "4096") {
		t.Errorf("%s, %v", body, losses)
	}
}

// The root of a schema is an object without alternatives, which still allows
// all that it allowed.
func TestSchemas(t *testing.T) {
	for _, tt := range []struct{ name, in, want, done string }{
		{"none", ``, `{"type":"object"}`, ""},
		{"anything", `true`, `{"type":"object"}`, ""},
		{"as it should be", `{"type":"object", "x":1}`, `{"type":"object", "x":1}`, ""},
		{"no type", `{"properties":{"a":{}}}`, `{"type":"object","properties":{"a":{}}}`, ""},
		{"not valid JSON", `{"type":`, `{"type":"object"}`, "not valid JSON"},
		{"nothing fits", `false`, `{"type":"object"}`, "no arguments"},
		{"null too", `{"type":["object","null"],"properties":{"a":{}},"additionalProperties":false}`, `{"type":"object","properties":{"a":{}},"additionalProperties":false}`, "merged"},
		{"a list", `{"type":"array","items":{"$ref":"#/$defs/q"},"$defs":{"q":{}}}`, `{"type":"object","properties":{"input":{"type":"array","items":{"$ref":"#/$defs/q"}}},"required":["input"],"$defs":{"q":{}}}`, "wrapped"},
		{
			"a reference", `{"$ref":"#/definitions/A~1b","definitions":{"A/b":{"type":"object","description":"d","properties":{"x":{"type":"string"}},"required":["x"]}}}`,
			`{"type":"object","properties":{"x":{"type":"string"}},"required":["x"],"description":"d","definitions":{"A/b":{"type":"object","description":"d","properties":{"x":{"type":"string"}},"required":["x"]}}}`, "merged",
		},
		{
			"alternatives", `{"anyOf":[{"type":"object","properties":{"kind":{"const":"a"},"x":{}},"required":["kind","x"]},{"type":"object","properties":{"kind":{"const":"b"},"y":{}},"required":["kind"]},{"type":"null"}],"description":"d"}`,
			`{"type":"object","properties":{"kind":{"anyOf":[{"const":"a"},{"const":"b"}]},"x":{},"y":{}},"required":["kind"],"description":"d"}`, "merged",
		},
		{
			"alternatives of what is required", `{"type":"object","properties":{"a":{},"b":{}},"required":["c"],"anyOf":[{"required":["a"]},{"required":["b"]}],"additionalProperties":false}`,
			`{"type":"object","properties":{"a":{},"b":{}},"required":["c"],"additionalProperties":false}`, "merged",
		},
		{
			"all of them", `{"allOf":[{"properties":{"a":{"minLength":1}},"required":["a"]},{"properties":{"a":{"maxLength":2},"b":{}},"required":["b"]}]}`,
			`{"type":"object","properties":{"a":{"allOf":[{"minLength":1},{"maxLength":2}]},"b":{}},"required":["a","b"]}`, "merged",
		},
		{"without end", `{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/a"}}}`, `{"type":"object","properties":{"input":{"$ref":"#/$defs/a"}},"required":["input"],"$defs":{"a":{"$ref":"#/$defs/a"}}}`, "wrapped"},
		{"alternatives that are no objects", `{"oneOf":[{"type":"string"},{"type":"object"}]}`, `{"type":"object","properties":{"input":{"oneOf":[{"type":"string"},{"type":"object"}]}},"required":["input"]}`, "wrapped"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, losses := codec.EncodeTools([]chat.Tool{tool("f", tt.in)}, wire.Options{})
			if want := `[{"name":"f","input_schema":` + tt.want + `}]`; string(out) != want {
				t.Errorf("%s\nwant %s", out, want)
			}
			if tt.done == "" && len(losses) > 0 || tt.done != "" && (len(losses) != 1 || !strings.Contains(losses[0].Action, tt.done)) {
				t.Errorf("losses %v, want %q", losses, tt.done)
			}
		})
	}
}
