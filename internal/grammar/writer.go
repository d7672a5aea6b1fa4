package grammar

import (
	"fmt"
	"slices"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/rules"
	"github.com/toolparse/toolparse/internal/syntax/all"
	written "github.com/toolparse/toolparse/internal/text"
	"github.com/toolparse/toolparse/internal/toolset"
)

// writer writes the grammar of one dialect and its tools.
type writer struct {
	*rules.Writer
	o     Options
	form  *written.Form
	calls map[*rules.Tool]*parts
}

func newWriter(d *dialect.Dialect, o Options) (*writer, error) {
	w := &writer{o: o, calls: map[*rules.Tool]*parts{}, Writer: rules.NewWriter(d, func(tool, name string, top bool) error {
		return toolset.CheckParameter(d, tool, name, top)
	})}
	if o.Choice.Mode == chat.ChoiceNone {
		return nil, &Error{Dialect: d.Name, Reason: "tool choice none: a grammar needs a tool to call"}
	}
	tools, err := toolset.Read(o.Tools)
	if err != nil {
		return nil, err
	}
	if err := toolset.Check(d, tools, o.Choice); err != nil {
		return nil, err
	}
	w.form = written.FormOf(d)
	for _, read := range tools {
		if len(o.Choice.Tools) > 0 && !slices.Contains(o.Choice.Tools, read.Name) {
			continue
		}
		t := &rules.Tool{ToolDefinition: read.ToolDefinition}
		if len(t.Parameters) > 0 && read.Root.Kind != jsonvalue.Null {
			t.Schema, t.Shaper = read.Root, read.Document.Shaper(maxSteps)
		}
		w.Tools = append(w.Tools, t)
	}
	if len(w.Tools) == 0 {
		return nil, &Error{Dialect: d.Name, Reason: "there are no tools"}
	}
	return w, w.writeCalls()
}

// writeCalls writes the calls of all tools. It leaves out tools whose calls cannot be
// written, and fails if that is all of them.
func (w *writer) writeCalls() error {
	var first *rules.Failure
	var could []*rules.Tool
	for _, t := range w.Tools {
		w.Before = len(w.List)
		losses := len(w.Losses)
		err := w.Try(func() {
			p := w.call(t)
			w.calls[t] = &p
		})
		if err == nil {
			could = append(could, t)
			continue
		}
		if first == nil {
			first = err
		}
		reason := err.Reason
		if err.Path != "" {
			reason = "at " + err.Path + ": " + reason
		}
		w.Losses = append(w.Losses[:losses], rules.Loss{Field: fmt.Sprintf("tool %q", t.Name), Reason: reason, Action: "the tool is left out of the grammar"})
	}
	if w.Tools = could; len(could) == 0 {
		return &Error{Dialect: w.Dialect.Name, Tool: first.Tool, Path: first.Path, Reason: first.Reason}
	}
	return nil
}

// maxSteps bounds how many schemas are read for one tool, because references can
// multiply them.
const maxSteps = 200000

// arguments returns the alternatives of a tool's arguments, all of them objects.
func (w *writer) arguments(t *rules.Tool) []*rules.Shape {
	var list []*rules.Shape
	for _, s := range w.Shapes(t, t.Schema, "") {
		if s.Types != nil && !slices.Contains(s.Types, "object") {
			w.Fail(t, "/type", "the arguments must be an object")
		}
		if s.Never {
			w.Fail(t, "", "its schema allows no arguments at all")
		}
		s.Types = []string{"object"}
		s.Properties = s.AllProperties()
		if t.Schema != nil && s.AdditionalProperties == nil && len(s.PatternProperties) == 0 {
			s.AdditionalProperties = truth(false) // a tool without parameters gets no arguments
		}
		list = append(list, s)
	}
	return list
}

// get returns a member of an object, or nil if it is missing or null. Some generators
// write null for keywords that are not set.
func get(v *jsonvalue.Value, key string) *jsonvalue.Value {
	if m := v.Get(key); !m.Is(jsonvalue.Null) {
		return m
	}
	return nil
}

func object() *jsonvalue.Value                     { return jsonvalue.NewObject() }
func text(s string) *jsonvalue.Value               { return jsonvalue.NewString(s) }
func truth(b bool) *jsonvalue.Value                { return jsonvalue.NewBool(b) }
func list(of ...*jsonvalue.Value) *jsonvalue.Value { return jsonvalue.NewArray(of...) }
func count(n int) *jsonvalue.Value {
	return &jsonvalue.Value{Kind: jsonvalue.Number, Text: fmt.Sprint(n), Raw: fmt.Sprint(n)}
}

// args matches the arguments of a call of t.
func (w *writer) args(t *rules.Tool) *rules.Node {
	list := w.arguments(t)
	if len(list) == 0 { // w.Failure says why
		return rules.Alt()
	}
	s := all.Of(&w.Dialect.Args)
	return w.Alternatives(len(list), func(i int) *rules.Node {
		if s == nil {
			return w.Object(t, list[i], w.JSON, "")
		}
		return s.Grammar(w.Writer, t, list[i])
	})
}
