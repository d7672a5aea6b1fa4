package anthropic_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format/anthropic"
	"github.com/toolparse/toolparse/format/chat"
)

var codec anthropic.Codec

// jsonValues compares raw JSON by value, with exact numbers.
var jsonValues = cmp.Comparer(func(a, b json.RawMessage) bool {
	return cmp.Equal(valueOf(a), valueOf(b))
})

func valueOf(raw json.RawMessage) any {
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		return string(raw)
	}
	return v
}

func decodeRequest(t testing.TB, body string) *chat.Request {
	t.Helper()
	req, err := codec.DecodeRequest([]byte(body))
	if err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	return req
}

func encodeRequest(t testing.TB, req *chat.Request, opts chat.Options) (string, []chat.Loss) {
	t.Helper()
	body, losses, err := codec.EncodeRequest(req, opts)
	if err != nil {
		t.Fatal(err)
	}
	if !json.Valid(body) {
		t.Fatalf("no JSON: %s", body)
	}
	for _, l := range losses {
		if l.Field == "" || l.Reason == "" || l.Done == "" {
			t.Errorf("the loss %+v says too little", l)
		}
	}
	return string(body), losses
}

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

// recordedRequests are those that the vendor answered; none where they are not at hand.
func recordedRequests(t testing.TB) (bodies []string) {
	files, err := filepath.Glob("/work/shared/streams/requests/anthropic-*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, ".expect.json") {
			continue
		}
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		bodies = append(bodies, string(body))
	}
	return bodies
}

// What a body holds survives, fields that nobody knows among it, and nothing
// is reported lost on the way back to the same wire.
func TestRequestsComeBack(t *testing.T) {
	for _, body := range append(recordedRequests(t), requests...) {
		first := decodeRequest(t, body)
		out, losses := encodeRequest(t, first, chat.Options{})
		if len(losses) > 0 {
			t.Errorf("losses %v of %s", losses, body)
		}
		if diff := cmp.Diff(first, decodeRequest(t, out), jsonValues); diff != "" {
			t.Errorf("%s\n%s\n(-first +second):\n%s", body, out, diff)
		}
		if diff := cmp.Diff(leaves(valueOf([]byte(body))), leaves(valueOf([]byte(out)))); diff != "" {
			t.Errorf("(-sent +written):\n%s", diff)
		}
	}
}

// leaves flattens JSON into its paths. A text is as good as a list of it, and
// what says nothing as its absence.
func leaves(v any) map[string]any {
	out := map[string]any{}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, member := range v {
				if text, ok := member.(string); ok && (k == "content" || k == "system") {
					member = []any{map[string]any{"type": "text", "text": text}}
				}
				walk(path+"."+k, member)
			}
		case []any:
			for i, item := range v {
				walk(path+"["+string(rune('0'+i))+"]", item)
			}
		case nil:
		default:
			if name := path[strings.LastIndexByte(path, '.')+1:]; v == "" && name == "description" || v == false && (name == "is_error" || name == "stream") {
				return
			}
			out[path] = v
		}
	}
	walk("", v)
	return out
}

func TestSystemPrompt(t *testing.T) {
	req := decodeRequest(t, `{"messages":[{"role":"user","content":"u"}],"system":[{"type":"text","text":"a"},{"type":"text","text":""},{"type":"text","text":"b"}],"max_tokens":1}`)
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
	req := decodeRequest(t, `{"max_tokens":1,"messages":[{"role":"user","x":1,"content":[{"type":"text","text":"before"},{"type":"tool_result","tool_use_id":"a"},{"type":"tool_result","tool_use_id":"b","is_error":true,"content":"no"},{"type":"text","text":"c"},{"type":"text","text":"d"}]}]}`)
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
	for _, tt := range []struct{ body, want string }{
		{`{"messages":[{"role":"user","content":[{"type":"text","text":7}]}]}`, "byte 61: messages[].content[].text: a number where a string should be"},
		{`{"messages":{}}`, "byte 12: messages: an object where an array should be"},
		{`{"messages":[[]]}`, "messages[]: an array where an object should be"},
		{`{"tools":[{"name":"f","input_schema":[]}]}`, "tools[].input_schema: an array where an object should be"},
		{`{"system":5}`, "system: a number where a string should be"},
		{`{"tool_choice":"auto"}`, "tool_choice: a string where an object should be"},
		{`{"stop_sequences":"a"}`, "stop_sequences: a string where an array should be"},
		{`{"messages":[{"role":"user","content":[{"type":"tool_result","content":[{"type":"image","source":{"type":"base64","data":[]}}]}]}]}`, "messages[].content[].content[].source.data: an array"},
		{`{"model":"m",`, "byte 13"},
		{`[]`, "an array where an object should be"},
	} {
		_, err := codec.DecodeRequest([]byte(tt.body))
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "anthropic") {
			t.Errorf("%s: error %v, want %q", tt.body, err, tt.want)
		}
	}
	if _, err := codec.DecodeResponse([]byte(`{"type":"message","content":[{"type":"tool_use","id":3}]}`)); err == nil || !strings.Contains(err.Error(), "content[].id: a number where a string should be") {
		t.Errorf("error %v", err)
	}
	if _, err := codec.DecodeTools([]byte(`{}`)); err == nil || !strings.Contains(err.Error(), "tools: an object where an array should be") {
		t.Errorf("error %v", err)
	}
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
	out, losses, err := codec.EncodeResponse(res, chat.Options{})
	if err != nil || len(losses) > 0 {
		t.Fatal(err, losses)
	}
	if diff := cmp.Diff(leaves(valueOf([]byte(body))), leaves(valueOf(out))); diff != "" {
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
		{"compaction", "", chat.FinishOther, "compaction"},
	} {
		res, err := codec.DecodeResponse([]byte(`{"id":"r","type":"message","content":[` + tt.content + `],"stop_reason":"` + tt.word + `","stop_details":{"type":"x"}}`))
		if err != nil || res.Choices[0].Finish.Reason != tt.want {
			t.Fatalf("%s: %v, %v, want %v", tt.word, err, res.Choices[0].Finish, tt.want)
		}
		out, losses, err := codec.EncodeResponse(res, chat.Options{})
		if err != nil || len(losses) > 0 || !strings.Contains(string(out), `"stop_reason":"`+tt.back+`"`) || !strings.Contains(string(out), `"stop_details":{"type":"x"}`) {
			t.Errorf("%s: %v, %v, %s", tt.word, err, losses, out)
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
		{"gemini", "SAFETY", "refusal", 1}, {"gemini", "MALFORMED_FUNCTION_CALL", "max_tokens", 1}, {"gemini", "OTHER", "end_turn", 1},
	} {
		res := &chat.Response{Meta: chat.Meta{ID: "r"}, Choices: []chat.Choice{{Finish: chat.ReadFinish(tt.wire, tt.word)}}}
		out, losses, err := codec.EncodeResponse(res, chat.Options{})
		if err != nil || len(losses) != tt.losses || !strings.Contains(string(out), `"stop_reason":"`+tt.want+`"`) {
			t.Errorf("%s %s: %v, %v, %s", tt.wire, tt.word, err, losses, out)
		}
	}
}

func TestErrorResponse(t *testing.T) {
	const body = `{"type":"error","error":{"type":"overloaded_error","message":"m","details":null},"request_id":"r"}`
	res, err := codec.DecodeResponse([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&chat.Error{Code: "overloaded_error", Message: "m"}, res.Error); diff != "" || len(res.Choices) > 0 {
		t.Errorf("%v (-want +got):\n%s", res.Choices, diff)
	}
	out, losses, err := codec.EncodeResponse(res, chat.Options{})
	if string(out) != body || len(losses) > 0 || err != nil {
		t.Errorf("%s, %v, %v, want %s", out, losses, err, body)
	}
}

// What other wires answer, and this one cannot hold.
func TestResponseLosses(t *testing.T) {
	answer := func(parts ...chat.Part) *chat.Response {
		return &chat.Response{Meta: chat.Meta{ID: "r", Model: "m"}, Choices: []chat.Choice{{Message: chat.Message{Role: chat.Assistant, Parts: parts}, Finish: chat.ReadFinish("openai", "stop")}}}
	}
	two := answer(chat.TextPart("a"))
	two.Choices = append(two.Choices, two.Choices[0])
	two.Created = 7
	failed := answer(chat.TextPart("a"))
	failed.Error = &chat.Error{Message: "m"}
	for _, tt := range []struct {
		name   string
		res    *chat.Response
		opts   chat.Options
		fields []string
		want   string
	}{
		{"several choices, and the time", two, chat.Options{}, []string{"choices", "created"}, `"content":[{"type":"text","text":"a"}]`},
		{"an error after an answer, without a code", failed, chat.Options{}, []string{"choices", "error.code"}, `{"type":"error","error":{"type":"api_error","message":"m"}}`},
		{"thinking without a signature", answer(chat.Part{Kind: chat.PartReasoning, Text: "r"}), chat.Options{}, nil, `{"type":"thinking","thinking":"r","signature":""}`},
		{"thinking without a signature, by the vendor's book", answer(chat.Part{Kind: chat.PartReasoning, Text: "r"}), chat.Options{VendorOnly: true}, []string{"choices[0].message.parts[0].text"}, `"content":[]`},
		{"another's signature", answer(chat.Part{Kind: chat.PartReasoning, Text: "r", Signature: "g", SignedBy: "gemini"}), chat.Options{}, []string{"choices[0].message.parts[0].signature"}, `"signature":""}`},
		{"refusals", answer(chat.Part{Kind: chat.PartRefusal, Text: "no"}), chat.Options{}, []string{"choices[0].message.parts[0]"}, `"content":[{"type":"text","text":"no"}],"stop_reason":"end_turn"`},
		{"length inside arguments", answer(chat.CallPart("c", "f", `{"a":"b`)), chat.Options{}, []string{"choices[0].message.parts[0].call.arguments"}, `"input":{"INVALID_JSON":"{\"a\":\"b"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, losses, err := codec.EncodeResponse(tt.res, tt.opts)
			if err != nil || !json.Valid(out) {
				t.Fatal(err, string(out))
			}
			if diff := cmp.Diff(tt.fields, fieldsOf(losses)); diff != "" {
				t.Errorf("losses (-want +got):\n%s%v", diff, losses)
			}
			if !strings.Contains(string(out), tt.want) {
				t.Errorf("%s\nlacks %s", out, tt.want)
			}
		})
	}
}

func fieldsOf(losses []chat.Loss) (fields []string) {
	for _, l := range losses {
		fields = append(fields, l.Field)
	}
	return fields
}

// Calls that came without ids get the same ones whenever the answer is read.
func TestIDsMadeForResponses(t *testing.T) {
	res := &chat.Response{Meta: chat.Meta{Wire: "gemini", ID: "r"}, Choices: []chat.Choice{{
		Message: chat.Message{Role: chat.Assistant, Parts: []chat.Part{chat.CallPart("", "f", ""), chat.CallPart("", "f", "")}},
		Finish:  chat.ReadFinish("gemini", "STOP"),
	}}}
	var bodies []string
	for range 2 {
		out, losses, err := codec.EncodeResponse(res, chat.Options{})
		if err != nil || len(losses) > 0 {
			t.Fatal(err, losses)
		}
		bodies = append(bodies, string(out))
	}
	got, err := codec.DecodeResponse([]byte(bodies[0]))
	if err != nil {
		t.Fatal(err)
	}
	parts := got.Choices[0].Message.Parts
	if parts[0].Call.ID == "" || parts[0].Call.ID == parts[1].Call.ID || bodies[0] != bodies[1] {
		t.Errorf("%q", bodies)
	}
	if !slices.Equal([]string{"{}", "{}"}, []string{parts[0].Call.Arguments, parts[1].Call.Arguments}) || got.Choices[0].Finish.Reason != chat.FinishToolCalls {
		t.Errorf("%+v", got.Choices[0])
	}
}

// What lacks its envelope is no answer, and null no list of tools.
func TestNoEnvelope(t *testing.T) {
	for body, want := range map[string]string{
		`{}`:                               "content: it is missing",
		`{"type":"message","role":"user"}`: "content: it is missing",
		`{"content":"a"}`:                  "content: a string where an array should be",
		`{"content":[],"usage":{"input_tokens":-1}}`: "usage.input_tokens: no count",
		`{"content":[{"type":"text","text":[]}]}`:    "text: an array where a string should be",
	} {
		if _, err := codec.DecodeResponse([]byte(body)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", body, err, want)
		}
	}
	if _, err := codec.DecodeTools([]byte("null")); err == nil || !strings.Contains(err.Error(), "tools: it is missing") {
		t.Errorf("null tools: %v", err)
	}
}
