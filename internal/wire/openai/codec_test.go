package openai_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/openai"
	"github.com/toolparse/toolparse/internal/wire/test/codectest"
	"github.com/toolparse/toolparse/toolcall"
)

var codec = codectest.Codec{Codec: openai.Codec}

// Short words for the tables.
var (
	user, assistant, results = codectest.User, codectest.Assistant, codectest.Results
	history                  = codectest.History
)

// requests are bodies as clients and servers of many kinds send them.
var requests = []string{
	`{"model":"m","messages":[]}`,
	`{"model":"m","messages":[{"role":"system","content":"s"},{"role":"developer","content":[{"type":"text","text":"a"},{"type":"text","text":"b","cache_control":{"type":"ephemeral"}}]},{"role":"user","name":"Ann","content":"u"}],"stream":true,"stream_options":{"include_usage":true,"include_obfuscation":false}}`,
	`{"model":"m","temperature":0.10,"top_p":1e0,"max_tokens":5,"stop":["a","b"],"seed":7,"n":2,"response_format":{"type":"json_object"},"tools":[{"type":"function","function":{"name":"f"}}],"parallel_tool_calls":false,"logit_bias":{"1":10000000000000001},"messages":[{"role":"user","content":"u","x":null}]}`,
	`{"model":"m","max_completion_tokens":5,"max_tokens":6,"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://example.com/a.png","detail":"low"}},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}},{"type":"file","file":{"file_data":"data:application/pdf;base64,BBBB","filename":"f.pdf"}},{"type":"file","file":{"file_id":"file-1"}},{"type":"input_audio","input_audio":{"data":"x","format":"wav"}}]}]}`,
	`{"model":"m","tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object","properties":{"b":{},"a":{}}},"strict":true,"x":1},"cache_control":{"type":"ephemeral"}},{"type":"custom","custom":{"name":"g","format":{"type":"text"}}},{"type":"web_search","filters":{}}],"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"required","tools":[{"type":"function","function":{"name":"f"}},{"type":"custom","custom":{"name":"g"}}]}},"messages":[]}`,
	`{"model":"m","tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":{"type":"function","function":{"name":"f"}},"messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{\"n\": 10000000000000001}"}},{"id":"c2","type":"custom","custom":{"name":"g","input":"a\"b\ud83d"}}]},{"role":"tool","tool_call_id":"c1","content":"1"},{"role":"tool","tool_call_id":"c2","name":"g","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}]}`,
	`{"model":"m","tools":[{"type":"function","function":{"name":"f"}}],"messages":[{"role":"assistant","content":"t","reasoning_content":"r"},{"role":"assistant","refusal":"no","content":null},{"role":"assistant","content":"","reasoning":"r2"}],"tool_choice":"none"}`,
	`{"model":"m","messages":[{"role":"assistant","reasoning":"r","reasoning_details":[{"type":"reasoning.text","text":"r","signature":"sig","format":"anthropic-claude-v1","index":0},{"type":"reasoning.encrypted","data":"zzz","format":"anthropic-claude-v1","index":1}],"content":"t"}]}`,
	`{"model":"m","messages":[{"role":"assistant","content":"t","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}],"reasoning_details":[{"type":"reasoning.encrypted","data":"zzz","format":"google-gemini-v1","index":0,"id":"c1"}]}]}`,
	`{"model":"m","messages":[{"role":"assistant","content":"t","extra_content":{"google":{"thought_signature":"m","x":1},"y":2},"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"},"extra_content":{"google":{"thought_signature":"s"}}}]}]}`,
	`{"model":"m","tools":[{"type":"function","function":{"name":"f"}}],"messages":[{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"t"}],"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"[tool_error] boom"}],"tool_choice":{"type":"odd","odd":1}}`,
	`{"model":"m","tools":[{"type":"function","function":{"name":"f"}}],"stop":"a","tool_choice":"any","messages":[{"role":"assistant","content":"t","thinking":"r"},{"role":"assistant","content":"t","reasoning_content":"r","reasoning":"r"},{"role":"assistant","content":"t","reasoning":"r","reasoning_content":"s","thinking":[1]}]}`,
	`{"model":"m","messages":[{"role":"assistant","content":"t","reasoning_content":"r","reasoning_details":[{"type":"reasoning.summary","summary":"r"}]},{"role":"assistant","content":"t","reasoning":"x","reasoning_details":[{"type":"reasoning.text","text":"r"}]},{"role":"assistant","content":"t","reasoning_details":[{"type":"reasoning.text","text":"r","signature":"s","format":"anthropic-claude-v1"}]}]}`,
	`{"model":"m","messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"builtin_function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":"1"}]}`,
}

// What a body holds survives.
func TestRequestsComeBack(t *testing.T) {
	codectest.ComeBack[*chat.Request]{
		Decode: codec.DecodeRequest, Encode: codec.EncodeRequest, Flat: flat, Same: cmp.Options{codectest.JSON},
	}.Check(t, codectest.Bodies(codectest.Requests(t, "chat-*.json"), requests...)...)
}

// flat: that there is no stream goes without saying.
var flat = codectest.Flat{Silent: func(path string, v any) bool { return path == ".stream" && v == false }}

func TestLegacyFunctions(t *testing.T) {
	req := codec.ReadRequest(t, `{"model":"m","functions":[{"name":"f","parameters":{}}],"function_call":{"name":"f"},"messages":[
		{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}},{"role":"function","name":"f","content":"1"}]}`)
	out, _ := codec.EncodeRequest(req, wire.Options{})
	id := wire.MakeID("", 0, "f")
	want := `{"model":"m","messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"` + id + `","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"` + id + `","name":"f","content":"1"}],"tools":[{"type":"function","function":{"name":"f","parameters":{}}}],"tool_choice":{"type":"function","function":{"name":"f"}}}`
	if diff := cmp.Diff(want, string(out)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// An answer's content is one string, as clients want it. Only what servers of
// this wire sent as a list goes back so.
func TestTextsOfAnAnswerAreJoined(t *testing.T) {
	for name, want := range map[string]string{
		"anthropic": `"content":"a b","tool_calls"`,
		"openai":    `"content":[{"type":"text","text":"a"},{"type":"text","text":" b"}],"tool_calls"`,
	} {
		res := &wire.Response{Meta: chat.Meta{Wire: name, ID: "r", Created: 7}, Choices: []wire.Choice{{Message: assistant(
			chat.TextPart("a"), chat.TextPart(" b"), chat.CallPart("c", "f", "{}"),
		)}}}
		out, losses := codec.EncodeResponse(res, wire.Options{})
		if !strings.Contains(string(out), want) || (len(losses) == 1) != (name == "anthropic") {
			t.Errorf("from %s: %v\n%s", name, losses, out)
		}
	}
}

// What no string can hold is left out of a translated answer, and told.
func TestContentOfAnAnswerIsNoList(t *testing.T) {
	other := chat.Part{Kind: chat.PartOther, Extras: chat.Extras{{Wire: "anthropic", Name: "type", Value: []byte(`"server_tool_use"`)}}}
	foreign := chat.TextPart("b")
	foreign.Extras = chat.Extras{{Wire: "openai", Name: "annotations", Value: []byte(`[1]`)}, {Wire: "anthropic", Name: "citations", Value: []byte(`[1]`)}}
	thought := chat.Part{Kind: chat.PartReasoning, Text: "r", Extras: chat.Extras{{Wire: "openai", Name: "thinking", Spelling: true}}}
	const at = "choices[0].message.parts"
	for _, tt := range []struct {
		name  string
		wire  string
		opts  wire.Options
		parts []chat.Part
		want  string
		lost  []string
	}{
		{"nothing else", "anthropic", wire.Options{}, []chat.Part{other}, `"content":""`, []string{at + "[0]"}},
		{"beside a call", "anthropic", wire.Options{}, []chat.Part{other, chat.CallPart("c", "f", "{}")}, `"content":null`, []string{at + "[0]"}},
		{"beside texts", "anthropic", wire.Options{}, []chat.Part{chat.TextPart("a"), other, chat.TextPart("b")}, `"content":"ab"`, []string{at + "[1]", at}},
		{"this wire's part", "anthropic", wire.Options{}, []chat.Part{{Kind: chat.PartOther, Extras: chat.Extras{{Wire: "openai", Name: "type", Value: []byte(`"x"`)}}}, foreign},
			`"content":"b"`, []string{at + "[0]", at + "[1].citations", at + "[1].annotations"}},
		{"thinking", "gemini", wire.Options{}, []chat.Part{thought, chat.TextPart("a")}, `"reasoning_content":"r","content":"a"`, nil},
		{"vendor only", "openai", wire.Options{VendorOnly: true}, []chat.Part{chat.TextPart("a"), chat.TextPart("b")}, `"content":"ab"`, []string{at}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res := &wire.Response{Meta: chat.Meta{Wire: tt.wire, ID: "r", Created: 7}, Choices: []wire.Choice{{Message: assistant(tt.parts...)}}}
			out, losses := codec.WriteResponse(t, res, tt.opts)
			codectest.Written(t, out, losses, tt.lost, tt.want)
		})
	}
}

// What an answer holds survives, too.
func TestAnswersComeBack(t *testing.T) {
	choice := func(message string) string {
		return `{"id":"r","object":"chat.completion","created":7,"model":"m","choices":[{"index":0,"message":{"role":"assistant",` + message + `},"logprobs":{"content":[]},"native_finish_reason":"eos","finish_reason":"stop"}],"service_tier":"default","system_fingerprint":"fp","prompt_filter_results":[{"prompt_index":0}],"citations":["u"]}`
	}
	usage := func(members string) string {
		return `{"id":"r","object":"chat.completion","created":7,"model":"m","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":5,"total_tokens":14,` + members + `}}`
	}
	codectest.ComeBack[*wire.Response]{
		Decode: codec.DecodeResponse, Encode: codec.EncodeResponse, Flat: flat, Same: cmp.Options{codectest.JSON, codectest.Unordered},
	}.Check(t,
		choice(`"content":"a","annotations":[],"audio":{"id":"x","transcript":"t"}`),
		choice(`"content":"a","reasoning_text":"r","reasoning_opaque":"o"`),
		choice(`"content":[{"type":"text","text":"a","annotations":[1]},{"type":"reference","reference_ids":[1]}]`),
		usage(`"prompt_tokens_details":{"cached_tokens":0,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":0,"accepted_prediction_tokens":0},"cost":0.5`),
		usage(`"prompt_cache_hit_tokens":3,"prompt_cache_miss_tokens":6`),
		usage(`"prompt_cache_hit_tokens":3,"prompt_tokens_details":{"cached_tokens":3,"cache_creation_tokens":2}`),
		usage(`"cached_tokens":3,"prompt_tokens_details":{"cache_write_tokens":2}`),
		strings.Replace(usage(`"completion_tokens_details":{"reasoning_tokens":8}`), ":14", ":22", 1),
		usage(`"completion_tokens_details":{"reasoning_tokens":8}`),
		`{"error":{"message":"m","type":"t","param":null,"code":null}}`,
		`{"error":{"message":"m","code":429,"metadata":{"raw":"r"}},"user_id":"u"}`,
		`{"error":{"message":"m","type":"t","code":"429"}}`,
		`{"id":"r","object":"chat.completion","created":7,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"a"},"finish_reason":"error","error":{"code":502}}]}`,
		`{"error":{"message":"m","status":"s","code":400}}`,
	)
}

// The output includes the reasoning, whether or not the server's count of it does.
func TestOutputIncludesReasoning(t *testing.T) {
	for usage, want := range map[string]chat.Usage{
		`{"prompt_tokens":468,"completion_tokens":82,"total_tokens":870,"completion_tokens_details":{"reasoning_tokens":320}}`: {Input: 468, Output: 402, Reasoning: 320, Total: 870},
		`{"completion_tokens_details":{"reasoning_tokens":20},"prompt_tokens":9,"completion_tokens":1}`:                        {Input: 9, Output: 21, Reasoning: 20, Total: 30},
		`{"prompt_tokens":61,"completion_tokens":10,"total_tokens":71,"completion_tokens_details":{"reasoning_tokens":96}}`:    {Input: 61, Output: 106, Reasoning: 96, Total: 167},
		`{"prompt_tokens":9,"completion_tokens":50,"total_tokens":59,"completion_tokens_details":{"reasoning_tokens":20}}`:     {Input: 9, Output: 50, Reasoning: 20, Total: 59},
		`{"prompt_tokens":9,"completion_tokens":50,"completion_tokens_details":{"reasoning_tokens":50}}`:                       {Input: 9, Output: 50, Reasoning: 50, Total: 59},
		`{"prompt_tokens":9,"completion_tokens":5,"total_tokens":90,"completion_tokens_details":{"reasoning_tokens":0}}`:       {Input: 9, Output: 5, Total: 90},
	} {
		for _, body := range []string{
			`{"id":"r","object":"chat.completion","model":"grok","choices":[{"message":{"content":"a"},"finish_reason":"stop"}],"usage":` + usage + `}`,
			`{"id":"r","object":"chat.completion","model":"kimi","choices":[{"message":{"content":"a"},"finish_reason":"stop","usage":` + usage + `}]}`,
			"data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\",\"usage\":" + usage + "}]}\n\ndata: [DONE]\n\n",
			`data: {"choices":[{"delta":{},"finish_reason":"stop","usage":{"prompt_tokens":7}}],"usage":` + usage + "}\n\ndata: [DONE]\n\n",
			`data: {"id":"r","object":"chat.completion.chunk","model":"grok","choices":[{"delta":{"content":"a"},"finish_reason":"stop"}],"usage":` + usage + "}\n\ndata: [DONE]\n\n",
		} {
			stream := format.NewStream(strings.NewReader(body), format.Options{})
			for _, err := range stream.Deltas() {
				if err != nil {
					t.Fatal(err)
				}
			}
			if got := stream.Meta().Usage; got != want {
				t.Errorf("%s\ngot  %+v\nwant %+v", body, got, want)
			}
		}
	}
}

// What is no answer, no request and no list of tools is refused, with the place.
func TestBrokenBodies(t *testing.T) {
	codectest.Refuses(t, openai.Wire, codec.DecodeResponse, map[string]string{
		`{}`:   "byte 0: choices: it is missing",
		`null`: "choices: it is missing",
	})
	codectest.Refuses(t, openai.Wire, codec.DecodeRequest, map[string]string{
		`{"stream":"yes"}`:          "stream: expected a boolean, got a string",
		`{"parallel_tool_calls":1}`: "parallel_tool_calls: expected a boolean, got a number",
		`{"stop":7}`:                "stop: expected an array, got a number",
		`{"stream_options":[]}`:     "stream_options: expected an object, got an array",
	})
	codectest.Refuses(t, openai.Wire, codec.DecodeTools, map[string]string{
		`null`: "tools: it is missing",
		`{}`:   "tools: expected an array, got an object",
		`[{"type":"function","function":{"name":"f","strict":"true"}}]`: "tools[].function.strict: expected a boolean, got a string",
	})
}

// What must be there and is not is made up, and told, once.
func TestMadeUp(t *testing.T) {
	foreign := chat.Meta{Wire: "ollama", Model: "m"}
	_, losses := codec.EncodeResponse(&wire.Response{Meta: foreign}, wire.Options{})
	if diff := cmp.Diff([]string{"id"}, codectest.Fields(losses)); diff != "" {
		t.Errorf("an answer (-want +got):\n%s", diff)
	}
	hi, more := D{Kind: toolcall.DeltaText, Text: "a"}, D{Kind: toolcall.DeltaExtra, Name: "x", Text: "null"}
	for name, want := range map[string][]string{"ollama": {"id"}, "openai": {"id"}, "": nil} {
		foreign.Wire = name
		_, losses := encode(t, foreign, wire.Options{}, hi, more, hi)
		if diff := cmp.Diff(want, codectest.Fields(losses)); diff != "" {
			t.Errorf("a stream of %q (-want +got):\n%s", name, diff)
		}
	}
	_, losses = codec.EncodeRequest(&chat.Request{}, wire.Options{})
	if diff := cmp.Diff([]string{"model"}, codectest.Fields(losses)); diff != "" {
		t.Errorf("a request (-want +got):\n%s", diff)
	}
}

// Text that follows a call is told where the source had it in its place.
func TestTextAfterACall(t *testing.T) {
	in := []D{{Kind: toolcall.DeltaToolCall, ID: "c", Name: "f", Text: "{}", Done: true}, {Kind: toolcall.DeltaText, Text: "a"}, {Kind: toolcall.DeltaText, Text: "b"}}
	for name, want := range map[string]int{"openai": 0, "anthropic": 1} {
		_, losses := encode(t, chat.Meta{Wire: name, ID: "r", Model: "m", Created: 7}, wire.Options{}, in...)
		if len(losses) != want {
			t.Errorf("from %s: %v", name, losses)
		}
	}
}

func TestErrorResponse(t *testing.T) {
	res, err := codec.DecodeResponse([]byte(`{"error":{"message":"m","type":"t","param":null,"code":"c"}}`))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&wire.Error{Code: "c", Message: "m"}, res.Error); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	out, losses := codec.EncodeResponse(res, wire.Options{})
	if want := `{"error":{"message":"m","code":"c","type":"t","param":null}}`; string(out) != want || len(losses) > 0 {
		t.Errorf("%s, %v, want %s", out, losses, want)
	}
}

func TestChoicesAboveIndexZero(t *testing.T) {
	res, err := codec.DecodeResponse([]byte(`{"choices":[{"index":1,"message":{"content":"b"},"finish_reason":"stop"},{"index":0,"message":{"content":"a"},"finish_reason":"length"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if res.Choices[0].Message.Parts[0].Text != "a" || res.Choices[0].Finish.Reason != chat.FinishLength || res.Choices[1].Message.Parts[0].Text != "b" {
		t.Errorf("%+v", res.Choices)
	}
}

// What a request holds that this wire cannot is told, each with what is done.
func TestRequestLosses(t *testing.T) {
	long := strings.Repeat("x", 41)
	foreign := chat.Extras{{Wire: "anthropic", Name: "cache_control", Value: json.RawMessage("{}")}}
	tests := []struct {
		name   string
		req    chat.Request
		opts   wire.Options
		fields []string
		want   string // in the body
	}{
		{"fields of another wire", chat.Request{Extras: foreign}, wire.Options{}, []string{"cache_control"}, `"messages":[]`},
		{
			"order of text and calls",
			history(assistant(chat.CallPart("a", "f", "{}"), chat.TextPart("t"))),
			wire.Options{}, []string{"messages[0].parts"}, `"content":"t","tool_calls"`,
		},
		{
			"ids of more than 40 bytes",
			history(assistant(chat.CallPart(long, "f", "{}")), results(chat.ResultPart(long, chat.TextPart("r")))),
			wire.Options{}, []string{"messages[0].parts[0].call.id"}, `"content":"r"`,
		},
		{
			"Mistral's ids",
			history(assistant(chat.CallPart("call_1", "f", "{}"))),
			wire.Options{IDs: wire.NewRenames(wire.Rule{Min: 9, Max: 9})}, []string{"messages[0].parts[0].call.id"}, `"type":"function"`,
		},
		{
			"ids repeated by the source in later turns",
			history(assistant(chat.CallPart("a", "f", "{}")), assistant(chat.CallPart("a", "f", "{}"))),
			wire.Options{}, []string{"messages[1].parts[0].call.id"}, `"id":"a_2"`,
		},
		{
			"tool names with other characters",
			chat.Request{Tools: []chat.Tool{{ToolDefinition: toolcall.ToolDefinition{Name: "a.b"}}}, ToolChoice: chat.ToolChoice{Mode: chat.ChoiceOne, Tools: []string{"a.b"}}},
			wire.Options{}, []string{"tools[0].name"}, `"tool_choice":{"type":"function","function":{"name":"a_b_`,
		},
		{
			"is_error",
			history(assistant(chat.CallPart("a", "f", "{}")), codectest.Failed(results(chat.ResultPart("a", chat.TextPart("boom"))))),
			wire.Options{}, []string{"messages[1].parts[0].result.is_error"}, `"content":"[tool_error] boom"`,
		},
		{
			"images in tool results",
			history(
				assistant(chat.CallPart("a", "f", "{}"), chat.CallPart("b", "f", "{}")),
				results(chat.ResultPart("a", chat.Part{Kind: chat.PartImage, Media: &chat.Media{Type: "image/png", Data: "AA"}}), chat.ResultPart("b", chat.TextPart("r"))),
				user(chat.TextPart("u")),
			),
			wire.Options{}, []string{"messages[1].parts[0].result.parts[0]"},
			`"content":"[image of call a]"},{"role":"tool","tool_call_id":"b","content":"r"},{"role":"user","content":[{"type":"text","text":"[image of call a]"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AA"}}]},{"role":"user","content":"u"}`,
		},
		{
			"OpenAI strict schemas",
			chat.Request{Tools: []chat.Tool{
				codectest.Strict("f", `{"type":"object","properties":{"a":{"type":"string"}}}`), codectest.Strict("g", `{"type":"object","properties":{"a":{}}}`),
			}},
			wire.Options{}, []string{"tools[0].parameters.properties.a", "tools[0].parameters.additionalProperties", "tools[1].strict"},
			`"parameters":{"type":"object","properties":{"a":{"type":["string","null"]}},"additionalProperties":false,"required":["a"]},"strict":true}},{"type":"function","function":{"name":"g","parameters":{"type":"object","properties":{"a":{}}},"strict":false}}`,
		},
		{
			"tools that a provider runs",
			chat.Request{Tools: []chat.Tool{{ToolDefinition: toolcall.ToolDefinition{Name: "web"}, Hosted: true, Extras: foreign}}},
			wire.Options{}, []string{"tools[0]"}, `"messages":[]}`,
		},
		{
			"thinking signatures, where only the vendor's fields are wanted",
			history(assistant(chat.Part{Kind: chat.PartReasoning, Text: "r", Signature: "s", SignedBy: "anthropic"}, chat.Part{Kind: chat.PartReasoning, Redacted: "z", SignedBy: "anthropic"})),
			wire.Options{VendorOnly: true}, []string{"messages[0].parts[0].text", "messages[0].parts[0].signature", "messages[0].parts[1].redacted", "messages[0]"}, `"messages":[]`,
		},
		{
			"Mistral's thinking, where only the vendor's fields are wanted",
			*codec.ReadRequest(t, `{"messages":[{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"t"}]}]}`),
			wire.Options{VendorOnly: true}, []string{"messages[0].parts[0].text"}, `{"role":"assistant","content":"t"}`,
		},
		{
			"thinking signatures, else",
			history(assistant(chat.Part{Kind: chat.PartReasoning, Text: "r", Signature: "s", SignedBy: "anthropic"})),
			wire.Options{}, nil, `"reasoning_details":[{"type":"reasoning.text","text":"r","signature":"s","format":"anthropic-claude-v1","index":0}]`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.req.Model = "m"
			body, losses := codec.WriteRequest(t, &tt.req, tt.opts)
			codectest.Written(t, body, losses, tt.fields, tt.want)
		})
	}
}

// Calls that came without ids get the same ones whenever the answer is read.
func TestIDsMadeForResponses(t *testing.T) {
	codec.MakesIDs(t, chat.Meta{Wire: "gemini", ID: "r", Created: 7})
}
