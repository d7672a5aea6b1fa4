package provider_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/agent/provider"
	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/toolcall"
)

// say is a tool of the conversation.
type say struct {
	info agent.Info
	err  error
}

func (s say) Info() agent.Info { return s.info }

func (s say) Call(_ context.Context, c agent.Call) (agent.Result, error) {
	var in map[string]any
	if err := json.Unmarshal(c.Arguments, &in); err != nil {
		return agent.Result{}, err
	}
	return agent.Result{Output: fmt.Sprint(c.Name, " saw ", in)}, s.err
}

func tool(name, parameters string, err error) say {
	return say{agent.Info{ToolDefinition: toolcall.ToolDefinition{
		Name: name, Description: "A tool.", Parameters: json.RawMessage(parameters),
	}, Parallel: name == "look"}, err}
}

func talkTools() []agent.Tool {
	place := `{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"}},"required":["city"]}`
	file := `{"type":"object","properties":{"name":{"type":"string"},"body":{"type":"string"}},"required":["name","body"]}`
	return []agent.Tool{tool("look", place, nil), tool("fail", place, errors.New("it broke")), tool("remove", place, nil), tool("save", file, nil)}
}

func definitions(tools []agent.Tool) (list []toolcall.ToolDefinition) {
	for _, t := range tools {
		list = append(list, t.Info().ToolDefinition)
	}
	return list
}

func invoke(id, name, args string) toolcall.ToolInvocation {
	return toolcall.ToolInvocation{ID: id, CallID: id, Name: name, Arguments: json.RawMessage(args), Status: toolcall.Complete}
}

// talk is what the model writes: two parallel calls, one that fails, one that is denied,
// one that is truncated; then another call; then the answer.
var talk = []answer{
	{text: "I look.", used: limit, cut: true, calls: []toolcall.ToolInvocation{
		invoke("call_1", "look", `{"city":"Oslo","days":2}`), invoke("call_2", "look", `{"city":"Rome"}`),
		invoke("call_3", "fail", `{"city":"Bonn"}`), invoke("call_4", "remove", `{"city":"Bern"}`),
		invoke("call_5", "save", `{"name":"report","body":"A report that is `+cutWord+` that nobody will read it to the end of it, ever."}`),
	}},
	{text: "Once more.", used: 20, calls: []toolcall.ToolInvocation{invoke("call_6", "look", `{"city":"Nice","days":1}`)}},
	{text: "All is done.", used: 10},
}

// outcome is the result of a conversation.
type outcome struct {
	Calls   []string // with their results, in order
	Text    string
	Reason  agent.EndReason
	Used    int
	Answers int
}

func converse(t *testing.T, p agent.Provider, tools []agent.Tool) outcome {
	t.Helper()
	rules := agent.Rules{Rules: []agent.Rule{{Tool: "remove", Verdict: agent.Deny, Reason: "nothing is removed"}}}
	a, err := agent.New(agent.Config{Provider: p, Tools: tools, Request: toolparse.Request{MaxTokens: limit}, Policy: rules.Policy(), System: "Be brief."})
	if err != nil {
		t.Fatal(err)
	}
	var o outcome
	at := map[string]int{}
	for e, err := range a.Run(t.Context(), agent.NewSession(), agent.Say("Look at some cities.")) {
		switch e.Type {
		case agent.CallQueue:
			at[e.Call.ID] = len(o.Calls)
			o.Calls = append(o.Calls, e.Call.Name)
		case agent.CallResult:
			var args bytes.Buffer
			code := "ok"
			if e.Result.Err != nil {
				code = string(e.Result.Err.Category) + " " + e.Result.Err.Code
			}
			if json.Compact(&args, e.Call.Arguments) != nil || e.Result.Err != nil && e.Result.Err.Code == "CUT" {
				args.Reset() // wires differ in how much of the arguments came
			}
			o.Calls[at[e.Call.ID]] += " " + args.String() + ": " + code + ": " + e.Result.Output
		case agent.RunEnd:
			o.Text, o.Reason, o.Used, o.Answers = strings.TrimSpace(e.Text), e.Reason, e.Step.Usage.Output, e.Turn
			if err != nil {
				t.Error(err)
			}
		}
	}
	return o
}

// The same conversation has the same outcome over all wire formats, natively and in text.
func TestConversation(t *testing.T) {
	tools := talkTools()
	want := outcome{
		Calls: []string{
			`look {"city":"Oslo","days":2}: ok: look saw map[city:Oslo days:2]`,
			`look {"city":"Rome"}: ok: look saw map[city:Rome]`,
			`fail {"city":"Bonn"}: ExecutionError : fail saw map[city:Bonn]`,
			`remove {"city":"Bern"}: PermissionError DENIED: `,
			`save : ValidationError CUT: `,
			`look {"city":"Nice","days":1}: ok: look saw map[city:Nice days:1]`,
		},
		Text: "All is done.", Reason: agent.FinalAnswer, Used: limit + 30, Answers: 3,
	}
	dialects := []string{
		"", "xml", "json-openai", "sentinel", "hermes", "qwen3_coder", "mistral", "llama3", "deepseek_v3", "glm45", "kimi_k2", "pythonic", "minimax_m2",
	}
	check := func(wire toolparse.Wire, dialect string, whole bool) func(*testing.T) {
		return func(t *testing.T) {
			s := newServer(t, wire, dialect, definitions(tools), talk...)
			s.whole = whole
			got := converse(t, s.provider(t, func(c *provider.Config) { c.NoStream = whole }), tools)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			// net/http keeps no connection whose request it took over 50 ms to finish writing, as
			// on a busy machine.
			if n := s.connections(); n >= want.Answers {
				t.Errorf("%d connections were made for %d answers", n, want.Answers)
			}
			s.checkGrowth()
		}
	}
	for _, wire := range format.Wires() {
		for i, dialect := range dialects {
			t.Run(dialect+" "+string(wire), check(wire, dialect, false))
			if i < 3 { // natively, and in text
				t.Run(dialect+" "+string(wire)+" whole", check(wire, dialect, true))
			}
		}
	}
}
