package grammar

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/dialect"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	jsonschema "github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/manifest/internal/toolset"
	"github.com/toolparse/toolparse/toolcall"
)

// writer writes the grammar of one dialect and its tools.
type writer struct {
	d     *dialect.Dialect
	o     Options
	tools []*tool
	rules
	json  *language
	made  map[ruleKey]*rule
	texts map[string]*markless // by the markers that they must not contain
	err   *Error               // the first error
	names map[nameKey]error    // why a name cannot be written, or nil

	languages map[string]*language
	calls     map[*tool]*parts
	before    int    // number of rules before those of the current tool
	depth     int    // nesting of the current value
	place     *place // place of values in tags that all have the same markers

	optional []part // optional members written so far
	leftOut  map[*jnode]bool
	losses   []chat.Loss
}

// part is an optional member of a tool's arguments and its expression.
type part struct {
	*node
	tool   *tool
	at     string
	schema *jnode
}

// tool is a tool that may be called.
type tool struct {
	toolcall.ToolDefinition
	schema *jnode // nil allows anything
	shaper *jsonschema.Shaper
}

// ruleKey identifies a rule by what it was made for.
type ruleKey struct {
	schema *jnode
	in     any // the language or the place of the value
}

func newWriter(d *dialect.Dialect, o Options) (*writer, error) {
	w := &writer{d: d, o: o, made: map[ruleKey]*rule{}, texts: map[string]*markless{}, calls: map[*tool]*parts{}, names: map[nameKey]error{}, json: jsonIn(d), languages: map[string]*language{}, leftOut: map[*jnode]bool{}}
	if o.Choice.Mode == chat.ChoiceNone {
		return nil, &Error{Dialect: d.Name, Reason: "tool choice none: a grammar needs a tool to call"}
	}
	schemas, err := toolset.CompileAll(o.Tools)
	if err != nil {
		return nil, err
	}
	if err := toolset.Check(d, o.Tools, schemas, o.Choice); err != nil {
		return nil, err
	}
	for _, def := range o.Tools {
		if len(o.Choice.Tools) > 0 && !slices.Contains(o.Choice.Tools, def.Name) {
			continue
		}
		t := &tool{ToolDefinition: def}
		if len(strings.TrimSpace(string(def.Parameters))) > 0 {
			schema, err := decode(def.Parameters)
			if err != nil {
				return nil, &Error{Dialect: d.Name, Tool: def.Name, Reason: "its parameters are not valid JSON: " + err.Error()}
			}
			if schema.Kind != jsonvalue.Null {
				t.schema, t.shaper = schema, jsonschema.NewDocument(schema).Shaper(maxSteps)
			}
		}
		w.tools = append(w.tools, t)
	}
	if len(w.tools) == 0 {
		return nil, &Error{Dialect: d.Name, Reason: "there are no tools"}
	}
	return w, w.writeCalls()
}

// writeCalls writes the calls of all tools. It leaves out tools whose calls cannot be
// written, and fails if that is all of them.
func (w *writer) writeCalls() error {
	var first *Error
	var could []*tool
	for _, t := range w.tools {
		w.before = len(w.list)
		losses := len(w.losses)
		err := w.try(func() {
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
		w.losses = append(w.losses[:losses], chat.Loss{Field: fmt.Sprintf("tool %q", t.Name), Reason: reason, Action: "the tool is left out of the grammar"})
	}
	if w.tools = could; len(could) == 0 {
		return first
	}
	return nil
}

// try calls do, and returns its error instead of keeping it in w.err.
func (w *writer) try(do func()) *Error {
	outer, optional := w.err, len(w.optional)
	w.err = nil
	do()
	err := w.err
	if w.err = outer; err != nil {
		w.optional = w.optional[:optional]
	}
	return err
}

// leaveOut reports that an optional member of the arguments is left out.
func (w *writer) leaveOut(t *tool, at string, schema *jnode, reason string) {
	if schema != nil {
		w.leftOut[schema] = true
	}
	w.losses = append(w.losses, chat.Loss{Field: fmt.Sprintf("tool %q at %s", t.Name, at), Reason: reason, Action: "the parameter is left out of the grammar"})
}

// alternatives matches any of n ways to write a value. Ways that fail are left out; if
// all fail, the first error counts.
func (w *writer) alternatives(n int, build func(i int) *node) *node {
	if n == 1 {
		return build(0)
	}
	var ways []*node
	var first *Error
	for i := range n {
		var way *node
		err := w.try(func() { way = build(i) })
		if err == nil {
			ways = append(ways, way)
		} else if first == nil {
			first = err
		}
	}
	if len(ways) == 0 && first != nil && w.err == nil {
		w.err = first
	}
	return alt(ways...)
}

// eachMember builds the members of an object. It leaves out optional members that
// cannot be written.
func (w *writer) eachMember(t *tool, props []property, at string, build func(p property, at string) *node) []member {
	list := make([]member, 0, len(props))
	for _, p := range props {
		place := below(at, "properties", p.Name)
		if p.Required {
			list = append(list, member{build(p, place), true})
			continue
		}
		var n *node
		if err := w.try(func() { n = build(p, place) }); err != nil {
			w.leaveOut(t, place, p.Schema, err.Reason)
			continue
		}
		w.optional = append(w.optional, part{n, t, place, p.Schema})
		list = append(list, member{n, false})
	}
	return list
}

// fail keeps the first error.
func (w *writer) fail(t *tool, at, reason string) *node {
	if w.err == nil {
		w.err = &Error{Dialect: w.d.Name, Tool: t.Name, Path: at, Reason: reason}
	}
	return alt()
}

// Limits for one tool, because the references of a hostile schema can unfold without
// end.
const (
	maxRules   = 20000
	maxNesting = 100
)

// enter goes one level down, and reports whether the limits allow that. leave undoes
// it.
func (w *writer) enter(t *tool, at string) bool {
	switch {
	case w.err != nil:
		return false
	case w.depth >= maxNesting:
		w.fail(t, at, "its schema unfolds too deep")
		return false
	case len(w.list)-w.before > maxRules:
		w.fail(t, at, "the grammar would have too many rules")
		return false
	}
	w.depth++
	return true
}

func (w *writer) leave() { w.depth-- }

// shapes returns the alternatives of a schema of t.
func (w *writer) shapes(t *tool, schema *jnode, at string) []*shape {
	if schema == nil || t.shaper == nil {
		return []*shape{anyShape()}
	}
	list, err := t.shaper.Alternatives(schema)
	if err != nil {
		w.fail(t, at, err.Error())
	}
	return list
}

// arguments returns the alternatives of a tool's arguments, all of them objects.
func (w *writer) arguments(t *tool) []*shape {
	var list []*shape
	for _, s := range w.shapes(t, t.schema, "") {
		if s.Types != nil && !slices.Contains(s.Types, "object") {
			w.fail(t, "/type", "the arguments must be an object")
		}
		if s.Never {
			w.fail(t, "", "its schema allows no arguments at all")
		}
		s.Types = []string{"object"}
		s.Properties = s.AllProperties()
		if t.schema != nil && s.AdditionalProperties == nil && len(s.PatternProperties) == 0 {
			s.AdditionalProperties = truth(false) // a tool without parameters gets no arguments
		}
		list = append(list, s)
	}
	return list
}

// check settles the rule of a tool's arguments. It fails if nothing finite matches the
// rule, and leaves out optional members that nothing finite matches.
func (w *writer) check(t *tool, r *rule) {
	if w.err != nil {
		return
	}
	if !settle(r) {
		w.fail(t, "", "no finite arguments fit its schema")
		return
	}
	for _, p := range w.optional {
		if p.tool == t && !ends(p.node) {
			w.leaveOut(t, p.at, p.schema, "nothing finite fits its schema")
		}
	}
	w.optional = nil
}

// properties returns the properties of s in the order in which the dialect writes them.
func (w *writer) properties(s *shape) []property {
	list := s.AllProperties()
	if w.d.Written.Sorted {
		list = slices.Clone(list)
		slices.SortStableFunc(list, func(a, b property) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	}
	return list
}

// nameable returns the properties of s whose names the dialect can write. It leaves out
// the others, and fails if one of them is required.
func (w *writer) nameable(t *tool, s *shape, at string) []property {
	var list []property
	for _, p := range w.properties(s) {
		key := nameKey{t.Name, p.Name, at == ""}
		err, known := w.names[key]
		if !known {
			err = toolset.CheckParameter(w.d, t.Name, p.Name, at == "")
			w.names[key] = err
		}
		switch {
		case err == nil:
			list = append(list, p)
		case p.Required:
			w.fail(t, below(at, "properties", p.Name), "it is required, but the dialect cannot express it: "+err.Error())
		default:
			w.leaveOut(t, below(at, "properties", p.Name), p.Schema, err.Error())
		}
	}
	return list
}

// nameKey identifies a member of a tool's arguments (top) or of an object in them.
type nameKey struct {
	tool, name string
	top        bool
}

// below returns the JSON pointer of the names below a pointer.
func below(at string, names ...string) string {
	for _, name := range names {
		at += "/" + jsonvalue.EscapePointer(name)
	}
	return at
}

// hint suggests a name for the rule of a part of t.
func hint(t *tool, at string) string {
	return t.Name + strings.NewReplacer("/properties/", "-", "/items", "-item", "/$defs/", "-", "/definitions/", "-").Replace(at)
}

// jnode is a part of a schema or of JSON output.
type jnode = jsonvalue.Value

// maxDepth bounds how deep the schema of a tool may be nested.
const maxDepth = 128

// decode reads one JSON value.
func decode(data []byte) (*jnode, error) {
	return jsonvalue.Options{MaxDepth: maxDepth}.Parse(string(data))
}

// get returns a member of an object, or nil if it is missing or null. Some generators
// write null for keywords that are not set.
func get(v *jnode, key string) *jnode {
	if m := v.Get(key); !m.Is(jsonvalue.Null) {
		return m
	}
	return nil
}

func object() *jnode           { return jsonvalue.NewObject() }
func text(s string) *jnode     { return jsonvalue.NewString(s) }
func truth(b bool) *jnode      { return jsonvalue.NewBool(b) }
func list(of ...*jnode) *jnode { return jsonvalue.NewArray(of...) }
func count(n int) *jnode {
	return &jnode{Kind: jsonvalue.Number, Text: fmt.Sprint(n), Raw: fmt.Sprint(n)}
}

// shape is one alternative of a schema, with everything that applies to the value
// merged into it.
type shape = jsonschema.Shape

type property = jsonschema.Property

// maxSteps bounds how many schemas are read for one tool, because references can
// multiply them.
const maxSteps = 200000

// firstPattern returns the pattern that the grammar expresses, or "".
func firstPattern(s *shape) string {
	if len(s.Patterns) == 0 {
		return ""
	}
	return s.Patterns[0]
}

// anyShape returns the shape of an arbitrary value.
func anyShape() *shape { return jsonschema.AnyShape() }
