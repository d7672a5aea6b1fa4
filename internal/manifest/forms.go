package manifest

import (
	"fmt"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/schema"
)

// A schemaForm writes a tool. at is its number among the tools, from 1.
type schemaForm func(t *tool, at int) (string, error)

// formOf returns the form of a tool that a row asks for: as the template of its models lays it
// out or, in ours, as JSON without blanks. quote encloses strings in Gemma's form.
func formOf(show *dialect.Show, quote string, template bool) schemaForm {
	l := layout{ToolLayout: dialect.ToolLayout{Compact: true}, described: true}
	if template {
		l = layout{ToolLayout: show.Layout, before: show.Tools.Open + show.Tool.Open}
	}
	form := l.object(show.Form)
	switch show.Form {
	case dialect.ToolXML:
		form = xmlForm
	case dialect.ToolTags:
		form = l.tags
	case dialect.ToolTypeScript:
		form = l.typeScript
	case dialect.ToolGemma:
		form = literals{quote}.declaration
	case dialect.ToolPython:
		return pythonForm(show)
	case dialect.ToolLines:
		return l.lines(show)
	}
	if show.Tool == (dialect.Pair{}) {
		return form
	}
	return func(t *tool, at int) (string, error) {
		body, err := form(t, at)
		return show.Tool.Open + body + show.Tool.Close, err
	}
}

// signatureForm writes a tool on one line: its parameters with their types, and the
// descriptions of the tool and the parameters. It leaves out the descriptions of nested
// members, titles, examples, and the keywords deprecated, readOnly and writeOnly.
func signatureForm(t *tool, _ int) (string, error) {
	params, rest, err := t.params(inBrief)
	if err != nil {
		return "", err
	}
	var b, about strings.Builder
	b.WriteString(t.Name + "(")
	if len(params) == 0 { // empty parentheses would be a call in Python
		b.WriteString("no arguments")
	}
	for i, p := range params {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(memberName(p.Property) + ": " + withFacts(p.kind, p.facts))
		if p.about != "" {
			about.WriteString(" " + p.Name + ": " + p.about + ";")
		}
	}
	b.WriteString(withFacts(")", rest))
	if t.Description != "" {
		b.WriteString(" - " + oneLine(t.Description))
	}
	if about.Len() > 0 {
		b.WriteString(" |" + strings.TrimSuffix(about.String(), ";"))
	}
	return b.String(), nil
}

// param is a parameter with what is shown of it.
type param struct {
	schema.Property
	kind  string // its type
	facts []fact // what else its schema says
	about string // its description
}

// params returns the parameters of a tool, and what its schema says about all arguments
// together.
func (t *tool) params(how detail) (list []param, rest []fact, err error) {
	s, err := t.root()
	if err != nil {
		return nil, nil, err
	}
	for _, p := range s.AllProperties() {
		kind, notes, err := t.doc.typeText(p.Schema, how)
		if err != nil {
			return nil, nil, fmt.Errorf("tool %q: parameter %q: %w", t.Name, p.Name, err)
		}
		list = append(list, param{Property: p, kind: kind, facts: notes.facts, about: oneLine(notes.about)})
	}
	if rest, err = t.doc.rest(s, how); err != nil {
		return nil, nil, fmt.Errorf("tool %q: %w", t.Name, err)
	}
	return list, rest, nil
}

// root returns the shape of the arguments.
func (t *tool) root() (*schema.Shape, error) {
	s, err := t.doc.compiled.Shaper(maxWork).Shape(t.doc.root)
	if err != nil {
		return nil, fmt.Errorf("tool %q: %w", t.Name, err)
	}
	return s, nil
}

// oneLine replaces each run of blanks in a description by one space.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
