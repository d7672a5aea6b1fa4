package text

import (
	"fmt"
	"strings"

	"github.com/toolparse/toolparse/internal/collect"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// reader is a parser with memory for its events.
type reader struct {
	parser *parser.Parser
	events []toolcall.Event
}

// read parses written text.
func (w *Writer) read(text string) *collect.Text {
	r := w.readers.Get().(*reader)
	defer w.readers.Put(r)
	r.parser.Reset()
	r.events = r.parser.Close(r.parser.Feed(r.events[:0], text))
	return collect.All(r.events)
}

// check reads the written text back, and returns an error if it differs from the message.
func (w *Writer) check(text string, m Message, calls []call) error {
	r := w.read(text)
	for i := range calls {
		if i >= len(r.Calls) {
			return w.place(fault("it would not be read as a call"), calls[i].name, "")
		}
		if argument, err := calls[i].compare(r.Calls[i]); err != nil {
			return w.place(err, calls[i].name, argument)
		}
	}
	switch {
	case len(r.Calls) > len(calls):
		return w.place(fault("something in it would be read as a call"), r.Calls[len(calls)].Start.Name, "")
	case strings.TrimSpace(string(r.Reasoning)) != strings.TrimSpace(m.Reasoning):
		return w.place(syntax.Reasonf("the reasoning would be read as %s", syntax.Clip(quoted(string(r.Reasoning)))), "", "")
	case strings.TrimSpace(string(r.Text)) != strings.TrimSpace(m.Text):
		return w.place(syntax.Reasonf("the text would be read as %s", syntax.Clip(quoted(string(r.Text)))), "", "")
	case r.Broken:
		return w.place(fault("the reasoning would not end"), "", "")
	}
	return nil
}

// blame finds the part of a message that cannot be read back. err is the error for the
// whole message.
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

// compare returns how a call that was read differs from c, and in which argument.
func (c *call) compare(read *collect.Call) (argument string, err error) {
	if read.Start.Name != c.name {
		return "", syntax.Reasonf("it would be read as a call of %q", read.Start.Name)
	}
	args, broken := syntax.Decode(read.Arguments())
	if broken == nil {
		for i, name := range c.args.Keys {
			switch got := args.Get(name); {
			case got == nil:
				return name, fault("it would be lost")
			case !syntax.Same(c.args.List[i], got):
				return name, syntax.Reasonf("it would be read as %s", syntax.Clip(string(jsonvalue.Compact.AppendAt(nil, got, 0))))
			}
		}
		if len(args.Keys) > len(c.args.Keys) {
			return "", fault("something in it would be read as one more argument")
		}
	}
	if read.End.Status != toolcall.Complete || broken != nil {
		return "", badEnd{fault(fmt.Sprintf("the call would be read as %s (%s)", read.End.Status, read.End.Reason)), read.End.Reason}
	}
	if read.End.Tolerances != 0 {
		return "", syntax.Reasonf("it would only be read with a tolerance: %s", read.End.Tolerances)
	}
	return "", nil
}
