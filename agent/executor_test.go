package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/toolcall"
)

// byName is a policy that decides by the tool's name.
func byName(_ context.Context, c agent.Call) agent.Decision {
	switch c.Name {
	case "ask":
		return agent.Decision{Reason: "a person must say so"}
	case "deny":
		return agent.Decision{Verdict: agent.Deny, Reason: "never"}
	}
	return agent.Decision{Verdict: agent.Allow}
}

// The names of these tools say what happens to their calls.
var named = []agent.Tool{echo("run"), echo("ask"), echo("deny"), echo("client", client), echo("submit", terminal), echo("beside", parallel)}

func newExecutor(t testing.TB, opts agent.ExecutorOptions) *agent.Executor {
	t.Helper()
	x, err := agent.NewExecutor(opts)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func executor(t testing.TB, calls ...string) *agent.Executor {
	t.Helper()
	x := newExecutor(t, agent.ExecutorOptions{Tools: named, Policy: byName})
	for i, name := range calls {
		if err := x.Add(invocation(i, name)); err != nil {
			t.Fatal(err)
		}
	}
	return x
}

func invocation(i int, name string) toolcall.ToolInvocation {
	inv := toolcall.ToolInvocation{ID: fmt.Sprint("c", i), Name: name, Arguments: json.RawMessage("{}"), Status: toolcall.Complete}
	if name == "broken" {
		inv.Status, inv.Reason = toolcall.Malformed, toolcall.ReasonInvalidJSON
	}
	return inv
}

// One call passes through the states, as a user interface sees them.
func TestExecutorStates(t *testing.T) {
	type step struct {
		do     string // step, or an input for the call c0
		action agent.ActionKind
		state  agent.State
		err    error
	}
	tests := map[string][]step{
		"run": {
			{do: "step", action: agent.ActionExecute, state: agent.Executing},
			{do: "step", action: agent.ActionNone, state: agent.Executing},
			{do: "once", state: agent.Executing, err: agent.ErrNotAsked},
			{do: "finish", state: agent.Completed},
			{do: "finish", state: agent.Completed, err: agent.ErrNotRunning},
			{do: "step", action: agent.ActionComplete, state: agent.Idle},
			{do: "step", action: agent.ActionNone, state: agent.Idle},
			{do: "finish", state: agent.Idle, err: agent.ErrUnknownCall},
		},
		"ask": {
			{do: "once", state: agent.EvaluatingPolicy, err: agent.ErrNotAsked},
			{do: "finish", state: agent.EvaluatingPolicy, err: agent.ErrNotRunning},
			{do: "step", action: agent.ActionAsk, state: agent.AwaitingPermission},
			{do: "step", action: agent.ActionNone, state: agent.AwaitingPermission},
			{do: "finish", state: agent.AwaitingPermission, err: agent.ErrNotRunning},
			{do: "once", state: agent.Executing},
			{do: "deny", state: agent.Executing, err: agent.ErrNotAsked},
			{do: "step", action: agent.ActionExecute, state: agent.Executing},
			{do: "finish", state: agent.Completed},
			{do: "step", action: agent.ActionComplete, state: agent.Idle},
		},
		"ask ": {
			{do: "step", action: agent.ActionAsk, state: agent.AwaitingPermission},
			{do: "deny", state: agent.Completed},
			{do: "step", action: agent.ActionRefuse, state: agent.Completed},
			{do: "once", state: agent.Completed, err: agent.ErrNotAsked},
			{do: "step", action: agent.ActionComplete, state: agent.Idle},
		},
		"deny":   {{do: "step", action: agent.ActionRefuse, state: agent.Completed}, {do: "step", action: agent.ActionComplete, state: agent.Idle}},
		"broken": {{do: "step", action: agent.ActionRefuse, state: agent.Completed}, {do: "step", action: agent.ActionComplete, state: agent.Idle}},
		"nobody": {{do: "step", action: agent.ActionRefuse, state: agent.Completed}, {do: "step", action: agent.ActionComplete, state: agent.Idle}},
		"client": {
			{do: "step", action: agent.ActionPending, state: agent.Executing},
			{do: "step", action: agent.ActionNone, state: agent.Executing},
			{do: "finish", state: agent.Completed},
			{do: "step", action: agent.ActionComplete, state: agent.Idle},
		},
	}
	for name, steps := range tests {
		t.Run(name, func(t *testing.T) {
			x := executor(t)
			if x.State() != agent.Idle || x.HasWork() || x.Step(t.Context()).Kind != agent.ActionNone {
				t.Fatal("an executor without calls is not idle")
			}
			if err := x.Add(invocation(0, strings.TrimSpace(name))); err != nil {
				t.Fatal(err)
			}
			if x.State() != agent.EvaluatingPolicy || !x.HasWork() {
				t.Fatalf("with a call it is %s", x.State())
			}
			for i, s := range steps {
				var action agent.ActionKind
				var err error
				switch s.do {
				case "step":
					action = x.Step(t.Context()).Kind
				case "finish":
					err = x.Finish("c0", agent.ToolResult{})
				case "once":
					err = x.Answer("c0", agent.AllowOnce)
				case "deny":
					err = x.Answer("c0", agent.DenyCall)
				}
				if action != s.action || x.State() != s.state || !errors.Is(err, s.err) {
					t.Fatalf("step %d, %s: %s, %s, %v; want %s, %s, %v", i, s.do, action, x.State(), err, s.action, s.state, s.err)
				}
			}
		})
	}
}

// Whatever the inputs and their order, every call starts at most once, only when allowed,
// and has one result; the turn completes when all calls have one.
func TestExecutorAllOrders(t *testing.T) {
	kinds := []string{"run", "ask", "deny", "client", "submit", "beside", "broken"}
	depth, samples := 5, 20000
	if testing.Short() {
		depth, samples = 3, 2000
	}
	const ops = 7
	total := 1
	for range depth {
		total *= ops
	}
	for _, first := range kinds {
		for _, second := range kinds {
			for n := range total {
				walk(t, []string{first, second}, int64(n), depth, ops)
			}
		}
	}
	const long = 12 // too many orders to try them all
	random := rand.New(rand.NewPCG(1, 2))
	for range samples {
		names := []string{kinds[random.IntN(len(kinds))], kinds[random.IntN(len(kinds))]}
		walk(t, names, random.Int64N(13841287201), long, ops) // 12 digits to base 7
	}
}

// walk performs the operations that the digits of n stand for.
func walk(t *testing.T, names []string, n int64, depth, ops int) {
	x := executor(t, names...)
	started, allowed, settled := [2]int{}, [2]bool{}, [2]int{}
	fail := func(what string) {
		t.Fatalf("%v, operations %d: %s", names, n, what)
	}
	index := map[string]int{"c0": 0, "c1": 1}
	over := false
	for at := n; depth > 0; depth-- {
		op := int(at % int64(ops))
		at /= int64(ops)
		if op == 0 {
			switch a := x.Step(t.Context()); a.Kind {
			case agent.ActionExecute, agent.ActionPending:
				i := index[a.Call.ID]
				if started[i]++; started[i] > 1 || settled[i] > 0 {
					fail("a call was started twice")
				}
				if names[i] == "deny" || names[i] == "broken" || names[i] == "ask" && !allowed[i] {
					fail("a call was started against the policy")
				}
				if i == 1 && settled[0] == 0 && names[0] != "client" && names[1] != "client" && (names[0] != "beside" || names[1] != "beside") {
					fail("the second call was started beside the first")
				}
			case agent.ActionRefuse:
				if i := index[a.Call.ID]; started[i] > 0 || a.Result.Success() {
					fail("a call that ran was refused")
				} else if settled[i]++; settled[i] > 1 {
					fail("a second result")
				}
			case agent.ActionComplete:
				if over || settled != [2]int{1, 1} {
					fail("complete before every call has its result")
				}
				over = true
			}
			continue
		}
		i := (op - 1) / 3
		id := fmt.Sprint("c", i)
		switch (op - 1) % 3 {
		case 0:
			if err := x.Answer(id, agent.AllowOnce); err == nil {
				if names[i] != "ask" || allowed[i] {
					fail("an answer that was not asked for was taken")
				}
				allowed[i] = true
			}
		case 1:
			if err := x.Answer(id, agent.DenyCall); err == nil && (names[i] != "ask" || allowed[i]) {
				fail("a denial that was not asked for was taken")
			}
		case 2:
			if err := x.Finish(id, agent.ToolResult{}); err == nil {
				if started[i] == 0 {
					fail("a result of a call that was not started was taken")
				}
				if settled[i]++; settled[i] > 1 {
					fail("a second result was taken")
				}
			}
		}
	}
	if over && (x.State() != agent.Idle || x.HasWork()) {
		fail("not idle after the end")
	}
}

// The executor keeps its own copy of the calls, and counts its iterations.
func TestExecutorOwns(t *testing.T) {
	x := newExecutor(t, agent.ExecutorOptions{Tools: []agent.Tool{echo("run")}, Policy: byName, MaxIterations: 2})
	for i, want := range []agent.ActionKind{agent.ActionComplete, agent.ActionLimit} {
		inv := invocation(i, "run")
		inv.Arguments = json.RawMessage(`{"n":1}`)
		if err := x.Add(inv); err != nil {
			t.Fatal(err)
		}
		if err := x.Add(inv); !errors.Is(err, agent.ErrDuplicate) {
			t.Errorf("the same id twice: %v", err)
		}
		copy(inv.Arguments, `{"n":9}`)
		a := x.Step(t.Context())
		if diff := cmp.Diff(`{"n":1}`, string(a.Call.Arguments)); diff != "" {
			t.Error(diff)
		}
		if err := x.Finish(inv.ID, agent.ToolResult{Output: "x"}); err != nil {
			t.Fatal(err)
		}
		if got := x.Step(t.Context()).Kind; got != want {
			t.Errorf("round %d ends with %s", i, got)
		}
	}
}
