package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// run is one use of [Agent.Run].
type run struct {
	*Agent
	tools    *Toolbox // of the last request
	ctx      context.Context
	s        *Session
	yield    func(Event, error) bool
	over     bool // RunEnd was sent, or the caller has stopped
	started  time.Time
	before   chat.Usage // of the session
	executor *Executor  // of the session's turn
	broke    error      // the answer of the turn broke off
	finish   chat.Finish
	text     string // of the last answer

	running  sync.WaitGroup
	results  chan finished
	progress chan progress
}

type finished struct {
	id     string
	result ToolResult
	data   map[string]json.RawMessage // to keep
}

type progress struct {
	call Call
	text string
}

// maxProgress is how many reports of tools may wait to be read.
const maxProgress = 64

func newRun(ctx context.Context, a *Agent, s *Session, yield func(Event, error) bool) *run {
	return &run{
		Agent: a, tools: a.tools, ctx: ctx, s: s, yield: yield, started: time.Now(), before: s.Usage,
		results: make(chan finished, a.config.MaxParallel), progress: make(chan progress, maxProgress),
	}
}

// emit tells the caller what has happened. It reports false where nobody listens any more.
func (r *run) emit(e Event) bool {
	e.Turn = r.s.Turns
	if !r.over && !r.yield(e, nil) {
		r.over = true
	}
	return !r.over
}

// end sends the last event.
func (r *run) end(reason EndReason, err error) {
	r.endWith(Event{Reason: reason, Text: r.text, Err: err})
}

func (r *run) endWith(e Event) {
	if r.over {
		return
	}
	r.over = true
	e.Type, e.Turn = RunEnd, r.s.Turns
	used := r.s.Usage
	e.Step = Step{Turn: r.s.Turns, Took: time.Since(r.started), Usage: chat.Usage{
		Input: used.Input - r.before.Input, Output: used.Output - r.before.Output, CachedInput: used.CachedInput - r.before.CachedInput,
		CacheWrite: used.CacheWrite - r.before.CacheWrite, Reasoning: used.Reasoning - r.before.Reasoning, Total: used.Total - r.before.Total,
	}}
	for _, step := range r.s.Steps {
		e.Step.Calls += step.Calls
	}
	r.log.Info("run ended", "session", r.s.ID, "reason", e.Reason, "turns", r.s.Turns, "calls", e.Step.Calls,
		"tokens", e.Step.Usage.Total, "duration", e.Step.Took, "error", e.Err)
	r.yield(e, e.Err)
}

// begin takes the input, and what another process has left.
func (r *run) begin(in Input) {
	if err := r.s.check(in); err != nil {
		r.end(EndError, err)
		return
	}
	if r.s.Turn != nil {
		r.takeUp(in)
	}
	switch {
	case in.Text != "":
		r.s.Messages = append(r.s.Messages, toolparse.User(in.Text))
		r.s.Turns, r.s.Steps, r.s.Watch = 0, nil, Watch{}
	case r.s.Turn == nil && (len(r.s.Messages) == 0 || r.s.Messages[len(r.s.Messages)-1].Role == chat.Assistant):
		r.end(EndError, errNothingToDo)
	}
}

// takeUp goes on with calls that were left unsettled.
func (r *run) takeUp(in Input) {
	if r.s.Said == nil { // the process ended while the answer was being written
		r.s.Said = &chat.Message{Role: chat.Assistant}
		for _, c := range r.s.Turn.Calls {
			if c.Invocation.Status == toolcall.Complete {
				r.s.Said.Parts = append(r.s.Said.Parts, chat.CallPart(wireID(c.Invocation), c.Invocation.Name, string(c.Invocation.Arguments)))
			}
		}
		r.broke = errors.New("the process ended while it was being written")
	}
	r.executor = r.newExecutor(r.tools, chat.ToolChoice{})
	r.executor.restore(r.s.Turn)
	for _, c := range r.s.Turn.Calls { // in their order, so that a denial ends the right ones
		if answer, ok := in.Answers[c.Invocation.ID]; ok && c.Status == CallAsking {
			if err := r.executor.Answer(c.Invocation.ID, answer); err != nil {
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
		r.finish1(finished{id: result.CallID, result: result})
	}
	if in.Text == "" {
		return
	}
	// The user has gone on without them.
	r.skip(&Error{Category: Permission, Code: CodeNotRun, Message: "not run, since the user went on without it."})
	for action := r.executor.Step(r.ctx); action.Kind == ActionRefuse; action = r.executor.Step(r.ctx) {
		r.tellResult(action.Call, Decision{}, action.Result)
	}
	r.s.settle(*r.s.Said, r.s.Turn.Calls, r.config.StructuredResults)
	r.executor, r.broke = nil, nil
}

// skip settles all calls that do not run at the moment.
func (r *run) skip(why *Error) {
	r.executor.End(why)
	for _, call := range r.executor.InState(CallWaiting) {
		r.finish1(finished{id: call.ID, result: ToolResult{Err: why, At: time.Now()}})
	}
}

// turn goes one step on: it settles the calls that there are, or asks for an answer.
func (r *run) turn() {
	switch {
	case r.s.Turn != nil:
		if r.executor == nil {
			r.takeUp(Input{})
		}
		if r.settleCalls() {
			r.settled()
		}
	case r.ctx.Err() != nil:
		r.end(Cancelled, context.Cause(r.ctx))
	case r.s.Turns >= r.config.MaxTurns:
		r.end(Limit, nil)
	default:
		r.ask()
	}
}

// ask sends the conversation to the model, and takes its answer.
func (r *run) ask() {
	options := StepOptions{
		Turn: r.s.Turns + 1, Provider: r.config.Provider, Model: r.config.Model, System: r.config.System, ToolChoice: r.config.ToolChoice,
		Temperature: r.config.Temperature, MaxTokens: r.config.MaxTokens,
	}
	if r.s.Watch.ChoiceMet { // what was forced, once
		options.ToolChoice = chat.ToolChoice{}
	}
	if r.config.Prepare != nil {
		if err := r.config.Prepare(r.ctx, r.s, &options); err != nil {
			r.end(EndError, err)
			return
		}
	}
	tools, err := r.toolsFor(&options)
	if err != nil {
		r.end(EndError, err)
		return
	}
	r.tools = tools
	if err := r.config.History.apply(r.ctx, r.s, options.System, tools); err != nil {
		r.end(EndError, err)
		return
	}
	r.s.Turns++
	r.s.Total++
	r.executor = r.newExecutor(tools, options.ToolChoice)
	if !r.emit(Event{Type: TurnStart}) {
		return
	}
	began := time.Now()
	answer := r.listen(&options, tools)
	if answer == nil {
		return
	}
	r.text, r.finish = answer.Text, answer.Finish
	step := Step{Turn: r.s.Turns, Model: cmp.Or(answer.Model, options.Model), Finish: answer.Finish.Reason.String(),
		Calls: len(r.executor.turn.Calls), Usage: answer.Usage, Took: time.Since(began)}
	r.s.record(step)
	r.log.Info("answer", "session", r.s.ID, "turn", r.s.Turns, "provider", options.Provider.Name(), "model", step.Model,
		"finish", step.Finish, "calls", step.Calls, "tokens", step.Usage.Total, "duration", step.Took)
	for _, note := range answer.Notes {
		if text := noteText(note); text != "" {
			r.emit(Event{Type: Notice, Text: text})
		}
	}
	if !r.emit(Event{Type: TurnEnd, Step: step}) {
		return
	}
	if r.s.Turn == nil {
		r.answered(answer, options.ToolChoice)
	}
}

// noteText words what a reader of the answer should know of calls that do not count.
func noteText(n toolparse.Note) string {
	switch n.Kind {
	case parser.NoteUnread:
		return fmt.Sprintf("the text holds a call in the dialect %s, which is not being read; use -d %[1]s", n.Dialect)
	case parser.NoteReasoning:
		return "the reasoning holds a call, which does not count there"
	case parser.NoteCut:
		return "the text behind a call looks like the rest of its last argument"
	}
	return ""
}

// listen reads an answer. What it has of calls stands in the session's turn then. It
// returns nil where there is no answer, and the run has ended.
func (r *run) listen(options *StepOptions, tools *Toolbox) *toolparse.Answer {
	ctx, cancel := r.ctx, context.CancelFunc(func() {})
	if r.config.TurnTimeout > 0 {
		ctx, cancel = context.WithTimeout(ctx, r.config.TurnTimeout)
	}
	defer cancel()
	prefix := fmt.Sprintf("t%d_", r.s.Total)
	var answer *toolparse.Answer
	var failed error
	var calls []toolcall.ToolInvocation
	if r.config.Early {
		r.executor.Open()
	}
	for chunk, err := range WithRetry(options.Provider, r.config.Retry).Stream(ctx, r.request(options, tools)) {
		if err != nil {
			failed = err
			break
		}
		switch {
		case chunk.Notice != "":
			r.log.Warn(chunk.Notice, "session", r.s.ID, "turn", r.s.Turns)
			if !r.emit(Event{Type: Notice, Text: chunk.Notice}) {
				return nil
			}
			continue
		case chunk.Answer != nil:
			answer = chunk.Answer
			continue
		}
		e := chunk.StreamEvent
		e.ID = prefix + e.ID
		if e.Call != nil {
			call := *e.Call
			call.ID = prefix + call.ID
			e.Call = &call
		}
		if !r.emit(Event{Type: Segment, Segment: e}) {
			return nil
		}
		if e.Call == nil {
			continue
		}
		calls = append(calls, *e.Call)
		if r.config.Early {
			r.s.Turn = r.executor.turn
			if !r.queue(*e.Call) || !r.startEarly() {
				return nil
			}
		}
	}
	if answer == nil {
		answer = &toolparse.Answer{}
	}
	if failed != nil && r.ctx.Err() == nil {
		if len(answer.Message.Parts) == 0 && len(calls) == 0 {
			r.end(EndError, failed) // nothing has come: the request can be sent again
			return nil
		}
		r.broke = &StreamEndedError{failed}
	}
	r.executor.Close()
	said := ownIDs(answer.Message, prefix, calls)
	if limit := options.MaxTokens; limit > 0 && answer.Usage.Output >= limit {
		answer.Finish.Reason = chat.FinishLength // whatever the server says
	}
	if answer.Finish.Reason == chat.FinishLength {
		said = r.cutLast(said, calls)
	}
	if len(calls) > 0 {
		r.s.Said, r.s.Turn = &said, r.executor.turn
		if !r.config.Early && !r.queue(calls...) {
			return nil
		}
		r.watch(answer.Text)
	}
	answer.Message = said
	return answer
}

// queue hands calls to the executor: all of them before anybody hears of one, so that
// the session has none without the others.
func (r *run) queue(calls ...toolcall.ToolInvocation) bool {
	if err := r.executor.Add(calls...); err != nil {
		r.end(EndError, err) // a provider that gives an id twice
		return false
	}
	for _, inv := range calls {
		if !r.emit(Event{Type: CallQueue, Call: r.executor.find(inv.ID).shown(r.executor.opts.Context)}) {
			return false
		}
	}
	return true
}

// cutLast takes from an answer that reached its limit the call that it ends with, also one
// that is complete: a server that mends JSON, or that sends a call as a whole, makes half a
// call look whole, and nobody can tell. A call with anything behind it was written to its end.
func (r *run) cutLast(said chat.Message, calls []toolcall.ToolInvocation) chat.Message {
	n := len(said.Parts)
	if n == 0 || said.Parts[n-1].Kind != chat.PartCall || len(calls) == 0 {
		return said
	}
	last := &calls[len(calls)-1]
	if c := r.executor.find(last.ID); c != nil { // it was to start early
		if c.Status >= CallRunning {
			return said
		}
		c.Status = CallQueued
		c.Invocation.Status, c.Invocation.Reason = toolcall.Incomplete, toolcall.ReasonTruncated
	}
	last.Status, last.Reason = toolcall.Incomplete, toolcall.ReasonTruncated
	said.Parts = said.Parts[:n-1]
	return said
}

// ownIDs makes an answer the message of exactly the complete calls that were told, and
// gives those that have no id of the provider's their own.
func ownIDs(said chat.Message, prefix string, calls []toolcall.ToolInvocation) chat.Message {
	out := chat.Message{Role: chat.Assistant, Extras: said.Extras}
	left := slices.Clone(calls)
	left = slices.DeleteFunc(left, func(c toolcall.ToolInvocation) bool { return c.Status != toolcall.Complete })
	for _, p := range said.Parts {
		if p.Kind == chat.PartCall {
			i := slices.IndexFunc(left, func(c toolcall.ToolInvocation) bool {
				return c.CallID == p.Call.ID && c.CallID != "" || c.ID == prefix+p.Call.ID
			})
			if i < 0 {
				continue
			}
			call := *p.Call
			call.ID = wireID(left[i])
			p.Call = &call
			left = slices.Delete(left, i, i+1)
		}
		out.Parts = append(out.Parts, p)
	}
	for _, c := range left {
		out.Parts = append(out.Parts, chat.CallPart(wireID(c), c.Name, string(c.Arguments)))
	}
	return out
}

// wireID is the id of a call in the conversation with its provider.
func wireID(inv toolcall.ToolInvocation) string { return cmp.Or(inv.CallID, inv.ID) }

// isRepeat reports whether an invocation only repeats another, of which nobody need be told.
func isRepeat(inv toolcall.ToolInvocation) bool { return inv.Reason == toolcall.ReasonDuplicate }

// answered takes an answer without calls.
func (r *run) answered(answer *toolparse.Answer, choice chat.ToolChoice) {
	if len(answer.Message.Parts) > 0 {
		r.s.Messages = append(r.s.Messages, answer.Message)
	}
	switch {
	case r.ctx.Err() != nil:
		r.end(Cancelled, context.Cause(r.ctx))
		return
	case r.broke != nil:
		r.end(EndError, r.broke)
		return
	}
	switch answer.Finish.Reason {
	case chat.FinishPause:
		return
	case chat.FinishLength, chat.FinishContentFilter, chat.FinishRefusal, chat.FinishError:
		r.end(EndError, &UnexpectedFinishError{answer.Finish})
		return
	}
	if choice.Mode == chat.ChoiceRequired || choice.Mode == chat.ChoiceOne {
		text := "A call of a tool is required now."
		if len(choice.Tools) > 0 {
			text = "A call of " + strings.Join(choice.Tools, " or ") + " is required now."
		}
		r.correct(text)
		return
	}
	r.end(FinalAnswer, nil)
}

// correct asks for what is missing in an answer, a bounded number of times.
func (r *run) correct(text string) {
	r.s.Watch.Corrections++
	if r.s.Watch.Corrections > r.config.MaxCorrections {
		r.end(EndError, &LoopError{"it does not make the call that is required"})
		return
	}
	r.s.Messages = append(r.s.Messages, toolparse.User(text))
}

// request is what the provider is asked.
func (r *run) request(options *StepOptions, tools *Toolbox) *toolparse.Request {
	can := options.Provider.Capabilities()
	request := &toolparse.Request{
		Model: options.Model, Temperature: options.Temperature, MaxTokens: options.MaxTokens,
		Stream: can.Streaming, StreamUsage: can.Streaming,
	}
	if options.System != "" {
		request.Messages = []chat.Message{{Role: chat.System, Parts: []chat.Part{chat.TextPart(options.System)}}}
	}
	request.Messages = append(request.Messages, r.s.Messages...)
	for _, tool := range tools.Definitions() {
		request.Tools = append(request.Tools, chat.Tool{ToolDefinition: tool})
	}
	if len(request.Tools) == 0 {
		return request
	}
	if can.ToolChoice || !can.Tools { // as text, anybody can
		request.ToolChoice = options.ToolChoice
	}
	if !can.Parallel {
		request.ParallelCalls = chat.Off
	}
	return request
}

func (r *run) newExecutor(tools *Toolbox, choice chat.ToolChoice) *Executor {
	x := NewExecutor(ExecutorOptions{
		Tools: tools, Policy: r.config.Policy, Remember: r.config.Remember, Instead: r.config.Instead,
		MaxCalls: r.config.MaxCalls, MaxParallel: r.config.MaxParallel, Judge: chosen(choice),
		Context: Context{
			Step: r.s.Turns, TaskID: r.s.ID, WorkingDirectory: r.config.WorkingDirectory,
			Environment: r.config.Environment, Timeout: r.config.ToolTimeout,
		},
	})
	x.grants = r.s.grants
	return x
}

// chosen holds calls against a tool choice, which a provider may have passed over.
func chosen(choice chat.ToolChoice) func(Call) *Error {
	return func(call Call) *Error {
		refused := &Error{Category: Permission, Code: CodeUnknown}
		switch {
		case choice.Mode == chat.ChoiceNone:
			refused.Message = fmt.Sprintf("%q was not run: no tool may be called now. Answer in text.", call.Name)
		case len(choice.Tools) > 0 && !slices.Contains(choice.Tools, call.Name):
			refused.Message = fmt.Sprintf("%q was not run: now only these may be called: %s.", call.Name, strings.Join(choice.Tools, ", "))
		default:
			return nil
		}
		return refused
	}
}

// startEarly starts what may start while the answer is still being written, and takes the
// results that there are.
func (r *run) startEarly() bool {
	for r.takeResults() {
		if action := r.executor.Step(r.ctx); action.Kind == ActionNone {
			return true
		} else if !r.act(action) {
			return false
		}
	}
	return false
}

// settleCalls leads all calls of the turn to their results. It reports false where the run
// has ended before.
func (r *run) settleCalls() bool {
	if r.broke != nil {
		r.skip(&Error{Category: Network, Code: CodeNotRun, Message: "not run, since the answer broke off.", Action: "Send the call again."})
	}
	for r.takeResults() {
		if r.ctx.Err() != nil {
			r.skip(&Error{Category: Execution, Code: CodeCancelled, Message: "not run, since the run was cancelled."})
		}
		action := r.executor.Step(r.ctx)
		r.s.grants = r.executor.grants
		switch action.Kind {
		case ActionComplete, ActionLimit:
			return true
		case ActionNone:
			if len(r.executor.InState(CallRunning)) > 0 {
				if !r.wait() {
					return false
				}
				continue
			}
			waiting := append(r.executor.InState(CallAsking), r.executor.InState(CallWaiting)...)
			r.endWith(Event{Reason: RequiresAction, Text: r.text, Waiting: waiting})
			return false
		default:
			if !r.act(action) {
				return false
			}
		}
	}
	return false
}

// act does what the executor says.
func (r *run) act(action Action) bool {
	switch action.Kind {
	case ActionAsk:
		return r.emit(Event{Type: PermissionRequest, Call: action.Call, Decision: action.Decision, executor: r.executor})
	case ActionRefuse:
		return r.tellResult(action.Call, r.executor.find(action.Call.ID).Decision, action.Result)
	case ActionExecute:
		if !r.emit(Event{Type: CallStart, Call: action.Call, Decision: action.Decision}) {
			return false
		}
		r.start(action.Call)
	}
	return true
}

func (r *run) tellResult(call Call, d Decision, result *ToolResult) bool {
	attrs := []any{"session", r.s.ID, "turn", r.s.Turns, "tool", call.Name, "call", call.ID, "ran", result.Ran,
		"success", result.Success(), "decision", d.Verdict, "duration", result.Duration, "bytes", len(result.Output)}
	if result.Err != nil {
		attrs = append(attrs, "error", result.Err.Category, "code", result.Err.Code)
	}
	r.log.Info("call", attrs...)
	return r.emit(Event{Type: CallResult, Call: call, Decision: d, Result: result})
}

// takeResults tells of what tools have done since. It reports false where nobody listens.
func (r *run) takeResults() bool {
	for !r.over {
		select {
		case p := <-r.progress:
			r.emit(Event{Type: CallProgress, Call: p.call, Text: p.text})
		default:
			select {
			case f := <-r.results:
				r.finish1(f)
			default:
				return true
			}
		}
	}
	return false
}

// wait waits until a tool has something to tell.
func (r *run) wait() bool {
	select {
	case p := <-r.progress:
		return r.emit(Event{Type: CallProgress, Call: p.call, Text: p.text})
	case f := <-r.results:
		return r.finish1(f)
	case <-r.ctx.Done():
		// The tools know it, too: their results come, within the time of grace.
		return r.finish1(<-r.results)
	}
}

// finish1 hands the result of one call to the executor.
func (r *run) finish1(f finished) bool {
	c := r.executor.find(f.id)
	if err := r.executor.Finish(f.id, f.result); err != nil {
		r.log.Error("a result was refused", "error", err) // cannot be: each call is started once
		return true
	}
	r.s.keep(f.data)
	return r.tellResult(c.call, c.Decision, c.Result)
}

// settled goes on, or ends, after all calls of a turn have their results.
func (r *run) settled() {
	calls, said := r.s.Turn.Calls, *r.s.Said
	r.s.settle(said, calls, r.config.StructuredResults)
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
			r.endWith(Event{Reason: TerminalTool, Text: c.Result.Output, Result: c.Result})
			return
		case c.Decision.Verdict == Deny && c.Decision.Ends:
			r.end(Denied, nil)
			return
		case err != nil && err.Category == Fatal:
			r.end(EndError, err)
			return
		}
		corrected = corrected && err != nil && (err.Category == Validation || err.Code == CodeUnknown)
		denied = denied && err != nil && err.Code == CodeDenied
		r.s.Watch.ChoiceMet = r.s.Watch.ChoiceMet || c.Result.Ran
	}
	w := &r.s.Watch
	w.Corrections, w.Denials = streak(w.Corrections, corrected), streak(w.Denials, denied)
	switch {
	case w.Denials >= r.config.MaxCorrections:
		r.end(Denied, nil)
	case w.Corrections > r.config.MaxCorrections:
		r.end(EndError, &LoopError{"none of its calls can run, however often it is told why"})
	case w.Warnings > 1:
		r.end(EndError, &LoopError{w.What})
	case finish.Reason == chat.FinishContentFilter, finish.Reason == chat.FinishRefusal, finish.Reason == chat.FinishError:
		r.end(EndError, &UnexpectedFinishError{finish})
	}
	for _, stop := range r.config.Stop {
		if reason := stop(r.s); reason != "" {
			r.end(reason, nil)
		}
	}
}

// streak counts how often something has come in a row.
func streak(n int, again bool) int {
	if again {
		return n + 1
	}
	return 0
}
