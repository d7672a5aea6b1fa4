package manifest

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"unicode"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/schema"
)

// maxTypeText limits the text of one parameter's type, in bytes, because references can
// multiply.
const maxTypeText = 64 << 10

var errTypeText = errors.New("the schema is too large to be written as a type")

// withFacts returns a type with its facts.
func withFacts(kind string, facts []fact) string {
	if len(facts) == 0 {
		return kind
	}
	return kind + " (" + joined(facts) + ")"
}

// detail says how much a type says.
type detail uint8

const (
	inFull detail = iota
	// inBrief leaves out the descriptions of nested members, and annotations other than
	// defaults.
	inBrief
)

// typeWriter writes types as in TypeScript: string, "a"|"b", integer[],
// {city: string, days?: integer (minimum 1)}. If the type of undeclared members is known,
// [key] represents them.
type typeWriter struct {
	detail
	b      []byte
	shaper *schema.Shaper
	open   []*node
}

// typeNotes are what a schema says besides its type.
type typeNotes struct {
	about string
	facts []fact
	union bool // the type is one of several
}

// typeText returns the type that a schema describes, and what else the schema says.
func (d *document) typeText(n *node, how detail) (string, typeNotes, error) {
	w := typeWriter{detail: how, shaper: d.compiled.Shaper(maxTypeWork)}
	notes, err := w.bare(n)
	return string(w.b), notes, err
}

// fullType returns the type that a schema describes, with its facts.
func (d *document) fullType(n *node, how detail) (string, error) {
	kind, notes, err := d.typeText(n, how)
	return withFacts(kind, notes.facts), err
}

// write writes a type with its facts and description. It reports whether the type needs
// parentheses before an operator.
func (w *typeWriter) write(n *node) (compound bool, err error) {
	from := len(w.b)
	notes, err := w.bare(n)
	if err != nil {
		return false, err
	}
	facts := notes.facts
	if notes.about != "" && w.detail == inFull {
		facts = append([]fact{{text: jsonvalue.Quote(oneLine(notes.about))}}, facts...)
	}
	if len(facts) == 0 {
		return notes.union, nil
	}
	if notes.union {
		w.enclose(from)
	}
	w.b = append(append(append(w.b, " ("...), joined(facts)...), ')')
	return true, nil
}

// enclose puts parentheses around the text from an offset on.
func (w *typeWriter) enclose(from int) {
	w.b = append(slices.Insert(w.b, from, '('), ')')
}

// bare writes a type alone, and returns what else its schema says.
func (w *typeWriter) bare(n *node) (typeNotes, error) {
	switch {
	case slices.Contains(w.open, n): // it contains itself
		w.b = append(w.b, "..."...)
		return typeNotes{}, nil
	case len(w.b) > maxTypeText:
		return typeNotes{}, errTypeText
	}
	w.open = append(w.open, n)
	defer func() { w.open = w.open[:len(w.open)-1] }()
	s, err := w.shaper.Shape(n)
	if err != nil {
		return typeNotes{}, err
	}
	facts := factsOf(s)
	if w.detail == inBrief {
		facts = slices.DeleteFunc(facts, func(f fact) bool { return slices.Contains(annotations, f.key) })
	}
	if len(s.Choices) == 1 && len(s.Enum) == 0 && len(s.Types) == 0 && isPlain(s) {
		return typeNotes{aboutOf(s), facts, len(s.Choices[0].List) > 1}, w.union(s.Choices[0].List)
	}
	if err := w.shape(s); err != nil {
		return typeNotes{}, err
	}
	for _, c := range s.Choices {
		inner := typeWriter{detail: w.detail, shaper: w.shaper, open: w.open}
		if err := inner.union(c.List); err != nil {
			return typeNotes{}, err
		}
		if len(w.b)+len(inner.b) > maxTypeText {
			return typeNotes{}, errTypeText
		}
		facts = append(facts, fact{key: c.Keyword, text: string(inner.b)})
	}
	return typeNotes{aboutOf(s), facts, len(s.Enum) > 1 || len(s.Enum) == 0 && len(s.Types) > 1}, nil
}

// isPlain reports whether a shape says nothing about members or elements.
func isPlain(s *schema.Shape) bool {
	return len(s.Properties) == 0 && len(s.Required) == 0 && itemsOf(s) == nil && len(s.PrefixItems) == 0 && extraOf(s) == nil
}

// aboutOf returns the description of a value.
func aboutOf(s *schema.Shape) string { return cmp.Or(s.Description, s.Title) }

// extraOf returns the schema of undeclared members, and itemsOf that of elements, or nil.
func extraOf(s *schema.Shape) *node { return ifObject(s.AdditionalProperties) }
func itemsOf(s *schema.Shape) *node { return ifObject(s.Items) }

func ifObject(n *node) *node {
	if n.Is(jsonvalue.Object) {
		return n
	}
	return nil
}

func (w *typeWriter) union(list []*node) error {
	for i, c := range list {
		w.bar(i)
		if _, err := w.write(c); err != nil {
			return err
		}
	}
	return nil
}

func (w *typeWriter) shape(s *schema.Shape) error {
	types := s.Types
	switch kind := kindOf(s); {
	case len(s.Enum) > 0:
		for i, v := range s.Enum {
			w.bar(i)
			w.b = append(w.b, compact(v)...)
		}
		return nil
	case len(types) > 0:
	case kind == "object" || kind == "array":
		types = []string{kind}
	default:
		types = []string{"any"}
	}
	for i, t := range types {
		w.bar(i)
		if err := w.one(s, t); err != nil {
			return err
		}
	}
	return nil
}

func (w *typeWriter) bar(i int) {
	if i > 0 {
		w.b = append(w.b, '|')
	}
}

// one writes one of the types of a shape.
func (w *typeWriter) one(s *schema.Shape, kind string) error {
	switch {
	case kind == "object" && (len(s.AllProperties()) > 0 || extraOf(s) != nil):
		return w.object(s)
	case kind == "array" && len(s.PrefixItems) > 0:
		return w.list(s)
	case kind == "array" && itemsOf(s) != nil:
		return w.array(s.Items)
	}
	w.b = append(w.b, kind...)
	return nil
}

func (w *typeWriter) object(s *schema.Shape) error {
	comma := "{"
	for _, p := range s.AllProperties() {
		w.b = append(append(append(w.b, comma...), memberName(p)...), ": "...)
		if _, err := w.write(p.Schema); err != nil {
			return err
		}
		comma = ", "
	}
	if extra := extraOf(s); extra != nil {
		w.b = append(append(w.b, comma...), "[key]: "...)
		if _, err := w.write(extra); err != nil {
			return err
		}
	}
	w.b = append(w.b, '}')
	return nil
}

// list writes a list whose elements have types by their position.
func (w *typeWriter) list(s *schema.Shape) error {
	for i, n := range s.PrefixItems {
		w.b = append(w.b, [...]string{"[", ", "}[min(i, 1)]...)
		if _, err := w.write(n); err != nil {
			return err
		}
	}
	if items := itemsOf(s); items != nil {
		w.b = append(w.b, ", ..."...)
		if err := w.array(items); err != nil {
			return err
		}
	}
	w.b = append(w.b, ']')
	return nil
}

func (w *typeWriter) array(items *node) error {
	from := len(w.b)
	compound, err := w.write(items)
	if compound {
		w.enclose(from)
	}
	w.b = append(w.b, "[]"...)
	return err
}

// memberName returns the name of a member, in quotes if it is not a word, and with a question
// mark if it is optional.
func memberName(p schema.Property) string {
	name := p.Name
	odd := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-.$", r)
	}
	if name == "" || strings.ContainsFunc(name, odd) {
		name = jsonvalue.Quote(name)
	}
	if p.Required {
		return name
	}
	return name + "?"
}
