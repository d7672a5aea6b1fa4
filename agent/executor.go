package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/toolparse/toolparse/internal/adapter"
	"github.com/toolparse/toolparse/toolcall"
)

// executor brings the calls of one answer to their results. It is a state machine that
// runs nothing and never blocks: its user calls step for the next action, runs the tools and
// asks the person, and reports back with finish and answer. It is not safe for concurrent
// use.
//
// A call may start when no earlier call is unfinished, or when it and all unfinished
// calls before it are of parallel tools. The results are in the order of the calls.
type executor struct {
	config  *Config
	tools   *toolbox
	context Call                   // what the calls have in common
	check   func(call Call) *Error // its error becomes the result of a call that could run; may be nil
	turn    *turn
	grants  []Rule // what the user allowed until the process ends
	ended   *Error // why the remaining calls will not start; nil if they may
	doubt   string // why to ask the user even if the policy allows a call; "" for no reason
}

// newExecutor returns an executor without calls. It uses the limits of the agent's
// configuration, and its policy.
func (a *Agent) newExecutor(tools *toolbox, context Call) *executor {
	context.WorkingDirectory, context.Environment, context.Timeout = a.config.WorkingDirectory, a.config.Environment, a.config.ToolTimeout
	return &executor{config: &a.config, tools: tools, context: context, turn: &turn{}}
}

// actionKind is what the user of an executor has to do.
type actionKind uint8

const (
	actionNone     actionKind = iota // nothing, until answer or finish is called
	actionAsk                        // ask the person about call, for the reason in decision
	actionExecute                    // run call, and pass its result to finish
	actionPending                    // leave call to the client
	actionRefuse                     // report result, which says why call does not run
	actionComplete                   // every call has its result
)

// action is the next thing to do.
type action struct {
	kind     actionKind
	call     Call
	decision Decision    // with actionAsk and actionExecute
	result   *ToolResult // with actionRefuse
}

// Errors about calls and answers that do not fit the state of a run.
var (
	errUnknownCall = errors.New("no call has this id")
	errNotAsked    = errors.New("the call is not waiting for permission")
	errDuplicate   = errors.New("a call with this id already exists")
	errNotRunning  = errors.New("the call is not running")
)

// add queues calls. It does not keep the arguments that it gets.
func (x *executor) add(calls ...toolcall.ToolInvocation) error {
	for _, c := range calls {
		if x.find(c.ID) != nil {
			return fmt.Errorf("%w: %s", errDuplicate, c.ID)
		}
		c.Arguments, c.Problems, c.Unchecked = slices.Clone(c.Arguments), slices.Clone(c.Problems), slices.Clone(c.Unchecked)
		x.turn.Calls = append(x.turn.Calls, &callState{Invocation: c})
	}
	return nil
}

// step returns the next action. It returns each action once.
func (x *executor) step(ctx context.Context) action {
	for i, c := range x.turn.Calls {
		if c.Status == callQueued {
			x.judge(ctx, i, c)
		}
		if c.Unreported {
			c.Unreported = false
			return action{kind: actionRefuse, call: c.public(x.context), result: c.Result}
		}
	}
	if c := x.toAsk(); c != nil {
		c.asked = true
		return action{kind: actionAsk, call: c.call, decision: c.Decision}
	}
	for i, c := range x.turn.Calls {
		if c.Status != callReady || !x.mayStart(i, c) {
			continue
		}
		if c.call.info.Kind == Function {
			c.Status = callWaiting
			return action{kind: actionPending, call: c.call, decision: c.Decision}
		}
		c.Status = callRunning
		return action{kind: actionExecute, call: c.call, decision: c.Decision}
	}
	isOpen := func(c *callState) bool { return c.Status != callSettled }
	if len(x.turn.Calls) == 0 || x.turn.Open || slices.ContainsFunc(x.turn.Calls, isOpen) {
		return action{}
	}
	x.turn = &turn{}
	x.ended = nil
	return action{kind: actionComplete}
}

// toAsk returns the next call that needs permission, one at a time.
func (x *executor) toAsk() *callState {
	if x.turn.Open {
		return nil
	}
	for _, c := range x.turn.Calls {
		if c.Status == callAsking {
			if c.asked {
				return nil
			}
			return c
		}
	}
	return nil
}

// mayStart reports whether call i may start now.
func (x *executor) mayStart(i int, c *callState) bool {
	if x.turn.Open && (c.call.info.Terminal || c.call.info.Risk != Safe) {
		return false
	}
	if c.call.info.Kind == Function {
		return true
	}
	running := 0
	for _, before := range x.turn.Calls {
		if before.Status == callRunning {
			running++
		}
	}
	for _, before := range x.turn.Calls[:i] {
		if before.Status < callWaiting && !(c.call.info.Parallel && before.call.info.Parallel) {
			return false
		}
	}
	return running < x.config.MaxParallel
}

// judge decides about a queued call.
func (x *executor) judge(ctx context.Context, i int, c *callState) {
	c.call = c.public(x.context)
	if failed := x.refuse(i, c); failed != nil {
		x.settle(c, failed)
		return
	}
	c.Decision = x.config.Policy(ctx, c.call)
	if c.Decision.Verdict == Ask {
		c.Decision = x.granted(c.call, c.Decision)
	}
	if x.doubt != "" && c.Decision.Verdict == Allow {
		c.Decision = Decision{Reason: x.doubt}
	}
	switch c.Decision.Verdict {
	case Allow:
		c.Status = callReady
	case Deny:
		x.deny(c, "the policy does not allow it")
	default:
		c.Status = callAsking
	}
}

// refuse returns why a call cannot run, whatever the policy says, or nil.
func (x *executor) refuse(i int, c *callState) *Error {
	inv := c.Invocation
	_, info, known := x.tools.Lookup(inv.Name)
	switch {
	case x.ended != nil:
		return x.ended
	case inv.Status != toolcall.Complete:
		code := codeParse
		if inv.Status == toolcall.Incomplete {
			code = codeCut
		}
		return &Error{Category: Validation, Code: code, Message: adapter.Explain(inv, x.tools.Definitions())}
	case !known:
		inv.Unknown = true
		text := adapter.Explain(inv, x.tools.Definitions())
		if x.config.UnknownToolAdvice != nil {
			if instead := x.config.UnknownToolAdvice(inv.Name); instead != "" {
				text += " " + instead
			}
		}
		return &Error{Category: NotFound, Code: codeUnknown, Message: text}
	case !inv.Runnable():
		return &Error{Category: Validation, Code: codeInvalid, Message: adapter.Explain(inv, x.tools.Definitions())}
	case i >= x.config.MaxCalls:
		return &Error{
			Category: Resource, Code: codeLimit, Message: fmt.Sprintf("%q was not run: one answer may make at most %d calls.", inv.Name, x.config.MaxCalls),
			Action: "Make the rest of the calls in your next answer.",
		}
	}
	c.call.info = info
	args, err := withDefaults(inv.Arguments, info.Parameters)
	if err != nil {
		return &Error{Category: Validation, Code: codeParse, Message: err.Error()}
	}
	c.call.Arguments = args
	if info.Validate != nil {
		if err := info.Validate(c.call); err != nil {
			return &Error{Category: Validation, Message: err.Error(), cause: err}
		}
	}
	if x.check != nil {
		return x.check(c.call)
	}
	return nil
}

// granted returns the decision to allow the call if the user has allowed such calls, and
// otherwise d.
func (x *executor) granted(call Call, d Decision) Decision {
	for _, rule := range x.grants {
		if rule.match(call) == matches {
			return Decision{Verdict: Allow, Reason: rule.Reason}
		}
	}
	return d
}

// answer passes on the person's answer about a call. It fails if the call is not waiting
// for permission, or if a rule cannot be stored; in the latter case the call keeps
// waiting.
func (x *executor) answer(id string, answer Answer) error {
	c := x.find(id)
	if c == nil {
		return fmt.Errorf("%w: %s", errUnknownCall, id)
	}
	if c.Status != callAsking {
		return fmt.Errorf("%w: %s is %s", errNotAsked, id, c.Status)
	}
	switch answer {
	case AllowOnce:
		if c.call.info.AskOnce {
			x.grants = append(x.grants, ruleFor(c.call))
		}
	case AllowAlways, AllowSession:
		rule := ruleFor(c.call)
		if answer == AllowAlways && x.config.Remember != nil {
			if err := x.config.Remember(rule); err != nil {
				return err
			}
		}
		x.grants = append(x.grants, rule)
	case DenyCall, DenyAndEnd:
		c.Answer = answer
		c.Decision = Decision{Verdict: Deny, Ends: answer == DenyAndEnd}
		reason := "the user said no"
		if x.doubt != "" {
			reason += ", since " + x.doubt
		}
		x.deny(c, reason)
		return nil
	default:
		return fmt.Errorf("agent: %q is not a valid answer", answer)
	}
	c.Answer, c.Status = answer, callReady
	c.Decision = Decision{Verdict: Allow, Reason: "you allowed it"}
	for _, other := range x.turn.Calls { // other calls that the answer covers
		if other.Status == callAsking && !other.asked {
			if d := x.granted(other.call, other.Decision); d.Verdict == Allow {
				other.Decision, other.Status = d, callReady
			}
		}
	}
	return nil
}

func (x *executor) deny(c *callState, fallback string) {
	reason := cmp.Or(c.Decision.Reason, fallback)
	x.settle(c, &Error{Category: Permission, Code: codeDenied, Message: fmt.Sprintf("permission denied for %q: %s.", c.call.Name, reason)})
	if c.Decision.Ends {
		x.end(&Error{Category: Permission, Code: codeNotRun, Message: "not run, because the run ends with a denied call."})
	}
}

// finish passes on the result of a call that was running, or that the client has run.
// When a terminal tool succeeds, no further call starts.
func (x *executor) finish(result ToolResult) error {
	id := result.CallID
	c := x.find(id)
	if c == nil {
		return fmt.Errorf("%w: %s", errUnknownCall, id)
	}
	if c.Status != callRunning && c.Status != callWaiting {
		return fmt.Errorf("%w: %s is %s", errNotRunning, id, c.Status)
	}
	result.Name = c.Invocation.Name
	c.Result, c.Status = &result, callSettled
	if c.call.info.Terminal && result.Success() {
		x.end(&Error{Category: Resource, Code: codeNotRun, Message: fmt.Sprintf("not run, because %q before it has ended the run.", c.Invocation.Name)})
	}
	return nil
}

// end settles every call that has not started with an error, and does the same with calls
// that are added later. finish settles those that are running or wait for the client.
func (x *executor) end(why *Error) {
	x.ended = why
	for _, c := range x.turn.Calls {
		if c.Status < callRunning {
			c.call = c.public(x.context)
			x.settle(c, why)
		}
	}
}

func (x *executor) settle(c *callState, why *Error) {
	c.Status, c.Unreported = callSettled, true
	c.Result = &ToolResult{CallID: c.Invocation.ID, Name: c.Invocation.Name, Err: why, At: time.Now()}
}

// inState returns the calls with a status, in order.
func (x *executor) inState(status callStatus) []Call {
	var calls []Call
	for _, c := range x.turn.Calls {
		if c.Status == status {
			calls = append(calls, c.call)
		}
	}
	return calls
}

func (x *executor) find(id string) *callState {
	for _, c := range x.turn.Calls {
		if c.Invocation.ID == id {
			return c
		}
	}
	return nil
}
