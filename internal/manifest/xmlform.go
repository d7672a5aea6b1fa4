package manifest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/schema"
)

// maxXMLForm limits the length of a tool as XML, in bytes, because references can multiply.
const maxXMLForm = 64 << 10

// xmlForm writes a tool as XML: an element for each parameter, which contains the elements for
// the members of an object, or an items element for those of a list. The attributes contain
// the keywords of the schema. The outer element is not called tool, because that is a call.
func xmlForm(t *tool, _ int) (string, error) {
	s, err := t.root()
	if err != nil {
		return "", err
	}
	rest, err := t.doc.rest(s, inFull)
	if err != nil {
		return "", fmt.Errorf("tool %q: %w", t.Name, err)
	}
	w := xmlWriter{doc: t.doc, shaper: t.doc.compiled.Shaper(maxTypeWork), open: map[*node]bool{t.doc.root: true}}
	w.b.WriteString("<function" + attribute("name", t.Name) + attribute("description", oneLine(t.Description)) + ">")
	if len(s.AllProperties()) == 0 && len(rest) == 0 {
		w.b.WriteString("<!-- no arguments --></function>")
		return w.b.String(), nil
	}
	w.b.WriteString("<arguments" + factAttributes(rest, nil) + ">\n")
	if err := w.members(s); err != nil {
		return "", fmt.Errorf("tool %q: %w", t.Name, err)
	}
	w.b.WriteString("</arguments></function>")
	return w.b.String(), nil
}

type xmlWriter struct {
	b      strings.Builder
	doc    *document
	shaper *schema.Shaper
	open   map[*node]bool
}

func (w *xmlWriter) members(s *schema.Shape) error {
	for _, p := range s.AllProperties() {
		need := ""
		if p.Required {
			need = "true"
		}
		if err := w.element("arg", attribute("name", p.Name), attribute("required", need), p.Schema); err != nil {
			return fmt.Errorf("parameter %q: %w", p.Name, err)
		}
		w.b.WriteByte('\n')
	}
	return nil
}

// element writes a schema as an element.
func (w *xmlWriter) element(tag, name, need string, n *node) error {
	if w.b.Len() > maxXMLForm {
		return errors.New("the schema is too large to be written as XML")
	}
	kind, notes, err := w.doc.typeText(n, inFull)
	if err != nil {
		return err
	}
	s, err := w.shaper.Shape(n)
	if err != nil {
		return err
	}
	inner := w.nests(n, s)
	if inner || len(s.Enum) > 0 {
		kind = strings.Join(typesShown(s), "|")
	}
	if kind == "any" {
		kind = "string" // a value without a type is read as a string
	}
	w.b.WriteString("<" + tag + name + attribute("type", kind) + attribute("description", oneLine(aboutOf(s))) + need)
	w.b.WriteString(attribute("enum", enumText(s.Enum)) + factAttributes(notes.facts, s))
	if !inner {
		w.b.WriteString("/>")
		return nil
	}
	if extra := extraOf(s); extra != nil {
		other, err := w.doc.fullType(extra, inFull)
		if err != nil {
			return err
		}
		w.b.WriteString(attribute("others", other))
	}
	w.open[n] = true
	defer delete(w.open, n)
	w.b.WriteString(">")
	if len(s.AllProperties()) > 0 {
		w.b.WriteString("\n")
		if err := w.members(s); err != nil {
			return err
		}
	}
	if items := itemsOf(s); items != nil {
		if err := w.element("items", "", "", items); err != nil {
			return err
		}
	}
	w.b.WriteString("</" + tag + ">")
	return nil
}

// nests reports whether the members of a value are elements inside its own element. Otherwise
// they are part of the text of its type.
func (w *xmlWriter) nests(n *node, s *schema.Shape) bool {
	return !w.open[n] && len(s.Choices) == 0 && len(s.Enum) == 0 && len(s.PrefixItems) == 0 && (len(s.AllProperties()) > 0 || itemsOf(s) != nil)
}

// typesShown returns the types of a value, or those of the values of an enum.
func typesShown(s *schema.Shape) []string {
	if len(s.Types) > 0 {
		return s.Types
	}
	if len(s.Enum) == 0 {
		return []string{kindOf(s)}
	}
	var types []string
	for _, v := range s.Enum {
		if t := schema.TypeOf(v); !slices.Contains(types, t) {
			types = append(types, t)
		}
	}
	return types
}

// enumText lists values, separated by commas: strings without quotes if that is unambiguous,
// and otherwise all values as JSON.
func enumText(values []*node) string {
	word := wordsOf
	if slices.ContainsFunc(values, func(v *node) bool {
		return !v.Is(jsonvalue.String) || v.Text == "" || strings.ContainsAny(v.Text, ",\"[") || strings.TrimSpace(v.Text) != v.Text
	}) {
		word = compact
	}
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = word(v)
	}
	return strings.Join(list, ",")
}

// factAttributes returns facts as attributes. A default has no quotes if only strings are
// allowed.
func factAttributes(facts []fact, s *schema.Shape) string {
	var b strings.Builder
	for _, f := range facts {
		text := f.words()
		if f.key == "default" && (s == nil || !slices.Equal(typesShown(s), []string{"string"})) {
			text = compact(f.value)
		}
		b.WriteString(attribute(f.key, text))
	}
	return b.String()
}

// attribute returns an attribute after a blank, or "" if its value is empty.
func attribute(name, value string) string {
	if value == "" {
		return ""
	}
	return " " + name + `="` + strings.ReplaceAll(lex.EscapeAttribute(value), "\n", "&#10;") + `"`
}
