// Package schema is the one implementation of JSON Schema. It converts text to the types
// that a schema allows, validates arguments, words the problems for the model, and
// describes what a value looks like to those who show or rewrite a schema.
//
// A [Schema] is compiled once, and converts and validates. It supports every keyword of
// draft 2020-12 that restricts a value, and those of drafts 4 to 2019-09, OpenAPI and
// Gemini: type (also in capitals, and aliases such as "int"), nullable, a boolean
// exclusiveMinimum, a list of items, definitions, dependencies. Annotations, format among
// them, restrict nothing. When it chooses the type of a text, oneOf counts as anyOf, and
// conditions do not count.
//
// A [Shape] is the merged view of a schema: its own keywords with those of $ref and
// allOf, and the choices of anyOf and oneOf that remain. Manifests, grammars and the
// wires that rewrite schemas all use it.
//
// [Compile] ignores what is invalid but harmless; [Check] reports it to those who declare
// tools, and [Misspellings] finds unknown keywords that look like known ones.
package schema

import (
	"iter"
	"slices"

	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// value is what schemas and documents are made of.
type value = jsonvalue.Value

// Schema is one compiled (sub)schema. A nil *Schema allows everything; every
// method accepts it. A Schema is immutable and safe for concurrent use.
type Schema struct {
	// types is what text may become, after all that applies in place ($ref,
	// allOf, anyOf) has been taken into account; 0 where nothing restricts it.
	types typeSet

	declared typeSet // keyword type; 0: none
	nullable bool
	never    bool // the schema false

	// reach is the number of schemas that apply in place, s among them, or more
	// where some do so twice: the work of a look-up.
	reach int32

	enum    *enum
	all     []*Schema // allOf, then the target of $ref: each must fit
	choices []choice

	// What is said of numbers, of strings, ...; nil: nothing.
	number *numberRules
	text   *textRules
	array  *arrayRules
	object *objectRules
	more   *moreRules

	home *resource // the part of the document, by $id, that it stands in
	doc  *traits
}

// traits are what is true of a whole document, and saves work where it is false.
type traits struct {
	unevaluated bool // it has a keyword that needs to know what others had a say in
	dynamic     bool // it has a $dynamicRef
}

// choice is an anyOf, of which at least one must fit, or a oneOf, of which exactly one
// must.
type choice struct {
	list []*Schema
	one  bool
}

func (c choice) keyword() string {
	if c.one {
		return "oneOf"
	}
	return "anyOf"
}

type numberRules struct {
	min, max     *bound
	multipleOf   *jsonvalue.Decimal
	multipleText string
}

// bound is a limit on numbers.
type bound struct {
	jsonvalue.Decimal
	text      string
	exclusive bool
}

// NoLimit is the Max of lengths that have none.
const NoLimit = -1

// Lengths are the limits on how much there is of something.
type Lengths struct{ Min, Max int }

func (l Lengths) hold(n int) bool { return n >= l.Min && (l.Max == NoLimit || n <= l.Max) }

// and is what both limits let through.
func (l Lengths) and(other Lengths) Lengths {
	l.Min = max(l.Min, other.Min)
	if l.Max == NoLimit || other.Max != NoLimit && other.Max < l.Max {
		l.Max = other.Max
	}
	return l
}

type textRules struct {
	length  Lengths // in runes
	pattern *pattern
}

type arrayRules struct {
	length Lengths
	unique bool
	prefix []*Schema // of the first elements
	items  *Schema   // of the others; nil: anything
}

type objectRules struct {
	declares   bool      // it has the keyword properties
	names      []string  // of properties, as declared
	properties []*Schema // by their names
	index      map[string]int
	patterns   []patternProperty
	additional *Schema // of all other members; nil: anything
	required   []string
}

type patternProperty struct {
	name   *pattern
	schema *Schema
}

// moreRules are the keywords that few schemas have, and that only judging asks for.
type moreRules struct {
	not                   *Schema
	cond, then, otherwise *Schema // if, then, else
	dependents            []dependent
	members               Lengths // minProperties and maxProperties
	names                 *Schema // propertyNames
	contains              *Schema
	contained             Lengths // minContains and maxContains
	restItems             *Schema // unevaluatedItems
	restMembers           *Schema // unevaluatedProperties
	dynamic               *dynamicReference
}

// dependent is what must be where an object has a certain member.
type dependent struct {
	member string
	needs  []string
	schema *Schema // nil: none
}

// manyNames is from how many properties on there is an index of them.
const manyNames = 12

// declared returns the schema under the keyword properties, and nil for another name.
func (o *objectRules) declared(name string) *Schema {
	if o == nil {
		return nil
	}
	if o.index != nil {
		if i, ok := o.index[name]; ok {
			return o.properties[i]
		}
		return nil
	}
	for i, own := range o.names {
		if own == name {
			return o.properties[i]
		}
	}
	return nil
}

// property is the schema of a member, by name, pattern or default.
func (o *objectRules) property(name string) *Schema {
	if o == nil {
		return nil
	}
	if p := o.declared(name); p != nil {
		return p
	}
	if p := o.byPattern(name); p != nil {
		return p
	}
	return o.additional
}

func (o *objectRules) byPattern(name string) *Schema {
	if o != nil {
		for _, p := range o.patterns {
			if p.name.match(name) == fits {
				return p.schema
			}
		}
	}
	return nil
}

func (o *objectRules) others() *Schema {
	if o == nil {
		return nil
	}
	return o.additional
}

// element is the schema of the element with index i.
func (r *arrayRules) element(i int) *Schema {
	switch {
	case r == nil:
		return nil
	case i < len(r.prefix):
		return r.prefix[i]
	}
	return r.items
}

// Property returns the schema of an object's member, and nil where it
// declares none. A member that several alternatives declare has the types of
// all of them. What no alternative names has the schema of patternProperties
// or, last, of additionalProperties.
func (s *Schema) Property(name string) *Schema {
	if s == nil {
		return nil
	}
	if s.alone() {
		return s.object.property(name)
	}
	return s.lookup(
		func(o *objectRules) *Schema { return o.declared(name) },
		func(o *objectRules) *Schema { return o.byPattern(name) },
		(*objectRules).others,
	)
}

// Declares reports whether the schema, or an alternative of it, names this
// property.
func (s *Schema) Declares(name string) bool {
	if s.alone() {
		return s.object.declared(name) != nil
	}
	for part := range s.parts() {
		if part.object.declared(name) != nil {
			return true
		}
	}
	return false
}

// Only returns the one property that an object may have by its schema, where that
// names just one.
func (s *Schema) Only() (string, bool) {
	name, n := "", 0
	for part := range s.parts() {
		if part.object == nil {
			continue
		}
		for _, own := range part.object.names {
			if n == 0 || own != name {
				name, n = own, n+1
			}
		}
	}
	return name, n == 1
}

// Closed reports whether the schema, or an alternative of it, names its
// properties, so that others are undeclared.
func (s *Schema) Closed() bool {
	for part := range s.parts() {
		if part.object != nil && len(part.object.names) > 0 {
			return true
		}
	}
	return false
}

// Element returns the schema of an array's element by its place, from 0, and nil
// where nothing is said of it: as of those beyond prefixItems, without items.
func (s *Schema) Element(at int) *Schema {
	if s.alone() {
		return s.array.element(at)
	}
	var found []*Schema
	for part := range s.parts() {
		if e := part.array.element(at); e != nil {
			found = append(found, e)
		}
	}
	return union(found)
}

// AllowsContainer reports whether the value may be an object or an array.
func (s *Schema) AllowsContainer() (object, array bool) {
	t := s.allowed()
	return t&typeObject != 0, t&typeArray != 0
}

// AllowsString reports whether the value may be a string. Where it may not, a
// text that ends up as a string is toolcall.UnconvertedValue.
func (s *Schema) AllowsString() bool { return s.allowed()&typeString != 0 }

// Untyped reports whether nothing restricts the value's type.
func (s *Schema) Untyped() bool { return s == nil || s.types == 0 }

// allowed is the set of types that text may become, never empty.
func (s *Schema) allowed() typeSet {
	switch {
	case s == nil:
		return typeString
	case s.types != 0:
		return s.types
	}
	return s.spokenOf()
}

// spokenOf are the types that the keywords of a schema without a type speak of: that of
// numbers, or of lists; else strings.
func (s *Schema) spokenOf() (types typeSet) {
	if s.number != nil {
		types |= typeNumber
	}
	if s.array != nil {
		types |= typeArray
	}
	if types == 0 || s.text != nil {
		types |= typeString
	}
	return types
}

// lookup asks each source in turn about all parts of s, and joins the answers
// of the first source that has any.
func (s *Schema) lookup(sources ...func(*objectRules) *Schema) *Schema {
	for _, source := range sources {
		var found []*Schema
		for part := range s.parts() {
			if p := source(part.object); p != nil {
				found = append(found, p)
			}
		}
		if len(found) > 0 {
			return union(found)
		}
	}
	return nil
}

// alone reports whether nothing else applies to the same value as s.
func (s *Schema) alone() bool { return s != nil && len(s.all) == 0 && len(s.choices) == 0 }

// parts yields s and everything that applies to the same value: targets of
// $ref, members of allOf, anyOf and oneOf. Each comes once.
func (s *Schema) parts() iter.Seq[*Schema] {
	return func(yield func(*Schema) bool) {
		if s == nil {
			return
		}
		if s.alone() { // nearly always
			yield(s)
			return
		}
		seen := map[*Schema]bool{}
		var walk func(*Schema) bool
		walk = func(s *Schema) bool {
			if seen[s] {
				return true
			}
			seen[s] = true
			if !yield(s) {
				return false
			}
			for below := range s.below() {
				if !walk(below) {
					return false
				}
			}
			return true
		}
		walk(s)
	}
}

// below yields what applies in place directly below s.
func (s *Schema) below() iter.Seq[*Schema] {
	return func(yield func(*Schema) bool) {
		for _, b := range s.all {
			if !yield(b) {
				return
			}
		}
		for _, choice := range s.choices {
			for _, b := range choice.list {
				if !yield(b) {
					return
				}
			}
		}
	}
}

// union is a schema that may be any of list. Those that restrict no type are
// left out where others do.
func union(list []*Schema) *Schema {
	switch len(list) {
	case 0:
		return nil
	case 1:
		return list[0]
	}
	u := &Schema{choices: []choice{{list: slices.Clip(list)}}, doc: list[0].doc}
	for _, s := range list {
		u.types |= s.types
	}
	u.measure()
	return u
}

// Any is the schema of a value that may be anything, and is what its text looks
// like.
var Any = &Schema{types: typeNull | typeInteger | typeNumber | typeBoolean | typeObject | typeArray | typeString}

// Told returns the schema to use for a value whose syntax states its type. kind is the
// word that stands there, "string" or "true" for a string, and "" if there is none;
// quoted says that strings stand in quotes, so that a value without a schema is JSON.
func (s *Schema) Told(kind string, quoted bool) *Schema {
	switch {
	case quoted && s.Untyped():
		return Any
	case kind == "", !s.Untyped() && !s.AllowsString():
		return s
	case kind == "string", kind == "true":
		return nil
	case s.Untyped():
		return Any
	}
	return s
}
