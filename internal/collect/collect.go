// Package collect assembles calls from the events of a parser.
package collect

import (
	"encoding/json"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/toolcall"
)

// Call collects the events of one call. Initialise Start with the call's first event.
type Call struct {
	Start, End toolcall.Event
	Content    []byte
}

// Add takes the next event after the start. It copies the payload.
func (c *Call) Add(e *toolcall.Event) {
	switch e.Type {
	case toolcall.SegmentContent:
		c.Content = append(c.Content, e.Payload...)
	case toolcall.SegmentEnd:
		c.End = *e
	}
}

// Arguments returns the arguments of the call as JSON. Usually that is Content itself. For
// a file tool's segment, whose content is one of the arguments, it is an object of the
// parameters in the start and end events, with the content last.
func (c *Call) Arguments() json.RawMessage {
	content := c.Start.ContentParameter()
	if content == "" {
		return c.Content
	}
	values := map[string]json.RawMessage{}
	var names []string
	for _, e := range [...]*toolcall.Event{&c.Start, &c.End} {
		for name, value := range e.Parameters() {
			if values[name] == nil && name != content {
				names = append(names, name)
			}
			values[name] = value
		}
	}
	args := make([]byte, 0, len(c.Start.Payload)+len(c.End.Payload)+len(c.Content)+len(c.Content)/8+64)
	args = append(args, '{')
	for _, name := range names {
		args = append(jsonvalue.AppendQuoted(args, name), ':')
		args = append(append(args, values[name]...), ',')
	}
	args = append(jsonvalue.AppendQuoted(args, content), ':')
	return append(jsonvalue.AppendQuoted(args, string(c.Content)), '}')
}

// Text is a completely parsed text: its calls in order, and everything else.
type Text struct {
	Text, Reasoning []byte
	Calls           []*Call
	Broken          bool // text or reasoning did not end as complete
}

// All collects the events of a whole text. Segments must not overlap.
func All(events []toolcall.Event) *Text {
	t := &Text{}
	for i := range events {
		e := &events[i]
		switch {
		case e.Segment.IsCall() && e.Type == toolcall.SegmentStart:
			t.Calls = append(t.Calls, &Call{Start: *e})
		case e.Segment.IsCall():
			t.Calls[len(t.Calls)-1].Add(e)
		case e.Type == toolcall.SegmentEnd:
			t.Broken = t.Broken || e.Status != toolcall.Complete
		case e.Segment == toolcall.SegmentText:
			t.Text = append(t.Text, e.Delta()...)
		case e.Segment == toolcall.SegmentReasoning:
			t.Reasoning = append(t.Reasoning, e.Delta()...)
		}
	}
	return t
}
