package agent_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/format/chat"
)

// The tools may change from step to step: a removed tool is unknown, and a new one runs.
func TestToolsChange(t *testing.T) {
	old, later := echo("old"), echo("later")
	p := play(t, call("old"), call("later"), call("old"), "Done.")
	turn := 0
	a := newAgent(t, agent.Config{Provider: p, Tools: []agent.Tool{old}, Prepare: func(_ context.Context, _ *agent.Session, step *agent.Config) error {
		if turn++; turn > 1 {
			step.Tools = []agent.Tool{later}
		}
		return nil
	}})
	o := collect(t, a, agent.NewSession(), agent.Say("Go."))
	if o.end.Reason != agent.FinalAnswer || old.count() != 1 || later.count() != 1 {
		t.Errorf("%s: old ran %d times, later %d times", o.end.Reason, old.count(), later.count())
	}
	if last := o.results[len(o.results)-1]; last.Err == nil || last.Err.Code != "UNKNOWN_TOOL" {
		t.Errorf("a tool that is gone: %+v", last)
	}
	var shown []string
	for _, request := range p.requests {
		for _, tool := range request.Tools {
			shown = append(shown, tool.Name)
		}
	}
	if diff := cmp.Diff([]string{"old", "later", "later", "later"}, shown); diff != "" {
		t.Error(diff)
	}
}

// With a list of allowed tools, the same tools of a changing set are allowed in each
// step, and a missing one is no error.
func TestAllowedToolsChange(t *testing.T) {
	p := play(t, "Done.")
	a := newAgent(t, agent.Config{
		Provider: p, Tools: []agent.Tool{echo("a"), echo("b"), echo("c")}, Allowed: []string{"a", "b"},
		Prepare: func(_ context.Context, _ *agent.Session, step *agent.Config) error {
			step.Tools = []agent.Tool{echo("b"), echo("c"), echo("d")}
			return nil
		},
	})
	if o := collect(t, a, agent.NewSession(), agent.Say("Go.")); o.end.Reason != agent.FinalAnswer {
		t.Fatalf("%+v", o.end)
	}
	if tools := p.requests[0].Tools; len(tools) != 1 || tools[0].Name != "b" {
		t.Errorf("shown are %v, want b", tools)
	}
}

// The model gets the images of a result next to its text, and they survive storing the
// session.
func TestResultParts(t *testing.T) {
	image := chat.Part{Kind: chat.PartImage, Media: &chat.Media{Type: "image/png", Data: "iVBORw0KGgo="}}
	look := echo("look")
	look.run = func(context.Context, agent.Call) (agent.Result, error) {
		return agent.Result{Output: "a cat", Parts: []chat.Part{image}}, nil
	}
	only := echo("only")
	only.run = func(context.Context, agent.Call) (agent.Result, error) {
		return agent.Result{Parts: []chat.Part{image}}, nil
	}
	p := play(t, call("look")+call("only"), "Done.")
	s := agent.NewSession()
	o := collect(t, newAgent(t, agent.Config{Provider: p, Tools: []agent.Tool{look, only}}), s, agent.Say("Go."))
	kept, err := json.Marshal(o.results[0])
	var again agent.ToolResult
	if err != nil || json.Unmarshal(kept, &again) != nil || len(again.Parts) != 1 || again.Parts[0].Media.Data != image.Media.Data {
		t.Errorf("kept: %s, %v", kept, err)
	}
	var parts [][]chat.Part
	for _, m := range p.requests[1].Messages {
		for _, part := range m.Parts {
			if part.Result != nil {
				parts = append(parts, part.Result.Parts)
			}
		}
	}
	if diff := cmp.Diff([][]chat.Part{{chat.TextPart("a cat"), image}, {image}}, parts); diff != "" {
		t.Error(diff)
	}
}
