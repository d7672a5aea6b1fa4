package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/format/chat"
)

// With every strategy, a conversation of a thousand turns stays within its limit, and
// keeps the task and the results of its calls.
func TestHistory(t *testing.T) {
	turns := 1000
	if testing.Short() {
		turns = 200
	}
	summarize := func(_ context.Context, dropped []chat.Message) (string, error) {
		return fmt.Sprint(len(dropped), " messages"), nil
	}
	tests := map[string]agent.History{
		"drop oldest":    {MaxTokens: 2000},
		"sliding window": {Turns: 5},
		"window, bound":  {Turns: 500, MaxTokens: 2000},
		"summarize":      {MaxTokens: 2000, Summarize: summarize},
		"no summary": {MaxTokens: 2000, Summarize: func(context.Context, []chat.Message) (string, error) {
			return "", errors.New("no model")
		}},
	}
	for name, history := range tests {
		t.Run(name, func(t *testing.T) {
			var answers []string
			for i := range turns {
				answers = append(answers, call("look", "n", fmt.Sprint(i)))
			}
			p := play(t, append(answers, "Done.")...)
			s := agent.NewSession()
			a := newAgent(t, agent.Config{Provider: p, Tools: tools(), History: history, MaxTurns: turns + 1, System: "Be brief."})
			o := collect(t, a, s, agent.Say("The task."))
			if o.end.Text != "Done." || len(o.results) != turns {
				t.Fatal(o.end.Reason, o.err)
			}
			most := 0
			for _, request := range p.requests {
				most = max(most, history.Tokens("", request.Messages, nil))
				if first := request.Messages[0]; first.Role != chat.System {
					t.Fatal("the system prompt is gone")
				}
				if task := request.Messages[1]; task.Parts[0].Text != "The task." {
					t.Fatal("the task is gone")
				}
			}
			if most > 2000 {
				t.Errorf("a request had %d tokens", most)
			}
			text, err := json.Marshal(s)
			if err != nil || len(text) > 40<<10 {
				t.Errorf("the session has %d bytes, %v", len(text), err)
			}
			summarized := strings.Contains(string(text), "Summary of the conversation so far")
			if summarized != (name == "summarize") {
				t.Errorf("summarized: %v", summarized)
			}
		})
	}
}
