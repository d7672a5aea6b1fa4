package agent

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/toolcall"
)

// ask sends the conversation to the model and handles its answer.
func (r *run) ask() {
	step := r.config
	if r.s.Watch.ChoiceMet { // a forced tool choice applies once
		step.Request.ToolChoice = chat.ToolChoice{}
	}
	if r.config.Prepare != nil {
		if err := r.config.Prepare(r.ctx, r.s, &step); err != nil {
			r.end(EndError, err)
			return
		}
	}
	tools, err := r.toolsFor(&step)
	if err != nil {
		r.end(EndError, err)
		return
	}
	can, err := step.Provider.Capabilities()
	if err != nil {
		r.end(EndError, err)
		return
	}
	r.tools = tools
	step.System = r.form.words(step.System, len(tools.infos) > 0)
	if err := r.config.History.apply(r.ctx, r.s, step.System, tools); err != nil {
		r.end(EndError, err)
		return
	}
	r.s.Turns++
	r.s.Total++
	r.s.Asked = true
	r.executor = r.executorFor(tools, step.Request.ToolChoice)
	if !r.emit(Event{Type: TurnStart}) {
		return
	}
	began, retries := time.Now(), r.retries
	answer := r.listen(&step, can, tools)
	if answer == nil {
		return
	}
	r.text, r.finish = answer.Text, answer.Finish
	cost := Step{
		Turn: r.s.Turns, Model: cmp.Or(answer.Model, step.Request.Model), Finish: answer.Finish.Reason.String(), Calls: len(r.executor.turn.Calls),
		Retries: r.retries - retries, Usage: answer.Usage, Cost: step.Price.of(wire.WithTotal(answer.Usage)), Duration: time.Since(began),
	}
	r.s.record(cost)
	r.log.Info("answer", "session", r.s.ID, "turn", r.s.Turns, "provider", step.Provider.Name(), "model", cost.Model,
		"finish", cost.Finish, "calls", cost.Calls, "tokens", cost.Usage.Total, "duration", cost.Duration)
	for _, note := range answer.Notes {
		if text := noteText(note); text != "" {
			r.emit(Event{Type: Notice, Text: text})
		}
	}
	if !r.emit(Event{Type: TurnEnd, Step: cost, Err: r.broke}) {
		return
	}
	if r.s.Turn == nil {
		r.answered(answer, step.Request.ToolChoice)
	}
}

// noteText words a note about calls that do not count, for people.
func noteText(n toolparse.Note) string {
	switch n.Kind {
	case toolcall.NoteUnread:
		return fmt.Sprintf("the text contains a call in the dialect %s, which is not being read; use -d %[1]s", n.Dialect)
	case toolcall.NoteReasoning:
		return "the reasoning contains a call, which does not count there"
	case toolcall.NoteCut:
		return "the text after a call looks like the rest of its last argument"
	case toolcall.NoteFault:
		return "in the server's answer: " + n.Rule
	}
	return ""
}

// maxQueued bounds the calls of an answer that get a result, unless Config.MaxCalls is
// higher. The conversation is legal without the others, and bounded: a model that repeats
// itself until its limit makes thousands of calls.
const maxQueued = 256

// reception is what has come of an answer.
type reception struct {
	answer  toolparse.Answer
	calls   []toolcall.ToolInvocation
	further int   // calls after the most that get a result
	err     error // why it broke off
}

// listen reads an answer, and puts its calls into the session's turn. It returns nil if
// there is no answer and the run has ended.
func (r *run) listen(step *Config, can Capabilities, tools *toolbox) *toolparse.Answer {
	r.executor.turn.Open = r.config.Early
	prefix := fmt.Sprintf("t%d_", r.s.Total)
	got, ok := r.receive(r.request(step, can, tools), step.Provider, prefix)
	if !ok {
		return nil
	}
	answer := &got.answer
	if got.err != nil && r.ctx.Err() == nil {
		if len(answer.Message.Parts) == 0 && len(got.calls) == 0 {
			r.end(EndError, got.err) // nothing of the answer has come, so that the caller can send the request again
			return nil
		}
		r.broke = brokenOff(got.err)
	}
	r.executor.turn.Open = false
	message := ownIDs(answer.Message, prefix, got.calls)
	if limit := step.Request.MaxTokens; limit > 0 && answer.Usage.Output >= limit {
		answer.Finish.Reason = chat.FinishLength // whatever the server says
	}
	if answer.Finish.Reason == chat.FinishLength {
		message = r.cutLast(message, got.calls)
	}
	if len(got.calls) > 0 {
		r.s.Answer = &message
		r.open()
		if !r.config.Early && !r.queue(got.calls...) {
			return nil
		}
		r.watch(answer.Text)
	}
	if got.further > 0 {
		most := len(got.calls)
		r.emit(Event{Type: Notice, Text: fmt.Sprintf("the answer has %d calls; those after the first %d are left out", most+got.further, most)})
	}
	answer.Message = message
	return answer
}

// receive sends a request, and yields what comes of the answer as events whose ids begin
// with prefix. With [Config.Early], it starts calls while the answer is being written. It
// returns false if the run has ended meanwhile.
func (r *run) receive(request *toolparse.Request, provider Provider, prefix string) (got reception, ok bool) {
	ctx, cancel := r.ctx, context.CancelFunc(func() {})
	if r.config.TurnTimeout > 0 {
		ctx, cancel = context.WithTimeout(ctx, r.config.TurnTimeout)
	}
	defer cancel()
	most := max(maxQueued, r.config.MaxCalls)
	for chunk, err := range r.config.Retry.stream(ctx, provider, request) {
		switch {
		case err != nil:
			got.err = err
			return got, true
		case chunk.Notice != "":
			if chunk.Retry {
				r.retries++
			}
			r.log.Warn(chunk.Notice, "session", r.s.ID, "turn", r.s.Turns)
			if !r.emit(Event{Type: Notice, Text: chunk.Notice}) {
				return got, false
			}
			continue
		case chunk.Answer != nil:
			got.answer = *chunk.Answer
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
			return got, false
		}
		switch {
		case e.Call == nil:
		case len(got.calls) == most:
			got.further++
		default:
			got.calls = append(got.calls, *e.Call)
			if r.config.Early && !r.queueEarly(*e.Call) {
				return got, false
			}
		}
	}
	return got, true
}

// queueEarly queues a call of an answer that is still being written, and starts it if
// that is allowed. It returns false if the run has ended.
func (r *run) queueEarly(call toolcall.ToolInvocation) bool {
	r.open()
	return r.queue(call) && r.startEarly()
}

// open puts the calls of the answer into the session.
func (r *run) open() {
	if r.s.Turn == nil {
		r.s.Turn = r.executor.turn
		r.s.take(false)
	}
}

// cutLast removes the last call from an answer that reached its token limit, unless
// something follows the call. It removes complete calls, too: a server that repairs JSON,
// or sends calls whole, makes half a call look complete.
func (r *run) cutLast(message chat.Message, calls []toolcall.ToolInvocation) chat.Message {
	n := len(message.Parts)
	if n == 0 || message.Parts[n-1].Kind != chat.PartCall || len(calls) == 0 {
		return message
	}
	last := &calls[len(calls)-1]
	if c := r.executor.find(last.ID); c != nil { // with Early, the executor already has it
		if c.Status >= callRunning {
			return message
		}
		c.Status = callQueued
		c.Invocation.Status, c.Invocation.Reason = toolcall.Incomplete, toolcall.ReasonTruncated
	}
	last.Status, last.Reason = toolcall.Incomplete, toolcall.ReasonTruncated
	message.Parts = message.Parts[:n-1]
	return message
}

// ownIDs returns the answer's message with only the complete calls that were reported,
// and with an id for each call that has none from the provider.
func ownIDs(message chat.Message, prefix string, calls []toolcall.ToolInvocation) chat.Message {
	out := chat.Message{Role: chat.Assistant, Extras: message.Extras}
	left := slices.DeleteFunc(slices.Clone(calls), func(c toolcall.ToolInvocation) bool { return c.Status != toolcall.Complete })
	for _, p := range message.Parts {
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

// wireID returns the id of a call in the conversation with its provider.
func wireID(inv toolcall.ToolInvocation) string { return cmp.Or(inv.CallID, inv.ID) }

// isRepeat reports whether an invocation only repeats another one, so that it needs no
// report.
func isRepeat(inv toolcall.ToolInvocation) bool { return inv.Reason == toolcall.ReasonDuplicate }

// answered handles an answer without calls.
func (r *run) answered(answer *toolparse.Answer, choice chat.ToolChoice) {
	r.s.take(answer.Finish.Reason == chat.FinishPause && r.broke == nil)
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
		r.end(EndError, finishError(answer.Finish))
		return
	}
	if choice.Mode == chat.ChoiceRequired || choice.Mode == chat.ChoiceOne {
		tools := cmp.Or(strings.Join(choice.Tools, " or "), "a tool")
		r.correct("A call of "+tools+" is required now.", "it does not make the required call")
		return
	}
	value, problem := r.form.check(answer.Text)
	if problem != "" {
		r.correct(problem, wrongForm)
		return
	}
	r.text = value
	r.end(FinalAnswer, nil)
}

// correct asks the model for what is missing in its answer, a limited number of times.
func (r *run) correct(text, repeated string) {
	r.s.Watch.Corrections++
	if r.s.Watch.Corrections > r.config.MaxCorrections {
		r.end(EndError, loopError(repeated))
		return
	}
	r.s.Messages = append(r.s.Messages, toolparse.User(text))
}

// request returns the request to the provider.
func (r *run) request(step *Config, can Capabilities, tools *toolbox) *toolparse.Request {
	request := step.Request
	request.Messages, request.Tools, request.Extras = nil, nil, slices.Clip(request.Extras)
	request.Stream, request.StreamUsage = can.Streaming, can.Streaming
	if step.System != "" {
		request.Messages = []chat.Message{{Role: chat.System, Parts: []chat.Part{chat.TextPart(step.System)}}}
	}
	request.Messages = append(request.Messages, r.s.Messages...)
	for _, tool := range tools.Definitions() {
		request.Tools = append(request.Tools, chat.Tool{ToolDefinition: tool})
	}
	r.form.ask(&request, can)
	if len(request.Tools) == 0 || can.Tools && !can.ToolChoice { // written in the prompt, every model can follow it
		request.ToolChoice = chat.ToolChoice{}
	}
	if len(request.Tools) > 0 && !can.Parallel {
		request.ParallelCalls = chat.Off
	}
	return &request
}
