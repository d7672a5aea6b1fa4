package gateway_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/gateway"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/toolcall"
)

// answerSchema requires an answer that fits a schema, as in Chat Completions.
var answerSchema = chat.Extras{{
	Wire: string(format.OpenAI), Name: "response_format",
	Value: []byte(`{"type":"json_schema","json_schema":{"name":"answer","schema":{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}}}`),
}}

// TestAnswerForm: in text mode, a request for JSON becomes instructions for the model, on
// every wire. The upstream's own option is set only if no call can come, because it would
// leave no room for calls.
func TestAnswerForm(t *testing.T) {
	everyWay(t, func(t *testing.T, front, wire format.Wire, stream bool) {
		u := newUpstream(t, wire, chat.TextPart(`{"a": 1}`))
		server := newGateway(t, u, func(o *gateway.Options) { o.Targets[0].Dialect = dialectNamed(t, "hermes") })
		for _, tt := range []struct {
			name   string
			change func(*chat.Request)
			native bool
			words  string // "" if there are none
		}{
			{"with tools", func(*chat.Request) {}, false, "When you call no tool, answer with one JSON value"},
			{"no tools", func(r *chat.Request) { r.Tools = nil }, true, "\n\nAnswer with one JSON value"},
			{"no call allowed", func(r *chat.Request) { r.ToolChoice.Mode = chat.ChoiceNone }, true, "\n\nAnswer with one JSON value"},
			{"a call required", func(r *chat.Request) { r.ToolChoice.Mode = chat.ChoiceRequired }, false, ""},
		} {
			request := conversation(stream)
			request.Extras = answerSchema
			tt.change(request)
			if front == format.Ollama && request.ToolChoice.Mode != chat.ChoiceUnset {
				continue // the wire has no such option
			}
			res := post(t, server, front, request)
			if answer, body := collect(t, front, res.Body); answer.Text != `{"a": 1}` {
				t.Errorf("%s: the client gets %q in\n%s", tt.name, answer.Text, body)
			}
			got := u.last(t)
			form, _ := features.TakeAnswer(got.Extras)
			if form.JSON != tt.native {
				t.Errorf("%s: the upstream is asked for JSON: %v\n%s", tt.name, form.JSON, u.bodies[len(u.bodies)-1])
			}
			system := got.Messages[0].Parts[0].Text
			if told := strings.Contains(system, "one JSON value"); told != (tt.words != "") || !strings.Contains(system, tt.words) {
				t.Errorf("%s: the system says %q", tt.name, system)
			}
			if tt.words != "" && !strings.Contains(system, `"required":["a"]`) {
				t.Errorf("%s: no schema in %q", tt.name, system)
			}
		}
	})
}

// TestAnswerFenced: the client gets the required JSON without the code fence that models
// put around it.
func TestAnswerFenced(t *testing.T) {
	for _, front := range format.Wires() {
		for _, stream := range []bool{true, false} {
			u := newUpstream(t, format.OpenAI, chat.TextPart("```json\n{\"a\": 1}\n```\n"))
			server := newGateway(t, u, func(o *gateway.Options) { o.Targets[0].Dialect = dialectNamed(t, "hermes") })
			request := conversation(stream)
			request.Extras = answerSchema
			if answer, body := collect(t, front, post(t, server, front, request).Body); answer.Text != `{"a": 1}` {
				t.Errorf("%s, stream=%v: %q in\n%s", front, stream, answer.Text, body)
			}
		}
	}
}

// TestAnswerFormRefused: a format that text mode does not support is rejected in the
// client's format.
func TestAnswerFormRefused(t *testing.T) {
	u := newUpstream(t, format.OpenAI, chat.TextPart("Hi."))
	server := newGateway(t, u, func(o *gateway.Options) { o.Targets[0].Dialect = dialectNamed(t, "hermes") })
	const function = `"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]`
	for _, tt := range []struct {
		front      format.Wire
		body, want string
	}{
		{format.OpenAI, `{"model":"m","messages":[{"role":"user","content":"Hi"}],` + function + `,"response_format":{"type":"grammar","value":"x"}}`, "response_format"},
		{format.OpenAI, `{"model":"m","messages":[{"role":"user","content":"Hi"}],` + function + `,"response_format":{"type":"json_schema","json_schema":{"name":"x","schema":{"type":7}}}}`, "schema of the answer"},
		{format.Gemini, `{"contents":[{"role":"user","parts":[{"text":"Hi"}]}],"tools":[{"functionDeclarations":[{"name":"f"}]}],"generationConfig":{"responseMimeType":"text/x.enum"}}`, "responseMimeType"},
		{format.Responses, `{"model":"m","store":false,"input":"Hi","tools":[{"type":"function","name":"f","parameters":{"type":"object"}}],"text":{"format":{"type":"lark"}}}`, "text.format"},
	} {
		res := postBody(t, server, pathOf(tt.front, false), tt.body)
		if got := errorOf(t, tt.front, res); res.StatusCode != http.StatusBadRequest || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %d %q, want %q", tt.front, res.StatusCode, got, tt.want)
		}
	}
	if len(u.asked()) > 0 {
		t.Error("the upstream was asked")
	}
}

// TestChoiceNone: if no tool may be called, what looks like a call is text.
func TestChoiceNone(t *testing.T) {
	text := `<tool_call>{"name": "get_weather", "arguments": ` + arguments + `}</tool_call>`
	for _, front := range []format.Wire{format.OpenAI, format.Responses, format.Anthropic, format.Gemini} {
		for _, stream := range []bool{true, false} {
			u := newUpstream(t, format.OpenAI, chat.TextPart(text))
			server := newGateway(t, u, func(o *gateway.Options) { o.Targets[0].Dialect = dialectNamed(t, "hermes") })
			request := conversation(stream)
			request.ToolChoice.Mode = chat.ChoiceNone
			answer, body := collect(t, front, post(t, server, front, request).Body)
			if len(answer.Calls) > 0 || answer.Text != text {
				t.Errorf("%s, stream=%v: %s", front, stream, body)
			}
			if system := u.last(t).Messages[0].Parts[0].Text; !strings.Contains(system, "Call no tool") {
				t.Errorf("the system says %q", system)
			}
		}
	}
}

// TestChoiceNoneChannels: if no tool may be called, a message to a tool is text, and the
// other channels keep their meaning.
func TestChoiceNoneChannels(t *testing.T) {
	for name, call := range map[string]string{
		"openai":         `<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>` + arguments + `<|call|>`,
		"llm_jp_harmony": `<|channel|> analysis<|message|> Hm.<|end|><|start|> assistant to=functions.get_weather<|channel|> commentary <|constrain|> json<|message|> ` + arguments + `<|call|>`,
	} {
		for _, withTools := range []bool{true, false} {
			u := newUpstream(t, format.OpenAI, chat.TextPart(call))
			server := newGateway(t, u, func(o *gateway.Options) { o.Targets[0].Dialect = dialectNamed(t, name) })
			request := conversation(true)
			request.ToolChoice.Mode = chat.ChoiceNone
			if !withTools {
				request.Tools = nil
			}
			answer, body := collect(t, format.OpenAI, post(t, server, format.OpenAI, request).Body)
			if len(answer.Calls) > 0 || answer.Text != arguments || answer.Reasoning != "Hm." {
				t.Errorf("%s, tools=%v: %s", name, withTools, body)
			}
			request.ToolChoice.Mode = chat.ChoiceUnset
			if answer, body = collect(t, format.OpenAI, post(t, server, format.OpenAI, request).Body); (len(answer.Calls) == 1) != withTools {
				t.Errorf("%s, tools=%v, any choice: %s", name, withTools, body)
			}
		}
	}
}

// TestForcedTool: the model is told which tool it must call.
func TestForcedTool(t *testing.T) {
	for _, front := range []format.Wire{format.OpenAI, format.Responses, format.Anthropic, format.Gemini} {
		u := newUpstream(t, format.OpenAI, callOf(t, "hermes", arguments)...)
		server := newGateway(t, u, func(o *gateway.Options) { o.Targets[0].Dialect = dialectNamed(t, "hermes") })
		request := conversation(true)
		request.Tools = append(request.Tools, chat.Tool{ToolDefinition: toolcall.ToolDefinition{Name: "other", Parameters: []byte(`{"type":"object"}`)}})
		request.ToolChoice = chat.ToolChoice{Mode: chat.ChoiceOne, Tools: []string{"get_weather"}}
		collect(t, front, post(t, server, front, request).Body)
		if system := u.last(t).Messages[0].Parts[0].Text; !strings.Contains(system, "must call get_weather") {
			t.Errorf("%s: the system says %q", front, system)
		}
	}
}

// TestConstrain: if calls can come, the upstream gets a grammar in the member that its
// kind of server uses.
func TestConstrain(t *testing.T) {
	members := []string{"grammar", "structured_outputs", "response_format"}
	for kind, member := range map[gateway.Constraint]string{
		gateway.ConstrainOff: "", gateway.ConstrainLlama: "grammar", gateway.ConstrainVLLM: "structured_outputs", gateway.ConstrainSGLang: "response_format",
	} {
		for _, mode := range []chat.ChoiceMode{chat.ChoiceUnset, chat.ChoiceNone, chat.ChoiceRequired} {
			u := newUpstream(t, format.OpenAI, callOf(t, "hermes", arguments)...)
			server := newGateway(t, u, func(o *gateway.Options) {
				o.Targets[0].Dialect, o.Targets[0].Constrain = dialectNamed(t, "hermes"), kind
			})
			request := conversation(false)
			request.ToolChoice.Mode = mode
			for range 2 { // the second time from the cache
				collect(t, format.OpenAI, post(t, server, format.OpenAI, request).Body)
			}
			var sent map[string]json.RawMessage
			if err := json.Unmarshal(u.bodies[1], &sent); err != nil {
				t.Fatal(err)
			}
			for _, name := range members {
				if got := sent[name] != nil; got != (name == member && mode != chat.ChoiceNone) {
					t.Errorf("%s, choice %d: %s is sent: %v", kind, mode, name, got)
				}
			}
			if mode == chat.ChoiceNone || member == "" {
				continue
			}
			value := string(sent[member])
			if kind == gateway.ConstrainVLLM {
				var outer struct {
					Tag string `json:"structural_tag"`
				}
				if err := json.Unmarshal(sent[member], &outer); err != nil {
					t.Fatal(err)
				}
				value = outer.Tag
			}
			want := fmt.Sprintf(`"at_least_one":%v`, mode == chat.ChoiceRequired)
			if kind == gateway.ConstrainLlama {
				want = "root ::= prose"
			}
			if !strings.Contains(value, want) || !strings.Contains(value, "get_weather") {
				t.Errorf("%s, choice %d: no %s in %s", kind, mode, want, value)
			}
		}
	}
	for _, target := range []gateway.Target{
		{Upstream: "http://127.0.0.1:1/v1", Constrain: gateway.ConstrainVLLM},
		{Upstream: "http://127.0.0.1:1", Constrain: gateway.ConstrainLlama, Dialect: dialectNamed(t, "hermes"), Wire: format.Anthropic},
		{Upstream: "http://127.0.0.1:1/v1", Constrain: "other", Dialect: dialectNamed(t, "hermes")},
	} {
		if err := (gateway.Options{Targets: []gateway.Target{target}}).Check(); err == nil {
			t.Errorf("%+v is accepted", target)
		}
	}
}
