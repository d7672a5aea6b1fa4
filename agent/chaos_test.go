package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/agent"
)

// world is the environment of a session with a chaotic model. It counts what its tools
// did.
type world struct {
	t      testing.TB
	seed   uint64
	mu     sync.Mutex
	random *rand.Rand
	kit    *toolparse.Kit

	next    int            // number of the next call: every call has its own
	ran     map[string]int // by the arguments
	allowed map[string]bool
	asked   int // number of permissions requested
}

func (w *world) fail(format string, args ...any) {
	w.t.Errorf("seed %d: %s", w.seed, fmt.Sprintf(format, args...))
}

func (w *world) chance(percent int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.random.IntN(100) < percent
}

func (w *world) pick(n int) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.random.IntN(n)
}

// tools returns tools of all kinds.
func (w *world) tools() []agent.Tool {
	kinds := []struct {
		name   string
		change []func(*agent.Info)
	}{
		{"read", []func(*agent.Info){parallel}}, {"write", nil}, {"rm", []func(*agent.Info){risk(agent.High)}}, {"never", nil},
		{"browse", []func(*agent.Info){client}}, {"submit", []func(*agent.Info){terminal}},
	}
	var list []agent.Tool
	for _, kind := range kinds {
		tool := echo(kind.name, kind.change...)
		tool.info.Timeout = 20 * time.Millisecond
		tool.run = func(ctx context.Context, c agent.Call) (agent.Result, error) {
			args := string(c.Arguments)
			w.mu.Lock()
			w.ran[args]++
			if w.ran[args] > 1 {
				w.fail("%s ran twice with %s", c.Name, args)
			}
			if c.Name == "never" || c.Name == "browse" || c.Name == "rm" && !w.allowed[c.ID] {
				w.fail("%s ran against the policy", c.Name)
			}
			how := w.random.IntN(20)
			w.mu.Unlock()
			switch how {
			case 0:
				panic("chaos")
			case 1:
				return agent.Result{}, errors.New("chaos")
			case 2:
				return agent.Result{}, agent.Failure(agent.Network, "chaos")
			case 3:
				<-ctx.Done()
				return agent.Result{Output: "half"}, ctx.Err()
			case 4, 5:
				time.Sleep(time.Duration(how) * time.Microsecond * 100)
			}
			return agent.Result{Output: args}, nil
		}
		list = append(list, tool)
	}
	return list
}

func (w *world) Name() string { return "chaos" }

func (w *world) Capabilities() (agent.Capabilities, error) {
	return agent.Capabilities{Tools: true, Parallel: true, Streaming: true}, nil
}

// answer returns the model's next answer: mostly calls, some of them broken.
func (w *world) answer() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	names := []string{"read", "read", "read", "write", "write", "rm", "never", "browse", "nobody", "submit"}
	var b strings.Builder
	if w.random.IntN(2) == 0 {
		b.WriteString("I go on. ")
	}
	for range w.random.IntN(5) {
		w.next++
		switch name := names[w.random.IntN(len(names))]; w.random.IntN(12) {
		case 0:
			b.WriteString(call(name, "n", "many"))
		case 1:
			b.WriteString(`<tool name="` + name + `"><arguments><arg name="n">1`) // truncated
		default:
			b.WriteString(call(name, "n", fmt.Sprint(w.next)))
		}
	}
	return b.String()
}

func (w *world) Stream(ctx context.Context, request *toolparse.Request) iter.Seq2[agent.Chunk, error] {
	return func(yield func(agent.Chunk, error) bool) {
		checkHistory(w.t, &agent.Session{Messages: request.Messages})
		w.asked++
		switch {
		case ctx.Err() != nil:
			yield(agent.Chunk{}, ctx.Err())
			return
		case w.chance(5):
			yield(agent.Chunk{}, agent.Failure(agent.Network, "no route"))
			return
		case w.chance(1):
			yield(agent.Chunk{}, agent.Failure(agent.Permission, "no key"))
			return
		}
		stream, err := w.kit.Open(strings.NewReader(w.answer()))
		if err != nil {
			w.fail("%v", err)
			return
		}
		answer := stream.Gather()
		breaks := w.chance(5)
		for e, err := range stream.Events() {
			if err != nil {
				w.fail("%v", err)
			}
			if breaks && w.chance(20) {
				break
			}
			if !yield(agent.Chunk{StreamEvent: e}, nil) {
				return
			}
		}
		if yield(agent.Chunk{Answer: answer}, nil) && breaks {
			yield(agent.Chunk{}, errCut)
		}
	}
}

// Whatever happens (faults, delays, truncated streams, cancelled runs, killed processes),
// no call runs twice or against the policy, and every call has one result.
func TestChaos(t *testing.T) {
	runs := 10000
	if testing.Short() {
		runs = 320
	}
	t.Run("runs", func(t *testing.T) {
		const at = 16 // in parallel: they mostly wait
		for shard := range at {
			t.Run(fmt.Sprint(shard), func(t *testing.T) {
				t.Parallel()
				for seed := shard; seed < runs && !t.Failed(); seed += at {
					chaos(t, uint64(seed))
				}
			})
		}
	})
	checkGoroutines(t)
}

// chaosKit reads the answers of the models of all worlds.
var chaosKit = sync.OnceValues(func() (*toolparse.Kit, error) {
	var definitions []toolparse.ToolDefinition
	for _, tool := range (&world{}).tools() {
		definitions = append(definitions, tool.Info().ToolDefinition)
	}
	return toolparse.New(toolparse.Options{Tools: definitions, Dialect: "xml", Wire: toolparse.Text})
})

func chaos(t *testing.T, seed uint64) {
	w := &world{t: t, seed: seed, random: rand.New(rand.NewPCG(seed, 7)), ran: map[string]int{}, allowed: map[string]bool{}}
	tools := w.tools()
	var err error
	if w.kit, err = chaosKit(); err != nil {
		t.Fatal(err)
	}
	early := w.chance(30)
	config := agent.Config{
		Provider: w, Tools: tools, Early: early, AskInLoops: w.chance(50),
		Retry: agent.RetryConfig{Initial: time.Nanosecond, Max: time.Nanosecond}, ToolTimeout: 20 * time.Millisecond,
		Policy: agent.Rules{Rules: []agent.Rule{{Tool: "never", Verdict: agent.Deny}}}.Policy(),
	}
	session := agent.NewSession()
	in := agent.Say("Go.")
	queued, results := map[string]bool{}, map[string]int{}
	for range 20 { // each iteration is one process
		a, err := agent.New(config)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var end agent.Event
		killed := false
		for e := range a.Run(ctx, session, in) {
			switch e.Type {
			case agent.CallQueue:
				queued[e.Call.ID] = true
			case agent.PermissionRequest:
				switch w.pick(4) {
				case 0, 1:
					w.mu.Lock()
					w.allowed[e.Call.ID] = true
					w.mu.Unlock()
					if err := e.Answer(agent.AllowOnce); err != nil {
						w.fail("%v", err)
					}
				case 2:
					if err := e.Answer(agent.DenyCall); err != nil {
						w.fail("%v", err)
					}
				}
			case agent.CallResult:
				if results[e.Call.ID]++; results[e.Call.ID] > 1 {
					w.fail("a second result of %s", e.Call.ID)
				}
			case agent.RunEnd:
				end = e
			}
			if w.chance(2) {
				cancel()
			}
			if e.Type != agent.RunEnd && w.chance(3) { // the process is killed, and another one continues
				killed = true
				text, err := json.Marshal(session)
				if err != nil {
					w.fail("%v", err)
				}
				session = &agent.Session{}
				if err := json.Unmarshal(text, session); err != nil {
					w.fail("%v", err)
				}
				break
			}
		}
		cancel()
		in = agent.Input{}
		switch {
		case killed:
			continue
		case end.Reason == agent.RequiresAction:
			in = w.decide(session, end)
			continue
		case end.Reason == agent.Cancelled || end.Reason == agent.EndError && w.chance(50):
			in = agent.Say("Go on.")
			continue
		}
		break
	}
	if session.Turn != nil { // it was killed too often: finish it
		config.Policy = agent.Rules{Approve: "none"}.Policy()
		a, err := agent.New(config)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		for e := range a.Run(ctx, session, agent.Input{}) {
			if e.Type == agent.CallResult {
				results[e.Call.ID]++
			}
		}
	}
	checkHistory(t, session)
	for id := range queued {
		if results[id] != 1 {
			w.fail("%s has %d results", id, results[id])
		}
	}
}

// decide returns the input that a session waits for.
func (w *world) decide(s *agent.Session, end agent.Event) agent.Input {
	in := agent.Input{Answers: map[string]agent.Answer{}}
	for _, c := range s.Turn.Calls {
		switch c.Status {
		case agent.CallAsking:
			w.allowed[c.Invocation.ID] = true
			in.Answers[c.Invocation.ID] = agent.AllowOnce
		case agent.CallWaiting:
			in.Results = append(in.Results, agent.ToolResult{CallID: c.Invocation.ID, Result: agent.Result{Output: "a page"}})
		}
	}
	if len(in.Answers)+len(in.Results) != len(end.Waiting) {
		w.fail("it waits for %d, and says %d", len(in.Answers)+len(in.Results), len(end.Waiting))
	}
	return in
}

// checkGoroutines fails if a goroutine is left when all runs have ended.
func checkGoroutines(t *testing.T) {
	t.Helper()
	var all string
	for range 100 {
		buf := make([]byte, 1<<20)
		all = string(buf[:runtime.Stack(buf, true)])
		if !strings.Contains(all, "toolparse/agent.(*") {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("goroutines are left:\n%s", all)
}

// A run that is killed at any event continues from its session, does not repeat a call
// that has a result, and ends in the same way.
func TestKill(t *testing.T) {
	for _, early := range []bool{false, true} {
		for at := 0; ; at++ {
			if !killAt(t, at, early) {
				if at < 20 {
					t.Errorf("only %d events", at)
				}
				break
			}
		}
	}
}

// killAt kills a run at one of its events. It returns false if the run has fewer events.
func killAt(t *testing.T, at int, early bool) (killed bool) {
	look, write := echo("look", parallel), echo("write", risk(agent.High))
	answers := []string{
		"I look. " + call("look", "n", "1") + call("look", "n", "2") + call("write", "n", "3"), call("look", "n", "4"), "Done.",
	}
	session := agent.NewSession()
	var end agent.Event
	results := map[string]int{}
	ran := func(e agent.Event) {
		if e.Type == agent.CallResult && e.Result.Err == nil {
			results[string(e.Call.Arguments)]++
		}
		if e.Type == agent.PermissionRequest {
			if err := e.Answer(agent.AllowOnce); err != nil {
				t.Error(err)
			}
		}
		end = e
	}
	process := func(s *agent.Session, in agent.Input, stop int) {
		left := answers[min(s.Answered, len(answers)):]
		a := newAgent(t, agent.Config{Provider: play(t, left...), Tools: []agent.Tool{look, write}, Early: early})
		n := 0
		for e := range a.Run(t.Context(), s, in) {
			ran(e)
			if n == stop {
				killed = true
				return
			}
			n++
		}
	}
	process(session, agent.Say("Go."), at)
	if !killed {
		return false
	}
	again := reloaded(t, session)
	if end.Type != agent.RunEnd {
		process(again, agent.Input{}, -1)
		if end.Reason == agent.EndError && again.Turn == nil { // killing it has cut the answer: ask again
			process(again, agent.Say("Go on."), -1)
		}
		checkHistory(t, again)
	}
	if end.Text != "Done." {
		t.Errorf("killed at %d, it ended with %s: %v", at, end.Reason, end.Err)
	}
	for args, n := range results {
		if n > 1 {
			t.Errorf("killed at %d, %s has %d results", at, args, n)
		}
	}
	for _, tool := range []*testTool{look, write} {
		counts := map[string]int{}
		for _, args := range tool.ran {
			if counts[args]++; counts[args] > 1 {
				t.Errorf("killed at %d, %s ran twice with %s", at, tool.info.Name, args)
			}
		}
	}
	return true
}
