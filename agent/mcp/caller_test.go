package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/agent/mcp"
)

// A single call follows the rules of a run: schema, policy, time, panics and limits.
func TestCaller(t *testing.T) {
	add := served("add", agent.Safe, says("add did "))
	crash := served("crash", agent.Safe, func(context.Context, agent.Call) (agent.Result, error) { panic("broken") })
	slow := served("slow", agent.Safe, func(ctx context.Context, _ agent.Call) (agent.Result, error) {
		<-ctx.Done()
		return agent.Result{Output: "so far"}, ctx.Err()
	})
	slow.info.Timeout = 10 * time.Millisecond
	long := served("long", agent.Safe, func(_ context.Context, call agent.Call) (agent.Result, error) {
		call.Report("half")
		return agent.Result{Output: strings.Repeat("x", 1000)}, nil
	})
	var ran atomic.Int32
	risky := served("risky", agent.High, func(ctx context.Context, call agent.Call) (agent.Result, error) {
		ran.Add(1)
		return says("risky did ")(ctx, call)
	})
	theirs := served("theirs", agent.Safe, says(""))
	theirs.info.Kind = agent.Function
	caller, err := mcp.NewCaller(agent.Config{Tools: []agent.Tool{add, crash, slow, long, risky, theirs}, MaxOutput: 100})
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
		{"add", ``, false, "", `add did {"n":7}`},
		{"add", `{"n":"one"}`, false, "INVALID", ""},
		{"add", `{"m":1}`, false, "INVALID", ""},
		{"add", `[1]`, false, "PARSE", ""},
		{"add", `{"n":`, false, "PARSE", ""},
		{"ad", `{}`, false, "UNKNOWN_TOOL", ""},
		{"crash", `{}`, false, "PANIC", ""},
		{"slow", `{}`, false, "TIMEOUT", "so far"},
		{"long", `{}`, false, "", "x"},
		{"risky", `{}`, false, "APPROVAL", ""},
		{"risky", `{}`, true, "", `risky did {"n":7}`},
		{"theirs", `{}`, false, "", ""},
	}
	for _, test := range tests {
		var reports []string
		r := caller.Call(t.Context(), mcp.SingleCall{
			Name: test.name, Arguments: json.RawMessage(test.args), Approved: test.approved,
			Report: func(text string) { reports = append(reports, text) },
		})
		code := ""
		if test.name == "theirs" {
			if r.Success() {
				t.Error("a tool of the client ran here")
			}
			continue
		}
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
	if n := ran.Load(); n != 1 {
		t.Errorf("the risky tool ran %d times, want once", n)
	}
}

// Calls of a tool that is not parallel run one after another.
func TestCallerIsConcurrent(t *testing.T) {
	var mu sync.Mutex
	now, most := map[string]int{}, map[string]int{}
	slow := func(_ context.Context, call agent.Call) (agent.Result, error) {
		count := func(by int) {
			mu.Lock()
			defer mu.Unlock()
			now[call.Name] += by
			most[call.Name] = max(most[call.Name], now[call.Name])
		}
		count(1)
		defer count(-1)
		time.Sleep(5 * time.Millisecond)
		return agent.Result{}, nil
	}
	lonely, social := served("lonely", agent.Safe, slow), served("social", agent.Safe, slow)
	social.info.Parallel = true
	caller, err := mcp.NewCaller(agent.Config{Tools: []agent.Tool{lonely, social}})
	if err != nil {
		t.Fatal(err)
	}
	var calls sync.WaitGroup
	for i := range 20 {
		calls.Go(func() {
			name := []string{"lonely", "social"}[i%2]
			if r := caller.Call(t.Context(), mcp.SingleCall{Name: name}); !r.Success() {
				t.Errorf("%+v", r)
			}
		})
	}
	calls.Wait()
	if most["lonely"] != 1 || most["social"] < 2 {
		t.Errorf("at one time there were %v calls", most)
	}
}

// Tools of one category that store the same data wait for each other, so that none of it
// is lost.
func TestCallerKeepsData(t *testing.T) {
	const calls = 10
	var tools []agent.Tool
	for _, name := range []string{"add", "change"} {
		tool := served(name, agent.Safe, func(_ context.Context, call agent.Call) (agent.Result, error) {
			var list []string
			if kept := call.Data["list"]; kept != nil {
				if err := json.Unmarshal(kept, &list); err != nil {
					return agent.Result{}, err
				}
			}
			time.Sleep(time.Millisecond)
			kept, err := json.Marshal(append(list, string(call.Arguments)))
			return agent.Result{Output: string(kept), Data: map[string]json.RawMessage{"list": kept}}, err
		})
		tool.info.Category = "list"
		tools = append(tools, tool)
	}
	caller, err := mcp.NewCaller(agent.Config{Tools: tools})
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	for i := range calls {
		running.Go(func() {
			if r := caller.Call(t.Context(), mcp.SingleCall{Arguments: fmt.Appendf(nil, `{"n":%d}`, i), Name: []string{"add", "change"}[i%2]}); !r.Success() {
				t.Errorf("%+v", r)
			}
		})
	}
	running.Wait()
	var list []string
	last := caller.Call(t.Context(), mcp.SingleCall{Name: "add"})
	if err := json.Unmarshal([]byte(last.Output), &list); err != nil || len(list) != calls+1 {
		t.Errorf("kept is %q (%v), want %d entries", list, err, calls+1)
	}
}
