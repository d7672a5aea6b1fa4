package text

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/parser"
	"github.com/toolparse/toolparse/toolcall"
)

func (w *Writer) newParser() (*parser.Parser, error) {
	return parser.New(parser.Options{Dialects: []*parser.Dialect{w.d}, Tools: w.opts.Tools})
}

// readBack is a message as the parser reads it.
type readBack struct {
	text, reasoning strings.Builder
	calls           []*readCall
	broken          bool // a segment did not end as it should
}

type readCall struct {
	name string
	file string // the parameter that the content is; "" where the content is the arguments
	args strings.Builder
	meta []toolcall.Event // a start and an end with metadata
	end  toolcall.Event
}

// read parses what was written.
func (w *Writer) read(text string) (*readBack, error) {
	p, err := w.newParser()
	if err != nil {
		return nil, err
	}
	r := &readBack{}
	for _, e := range p.Close(p.Feed(nil, text)) {
		switch e.Segment {
		case toolcall.SegmentText:
			r.text.WriteString(e.Delta())
		case toolcall.SegmentReasoning:
			r.reasoning.WriteString(e.Delta())
		default:
			r.call(e)
			continue
		}
		if e.Type == toolcall.SegmentEnd && e.Status != toolcall.Complete {
			r.broken = true
		}
	}
	return r, nil
}

func (r *readBack) call(e toolcall.Event) {
	if e.Type == toolcall.SegmentStart {
		r.calls = append(r.calls, &readCall{name: e.Name, file: e.Origin.ContentParameter()})
	}
	c := r.calls[len(r.calls)-1]
	switch e.Type {
	case toolcall.SegmentContent:
		c.args.WriteString(e.Delta())
	case toolcall.SegmentEnd:
		c.end = e
	}
	if e.Type != toolcall.SegmentContent {
		c.meta = append(c.meta, e)
	}
}

// arguments are those of the call, put together for a tool with a segment of its
// own.
func (c *readCall) arguments() (*value, error) {
	if c.file == "" {
		return decode(json.RawMessage(c.args.String()))
	}
	args := jsonvalue.NewObject()
	for _, e := range c.meta {
		for name, text := range e.Parameters() {
			v, err := decode(text)
			if err != nil {
				return nil, err
			}
			args.Set(name, v)
		}
	}
	return args.Set(c.file, jsonvalue.NewString(c.args.String())), nil
}

// check reads back what was written. It must be the message.
func (w *Writer) check(text string, m Message, calls []call) error {
	r, err := w.read(text)
	if err != nil {
		return err
	}
	for i := range calls {
		if i >= len(r.calls) {
			return w.place(fault("it would not be read as a call"), calls[i].name, "")
		}
		if argument, err := calls[i].compare(r.calls[i]); err != nil {
			return w.place(err, calls[i].name, argument)
		}
	}
	switch {
	case len(r.calls) > len(calls):
		return w.place(fault("something in it would be read as a call"), r.calls[len(calls)].name, "")
	case strings.TrimSpace(r.reasoning.String()) != strings.TrimSpace(m.Reasoning):
		return w.place(faultf("the reasoning would be read as %s", clip(quoted(r.reasoning.String()))), "", "")
	case strings.TrimSpace(r.text.String()) != strings.TrimSpace(m.Text):
		return w.place(faultf("the text would be read as %s", clip(quoted(r.text.String()))), "", "")
	case r.broken:
		return w.place(fault("the reasoning would not end"), "", "")
	}
	return nil
}

// blame finds out which part of a message that does not read back is at fault. err
// is what was found of the whole.
func (w *Writer) blame(err error, before, after string, m Message, calls []call) error {
	if before == "" || after == "" {
		return err
	}
	if err := w.check(after, Message{}, calls); err != nil {
		return err
	}
	m.Calls = nil
	if err := w.check(before, m, nil); err != nil {
		return err
	}
	return w.place(fault("the text in front of the calls would hide them"), "", "")
}

func quoted(s string) string { return jsonvalue.Quote(s) }

// compare tells how a call that was read differs from c, and in which argument.
func (c *call) compare(read *readCall) (argument string, err error) {
	if read.name != c.name {
		return "", faultf("it would be read as a call of %q", read.name)
	}
	args, broken := read.arguments()
	if broken == nil {
		for i, name := range c.args.Keys {
			switch got := args.Get(name); {
			case got == nil:
				return name, fault("it would be lost")
			case !same(c.args.List[i], got):
				return name, faultf("it would be read as %s", clip(string(compact.appendJSON(nil, got))))
			}
		}
		if len(args.Keys) > len(c.args.Keys) {
			return "", fault("something in it would be read as one more argument")
		}
	}
	if read.end.Status != toolcall.Complete || broken != nil {
		return "", badEnd{fault(fmt.Sprintf("the call would be read as %s (%s)", read.end.Status, read.end.Reason)), read.end.Reason}
	}
	if read.end.Tolerances != 0 {
		return "", faultf("it would only be read with a tolerance: %s", read.end.Tolerances)
	}
	return "", nil
}
