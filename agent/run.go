package agent

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/toolcall"
)

// run is one call of [Agent.Run].
type run struct {
	*Agent
	tools    *toolbox // of the last request
	ctx      context.Context
	s        *Session
	yield    func(Event, error) bool
	over     bool // RunEnd was sent, or the caller has stopped the iteration
	started  time.Time
	before   Step      // the cost of the session before
	executor *executor // of the session's turn
	broke    error     // why the answer of the turn broke off
	finish   chat.Finish
	text     string // of the last answer
	retries  int

	running  sync.WaitGroup
	results  chan ToolResult
	progress chan progress
}

type progress struct {
	call Call
	text string
}

// maxProgress is the number of reports of tools that may wait to be read.
const maxProgress = 64

func newRun(ctx context.Context, a *Agent, s *Session, yield func(Event, error) bool) *run {
	return &run{
		Agent: a, tools: a.tools, ctx: ctx, s: s, yield: yield, started: time.Now(), before: Step{Usage: s.Usage, Cost: s.Cost},
		results: make(chan ToolResult, a.config.MaxParallel), progress: make(chan progress, maxProgress),
	}
}

// emit yields an event. It returns false if the caller has stopped the iteration.
func (r *run) emit(e Event) bool {
	e.Turn = r.s.Turns
	if !r.over && !r.yield(e, nil) {
		r.over = true
	}
	return !r.over
}

// end yields the last event.
func (r *run) end(reason EndReason, err error) {
	r.endWith(Event{Reason: reason, Text: r.text, Err: err})
}

func (r *run) endWith(e Event) {
	if r.over {
		return
	}
	r.over = true
	if e.Reason == FinalAnswer || e.Reason == TerminalTool {
		r.s.Ended = e.Reason
	}
	e.Type, e.Turn = RunEnd, r.s.Turns
	used, before := r.s.Usage, r.before.Usage
	e.Step = Step{Turn: r.s.Turns, Retries: r.retries, Duration: time.Since(r.started), Cost: r.s.Cost - r.before.Cost, Usage: chat.Usage{
		Input: used.Input - before.Input, Output: used.Output - before.Output, CachedInput: used.CachedInput - before.CachedInput,
		CacheWrite: used.CacheWrite - before.CacheWrite, Reasoning: used.Reasoning - before.Reasoning, Total: used.Total - before.Total,
	}}
	for _, step := range r.s.Steps {
		e.Step.Calls += step.Calls
	}
	r.log.Info("run ended", "session", r.s.ID, "reason", e.Reason, "turns", r.s.Turns, "calls", e.Step.Calls,
		"tokens", e.Step.Usage.Total, "duration", e.Step.Duration, "error", e.Err)
	r.yield(e, e.Err)
}

// begin handles the input, and the calls that another process has left.
func (r *run) begin(in Input) {
	err := r.s.intact()
	if err == nil {
		err = r.s.check(in)
	}
	if err != nil {
		r.end(EndError, err)
		return
	}
	if r.s.Turn != nil {
		r.resume(in)
	}
	if r.s.Asked { // the process ended, or the request failed, before the answer: it is no turn
		r.s.Turns--
		r.s.Asked = false
	}
	switch {
	case in.Text != "":
		r.s.Messages = append(r.s.Messages, toolparse.User(in.Text))
		r.s.Turns, r.s.Steps, r.s.Watch, r.s.Ended = 0, nil, watch{}, ""
	case r.s.Done():
		r.end(EndError, errDone)
	}
}

// resume continues with unsettled calls.
func (r *run) resume(in Input) {
	if r.s.Answer == nil { // the process ended while the answer was being written
		r.s.Answer = &chat.Message{Role: chat.Assistant}
		for _, c := range r.s.Turn.Calls {
			if c.Invocation.Status == toolcall.Complete {
				r.s.Answer.Parts = append(r.s.Answer.Parts, chat.CallPart(wireID(c.Invocation), c.Invocation.Name, string(c.Invocation.Arguments)))
			}
		}
		r.broke = errors.New("the process ended while it was written")
	}
	r.executor = r.executorFor(r.tools, chat.ToolChoice{})
	r.executor.doubt = r.doubt()
	r.executor.restore(r.s.Turn)
	for _, c := range r.s.Turn.Calls { // in order, so that a denial ends the right ones
		if answer, ok := in.Answers[c.Invocation.ID]; ok && c.Status == callAsking {
			if err := r.executor.answer(c.Invocation.ID, answer); err != nil {
				r.end(EndError, err)
				return
			}
		}
	}
	for _, result := range in.Results {
		result.Pending = false
		if result.At.IsZero() {
			result.At = time.Now()
		}
		r.finishCall(result)
	}
	if in.Text == "" {
		return
	}
	// The user has continued without them.
	r.skip(&Error{Category: Permission, Code: codeNotRun, Message: "not run, because the user went on without it."})
	for action := r.executor.step(r.ctx); action.kind == actionRefuse; action = r.executor.step(r.ctx) {
		r.report(action.call, Decision{}, action.result)
	}
	r.s.endTurn(*r.s.Answer, r.s.Turn.Calls, r.config.StructuredResults)
	r.executor, r.broke = nil, nil
}

// turn makes one step: it settles the open calls, or requests an answer.
func (r *run) turn() {
	switch {
	case r.s.Turn != nil:
		if r.executor == nil {
			r.resume(Input{})
		}
		if r.settleCalls() {
			r.finishTurn()
		}
	case r.ctx.Err() != nil:
		r.end(Cancelled, context.Cause(r.ctx))
	case r.s.Turns >= r.config.MaxTurns:
		r.end(Limit, nil)
	default:
		r.ask()
	}
}
