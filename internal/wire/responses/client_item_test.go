package responses_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
	"github.com/toolparse/toolparse/internal/wire/test/codectest"
	"github.com/toolparse/toolparse/toolcall"
)

// asked are the items by which the model asks the client for something, with the
// tool that allows it, the call that they are to all else, and their result. # is
// the id of the call, ## that of its item.
var asked = []struct {
	tool, call      string
	name, arguments string
	result          string
	said            string // by the result, to all else
}{
	{
		`{"type":"local_shell"}`,
		`{"type":"local_shell_call","id":"##","call_id":"#","status":"completed","action":{"type":"exec","command":["ls","-l"],"env":{"A":"b"},"timeout_ms":10000000000000001}}`,
		"local_shell", `{"type":"exec","command":["ls","-l"],"env":{"A":"b"},"timeout_ms":10000000000000001}`,
		`{"type":"local_shell_call_output","id":"##","output":"{\"output\":\"a.txt\"}"}`, `{"output":"a.txt"}`,
	},
	{
		`{"type":"shell","environment":{"type":"local"}}`,
		`{"type":"shell_call","id":"##","call_id":"#","status":"completed","action":{"commands":["ls"],"timeout_ms":5},"environment":{"type":"local"}}`,
		"shell", `{"commands":["ls"],"timeout_ms":5}`,
		`{"type":"shell_call_output","call_id":"#","max_output_length":9,"output":[{"stdout":"a.txt","stderr":"","outcome":{"type":"exit","exit_code":0}}]}`,
		`[{"stdout":"a.txt","stderr":"","outcome":{"type":"exit","exit_code":0}}]`,
	},
	{
		`{"type":"apply_patch"}`,
		`{"type":"apply_patch_call","id":"##","call_id":"#","status":"completed","operation":{"type":"update_file","path":"a.go","diff":"@@\n-a\n+b"}}`,
		"apply_patch", `{"type":"update_file","path":"a.go","diff":"@@\n-a\n+b"}`,
		`{"type":"apply_patch_call_output","call_id":"#","status":"completed","output":"done"}`, "done",
	},
	{
		`{"type":"computer"}`,
		`{"type":"computer_call","id":"##","call_id":"#","status":"completed","action":{"type":"click","x":1,"y":2,"button":"left"},"pending_safety_checks":[{"id":"s"}]}`,
		"computer", `{"action":{"type":"click","x":1,"y":2,"button":"left"},"pending_safety_checks":[{"id":"s"}]}`,
		`{"type":"computer_call_output","call_id":"#","acknowledged_safety_checks":[{"id":"s"}],"output":{"type":"computer_screenshot","image_url":"https://a/b.png"}}`, "image https://a/b.png",
	},
	{
		`{"type":"tool_search","execution":"client","description":"d","parameters":{"type":"object","properties":{"goal":{"type":"string"}}}}`,
		`{"type":"tool_search_call","id":"##","call_id":"#","status":"completed","execution":"client","arguments":{"goal":"tides"}}`,
		"tool_search", `{"goal":"tides"}`,
		`{"type":"tool_search_output","call_id":"#","status":"completed","execution":"client","tools":[{"type":"function","name":"tides","parameters":{}}]}`,
		`[{"type":"function","name":"tides","parameters":{}}]`,
	},
	{
		"",
		`{"type":"mcp_approval_request","id":"#","server_label":"sea","name":"tides","arguments":"{\"port\":\"Oslo\"}"}`,
		"mcp_approval_request", `{"server_label":"sea","name":"tides","arguments":"{\"port\":\"Oslo\"}"}`,
		`{"type":"mcp_approval_response","approval_request_id":"#","approve":true,"reason":"ok"}`, `{"approve":true,"reason":"ok"}`,
	},
	{
		`{"type":"namespace","name":"mcp__sea","description":"The sea","tools":[{"type":"function","name":"tides","description":"d","parameters":{"type":"object","properties":{}},"strict":false},{"type":"custom","name":"log"}]}`,
		`{"type":"function_call","id":"##","call_id":"#","status":"completed","namespace":"mcp__sea","name":"tides","arguments":"{\"port\":\"Oslo\"}"}`,
		"mcp__sea__tides", `{"port":"Oslo"}`,
		`{"type":"function_call_output","call_id":"#","output":"high"}`, "high",
	},
	{
		`{"type":"namespace","name":"mcp__sea","description":"The sea","tools":[{"type":"custom","name":"log","description":"d"}]}`,
		`{"type":"custom_tool_call","id":"##","call_id":"#","status":"completed","namespace":"mcp__sea","name":"log","input":"text"}`,
		"mcp__sea__log", `{"input":"text"}`,
		`{"type":"custom_tool_call_output","call_id":"#","output":"logged"}`, "logged",
	},
}

func withIDs(s string) string { return strings.NewReplacer("##", "item_1", "#", "call_1").Replace(s) }

// requestOf is a request with the tool, the call and the result of a row.
func requestOf(tool, call, result string) []byte {
	tools := "[]"
	if tool != "" {
		tools = "[" + tool + "]"
	}
	return []byte(withIDs(`{"model":"m","input":[{"type":"message","role":"user","content":"hi"},` + call + `,` + result + `],"tools":` + tools + `}`))
}

// What the client must run are calls, with the results that answer them, in
// requests, and come back as the items that they were.
func TestWhatTheClientRunsAreCalls(t *testing.T) {
	codec, _ := all.CodecOf(format.Responses)
	for _, tt := range asked {
		t.Run(tt.name, func(t *testing.T) {
			body := requestOf(tt.tool, tt.call, tt.result)
			req, err := codec.DecodeRequest(body)
			if err != nil {
				t.Fatal(err)
			}
			call, result := req.Messages[1].Parts[0].Call, wire.Link(req.Messages)[2].Parts[0].Result
			if call == nil || call.Name != tt.name || call.ID != "call_1" {
				t.Fatalf("the call is %+v", call)
			}
			if diff := cmp.Diff(codectest.ValueOf([]byte(tt.arguments)), codectest.ValueOf([]byte(call.Arguments))); diff != "" {
				t.Errorf("arguments (-want +got):\n%s", diff)
			}
			said := result.Parts[0].Text
			if m := result.Parts[0].Media; m != nil {
				said = "image " + m.URL
			}
			if result.CallID != "call_1" || result.Name != tt.name || said != tt.said {
				t.Errorf("the result is %+v and says %q", result, said)
			}
			again, losses := codec.EncodeRequest(req, wire.Options{})
			if len(losses) > 0 {
				t.Fatal(losses)
			}
			flat := codectest.Flat{}
			if diff := cmp.Diff(flat.Of(body), flat.Of(again)); diff != "" {
				t.Errorf("it does not come back (-want +got):\n%s", diff)
			}
		})
	}
}

// Other wires have them as calls of functions, declared as such and answered; and
// what the model of another wire calls comes back as the item that the client
// wants, in an answer and in a stream.
func TestWhatTheClientRunsElsewhere(t *testing.T) {
	for _, to := range format.Wires() {
		if to == format.Responses {
			continue
		}
		for _, tt := range asked {
			t.Run(string(to)+" "+tt.name, func(t *testing.T) {
				own, _ := all.CodecOf(format.Responses)
				other, _ := all.CodecOf(to)
				req, err := own.DecodeRequest(requestOf(tt.tool, tt.call, tt.result))
				if err != nil {
					t.Fatal(err)
				}
				names := wire.NewRenames(wire.Rule{Max: 64, OtherChars: "_-"})
				sent, losses := other.EncodeRequest(req, wire.Options{Names: names})
				if s := fmt.Sprint(losses); strings.Contains(s, "messages[1].parts[0].") && !strings.Contains(s, "call.custom") || strings.Contains(s, "its own provider") {
					t.Errorf("lost: %v", losses)
				}
				read, err := other.DecodeRequest(sent)
				if err != nil {
					t.Fatal(err)
				}
				if len(read.Tools) > 0 != (tt.tool != "") || len(read.Tools) > 0 && !slices.ContainsFunc(read.Tools, func(x chat.Tool) bool { return x.Name == tt.name }) {
					t.Errorf("the tools are %+v", read.Tools)
				}
				if len(read.Messages) < 3 || !read.Messages[1].HasCalls() || read.Messages[2].Parts[0].Result == nil {
					t.Fatalf("the history is %s", sent)
				}
				if tt.tool == "" {
					return // nobody can declare an approval
				}
				answer := &wire.Response{Meta: chat.Meta{Wire: string(to), ID: "r", Model: "m", Created: 7}, Choices: []wire.Choice{{
					Message: chat.Message{Role: chat.Assistant, Parts: []chat.Part{chat.CallPart("call_1", tt.name, tt.arguments)}},
					Finish:  chat.Finish{Reason: chat.FinishToolCalls},
				}}}
				body, _ := own.EncodeResponse(answer, wire.Options{SentNames: names})
				checkItem(t, tt.call, body)

				written, _ := other.EncodeResponse(answer, wire.Options{})
				var stream bytes.Buffer
				if _, err := format.TranslateStream(&stream, bytes.NewReader(written), to, format.Responses, format.TranslateOptions{Request: req}); err != nil {
					t.Fatal(err)
				}
				_, last, _ := strings.Cut(stream.String(), `"type":"response.completed"`)
				checkItem(t, tt.call, []byte(last[strings.Index(last, `{"id"`):strings.LastIndexByte(last, '}')]))
			})
		}
	}
}

// checkItem holds that the one item of an answer is that of a row, but for ids.
func checkItem(t *testing.T, want string, answer []byte) {
	t.Helper()
	var got struct{ Output []json.RawMessage }
	if err := json.Unmarshal(answer, &got); err != nil || len(got.Output) != 1 {
		t.Fatalf("%v in %s", err, answer)
	}
	flat := codectest.Flat{Silent: func(path string, _ any) bool {
		switch path {
		case ".id", ".call_id", ".environment.type":
			return true
		}
		return false
	}}
	if diff := cmp.Diff(flat.Of([]byte(withIDs(want))), flat.Of(got.Output[0])); diff != "" {
		t.Errorf("the item (-want +got):\n%s\n%s", diff, got.Output[0])
	}
}

// In a stream they are calls as well, and on the same wire the events stay.
func TestWhatTheClientRunsInStreams(t *testing.T) {
	for _, tt := range asked {
		t.Run(tt.name, func(t *testing.T) {
			item := withIDs(tt.call)
			begun := strings.Replace(item, `"status":"completed"`, `"status":"in_progress"`, 1)
			body := sseOf(
				`{"type":"response.created","response":{"id":"r","object":"response","created_at":7,"model":"m","status":"in_progress","output":[]}}`,
				`{"type":"response.output_item.added","output_index":0,"item":`+begun+`}`,
				`{"type":"response.output_item.done","output_index":0,"item":`+item+`}`,
				`{"type":"response.completed","response":{"id":"r","object":"response","created_at":7,"model":"m","status":"completed","output":[`+item+`]}}`)
			for _, to := range format.Wires() {
				out, losses := codectest.Translate(t, body, format.Responses, to)
				if s := fmt.Sprint(losses); strings.Contains(s, "call[]") || strings.Contains(s, "namespace") {
					t.Errorf("%s: lost: %v", to, losses)
				}
				calls := callsOf(t, out, to)
				if len(calls) != 1 || calls[0].Name != tt.name {
					t.Fatalf("%s: the calls are %+v in\n%s", to, calls, out)
				}
				if diff := cmp.Diff(codectest.ValueOf([]byte(tt.arguments)), codectest.ValueOf([]byte(calls[0].Text))); diff != "" {
					t.Errorf("%s: arguments (-want +got):\n%s", to, diff)
				}
				if to != format.Responses {
					continue
				}
				if n := strings.Count(out, `"type":"response.output_item.added"`); n != 1 {
					t.Errorf("%d items in\n%s", n, out)
				}
				_, done, _ := strings.Cut(out, `"type":"response.output_item.done"`)
				done = done[strings.Index(done, `"item":`)+len(`"item":`) : strings.Index(done, "\n")-1]
				flat := codectest.Flat{}
				if diff := cmp.Diff(flat.Of([]byte(item)), flat.Of([]byte(done))); diff != "" {
					t.Errorf("the item (-want +got):\n%s", diff)
				}
			}
		})
	}
}

// callsOf returns the calls of a stream, each as one delta.
func callsOf(t *testing.T, body string, wire format.Wire) (calls []toolcall.Delta) {
	t.Helper()
	at := map[int]int{}
	for d, err := range format.NewStream(strings.NewReader(body), format.Options{Wire: wire}).Deltas() {
		if err != nil {
			t.Fatalf("%v\n%s", err, body)
		}
		if d.Kind != toolcall.DeltaToolCall {
			continue
		}
		i, ok := at[d.Index]
		if !ok {
			i = len(calls)
			at[d.Index] = i
			calls = append(calls, toolcall.Delta{Kind: d.Kind, Index: d.Index, ID: d.ID, Name: d.Name})
		}
		if d.Whole {
			calls[i].Text = ""
		}
		calls[i].Text += d.Text
	}
	return calls
}

// What the server runs is no call.
func TestWhatTheServerRunsIsNoCall(t *testing.T) {
	codec, _ := all.CodecOf(format.Responses)
	for _, item := range []string{
		`{"type":"tool_search_call","id":"i","call_id":null,"execution":"server","status":"completed","arguments":{"paths":["f"]}}`,
		`{"type":"shell_call","id":"i","call_id":"c","status":"completed","action":{"commands":["ls"]},"environment":{"type":"container_reference","container_id":"k"}},{"type":"shell_call_output","id":"o","call_id":"c","output":[]}`,
		`{"type":"mcp_call","id":"i","server_label":"s","name":"f","arguments":"{}"}`,
		`{"type":"web_search_call","id":"i","status":"completed"}`,
	} {
		body := []byte(`{"model":"m","input":[{"type":"message","role":"user","content":"hi"},` + item + `]}`)
		req, err := codec.DecodeRequest(body)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range req.Messages {
			if m.HasCalls() || m.Role == chat.ToolRole {
				t.Errorf("%s is a call", item)
			}
		}
		again, losses := codec.EncodeRequest(req, wire.Options{})
		if diff := cmp.Diff(codectest.Flat{}.Of(body), codectest.Flat{}.Of(again)); diff != "" || len(losses) > 0 {
			t.Errorf("%v (-want +got):\n%s", losses, diff)
		}
	}
}
