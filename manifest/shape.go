package manifest

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/schema"
)

// shape is what a schema says of a value, with its references followed and its allOf
// put together. What several parts say of a member or an element, each must fit.
type shape struct {
	about    string
	types    []string // as written; none: anything
	enum     []*node  // const is an enum of one
	format   string
	pattern  string           // the first of patterns
	bounds   map[string]*node // minimum, maxLength, ... by their keyword: the tightest
	steps    []*node          // multipleOf
	patterns []string

	props    []property
	required []string
	known    map[string]bool     // the names of props
	at       map[string]int      // where in props they are
	needs    map[string]bool     // those of required
	with     map[string][]string // dependentRequired: what a member needs beside it
	matching []property          // patternProperties, by their pattern
	names    *node               // propertyNames
	closed   bool                // no other members
	extra    *node               // additionalProperties, where it is a schema

	items    *node
	tuple    []*node
	sealed   bool // no elements after those of tuple
	contains *node
	unique   bool

	choices []*node   // anyOf, or oneOf
	groups  [][]*node // all lists of which one each must fit, if and dependentSchemas among them
	samples []*node   // examples, then default
}

// property is a declared member of an object.
type property struct {
	name     string
	schema   *node
	required bool
}

// document is a schema with all that its references may lead to.
type document struct {
	root     *node
	work     int // how much more may be put together
	joined   map[[2]*node]*node
	compiled *schema.Document // the same, to judge values by
}

// maxWork bounds what is done about one schema: references can multiply.
const maxWork = 20_000

// maxFollowed bounds how deep references and allOf stand in each other.
const maxFollowed = 100

var errTooLarge = errors.New("the schema is too large with its references resolved")

// newDocument reads a schema that [compile] has accepted.
func newDocument(raw json.RawMessage) (*document, error) {
	if len(strings.TrimSpace(string(raw))) == 0 {
		raw = json.RawMessage(`{}`)
	}
	root, err := parseNode(raw)
	if err != nil {
		return nil, err
	}
	return documentOf(root), nil
}

func documentOf(root *node) *document {
	return &document{root: root, work: maxWork, joined: map[[2]*node]*node{}, compiled: schema.NewDocument(root)}
}

// shape reads a schema of the document.
func (d *document) shape(n *node) (*shape, error) {
	return d.with(n)
}

// with is the shape of a schema with what was chosen of its groups, in their order:
// the groups of a choice come after those before it.
func (d *document) with(parts ...*node) (*shape, error) {
	s := &shape{bounds: map[string]*node{}, known: map[string]bool{}, at: map[string]int{}, needs: map[string]bool{}, with: map[string][]string{}}
	for i, part := range parts {
		if err := d.merge(s, part, i); err != nil {
			return nil, err
		}
	}
	s.mark()
	return s, nil
}

// join is the schema of what must fit both.
func (d *document) join(a, b *node) *node {
	switch {
	case a == nil || a == b:
		return b
	case b == nil:
		return a
	}
	key := [2]*node{a, b} // a schema within itself must stay the same, to be known again
	if d.joined[key] == nil {
		both := jsonvalue.NewObject().Set("allOf", jsonvalue.NewArray(a, b))
		both.Raw = `{}` // it is never shown, and would grow
		d.joined[key] = both
	}
	return d.joined[key]
}

// mark tells the properties which of them are required.
func (s *shape) mark() {
	for i := range s.props {
		s.props[i].required = s.needs[s.props[i].name]
	}
}

// merge adds to s what n says.
func (d *document) merge(s *shape, n *node, depth int) error {
	if d.work--; d.work < 0 || depth > maxFollowed {
		return errTooLarge
	}
	if !n.Is(jsonvalue.Object) {
		return nil
	}
	s.words(n)
	d.object(s, n)
	d.array(s, n)
	if to := d.target(n); to != nil {
		if err := d.merge(s, to, depth+1); err != nil {
			return err
		}
	}
	for _, part := range n.Get("allOf").Elements() {
		if err := d.merge(s, part, depth+1); err != nil {
			return err
		}
	}
	if s.choices == nil {
		s.choices = append(slices.Clone(n.Get("anyOf").Elements()), n.Get("oneOf").Elements()...)
	}
	d.choose(s, n)
	return nil
}

// anything is a schema that says nothing.
var anything = written(jsonvalue.NewObject())

// choose reads the groups of schemas of which one must fit. Of what hangs on a
// condition, the first choice is that it does not matter.
func (d *document) choose(s *shape, n *node) {
	for _, key := range []string{"anyOf", "oneOf"} {
		if list := n.Get(key).Elements(); len(list) > 0 {
			s.groups = append(s.groups, list)
		}
	}
	if cond := n.Get("if"); cond != nil {
		group := []*node{anything}
		if then := n.Get("then"); then != nil {
			group = append(group, d.join(cond, then))
		}
		if other := n.Get("else"); other != nil {
			group = append(group, other)
		}
		s.groups = append(s.groups, group)
	}
	for _, key := range []string{"dependentSchemas", "dependencies"} {
		if m := n.Get(key); m.Is(jsonvalue.Object) {
			for _, then := range m.List {
				if then.Is(jsonvalue.Object) {
					s.groups = append(s.groups, []*node{anything, then})
				}
			}
		}
	}
}

// words reads what a schema says of any value and of scalars.
func (s *shape) words(n *node) {
	if s.about == "" {
		s.about = textOf(n, "description")
	}
	if s.about == "" {
		s.about = textOf(n, "title")
	}
	if types := typesOf(n); types != nil {
		if s.types == nil {
			s.types = types
		} else if both := intersect(s.types, types); len(both) > 0 {
			s.types = both
		}
	}
	if c := n.Get("const"); c != nil {
		s.enum = []*node{c}
	} else if e := n.Get("enum").Elements(); s.enum == nil && len(e) > 0 {
		s.enum = e
	}
	if s.format == "" {
		s.format = textOf(n, "format")
	}
	if p := textOf(n, "pattern"); p != "" {
		s.pattern = cmp.Or(s.pattern, p)
		s.patterns = append(s.patterns, p)
	}
	if step := n.Get("multipleOf"); step != nil {
		s.steps = append(s.steps, step)
	}
	for _, key := range []string{
		"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength",
		"minItems", "maxItems", "minContains", "maxContains", "minProperties", "maxProperties",
	} {
		if v := n.Get(key); v != nil {
			s.bounds[key] = tighter(key, s.bounds[key], v)
		}
	}
	for _, v := range append(slices.Clone(n.Get("examples").Elements()), n.Get("example"), n.Get("default")) {
		if v != nil {
			s.samples = append(s.samples, v)
		}
	}
}

// tighter is the one of two bounds that lets less through; the first may be nil.
func tighter(key string, old, bound *node) *node {
	was, ok := ratOf(old)
	is, also := ratOf(bound)
	if old == nil || ok && also && (was.Cmp(is) > 0) == (strings.HasPrefix(key, "max") || key == "exclusiveMaximum") {
		return bound
	}
	return old
}

func intersect(a, b []string) []string {
	var both []string
	for _, t := range a {
		switch {
		case slices.Contains(b, t):
			both = append(both, t)
		case t == "integer" && slices.Contains(b, "number"), t == "number" && slices.Contains(b, "integer"):
			both = append(both, "integer")
		}
	}
	return both
}

// object reads what a schema says of objects.
func (d *document) object(s *shape, n *node) {
	if props := n.Get("properties"); props.Is(jsonvalue.Object) {
		for i, key := range props.Keys {
			if s.known[key] {
				own := &s.props[s.at[key]]
				own.schema = d.join(own.schema, props.List[i])
				continue
			}
			s.known[key], s.at[key] = true, len(s.props)
			s.props = append(s.props, property{name: key, schema: props.List[i]})
		}
	}
	for _, r := range n.Get("required").Elements() {
		if r.Is(jsonvalue.String) && !s.needs[r.Text] {
			s.needs[r.Text] = true
			s.required = append(s.required, r.Text)
		}
	}
	for _, key := range []string{"dependentRequired", "dependencies"} {
		if m := n.Get(key); m.Is(jsonvalue.Object) {
			for i, name := range m.Keys {
				if needed := stringsOf(m.List[i]); len(needed) > 0 {
					s.with[name] = append(s.with[name], needed...)
				}
			}
		}
	}
	if m := n.Get("patternProperties"); m.Is(jsonvalue.Object) {
		for i, pattern := range m.Keys {
			s.matching = append(s.matching, property{name: pattern, schema: m.List[i]})
		}
	}
	s.names = d.join(s.names, n.Get("propertyNames"))
	switch extra := n.Get("additionalProperties"); {
	case extra.IsFalse():
		s.closed = true
	case extra.Is(jsonvalue.Object):
		s.extra = d.join(s.extra, extra)
	}
}

// array reads what a schema says of lists.
func (d *document) array(s *shape, n *node) {
	tuple, rest := n.Get("prefixItems").Elements(), n.Get("items")
	if rest.Is(jsonvalue.Array) { // before draft 2020
		tuple, rest = rest.List, n.Get("additionalItems")
	}
	if s.tuple == nil {
		s.tuple = tuple
	}
	switch {
	case rest.IsFalse():
		s.sealed = true
	case rest.Is(jsonvalue.Object):
		s.items = d.join(s.items, rest)
	}
	s.contains = d.join(s.contains, n.Get("contains"))
	s.unique = s.unique || n.Get("uniqueItems").IsTrue()
}

// target is what the reference of a schema leads to, and nil where it has none.
func (d *document) target(n *node) *node { return d.compiled.Target(n) }
