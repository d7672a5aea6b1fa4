package agent_test

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"iter"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/agent"
)

// holds lists the guarantees that the best loops give, each with the tests for it: tests
// of this package or of provider, with the name of a subtest after a slash.
var holds = []struct{ what, tests string }{
	{"a turn is judged at its end, never by its first chunk", "TestLoop/text before and after the call is no end, TestConversation"},
	{"every call has one result", "TestLoop/panic, TestLoop/unknown tool, TestLoop/denied by a rule, TestLoop/too many calls, TestLoop/terminal tool, " +
		"TestCancel, TestBrokenOff, TestKill, TestChaos, TestConversation"},
	{"a call that was cut never runs, and the model is told to write less", "TestLoop/cut call, TestLoop/cut at the output limit, whatever the server says, " +
		"TestLoop/a whole call of an answer at its limit is not believed, TestLoop/nor where the server says so: of two calls the last may be half a one, TestConversation"},
	{"bad arguments get one error that says what to do, a bounded number of times", "TestLoop/bad arguments, TestLoop/invalid again and again, TestLoop/broken again and again"},
	{"calls are parallel only where tools say so, and results are in the order of the calls", "TestParallel, TestLoop/results in the order of the calls"},
	{"a call may start while the answer is written", "TestEarly, TestChaos"},
	{"a request is sent again before its first event only", "TestRetry, TestRetryWaits, TestBrokenOff, TestFallback"},
	{"Retry-After and silence are heeded", "TestFaults/429 with a wait, TestFaults/429 with a long wait, TestFaults/silence in the middle, TestFaults/silence before the head"},
	{"what denies comes before what asks, and that before what allows", "TestRulesOrder, TestCommandRules, TestPathRules"},
	{"a tool that is not offered never runs, and is not in the prompt", "TestLoop/not allowed, TestUsageAndPrepare, TestAllowedToolsChange"},
	{"a run stops for a person or a client, and goes on elsewhere", "TestRequiresAction, TestLoop/mixed turn: ours run, the client's wait, TestLoop/nobody answers"},
	{"a doom loop is noticed: calls, texts, a tool's own identity, whatever comes back", "TestLoop/circles of one, TestLoop/circles of two, " +
		"TestLoop/circles that the user allows, TestLoop/circles that wait for the user, TestLoop/circles, whatever comes back, TestLoop/the same text, TestLoop/the tool says what is the same"},
	{"a shorter history keeps calls with their results, and the task", "TestHistory"},
	{"a history is not written anew: each request goes on with the one before", "TestConversation"},
}

// Every test in the table exists.
func TestHolds(t *testing.T) {
	there := map[string]bool{}
	for _, pattern := range []string{"*_test.go", "provider/*_test.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, err)
		}
		for _, file := range files {
			tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range tree.Decls {
				f, ok := d.(*ast.FuncDecl)
				if !ok || !strings.HasPrefix(f.Name.Name, "Test") {
					continue
				}
				there[f.Name.Name] = true
				ast.Inspect(f, func(n ast.Node) bool {
					if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
						if row, err := strconv.Unquote(text.Value); err == nil {
							there[f.Name.Name+"/"+row] = true
						}
					}
					return true
				})
			}
		}
	}
	for _, row := range holds {
		for name := range strings.SplitSeq(row.tests, ", Test") {
			if name = "Test" + strings.TrimPrefix(name, "Test"); !there[name] {
				t.Errorf("%s: there is no %s", row.what, name)
			}
		}
	}
}

// TestEnds covers the reasons to end a run that TestLoop, TestCancel, TestRequiresAction
// and TestBrokenOff do not: each comes with an error if there is one, and leaves a
// session that can continue.
func TestEnds(t *testing.T) {
	errOwn := errors.New("of the hook")
	spent := sse(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"look","arguments":"{}"}}]}`, `"tool_calls"`) +
		`data: {"choices":[],"usage":{"prompt_tokens":90,"completion_tokens":10,"total_tokens":100}}` + "\n\ndata: [DONE]\n\n"
	tests := []struct {
		name    string
		config  agent.Config
		answers []string
		in      agent.Input
		reason  agent.EndReason
		err     error
	}{
		{"nothing to do", agent.Config{}, nil, agent.Input{}, agent.EndError, errAny},
		{"time of the run", agent.Config{RunTimeout: soon}, []string{call("slow")}, agent.Say("Go."), agent.Cancelled, context.DeadlineExceeded},
		{"time of an answer", agent.Config{TurnTimeout: soon, Provider: silent{}}, nil, agent.Say("Go."), agent.EndError, context.DeadlineExceeded},
		{"tokens", agent.Config{Stop: []func(*agent.Session) agent.EndReason{func(s *agent.Session) agent.EndReason {
			if s.Usage.Total >= 100 {
				return agent.Limit
			}
			return ""
		}}}, []string{spent}, agent.Say("Go."), agent.Limit, nil},
		{"a hook", agent.Config{Prepare: func(context.Context, *agent.Session, *agent.Config) error { return errOwn }}, nil, agent.Say("Go."), agent.EndError, errOwn},
		{"tools that do not fit together", agent.Config{Prepare: func(_ context.Context, _ *agent.Session, o *agent.Config) error {
			o.Allowed = []string{"nobody"}
			return nil
		}}, nil, agent.Say("Go."), agent.EndError, errAny},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			slow := echo("slow")
			slow.run = func(ctx context.Context, _ agent.Call) (agent.Result, error) {
				<-ctx.Done()
				return agent.Result{}, ctx.Err()
			}
			test.config.Tools, test.config.Retry = []agent.Tool{echo("look"), slow}, agent.RetryConfig{MaxRetries: -1}
			if test.config.Provider == nil {
				test.config.Provider = play(t, test.answers...)
			}
			s := agent.NewSession()
			o := collect(t, newAgent(t, test.config), s, test.in)
			if o.end.Reason != test.reason || !errors.Is(o.err, test.err) && (test.err != errAny || o.err == nil) {
				t.Errorf("it ended with %s: %v", o.end.Reason, o.err)
			}
			o = collect(t, newAgent(t, agent.Config{Provider: play(t, "Done."), Tools: test.config.Tools}), s, agent.Say("Go on."))
			if o.end.Reason != agent.FinalAnswer || o.end.Text != "Done." {
				t.Errorf("it went on to %s: %v", o.end.Reason, o.err)
			}
		})
	}
}

// silent is a provider that never answers.
type silent struct{ agent.Provider }

func (silent) Name() string                              { return "silent" }
func (silent) Capabilities() (agent.Capabilities, error) { return agent.Capabilities{}, nil }
func (silent) Stream(ctx context.Context, _ *toolparse.Request) iter.Seq2[agent.Chunk, error] {
	return func(yield func(agent.Chunk, error) bool) {
		select {
		case <-ctx.Done():
		case <-time.After(10 * time.Second):
		}
		yield(agent.Chunk{}, ctx.Err())
	}
}
