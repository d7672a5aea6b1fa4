package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/agent/provider"
	"github.com/toolparse/toolparse/format/chat"
)

// script is a provider that plays answers in plain text, and records the requests.
type script struct {
	agent.Provider
	mu       sync.Mutex
	requests []toolparse.Request
}

func play(t testing.TB, answers ...string) *script {
	t.Helper()
	r := &provider.Recording{}
	for _, a := range answers {
		r.Answers = append(r.Answers, []byte(a))
	}
	p := provider.Replay(r, provider.Config{})
	return &script{Provider: p}
}

func (s *script) Stream(ctx context.Context, request *toolparse.Request) iter.Seq2[agent.Chunk, error] {
	s.mu.Lock()
	copied := *request
	copied.Messages = append([]chat.Message(nil), request.Messages...)
	s.requests = append(s.requests, copied)
	s.mu.Unlock()
	return s.Provider.Stream(ctx, request)
}

// call writes a call in the way of a model.
func call(name string, args ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<tool name=%q><arguments>", name)
	for i := 0; i < len(args); i += 2 {
		fmt.Fprintf(&b, `<arg name=%q>%s</arg>`, args[i], args[i+1])
	}
	return b.String() + "</arguments></tool>\n"
}

// testTool is a tool of a test. It counts its runs by the arguments.
type testTool struct {
	info agent.Info
	run  func(ctx context.Context, call agent.Call) (agent.Result, error)

	mu   sync.Mutex
	ran  []string
	most int // the most at the same time
	now  int
}

func (t *testTool) Info() agent.Info { return t.info }

func (t *testTool) Call(ctx context.Context, call agent.Call) (agent.Result, error) {
	t.mu.Lock()
	t.ran = append(t.ran, string(call.Arguments))
	t.now++
	t.most = max(t.most, t.now)
	t.mu.Unlock()
	defer func() {
		t.mu.Lock()
		t.now--
		t.mu.Unlock()
	}()
	if t.run == nil {
		return agent.Result{Output: call.Name + " did " + string(call.Arguments)}, nil
	}
	return t.run(ctx, call)
}

func (t *testTool) count() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.ran)
}

// echo is a safe tool with one parameter.
func echo(name string, change ...func(*agent.Info)) *testTool {
	t := &testTool{info: agent.Info{ToolDefinition: toolparse.ToolDefinition{
		Name: name, Description: "A tool.", Parameters: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}},"additionalProperties":false}`),
	}}}
	for _, c := range change {
		c(&t.info)
	}
	return t
}

func risk(r agent.Risk) func(*agent.Info) { return func(i *agent.Info) { i.Risk = r } }
func parallel(i *agent.Info)              { i.Parallel = true }
func terminal(i *agent.Info)              { i.Terminal = true }
func client(i *agent.Info)                { i.Kind = agent.Function }

func newAgent(t testing.TB, config agent.Config) *agent.Agent {
	t.Helper()
	a, err := agent.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// outcome is what happened in a run.
type outcome struct {
	events  []agent.Event
	end     agent.Event
	err     error
	results []*agent.ToolResult
}

// collect runs a session to its end, answering requests for permission.
func collect(t testing.TB, a *agent.Agent, s *agent.Session, in agent.Input, answers ...agent.Answer) outcome {
	t.Helper()
	return collectIn(t, t.Context(), a, s, in, answers...)
}

func collectIn(t testing.TB, ctx context.Context, a *agent.Agent, s *agent.Session, in agent.Input, answers ...agent.Answer) outcome {
	t.Helper()
	var o outcome
	for e, err := range a.Run(ctx, s, in) {
		if o.end.Type != "" {
			t.Fatalf("an event after the end: %v", e)
		}
		if err != nil && e.Type != agent.RunEnd {
			t.Fatalf("an error with %s: %v", e.Type, err)
		}
		o.events = append(o.events, e)
		switch e.Type {
		case agent.PermissionRequest:
			if len(answers) > 0 {
				if err := e.Answer(answers[0]); err != nil {
					t.Fatal(err)
				}
				answers = answers[1:]
			}
		case agent.CallResult:
			o.results = append(o.results, e.Result)
		case agent.RunEnd:
			o.end, o.err = e, err
		}
		if _, err := json.Marshal(e); err != nil {
			t.Fatal(err)
		}
	}
	if o.end.Type == "" {
		t.Fatal("the run has no end")
	}
	checkHistory(t, s)
	return o
}

// checkHistory fails unless every call in a conversation is followed by exactly one
// result.
func checkHistory(t testing.TB, s *agent.Session) {
	t.Helper()
	open := map[string]int{}
	for _, m := range s.Messages {
		if m.Role != chat.ToolRole {
			for id, n := range open {
				if n != 0 {
					t.Fatalf("the call %s has no result before the next message", id)
				}
			}
		}
		for _, p := range m.Parts {
			switch p.Kind {
			case chat.PartCall:
				open[p.Call.ID]++
			case chat.PartResult:
				if open[p.Result.CallID]--; open[p.Result.CallID] < 0 {
					t.Fatalf("a second result for %s, or one without a call", p.Result.CallID)
				}
			}
		}
	}
	for id, n := range open {
		if n != 0 {
			t.Fatalf("the call %s has no result", id)
		}
	}
}

// codes returns the outcomes of the calls, in the order in which they were reported.
func codes(o outcome) string {
	var list []string
	for _, r := range o.results {
		code := r.Name + ":ok"
		if r.Err != nil {
			code = r.Name + ":" + r.Err.Code
			if r.Err.Code == "" {
				code = r.Name + ":" + string(r.Err.Category)
			}
		}
		list = append(list, code)
	}
	return strings.Join(list, " ")
}

// told returns the results in the last request.
func told(p *script) string {
	var texts []string
	for _, m := range p.requests[len(p.requests)-1].Messages {
		if m.Role == chat.User || m.Role == chat.ToolRole {
			for _, part := range m.Parts {
				if part.Kind == chat.PartText {
					texts = append(texts, part.Text)
				}
				if part.Result != nil {
					texts = append(texts, part.Result.Parts[0].Text)
				}
			}
		}
	}
	return strings.Join(texts, "\n")
}

// broken is a provider whose answers fail.
type broken struct {
	agent.Provider
	fail func(n int) error // the error of request n before its first event; nil if it succeeds
	n    int
}

func (b *broken) Stream(ctx context.Context, request *toolparse.Request) iter.Seq2[agent.Chunk, error] {
	b.n++
	if err := b.fail(b.n); err != nil {
		return func(yield func(agent.Chunk, error) bool) { yield(agent.Chunk{}, err) }
	}
	return b.Provider.Stream(ctx, request)
}

// cut is a provider whose answers break off after some events.
type cut struct {
	agent.Provider
	after int
}

var errCut = errors.New("the connection broke")

func (c cut) Stream(ctx context.Context, request *toolparse.Request) iter.Seq2[agent.Chunk, error] {
	return func(yield func(agent.Chunk, error) bool) {
		answer := &toolparse.Answer{Message: chat.Message{Role: chat.Assistant}}
		n := 0
		for chunk, err := range c.Provider.Stream(ctx, request) {
			if err != nil || n == c.after {
				break
			}
			n++
			if e := chunk.Call; e != nil {
				answer.Message.Parts = append(answer.Message.Parts, chat.CallPart(e.ID, e.Name, string(e.Arguments)))
			}
			if !yield(chunk, nil) {
				return
			}
		}
		if yield(agent.Chunk{Answer: answer}, nil) {
			yield(agent.Chunk{}, errCut)
		}
	}
}

const soon = 50 * time.Millisecond

// reloaded returns the session as another process reads it.
func reloaded(t testing.TB, s *agent.Session) *agent.Session {
	t.Helper()
	kept, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	again := agent.NewSession()
	if err := json.Unmarshal(kept, again); err != nil {
		t.Fatal(err)
	}
	return again
}
