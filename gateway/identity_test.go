package gateway_test

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/gateway"
	"github.com/toolparse/toolparse/toolcall"
)

// codexTools are tools as Codex sends them: of an MCP server, with free text, and one
// that its provider runs.
const codexTools = `[
	{"type":"namespace","name":"mcp__sea","description":"Sea.","tools":[{"type":"function","name":"tides","description":"Tides.","parameters":{"type":"object","properties":{"port":{"type":"string"}},"required":["port"]}}]},
	{"type":"custom","name":"apply_patch","description":"Patches files.","format":{"type":"grammar","syntax":"lark","definition":"start: /x/"}},
	{"type":"function","name":"exec_command","parameters":{"type":"object","properties":{"cmd":{"type":"string"}}}},
	{"type":"web_search"}]`

// codexInput is a conversation with a call of each.
const codexInput = `[
	{"type":"message","role":"developer","content":[{"type":"input_text","text":"Be brief."}]},
	{"type":"message","role":"user","content":[{"type":"input_text","text":"Go."}]},
	{"type":"function_call","call_id":"c1","namespace":"mcp__sea","name":"tides","arguments":"{\"port\":\"Oslo\"}"},
	{"type":"function_call_output","call_id":"c1","output":"High at noon."},
	{"type":"custom_tool_call","call_id":"c2","name":"apply_patch","input":"*** Begin"},
	{"type":"custom_tool_call_output","call_id":"c2","output":"Done."},
	{"type":"message","role":"developer","content":[{"type":"input_text","text":"Hurry."}]},
	{"type":"message","role":"user","content":[{"type":"input_text","text":"Once more."}]}]`

// TestCodexIdentity: Codex gets calls with its own names, namespaces and types of tools,
// whichever upstream they come from.
func TestCodexIdentity(t *testing.T) {
	for _, mode := range []string{"", "template", "hermes", "qwen3_coder", "kimi_k2"} {
		for _, wire := range format.Wires() {
			t.Run(fmt.Sprintf("%s, mode=%s", wire, mode), func(t *testing.T) {
				calls := []toolcall.ToolInvocation{
					{Name: "mcp__sea__tides", Arguments: []byte(`{"port":"Bergen"}`)},
					{Name: "apply_patch", Arguments: []byte(`{"input":"*** Begin Patch\n+x"}`)},
				}
				var answer []chat.Part
				text := mode != "" && mode != "template"
				for i, c := range calls {
					answer = append(answer, chat.CallPart(fmt.Sprint("call_", i), c.Name, string(c.Arguments)))
				}
				if text {
					answer = []chat.Part{chat.TextPart(written(t, mode, "", calls...))}
				}
				u := newUpstream(t, wire, answer...)
				server := newGateway(t, u, func(o *gateway.Options) {
					if text {
						o.Targets[0].Dialect = dialectNamed(t, mode)
					} else {
						o.Targets[0].Profile = gateway.Profile(mode)
					}
				})
				for _, stream := range []bool{true, false} {
					res := postBody(t, server, "/v1/responses", fmt.Sprintf(`{"model":"m","stream":%v,"store":false,"tools":%s,"input":%s}`, stream, codexTools, codexInput))
					body, _ := io.ReadAll(res.Body)
					items := itemsOf(t, string(body), stream)
					if len(items) != 2 {
						t.Fatalf("%d calls in\n%s", len(items), body)
					}
					if got := items[0]; got.Type != "function_call" || got.Namespace != "mcp__sea" || got.Name != "tides" || strings.ReplaceAll(got.Arguments, " ", "") != `{"port":"Bergen"}` || got.CallID == "" {
						t.Errorf("stream=%v: %+v", stream, got)
					}
					if got := items[1]; got.Type != "custom_tool_call" || got.Name != "apply_patch" || got.Input != "*** Begin Patch\n+x" || got.CallID == items[0].CallID {
						t.Errorf("stream=%v: %+v", stream, got)
					}
				}
				if mode == "template" && wire == format.OpenAI {
					sent := string(u.bodies[0])
					for _, never := range []string{`"custom"`, `"developer"`, "web_search", `"content":null`} {
						if strings.Contains(sent, never) {
							t.Errorf("a server with a template gets %s:\n%s", never, sent)
						}
					}
				}
			})
		}
	}
}

type item struct{ Type, Namespace, Name, Arguments, Input, CallID string }

// itemsOf returns the calls in an answer of Responses.
func itemsOf(t *testing.T, body string, stream bool) (items []item) {
	t.Helper()
	type wireItem struct {
		Type      string
		Namespace string
		Name      string
		Arguments string
		Input     string
		CallID    string `json:"call_id"`
	}
	var answer struct{ Output []wireItem }
	if stream {
		completed := false
		for line := range strings.Lines(body) {
			data, ok := strings.CutPrefix(line, "data: ")
			var event struct {
				Type     string
				Response struct{ Output []wireItem }
			}
			if ok && json.Unmarshal([]byte(data), &event) == nil && event.Type == "response.completed" {
				answer.Output, completed = event.Response.Output, true
			}
		}
		if !completed {
			t.Errorf("no response.completed in\n%s", body)
		}
	} else if err := json.Unmarshal([]byte(body), &answer); err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	for _, i := range answer.Output {
		if strings.HasSuffix(i.Type, "_call") {
			items = append(items, item(i))
		}
	}
	return items
}

// TestCollidingTools: a function with the joined name of a tool in a namespace is another
// tool, natively and as text.
func TestCollidingTools(t *testing.T) {
	const tools = `[{"type":"namespace","name":"sea","tools":[{"type":"function","name":"tides"}]},{"type":"function","name":"sea__tides"}]`
	for _, mode := range []string{"", "template", "hermes"} {
		t.Run("mode="+mode, func(t *testing.T) {
			u := newUpstream(t, format.OpenAI, chat.TextPart("Hi."))
			text := mode == "hermes"
			server := newGateway(t, u, func(o *gateway.Options) {
				if text {
					o.Targets[0].Dialect = dialectNamed(t, mode)
				} else {
					o.Targets[0].Profile = gateway.Profile(mode)
				}
			})
			ask := func() string {
				res := postBody(t, server, "/v1/responses", `{"model":"m","store":false,"tools":`+tools+`,"input":"Go."}`)
				body, _ := io.ReadAll(res.Body)
				return string(body)
			}
			ask()
			names := map[string]bool{}
			for word := range strings.FieldsFuncSeq(string(u.bodies[0]), func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
				if strings.HasPrefix(word, "sea__tides") {
					names[word] = true
				}
			}
			if len(names) != 2 {
				t.Fatalf("the upstream gets the names %v:\n%s", names, u.bodies[0])
			}
			for name := range names {
				u.answer = []chat.Part{chat.CallPart("call_1", name, "{}")}
				if text {
					u.answer = []chat.Part{chat.TextPart(written(t, mode, "", toolcall.ToolInvocation{Name: name, Arguments: []byte("{}")}))}
				}
				want := item{Type: "function_call", Name: "sea__tides"}
				if name != "sea__tides" {
					want = item{Type: "function_call", Namespace: "sea", Name: "tides"}
				}
				items := itemsOf(t, ask(), false)
				if len(items) != 1 || items[0].Namespace != want.Namespace || items[0].Name != want.Name {
					t.Errorf("a call of %s is one of %+v, want %+v", name, items, want)
				}
			}
		})
	}
}

// TestNames: names and ids that the upstream rejects are replaced on the way there, in
// the same way in every request, and restored on the way back, whatever the client's wire.
func TestNames(t *testing.T) {
	const name = "files.read/all of them"
	for _, mode := range []string{"", "template", "hermes", "qwen3_coder", "lfm2"} {
		text := mode != "" && mode != "template"
		for _, wire := range []format.Wire{format.OpenAI, format.Anthropic, format.Responses, format.Ollama} {
			t.Run(fmt.Sprintf("%s, mode=%s", wire, mode), func(t *testing.T) {
				u := newUpstream(t, wire, chat.TextPart("Hi."))
				server := newGateway(t, u, func(o *gateway.Options) {
					if text {
						o.Targets[0].Dialect = dialectNamed(t, mode)
					} else {
						o.Targets[0].Profile = gateway.Profile(mode)
					}
				})
				request := conversation(true)
				request.Tools = []chat.Tool{{ToolDefinition: toolcall.ToolDefinition{Name: name, Parameters: weatherTool.Parameters}}}
				request.Messages[2].Parts = []chat.Part{chat.CallPart("id with blanks, and much too long for most of the wires that there are", name, `{"city":"Rome"}`)}
				request.Messages[3].Parts = []chat.Part{chat.ResultPart("id with blanks, and much too long for most of the wires that there are", chat.TextPart("Rain."))}
				var sent []string
				for range 2 {
					post(t, server, format.Ollama, request) // it accepts any name
					sent = append(sent, string(u.bodies[len(u.bodies)-1]))
				}
				keeps := wire == format.Ollama && mode == ""
				if sent[0] != sent[1] || strings.Contains(sent[0], name) != keeps {
					t.Errorf("it is sent\n%s\nand then\n%s", sent[0], sent[1])
				}
				at := strings.Index(sent[0], "files")
				end := strings.IndexFunc(sent[0][at:], func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
				upstreamName := sent[0][at:][:end]
				if keeps {
					upstreamName = name
				}
				u.answer = []chat.Part{chat.CallPart("call_1", upstreamName, arguments)}
				if text {
					u.answer = []chat.Part{chat.TextPart(written(t, mode, "", toolcall.ToolInvocation{Name: upstreamName, Arguments: []byte(arguments)}))}
				}
				for _, front := range format.Wires() {
					for _, request.Stream = range []bool{false, true} {
						answer, body := collect(t, front, post(t, server, front, request).Body)
						if len(answer.Calls) != 1 || answer.Calls[0].Name != name {
							t.Errorf("%s, stream=%v, upstream's name %q: %s", front, request.Stream, upstreamName, body)
						}
					}
				}
			})
		}
	}
}

// TestLeaks: in native mode, calls that a model writes into its text or reasoning are
// found, and one that comes both ways counts once.
func TestLeaks(t *testing.T) {
	call := "<tool_call>{\"name\": \"get_weather\", \"arguments\": " + arguments + "}</tool_call>"
	for name, tt := range map[string]struct {
		answer []chat.Part
		calls  int
		text   string
	}{
		"in text":      {[]chat.Part{chat.TextPart("I look.\n" + call)}, 1, "I look."},
		"in reasoning": {[]chat.Part{{Kind: chat.PartReasoning, Text: "I should look.\n" + call}}, 1, ""},
		"twice":        {[]chat.Part{chat.TextPart("I look.\n" + call), chat.CallPart("call_1", "get_weather", arguments)}, 1, "I look."},
		"quoted":       {[]chat.Part{chat.TextPart("It would be `" + call + "`.")}, 0, "It would be `" + call + "`."},
		"as bare JSON": {[]chat.Part{chat.TextPart(`{"name": "get_weather", "arguments": ` + arguments + `}`)}, 1, ""},
	} {
		for _, front := range format.Wires() {
			for _, stream := range []bool{true, false} {
				t.Run(fmt.Sprintf("%s, %s, stream=%v", name, front, stream), func(t *testing.T) {
					res := post(t, newGateway(t, newUpstream(t, format.OpenAI, tt.answer...), nil), front, conversation(stream))
					got, body := collect(t, front, res.Body)
					finish := chat.FinishStop
					if tt.calls > 0 {
						finish = chat.FinishToolCalls
					}
					if len(got.Runnable()) != tt.calls || strings.TrimSpace(got.Text) != tt.text || got.Finish.Reason != finish {
						t.Errorf("%d calls, text %q, finish %s:\n%s", len(got.Runnable()), got.Text, got.Finish.Reason, body)
					}
				})
			}
		}
	}
}

// TestPrefix: the prompt of a request begins with the prompt of the request before, so
// that the upstream's cache works, even if the client sends a text that changes.
func TestPrefix(t *testing.T) {
	for _, mode := range []string{"template", "hermes", "qwen3_coder", "xml", "harmony", "kimi_k2"} {
		t.Run(mode, func(t *testing.T) {
			u := newUpstream(t, format.OpenAI, chat.TextPart("Hi."))
			server := newGateway(t, u, func(o *gateway.Options) {
				if o.Targets[0].Profile = gateway.ProfileTemplate; mode != "template" {
					o.Targets[0].Dialect = dialectNamed(t, mode)
				}
			})
			const tool = `[{"name":"get_weather","input_schema":{"type":"object","properties":{"city":{"type":"string"}}}}]`
			turns := []string{
				`{"role":"user","content":[{"type":"text","text":"<system-reminder>Now.</system-reminder>"},{"type":"text","text":"Weather in Rome?","cache_control":{"type":"ephemeral"}}]}`,
				`{"role":"assistant","content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"toolu_1","name":"get_weather","input":{"city":"Rome"}}]}`,
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"Rain."}]}`,
				`{"role":"assistant","content":"It rains."}`,
				`{"role":"system","content":"The user is in a hurry."}`,
				`{"role":"user","content":"And Oslo?"}`,
			}
			var before string
			for n := 1; n <= len(turns); n += 2 {
				body := fmt.Sprintf(`{"model":"m","max_tokens":9,"tools":%s,"system":[{"type":"text","text":"x-anthropic-billing-header: cc=%d;"},{"type":"text","text":"You are helpful.","cache_control":{"type":"ephemeral"}}],"messages":[%s]}`,
					tool, n, strings.Join(turns[:n], ","))
				res := postBody(t, server, "/v1/messages?beta=true", body)
				if res.StatusCode != 200 {
					told, _ := io.ReadAll(res.Body)
					t.Fatalf("%d %s", res.StatusCode, told)
				}
				// Leave out the last turn, which the next message may extend.
				messages, now := u.last(t).Messages, ""
				for i, m := range messages {
					if i > 0 && m.Role == messages[i-1].Role {
						t.Errorf("two messages of the %s in a row", m.Role)
					}
					if i > 0 && m.Role == chat.System {
						t.Error("a system message in the middle")
					}
					now += fmt.Sprintf("<%s>", m.Role)
					for _, p := range m.Parts {
						now += p.Text
						if p.Call != nil {
							now += p.Call.Name + p.Call.Arguments
						}
					}
				}
				if !strings.HasPrefix(now, before) {
					t.Errorf("the upstream reads\n%s\nand then\n%s", before, now)
				}
				if strings.Contains(now, "billing") {
					t.Errorf("the model reads %s", now)
				}
				before = now
			}
		})
	}
}

// TestInvented: the answer ends where the model begins to invent results, at its server
// and in the gateway.
func TestInvented(t *testing.T) {
	for _, front := range format.Wires() {
		for _, stream := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, stream=%v", front, stream), func(t *testing.T) {
				call := written(t, "hermes", "I look.", toolcall.ToolInvocation{Name: "get_weather", Arguments: []byte(arguments)})
				u := newUpstream(t, format.OpenAI, chat.TextPart(call+"\n<tool_response>\nSunny.\n</tool_response>\nIt is sunny."))
				u.pieces = 3
				server := newGateway(t, u, func(o *gateway.Options) { o.Targets[0].Dialect = dialectNamed(t, "hermes") })
				res := post(t, server, front, conversation(stream))
				got, body := collect(t, front, res.Body)
				if len(got.Runnable()) != 1 || strings.TrimSpace(got.Text) != "I look." || got.Finish.Reason != chat.FinishToolCalls {
					t.Errorf("text %q, finish %s:\n%s", got.Text, got.Finish.Reason, body)
				}
				if stop := u.last(t).Stop; len(stop) == 0 || stop[0] != "<tool_response>" {
					t.Errorf("stop sequences %q", stop)
				}
			})
		}
	}
}

// TestOneCall: a client that accepts one call at a time gets one, even if the model and
// the server do not stop.
func TestOneCall(t *testing.T) {
	for _, front := range []format.Wire{format.OpenAI, format.Responses, format.Anthropic} {
		for _, stream := range []bool{true, false} {
			for parallel, want := range map[chat.Switch]int{chat.Off: 1, chat.On: 2, chat.Unset: 2} {
				calls := []toolcall.ToolInvocation{{Name: "get_weather", Arguments: []byte(arguments)}, {Name: "get_weather", Arguments: []byte(`{"city":"Rome"}`)}}
				u := newUpstream(t, format.OpenAI, chat.TextPart("<tool_call>{\"name\": 7}</tool_call>\n"+written(t, "hermes", "I look.", calls...)+"\nAnd so on."))
				server := newGateway(t, u, func(o *gateway.Options) { o.Targets[0].Dialect = dialectNamed(t, "hermes") })
				request := conversation(stream)
				request.ParallelCalls = parallel
				answer, body := collect(t, front, post(t, server, front, request).Body)
				if len(answer.Runnable()) != want || !strings.Contains(string(answer.Runnable()[0].Arguments), "Oslo") || strings.Contains(answer.Text, "And so on.") != (want == 2) {
					t.Errorf("%s, stream=%v, parallel=%v: %d calls\n%s", front, stream, parallel, len(answer.Runnable()), body)
				}
			}
		}
	}
}
