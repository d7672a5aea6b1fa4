package gateway_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/gateway"
	"github.com/toolparse/toolparse/internal/wire/all"
	"github.com/toolparse/toolparse/toolcall"
)

// callOf returns an answer with a call, natively or in a dialect.
func callOf(t *testing.T, mode, arguments string) []chat.Part {
	t.Helper()
	if mode == "" {
		return []chat.Part{chat.TextPart("I look."), chat.CallPart("call_2", "get_weather", arguments)}
	}
	return []chat.Part{chat.TextPart(written(t, mode, "I look.", toolcall.ToolInvocation{Name: "get_weather", Arguments: []byte(arguments)}))}
}

func reasking(mode string, n int, t *testing.T) func(*gateway.Options) {
	return func(o *gateway.Options) {
		o.Targets[0].Reask = n
		if mode != "" {
			o.Targets[0].Dialect = dialectNamed(t, mode)
		}
	}
}

// TestReask: the model is asked again for a broken call and told what is wrong, and the
// client gets only the correct call, with the tokens of both answers.
func TestReask(t *testing.T) {
	want := said{Text: "I look.", Calls: []string{"get_weather " + arguments}, Finish: chat.FinishToolCalls, Input: 22, Output: 44}
	everyWay(t, func(t *testing.T, front, wire format.Wire, stream bool) {
		for _, mode := range []string{"", "hermes", "qwen3_coder"} {
			u := newUpstream(t, wire)
			u.script = [][]chat.Part{callOf(t, mode, `{"days":3}`), callOf(t, mode, arguments)}
			server := newGateway(t, u, reasking(mode, 1, t))
			res := post(t, server, front, conversation(stream))
			got, body := collect(t, front, res.Body)
			checkSaid(t, want, got.Text, got.Reasoning, got.Calls, got.Finish.Reason, got.Usage, body)
			if n := len(u.asked()); n != 2 {
				t.Fatalf("mode %q: %d requests", mode, n)
			}
			messages, err := json.Marshal(u.last(t).Messages)
			if err != nil {
				t.Fatal(err)
			}
			for _, words := range []string{"city", "was not run", "I look."} {
				if !strings.Contains(string(messages), words) {
					t.Errorf("mode %q: the model does not read %q:\n%s", mode, words, messages)
				}
			}
		}
	})
}

// TestReaskNames: the model is asked again with the name that the upstream knows, in
// every profile.
func TestReaskNames(t *testing.T) {
	for _, profile := range []gateway.Profile{"", gateway.ProfileTemplate, gateway.ProfileVendor} {
		u := newUpstream(t, format.OpenAI, chat.TextPart("Hi."))
		server := newGateway(t, u, func(o *gateway.Options) { o.Targets[0].Profile, o.Targets[0].Reask = profile, 1 })
		request := conversation(false)
		request.Tools[0].Name = "mcp.weather"
		collect(t, format.Gemini, post(t, server, format.Gemini, request).Body)
		name := u.last(t).Tools[0].Name
		u.script = [][]chat.Part{nil, {chat.CallPart("c", name, `{"days":1}`)}, {chat.CallPart("c", name, arguments)}}
		answer, body := collect(t, format.Gemini, post(t, server, format.Gemini, request).Body)
		if len(answer.Calls) != 1 || answer.Calls[0].Name != "mcp.weather" {
			t.Errorf("profile %q: the client gets %s", profile, body)
		}
		again := u.last(t)
		if got := again.Messages[len(again.Messages)-2]; len(u.asked()) != 3 || !got.HasCalls() || got.Parts[len(got.Parts)-1].Call.Name != name {
			t.Errorf("profile %q: the model reads %+v", profile, got)
		}
	}
}

// TestReaskLimits: when, and how many times, the model is asked again.
func TestReaskLimits(t *testing.T) {
	broken := `{"days":3}`
	for _, tt := range []struct {
		name     string
		mode     string
		reask    int
		script   [][]chat.Part
		finish   string
		change   func(*chat.Request)
		requests int
		want     string // of the text and the arguments
	}{
		{name: "off", mode: "hermes", script: [][]chat.Part{callOf(t, "hermes", broken)}, requests: 1, want: broken},
		{name: "a right call", mode: "hermes", reask: 3, script: [][]chat.Part{callOf(t, "hermes", arguments)}, requests: 1, want: "Oslo"},
		{name: "never right", mode: "hermes", reask: 2, script: [][]chat.Part{callOf(t, "hermes", broken)}, requests: 3, want: broken},
		{name: "never right, natively", reask: 2, script: [][]chat.Part{callOf(t, "", broken)}, requests: 3, want: broken},
		{name: "cut off", mode: "hermes", reask: 2, script: [][]chat.Part{{chat.TextPart(`<tool_call>{"name": "get_weather", "argu`)}}, finish: "length", requests: 1},
		{name: "half a call", mode: "hermes", reask: 1, script: [][]chat.Part{{chat.TextPart(`<tool_call>{"name": "get_weather", "arguments": {"ci`)}, callOf(t, "hermes", arguments)}, requests: 2, want: "Oslo"},
		{name: "no such tool", mode: "hermes", reask: 1, script: [][]chat.Part{{chat.TextPart(`<tool_call>{"name": "weather", "arguments": {}}</tool_call>`)}, callOf(t, "hermes", arguments)}, requests: 2, want: "Oslo"},
		{
			name: "no call where one is due", mode: "hermes", reask: 1, script: [][]chat.Part{{chat.TextPart("Well.")}, callOf(t, "hermes", arguments)},
			change:   func(r *chat.Request) { r.ToolChoice.Mode = chat.ChoiceRequired },
			requests: 2, want: "Oslo",
		},
		{
			name: "text in place of JSON", mode: "hermes", reask: 1, script: [][]chat.Part{{chat.TextPart(`Sure: {"a": 1}`)}, {chat.TextPart(`{"a": "x"}`)}},
			change: func(r *chat.Request) { r.Extras = answerSchema }, requests: 2, want: `{"a": "x"}`,
		},
		{
			name: "JSON in a fence", mode: "hermes", reask: 1, script: [][]chat.Part{{chat.TextPart("```json\n{\"a\": 7}\n```")}},
			change: func(r *chat.Request) { r.Extras = answerSchema }, requests: 1, want: `{"a": 7}`,
		},
		{
			name: "JSON of another schema", mode: "hermes", reask: 2, script: [][]chat.Part{{chat.TextPart(`{"a": "x"}`)}, {chat.TextPart(`{"a": 7}`)}},
			change: func(r *chat.Request) { r.Extras = answerSchema }, requests: 2, want: `{"a": 7}`,
		},
	} {
		for _, stream := range []bool{true, false} {
			t.Run(tt.name, func(t *testing.T) {
				u := newUpstream(t, format.OpenAI)
				u.script, u.finish = tt.script, tt.finish
				request := conversation(stream)
				if tt.change != nil {
					tt.change(request)
				}
				res := post(t, newGateway(t, u, reasking(tt.mode, tt.reask, t)), format.OpenAI, request)
				answer, body := collect(t, format.OpenAI, res.Body)
				if n := len(u.asked()); n != tt.requests {
					t.Errorf("%d requests, want %d:\n%s", n, tt.requests, body)
				}
				got := answer.Text
				for _, c := range answer.Calls {
					got += strings.ReplaceAll(string(c.Arguments), " ", "")
				}
				if !strings.Contains(got, tt.want) {
					t.Errorf("the client gets %q in\n%s", got, body)
				}
			})
		}
	}
}

// TestReaskFails: if the model cannot be asked again, the client gets the first answer.
// It gets keep-alives in the meantime.
func TestReaskFails(t *testing.T) {
	for _, stream := range []bool{true, false} {
		u := newUpstream(t, format.OpenAI, callOf(t, "hermes", `{"days":3}`)...)
		u.respond = func(w http.ResponseWriter, r *http.Request) {
			if len(u.asked()) > 1 {
				time.Sleep(30 * time.Millisecond)
				http.Error(w, "no", http.StatusInternalServerError)
				return
			}
			codec, _ := all.CodecOf(u.wire)
			u.stream(w, codec, chat.Meta{Wire: string(u.wire), ID: "x", Model: "m-1"})
		}
		server := newGateway(t, u, func(o *gateway.Options) {
			reasking("hermes", 2, t)(o)
			o.Timeouts.KeepAlive = 5 * time.Millisecond
		})
		res := post(t, server, format.Anthropic, conversation(stream))
		body, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := must(toolparse.New(toolparse.Options{Wire: format.Anthropic})).Collect(strings.NewReader(string(body)))
		if err != nil || len(answer.Calls) != 1 || len(u.asked()) != 2 {
			t.Errorf("stream=%v: %d requests, %v:\n%s", stream, len(u.asked()), err, body)
		}
		if pings := strings.Count(string(body), "event: ping"); stream && pings < 2 {
			t.Errorf("%d signs of life in\n%s", pings, body)
		}
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
