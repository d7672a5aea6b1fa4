package toolparse

import (
	"io"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
)

// Answer is a whole answer of a model.
type Answer struct {
	Text      string           // what the user is to read
	Reasoning string           // what the model thought, as far as it is shown
	Refusal   string           // what a provider keeps apart as a refusal
	Calls     []ToolInvocation // in the order in which they ended
	Finish    Finish           // why the answer ended; of plain text, what its calls say
	Usage     Usage            // of tokens, as the provider counts
	Model     string           // by the provider's word
	Wire      Wire             // that the answer came in; Text for none
	Notes     []Note           // what looked like a call and is none, and what was not read
}

// Runnable returns the calls that may be run.
func (a *Answer) Runnable() []ToolInvocation {
	var calls []ToolInvocation
	for _, c := range a.Calls {
		if c.Runnable() {
			calls = append(calls, c)
		}
	}
	return calls
}

// Collect reads a whole body, or a whole text. With an error, as in [Kit.Calls],
// the answer holds what had come before it.
func (k *Kit) Collect(r io.Reader) (*Answer, error) {
	s, err := k.open(r)
	if err != nil {
		return &Answer{}, err
	}
	a := &Answer{Wire: s.wire}
	var text, reasoning, refusal strings.Builder
	for e, failed := range s.events() {
		if failed != nil {
			err = failed
			break
		}
		if e.Call != nil {
			a.Calls = append(a.Calls, *e.Call)
		}
		if e.Type != SegmentContent {
			continue
		}
		switch e.Segment {
		case SegmentText:
			text.WriteString(e.Payload)
		case SegmentReasoning:
			reasoning.WriteString(e.Payload)
		case SegmentRefusal:
			refusal.WriteString(e.Payload)
		}
	}
	meta := s.body.Meta()
	a.Text, a.Reasoning, a.Refusal = text.String(), reasoning.String(), refusal.String()
	a.Usage, a.Model, a.Notes = meta.Usage, meta.Model, append(s.notes, s.unread.Notes()...)
	a.Finish = chat.FinishOf(string(s.wire), s.finish, len(a.Calls) > 0)
	return a, err
}
