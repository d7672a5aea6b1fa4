package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/toolcall"
)

// byName is a policy that decides by the tool's name.
func byName(_ context.Context, c Call) Decision {
	switch c.Name {
	case "ask":
		return Decision{Reason: "a person must say so"}
	case "deny":
		return Decision{Verdict: Deny, Reason: "never"}
	}
	return Decision{Verdict: Allow}
}

// nobody is a provider that is never asked.
type nobody struct{ Provider }

func (nobody) Capabilities() (Capabilities, error) { return Capabilities{}, nil }

// noTool is a tool that is never called.
type noTool struct{ info Info }

func (t *noTool) Info() Info                                 { return t.info }
func (t *noTool) Call(context.Context, Call) (Result, error) { panic("not called here") }

// newTestExecutor returns an executor with tools whose names say what happens to their calls.
func newTestExecutor(t testing.TB, calls ...string) *executor {
	t.Helper()
	var tools []Tool
	for _, name := range []string{"run", "ask", "deny", "client", "submit", "beside"} {
		info := Info{ToolDefinition: toolcall.ToolDefinition{Name: name}, Terminal: name == "submit", Parallel: name == "beside"}
		if name == "client" {
			info.Kind = Function
		}
		tools = append(tools, &noTool{info})
	}
	a, err := New(Config{Provider: nobody{}, Tools: tools, Policy: byName})
	if err != nil {
		t.Fatal(err)
	}
	x := a.newExecutor(a.tools, Call{})
	for i, name := range calls {
		if err := x.add(invocation(i, name)); err != nil {
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

// One call passes through its stages, up to the end of the turn.
func TestExecutorStages(t *testing.T) {
	type step struct {
		do     string // step, or an input for the call c0
		action actionKind
		status string // of the call after it; "" after the end of the turn
		err    error
	}
	refused := []step{{do: "step", action: actionRefuse, status: "settled"}, {do: "step", action: actionComplete}}
	tests := map[string][]step{
		"run": {
			{do: "step", action: actionExecute, status: "running"},
			{do: "step", action: actionNone, status: "running"},
			{do: "once", status: "running", err: errNotAsked},
			{do: "finish", status: "settled"},
			{do: "finish", status: "settled", err: errNotRunning},
			{do: "step", action: actionComplete},
			{do: "step", action: actionNone},
			{do: "finish", err: errUnknownCall},
		},
		"ask": {
			{do: "once", status: "queued", err: errNotAsked},
			{do: "finish", status: "queued", err: errNotRunning},
			{do: "step", action: actionAsk, status: "asking"},
			{do: "step", action: actionNone, status: "asking"},
			{do: "finish", status: "asking", err: errNotRunning},
			{do: "once", status: "ready"},
			{do: "deny", status: "ready", err: errNotAsked},
			{do: "step", action: actionExecute, status: "running"},
			{do: "finish", status: "settled"},
			{do: "step", action: actionComplete},
		},
		"ask ": {
			{do: "step", action: actionAsk, status: "asking"},
			{do: "deny", status: "settled"},
			{do: "step", action: actionRefuse, status: "settled"},
			{do: "once", status: "settled", err: errNotAsked},
			{do: "step", action: actionComplete},
		},
		"deny":   refused,
		"broken": refused,
		"nobody": refused,
		"client": {
			{do: "step", action: actionPending, status: "waiting"},
			{do: "step", action: actionNone, status: "waiting"},
			{do: "finish", status: "settled"},
			{do: "step", action: actionComplete},
		},
	}
	for name, steps := range tests {
		t.Run(name, func(t *testing.T) {
			x := newTestExecutor(t)
			if x.step(t.Context()).kind != actionNone {
				t.Fatal("an executor without calls has something to do")
			}
			if err := x.add(invocation(0, strings.TrimSpace(name))); err != nil {
				t.Fatal(err)
			}
			for i, s := range steps {
				var got actionKind
				var err error
				switch s.do {
				case "step":
					got = x.step(t.Context()).kind
				case "finish":
					err = x.finish(ToolResult{CallID: "c0"})
				case "once":
					err = x.answer("c0", AllowOnce)
				case "deny":
					err = x.answer("c0", DenyCall)
				}
				status := ""
				if c := x.find("c0"); c != nil {
					status = c.Status.String()
				}
				if got != s.action || status != s.status || !errors.Is(err, s.err) {
					t.Fatalf("step %d, %s: action %d, status %s, %v; want %d, %s, %v", i, s.do, got, status, err, s.action, s.status, s.err)
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
	x := newTestExecutor(t, names...)
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
			switch a := x.step(t.Context()); a.kind {
			case actionExecute, actionPending:
				i := index[a.call.ID]
				if started[i]++; started[i] > 1 || settled[i] > 0 {
					fail("a call was started twice")
				}
				if names[i] == "deny" || names[i] == "broken" || names[i] == "ask" && !allowed[i] {
					fail("a call was started against the policy")
				}
				if i == 1 && settled[0] == 0 && names[0] != "client" && names[1] != "client" && (names[0] != "beside" || names[1] != "beside") {
					fail("the second call was started beside the first")
				}
			case actionRefuse:
				if i := index[a.call.ID]; started[i] > 0 || a.result.Success() {
					fail("a call that ran was refused")
				} else if settled[i]++; settled[i] > 1 {
					fail("a second result")
				}
			case actionComplete:
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
			if err := x.answer(id, AllowOnce); err == nil {
				if names[i] != "ask" || allowed[i] {
					fail("an answer that was not asked for was taken")
				}
				allowed[i] = true
			}
		case 1:
			if err := x.answer(id, DenyCall); err == nil && (names[i] != "ask" || allowed[i]) {
				fail("a denial that was not asked for was taken")
			}
		case 2:
			if err := x.finish(ToolResult{CallID: id}); err == nil {
				if started[i] == 0 {
					fail("a result of a call that was not started was taken")
				}
				if settled[i]++; settled[i] > 1 {
					fail("a second result was taken")
				}
			}
		}
	}
	if over && len(x.turn.Calls) > 0 {
		fail("calls are left after the end")
	}
}

// The executor keeps its own copy of the calls.
func TestExecutorOwns(t *testing.T) {
	x := newTestExecutor(t)
	inv := invocation(0, "run")
	inv.Arguments = json.RawMessage(`{"n":1}`)
	if err := x.add(inv); err != nil {
		t.Fatal(err)
	}
	if err := x.add(inv); !errors.Is(err, errDuplicate) {
		t.Errorf("the same id twice: %v", err)
	}
	copy(inv.Arguments, `{"n":9}`)
	if got := string(x.step(t.Context()).call.Arguments); got != `{"n":1}` {
		t.Error(got)
	}
}
