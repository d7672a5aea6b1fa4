package anthropic_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/anthropic"
	"github.com/toolparse/toolparse/internal/wire/test/codectest"
)

var codec = codectest.Codec{Codec: anthropic.Codec}

// Short words for the tables.
var user, assistant, result, tool = codectest.User, codectest.Assistant, codectest.Result, codectest.Tool

// requests are bodies as clients of many kinds send them.
var requests = []string{
	`{"model":"m","max_tokens":5,"messages":[]}`,
	`{"model":"m","max_tokens":5,"system":"s","messages":[{"role":"user","content":"u"}],"stream":true,"top_k":5,"metadata":{"user_id":"x"},"thinking":{"type":"enabled","budget_tokens":1024}}`,
	`{"model":"m","max_tokens":5,"system":[{"type":"text","text":"a","cache_control":{"type":"ephemeral","ttl":"1h"}},{"type":"text","text":"b"}],"messages":[{"role":"user","content":[{"type":"text","text":"u","cache_control":{"type":"ephemeral"}}],"x":{"n":10000000000000001}}],"temperature":0.10,"top_p":1e0,"stop_sequences":["a","b"]}`,
	`{"model":"m","max_tokens":5,"messages":[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}},{"type":"image","source":{"type":"url","url":"https://example.com/a.png"},"cache_control":{"type":"ephemeral"}},{"type":"image","source":{"type":"file","file_id":"file_1"}},{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"BBBB"},"title":"f.pdf","context":"c","citations":{"enabled":true}},{"type":"document","source":{"type":"text","media_type":"text/plain","data":"té\nxt"}},{"type":"document","source":{"type":"content","content":[{"type":"text","text":"x"}]}},{"type":"search_result","source":"s","title":"t","content":[{"type":"text","text":"x"}]}]}]}`,
	`{"model":"m","max_tokens":5,"messages":[{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"s"},{"type":"redacted_thinking","data":"d"},{"type":"text","text":"x"},{"type":"tool_use","id":"c1","name":"f","input":{"n": 10000000000000001}},{"type":"tool_use","id":"c2","name":"g","input":{},"caller":{"type":"direct"},"cache_control":{"type":"ephemeral"}},{"type":"text","text":"y"}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"1"},{"type":"tool_result","tool_use_id":"c2","is_error":true,"content":[{"type":"text","text":"a"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}},{"type":"tool_reference","tool_name":"f"}],"cache_control":{"type":"ephemeral"}},{"type":"text","text":"and"}],"x":1}]}`,
	`{"model":"m","max_tokens":5,"messages":[{"role":"assistant","content":[{"type":"server_tool_use","id":"s1","name":"web_search","input":{"query":"q"}},{"type":"web_search_tool_result","tool_use_id":"s1","content":[{"type":"web_search_result","url":"u","encrypted_content":"e"}]},{"type":"mcp_tool_use","id":"m1","name":"n","server_name":"v","input":{}},{"type":"mcp_tool_result","tool_use_id":"m1","content":[]},{"type":"text","text":"x","citations":[{"type":"char_location","cited_text":"x"}]},{"type":"tool_use","id":"c","name":"f","input":{},"caller":{"type":"code_execution_20250825","tool_id":"s1"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","is_error":false,"content":"r"}]}],"stream":false,"mcp_servers":[{"type":"url","url":"u","name":"v"}],"container":"c","context_management":{"edits":[]}}`,
	`{"model":"m","max_tokens":5,"messages":[{"role":"user","content":"u"}],"tools":[{"name":"f","description":"d","input_schema":{"type":"object","properties":{"b":{},"a":{"$ref":"#/$defs/q"}}},"strict":true,"cache_control":{"type":"ephemeral"},"defer_loading":true,"input_examples":[{}]},{"type":"custom","name":"g","input_schema":{"type":"object"}},{"type":"web_search_20250305","name":"web_search","max_uses":5},{"type":"bash_20250124","name":"bash"},{"type":"mcp_toolset","mcp_server_name":"v"}],"tool_choice":{"type":"tool","name":"f","disable_parallel_tool_use":true}}`,
	`{"model":"m","max_tokens":5,"messages":[{"role":"user","content":"u"}],"tools":[{"name":"f","input_schema":{"type":"object"}}],"tool_choice":{"type":"any"}}`,
	`{"model":"m","max_tokens":5,"messages":[{"role":"user","content":"u"}],"tools":[{"name":"f","input_schema":{"type":"object"}}],"tool_choice":{"type":"none"}}`,
	`{"model":"m","max_tokens":5,"messages":[{"role":"user","content":"u"}],"tools":[{"name":"f","input_schema":{"type":"object"}}],"tool_choice":{"type":"novel","name":1}}`,
	`{"model":"m","max_tokens":0,"messages":[{"role":"user","content":"u"},{"role":"system","content":"in between"},{"role":"assistant","content":[{"type":"thinking","thinking":"of a server that follows","signature":""},{"type":"text","text":"t"}]}]}`,
}

// What a body holds survives.
func TestRequestsComeBack(t *testing.T) {
	codectest.ComeBack[*chat.Request]{
		Decode: codec.DecodeRequest, Encode: codec.EncodeRequest, Flat: flat, Same: cmp.Options{codectest.JSON},
	}.Check(t, codectest.Bodies(codectest.Requests(t, "anthropic-*.json"), requests...)...)
}

// flat: a text is as good as a list of it, and what says nothing as its absence.
var flat = codectest.Flat{
	Member: func(_ map[string]any, name string, v any) (string, any) {
		if text, ok := v.(string); ok && (name == "content" || name == "system") {
			v = []any{map[string]any{"type": "text", "text": text}}
		}
		return name, v
	},
	Silent: func(path string, v any) bool {
		name := path[strings.LastIndexByte(path, '.')+1:]
		return v == "" && name == "description" || v == false && (name == "is_error" || name == "stream")
	},
}

func TestSystemPrompt(t *testing.T) {
	req := codec.ReadRequest(t, `{"messages":[{"role":"user","content":"u"}],"system":[{"type":"text","text":"a"},{"type":"text","text":""},{"type":"text","text":"b"}],"max_tokens":1}`)
	want := []chat.Message{
		{Role: chat.System, Parts: []chat.Part{chat.TextPart("a"), chat.TextPart("b")}},
		{Role: chat.User, Parts: []chat.Part{chat.TextPart("u")}},
	}
	if diff := cmp.Diff(want, req.Messages); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The results of a turn are messages of their own, the user's text another.
func TestResultsAreMessages(t *testing.T) {
	req := codec.ReadRequest(t, `{"max_tokens":1,"messages":[{"role":"user","x":1,"content":[{"type":"text","text":"before"},{"type":"tool_result","tool_use_id":"a"},{"type":"tool_result","tool_use_id":"b","is_error":true,"content":"no"},{"type":"text","text":"c"},{"type":"text","text":"d"}]}]}`)
	want := []chat.Message{
		{Role: chat.User, Parts: []chat.Part{chat.TextPart("before")}, Extras: chat.Extras{{Wire: "anthropic", Name: "x", Value: json.RawMessage("1")}}},
		{Role: chat.ToolRole, Parts: []chat.Part{chat.ResultPart("a")}},
		{Role: chat.ToolRole, Parts: []chat.Part{{Kind: chat.PartResult, Result: &chat.Result{CallID: "b", IsError: true, Parts: []chat.Part{chat.TextPart("no")}}}}},
		{Role: chat.User, Parts: []chat.Part{chat.TextPart("c"), chat.TextPart("d")}},
	}
	if diff := cmp.Diff(want, req.Messages); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestBadBodies(t *testing.T) {
	codectest.Refuses(t, anthropic.Wire, codec.DecodeRequest, map[string]string{
		`{"messages":[{"role":"user","content":[{"type":"text","text":7}]}]}`: "byte 61: messages[].content[].text: expected a string, got a number",
		`{"messages":{}}`:                            "byte 12: messages: expected an array, got an object",
		`{"messages":[[]]}`:                          "messages[]: expected an object, got an array",
		`{"tools":[{"name":"f","input_schema":[]}]}`: "tools[].input_schema: expected an object, got an array",
		`{"system":5}`:                               "system: expected a string, got a number",
		`{"tool_choice":"auto"}`:                     "tool_choice: expected an object, got a string",
		`{"stop_sequences":"a"}`:                     "stop_sequences: expected an array, got a string",
		`{"messages":[{"role":"user","content":[{"type":"tool_result","content":[{"type":"image","source":{"type":"base64","data":[]}}]}]}]}`: "messages[].content[].content[].source.data: expected a string, got an array",
		`{"model":"m",`: "byte 13",
		`[]`:            "expected an object, got an array",
	})
	codectest.Refuses(t, anthropic.Wire, codec.DecodeResponse, map[string]string{
		`{}`:                               "content: it is missing",
		`{"type":"message","role":"user"}`: "content: it is missing",
	})
	codectest.Refuses(t, anthropic.Wire, codec.DecodeTools, map[string]string{
		`{}`:   "tools: expected an array, got an object",
		`null`: "tools: it is missing",
	})
}

func TestResponse(t *testing.T) {
	body := `{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"thinking","thinking":"t","signature":"s"},{"type":"redacted_thinking","data":"d"},{"type":"text","text":"x","citations":null},{"type":"server_tool_use","id":"s1","name":"web_search","input":{}},{"type":"tool_use","id":"c","name":"f","input":{"a": 1.50},"caller":{"type":"direct"}}],"container":null,"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":3,"cache_creation_input_tokens":4,"cache_read_input_tokens":5,"output_tokens":6,"output_tokens_details":{"thinking_tokens":2},"service_tier":"standard"}}`
	res, err := codec.DecodeResponse([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	usage := chat.Usage{Input: 12, Output: 6, CachedInput: 5, CacheWrite: 4, Reasoning: 2, Total: 18}
	if res.Usage != usage {
		t.Errorf("usage %+v, want %+v", res.Usage, usage)
	}
	kinds := []chat.PartKind{chat.PartReasoning, chat.PartReasoning, chat.PartText, chat.PartOther, chat.PartCall}
	for i, p := range res.Choices[0].Message.Parts {
		if p.Kind != kinds[i] {
			t.Errorf("part %d is %v, want %v", i, p.Kind, kinds[i])
		}
	}
	if args := res.Choices[0].Message.Parts[4].Call.Arguments; args != `{"a": 1.50}` {
		t.Errorf("arguments %s", args)
	}
	out, losses := codec.EncodeResponse(res, wire.Options{})
	if len(losses) > 0 {
		t.Fatal(losses)
	}
	if diff := cmp.Diff(flat.Of([]byte(body)), flat.Of(out)); diff != "" {
		t.Errorf("(-sent +written):\n%s", diff)
	}
}

// Every stop reason, also those that no other wire has, comes back.
func TestStopReasons(t *testing.T) {
	const called = `{"type":"tool_use","id":"c","name":"f","input":{}}`
	for _, tt := range []struct {
		word, content string
		want          chat.FinishReason
		back          string
	}{
		{"end_turn", "", chat.FinishStop, "end_turn"},
		{"stop_sequence", "", chat.FinishStop, "stop_sequence"},
		{"tool_use", called, chat.FinishToolCalls, "tool_use"},
		{"end_turn", called, chat.FinishToolCalls, "tool_use"},
		{"tool_use", "", chat.FinishStop, "end_turn"},
		{"max_tokens", called, chat.FinishLength, "max_tokens"},
		{"model_context_window_exceeded", "", chat.FinishLength, "model_context_window_exceeded"},
		{"refusal", "", chat.FinishRefusal, "refusal"},
		{"pause_turn", "", chat.FinishPause, "pause_turn"},
		{"compaction", "", chat.FinishPause, "compaction"},
	} {
		res, err := codec.DecodeResponse([]byte(`{"id":"r","type":"message","content":[` + tt.content + `],"stop_reason":"` + tt.word + `","stop_details":{"type":"x"}}`))
		if err != nil || res.Choices[0].Finish.Reason != tt.want {
			t.Fatalf("%s: %v, %v, want %v", tt.word, err, res.Choices[0].Finish, tt.want)
		}
		out, losses := codec.EncodeResponse(res, wire.Options{})
		if len(losses) > 0 || !strings.Contains(string(out), `"stop_reason":"`+tt.back+`"`) || !strings.Contains(string(out), `"stop_details":{"type":"x"}`) {
			t.Errorf("%s: %v, %s", tt.word, losses, out)
		}
	}
}

// The finish reasons of other wires have the word that ends no better.
func TestForeignFinish(t *testing.T) {
	for _, tt := range []struct {
		wire, word, want string
		losses           int
	}{
		{"openai", "stop", "end_turn", 0}, {"openai", "length", "max_tokens", 0}, {"openai", "content_filter", "refusal", 1},
		{"gemini", "SAFETY", "refusal", 1}, {"gemini", "MALFORMED_FUNCTION_CALL", "max_tokens", 1}, {"gemini", "OTHER", "max_tokens", 1}, {"gemini", "MISSING_THOUGHT_SIGNATURE", "max_tokens", 1},
	} {
		res := &wire.Response{Meta: chat.Meta{ID: "r"}, Choices: []wire.Choice{{Finish: wire.ReadFinish(tt.wire, tt.word)}}}
		out, losses := codec.EncodeResponse(res, wire.Options{})
		if len(losses) != tt.losses || !strings.Contains(string(out), `"stop_reason":"`+tt.want+`"`) {
			t.Errorf("%s %s: %v, %s", tt.wire, tt.word, losses, out)
		}
	}
}

func TestErrorResponse(t *testing.T) {
	const body = `{"type":"error","error":{"type":"overloaded_error","message":"m","details":null},"request_id":"r"}`
	res, err := codec.DecodeResponse([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&wire.Error{Code: "overloaded_error", Message: "m"}, res.Error); diff != "" || len(res.Choices) > 0 {
		t.Errorf("%v (-want +got):\n%s", res.Choices, diff)
	}
	out, losses := codec.EncodeResponse(res, wire.Options{})
	if string(out) != body || len(losses) > 0 {
		t.Errorf("%s, %v, want %s", out, losses, body)
	}
}

// What other wires answer, and this one cannot hold.
func TestResponseLosses(t *testing.T) {
	answer := func(parts ...chat.Part) *wire.Response {
		return &wire.Response{Meta: chat.Meta{ID: "r", Model: "m"}, Choices: []wire.Choice{{Message: assistant(parts...), Finish: wire.ReadFinish("openai", "stop")}}}
	}
	two := answer(chat.TextPart("a"))
	two.Choices = append(two.Choices, two.Choices[0])
	two.Created = 7
	failed := answer(chat.TextPart("a"))
	failed.Error = &wire.Error{Message: "m"}
	for _, tt := range []struct {
		name   string
		res    *wire.Response
		opts   wire.Options
		fields []string
		want   string
	}{
		{"several choices, and the time", two, wire.Options{}, []string{"choices", "created"}, `"content":[{"type":"text","text":"a"}]`},
		{"an error after an answer, without a code", failed, wire.Options{}, []string{"choices", "error.code"}, `{"type":"error","error":{"type":"api_error","message":"m"}}`},
		{"thinking without a signature", answer(chat.Part{Kind: chat.PartReasoning, Text: "r"}), wire.Options{}, nil, `{"type":"thinking","thinking":"r","signature":""}`},
		{"thinking without a signature, by the vendor's book", answer(chat.Part{Kind: chat.PartReasoning, Text: "r"}), wire.Options{VendorOnly: true}, []string{"choices[0].message.parts[0].text"}, `"content":[]`},
		{"another's signature", answer(chat.Part{Kind: chat.PartReasoning, Text: "r", Signature: "g", SignedBy: "gemini"}), wire.Options{}, []string{"choices[0].message.parts[0].signature"}, `"signature":""}`},
		{"refusals", answer(chat.Part{Kind: chat.PartRefusal, Text: "no"}), wire.Options{}, []string{"choices[0].message.parts[0]"}, `"content":[{"type":"text","text":"no"}],"stop_reason":"end_turn"`},
		{"length inside arguments", answer(chat.CallPart("c", "f", `{"a":"b`)), wire.Options{}, []string{"choices[0].message.parts[0].call.arguments"}, `"content":[],"stop_reason":"max_tokens"`},
		{"arguments that are not an object", answer(chat.CallPart("c", "f", `[1]`)), wire.Options{}, []string{"choices[0].message.parts[0].call.arguments"}, `"content":[],"stop_reason":"max_tokens"`},
		{"arguments in a string", answer(chat.CallPart("c", "f", `"{\"a\":1}"`)), wire.Options{}, nil, `"input":{"a":1}`},
		{"a call without a name", answer(chat.CallPart("c", "", `{}`)), wire.Options{}, []string{"choices[0].message.parts[0]"}, `"content":[]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, losses := codec.WriteResponse(t, tt.res, tt.opts)
			codectest.Written(t, out, losses, tt.fields, tt.want)
		})
	}
}

// Calls that came without ids get the same ones whenever the answer is read.
func TestIDsMadeForResponses(t *testing.T) { codec.MakesIDs(t, chat.Meta{Wire: "gemini", ID: "r"}) }
