package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/agent/provider"
	"github.com/toolparse/toolparse/format/chat"
)

// TestLoop covers every branch of the loop: the model's answers, the outcomes of its
// calls, the reason for the end, and what the model is told.
func TestLoop(t *testing.T) {
	deny := agent.Rules{Rules: []agent.Rule{{Tool: "rm", Verdict: agent.Deny, Reason: "nothing is removed here"}}}
	endAt := agent.Rules{Rules: []agent.Rule{{Tool: "rm", Verdict: agent.Deny}}}
	tests := []struct {
		name    string
		config  agent.Config
		answers []string
		say     []agent.Answer
		codes   string
		reason  agent.EndReason
		text    string
		told    []string // must be in the last request
		err     string
	}{
		{name: "answer", answers: []string{"Hello."}, reason: agent.FinalAnswer, text: "Hello."},
		{name: "empty answer", answers: []string{""}, reason: agent.FinalAnswer},
		{
			name: "call, then answer", answers: []string{"Let me see. " + call("look", "n", "1"), "It is 1."},
			codes: "look:ok", reason: agent.FinalAnswer, text: "It is 1.", told: []string{`look did {"n":1}`},
		},
		{
			name: "text before and after the call is no end", answers: []string{"First I " + call("look") + " and then I will see.", "Done."},
			codes: "look:ok", reason: agent.FinalAnswer, text: "Done.",
		},
		{
			name: "results in the order of the calls", answers: []string{call("look", "n", "1") + call("fail") + call("look", "n", "3"), "Done."},
			codes: "look:ok fail:ExecutionError look:ok", reason: agent.FinalAnswer, text: "Done.",
			told: []string{`look did {"n":1}`, "it broke", "try another way", `look did {"n":3}`},
		},
		{
			name: "unknown tool", answers: []string{call("lok", "n", "1"), "Sorry."}, codes: "lok:UNKNOWN_TOOL",
			reason: agent.FinalAnswer, text: "Sorry.", told: []string{`Did you mean "look"?`, `The tools are "look"`},
		},
		{
			name: "not allowed", config: agent.Config{Allowed: []string{"look", "fail"}}, answers: []string{call("submit", "n", "1"), "Sorry."},
			codes: "submit:UNKNOWN_TOOL", reason: agent.FinalAnswer, text: "Sorry.", told: []string{`The tools are "look", "fail"`},
		},
		{
			name: "bad arguments", answers: []string{call("look", "n", "many"), call("look", "n", "2"), "Two."},
			codes: "look:INVALID look:ok", reason: agent.FinalAnswer, text: "Two.", told: []string{"/n", "send the whole call again"},
		},
		{
			name: "cut call", answers: []string{"Hm. " + `<tool name="look"><arguments><arg name="n">1`, call("look", "n", "2"), "Two."},
			codes: "look:CUT look:ok", reason: agent.FinalAnswer, text: "Two.", told: []string{"cut off before it ended"},
		},
		{
			name: "cut at the output limit, whatever the server says",
			answers: []string{
				sse(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"look","arguments":"{\"n\":1"}}]}`, `"tool_calls"`),
				"I will write less.",
			},
			codes: "look:CUT", reason: agent.FinalAnswer, text: "I will write less.", told: []string{"cut off"},
		},
		{
			name:   "a whole call of an answer at its limit is not believed",
			config: agent.Config{Request: toolparse.Request{MaxTokens: 5}},
			answers: []string{
				sse(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"look","arguments":"{\"n\":1}"}}]}`, `"tool_calls"`) +
					`data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":5,"total_tokens":14}}` + "\n\ndata: [DONE]\n\n",
				"I will write less.",
			},
			codes: "look:CUT", reason: agent.FinalAnswer, text: "I will write less.", told: []string{"split long content over several calls"},
		},
		{
			name: "nor where the server says so: of two calls the last may be half a one",
			answers: []string{
				sse(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"look","arguments":"{\"n\":1}"}},{"index":1,"id":"b","function":{"name":"look","arguments":"{\"n\":2}"}}]}`, `"length"`),
				"I will write less.",
			},
			codes: "look:CUT look:ok", reason: agent.FinalAnswer, text: "I will write less.", told: []string{"look did {\"n\":1}", "split long content over several calls"},
		},
		{
			name: "a call with text behind it is whole, also in an answer at its limit",
			answers: []string{
				`data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"look","arguments":"{\"n\":1}"}}]}}]}` + "\n\n" +
					sse(`{"content":"And"}`, `"length"`), "Done.",
			},
			codes: "look:ok", reason: agent.FinalAnswer, text: "Done.",
		},
		{
			name: "terminal tool", answers: []string{call("submit", "n", "7") + call("look")},
			codes: "submit:ok look:NOT_RUN", reason: agent.TerminalTool, text: `submit did {"n":7}`,
		},
		{
			name: "terminal tool that fails", answers: []string{call("submit", "n", "x"), call("submit", "n", "8")},
			codes: "submit:INVALID submit:ok", reason: agent.TerminalTool, text: `submit did {"n":8}`,
		},
		{
			name: "too many calls", config: agent.Config{MaxCalls: 2}, answers: []string{call("look", "n", "1") + call("look", "n", "2") + call("look", "n", "3"), "Done."},
			codes: "look:LIMIT look:ok look:ok", reason: agent.FinalAnswer, text: "Done.", told: []string{"at most 2 calls"},
		},
		{
			name: "too many turns", config: agent.Config{MaxTurns: 2}, answers: []string{call("look", "n", "1"), call("look", "n", "2")},
			codes: "look:ok look:ok", reason: agent.Limit,
		},
		{
			name: "stop condition", config: agent.Config{Stop: []func(*agent.Session) agent.EndReason{func(s *agent.Session) agent.EndReason { return agent.Limit }}}, answers: []string{call("look", "n", "1")},
			codes: "look:ok", reason: agent.Limit,
		},
		{
			name: "denied by a rule", config: agent.Config{Policy: deny.Policy()}, answers: []string{call("rm", "n", "1") + call("look", "n", "2"), "I may not."},
			codes: "rm:DENIED look:ok", reason: agent.FinalAnswer, text: "I may not.", told: []string{"nothing is removed here", "Find another way"},
		},
		{
			name: "denied again and again", config: agent.Config{Policy: deny.Policy()},
			answers: []string{call("rm", "n", "1"), call("rm", "n", "2"), call("rm", "n", "3")},
			codes:   "rm:DENIED rm:DENIED rm:DENIED", reason: agent.Denied,
		},
		{
			name: "denied by the user", answers: []string{call("rm", "n", "1"), "I may not."}, say: []agent.Answer{agent.DenyCall},
			codes: "rm:DENIED", reason: agent.FinalAnswer, text: "I may not.", told: []string{"the user said no"},
		},
		{
			name: "allowed once", answers: []string{call("rm", "n", "1"), call("rm", "n", "1"), "Done."}, say: []agent.Answer{agent.AllowOnce, agent.DenyCall},
			codes: "rm:ok rm:DENIED", reason: agent.FinalAnswer, text: "Done.",
		},
		{
			name: "allowed for the session", answers: []string{call("rm", "n", "1"), call("rm", "n", "1") + call("look"), "Done."}, say: []agent.Answer{agent.AllowSession},
			codes: "rm:ok rm:ok look:ok", reason: agent.FinalAnswer, text: "Done.",
		},
		{
			name: "one answer covers equal calls", answers: []string{call("rm", "n", "1") + call("rm", "n", "1"), "Done."}, say: []agent.Answer{agent.AllowSession},
			codes: "rm:ok rm:ok", reason: agent.FinalAnswer, text: "Done.",
		},
		{
			name: "denied and ended", config: agent.Config{Policy: endAt.Policy()}, answers: []string{call("rm", "n", "1") + call("look")},
			codes: "rm:DENIED look:ok", reason: agent.FinalAnswer, text: "", say: nil,
		},
		{
			name: "the user ends it", answers: []string{call("rm", "n", "1") + call("submit")}, say: []agent.Answer{agent.DenyAndEnd},
			codes: "rm:DENIED submit:NOT_RUN", reason: agent.Denied,
		},
		{
			name: "nobody answers", answers: []string{call("rm", "n", "1")}, reason: agent.RequiresAction,
		},
		{
			name: "mixed turn: ours run, the client's wait", answers: []string{call("browse", "n", "1") + call("look", "n", "2")},
			codes: "look:ok", reason: agent.RequiresAction,
		},
		{
			name: "panic", answers: []string{call("panic"), "Oh."}, codes: "panic:PANIC", reason: agent.FinalAnswer, text: "Oh.",
			told: []string{`"panic" crashed: at the disco`},
		},
		{
			name: "timeout", answers: []string{call("sleep"), "Oh."}, codes: "sleep:TIMEOUT", reason: agent.FinalAnswer, text: "Oh.",
			told: []string{"timed out after 50ms", "smaller steps", "half of it"},
		},
		{
			name: "a tool that does not stop", answers: []string{call("hang"), "Oh."}, codes: "hang:TIMEOUT", reason: agent.FinalAnswer, text: "Oh.",
		},
		{
			name: "too much output", config: agent.Config{MaxOutput: 100}, answers: []string{call("flood"), "Oh."}, codes: "flood:ok",
			reason: agent.FinalAnswer, text: "Oh.", told: []string{"of 10000 bytes left out"},
		},
		{
			name: "fatal", answers: []string{call("fatal") + call("look"), "unheard"}, codes: "fatal:FatalError look:ok", reason: agent.EndError, err: "the disk is gone",
		},
		{
			name: "circles of one", answers: []string{call("look", "n", "1"), call("look", "n", "1"), call("look", "n", "1"), call("look", "n", "1")},
			codes: "look:ok look:ok look:LOOP look:LOOP", reason: agent.EndError, err: "goes in circles",
		},
		{
			name: "circles that the user allows", config: agent.Config{AskInLoops: true}, say: []agent.Answer{agent.AllowOnce},
			answers: []string{call("look"), call("look"), call("look"), call("look"), call("look"), "Done."},
			codes:   "look:ok look:ok look:LOOP look:ok look:ok", reason: agent.FinalAnswer, text: "Done.",
		},
		{
			name: "circles that the user ends", config: agent.Config{AskInLoops: true}, say: []agent.Answer{agent.DenyCall},
			answers: []string{call("look"), call("look"), call("look"), call("look"), "I stop."},
			codes:   "look:ok look:ok look:LOOP look:DENIED", reason: agent.FinalAnswer, text: "I stop.", told: []string{"the user said no, since the model goes in circles"},
		},
		{
			name: "circles that wait for the user", config: agent.Config{AskInLoops: true},
			answers: []string{call("look"), call("look"), call("look"), call("look")}, codes: "look:ok look:ok look:LOOP", reason: agent.RequiresAction,
		},
		{
			name: "circles, whatever comes back", answers: []string{call("clock"), call("clock"), call("clock"), "It is late."},
			codes: "clock:ok clock:ok clock:LOOP", reason: agent.FinalAnswer, text: "It is late.", told: []string{"you make the same calls again and again"},
		},
		{
			name: "broken again and again", answers: []string{cutCall + "1", cutCall + "2", cutCall + "3", cutCall + "4"},
			codes: "look:CUT look:CUT look:LOOP look:LOOP", reason: agent.EndError, err: "goes in circles",
		},
		{
			name: "circles of two", answers: []string{call("look", "n", "1"), call("look", "n", "2"), call("look", "n", "1"), call("look", "n", "2"), call("look", "n", "1"), call("look", "n", "2"), "I see."},
			codes: "look:ok look:ok look:ok look:ok look:ok look:LOOP", reason: agent.FinalAnswer, text: "I see.", told: []string{"Do something else"},
		},
		{
			name: "the tool says what is the same", answers: []string{call("poll", "n", "1"), call("poll", "n", "1"), call("poll", "n", "1"), "Done."},
			codes: "poll:ok poll:ok poll:ok", reason: agent.FinalAnswer, text: "Done.",
		},
		{
			name: "the same text", answers: []string{long + call("look", "n", "1"), long + call("look", "n", "2"), long + call("look", "n", "3"), "Ah."},
			codes: "look:ok look:ok look:LOOP", reason: agent.FinalAnswer, text: "Ah.", told: []string{"the same text"},
		},
		{
			name: "invalid again and again", answers: []string{call("look", "n", "a"), call("look", "n", "b"), call("look", "n", "c"), call("look", "n", "d")},
			codes: "look:INVALID look:INVALID look:INVALID look:INVALID", reason: agent.EndError, err: "none of its calls can run",
		},
		{
			name: "no call is wanted", config: agent.Config{Request: toolparse.Request{ToolChoice: chat.ToolChoice{Mode: chat.ChoiceNone}}}, answers: []string{call("look"), "In words."},
			codes: "look:UNKNOWN_TOOL", reason: agent.FinalAnswer, text: "In words.", told: []string{"Answer in text."},
		},
		{
			name: "a call is required", config: agent.Config{Request: toolparse.Request{ToolChoice: chat.ToolChoice{Mode: chat.ChoiceRequired}}}, answers: []string{"No.", call("look"), "Done."},
			codes: "look:ok", reason: agent.FinalAnswer, text: "Done.", told: []string{"A call of a tool is required"},
		},
		{
			name: "a call is required and never comes", config: agent.Config{Request: toolparse.Request{ToolChoice: chat.ToolChoice{Mode: chat.ChoiceRequired}}}, answers: []string{"a", "b", "c", "d"},
			reason: agent.EndError, err: "does not make the required call", text: "d",
		},
		{
			name: "another tool than the forced one", config: agent.Config{Request: toolparse.Request{ToolChoice: chat.ToolChoice{Mode: chat.ChoiceOne, Tools: []string{"look"}}}},
			answers: []string{call("fail") + call("look"), "Done."}, codes: "fail:UNKNOWN_TOOL look:ok", reason: agent.FinalAnswer, text: "Done.",
		},
		{
			name: "the answer is cut", answers: []string{sse(`{"content":"once upon"}`, `"length"`)}, reason: agent.EndError, err: "token limit", text: "once upon",
		},
		{
			name: "the filter", answers: []string{sse(`{"content":"once upon"}`, `"content_filter"`)}, reason: agent.EndError, err: "filter", text: "once upon",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if test.name == "denied and ended" { // such as a custom policy returns
				test.config.Policy = func(_ context.Context, c agent.Call) agent.Decision {
					return agent.Decision{Verdict: agent.Deny, Ends: true}
				}
				test.codes, test.reason = "rm:DENIED look:NOT_RUN", agent.Denied
			}
			p := play(t, test.answers...)
			test.config.Provider, test.config.Tools = p, tools()
			a := newAgent(t, test.config)
			a.SetGrace(soon)
			o := collect(t, a, agent.NewSession(), agent.Say("Go."), test.say...)
			if got := codes(o); got != test.codes {
				t.Errorf("results are %q, want %q", got, test.codes)
			}
			if o.end.Reason != test.reason {
				t.Errorf("it ended with %q (%v), want %q", o.end.Reason, o.err, test.reason)
			}
			if test.text != "" && o.end.Text != test.text {
				t.Errorf("the answer is %q, want %q", o.end.Text, test.text)
			}
			if test.err != "" && (o.err == nil || !strings.Contains(o.err.Error(), test.err)) {
				t.Errorf("the error is %v, want %q", o.err, test.err)
			}
			if test.err == "" && o.err != nil {
				t.Errorf("the error is %v", o.err)
			}
			for _, want := range test.told {
				if got := told(p); !strings.Contains(got, want) {
					t.Errorf("the model does not read %q in\n%s", want, got)
				}
			}
		})
	}
}

const cutCall = `<tool name="look"><arguments><arg name="n">`

const long = "Now I am going to look at the thing once more, since I am not sure whether I have seen everything of it. "

// sse is an OpenAI stream with one delta.
func sse(delta, finish string) string {
	return `data: {"choices":[{"index":0,"delta":` + delta + `,"finish_reason":null}]}` + "\n\n" +
		`data: {"choices":[{"index":0,"delta":{},"finish_reason":` + finish + `}]}` + "\n\n"
}

func tools() []agent.Tool {
	fail, panics, sleep, hang, flood, fatal := echo("fail"), echo("panic"), echo("sleep"), echo("hang"), echo("flood"), echo("fatal")
	fail.run = func(context.Context, agent.Call) (agent.Result, error) { return agent.Result{}, errors.New("it broke") }
	panics.run = func(context.Context, agent.Call) (agent.Result, error) { panic("at the disco") }
	sleep.info.Timeout, hang.info.Timeout = soon, soon
	sleep.run = func(ctx context.Context, _ agent.Call) (agent.Result, error) {
		<-ctx.Done()
		return agent.Result{Output: "half of it"}, ctx.Err()
	}
	hang.run = func(ctx context.Context, _ agent.Call) (agent.Result, error) {
		time.Sleep(4 * soon)
		return agent.Result{}, nil
	}
	flood.run = func(context.Context, agent.Call) (agent.Result, error) {
		return agent.Result{Output: strings.Repeat("x", 10000)}, nil
	}
	fatal.run = func(context.Context, agent.Call) (agent.Result, error) {
		return agent.Result{}, &agent.Error{Category: agent.Fatal, Message: "the disk is gone"}
	}
	clock := echo("clock")
	clock.run = func(context.Context, agent.Call) (agent.Result, error) {
		return agent.Result{Output: fmt.Sprint(clock.count(), " o'clock")}, nil
	}
	poll := echo("poll", func(i *agent.Info) { i.Identity = func(json.RawMessage) string { return "" } })
	return []agent.Tool{
		echo("look"), fail, panics, sleep, hang, flood, fatal, clock, poll,
		echo("rm", risk(agent.High)), echo("submit", terminal), echo("browse", client),
	}
}

// Parallel tools run at the same time, up to the limit; others run alone. The results are
// in the order of the calls, whichever ends first.
func TestParallel(t *testing.T) {
	slow, alone := echo("slow", parallel), echo("alone")
	var here sync.WaitGroup // waits for three at once
	here.Add(3)
	slow.run = func(_ context.Context, c agent.Call) (agent.Result, error) {
		if string(c.Arguments) != `{"n":4}` {
			here.Done()
			here.Wait()
		}
		return agent.Result{Output: string(c.Arguments)}, nil
	}
	alone.run = func(context.Context, agent.Call) (agent.Result, error) {
		slow.mu.Lock()
		defer slow.mu.Unlock()
		return agent.Result{Output: fmt.Sprint(slow.now, " at the same time")}, nil
	}
	p := play(t, call("slow", "n", "1")+call("slow", "n", "2")+call("slow", "n", "3")+call("alone")+call("slow", "n", "4"), "Done.")
	a := newAgent(t, agent.Config{Provider: p, Tools: []agent.Tool{slow, alone}, MaxParallel: 3})
	o := collect(t, a, agent.NewSession(), agent.Say("Go."))
	if slow.most != 3 {
		t.Errorf("%d ran at the same time", slow.most)
	}
	want := "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n0 at the same time\n{\"n\":4}"
	if got := told(p); !strings.HasSuffix(got, want) {
		t.Errorf("the results are\n%s\nwant\n%s", got, want)
	}
	if o.end.Reason != agent.FinalAnswer {
		t.Error(o.end.Reason, o.err)
	}
}

// With Early, a safe call starts while the model is still writing. A call that needs
// permission, a terminal tool and a riskier tool wait for the end of the answer.
func TestEarly(t *testing.T) {
	for _, early := range []bool{false, true} {
		look, write, submit := echo("look"), echo("write", risk(agent.Medium)), echo("submit", terminal)
		p := play(t, call("look")+call("write")+call("submit"))
		a := newAgent(t, agent.Config{
			Provider: p, Tools: []agent.Tool{look, write, submit}, Early: early, Policy: agent.Rules{Approve: "all"}.Policy(),
		})
		started, written := map[string]bool{}, false
		for e := range a.Run(t.Context(), agent.NewSession(), agent.Say("Go.")) {
			switch e.Type {
			case agent.CallStart:
				started[e.Call.Name] = !written
			case agent.TurnEnd:
				written = true
			}
		}
		want := map[string]bool{"look": early, "write": false, "submit": false}
		for name, was := range want {
			if started[name] != was {
				t.Errorf("early %v: %s started before the end: %v", early, name, started[name])
			}
		}
	}
}

// A request is repeated while no part of the answer has come, except after errors that
// would recur.
func TestRetry(t *testing.T) {
	network, refused := agent.Failure(agent.Network, "no route"), agent.Failure(agent.Permission, "wrong key")
	fast := agent.RetryConfig{Initial: time.Nanosecond, Max: time.Nanosecond}
	tests := []struct {
		name   string
		fail   []error
		asked  int
		reason agent.EndReason
		err    error
	}{
		{"twice", []error{network, network}, 3, agent.FinalAnswer, nil},
		{"too often", []error{network, network, network, network, network}, 4, agent.EndError, network},
		{"hopeless", []error{refused}, 1, agent.EndError, refused},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := &broken{Provider: play(t, "Hello."), fail: func(n int) error {
				if n <= len(test.fail) {
					return test.fail[n-1]
				}
				return nil
			}}
			o := collect(t, newAgent(t, agent.Config{Provider: p, Retry: fast}), agent.NewSession(), agent.Say("Go."))
			if o.end.Step.Retries != test.asked-1 {
				t.Errorf("%d retries are counted", o.end.Step.Retries)
			}
			if p.n != test.asked || o.end.Reason != test.reason || !errors.Is(o.err, test.err) {
				t.Errorf("asked %d times, ended with %s: %v", p.n, o.end.Reason, o.err)
			}
		})
	}
}

// A fallback takes over only before the first event.
func TestFallback(t *testing.T) {
	first := &broken{Provider: play(t), fail: func(int) error { return agent.Failure(agent.Network, "down") }}
	p := agent.Fallback(first, play(t, "From the second."))
	o := collect(t, newAgent(t, agent.Config{Provider: p, Retry: agent.RetryConfig{MaxRetries: -1}}), agent.NewSession(), agent.Say("Go."))
	if o.end.Text != "From the second." {
		t.Error(o.end.Text, o.err)
	}
}

// An answer that breaks off is not requested again: what came stays, its calls do not
// run, and the session can continue.
func TestBrokenOff(t *testing.T) {
	look := echo("look")
	tools := []agent.Tool{look}
	s := agent.NewSession()
	p := &script{Provider: cut{play(t, call("look", "n", "1")+"and so on, for a long time", "unheard"), 3}}
	o := collect(t, newAgent(t, agent.Config{Provider: p, Tools: tools}), s, agent.Say("Go."))
	if o.end.Reason != agent.EndError || !errors.Is(o.err, errCut) || look.count() != 0 || len(p.requests) != 1 || codes(o) != "look:NOT_RUN" {
		t.Errorf("ended with %s: %v, ran %d, asked %d times, %s", o.end.Reason, o.err, look.count(), len(p.requests), codes(o))
	}
	if e, ok := errors.AsType[*agent.Error](o.err); !ok || e.Code != "BROKEN_OFF" {
		t.Errorf("the error is %T", o.err)
	}
	o = collect(t, newAgent(t, agent.Config{Provider: play(t, "Done."), Tools: tools}), s, agent.Input{})
	if o.end.Text != "Done." {
		t.Error(o.end.Reason, o.err)
	}
}

// Cancelling stops the provider, the question and the tool, and every call has its
// result.
func TestCancel(t *testing.T) {
	for _, where := range []agent.EventType{agent.TurnStart, agent.Segment, agent.CallQueue, agent.PermissionRequest, agent.CallStart, agent.CallResult} {
		t.Run(string(where), func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			sleep := echo("sleep")
			sleep.run = func(ctx context.Context, _ agent.Call) (agent.Result, error) {
				select {
				case <-ctx.Done():
				case <-time.After(soon):
				}
				return agent.Result{Output: "so far"}, ctx.Err()
			}
			s := agent.NewSession()
			a := newAgent(t, agent.Config{Provider: play(t, call("sleep")+call("sleep", "n", "2")+call("rm"), "unheard"), Tools: []agent.Tool{sleep, echo("rm", risk(agent.High))}})
			var end agent.Event
			results := 0
			for e := range a.Run(ctx, s, agent.Say("Go.")) {
				if e.Type == where {
					cancel()
				}
				if e.Type == agent.CallResult {
					results++
				}
				end = e
			}
			if end.Reason != agent.Cancelled || !errors.Is(end.Err, context.Canceled) {
				t.Errorf("ended with %s: %v", end.Reason, end.Err)
			}
			if where != agent.TurnStart && where != agent.Segment && results != 3 {
				t.Errorf("%d results", results)
			}
			checkHistory(t, s)
		})
	}
}

// A call that waits for a person or a client continues in another process.
func TestRequiresAction(t *testing.T) {
	first := play(t, call("rm", "n", "1")+call("browse", "n", "2")+call("look", "n", "3"))
	s := agent.NewSession()
	o := collect(t, newAgent(t, agent.Config{Provider: first, Tools: tools()}), s, agent.Say("Go."))
	if o.end.Reason != agent.RequiresAction || len(o.end.Waiting) != 2 {
		t.Fatalf("ended with %s, waiting for %v", o.end.Reason, o.end.Waiting)
	}
	rm, browse := o.end.Waiting[0].ID, o.end.Waiting[1].ID
	kept, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	done := agent.ToolResult{CallID: browse, Result: agent.Result{Output: "a page"}}
	tests := []struct {
		name  string
		in    agent.Input
		err   error
		codes string
	}{
		{name: "both", in: agent.Input{Answers: map[string]agent.Answer{rm: agent.AllowOnce}, Results: []agent.ToolResult{done}}, codes: "browse:ok rm:ok look:ok"},
		{name: "denied", in: agent.Input{Answers: map[string]agent.Answer{rm: agent.DenyCall}, Results: []agent.ToolResult{done}}, codes: "browse:ok rm:DENIED look:ok"},
		{name: "the user goes on", in: agent.Say("Never mind."), codes: "browse:NOT_RUN rm:NOT_RUN look:NOT_RUN"},
		{name: "unknown id", in: agent.Input{Results: []agent.ToolResult{done, {CallID: "x"}}}, err: agent.ErrNotWaiting},
		{name: "twice", in: agent.Input{Results: []agent.ToolResult{done, done}}, err: errAny},
		{name: "no such permission", in: agent.Input{Answers: map[string]agent.Answer{browse: agent.AllowOnce}}, err: agent.ErrNotAsked},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var s agent.Session
			if err := json.Unmarshal(kept, &s); err != nil {
				t.Fatal(err)
			}
			var o outcome
			for e, err := range newAgent(t, agent.Config{Provider: play(t, "Done."), Tools: tools()}).Run(t.Context(), &s, test.in) {
				if e.Type == agent.CallResult {
					o.results = append(o.results, e.Result)
				}
				o.end, o.err = e, err
			}
			switch {
			case test.err == errAny && o.err != nil:
			case test.err != nil:
				if !errors.Is(o.err, test.err) {
					t.Errorf("the error is %v, want %v", o.err, test.err)
				}
				if again, _ := json.Marshal(&s); string(again) != string(kept) {
					t.Error("a wrong input changed the session")
				}
			default:
				checkHistory(t, &s)
				if codes(o) != test.codes || o.end.Text != "Done." {
					t.Errorf("%s, ended with %s: %v", codes(o), o.end.Reason, o.err)
				}
			}
		})
	}
}

// A process with other tools refuses calls of tools that it does not have, even if they
// were allowed.
func TestResumeWithOtherTools(t *testing.T) {
	s := agent.NewSession()
	collect(t, newAgent(t, agent.Config{Provider: play(t, call("rm", "n", "1")+call("rm", "n", "2")), Tools: tools()}), s, agent.Say("Go."), agent.AllowOnce)
	s.Turn.Calls[0].Status, s.Turn.Calls[0].Result = agent.CallReady, nil // as if the process had been killed before the call started
	again := reloaded(t, s)
	o := collect(t, newAgent(t, agent.Config{Provider: play(t, "Done."), Tools: []agent.Tool{echo("look")}}), again, agent.Input{})
	if got := codes(o); got != "rm:UNKNOWN_TOOL rm:UNKNOWN_TOOL" || o.end.Text != "Done." {
		t.Errorf("%s, ended with %s: %v", got, o.end.Reason, o.err)
	}
}

var errAny = errors.New("any")

// The usage is the sum over all turns, and Prepare and Stop are called for each.
func TestUsageAndPrepare(t *testing.T) {
	usage := `data: {"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":2,"total_tokens":12}}` + "\n\ndata: [DONE]\n\n"
	p := play(t, sse(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"look","arguments":"{}"}}]}`, `"tool_calls"`)+usage, sse(`{"content":"Done."}`, `"stop"`)+usage)
	var turns []string
	price := agent.Price{Input: 3, Output: 15}
	a := newAgent(t, agent.Config{Provider: p, Tools: tools(), Price: price, Prepare: func(_ context.Context, s *agent.Session, step *agent.Config) error {
		step.Request.Model = fmt.Sprint("model-", s.Turns+1)
		step.Allowed = []string{"look"}
		turns = append(turns, step.Request.Model)
		return nil
	}})
	s := agent.NewSession()
	o := collect(t, a, s, agent.Say("Go."))
	if s.Usage.Total != 24 || o.end.Step.Usage.Input != 20 || o.end.Step.Calls != 1 {
		t.Errorf("used %+v, %+v", s.Usage, o.end.Step)
	}
	if want := 20*3/1e6 + 4*15/1e6; s.Cost != want || o.end.Step.Cost != want {
		t.Errorf("it cost %v, %v, want %v", s.Cost, o.end.Step.Cost, want)
	}
	if strings.Join(turns, " ") != "model-1 model-2" || p.requests[1].Model != "model-2" || len(p.requests[1].Tools) != 1 {
		t.Errorf("asked with %v: %+v", turns, p.requests[1].Tools)
	}
}

// Defaults in the schema are filled in before the tool runs, and a tool may check more
// than its schema.
func TestDefaultsAndValidation(t *testing.T) {
	look := echo("look")
	look.info.Parameters = json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer","default":30},"s":{"type":"string"}}}`)
	look.info.Validate = func(c agent.Call) error {
		var in struct{ N int }
		if err := json.Unmarshal(c.Arguments, &in); err != nil || in.N < 2 {
			return errors.New("n must be above 1")
		}
		return nil
	}
	p := play(t, call("look", "s", "x")+call("look", "n", "1"), "Done.")
	collect(t, newAgent(t, agent.Config{Provider: p, Tools: []agent.Tool{look}}), agent.NewSession(), agent.Say("Go."))
	if got := strings.Join(look.ran, " "); got != `{"s":"x","n":30}` {
		t.Errorf("ran with %s", got)
	}
	if got := told(p); !strings.Contains(got, "n must be above 1") {
		t.Error(got)
	}
}

// Every answer, call and end is logged, including calls of unknown tools, but no
// arguments or outputs.
func TestLog(t *testing.T) {
	var lines strings.Builder
	a := newAgent(t, agent.Config{
		Provider: play(t, call("look", "n", "471147114711471")+call("nobody"), "Done."), Tools: tools(), Logger: slog.New(slog.NewTextHandler(&lines, nil)),
	})
	collect(t, a, agent.NewSession(), agent.Say("Go."))
	for _, want := range []string{
		"msg=answer", "msg=call", "tool=look", "success=true", "tool=nobody", "ran=false", "code=UNKNOWN_TOOL", `msg="run ended"`, "reason=final_answer", "calls=2",
	} {
		if !strings.Contains(lines.String(), want) {
			t.Errorf("no %s in\n%s", want, lines.String())
		}
	}
	if strings.Contains(lines.String(), "471147114711471") {
		t.Error("an argument is logged")
	}
}

// The audit has one line for each call, whether it ran or not, and contains no output.
func TestAudit(t *testing.T) {
	var lines strings.Builder
	audit := agent.NewAudit(&lines)
	audit.Redact = func(string, json.RawMessage) json.RawMessage { return json.RawMessage(`{"n":"secret"}`) }
	a := newAgent(t, agent.Config{Provider: play(t, call("look", "n", "1")+call("rm", "n", "2")+call("nobody")+call("fail"), "Done."), Tools: tools()})
	for e := range a.Run(t.Context(), agent.NewSession(), agent.Say("Go.")) {
		if e.Type == agent.PermissionRequest {
			if err := e.Answer(agent.DenyCall); err != nil {
				t.Fatal(err)
			}
		}
		if err := audit.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for line := range strings.Lines(lines.String()) {
		var l struct {
			Name      string
			Arguments json.RawMessage
			Risk      string
			Decision  struct{ Verdict string }
			Ran       bool
			Success   bool
			Error     *struct{ Code string }
			Bytes     int    `json:"output_bytes"`
			Digest    string `json:"output_sha256"`
			Context   struct {
				Step int    `json:"step_number"`
				Task string `json:"task_id"`
			}
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		if len(l.Digest) != 64 || l.Context.Step != 1 || l.Context.Task == "" || strings.Contains(line, "look did") {
			t.Error(line)
		}
		got = append(got, fmt.Sprintf("%s %s %s %s %v %v %v", l.Name, l.Arguments, l.Risk, l.Decision.Verdict, l.Ran, l.Success, l.Error != nil))
	}
	want := []string{ // refusals come first, before anything runs
		`nobody {"n":"secret"} safe  false false true`, `rm {"n":"secret"} high deny false false true`,
		`look {"n":"secret"} safe allow true true false`, `fail {"n":"secret"} safe allow true false true`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// New rejects tools that do not fit together.
func TestNew(t *testing.T) {
	p := play(t)
	tests := map[string]agent.Config{
		"no provider":       {},
		"are called":        {Provider: p, Tools: []agent.Tool{echo("f"), echo("f")}},
		"did you mean look": {Provider: p, Tools: tools(), Allowed: []string{"lok"}},
	}
	for want, config := range tests {
		if _, err := agent.New(config); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// Do returns the answer, or says why there is none.
func TestDo(t *testing.T) {
	bad := agent.NewTool("f", "F.", func(context.Context, func()) (string, error) { return "", nil })
	for name, test := range map[string]struct {
		config       agent.Config
		answer, says string
	}{
		"answer":        {agent.Config{Provider: play(t, call("look"), "Done."), Tools: tools()}, "Done.", ""},
		"terminal tool": {agent.Config{Provider: play(t, call("submit", "n", "7")), Tools: tools()}, `submit did {"n":7}`, ""},
		"no provider":   {agent.Config{}, "", "no provider"},
		"bad provider":  {agent.Config{Provider: provider.New(provider.Config{BaseURL: "ftp://host"})}, "", "is not an http URL"},
		"bad fallback":  {agent.Config{Provider: agent.Fallback(play(t), provider.New(provider.Config{Wire: "telex"}))}, "", "there are"},
		"bad tool":      {agent.Config{Provider: play(t), Tools: []agent.Tool{bad}}, "", "func"},
		"permission":    {agent.Config{Provider: play(t, "Well. "+call("rm", "n", "1")), Tools: tools()}, "", "requires_action, for rm(n: 1)"},
		"limit":         {agent.Config{Provider: play(t, call("look")), Tools: tools(), MaxTurns: 1}, "", "ended with limit"},
		"error":         {agent.Config{Provider: play(t)}, "", "the recording has only 0 answers"},
	} {
		answer, err := agent.Do(t.Context(), test.config, "Go.")
		if test.says == "" && (err != nil || answer != test.answer) || test.says != "" && (err == nil || !strings.Contains(err.Error(), test.says)) {
			t.Errorf("%s: %q, %v", name, answer, err)
		}
	}
}
