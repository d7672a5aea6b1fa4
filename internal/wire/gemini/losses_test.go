package gemini_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/test/codectest"
	"github.com/toolparse/toolparse/toolcall"
)

// What a request holds that this wire cannot is told, each with what is done.
func TestRequestLosses(t *testing.T) {
	text := chat.TextPart
	image := chat.Part{Kind: chat.PartImage, Media: &chat.Media{Type: "image/png", Data: "AAAA"}}
	signed := func(by string) chat.Part {
		p := chat.CallPart("a", "f", "{}")
		p.Signature, p.SignedBy = "c2ln", by
		return p
	}
	named := func(model string) chat.Request { // on this wire
		return chat.Request{
			Model: model, Extras: chat.Extras{{Wire: "gemini", Name: "model", Spelling: true}},
			Messages: []chat.Message{assistant(chat.CallPart("a", "f", "{}"))},
		}
	}
	failed := codectest.Failed(result("a", text("boom")))
	strict := codectest.Strict("f", `{"type":"object","properties":{"a":{"type":"string"}}}`)
	const call = `{"functionCall":{"id":"a","name":"f","args":{}},"thoughtSignature":"skip_thought_signature_validator"}`
	tests := []struct {
		name   string
		req    chat.Request
		fields []string
		want   string // in the body
	}{
		{"the model and the stream flag are in the URL", chat.Request{Model: "m", Stream: true}, []string{"model", "stream"}, `{"contents":[]}`},
		{"fields of another wire", chat.Request{Extras: chat.Extras{{Wire: "anthropic", Name: "cache_control", Value: json.RawMessage("{}")}}}, []string{"cache_control"}, `{"contents":[]}`},
		{
			"system prompts in their place",
			history(chat.Message{Role: chat.System, Parts: []chat.Part{text("a")}}, user(text("u")), chat.Message{Role: chat.Developer, Parts: []chat.Part{text("b"), image}}),
			[]string{"messages[2]", "messages[2].role", "messages[2].parts[1]"},
			`{"systemInstruction":{"parts":[{"text":"a"},{"text":"b"}]},"contents":[{"role":"user","parts":[{"text":"u"}]}]}`,
		},
		{"empty messages", history(assistant(), user(text("u"))), []string{"messages[0]"}, `{"contents":[{"role":"user","parts":[{"text":"u"}]}]}`},
		{"roles of another wire", history(chat.Message{Role: "critic", Parts: []chat.Part{text("a")}}), []string{"messages[0]"}, `{"contents":[]}`},
		{
			"thinking signatures, the provider's own", history(assistant(chat.Part{Kind: chat.PartReasoning, Text: "r", Signature: "c2ln", SignedBy: "gemini"}, signed("gemini"))), nil,
			`{"text":"r","thought":true,"thoughtSignature":"c2ln"},{"functionCall":{"id":"a","name":"f","args":{}},"thoughtSignature":"c2ln"}`,
		},
		{
			"thinking signatures of another provider", history(assistant(chat.Part{Kind: chat.PartReasoning, Text: "r", Signature: "s", SignedBy: "anthropic"}, signed("openai"))),
			[]string{"messages[0].parts[0].signature", "messages[0].parts[1].signature"}, `[{"text":"r","thought":true},` + call + `]`,
		},
		{
			"redacted thinking", history(assistant(chat.Part{Kind: chat.PartReasoning, Redacted: "z", SignedBy: "anthropic"}, text("t"))),
			[]string{"messages[0].parts[0].redacted"}, `"parts":[{"text":"t"}]`,
		},
		{"refusals", history(assistant(chat.Part{Kind: chat.PartRefusal, Text: "no"})), []string{"messages[0].parts[0]"}, `"parts":[{"text":"no"}]`},
		{
			"only the first call of a turn gets a placeholder", history(assistant(chat.CallPart("a", "f", "{}"), chat.CallPart("b", "g", "{}"))), nil,
			`[` + call + `,{"functionCall":{"id":"b","name":"g","args":{}}}]`,
		},
		{
			"older models ask for no signature", named("models/gemini-2.5-pro"), nil,
			`[{"functionCall":{"id":"a","name":"f","args":{}}}]`,
		},
		{
			"nor do hosted ones of others", named("publishers/anthropic/models/claude-x"), nil,
			`[{"functionCall":{"id":"a","name":"f","args":{}}}]`,
		},
		{
			"the model of another wire is not the one that is asked", chat.Request{Model: "claude-x", Messages: []chat.Message{assistant(chat.CallPart("a", "f", "{}"))}}, []string{"model"},
			`[` + call + `]`,
		},
		{
			"nor is an older one of a gateway", chat.Request{Model: "google/gemini-2.5-pro", Messages: []chat.Message{assistant(signed("anthropic"))}}, []string{"model", "messages[0].parts[0].signature"},
			`[` + call + `]`,
		},
		{
			"arguments that are not valid JSON", history(assistant(chat.CallPart("a", "f", `{"cut`))), []string{"messages[0].parts[0].call.arguments"},
			`"args":{"INVALID_JSON":"{\"cut"}`,
		},
		{"arguments that are not an object", history(assistant(chat.CallPart("a", "f", `[1]`))), []string{"messages[0].parts[0].call.arguments"}, `"args":{"input":[1]}`},
		{"empty arguments", history(assistant(chat.CallPart("a", "f", ""))), nil, `"args":{}`},
		{
			"ids repeated by the source in later turns", history(assistant(chat.CallPart("a", "f", "{}")), result("a", text("1")), assistant(chat.CallPart("a", "f", "{}")), result("a", text("2"))),
			[]string{"messages[2].parts[0].call.id"}, `{"functionResponse":{"id":"a_2","name":"f","response":{"output":"2"}}}`,
		},
		{
			"ids that are missing are made, matched and not told", history(assistant(chat.CallPart("", "f", "{}"), chat.CallPart("", "g", "{}")), result("", text("1")), result("", text("2"))), nil,
			`{"functionCall":{"name":"g","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"1"}}},{"functionResponse":{"name":"g","response":{"output":"2"}}}]}`,
		},
		{
			"parallel results come in one content, in the order of the calls", history(assistant(chat.CallPart("a", "f", "{}"), chat.CallPart("b", "g", "{}")), result("b", text("2")), user(text("u")), result("a", text("1"))),
			[]string{"messages[1].parts[0]"},
			`{"role":"user","parts":[{"functionResponse":{"id":"a","name":"f","response":{"output":"1"}}},{"functionResponse":{"id":"b","name":"g","response":{"output":"2"}}}]},{"role":"user","parts":[{"text":"u"}]}`,
		},
		{
			"calls of one turn stand in one content", history(assistant(chat.CallPart("a", "f", "{}")), assistant(chat.CallPart("b", "g", "{}")), result("a"), result("b")),
			[]string{"messages[1]"}, `"contents":[{"role":"model","parts":[` + call + `,{"functionCall":{"id":"b","name":"g","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"id":"a"`,
		},
		{
			"results without a call", history(assistant(text("t")), result("x", text("1"))), []string{"messages[1].parts[0]"},
			`{"role":"user","parts":[{"text":"[result of x]"},{"text":"1"}]}`,
		},
		{"is_error", history(assistant(chat.CallPart("a", "f", "{}")), failed), nil, `"response":{"error":"boom"}`},
		{"results that are JSON", history(assistant(chat.CallPart("a", "f", "{}")), result("a", text(`{"a":1}`))), nil, `"response":{"a":1}`},
		{"results of several texts", history(assistant(chat.CallPart("a", "f", "{}")), result("a", text("1"), text("2"))), []string{"messages[1].parts[0].result.parts"}, `"response":{"output":"1\n2"}`},
		{
			"images in tool results", history(assistant(chat.CallPart("a", "f", "{}")), result("a", text("1"), image)), nil,
			`{"functionResponse":{"id":"a","name":"f","response":{"output":"1"},"parts":[{"inlineData":{"mimeType":"image/png","data":"AAAA"}}]}}`,
		},
		{
			"images in tool results, of an older model", chat.Request{Model: "gemini-2.0-flash", Messages: []chat.Message{assistant(chat.CallPart("a", "f", "{}")), result("a", image), user(text("u"))}},
			[]string{"model", "messages[1].parts[0].result.parts[0]"},
			`"response":{"output":""}}}]},{"role":"user","parts":[{"text":"[image of the result of f]"},{"inlineData":{"mimeType":"image/png","data":"AAAA"}}]},{"role":"user","parts":[{"text":"u"}]}`,
		},
		{"images without a type", history(user(chat.Part{Kind: chat.PartImage, Media: &chat.Media{Data: "/9j/4AAQ"}})), nil, `"inlineData":{"mimeType":"image/jpeg","data":"/9j/4AAQ"}`},
		{"files by a provider's id", history(user(chat.Part{Kind: chat.PartFile, Media: &chat.Media{ID: "file-1"}})), []string{"messages[0].parts[0]"}, `{"text":"[file file-1]"}`},
		{"file names", history(user(chat.Part{Kind: chat.PartFile, Media: &chat.Media{Type: "a/b", Data: "AAAA", Name: "n"}})), []string{"messages[0].parts[0].media.name"}, `"inlineData":{"mimeType":"a/b","data":"AAAA"}`},
		{
			"tool names with other characters",
			chat.Request{Tools: []chat.Tool{tool("7 zip", "")}, ToolChoice: chat.ToolChoice{Mode: chat.ChoiceOne, Tools: []string{"7 zip"}}, Messages: []chat.Message{assistant(chat.CallPart("a", "7 zip", "{}")), result("a")}},
			[]string{"messages[0].parts[0].call.name"}, `"allowedFunctionNames":["_7_zip_`,
		},
		{
			"custom tools", chat.Request{Tools: []chat.Tool{{ToolDefinition: toolcall.ToolDefinition{Name: "f"}, Custom: true}}, Messages: []chat.Message{assistant(chat.Part{Kind: chat.PartCall, Call: &chat.Call{ID: "a", Name: "f", Arguments: `{"input":"x"}`, Custom: true}})}},
			[]string{"messages[0].parts[0].call.custom", "tools[0]"}, `"parameters":{"type":"OBJECT","properties":{"input":{"type":"STRING"}},"required":["input"]}`,
		},
		{"tools that a provider runs", chat.Request{Tools: []chat.Tool{{ToolDefinition: toolcall.ToolDefinition{Name: "web"}, Hosted: true}}}, []string{"tools[0]"}, `{"contents":[]}`},
		{"strict tools", chat.Request{Tools: []chat.Tool{strict}}, []string{"tools[0].strict"}, `"toolConfig":{"functionCallingConfig":{"mode":"VALIDATED"}}`},
		{"strict tools that are required", chat.Request{Tools: []chat.Tool{strict}, ToolChoice: chat.ToolChoice{Mode: chat.ChoiceRequired}}, []string{"tools[0].strict"}, `{"mode":"ANY"}`},
		{
			"allowed tools", chat.Request{Tools: []chat.Tool{tool("f", ""), tool("g", "")}, ToolChoice: chat.ToolChoice{Mode: chat.ChoiceAuto, Tools: []string{"g"}}}, nil,
			`"toolConfig":{"functionCallingConfig":{"mode":"VALIDATED","allowedFunctionNames":["g"]}}`,
		},
		{"a choice without tools", chat.Request{ToolChoice: chat.ToolChoice{Mode: chat.ChoiceRequired}}, []string{"tool_choice"}, `{"contents":[]}`},
		{"no parallel calls", chat.Request{ParallelCalls: chat.Off}, []string{"parallel_calls"}, `{"contents":[]}`},
		{"parallel calls", chat.Request{ParallelCalls: chat.On}, nil, `{"contents":[]}`},
		{"more stop sequences than five", chat.Request{Stop: []string{"1", "2", "3", "4", "5", "6"}}, []string{"stop[5]"}, `"stopSequences":["1","2","3","4","5"]`},
		{
			"JSON Schema that the plain form cannot hold", chat.Request{Tools: []chat.Tool{tool("f", `{"type":"object","properties":{"a":{"type":["string","integer"]}},"additionalProperties":{"type":"number"}}`)}},
			nil, `"parametersJsonSchema":{"type":"object","properties":{"a":{"type":["string","integer"]}},"additionalProperties":{"type":"number"}}`,
		},
		{
			"JSON Schema subset", chat.Request{Tools: []chat.Tool{tool("f", `{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"additionalProperties":false,"$defs":{"A":{"type":["string","null"],"format":"uri"}},"if":true}`)}},
			[]string{"tools[0].parameters.if"},
			`"parametersJsonSchema":{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"additionalProperties":false,"$defs":{"A":{"type":["string","null"],"format":"uri"}},"description":"if: true"}`,
		},
		{"no parameters", chat.Request{Tools: []chat.Tool{tool("f", `{"type":"object","properties":{}}`)}}, nil, `[{"name":"f"}]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			body, losses := codec.WriteRequest(t, &tt.req, wire.Options{})
			losses = slices.DeleteFunc(losses, isUnanswered) // most of these requests have no results
			codectest.Written(t, body, losses, tt.fields, tt.want)
		})
	}
}

func isUnanswered(l chat.Loss) bool {
	e, _ := features.Of("gemini", features.UnansweredCall)
	return l.Reason == e.Reason
}

// A turn wants as many results as it has calls: those that lack one are told.
func TestUnansweredCalls(t *testing.T) {
	calls := assistant(chat.CallPart("a", "f", "{}"), chat.CallPart("b", "g", "{}"))
	ok := chat.TextPart("ok")
	for _, tt := range []struct {
		name   string
		req    chat.Request
		fields []string
	}{
		{"all answered", history(calls, result("b", ok), result("a", ok)), nil},
		{"one of them", history(calls, result("b", ok), user(ok)), []string{"messages[0].parts[0]"}},
		{"none, at the end", history(user(ok), calls), []string{"messages[1].parts[0]", "messages[1].parts[1]"}},
		{"none, in between", history(calls, user(ok), assistant(ok)), []string{"messages[0].parts[0]", "messages[0].parts[1]"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			body, losses := codec.WriteRequest(t, &tt.req, wire.Options{})
			losses = slices.DeleteFunc(losses, func(l chat.Loss) bool { return !isUnanswered(l) })
			codectest.Written(t, body, losses, tt.fields, "")
		})
	}
}

// A loss tells of the placeholder where there is one, and nowhere else.
func TestLossesTellOfThePlaceholder(t *testing.T) {
	signed := func(p chat.Part) chat.Part {
		p.Signature, p.SignedBy = "s", "anthropic"
		return p
	}
	parts := []chat.Part{
		signed(chat.Part{Kind: chat.PartReasoning, Text: "r"}),
		signed(chat.CallPart("a", "f", "{}")), signed(chat.CallPart("b", "g", "{}")),
	}
	const placed = "replaced by the documented placeholder"
	done := func(losses []chat.Loss) (list []string) {
		for _, l := range losses {
			if strings.HasSuffix(l.Field, ".signature") {
				list = append(list, l.Action)
			}
		}
		return list
	}
	for model, want := range map[string][]string{
		"":         {"left out", placed, "left out"},
		"gemini-2": {"left out", "left out", "left out"},
	} {
		req := history(assistant(parts...))
		if req.Model = model; model != "" {
			req.Extras = chat.Extras{{Wire: "gemini", Name: "model", Spelling: true}}
		}
		_, losses := codec.EncodeRequest(&req, wire.Options{})
		if diff := cmp.Diff(want, done(losses)); diff != "" {
			t.Errorf("model %q (-want +got):\n%s", model, diff)
		}
	}
	_, losses := codec.EncodeResponse(&wire.Response{Choices: []wire.Choice{{Message: assistant(parts...)}}}, wire.Options{})
	if diff := cmp.Diff([]string{"left out", "left out", "left out"}, done(losses)); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
}

// Names that stand for others come back.
func TestToolNamesComeBack(t *testing.T) {
	names := wire.NewRenames(wire.Rule{Max: 128, OtherChars: "_.:-", FirstChars: "_"})
	source := strings.Repeat("long", 40)
	codec.EncodeTools([]chat.Tool{tool(source, ""), tool("f", "")}, wire.Options{Names: names})
	name, changed := names.Rename(source)
	if !changed || len(name) > 128 || names.Source(name) != source || names.Source("f") != "f" {
		t.Errorf("%q", name)
	}
}

// Ids that are made are the same whenever the history is replayed, however far
// it has come.
func TestIDsMadeForCallsAreStable(t *testing.T) {
	const body = `{"contents":[{"role":"model","parts":[{"functionCall":{"name":"f"}},{"functionCall":{"name":"f"}}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"1"}}},{"functionResponse":{"name":"f","response":{"output":"2"}}}]},{"role":"model","parts":[{"functionCall":{"name":"f"}}]}]}`
	messages := codec.ReadRequest(t, body).Messages
	all := wire.Link(messages)
	calls, results := all[0].Parts, []chat.Part{all[1].Parts[0], all[2].Parts[0]}
	for i := range calls {
		if id := calls[i].Call.ID; id == "" || results[i].Result.CallID != id {
			t.Errorf("call %q, result %q", id, results[i].Result.CallID)
		}
	}
	if calls[0].Call.ID == calls[1].Call.ID || calls[0].Call.ID == all[3].Parts[0].Call.ID {
		t.Error("two calls have one id")
	}
	if first := wire.Link(messages[:1]); first[0].Parts[0].Call.ID != calls[0].Call.ID {
		t.Error("the id depends on what comes later")
	}
}
