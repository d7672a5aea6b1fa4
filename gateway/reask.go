package gateway

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/adapter"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/toolcall"
)

// reasks returns how many times the model may be asked again.
func (p *prepared) reasks() int {
	if len(p.tools) == 0 && p.form == nil {
		return 0 // nothing can be wrong
	}
	return p.target.Reask
}

// review checks whether an answer is as required.
type review struct {
	of     *prepared
	answer *toolparse.Answer
	raw    strings.Builder // what the model wrote, without reasoning
}

// add adds an event. It accepts a nil review, and does nothing then.
func (v *review) add(e toolparse.StreamEvent) {
	if v != nil && e.Segment != toolcall.SegmentReasoning {
		v.raw.WriteString(e.Raw)
	}
}

// again returns a request that asks once more and says what was wrong, or nil if the
// answer is acceptable. used are the tokens of the answer.
func (v *review) again(used chat.Usage) *prepared {
	problems := v.problems()
	if len(problems) == 0 {
		return nil
	}
	next := *v.of
	next.spent = next.spent.Add(used)
	next.losses = slices.Clone(next.losses)
	request := *next.sent
	request.Messages = slices.Concat(request.Messages, v.turns(problems))
	if next.target.Profile == ProfileTemplate {
		request.Messages = alternate(request.Messages)
	}
	next.encode(&request)
	return &next
}

// problems returns what is wrong with the answer, worded for the model. A truncated
// answer is not a problem: the client knows its limit, and the model could not do better.
func (v *review) problems() []string {
	if wire.IsCut(v.answer.Finish.Reason) {
		return nil
	}
	p, text := v.of, v.of.target.Dialect != nil
	var list []string
	for _, call := range v.answer.Calls {
		switch {
		case call.Runnable() || call.Reason == toolcall.ReasonDuplicate:
		case !text && call.Status == toolcall.Complete && call.Unknown: // may be a tool of the upstream's own
		default:
			list = append(list, adapter.Explain(call, p.tools))
		}
	}
	if !text || len(list) > 0 {
		return list
	}
	choice, calls := p.asked.ToolChoice, len(v.answer.Calls)
	var allowed []string
	for _, name := range choice.Tools {
		name, _ = p.names.Rename(name)
		allowed = append(allowed, name)
	}
	switch {
	case mustCall(p.asked) && calls == 0 && len(allowed) > 0:
		list = append(list, "The answer must contain a call of "+strings.Join(allowed, " or ")+", and has none.")
	case mustCall(p.asked) && calls == 0:
		list = append(list, "The answer must contain a call of a tool, but has none.")
	case p.form != nil && calls == 0:
		if problem := p.form.schema.AnswerProblem(strings.TrimSpace(v.answer.Text)); problem != "" {
			list = append(list, problem+"\nWrite the whole answer again.")
		}
	}
	for _, call := range v.answer.Calls {
		if len(allowed) > 0 && !slices.Contains(allowed, call.Name) {
			list = append(list, fmt.Sprintf("The tool %s may not be called now, only %s.", call.Name, strings.Join(allowed, ", ")))
		}
	}
	return list
}

// errNotRun is the result of a call in the same answer as a broken one.
var errNotRun = errors.New("not run, because another call of the same answer is broken; send it again")

// turns returns the answer and the problems as messages that continue the conversation.
func (v *review) turns(problems []string) []chat.Message {
	p := v.of
	words := toolparse.User(strings.Join(problems, "\n\n"))
	if p.target.Dialect == nil {
		turns := p.kit.Respond(v.answer, func(toolparse.ToolInvocation) (string, error) { return "", errNotRun })
		for i := range turns {
			for j := range turns[i].Parts {
				if call := turns[i].Parts[j].Call; call != nil {
					call.Name = p.names.Source(call.Name)
				}
				if result := turns[i].Parts[j].Result; result != nil {
					result.Name = p.names.Source(result.Name)
				}
			}
		}
		return turns
	}
	answer := chat.Message{Role: chat.Assistant}
	if text := strings.TrimSpace(v.raw.String()); text != "" {
		answer.Parts = []chat.Part{chat.TextPart(text)}
	}
	return []chat.Message{answer, words}
}
