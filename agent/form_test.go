package agent_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/agent"
)

// The final answer is JSON that fits the schema, or the model is asked to correct it.
func TestAnswerSchema(t *testing.T) {
	schema := json.RawMessage(`{"type":"object","properties":{"sum":{"type":"integer"}},"required":["sum"]}`)
	tests := []struct {
		name    string
		answers []string
		reason  agent.EndReason
		text    string
		told    string // in the last request
	}{
		{"fits", []string{`{"sum": 3}`}, agent.FinalAnswer, `{"sum": 3}`, ""},
		{"in a fence", []string{"```json\n{\"sum\": 3}\n```"}, agent.FinalAnswer, `{"sum": 3}`, ""},
		{"behind a call", []string{call("look"), `{"sum": 3}`}, agent.FinalAnswer, `{"sum": 3}`, ""},
		{"in words first", []string{"It is 3.", `{"sum": 3}`}, agent.FinalAnswer, `{"sum": 3}`, "is not one JSON value"},
		{"another type first", []string{`{"sum": "three"}`, `{"sum": 3}`}, agent.FinalAnswer, `{"sum": 3}`, "/sum"},
		{"by a terminal tool", []string{call("submit", "n", "7"), call("give", "answer", `{"sum": 3}`)}, agent.TerminalTool, `{"sum": 3}`, "is not one JSON value"},
		{"never", []string{"a", "b", "c", "d"}, agent.EndError, "d", "is not one JSON value"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := play(t, test.answers...)
			give := agent.NewTool("give", "Gives the answer.", func(_ context.Context, in struct {
				Answer string `json:"answer"`
			}) (string, error) {
				return in.Answer, nil
			}, terminal)
			o := collect(t, newAgent(t, agent.Config{Provider: p, Tools: append(tools(), give), AnswerSchema: schema, System: "Be brief."}), agent.NewSession(), agent.Say("1+2?"))
			if o.end.Reason != test.reason || o.end.Text != test.text || (test.reason == agent.EndError) != (o.err != nil) {
				t.Errorf("it ended with %s, %q: %v", o.end.Reason, o.end.Text, o.err)
			}
			if !strings.Contains(told(p), test.told) {
				t.Errorf("the model does not read %q in\n%s", test.told, told(p))
			}
			system := p.requests[0].Messages[0].Parts[0].Text
			if !strings.HasPrefix(system, "Be brief.\n\n") || !strings.Contains(system, `"sum"`) || len(p.requests[0].Extras) > 0 {
				t.Errorf("the system prompt is %q, with %v", system, p.requests[0].Extras)
			}
		})
	}
	p := play(t, `{"sum": 3}`)
	collect(t, newAgent(t, agent.Config{Provider: p, AnswerSchema: schema}), agent.NewSession(), agent.Say("1+2?"))
	if got := p.requests[0].Extras.Get(string(toolparse.OpenAI), "", "response_format"); !strings.Contains(string(got), `"schema":{"type":"object"`) {
		t.Errorf("without tools the provider is asked for %s", got)
	}
	if _, err := agent.New(agent.Config{Provider: p, AnswerSchema: json.RawMessage(`3`)}); err == nil {
		t.Error("3 is a schema")
	}
}
