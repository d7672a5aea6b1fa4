package responses_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/responses"
	"github.com/toolparse/toolparse/internal/wire/test/codectest"
)

var codec = codectest.Codec{Codec: responses.Codec}

// Short words for the tables.
var (
	user, said, results = codectest.User, codectest.Assistant, codectest.Results
)

func tool(name string) chat.Tool { return codectest.Tool(name, `{"type":"object"}`) }

// requests are bodies as clients of many kinds send them.
var requests = []string{
	`{"model":"m","input":"u"}`,
	`{"model":"m","input":[]}`,
	`{"model":"m","instructions":"s","input":"u","stream":true,"stream_options":{"include_obfuscation":false},"store":false,"include":["reasoning.encrypted_content"],"reasoning":{"effort":"low","summary":"auto"},"text":{"format":{"type":"json_schema","name":"n","schema":{"type":"object"},"strict":true},"verbosity":"low"},"truncation":"auto","metadata":{"a":"b"},"service_tier":"flex","max_tool_calls":3,"user":null,"x_unknown":{"n":10000000000000001}}`,
	`{"model":"m","instructions":"s","input":[{"role":"system","content":"in between"},{"type":"message","role":"developer","content":[{"type":"input_text","text":"a"},{"type":"input_text","text":"b","x":1}]},{"role":"user","content":"u","id":"msg_u","x":1}],"temperature":0.10,"top_p":1e0,"max_output_tokens":5,"parallel_tool_calls":false}`,
	`{"model":"m","input":[{"role":"user","content":[{"type":"input_text","text":"see"},{"type":"input_image","image_url":"https://example.com/a.png","detail":"low"},{"type":"input_image","image_url":"data:image/png;base64,AAAA","detail":"auto"},{"type":"input_image","file_id":"file-1"},{"type":"input_file","file_data":"data:application/pdf;base64,BBBB","filename":"f.pdf"},{"type":"input_file","file_data":"QUJD"},{"type":"input_file","file_url":"https://example.com/a.pdf"},{"type":"input_file","file_id":"file-2","detail":"high"},{"type":"input_audio","input_audio":{"data":"x","format":"wav"}}]}]}`,
	`{"model":"m","input":[{"role":"user","content":"u"},{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gAAA"},{"type":"message","id":"msg_1","role":"assistant","status":"completed","phase":"commentary","content":[{"type":"output_text","text":"t","annotations":[],"logprobs":[]}]},{"type":"function_call","id":"fc_1","call_id":"c1","name":"f","arguments":"{\"n\": 10000000000000001}","status":"completed"},{"type":"custom_tool_call","id":"ctc_1","call_id":"c2","name":"g","input":"a\"b\né"},{"type":"function_call_output","call_id":"c1","output":"1"},{"type":"custom_tool_call_output","call_id":"c2","output":[{"type":"input_text","text":"a"},{"type":"input_image","image_url":"https://example.com/a.png","detail":"auto"}]},{"role":"user","content":"and"}]}`,
	`{"model":"m","input":[{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"one"},{"type":"summary_text","text":"two","x":1}],"content":[{"type":"reasoning_text","text":"three"}],"encrypted_content":"gAAA","status":"incomplete"},{"type":"reasoning","id":"rs_2","summary":[]},{"type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":"of an open server"}]},{"type":"reasoning","id":"rs_4","summary":[{"type":"novel"}]},{"role":"assistant","content":"t"}]}`,
	`{"model":"m","input":[{"role":"assistant","content":[{"type":"output_text","text":"a","annotations":[{"type":"url_citation","url":"u","start_index":0,"end_index":1,"title":"t"}]},{"type":"refusal","refusal":"no"},{"type":"output_novel","x":1}]},{"role":"assistant","content":[{"type":"output_text","text":"b"}]},{"type":"message","id":"msg_3","role":"assistant","content":[]},{"type":"message","id":"msg_4","role":"assistant","status":"incomplete","content":[{"type":"output_text","text":"c"}]}]}`,
	`{"model":"m","previous_response_id":"resp_1","input":[{"type":"function_call_output","call_id":"c9","name":"f","output":"[tool_error] boom","id":"o1"},{"type":"custom_tool_call_output","call_id":"c8","output":""},{"type":"item_reference","id":"x"},{"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search","query":"q"}},{"type":"computer_call_output","call_id":"k","output":{"type":"computer_screenshot","image_url":"u"}},{"type":"mcp_approval_response","approval_request_id":"a","approve":true},{"role":"critic","content":"odd"}]}`,
	`{"model":"m","input":[],"tools":[{"type":"function","name":"f","description":"d","parameters":{"type":"object","properties":{"b":{},"a":{"$ref":"#/$defs/q"}}},"strict":true,"defer_loading":true,"output_schema":{"type":"object"}},{"type":"function","name":"h","parameters":null,"strict":null,"description":null},{"type":"function","name":"i","parameters":{},"strict":false},{"type":"custom","name":"g","description":"d","format":{"type":"grammar","syntax":"lark","definition":"x"}},{"type":"web_search","filters":{}},{"type":"mcp","server_label":"s","server_url":"u"},{"type":"namespace","name":"n","tools":[]}],"tool_choice":{"type":"allowed_tools","mode":"required","tools":[{"type":"function","name":"f"},{"type":"custom","name":"g"}]}}`,
	`{"model":"m","input":[],"tools":[{"type":"function","name":"f","parameters":{},"strict":false}],"tool_choice":{"type":"function","name":"f"}}`,
	`{"model":"m","input":[],"tools":[{"type":"custom","name":"g"}],"tool_choice":{"type":"custom","name":"g"}}`,
	`{"model":"m","input":[],"tool_choice":{"type":"web_search"}}`,
	`{"model":"m","input":[],"tool_choice":{"type":"allowed_tools","mode":"auto","tools":[{"type":"mcp","server_label":"s"}]}}`,
	`{"model":"m","input":[],"tool_choice":"none"}`,
}

// What a body holds survives.
func TestRequestsComeBack(t *testing.T) {
	codectest.ComeBack[*chat.Request]{
		Decode: codec.DecodeRequest, Encode: codec.EncodeRequest, Flat: flat, Same: cmp.Options{codectest.JSON},
		IsTold: func(l chat.Loss) bool { return strings.HasSuffix(l.Field, "is_error") }, // changed to the mark that it was
	}.Check(t, codectest.Bodies(codectest.Requests(t, "responses-*.json"), requests...)...)
}

// flat: a text is as good as a list of it, and what goes without saying as its
// absence.
var flat = codectest.Flat{
	Member: func(object map[string]any, name string, v any) (string, any) {
		if text, ok := v.(string); ok && (name == "content" || name == "output") {
			kind := "input_text"
			if object["role"] == "assistant" {
				kind = "output_text"
			}
			v = []any{map[string]any{"type": kind, "text": text}}
		}
		return name, v
	},
	Silent: func(path string, v any) bool {
		name := path[strings.LastIndexByte(path, '.')+1:]
		return v == "message" && name == "type" || v == "completed" && name == "status" || v == "auto" && name == "detail" || v == false && name == "stream"
	},
}

// Items of the model become one message until somebody else speaks.
func TestItemsAsMessages(t *testing.T) {
	own := func(names ...string) (x chat.Extras) {
		for _, name := range names {
			name, value, ok := strings.Cut(name, "=")
			in, inner, isIn := strings.Cut(name, ".")
			if !isIn {
				in, inner = "", name
			}
			e := chat.Extra{Wire: "responses", In: in, Name: inner, Spelling: !ok}
			if ok {
				e.Value = json.RawMessage(value)
			}
			x = append(x, e)
		}
		return x
	}
	req := codec.ReadRequest(t, `{"instructions":"s","input":[
		{"role":"user","content":"u"},
		{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"one"},{"type":"summary_text","text":"two"}],"encrypted_content":"e"},
		{"type":"message","id":"m1","role":"assistant","content":[{"type":"output_text","text":"a"},{"type":"output_text","text":"b"}]},
		{"role":"assistant","content":"c"},
		{"type":"function_call","call_id":"c1","name":"f","arguments":""},
		{"type":"custom_tool_call","call_id":"c2","name":"g","input":"x\"y"},
		{"type":"function_call_output","call_id":"c1","output":"1"},
		{"type":"custom_tool_call_output","call_id":"c2","output":"2"},
		{"type":"reasoning","summary":[],"encrypted_content":"only"},
		{"type":"function_call","id":"fc_only","name":"f","arguments":{"a":1}}]}`)
	custom := chat.CallPart("c2", "g", `{"input":"x\"y"}`)
	custom.Call.Custom = true
	customResult := chat.ResultPart("c2", chat.TextPart("2"))
	customResult.Extras = own("custom")
	byID := chat.CallPart("fc_only", "f", `{"a":1}`)
	byID.Extras = own(`id="fc_only"`)
	want := []chat.Message{
		{Role: chat.System, Parts: []chat.Part{chat.TextPart("s")}, Extras: own("instructions")},
		{Role: chat.User, Parts: []chat.Part{chat.TextPart("u")}},
		{Role: chat.Assistant, Parts: []chat.Part{
			{Kind: chat.PartReasoning, Text: "one", Extras: own(`id="rs_1"`, "summary")},
			{Kind: chat.PartReasoning, Text: "two", Signature: "e", SignedBy: "responses", Extras: own("summary", "part")},
			{Kind: chat.PartText, Text: "a", Extras: own(`item.id="m1"`)},
			chat.TextPart("b"),
			{Kind: chat.PartText, Text: "c", Extras: own("item")},
			chat.CallPart("c1", "f", "{}"),
			custom,
		}},
		{Role: chat.ToolRole, Parts: []chat.Part{chat.ResultPart("c1", chat.TextPart("1"))}},
		{Role: chat.ToolRole, Parts: []chat.Part{customResult}},
		{Role: chat.Assistant, Parts: []chat.Part{
			{Kind: chat.PartReasoning, Redacted: "only", SignedBy: "responses", Extras: own("reasoning")},
			byID,
		}},
	}
	if diff := cmp.Diff(want, req.Messages); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// bodies are answers as servers send them, and what they say is the same when
// they are written again.
var bodies = []string{
	`{"id":"resp_1","object":"response","created_at":7,"status":"completed","error":null,"incomplete_details":null,"instructions":"s","model":"m","output":[{"id":"rs_1","type":"reasoning","content":[],"summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"e"},{"id":"msg_1","type":"message","status":"completed","role":"assistant","phase":"commentary","content":[{"type":"output_text","annotations":[],"logprobs":[],"text":"t"}]},{"id":"ws_1","type":"web_search_call","status":"completed","action":{"type":"search","query":"q"}},{"id":"fc_1","type":"function_call","status":"completed","arguments":"{\"a\":1}","call_id":"c","name":"f","caller":{"type":"program"},"namespace":"n"}],"parallel_tool_calls":true,"temperature":1.0,"tool_choice":"auto","tools":[{"type":"function","name":"f"}],"top_p":0.98,"usage":{"input_tokens":63,"input_tokens_details":{"cache_write_tokens":2,"cached_tokens":3,"x":1},"output_tokens":69,"output_tokens_details":{"reasoning_tokens":26},"total_tokens":132,"y":{}},"metadata":{"k":"v"},"store":false,"x_unknown":1.50}`,
	`{"id":"r","object":"response","created_at":7,"status":"incomplete","error":null,"incomplete_details":{"reason":"max_output_tokens"},"model":"m","output":[{"id":"fc_1","type":"function_call","status":"incomplete","arguments":"{\"a\":","call_id":"c","name":"f"}],"parallel_tool_calls":true,"tool_choice":"auto","tools":[],"usage":null,"metadata":{}}`,
	`{"id":"r","object":"response","created_at":7,"status":"incomplete","error":null,"incomplete_details":{"reason":"content_filter","x":1},"model":"m","output":[],"parallel_tool_calls":false,"tool_choice":"auto","tools":[],"metadata":{}}`,
	`{"id":"r","object":"response","created_at":7,"status":"incomplete","error":null,"incomplete_details":{"reason":"novel"},"model":"m","output":[],"parallel_tool_calls":true,"tool_choice":"auto","tools":[],"metadata":{}}`,
	`{"id":"r","object":"response","created_at":7,"status":"failed","error":{"code":"server_error","message":"m","x":1},"incomplete_details":null,"model":"m","output":[],"parallel_tool_calls":true,"tool_choice":"auto","tools":[],"metadata":{}}`,
	`{"id":"r","object":"response","created_at":7,"status":"in_progress","model":"m","output":[],"parallel_tool_calls":true,"tool_choice":"auto","tools":[],"metadata":{}}`,
	`{"id":"r","object":"response","created_at":7,"status":"cancelled","model":"m","output":[],"parallel_tool_calls":true,"tool_choice":"auto","tools":[],"metadata":{}}`,
	`{"id":"r","object":"response","created_at":7,"status":"completed","model":"m","output":[{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[{"type":"refusal","refusal":"no"}]},{"id":"ctc_1","type":"custom_tool_call","status":"completed","call_id":"c","name":"g","input":"SELECT \"é\""}],"parallel_tool_calls":true,"tool_choice":"auto","tools":[],"metadata":{}}`,
	`{"id":"r","object":"response","created_at":7,"status":"completed","model":"m","output":[{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[{"type":"output_novel","x":1},{"type":"output_text","text":"a","annotations":[]}]}],"parallel_tool_calls":true,"tool_choice":"auto","tools":[],"metadata":{}}`,
	`{"error":{"message":"m","type":"invalid_request_error","param":null,"code":"c"}}`,
}

func TestResponsesComeBack(t *testing.T) {
	codectest.ComeBack[*wire.Response]{
		Decode: codec.DecodeResponse, Encode: codec.EncodeResponse, Flat: flat, Same: cmp.Options{codectest.JSON, codectest.Unordered},
		Forget: func(sent, written map[string]any) { // counts that must be there
			maps.DeleteFunc(written, func(path string, v any) bool {
				return sent[path] == nil && strings.HasPrefix(path, ".usage.") && v == json.Number("0")
			})
		},
	}.Check(t, bodies...)
}

func TestFinishReasons(t *testing.T) {
	tests := []struct {
		body   string
		reason chat.FinishReason
		word   string
	}{
		{`{"status":"completed","output":[]}`, chat.FinishStop, "completed"},
		{`{"status":"completed","output":[{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}]}`, chat.FinishToolCalls, "completed"},
		{`{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}}`, chat.FinishLength, "max_output_tokens"},
		{`{"status":"incomplete","incomplete_details":{"reason":"content_filter"}}`, chat.FinishContentFilter, "content_filter"},
		{`{"status":"incomplete"}`, chat.FinishLength, "incomplete"},
		{`{"status":"failed","error":{"code":"c","message":"m"}}`, chat.FinishError, "failed"},
		{`{"status":"cancelled"}`, chat.FinishError, "cancelled"},
		{`{"status":"queued"}`, chat.FinishOther, "queued"},
		{`{"status":"novel"}`, chat.FinishOther, "novel"},
		{`{"object":"response","output":[]}`, chat.FinishUnset, ""},
	}
	for _, tt := range tests {
		f := codec.ReadResponse(t, tt.body).Choices[0].Finish
		if f.Reason != tt.reason || f.Word != tt.word {
			t.Errorf("%s: %+v, want %v", tt.body, f, tt.reason)
		}
	}
	written := []struct {
		finish chat.Finish
		want   string
		losses int
	}{
		{chat.Finish{Reason: chat.FinishStop}, `"status":"completed","error":null,"incomplete_details":null`, 0},
		{wire.ReadFinish("anthropic", "max_tokens"), `"status":"incomplete","error":null,"incomplete_details":{"reason":"max_output_tokens"}`, 0},
		{wire.ReadFinish("gemini", "SAFETY"), `"status":"incomplete","error":null,"incomplete_details":{"reason":"content_filter"}`, 0},
		{wire.ReadFinish("anthropic", "refusal"), `"status":"incomplete","error":null,"incomplete_details":{"reason":"content_filter"}`, 1},
		{wire.ReadFinish("anthropic", "pause_turn"), `"status":"incomplete","error":null,"incomplete_details":null`, 1},
		{wire.ReadFinish("gemini", "MALFORMED_FUNCTION_CALL"), `"status":"failed","error":{"code":"server_error","message":"the answer ended with: MALFORMED_FUNCTION_CALL"}`, 0},
		{wire.ReadFinish("gemini", "NOVEL"), `"status":"incomplete"`, 1},
	}
	for _, tt := range written {
		out, losses := codec.WriteResponse(t, &wire.Response{Choices: []wire.Choice{{Message: chat.Message{Role: chat.Assistant}, Finish: tt.finish}}}, wire.Options{})
		if !strings.Contains(out, tt.want) || len(losses) != tt.losses {
			t.Errorf("%+v: %s, losses %v", tt.finish, out, losses)
		}
	}
}

// The body of an answer is what clients expect: items with ids and statuses,
// and members that must be there.
func TestResponseOfAnotherWire(t *testing.T) {
	res := &wire.Response{
		Meta: chat.Meta{Wire: "anthropic", ID: "msg_1", Model: "m", Created: 7, Usage: chat.Usage{Input: 5, Output: 3, CachedInput: 2, CacheWrite: 1, Reasoning: 1}},
		Choices: []wire.Choice{
			{
				Message: chat.Message{Role: chat.Assistant, Parts: []chat.Part{
					{Kind: chat.PartReasoning, Text: "hm", Signature: "s", SignedBy: "anthropic"},
					{Kind: chat.PartReasoning, Redacted: "r", SignedBy: "anthropic"},
					chat.TextPart("t"),
					chat.CallPart("toolu_1", "f", `{"cut":"of`),
					chat.TextPart("u"),
					{Kind: chat.PartRefusal, Text: "no"},
				}},
				Finish: wire.ReadFinish("anthropic", "max_tokens"),
			},
			{Message: chat.Message{Role: chat.Assistant}},
		},
	}
	out, losses := codec.WriteResponse(t, res, wire.Options{})
	var got struct {
		Output []struct{ ID, Type, Status string }
		Usage  json.RawMessage
		Tools  json.RawMessage
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	var kinds []string
	ids := map[string]bool{}
	for _, item := range got.Output {
		kinds = append(kinds, item.Type+" "+item.Status)
		ids[item.ID] = true
	}
	if diff := cmp.Diff([]string{"reasoning ", "message completed", "function_call incomplete", "message completed"}, kinds); diff != "" || len(ids) != 4 || ids[""] {
		t.Errorf("%s\n%s", diff, out)
	}
	if want := `{"input_tokens":5,"input_tokens_details":{"cached_tokens":2,"cache_write_tokens":1},"output_tokens":3,"output_tokens_details":{"reasoning_tokens":1},"total_tokens":8}`; string(got.Usage) != want || string(got.Tools) != "[]" {
		t.Errorf("%s", out)
	}
	if diff := cmp.Diff([]string{"choices[1]", "choices[0].message.parts[0].signature", "choices[0].message.parts[1].redacted"}, codectest.Fields(losses)); diff != "" {
		t.Errorf("losses (-want +got):\n%s", diff)
	}
	again, _ := codec.WriteResponse(t, res, wire.Options{})
	if again != out {
		t.Errorf("another time it is\n%s\n%s", again, out)
	}
}

func TestDecodeErrors(t *testing.T) {
	codectest.Refuses(t, responses.Wire, codec.DecodeRequest, map[string]string{
		`{"input":[`:      "byte 10: invalid JSON",
		`{"input":7}`:     "byte 9: input: expected an array, got a number",
		`{"input":["x"]}`: "byte 11: input[]: expected an object, got a string",
		`{"input":[{"role":"user","content":{}}]}`:               "byte 35: input[].content: expected a string, got an object",
		`{"input":[{"role":"user","content":[7]}]}`:              "input[].content[]: expected an object, got a number",
		`{"input":[{"type":"function_call","call_id":1}]}`:       "input[].call_id: expected a string, got a number",
		`{"input":[{"type":"custom_tool_call","input":{}}]}`:     "input[].input: expected a string, got an object",
		`{"input":[{"type":"function_call_output","output":5}]}`: "input[].output: expected a string, got a number",
		`{"input":[{"type":"reasoning","summary":"x"}]}`:         "input[].summary: expected an array, got a string",
		`{"tools":{}}`: "tools: expected an array, got an object",
		`{"tools":[{"type":"function","name":[]}]}`: "tools[].name: expected a string, got an array",
		`[]`: "expected an object, got an array",
	})
	codectest.Refuses(t, responses.Wire, codec.DecodeResponse, map[string]string{})
	codectest.Refuses(t, responses.Wire, codec.DecodeTools, map[string]string{`[7]`: "tools[]"})
}

// Calls that came without ids get the same ones whenever the answer is read.
func TestIDsMadeForResponses(t *testing.T) {
	codec.MakesIDs(t, chat.Meta{Wire: "gemini", ID: "r", Created: 7})
}

// Without a word the server makes tools strict; nobody else's default is that.
func TestStrictTools(t *testing.T) {
	strict, loose := tool("s"), tool("l")
	strict.Strict, loose.Strict = chat.On, chat.Off
	strict.Parameters = json.RawMessage(`{"type":"object","properties":{},"required":[],"additionalProperties":false}`)
	out, losses := codec.EncodeTools([]chat.Tool{tool("f"), strict, loose}, wire.Options{})
	want := `[{"type":"function","name":"f","parameters":{"type":"object"},"strict":false},{"type":"function","name":"s","parameters":{"type":"object","properties":{},"required":[],"additionalProperties":false},"strict":true},{"type":"function","name":"l","parameters":{"type":"object"},"strict":false}]`
	if string(out) != want || len(losses) > 0 {
		t.Errorf("%s, %v", out, losses)
	}
	tools, err := codec.DecodeTools([]byte(`[{"type":"function","name":"f","parameters":null}]`))
	if err != nil || tools[0].Strict != chat.Unset {
		t.Fatalf("%+v, %v", tools, err)
	}
	if out, _ = codec.EncodeTools(tools, wire.Options{}); string(out) != `[{"type":"function","name":"f","parameters":null}]` {
		t.Errorf("%s", out)
	}
}
