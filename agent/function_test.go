package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/agent"
)

// Define a tool by a function; its parameters are the fields of a struct.
func ExampleNewTool() {
	type place struct {
		City string `json:"city" jsonschema:"the city, e.g. Oslo"`
		Days int    `json:"days" jsonschema:"how many days ahead" default:"1" minimum:"1" maximum:"7"`
	}
	weather := agent.NewTool("get_weather", "Weather of a city.", func(_ context.Context, in place) (string, error) {
		return fmt.Sprintf("Sunny in %s, day %d.", in.City, in.Days), nil
	})
	result, err := weather.Call(context.Background(), agent.Call{Arguments: json.RawMessage(`{"city":"Oslo"}`)})
	fmt.Println(result.Output, err)
	// Output: Sunny in Oslo, day 1. <nil>
}

type toolIn struct {
	City string   `json:"city" jsonschema:"the city"`
	Unit string   `json:"unit" default:"c" enum:"c,f"`
	Tags []string `json:"tags,omitempty"`
	Days int      `json:"days,omitempty" minimum:"1" maximum:"7"`
}

func newTool[Out any](t *testing.T, run func(context.Context, toolIn) (Out, error), options ...func(*agent.Info)) agent.Tool {
	t.Helper()
	return agent.NewTool("weather", "Weather.", run, options...)
}

// The function gets typed arguments with their defaults, or is not called.
func TestNewToolArguments(t *testing.T) {
	var got *toolIn
	tool := newTool(t, func(_ context.Context, in toolIn) (string, error) {
		got = &in
		return "", nil
	})
	tests := []struct {
		args string
		want *toolIn
		says string
	}{
		{`{"city":"Oslo"}`, &toolIn{City: "Oslo", Unit: "c"}, ""},
		{`{"city":"Oslo","unit":"f","days":7,"tags":["a"]}`, &toolIn{City: "Oslo", Unit: "f", Days: 7, Tags: []string{"a"}}, ""},
		{`{}`, nil, "city"},
		{``, nil, "city"},
		{`{"city":1}`, nil, "string"},
		{`{"city":"Oslo","unit":"k"}`, nil, `"f"`},
		{`{"city":"Oslo","days":8}`, nil, "7"},
		{`{"city":"Oslo","day":2}`, nil, "days"},
		{`{"city":`, nil, "cannot be read"},
	}
	for _, test := range tests {
		got = nil
		_, err := tool.Call(t.Context(), agent.Call{Arguments: json.RawMessage(test.args)})
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %v\n%s", test.args, err, diff)
		}
		if test.says == "" && err != nil || test.says != "" && (err == nil || !strings.Contains(err.Error(), test.says)) {
			t.Errorf("%s: %v, want %q", test.args, err, test.says)
		}
		if err != nil && agent.Categorize(err).Category != agent.Validation {
			t.Errorf("%s: category %s", test.args, agent.Categorize(err).Category)
		}
	}
}

// A function returns text, a value for JSON, or a whole Result.
func TestNewToolResults(t *testing.T) {
	code := 3
	broken := errors.New("broken")
	tests := map[string]struct {
		tool agent.Tool
		want agent.Result
		err  error
	}{
		"text":   {tool: newTool(t, func(context.Context, toolIn) (string, error) { return "<a>", nil }), want: agent.Result{Output: "<a>"}},
		"number": {tool: newTool(t, func(context.Context, toolIn) (float64, error) { return 0.5, nil }), want: agent.Result{Output: "0.5"}},
		"struct": {tool: newTool(t, func(context.Context, toolIn) (map[string]any, error) { return map[string]any{"a": "<b>"}, nil }), want: agent.Result{Output: `{"a":"<b>"}`}},
		"result": {tool: newTool(t, func(context.Context, toolIn) (agent.Result, error) {
			return agent.Result{Output: "x", ExitCode: &code}, broken
		}), want: agent.Result{Output: "x", ExitCode: &code}, err: broken},
		"failed": {tool: newTool(t, func(context.Context, toolIn) (*int, error) { return nil, broken }), err: broken},
		"partly": {tool: newTool(t, func(context.Context, toolIn) ([]int, error) { return []int{1}, broken }), want: agent.Result{Output: "[1]"}, err: broken},
		"any":    {tool: newTool(t, func(context.Context, toolIn) (any, error) { return nil, nil })},
	}
	for name, test := range tests {
		got, err := test.tool.Call(t.Context(), agent.Call{Arguments: json.RawMessage(`{"city":"Oslo"}`)})
		if diff := cmp.Diff(test.want, got); diff != "" || !errors.Is(err, test.err) {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
	bad := newTool(t, func(context.Context, toolIn) (any, error) { return func() {}, nil })
	if _, err := bad.Call(t.Context(), agent.Call{Arguments: json.RawMessage(`{"city":"Oslo"}`)}); err == nil {
		t.Error("a function went to the model")
	}
}

// The loop respects the options, and passes on the progress that a function reports.
func TestNewToolInLoop(t *testing.T) {
	tool := newTool(t, func(ctx context.Context, in toolIn) (agent.Result, error) {
		call := agent.CallFrom(ctx)
		call.Report("looking up " + in.City)
		return agent.Result{Output: "sunny", Data: map[string]json.RawMessage{"last": json.RawMessage(`"` + in.City + `"`)}}, nil
	}, func(i *agent.Info) {
		i.Risk, i.Terminal, i.Category, i.Timeout = agent.High, true, "weather", time.Minute
	})
	if info := tool.Info(); info.Risk != agent.High || !info.Terminal || info.Category != "weather" || info.Name != "weather" {
		t.Errorf("%+v", info)
	}
	a := newAgent(t, agent.Config{Provider: play(t, call("weather", "city", "Oslo")), Tools: []agent.Tool{tool}})
	s := agent.NewSession()
	o := collect(t, a, s, agent.Say("How is it?"), agent.AllowOnce)
	if o.end.Reason != agent.TerminalTool || o.end.Text != "sunny" {
		t.Errorf("%+v", o.end)
	}
	reported := false
	for _, e := range o.events {
		reported = reported || e.Type == agent.CallProgress && e.Text == "looking up Oslo"
	}
	if !reported {
		t.Error("no progress was told")
	}
	if string(s.Data["last"]) != `"Oslo"` {
		t.Errorf("the session keeps %s", s.Data)
	}
}

// Data that tools store survive the process, and later calls get them.
func TestSessionData(t *testing.T) {
	count := newTool(t, func(ctx context.Context, _ toolIn) (agent.Result, error) {
		n := 0
		if raw := agent.CallFrom(ctx).Data["n"]; raw != nil {
			if err := json.Unmarshal(raw, &n); err != nil {
				return agent.Result{}, err
			}
		}
		if n == 3 {
			return agent.Result{Output: "over", Data: map[string]json.RawMessage{"n": nil}}, nil
		}
		return agent.Result{Output: fmt.Sprint(n + 1), Data: map[string]json.RawMessage{"n": json.RawMessage(fmt.Sprint(n + 1))}}, nil
	})
	turn := call("weather", "city", "Oslo")
	a := newAgent(t, agent.Config{Provider: play(t, turn+call("weather", "city", "Bergen"), "Done.", turn, "Done.", turn, "Done."), Tools: []agent.Tool{count}})
	s := agent.NewSession()
	var said []string
	for range 3 {
		o := collect(t, a, s, agent.Say("Go on."))
		for _, r := range o.results {
			said = append(said, r.Output)
		}
		s = reloaded(t, s)
	}
	if diff := cmp.Diff([]string{"1", "2", "3", "over"}, said); diff != "" {
		t.Error(diff)
	}
	if len(s.Data) != 0 {
		t.Errorf("the session keeps %s", s.Data)
	}
}

// The user is asked once about a tool with AskOnce, whatever the arguments; the model
// gets advice about a tool that does not exist.
func TestAskOnce(t *testing.T) {
	once := func(i *agent.Info) { i.Risk, i.AskOnce = agent.Medium, true }
	a := newAgent(t, agent.Config{
		Provider: play(t, call("look", "n", "1")+call("other"), call("look", "n", "2"), "Done."), Tools: []agent.Tool{echo("look", once)},
		UnknownToolAdvice: func(tool string) string { return "In place of " + tool + " call look." },
	})
	o := collect(t, a, agent.NewSession(), agent.Say("Go."), agent.AllowOnce)
	if o.end.Reason != agent.FinalAnswer || len(o.results) != 3 {
		t.Fatalf("%+v", o.end)
	}
	for _, r := range o.results {
		if r.Name == "look" && r.Err != nil || r.Name == "other" && !strings.HasSuffix(r.Err.Message, "In place of other call look.") {
			t.Errorf("%s: %v", r.Name, r.Err)
		}
	}
}

func TestNewToolFails(t *testing.T) {
	fails := func(tool agent.Tool) error {
		_, err := tool.Call(t.Context(), agent.Call{})
		if _, atNew := agent.New(agent.Config{Provider: play(t), Tools: []agent.Tool{tool}}); (atNew == nil) != (err == nil) {
			t.Errorf("New: %v, Call: %v", atNew, err)
		}
		return err
	}
	if fails(agent.NewTool("f", "F.", func(context.Context, func()) (string, error) { return "", nil })) == nil {
		t.Error("a function is no object")
	}
	type bad struct {
		N int `json:"n" default:"x"`
	}
	if err := fails(agent.NewTool("f", "F.", func(context.Context, bad) (string, error) { return "", nil })); err == nil || !strings.Contains(err.Error(), "field N") {
		t.Errorf("%v", err)
	}
}
