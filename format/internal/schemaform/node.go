package schemaform

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// types is a set of JSON types. The empty one is any.
type types uint8

const (
	isString types = 1 << iota
	isNumber
	isInteger
	isBoolean
	isObject
	isArray
	isNull
)

var typeNames = [...]string{"string", "number", "integer", "boolean", "object", "array", "null"}

// typeOf returns the type of that name, in either case, or none.
func typeOf(name string) types {
	for i, known := range typeNames {
		if strings.EqualFold(name, known) {
			return 1 << i
		}
	}
	return 0
}

// names returns the names of the types in the set.
func (t types) names() []string {
	var names []string
	for i, name := range typeNames {
		if t&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// and returns the types that are in both sets. ok is false where none is.
func (t types) and(o types) (both types, ok bool) {
	switch {
	case t == 0:
		return o, true
	case o == 0:
		return t, true
	}
	both = t & o
	if t&isNumber != 0 && o&isInteger != 0 || o&isNumber != 0 && t&isInteger != 0 {
		both |= isInteger
	}
	return both, both != 0
}

// node is a schema as the target knows it, without references.
type node struct {
	types       types
	enum        []string // of strings
	hasEnum     bool
	title       string
	description string
	notes       []string // what has no other place
	anyOf       []*node
	items       *node
	properties  []property
	required    []string
	members     []member // keywords that go as they are, each once
}

type property struct {
	name   string
	schema *node
}

// member is a keyword with its value as it came.
type member struct {
	name  string
	value json.RawMessage
}

// note adds what a description has to say. What is said already is not said
// again.
func (n *node) note(text string) {
	if !slices.Contains(n.notes, text) {
		n.notes = append(n.notes, text)
	}
}

// noteValue notes a keyword with what it says, at least the beginning of it.
func (n *node) noteValue(name string, value json.RawMessage) {
	if len(value) > maxNote {
		value = append(bytes.ToValidUTF8(value[:maxNote], nil), "..."...)
	}
	n.note(name + ": " + string(value))
}

func (n *node) member(name string) json.RawMessage {
	for i := range n.members {
		if n.members[i].name == name {
			return n.members[i].value
		}
	}
	return nil
}

// set sets a keyword; the last of equal ones counts, as in all JSON.
func (n *node) set(name string, value json.RawMessage) {
	for i := range n.members {
		if n.members[i].name == name {
			n.members[i].value = value
			return
		}
	}
	n.members = append(n.members, member{name, value})
}

// text returns the description with its notes.
func (n *node) text() string {
	lines := n.notes
	if n.description != "" {
		lines = append([]string{n.description}, lines...)
	}
	return strings.Join(lines, "\n")
}

// and makes n say what o says, too. o may not be used after it.
func (n *node) and(o *node, path string, r *record) {
	both, ok := n.types.and(o.types)
	if !ok {
		r.add(path, "two of its parts have incompatible types: the first one counts")
		both = n.types
	}
	n.types = both
	if o.hasEnum {
		if n.hasEnum {
			n.enum = inBoth(n.enum, o.enum)
		} else {
			n.enum, n.hasEnum = o.enum, true
		}
	}
	if n.title == "" {
		n.title = o.title
	}
	switch {
	case n.description == "":
		n.description = o.description
	case o.description != "" && o.description != n.description:
		n.note(o.description)
	}
	for _, note := range o.notes {
		n.note(note)
	}
	switch {
	case len(n.anyOf) == 0:
		n.anyOf = o.anyOf
	case len(o.anyOf) > 0:
		r.add(path, "one of two lists of alternatives is left out")
	}
	switch {
	case n.items == nil:
		n.items = o.items
	case o.items != nil:
		n.items.and(o.items, path+".items", r)
	}
	n.properties = n.withProperties(o.properties, path, r)
	n.required = union(n.required, o.required)
	for _, m := range o.members {
		switch was := n.member(m.name); {
		case was == nil:
			n.members = append(n.members, m)
		case bytes.Equal(was, m.value):
		case stricter(m.name, m.value, was):
			n.set(m.name, m.value)
		case !isBound(m.name):
			r.add(path+"."+m.name, "one of two values is left out")
		}
	}
}

// withProperties returns the properties with those of another part.
func (n *node) withProperties(others []property, path string, r *record) []property {
	at := map[string]*node{}
	for _, p := range n.properties {
		at[p.name] = p.schema
	}
	for _, p := range others {
		if was := at[p.name]; was != nil {
			was.and(p.schema, path+".properties."+p.name, r)
			continue
		}
		n.properties = append(n.properties, p)
		at[p.name] = p.schema
	}
	return n.properties
}

func union(a, b []string) []string {
	seen := map[string]bool{}
	for _, s := range a {
		seen[s] = true
	}
	for _, s := range b {
		if !seen[s] {
			seen[s] = true
			a = append(a, s)
		}
	}
	return a
}

// inBoth returns what of a is also in b.
func inBoth(a, b []string) []string {
	seen := map[string]bool{}
	for _, s := range b {
		seen[s] = true
	}
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return !seen[s] })
}

// isBound reports whether a keyword is a bound, of which the narrower counts.
func isBound(name string) bool {
	return strings.HasPrefix(name, "min") || strings.HasPrefix(name, "max")
}

// stricter reports whether a bound is narrower than another.
func stricter(name string, a, b json.RawMessage) bool {
	x, okX := floatOf(a)
	y, okY := floatOf(b)
	switch {
	case !okX || !okY || !isBound(name):
		return false
	case strings.HasPrefix(name, "min"):
		return x > y
	}
	return x < y
}

// clone returns a copy that shares nothing which and changes.
func (n *node) clone() *node {
	c := *n
	c.enum = slices.Clone(n.enum)
	c.notes = slices.Clone(n.notes)
	c.required = slices.Clone(n.required)
	c.members = slices.Clone(n.members)
	c.anyOf = nil
	for _, branch := range n.anyOf {
		c.anyOf = append(c.anyOf, branch.clone())
	}
	if n.items != nil {
		c.items = n.items.clone()
	}
	c.properties = nil
	for _, p := range n.properties {
		c.properties = append(c.properties, property{p.name, p.schema.clone()})
	}
	return &c
}
