package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	jsonschema "github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/toolcall"
)

// Writer writes the rules of a dialect's calls.
type Writer struct {
	Rules
	Dialect *dialect.Dialect
	Tools   []*Tool   // that may be called
	JSON    *Language // JSON as the dialect writes it
	Before  int       // number of rules before those of the current tool

	Failure *Failure                  // the first one
	LeftOut map[*jsonvalue.Value]bool // schemas of parameters that are left out
	Losses  []Loss

	language *Language // of the values of all tools, see Language
	rules    map[RuleKey]*Rule
	texts    map[string]*Markless // by the markers that they must not contain
	names    map[nameKey]error    // why a name cannot be written, or nil
	canSay   func(tool, name string, top bool) error
	depth    int    // nesting of the current value
	optional []part // optional members written so far
}

// NewWriter returns a writer without tools. canSay returns why the dialect cannot express a
// parameter of a tool or, unless top, a member of an object in its arguments, or nil.
func NewWriter(d *dialect.Dialect, canSay func(tool, name string, top bool) error) *Writer {
	return &Writer{
		Dialect: d, rules: map[RuleKey]*Rule{}, texts: map[string]*Markless{}, names: map[nameKey]error{}, canSay: canSay,
		JSON: JSONIn(d), LeftOut: map[*jsonvalue.Value]bool{},
	}
}

// Failure says why a tool's calls cannot be written.
type Failure struct {
	Tool   string
	Path   string // JSON pointer into the tool's schema
	Reason string
}

// Loss says what a grammar leaves out.
type Loss struct{ Field, Reason, Action string }

// part is an optional member of a tool's arguments and its expression.
type part struct {
	*Node
	tool   *Tool
	at     string
	schema *jsonvalue.Value
}

// Tool is a tool that may be called.
type Tool struct {
	toolcall.ToolDefinition
	Schema *jsonvalue.Value // nil allows anything
	Shaper *jsonschema.Shaper
}

// RuleKey identifies a rule by what it was made for.
type RuleKey struct {
	Schema *jsonvalue.Value
	In     any // the language or the place of the value
}

// Try calls do, and returns its error instead of keeping it in w.Failure.
func (w *Writer) Try(do func()) *Failure {
	outer, optional := w.Failure, len(w.optional)
	w.Failure = nil
	do()
	err := w.Failure
	if w.Failure = outer; err != nil {
		w.optional = w.optional[:optional]
	}
	return err
}

// leaveOut reports that an optional member of the arguments is left out.
func (w *Writer) leaveOut(t *Tool, at string, schema *jsonvalue.Value, reason string) {
	if schema != nil {
		w.LeftOut[schema] = true
	}
	w.Losses = append(w.Losses, Loss{Field: fmt.Sprintf("tool %q at %s", t.Name, at), Reason: reason, Action: "the parameter is left out of the grammar"})
}

// Alternatives matches any of n ways to write a value. Ways that fail are left out; if
// all fail, the first error counts.
func (w *Writer) Alternatives(n int, build func(i int) *Node) *Node {
	if n == 1 {
		return build(0)
	}
	var ways []*Node
	var first *Failure
	for i := range n {
		var way *Node
		err := w.Try(func() { way = build(i) })
		if err == nil {
			ways = append(ways, way)
		} else if first == nil {
			first = err
		}
	}
	if len(ways) == 0 && first != nil && w.Failure == nil {
		w.Failure = first
	}
	return Alt(ways...)
}

// EachMember builds the members of an object. It leaves out optional members that
// cannot be written.
func (w *Writer) EachMember(t *Tool, props []Property, at string, build func(p Property, at string) *Node) []Member {
	list := make([]Member, 0, len(props))
	for _, p := range props {
		place := Below(at, "properties", p.Name)
		if p.Required {
			list = append(list, Member{build(p, place), true})
			continue
		}
		var n *Node
		if err := w.Try(func() { n = build(p, place) }); err != nil {
			w.leaveOut(t, place, p.Schema, err.Reason)
			continue
		}
		w.optional = append(w.optional, part{n, t, place, p.Schema})
		list = append(list, Member{n, false})
	}
	return list
}

// Fail keeps the first error.
func (w *Writer) Fail(t *Tool, at, reason string) *Node {
	if w.Failure == nil {
		w.Failure = &Failure{Tool: t.Name, Path: at, Reason: reason}
	}
	return Alt()
}

// Limits for one tool, because the references of a hostile schema can unfold without
// end.
const (
	maxRules   = 20000
	maxNesting = 100
)

// enter goes one level down, and reports whether the limits allow that. leave undoes
// it.
func (w *Writer) enter(t *Tool, at string) bool {
	switch {
	case w.Failure != nil:
		return false
	case w.depth >= maxNesting:
		w.Fail(t, at, "its schema unfolds too deep")
		return false
	case len(w.List)-w.Before > maxRules:
		w.Fail(t, at, "the grammar would have too many rules")
		return false
	}
	w.depth++
	return true
}

func (w *Writer) leave() { w.depth-- }

// Shapes returns the alternatives of a schema of t.
func (w *Writer) Shapes(t *Tool, schema *jsonvalue.Value, at string) []*Shape {
	if schema == nil || t.Shaper == nil {
		return []*Shape{anyShape()}
	}
	list, err := t.Shaper.Alternatives(schema)
	if err != nil {
		w.Fail(t, at, err.Error())
	}
	return list
}

// Check settles the rule of a tool's arguments. It fails if nothing finite matches the
// rule, and leaves out optional members that nothing finite matches.
func (w *Writer) Check(t *Tool, r *Rule) {
	if w.Failure != nil {
		return
	}
	if !Settle(r) {
		w.Fail(t, "", "no finite arguments fit its schema")
		return
	}
	for _, p := range w.optional {
		if p.tool == t && !ends(p.Node) {
			w.leaveOut(t, p.at, p.schema, "nothing finite fits its schema")
		}
	}
	w.optional = nil
}

// properties returns the properties of s in the order in which the dialect writes them.
func (w *Writer) properties(s *Shape) []Property {
	list := s.AllProperties()
	if w.Dialect.Written.Sorted {
		list = slices.Clone(list)
		slices.SortStableFunc(list, func(a, b Property) int { return jsonvalue.InAnyCase(a.Name, b.Name) })
	}
	return list
}

// Nameable returns the properties of s whose names the dialect can write. It leaves out
// the others, and fails if one of them is required.
func (w *Writer) Nameable(t *Tool, s *Shape, at string) []Property {
	var list []Property
	for _, p := range w.properties(s) {
		key := nameKey{t.Name, p.Name, at == ""}
		err, known := w.names[key]
		if !known {
			err = w.canSay(t.Name, p.Name, at == "")
			w.names[key] = err
		}
		switch {
		case err == nil:
			list = append(list, p)
		case p.Required:
			w.Fail(t, Below(at, "properties", p.Name), "it is required, but the dialect cannot express it: "+err.Error())
		default:
			w.leaveOut(t, Below(at, "properties", p.Name), p.Schema, err.Error())
		}
	}
	return list
}

// nameKey identifies a member of a tool's arguments (top) or of an object in them.
type nameKey struct {
	tool, name string
	top        bool
}

// Below returns the JSON pointer of the names below a pointer.
func Below(at string, names ...string) string {
	for _, name := range names {
		at += "/" + jsonvalue.EscapePointer(name)
	}
	return at
}

// Hint suggests a name for the rule of a part of t.
func Hint(t *Tool, at string) string {
	return t.Name + strings.NewReplacer("/properties/", "-", "/items", "-item", "/$defs/", "-", "/definitions/", "-").Replace(at)
}

// Shape is one alternative of a schema, with everything that applies to the value
// merged into it.
type Shape = jsonschema.Shape

type Property = jsonschema.Property

// FirstPattern returns the pattern that the grammar expresses, or "".
func FirstPattern(s *Shape) string {
	if len(s.Patterns) == 0 {
		return ""
	}
	return s.Patterns[0]
}

// anyShape returns the shape of an arbitrary value.
func anyShape() *Shape { return jsonschema.AnyShape() }
