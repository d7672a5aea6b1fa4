package manifest

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"
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
	root    *node
	work    int // how much more may be put together
	joined  map[[2]*node]*node
	targets map[string]*node // of references
}

// maxWork bounds what is done about one schema: references can multiply.
const maxWork = 20_000

// maxFollowed bounds how deep references and allOf stand in each other.
const maxFollowed = 100

var errTooLarge = errors.New("the schema is too large once its references are followed")

// newDocument reads a schema that [compile] has accepted.
func newDocument(raw json.RawMessage) (*document, error) {
	if len(strings.TrimSpace(string(raw))) == 0 {
		raw = json.RawMessage(`{}`)
	}
	root, err := parseNode(raw)
	if err != nil {
		return nil, err
	}
	return &document{root: root, work: maxWork, joined: map[[2]*node]*node{}, targets: map[string]*node{}}, nil
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
		d.joined[key] = &node{
			raw:  json.RawMessage(`{}`), // it is never shown, and would grow
			keys: []string{"allOf"}, list: []*node{{raw: json.RawMessage(`[]`), list: []*node{a, b}}},
		}
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
	if n.kind() != '{' {
		return nil
	}
	s.words(n)
	d.object(s, n)
	d.array(s, n)
	if to := d.target(n.str("$ref")); to != nil {
		if err := d.merge(s, to, depth+1); err != nil {
			return err
		}
	}
	for _, part := range n.elements("allOf") {
		if err := d.merge(s, part, depth+1); err != nil {
			return err
		}
	}
	if s.choices == nil {
		s.choices = append(slices.Clone(n.elements("anyOf")), n.elements("oneOf")...)
	}
	d.choose(s, n)
	return nil
}

// anything is a schema that says nothing.
var anything = &node{raw: json.RawMessage(`{}`)}

// choose reads the groups of schemas of which one must fit. Of what hangs on a
// condition, the first choice is that it does not matter.
func (d *document) choose(s *shape, n *node) {
	for _, key := range []string{"anyOf", "oneOf"} {
		if list := n.elements(key); len(list) > 0 {
			s.groups = append(s.groups, list)
		}
	}
	if cond := n.get("if"); cond != nil {
		group := []*node{anything}
		if then := n.get("then"); then != nil {
			group = append(group, d.join(cond, then))
		}
		if other := n.get("else"); other != nil {
			group = append(group, other)
		}
		s.groups = append(s.groups, group)
	}
	for _, key := range []string{"dependentSchemas", "dependencies"} {
		if m := n.get(key); m.kind() == '{' {
			for _, then := range m.list {
				if then.kind() == '{' {
					s.groups = append(s.groups, []*node{anything, then})
				}
			}
		}
	}
}

// words reads what a schema says of any value and of scalars.
func (s *shape) words(n *node) {
	if s.about == "" {
		s.about = n.str("description")
	}
	if s.about == "" {
		s.about = n.str("title")
	}
	if types := typesOf(n); types != nil {
		if s.types == nil {
			s.types = types
		} else if both := intersect(s.types, types); len(both) > 0 {
			s.types = both
		}
	}
	if c := n.get("const"); c != nil {
		s.enum = []*node{c}
	} else if e := n.elements("enum"); s.enum == nil && len(e) > 0 {
		s.enum = e
	}
	if s.format == "" {
		s.format = n.str("format")
	}
	if p := n.str("pattern"); p != "" {
		s.pattern = cmp.Or(s.pattern, p)
		s.patterns = append(s.patterns, p)
	}
	if step := n.get("multipleOf"); step != nil {
		s.steps = append(s.steps, step)
	}
	for _, key := range []string{
		"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength",
		"minItems", "maxItems", "minContains", "maxContains", "minProperties", "maxProperties",
	} {
		if v := n.get(key); v != nil {
			s.bounds[key] = tighter(key, s.bounds[key], v)
		}
	}
	for _, v := range append(slices.Clone(n.elements("examples")), n.get("example"), n.get("default")) {
		if v != nil {
			s.samples = append(s.samples, v)
		}
	}
}

// tighter is the one of two bounds that lets less through; the first may be nil.
func tighter(key string, old, bound *node) *node {
	was, ok := old.number()
	is, also := bound.number()
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
	if props := n.get("properties"); props.kind() == '{' {
		for i, key := range props.keys {
			if s.known[key] {
				own := &s.props[s.at[key]]
				own.schema = d.join(own.schema, props.list[i])
				continue
			}
			s.known[key], s.at[key] = true, len(s.props)
			s.props = append(s.props, property{name: key, schema: props.list[i]})
		}
	}
	for _, r := range n.elements("required") {
		if r.kind() == '"' && !s.needs[r.text] {
			s.needs[r.text] = true
			s.required = append(s.required, r.text)
		}
	}
	for _, key := range []string{"dependentRequired", "dependencies"} {
		if m := n.get(key); m.kind() == '{' {
			for i, name := range m.keys {
				if needed := m.list[i].strings(); len(needed) > 0 {
					s.with[name] = append(s.with[name], needed...)
				}
			}
		}
	}
	if m := n.get("patternProperties"); m.kind() == '{' {
		for i, pattern := range m.keys {
			s.matching = append(s.matching, property{name: pattern, schema: m.list[i]})
		}
	}
	s.names = d.join(s.names, n.get("propertyNames"))
	switch extra := n.get("additionalProperties"); extra.kind() {
	case 'f':
		s.closed = true
	case '{':
		s.extra = d.join(s.extra, extra)
	}
}

// array reads what a schema says of lists.
func (d *document) array(s *shape, n *node) {
	tuple, rest := n.elements("prefixItems"), n.get("items")
	if rest.kind() == '[' { // before draft 2020
		tuple, rest = rest.list, n.get("additionalItems")
	}
	if s.tuple == nil {
		s.tuple = tuple
	}
	switch rest.kind() {
	case 'f':
		s.sealed = true
	case '{':
		s.items = d.join(s.items, rest)
	}
	s.contains = d.join(s.contains, n.get("contains"))
	s.unique = s.unique || n.get("uniqueItems").kind() == 't'
}

// target is what a reference leads to.
func (d *document) target(ref string) *node {
	if ref == "" {
		return nil
	}
	to, known := d.targets[ref]
	if !known {
		to = d.find(ref)
		d.targets[ref] = to
	}
	return to
}

func (d *document) find(ref string) *node {
	fragment, ok := strings.CutPrefix(ref, "#")
	switch {
	case !ok:
		return nil
	case fragment == "":
		return d.root
	}
	if decoded, err := url.PathUnescape(fragment); err == nil {
		fragment = decoded
	}
	if !strings.HasPrefix(fragment, "/") {
		return nil
	}
	return d.root.pointer(fragment)
}
