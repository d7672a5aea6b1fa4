// Package text writes the turns of a model and the results of its calls in a text
// dialect: reasoning, text, calls and results, in the form of the model's own chat
// template.
//
// It uses the same [dialect.Dialect] as the parser, which reads the same message back. If
// a dialect cannot express a value, a [Writer] returns an [*Error] and writes nothing,
// instead of writing something with another meaning.
package text

import (
	"bytes"
	"strings"
	"sync"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/toolcall"
)

// Options configure a Writer. The zero value is ready for use.
type Options struct {
	// Tools are the declared tools. A dialect without marks for types writes a value that
	// is not a string only if the schema of its tool gives the reader the type.
	Tools []toolcall.ToolDefinition
	// Schemas are the parameters of Tools by name, as [parser.Compiled.Schemas] returns
	// them. Nil compiles them.
	Schemas map[string]*schema.Schema

	// Unchecked skips the final check, which reads a message back. The writer still
	// reports values that it knows it cannot express, but not, for example, a marker in a
	// string of a dialect without escapes.
	Unchecked bool
}

// Message is one turn of a model.
type Message struct {
	Reasoning string
	Text      string
	// Calls follow the text. The writer uses Name, Arguments, which must be one JSON
	// object or empty, and CallID, if the dialect has ids.
	Calls []toolcall.ToolInvocation
	// Earlier is the number of calls before these in the conversation, for dialects that
	// number them.
	Earlier int
	// Turn writes the message as a turn of a conversation, with the empty markers with
	// which the model's template writes calls without text.
	Turn bool
}

// Writer writes messages in one dialect. It is safe for concurrent use.
type Writer struct {
	d       *dialect.Dialect
	opts    Options
	schemas map[string]*schema.Schema
	form    *Form
	layout  jsonvalue.Layout
	markers []string  // that no result may contain
	readers sync.Pool // of *reader, which read the text back
}

// NewWriter returns a writer. It fails if the parameters of a tool are not a JSON Schema,
// or the dialect is invalid.
func NewWriter(d *dialect.Dialect, opts Options) (*Writer, error) {
	compiled, err := parser.Compile(parser.Options{Dialects: []*dialect.Dialect{d}, Tools: opts.Tools, Schemas: opts.Schemas})
	if err != nil {
		return nil, err
	}
	w := &Writer{d: d, opts: opts, schemas: compiled.Schemas(), form: FormOf(d), layout: d.Written.JSON(), markers: markersOf(d)}
	w.readers.New = func() any { return &reader{parser: compiled.New()} }
	return w, nil
}

// Append appends a message in the form of the model's template: reasoning, text, calls.
// The parser reads the same message back, except for blanks at the ends of reasoning and
// text. If that is impossible, Append returns an [*Error], and dst unchanged.
func (w *Writer) Append(dst []byte, m Message) ([]byte, error) {
	out, err := w.append(dst, m)
	if err != nil && m.Turn { // drop the empty markers, which are not essential
		m.Turn = false
		return w.append(dst, m)
	}
	return out, err
}

func (w *Writer) append(dst []byte, m Message) ([]byte, error) {
	calls, err := w.decodeCalls(m.Calls, m.Earlier)
	if err != nil {
		return dst, err
	}
	from := len(dst)
	out, err := w.appendReasoning(dst, m.Reasoning)
	if err != nil {
		return dst, w.place(err, "", "")
	}
	out = w.appendText(out, m.Text, m.Turn && len(calls) > 0)
	before := len(out)
	if len(calls) > 0 {
		out = w.appendLead(out, out[from:], m.Text)
		if out, err = w.appendCalls(out, calls); err != nil {
			return dst, err
		}
	}
	if !w.opts.Unchecked {
		if err := w.check(string(out[from:]), m, calls); err != nil {
			return dst, w.blame(err, string(out[from:before]), string(out[before:]), m, calls)
		}
	}
	return out, nil
}

// appendReasoning writes reasoning in the markers of the dialect.
func (w *Writer) appendReasoning(dst []byte, text string) ([]byte, error) {
	if text == "" {
		return dst, nil
	}
	around := w.d.Written.Reasoning
	if around.Open == "" && len(w.d.Reasoning) > 0 {
		around = dialect.Pair{Open: w.d.Reasoning[0].Open, Close: w.d.Reasoning[0].Close}
	}
	if around.Open == "" {
		return dst, fault("the dialect has no reasoning")
	}
	return append(append(append(dst, around.Open...), text...), around.Close...), nil
}

// appendText writes text. With empty, it also writes the markers if there is no text, as
// the template does.
func (w *Writer) appendText(dst []byte, text string, empty bool) []byte {
	if text == "" && !(empty && w.d.Written.TextAlways) {
		return dst
	}
	around := w.d.Written.Text
	return append(append(append(dst, around.Open...), text...), around.Close...)
}

// appendLead writes what stands between other parts of a message, which are
// written, and its calls.
func (w *Writer) appendLead(dst, written []byte, text string) []byte {
	switch n := len(written); {
	case n == 0:
		return dst
	case w.d.Written.Lead != "" && (text != "" || w.d.Written.LeadReasoning):
		if text != "" && strings.Trim(w.d.Written.Lead, "\n") == "" { // it stands for the line feeds that the text ends with
			dst = bytes.TrimRight(dst, "\n")
		}
		return append(dst, w.d.Written.Lead...)
	case w.d.Frame.At == dialect.AtLine && written[n-1] != '\n':
		return append(dst, '\n')
	}
	return dst
}

// place makes err an Error that names where it is.
func (w *Writer) place(err error, tool, argument string) error {
	switch f := err.(type) {
	case fault:
		return &Error{Dialect: w.d.Name, Tool: tool, Argument: argument, Reason: string(f)}
	case badEnd:
		return &Error{Dialect: w.d.Name, Tool: tool, Argument: argument, Reason: string(f.fault), Read: f.reason}
	}
	return err
}
