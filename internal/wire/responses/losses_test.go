package responses_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/test/codectest"
	"github.com/toolparse/toolparse/toolcall"
)

// What a request holds that this wire cannot is told, each with what is done;
// and what other wires find hard is carried.
func TestRequestsOfOtherWires(t *testing.T) {
	long := strings.Repeat("x", 65)
	foreign := chat.Extras{{Wire: "anthropic", Name: "cache_control", Value: json.RawMessage("{}")}}
	failed := chat.ResultPart("a", chat.TextPart("boom"))
	failed.Result.IsError = true
	failedImage := chat.ResultPart("a", chat.Part{Kind: chat.PartImage, Media: &chat.Media{Data: "R0lGODAA"}})
	failedImage.Result.IsError = true
	custom := chat.CallPart("a", "g", `{"input":"x"}`)
	custom.Call.Custom = true
	broken := chat.CallPart("b", "g", `{"inp`)
	broken.Call.Custom = true
	signed := chat.CallPart("a", "f", "{}")
	signed.Signature, signed.SignedBy = "s", "gemini"
	tests := []struct {
		name   string
		req    chat.Request
		fields []string
		want   string // in the body
	}{
		{"fields of another wire", chat.Request{Extras: foreign, Messages: []chat.Message{{Role: chat.User, Extras: foreign, Parts: []chat.Part{{Kind: chat.PartText, Text: "u", Extras: foreign}}}}},
			[]string{"messages[0].cache_control", "messages[0].parts[0].cache_control", "cache_control"}, `"input":[{"type":"message","role":"user","content":"u"}]`},
		{"system prompts in their place", chat.Request{Messages: []chat.Message{{Role: chat.System, Parts: []chat.Part{chat.TextPart("s")}}, user(chat.TextPart("u")), {Role: chat.Developer, Parts: []chat.Part{chat.TextPart("d")}}}},
			nil, `[{"type":"message","role":"system","content":"s"},{"type":"message","role":"user","content":"u"},{"type":"message","role":"developer","content":"d"}]`},
		{"order of text and calls", chat.Request{Messages: []chat.Message{said(chat.TextPart("t"), chat.CallPart("a", "f", "{}"), chat.TextPart("u"), chat.TextPart("v"))}},
			nil, `[{"type":"message","role":"assistant","content":"t"},{"type":"function_call","call_id":"a","name":"f","arguments":"{}"},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"u","annotations":[]},{"type":"output_text","text":"v","annotations":[]}]}]`},
		{"ids of more than 64 bytes", chat.Request{Messages: []chat.Message{said(chat.CallPart(long, "f", "{}")), results(chat.ResultPart(long, chat.TextPart("r")))}},
			[]string{"messages[0].parts[0].call.id"}, `"output":"r"`},
		{"ids repeated by the source in later turns", chat.Request{Messages: []chat.Message{said(chat.CallPart("a", "f", "{}")), results(chat.ResultPart("a", chat.TextPart("1"))), said(chat.CallPart("a", "f", "{}")), results(chat.ResultPart("a", chat.TextPart("2")))}},
			[]string{"messages[2].parts[0].call.id"}, `{"type":"function_call_output","call_id":"a_2","output":"2"}`},
		{"calls without ids", chat.Request{Messages: []chat.Message{said(chat.CallPart("", "f", "{}")), results(chat.Part{Kind: chat.PartResult, Result: &chat.Result{Name: "f", Parts: []chat.Part{chat.TextPart("1")}}})}},
			nil, `{"type":"function_call_output","call_id":"` + wire.MakeID("", 0, "f") + `","output":"1"}`},
		{"parallel results", chat.Request{Messages: []chat.Message{said(chat.CallPart("a", "f", ""), chat.CallPart("b", "f", "[1]")), results(chat.ResultPart("a"), chat.ResultPart("b", chat.TextPart("1"), chat.TextPart("2")))}},
			nil, `"name":"f","arguments":"{}"},{"type":"function_call","call_id":"b","name":"f","arguments":"[1]"},{"type":"function_call_output","call_id":"a","output":""},{"type":"function_call_output","call_id":"b","output":[{"type":"input_text","text":"1"},{"type":"input_text","text":"2"}]}]`},
		{"results and text in one turn of the user", chat.Request{Messages: []chat.Message{said(chat.CallPart("a", "f", "")), {Role: chat.User, Parts: []chat.Part{chat.ResultPart("a", chat.TextPart("1")), chat.TextPart("and")}}}},
			nil, `{"type":"function_call_output","call_id":"a","output":"1"},{"type":"message","role":"user","content":"and"}]`},
		{"results without a call", chat.Request{Messages: []chat.Message{results(chat.ResultPart("z", chat.TextPart("1")))}},
			[]string{"messages[0].parts[0]"}, `[{"type":"message","role":"user","content":[{"type":"input_text","text":"[result of the call z]"},{"type":"input_text","text":"1"}]}]`},
		{"is_error", chat.Request{Messages: []chat.Message{said(chat.CallPart("a", "f", "")), results(failed)}},
			[]string{"messages[1].parts[0].result.is_error"}, `"output":"[tool_error] boom"`},
		{"is_error of an image", chat.Request{Messages: []chat.Message{said(chat.CallPart("a", "f", "")), results(failedImage)}},
			[]string{"messages[1].parts[0].result.is_error"}, `"output":[{"type":"input_text","text":"[tool_error] "},{"type":"input_image","image_url":"data:image/gif;base64,R0lGODAA","detail":"auto"}]`},
		{"images and files in tool results", chat.Request{Messages: []chat.Message{said(chat.CallPart("a", "f", "")), results(chat.ResultPart("a", chat.Part{Kind: chat.PartImage, Media: &chat.Media{URL: "https://example.com/a.png"}}, chat.Part{Kind: chat.PartFile, Media: &chat.Media{Data: "AA", Name: "n"}}))}},
			nil, `"output":[{"type":"input_image","image_url":"https://example.com/a.png","detail":"auto"},{"type":"input_file","file_data":"data:application/octet-stream;base64,AA","filename":"n"}]`},
		{"custom tools", chat.Request{Tools: []chat.Tool{{ToolDefinition: toolcall.ToolDefinition{Name: "g", Parameters: wire.CustomParameters()}, Custom: true}}, ToolChoice: chat.ToolChoice{Mode: chat.ChoiceOne, Tools: []string{"g"}}, Messages: []chat.Message{said(custom), results(chat.ResultPart("a", chat.TextPart("1")))}},
			nil, `[{"type":"custom_tool_call","call_id":"a","name":"g","input":"x"},{"type":"custom_tool_call_output","call_id":"a","output":"1"}],"tools":[{"type":"custom","name":"g"}],"tool_choice":{"type":"custom","name":"g"}`},
		{"custom input that is none", chat.Request{Messages: []chat.Message{said(broken)}}, []string{"messages[0].parts[0].call.arguments"}, `"input":"{\"inp"`},
		{"OpenAI strict schemas", chat.Request{Tools: []chat.Tool{
			codectest.Strict("f", `{"type":"object","properties":{"a":{"type":"string"}}}`), codectest.Strict("g", `{"type":"object","properties":{"a":{}}}`),
		}},
			[]string{"tools[0].parameters.properties.a", "tools[0].parameters.additionalProperties", "tools[1].strict"}, `"parameters":{"type":"object","properties":{"a":{}}},"strict":false`},
		{"tool names with other characters", chat.Request{Tools: []chat.Tool{tool("a.b")}, ToolChoice: chat.ToolChoice{Mode: chat.ChoiceOne, Tools: []string{"a.b"}}},
			[]string{"tools[0].name"}, `"tool_choice":{"type":"function","name":"a_b_`},
		{"allowed tools", chat.Request{ToolChoice: chat.ToolChoice{Mode: chat.ChoiceRequired, Tools: []string{"f", "g"}}},
			nil, `"tool_choice":{"type":"allowed_tools","mode":"required","tools":[{"type":"function","name":"f"},{"type":"function","name":"g"}]}`},
		{"no parallel calls, forced", chat.Request{ToolChoice: chat.ToolChoice{Mode: chat.ChoiceRequired}, ParallelCalls: chat.Off}, nil, `"tool_choice":"required","parallel_tool_calls":false`},
		{"tools that a provider runs", chat.Request{Tools: []chat.Tool{{ToolDefinition: toolcall.ToolDefinition{Name: "web"}, Hosted: true, Extras: foreign}}}, []string{"tools[0]"}, `{"input":[]}`},
		{"stop sequences", chat.Request{Stop: []string{"x"}}, []string{"stop"}, `"input":[]`},
		{"thinking signatures", chat.Request{Messages: []chat.Message{said(chat.Part{Kind: chat.PartReasoning, Text: "r", Signature: "s", SignedBy: "anthropic"}, chat.Part{Kind: chat.PartReasoning, Redacted: "z", SignedBy: "anthropic"}, chat.Part{Kind: chat.PartReasoning, Text: "plain"})}},
			[]string{"messages[0].parts[0].signature", "messages[0].parts[0].text", "messages[0].parts[1].redacted", "messages[0].parts[2].text"}, `"input":[]`},
		{"the provider's own reasoning, by way of another wire", chat.Request{Messages: []chat.Message{said(chat.Part{Kind: chat.PartReasoning, Text: "r", Signature: "s", SignedBy: "responses"}, chat.Part{Kind: chat.PartReasoning, Redacted: "z", SignedBy: "responses"})}},
			nil, `"type":"reasoning","summary":[{"type":"summary_text","text":"r"}],"encrypted_content":"s"},{"id":"rs_`},
		{"signatures of calls and texts", chat.Request{Messages: []chat.Message{said(chat.Part{Kind: chat.PartText, Text: "t", Signature: "s", SignedBy: "gemini"}, signed)}},
			[]string{"messages[0].parts[0].signature", "messages[0].parts[1].signature"}, `"content":"t"`},
		{"roles of another wire", chat.Request{Messages: []chat.Message{{Role: "novel", Parts: []chat.Part{chat.TextPart("x")}}}}, []string{"messages[0]"}, `"input":[]`},
		{"images that the model made", chat.Request{Messages: []chat.Message{said(chat.Part{Kind: chat.PartImage, Media: &chat.Media{Data: "AA"}}, chat.TextPart("t"))}}, []string{"messages[0].parts[0]"}, `"content":"t"`},
		{"messages without content", chat.Request{Messages: []chat.Message{{Role: chat.User}, {Role: chat.Assistant}}}, nil, `[{"type":"message","role":"user","content":""},{"type":"message","role":"assistant","content":""}]`},
		{"parts of another wire", chat.Request{Messages: []chat.Message{{Role: chat.User, Parts: []chat.Part{{Extras: foreign}, chat.CallPart("a", "f", "")}}}},
			[]string{"messages[0].parts[0]", "messages[0].parts[1]", "messages[0]"}, `"input":[]`},
		{"refusals of the user", chat.Request{Messages: []chat.Message{{Role: chat.User, Parts: []chat.Part{{Kind: chat.PartRefusal, Text: "no"}}}}}, []string{"messages[0].parts[0]"}, `[{"type":"input_text","text":"no"}]`},
		{"numbers that are none", chat.Request{Temperature: "hot", TopP: "0.5", MaxTokens: 7}, []string{"temperature"}, `"max_output_tokens":7,"top_p":0.5`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			body, losses := codec.WriteRequest(t, &tt.req, wire.Options{})
			codectest.Written(t, body, losses, tt.fields, tt.want)
			codec.ReadRequest(t, body)
		})
	}
}

// The names and ids that a model is given in place of others lead back.
func TestRenamesLeadBack(t *testing.T) {
	opts := wire.Options{IDs: wire.NewRenames(wire.Rule{Min: 9, Max: 9}), Names: wire.NewRenames(wire.Rule{Max: 13, OtherChars: "_"})}
	body, losses := codec.WriteRequest(t, &chat.Request{Tools: []chat.Tool{tool("very_long_name")}, Messages: []chat.Message{said(chat.CallPart("call_1", "very_long_name", "{}"))}}, opts)
	req := codec.ReadRequest(t, body)
	call := req.Messages[0].Parts[0].Call
	if len(call.ID) != 9 || len(call.Name) > 13 || opts.IDs.Source(call.ID) != "call_1" || req.Tools[0].Name != call.Name || opts.Names.Source(call.Name) != "very_long_name" {
		t.Errorf("%+v, %v", call, losses)
	}
}
