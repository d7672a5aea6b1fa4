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

// maxTypeText bounds the text of one parameter's type, in bytes: references can
// multiply.
const maxTypeText = 64 << 10

var errTypeText = errors.New("the schema is too large to be written as a type")

// typeStyle is how the facts of a schema stand behind its type.
type typeStyle struct {
	open, close string

	// brief leaves out what members within are for, and the annotations but
	// defaults.
	brief bool
}

var (
	inParentheses = typeStyle{open: " (", close: ")"}
	inComments    = typeStyle{open: " /* ", close: " */"}
	inBrief       = typeStyle{open: " (", close: ")", brief: true}
)

// with is a type with its facts.
func (t typeStyle) with(kind string, facts []fact) string {
	if len(facts) == 0 {
		return kind
	}
	return kind + t.open + t.row(facts) + t.close
}

// row is the text of facts, in which a comment does not end.
func (t typeStyle) row(facts []fact) string {
	if t.close == inComments.close {
		return strings.ReplaceAll(joined(facts), "*/", `*\/`)
	}
	return joined(facts)
}

// typeWriter writes types in the manner of TypeScript: string, "a"|"b", integer[],
// {city: string, days?: integer (minimum 1)}. An object holds what it shows: only
// where others may be of a known type, a [key] stands for them.
type typeWriter struct {
	typeStyle
	b      []byte
	shaper *schema.Shaper
	open   []*node
}

// said is what a schema says beside its type.
type said struct {
	about string
	facts []fact
	union bool // the type is one of several
}

// typeText is the type that a schema describes, and what else is said.
func (d *document) typeText(n *node, style typeStyle) (string, said, error) {
	w := typeWriter{typeStyle: style, shaper: d.compiled.Shaper(maxTypeWork)}
	said, err := w.bare(n)
	return string(w.b), said, err
}

// fullType is the type that a schema describes with the facts about it.
func (d *document) fullType(n *node, style typeStyle) (string, error) {
	kind, said, err := d.typeText(n, style)
	return style.with(kind, said.facts), err
}

// write writes a type with its facts, and what it is for. It reports whether an
// operator behind it needs parentheses around it.
func (w *typeWriter) write(n *node) (compound bool, err error) {
	from := len(w.b)
	said, err := w.bare(n)
	if err != nil {
		return false, err
	}
	facts := said.facts
	if said.about != "" && !w.brief {
		facts = append([]fact{{text: jsonvalue.Quote(oneLine(said.about))}}, facts...)
	}
	if len(facts) == 0 {
		return said.union, nil
	}
	if said.union {
		w.enclose(from)
	}
	w.b = append(append(append(w.b, w.typeStyle.open...), w.row(facts)...), w.close...)
	return true, nil
}

// enclose puts parentheses around what was written.
func (w *typeWriter) enclose(from int) {
	w.b = append(slices.Insert(w.b, from, '('), ')')
}

// bare writes a type without what else is said, which it returns.
func (w *typeWriter) bare(n *node) (said, error) {
	switch {
	case slices.Contains(w.open, n): // it stands within itself
		w.b = append(w.b, "..."...)
		return said{}, nil
	case len(w.b) > maxTypeText:
		return said{}, errTypeText
	}
	w.open = append(w.open, n)
	defer func() { w.open = w.open[:len(w.open)-1] }()
	s, err := w.shaper.Shape(n)
	if err != nil {
		return said{}, err
	}
	facts := factsOf(s)
	if w.brief {
		facts = slices.DeleteFunc(facts, func(f fact) bool { return slices.Contains(annotations, f.key) })
	}
	if len(s.Choices) == 1 && len(s.Enum) == 0 && len(s.Types) == 0 && isPlain(s) {
		return said{aboutOf(s), facts, len(s.Choices[0].List) > 1}, w.union(s.Choices[0].List)
	}
	if err := w.shape(s); err != nil {
		return said{}, err
	}
	for _, c := range s.Choices {
		inner := typeWriter{typeStyle: w.typeStyle, shaper: w.shaper, open: w.open}
		if err := inner.union(c.List); err != nil {
			return said{}, err
		}
		if len(w.b)+len(inner.b) > maxTypeText {
			return said{}, errTypeText
		}
		facts = append(facts, fact{key: c.Keyword, text: string(inner.b)})
	}
	return said{aboutOf(s), facts, len(s.Enum) > 1 || len(s.Enum) == 0 && len(s.Types) > 1}, nil
}

// isPlain reports whether a shape says nothing of members.
func isPlain(s *schema.Shape) bool {
	return len(s.Properties) == 0 && len(s.Required) == 0 && itemsOf(s) == nil && len(s.PrefixItems) == 0 && extraOf(s) == nil
}

// aboutOf is what a value is for.
func aboutOf(s *schema.Shape) string { return cmp.Or(s.Description, s.Title) }

// extraOf is the schema of members that are not declared, and itemsOf that of elements;
// nil where nothing is said of them.
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

// list writes a list whose elements differ by their place.
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

// memberName is the name of a member with a mark where it may be left out, in quotes
// where it is no word.
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
