package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/toolcall"
)

// skip settles all calls that are not running.
func (r *run) skip(why *Error) {
	r.executor.end(why)
	for _, call := range r.executor.inState(callWaiting) {
		r.finishCall(ToolResult{CallID: call.ID, Err: why, At: time.Now()})
	}
}

// queue hands calls to the executor, and then reports them: all of them first, so that a
// session that is stored at an event has either all or none.
func (r *run) queue(calls ...toolcall.ToolInvocation) bool {
	if err := r.executor.add(calls...); err != nil {
		r.end(EndError, err) // a provider that uses an id twice
		return false
	}
	for _, inv := range calls {
		if !r.emit(Event{Type: CallQueue, Call: r.executor.find(inv.ID).public(r.executor.context)}) {
			return false
		}
	}
	return true
}

// executorFor returns the executor of a turn with these tools and tool choice.
func (r *run) executorFor(tools *toolbox, choice chat.ToolChoice) *executor {
	x := r.newExecutor(tools, Call{Step: r.s.Turns, TaskID: r.s.ID})
	x.check, x.grants = chosen(choice), r.s.grants
	return x
}

// chosen checks calls against the tool choice, which some providers ignore.
func chosen(choice chat.ToolChoice) func(Call) *Error {
	return func(call Call) *Error {
		refused := &Error{Category: Permission, Code: codeUnknown}
		switch {
		case choice.Mode == chat.ChoiceNone:
			refused.Message = fmt.Sprintf("%q was not run: no tool may be called now. Answer in text.", call.Name)
		case len(choice.Tools) > 0 && !slices.Contains(choice.Tools, call.Name):
			refused.Message = fmt.Sprintf("%q was not run: only these may be called now: %s.", call.Name, strings.Join(choice.Tools, ", "))
		default:
			return nil
		}
		return refused
	}
}

// startEarly starts the calls that may start before the answer is complete, and takes the
// results that are ready.
func (r *run) startEarly() bool {
	for r.takeResults() {
		if next := r.executor.step(r.ctx); next.kind == actionNone {
			return true
		} else if !r.act(next) {
			return false
		}
	}
	return false
}

// settleCalls brings all calls of the turn to their results. It returns false if the run
// ends first.
func (r *run) settleCalls() bool {
	if r.broke != nil {
		r.skip(&Error{Category: Network, Code: codeNotRun, Message: "not run, because the answer broke off.", Action: "Send the call again."})
	}
	for r.takeResults() {
		if r.ctx.Err() != nil {
			r.skip(&Error{Category: Execution, Code: codeCancelled, Message: "not run, because the run was cancelled."})
		}
		next := r.executor.step(r.ctx)
		r.s.grants = r.executor.grants
		switch next.kind {
		case actionComplete:
			return true
		case actionNone:
			if len(r.executor.inState(callRunning)) > 0 {
				if !r.wait() {
					return false
				}
				continue
			}
			waiting := append(r.executor.inState(callAsking), r.executor.inState(callWaiting)...)
			r.endWith(Event{Reason: RequiresAction, Text: r.text, Waiting: waiting})
			return false
		default:
			if !r.act(next) {
				return false
			}
		}
	}
	return false
}

// act carries out an action of the executor.
func (r *run) act(next action) bool {
	switch next.kind {
	case actionAsk:
		return r.emit(Event{Type: PermissionRequest, Call: next.call, Decision: next.decision, executor: r.executor})
	case actionRefuse:
		return r.report(next.call, r.executor.find(next.call.ID).Decision, next.result)
	case actionExecute:
		if !r.emit(Event{Type: CallStart, Call: next.call, Decision: next.decision}) {
			return false
		}
		r.start(next.call)
	}
	return true
}

func (r *run) report(call Call, d Decision, result *ToolResult) bool {
	attrs := []any{"session", r.s.ID, "turn", r.s.Turns, "tool", call.Name, "call", call.ID, "ran", result.Ran,
		"success", result.Success(), "decision", d.Verdict, "duration", result.Duration, "bytes", len(result.Output)}
	if result.Err != nil {
		attrs = append(attrs, "error", result.Err.Category, "code", result.Err.Code)
	}
	r.log.Info("call", attrs...)
	return r.emit(Event{Type: CallResult, Call: call, Decision: d, Result: result})
}

// takeResults reports what tools have done in the meantime. It returns false if the
// caller has stopped the iteration.
func (r *run) takeResults() bool {
	for !r.over {
		select {
		case result := <-r.results:
			r.finishCall(result)
		default:
			return r.takeProgress()
		}
	}
	return false
}

// takeProgress passes on the progress of tools.
func (r *run) takeProgress() bool {
	for !r.over {
		select {
		case p := <-r.progress:
			r.emit(Event{Type: CallProgress, Call: p.call, Text: p.text})
		default:
			return true
		}
	}
	return false
}

// wait waits for news from a tool.
func (r *run) wait() bool {
	select {
	case p := <-r.progress:
		return r.emit(Event{Type: CallProgress, Call: p.call, Text: p.text})
	case result := <-r.results:
		return r.finishCall(result)
	case <-r.ctx.Done():
		// The tools have the same context, so that their results come within the time of
		// grace.
		return r.finishCall(<-r.results)
	}
}

// finishCall hands the result of a call to the executor, behind the progress that the call
// has reported.
func (r *run) finishCall(result ToolResult) bool {
	r.takeProgress()
	c := r.executor.find(result.CallID)
	if err := r.executor.finish(result); err != nil {
		r.log.Error("a result was refused", "error", err) // cannot happen: each call is started once
		return true
	}
	r.s.keep(result.Data)
	return r.report(c.call, c.Decision, c.Result)
}

// finishTurn decides, after all calls of a turn have their results, whether the run
// continues.
func (r *run) finishTurn() {
	calls, answer := r.s.Turn.Calls, *r.s.Answer
	r.s.endTurn(answer, calls, r.config.StructuredResults)
	broke, finish := r.broke, r.finish
	r.executor, r.broke, r.finish = nil, nil, chat.Finish{}
	if r.ctx.Err() != nil {
		r.end(Cancelled, context.Cause(r.ctx))
		return
	}
	if broke != nil {
		r.end(EndError, broke)
		return
	}
	corrected, denied := true, true
	for _, c := range calls {
		_, info, _ := r.tools.Lookup(c.Invocation.Name)
		err := c.Result.Err
		switch {
		case err == nil && info.Terminal:
			if value, problem := r.form.check(c.Result.Output); problem != "" {
				r.correct(problem, wrongForm)
			} else {
				r.endWith(Event{Reason: TerminalTool, Text: value, Result: c.Result})
			}
			return
		case c.Decision.Verdict == Deny && c.Decision.Ends:
			r.end(Denied, nil)
			return
		case err != nil && err.Category == Fatal:
			r.end(EndError, err)
			return
		}
		corrected = corrected && err != nil && (err.Category == Validation || err.Code == codeUnknown)
		denied = denied && err != nil && err.Code == codeDenied
		r.s.Watch.ChoiceMet = r.s.Watch.ChoiceMet || c.Result.Ran
	}
	w := &r.s.Watch
	w.Corrections, w.Denials = streak(w.Corrections, corrected), streak(w.Denials, denied)
	switch {
	case w.Denials >= r.config.MaxCorrections:
		r.end(Denied, nil)
	case w.Corrections > r.config.MaxCorrections:
		r.end(EndError, loopError("none of its calls can run, although it was told why"))
	case w.Warnings > 1 && r.config.AskInLoops:
		*w = watch{Corrections: w.Corrections, Denials: w.Denials, ChoiceMet: w.ChoiceMet, Told: w.Told} // the user has looked at it
	case w.Warnings > 1:
		r.end(EndError, loopError(w.What))
	case finish.Reason == chat.FinishContentFilter, finish.Reason == chat.FinishRefusal, finish.Reason == chat.FinishError:
		r.end(EndError, finishError(finish))
	}
	for _, stop := range r.config.Stop {
		if reason := stop(r.s); reason != "" {
			r.end(reason, nil)
		}
	}
}

// streak returns n+1 if something has happened again, and otherwise 0.
func streak(n int, again bool) int {
	if again {
		return n + 1
	}
	return 0
}
