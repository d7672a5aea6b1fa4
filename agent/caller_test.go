package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/format/chat"
)

// A single call follows the rules of a run: schema, policy, time, panics and limits.
func TestCaller(t *testing.T) {
	crash := echo("crash")
	crash.run = func(context.Context, agent.Call) (agent.Result, error) { panic("broken") }
	slow := echo("slow", func(i *agent.Info) { i.Timeout = 10 * time.Millisecond })
	slow.run = func(ctx context.Context, _ agent.Call) (agent.Result, error) {
		<-ctx.Done()
		return agent.Result{Output: "so far"}, ctx.Err()
	}
	long := echo("long")
	long.run = func(_ context.Context, call agent.Call) (agent.Result, error) {
		call.Report("half")
		return agent.Result{Output: strings.Repeat("x", 1000)}, nil
	}
	risky := echo("risky", risk(agent.High))
	caller, err := agent.NewCaller(agent.Config{
		Tools:     []agent.Tool{echo("add"), crash, slow, long, risky, echo("theirs", client)},
		MaxOutput: 100,
	})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, args string
		approved   bool
		code       string
		output     string
	}{
		{"add", `{"n":1}`, false, "", `add did {"n":1}`},
		{"add", ``, false, "", `add did {}`},
		{"add", `{"n":"one"}`, false, agent.CodeInvalid, ""},
		{"add", `{"m":1}`, false, agent.CodeInvalid, ""},
		{"add", `[1]`, false, agent.CodeParse, ""},
		{"add", `{"n":`, false, agent.CodeParse, ""},
		{"ad", `{}`, false, agent.CodeUnknown, ""},
		{"crash", `{}`, false, agent.CodePanic, ""},
		{"slow", `{}`, false, agent.CodeTimeout, "so far"},
		{"long", `{}`, false, "", "x"},
		{"risky", `{}`, false, agent.CodeApproval, ""},
		{"risky", `{}`, true, "", "risky did {}"},
		{"theirs", `{}`, false, agent.CodeNotRun, ""},
	}
	for _, test := range tests {
		var reports []string
		r := caller.Call(t.Context(), agent.SingleCall{
			ID: "1", Name: test.name, Arguments: json.RawMessage(test.args), Approved: test.approved,
			Report: func(text string) { reports = append(reports, text) },
		})
		code := ""
		if r.Err != nil {
			code = r.Err.Code
		}
		if code != test.code || !strings.HasPrefix(r.Output, test.output) || len(r.Output) > 200 {
			t.Errorf("%s(%s), approved: %t: %q, %v (%s)", test.name, test.args, test.approved, r.Output, r.Err, code)
		}
		if (test.name == "long") != (len(reports) == 1) {
			t.Errorf("%s reported %q", test.name, reports)
		}
	}
	if risky.count() != 1 {
		t.Errorf("the risky tool ran %d times, want once", risky.count())
	}
}

// Calls of a tool that is not parallel run one after another.
func TestCallerIsConcurrent(t *testing.T) {
	slow := func(context.Context, agent.Call) (agent.Result, error) {
		time.Sleep(5 * time.Millisecond)
		return agent.Result{}, nil
	}
	lonely, social := echo("lonely"), echo("social", parallel)
	lonely.run, social.run = slow, slow
	caller, err := agent.NewCaller(agent.Config{Tools: []agent.Tool{lonely, social}})
	if err != nil {
		t.Fatal(err)
	}
	var calls sync.WaitGroup
	for i := range 20 {
		calls.Go(func() {
			name := []string{"lonely", "social"}[i%2]
			if r := caller.Call(t.Context(), agent.SingleCall{ID: name, Name: name}); !r.Success() {
				t.Errorf("%+v", r)
			}
		})
	}
	calls.Wait()
	if lonely.most != 1 || social.most < 2 {
		t.Errorf("at one time there were %d calls of the one tool, %d of the other", lonely.most, social.most)
	}
}

// Tools of one category that store the same data wait for each other, so that none of it
// is lost.
func TestCallerKeepsData(t *testing.T) {
	const calls = 10
	var tools []agent.Tool
	for _, name := range []string{"add", "change"} {
		tool := echo(name, func(i *agent.Info) { i.Category = "list" })
		tool.run = func(_ context.Context, call agent.Call) (agent.Result, error) {
			var list []string
			if kept := call.Context.Data["list"]; kept != nil {
				if err := json.Unmarshal(kept, &list); err != nil {
					return agent.Result{}, err
				}
			}
			time.Sleep(time.Millisecond)
			kept, err := json.Marshal(append(list, call.ID))
			return agent.Result{Output: string(kept), Data: map[string]json.RawMessage{"list": kept}}, err
		}
		tools = append(tools, tool)
	}
	caller, err := agent.NewCaller(agent.Config{Tools: tools})
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	for i := range calls {
		running.Go(func() {
			if r := caller.Call(t.Context(), agent.SingleCall{ID: fmt.Sprint(i), Name: []string{"add", "change"}[i%2]}); !r.Success() {
				t.Errorf("%+v", r)
			}
		})
	}
	running.Wait()
	var list []string
	last := caller.Call(t.Context(), agent.SingleCall{ID: "last", Name: "add"})
	if err := json.Unmarshal([]byte(last.Output), &list); err != nil || len(list) != calls+1 {
		t.Errorf("kept is %q (%v), want %d entries", list, err, calls+1)
	}
}

// The tools may change from step to step: a removed tool is unknown, and a new one runs.
func TestToolsChange(t *testing.T) {
	old, later := echo("old"), echo("later")
	p := play(t, call("old"), call("later"), call("old"), "Done.")
	turn := 0
	a := newAgent(t, agent.Config{Provider: p, Tools: []agent.Tool{old}, Prepare: func(_ context.Context, _ *agent.Session, step *agent.StepOptions) error {
		if turn++; turn > 1 {
			step.Tools = []agent.Tool{later}
		}
		return nil
	}})
	o := collect(t, a, agent.NewSession(), agent.Say("Go."))
	if o.end.Reason != agent.FinalAnswer || old.count() != 1 || later.count() != 1 {
		t.Errorf("%s: old ran %d times, later %d times", o.end.Reason, old.count(), later.count())
	}
	if last := o.results[len(o.results)-1]; last.Err == nil || last.Err.Code != agent.CodeUnknown {
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
		Prepare: func(_ context.Context, _ *agent.Session, step *agent.StepOptions) error {
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
