package gateway_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/gateway"
	"github.com/toolparse/toolparse/toolcall"
)

// said is what the test compares of an answer.
type said struct {
	Text, Reasoning string
	Calls           []string
	Finish          chat.FinishReason
	Input, Output   int
}

// TestMatrix: every client gets the same answer from every upstream, natively and
// through text dialects, as a stream and whole.
func TestMatrix(t *testing.T) {
	want := said{Text: "I look.", Calls: []string{"get_weather " + arguments}, Finish: chat.FinishToolCalls, Input: 11, Output: 22}
	for _, mode := range []string{"", "hermes", "qwen3_coder", "xml", "harmony"} {
		for _, wire := range format.Wires() {
			answer := []chat.Part{chat.TextPart("I look."), chat.CallPart("call_2", "get_weather", arguments)}
			if mode != "" {
				answer = []chat.Part{chat.TextPart(written(t, mode, "I look.", toolcall.ToolInvocation{Name: "get_weather", Arguments: []byte(arguments)}))}
			}
			u := newUpstream(t, wire, answer...)
			server := newGateway(t, u, func(o *gateway.Options) {
				if mode != "" {
					o.Targets[0].Dialect = dialectNamed(t, mode)
				}
			})
			for _, front := range format.Wires() {
				for _, stream := range []bool{true, false} {
					t.Run(strings.Join([]string{"mode=" + mode, string(front), "to", string(wire), map[bool]string{true: "stream", false: "whole"}[stream]}, " "), func(t *testing.T) {
						res := post(t, server, front, conversation(stream))
						got, body := collect(t, front, res.Body)
						checkSaid(t, want, got.Text, got.Reasoning, got.Calls, got.Finish.Reason, got.Usage, body)
						if res.StatusCode != http.StatusOK {
							t.Errorf("status %d", res.StatusCode)
						}
						if mode == "" {
							checkNative(t, u.last(t))
						} else {
							checkText(t, u.last(t))
						}
					})
				}
			}
		}
	}
}

func checkSaid(t *testing.T, want said, text, reasoning string, calls []toolcall.ToolInvocation, finish chat.FinishReason, usage chat.Usage, body string) {
	t.Helper()
	got := said{Text: strings.TrimSpace(text), Reasoning: reasoning, Finish: finish, Input: usage.Input, Output: usage.Output}
	for _, c := range calls {
		if !c.Runnable() {
			t.Errorf("nobody can run %+v", c)
		}
		var args bytes.Buffer // some models write blanks
		if err := json.Compact(&args, c.Arguments); err != nil {
			t.Error(err)
		}
		got.Calls = append(got.Calls, c.Name+" "+args.String())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s\n%s", diff, body)
	}
}

// checkNative: the request contains the tools, the call and its result.
func checkNative(t *testing.T, r *chat.Request) {
	t.Helper()
	calls, results := 0, 0
	for _, m := range r.Messages {
		for _, p := range m.Parts {
			if p.Call != nil {
				calls++
			}
			if p.Result != nil {
				results++
			}
		}
	}
	if len(r.Tools) != 1 || r.Tools[0].Name != "get_weather" || calls != 1 || results != 1 {
		t.Errorf("%d tools, %d calls, %d results in %+v", len(r.Tools), calls, results, r)
	}
}

// checkText: the request contains only text, and its turns alternate.
func checkText(t *testing.T, r *chat.Request) {
	t.Helper()
	if len(r.Tools) > 0 || r.ToolChoice.Mode != chat.ChoiceUnset || r.ParallelCalls != chat.Unset {
		t.Errorf("tools are sent: %+v", r)
	}
	var roles []string
	for _, m := range r.Messages {
		roles = append(roles, string(m.Role))
		for _, p := range m.Parts {
			if p.Kind != chat.PartText {
				t.Errorf("a %s in %+v", p.Kind, m)
			}
		}
		if len(m.Parts) != 1 {
			t.Errorf("%d parts in a message", len(m.Parts))
		}
	}
	if diff := cmp.Diff("system user assistant user assistant user", strings.Join(roles, " ")); diff != "" {
		t.Errorf("roles (-want +got):\n%s", diff)
	}
	if system := r.Messages[0].Parts[0].Text; !strings.HasPrefix(system, "Be brief.") || !strings.Contains(system, "get_weather") {
		t.Errorf("system prompt %q", system)
	}
}

// TestAnswerIDs: an upstream with one id for all its answers does not make two answers one for
// clients of another wire.
func TestAnswerIDs(t *testing.T) {
	everyWay(t, func(t *testing.T, front, wire format.Wire, stream bool) {
		server := newGateway(t, newUpstream(t, wire, chat.TextPart("Hi.")), nil)
		_, first := collect(t, front, post(t, server, front, conversation(stream)).Body)
		_, second := collect(t, front, post(t, server, front, conversation(stream)).Body)
		if passed := strings.Contains(first, "up_1"); front != format.Ollama && passed != (front == wire) {
			t.Errorf("the upstream's id reaches the client: %v\n%s", passed, first)
		}
		if front != wire && front != format.Ollama && first == second {
			t.Errorf("two answers with one id:\n%s", first)
		}
	})
}

// TestAnswerTimes: an answer has a time, whether or not the upstream's wire has one, and on
// Ollama's says how long it took.
func TestAnswerTimes(t *testing.T) {
	everyWay(t, func(t *testing.T, front, wire format.Wire, stream bool) {
		server := newGateway(t, newUpstream(t, wire, chat.TextPart("Hi.")), nil)
		_, answer := collect(t, front, post(t, server, front, conversation(stream)).Body)
		if strings.Contains(answer, `"created":0`) || strings.Contains(answer, `"created_at":0`) || strings.Contains(answer, "1970-01-01T00:00:00Z") {
			t.Errorf("it is of 1970:\n%s", answer)
		}
		if front != format.Ollama {
			return
		}
		for _, name := range []string{"total_duration", "load_duration", "prompt_eval_count", "prompt_eval_duration", "eval_count", "eval_duration"} {
			if n := strings.Count(answer, `"`+name+`":`); n != 1 {
				t.Errorf("%s is there %d times:\n%s", name, n, answer)
			}
		}
		if strings.Contains(answer, `"total_duration":0`) {
			t.Errorf("it took no time:\n%s", answer)
		}
	})
}

// TestOneAnswer: a client may ask for one answer by number, as LangChain does.
func TestOneAnswer(t *testing.T) {
	server := newGateway(t, newUpstream(t, format.OpenAI, chat.TextPart("Hi.")), nil)
	for path, body := range map[string]string{
		"/v1/chat/completions":             `{"model":"m","messages":[{"role":"user","content":"Hi"}],"n":1}`,
		"/v1beta/models/m:generateContent": `{"contents":[{"parts":[{"text":"Hi"}]}],"generationConfig":{"candidateCount":1}}`,
	} {
		if res := postBody(t, server, path, body); res.StatusCode != 200 {
			t.Errorf("%s: %d", path, res.StatusCode)
		}
	}
}
