package ollama_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/ollama"
	"github.com/toolparse/toolparse/internal/wire/test/codectest"
)

var codec = codectest.Codec{Codec: ollama.Codec}

// Short words for the tables.
var (
	user, assistant, result, tool = codectest.User, codectest.Assistant, codectest.Result, codectest.Tool
	history                       = codectest.History
)

// flat: streaming goes without saying, and the index of a call is its place.
var flat = codectest.Flat{Silent: func(path string, v any) bool {
	return path == ".stream" && v == true || path == ".format" && v == "" || strings.HasSuffix(path, ".function.index")
}}

// requests are bodies as clients of many kinds send them.
var requests = []string{
	`{"model":"m","messages":[]}`,
	`{"model":"llama3.2","messages":[{"role":"user","content":"u"}],"stream":false,"format":"json","keep_alive":"5m","think":"high","options":{"temperature":0.10,"top_p":1e0,"num_predict":5,"stop":["a","b"],"seed":42,"num_ctx":4096},"truncate":false,"logprobs":true,"x_unknown":{"a":10000000000000001}}`,
	`{"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":"look","images":["iVBORw0KGgoAAAA=","/9j/4AAQ","AAAA"]},{"role":"assistant","content":"","thinking":"hm","tool_calls":[{"function":{"index":0,"name":"f","arguments":{"n": 10000000000000001}}},{"function":{"index":1,"name":"f","arguments":{}}}]},{"role":"tool","content":"1","tool_name":"f"},{"role":"tool","content":"[tool_error] boom","tool_name":"f"}],"tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object","properties":{"b":{"type":["string","null"],"description":"x"},"a":{"anyOf":[{"type":"integer"},{"type":"string","enum":["x"]}]}},"required":["b"],"$defs":{"A":{}}}},"items":{"x":1}}],"options":null}`,
	`{"model":"m","messages":[{"role":"assistant","content":"t","x":1,"tool_calls":[{"id":"call_a","type":"function","y":2,"function":{"name":"f","arguments":{"INVALID_JSON":"{\"cut"},"z":3}}]},{"role":"tool","content":"1","tool_name":"f","tool_call_id":"call_a","images":["AAAA"]},{"role":"control","content":"thinking"}],"options":{"num_predict":-1,"num_keep":5},"keep_alive":-1}`,
	`{"model":"m","messages":[{"role":"tool","content":"of a call that was left out","tool_name":"g"},{"role":"tool","content":"by its old name","name":"g"}]}`,
	`{"model":"m","messages":[],"tools":[{"type":"web_search","max":3}]}`,
}

// What a body holds survives.
func TestRequestsComeBack(t *testing.T) {
	codectest.ComeBack[*chat.Request]{
		Decode: codec.DecodeRequest, Encode: codec.EncodeRequest, Flat: flat, Same: same,
		IsTold: func(l chat.Loss) bool { return strings.HasSuffix(l.Field, "call.arguments") }, // what is no JSON is told again
		Settle: func(first, second *chat.Request) {
			for i, m := range first.Messages { // the call before a result tells its name
				if m.Role == chat.ToolRole && m.Parts[0].Result.Name == "" {
					m.Parts[0].Result.Name = second.Messages[i].Parts[0].Result.Name
				}
			}
		},
		Forget: func(sent, written map[string]any) {
			maps.DeleteFunc(written, func(path string, _ any) bool { return strings.HasSuffix(path, ".tool_name") && sent[path] == nil })
		},
	}.Check(t, codectest.Bodies(codectest.Requests(t, "ollama-*.json"), requests...)...)
}

// same compares extras in any order.
var same = cmp.Options{codectest.JSON, codectest.Unordered}

func TestRequest(t *testing.T) {
	req := codec.ReadRequest(t, requests[2])
	png := chat.Part{Kind: chat.PartImage, Media: &chat.Media{Type: "image/png", Data: "iVBORw0KGgoAAAA="}}
	result := func(text string, failed bool) chat.Message {
		m := chat.Message{Role: chat.ToolRole, Parts: []chat.Part{{Kind: chat.PartResult, Result: &chat.Result{Name: "f", Parts: []chat.Part{chat.TextPart(text)}, IsError: failed}}}}
		if failed {
			m.Extras = chat.Extras{{Wire: "ollama", Name: "[tool_error] ", Spelling: true}}
		}
		return m
	}
	want := []chat.Message{
		{Role: chat.System, Parts: []chat.Part{chat.TextPart("s")}},
		{Role: chat.User, Parts: []chat.Part{
			chat.TextPart("look"), png,
			{Kind: chat.PartImage, Media: &chat.Media{Type: "image/jpeg", Data: "/9j/4AAQ"}}, {Kind: chat.PartImage, Media: &chat.Media{Data: "AAAA"}},
		}},
		{Role: chat.Assistant, Parts: []chat.Part{
			{Kind: chat.PartReasoning, Text: "hm"}, chat.CallPart("", "f", `{"n": 10000000000000001}`), chat.CallPart("", "f", "{}"),
		}},
		result("1", false), result("boom", true),
	}
	if diff := cmp.Diff(want, req.Messages, same); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !req.Stream || !req.StreamUsage || len(req.Tools) != 1 || req.Tools[0].Name != "f" {
		t.Errorf("%+v", req)
	}
	req = codec.ReadRequest(t, requests[1])
	if req.Stream || req.StreamUsage || req.Temperature != "0.10" || req.TopP != "1e0" || req.MaxTokens != 5 || !cmp.Equal(req.Stop, []string{"a", "b"}) {
		t.Errorf("%+v", req)
	}
}

// What older servers and lax clients send is read, too.
func TestLaxRequests(t *testing.T) {
	req := codec.ReadRequest(t, `{"messages":[{"role":"Assistant","content":null,"images":null,"tool_calls":[{"function":{"name":"f","arguments":"{\"a\":1}"}},{"function":{"name":"g","arguments":null}},{"function":{"name":"h","arguments":""}}]},{"role":"user","images":[""]}],"options":{"stop":"end","temperature":"hot","num_predict":"many"}}`)
	want := chat.Message{Role: chat.Assistant, Parts: []chat.Part{chat.CallPart("", "f", `{"a":1}`), chat.CallPart("", "g", "{}"), chat.CallPart("", "h", "{}")}}
	if diff := cmp.Diff(want, req.Messages[0], same); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(req.Messages[1].Parts) != 0 || !cmp.Equal(req.Stop, []string{"end"}) || req.Temperature != "" || req.MaxTokens != 0 || len(req.Extras) != 2 {
		t.Errorf("%+v", req)
	}
}

// responses are bodies as Ollama's servers send them.
var responses = []string{
	`{"model":"m","created_at":"2026-11-20T15:38:10.81561305Z","message":{"role":"assistant","content":"t","thinking":"hm","tool_calls":[{"id":"call_a","function":{"index":0,"name":"f","arguments":{"n": 10000000000000001}}},{"id":"call_b","function":{"index":1,"name":"g","arguments":{}}}]},"done":true,"done_reason":"stop","total_duration":231864490,"load_duration":4355056,"prompt_eval_count":181,"prompt_eval_cached_count":5,"prompt_eval_duration":94000000,"eval_count":68,"eval_duration":312000000}`,
	`{"model":"m","created_at":"2026-11-20T15:38:10Z","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":{}}}]},"done":true,"done_reason":"stop"}`,
	`{"model":"m","created_at":"2026-11-20T15:38:10Z","remote_model":"r","remote_host":"h","message":{"role":"assistant","content":"a","images":["AAAA"],"x":1},"logprobs":[{"token":"a","logprob":-0.5}],"done":true,"done_reason":"length","eval_count":1}`,
	`{"model":"m","created_at":"2026-11-20T15:38:10Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"load"}`,
	`{"error":"model \"x\" not found","signin_url":"u"}`,
	`{"model":"m","created_at":"2026-11-20T15:38:10Z","message":{"role":"assistant","content":"t"},"done":true,"done_reason":"stop","prompt_eval_count":18,"prompt_eval_cached_count":0,"eval_count":6}`,
}

func TestResponsesComeBack(t *testing.T) {
	codectest.ComeBack[*wire.Response]{Decode: codec.DecodeResponse, Encode: codec.EncodeResponse, Flat: flat, Same: same}.
		Check(t, codectest.Bodies(codectest.Recordings(t, "ollama-json-llama31.json"), responses...)...)
}

func TestResponse(t *testing.T) {
	res, err := codec.DecodeResponse([]byte(responses[0]))
	if err != nil {
		t.Fatal(err)
	}
	want := chat.Meta{Wire: "ollama", Model: "m", Created: 1795189090, Usage: chat.Usage{Input: 181, CachedInput: 5, Output: 68, Total: 249}}
	if diff := cmp.Diff(want, res.Meta); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if f := res.Choices[0].Finish; f != (chat.Finish{Reason: chat.FinishToolCalls, Word: "stop", Wire: "ollama"}) {
		t.Errorf("finish %+v", f)
	}
	if res, err = codec.DecodeResponse([]byte(responses[4])); err != nil || res.Error == nil || res.Error.Message != `model "x" not found` || len(res.Choices) != 0 {
		t.Errorf("%v, %+v", err, res)
	}
}

func TestFinishReasons(t *testing.T) {
	for word, want := range map[string]chat.FinishReason{"stop": chat.FinishStop, "length": chat.FinishLength, "load": chat.FinishStop, "unload": chat.FinishStop, "new": chat.FinishOther} {
		res, err := codec.DecodeResponse([]byte(`{"message":{"role":"assistant","content":""},"done":true,"done_reason":"` + word + `"}`))
		if err != nil || res.Choices[0].Finish.Reason != want {
			t.Errorf("%s: %v, %+v", word, err, res)
		}
	}
	for reason, want := range map[chat.FinishReason]struct {
		word string
		lost bool
	}{
		chat.FinishStop: {"stop", false}, chat.FinishToolCalls: {"stop", false}, chat.FinishLength: {"length", false},
		chat.FinishContentFilter: {"length", true}, chat.FinishRefusal: {"length", true}, chat.FinishError: {"length", true},
		chat.FinishPause: {"stop", true}, chat.FinishOther: {"length", true},
	} {
		out, losses := codec.EncodeResponse(&wire.Response{Meta: chat.Meta{Created: 7}, Choices: []wire.Choice{{Finish: chat.Finish{Reason: reason}}}}, wire.Options{})
		if !strings.Contains(string(out), `"done":true,"done_reason":"`+want.word+`"`) || want.lost != (len(losses) == 1) {
			t.Errorf("%v: %v\n%s", reason, losses, out)
		}
	}
}

// What an answer of another wire has and this one not.
func TestResponseLosses(t *testing.T) {
	answer := func(parts ...chat.Part) wire.Response {
		return wire.Response{Meta: chat.Meta{Created: 7}, Choices: []wire.Choice{{Message: chat.Message{Role: chat.Assistant, Parts: parts}, Finish: chat.Finish{Reason: chat.FinishToolCalls}}}}
	}
	const head = `{"model":"","created_at":"1970-01-01T00:00:07Z","message":{"role":"assistant",`
	for _, tt := range []struct {
		name   string
		res    wire.Response
		fields []string
		want   string
	}{
		{"a time that is not known", wire.Response{}, []string{"created"}, `{"model":"","created_at":"1970-01-01T00:00:00Z","message":{"role":"assistant","content":""},"done":true}`},
		{"the id", wire.Response{Meta: chat.Meta{ID: "r", Model: "m", Created: 7}}, []string{"id"}, `{"model":"m","created_at":"1970-01-01T00:00:07Z","message":{"role":"assistant","content":""},"done":true}`},
		{
			"details of the usage", wire.Response{Meta: chat.Meta{Created: 7, Usage: chat.Usage{Input: 9, Output: 8, CachedInput: 1, CacheWrite: 2, Reasoning: 3}}},
			[]string{"usage.cache_write", "usage.reasoning"}, head + `"content":""},"done":true,"prompt_eval_count":9,"prompt_eval_cached_count":1,"eval_count":8}`,
		},
		{
			"choices above index 0", wire.Response{Meta: chat.Meta{Created: 7}, Choices: []wire.Choice{{Message: assistant(chat.TextPart("a"))}, {Message: assistant(chat.TextPart("b"))}}},
			[]string{"choices[1]"}, head + `"content":"a"},"done":true}`,
		},
		{
			"parts in another order", answer(chat.CallPart("c", "f", "[1]"), chat.TextPart("a"), chat.Part{Kind: chat.PartReasoning, Text: "r", Signature: "s"}, chat.Part{Kind: chat.PartRefusal, Text: "no"}),
			[]string{"choices[0].message.parts[0].call.arguments", "choices[0].message.parts[2].signature", "choices[0].message.parts[3]", "choices[0].message.parts"},
			head + `"content":"ano","thinking":"r"},"done":true,"done_reason":"length"}`,
		},
		{
			"a call that was cut", answer(chat.CallPart("a", "f", `{"cut`), chat.CallPart("b", "g", "{}")), []string{"choices[0].message.parts[0].call.arguments"},
			head + `"content":"","tool_calls":[{"id":"b","function":{"index":0,"name":"g","arguments":{}}}]},"done":true,"done_reason":"length"}`,
		},
		{
			"arguments of several lines, as clients read lines", answer(chat.CallPart("b", "g", "{\n\"a\":\r\n1}")), nil,
			head + `"content":"","tool_calls":[{"id":"b","function":{"index":0,"name":"g","arguments":{ "a":  1}}}]},"done":true,"done_reason":"stop"}`,
		},
		{"an error's code", wire.Response{Error: &wire.Error{Code: "overloaded", Message: "m"}}, []string{"error.code"}, `{"error":"m"}`},
		{"an error without a text", wire.Response{Error: &wire.Error{Code: "overloaded"}}, nil, `{"error":"overloaded"}`},
		{"what an error object has beside", *codec.ReadResponse(t, `{"error":{"message":"m","type":"t","x":{"y":1}}}`), []string{"error.code", "error.x"}, `{"error":"m"}`},
		{"an error behind an answer", wire.Response{Meta: chat.Meta{Created: 7}, Choices: answer(chat.TextPart("a")).Choices, Error: &wire.Error{Message: "m"}}, nil, head + `"content":"a"},"done":true,"done_reason":"stop","error":"m"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, losses := codec.WriteResponse(t, &tt.res, wire.Options{})
			codectest.Written(t, out, losses, tt.fields, "")
			if out != tt.want {
				t.Errorf("%s\nwant %s", out, tt.want)
			}
			codec.ReadResponse(t, out)
		})
	}
}

// Errors name the field and the byte.
func TestErrorsNameTheField(t *testing.T) {
	codectest.Refuses(t, ollama.Wire, codec.DecodeRequest, map[string]string{
		`{"messages":{}}`:                                 "byte 12: messages: expected an array, got an object",
		`{"messages":[{"content":[]}]}`:                   "messages[].content: expected a string, got an array",
		`{"messages":[{"role":"tool","images":"x"}]}`:     "messages[].images: expected an array, got a string",
		`{"messages":[{"tool_calls":[{"function":[]}]}]}`: "messages[].tool_calls[].function: expected an object, got an array",
		`{"options":[]}`:                                  "options: expected an object, got an array",
		`{"messages":[`:                                   "ollama",
		`{}`:                                              "byte 0: messages: it is missing",
		`null`:                                            "messages: it is missing",
		`{"messages":[{"tool_calls":[{"function":{"arguments":{}}}]}]}`: "messages[].tool_calls[].function.name: it is missing",
	})
	codectest.Refuses(t, ollama.Wire, codec.DecodeResponse, map[string]string{
		`{}`:                         "byte 0: message: it is missing",
		`null`:                       "message: it is missing",
		`{"model":"m","done":false}`: "byte 20: done: the answer is incomplete",
		`[]`:                         "expected an object, got an array",
	})
	codectest.Refuses(t, ollama.Wire, codec.DecodeTools, map[string]string{
		`null`:                             "tools: it is missing",
		`{}`:                               "expected an array, got an object",
		`[{"function":{"parameters":[]}}]`: "tools[].function.parameters: expected an object, got an array",
	})
}

func FuzzRequest(f *testing.F) {
	codectest.Fuzz(f, codec.DecodeRequest, codec.EncodeRequest, nil, requests...)
}

func FuzzResponse(f *testing.F) {
	codectest.Fuzz(f, codec.DecodeResponse, codec.EncodeResponse, nil, responses...)
}

func FuzzTools(f *testing.F) {
	codectest.Fuzz(f, codec.DecodeTools, codec.EncodeTools, nil,
		`[{"type":"function","function":{"name":"f","parameters":{"type":["object"],"properties":{"a":true,"b":{"anyOf":[{}]}},"required":1}}}]`,
		`[{"type":"other"}]`)
}
