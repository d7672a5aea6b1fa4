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

// value is the representation of schemas and documents.
type value = jsonvalue.Value

// Schema is one compiled schema or subschema. A nil *Schema allows everything, and all
// methods accept it. A Schema is immutable and safe for concurrent use.
type Schema struct {
	// types are the types that text may become, considering everything that applies in
	// place ($ref, allOf, anyOf); 0 if nothing restricts them.
	types typeSet

	declared typeSet // from the keyword type; 0 if absent
	nullable bool
	never    bool // the schema is false

	// reach is the number of schemas that apply in place, including s; schemas that apply
	// twice count twice. It is the cost of a look-up.
	reach int32

	enum    *enum
	all     []*Schema // allOf and the target of $ref: each must fit
	choices []choice

	// The rules for numbers, strings and so on; nil if there are none.
	number *numberRules
	text   *textRules
	array  *arrayRules
	object *objectRules
	more   *moreRules

	home *resource // the resource that contains the schema
	doc  *traits
}

// traits are facts about a whole document that save work if they are false.
type traits struct {
	unevaluated bool // it has unevaluatedItems or unevaluatedProperties
	dynamic     bool // it has a $dynamicRef
}

// choice is an anyOf, of which at least one schema must fit, or a oneOf, of which exactly
// one must.
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

// admits reports whether a number is on the right side of the bound. side is +1 for a lower
// bound and -1 for an upper one.
func (b *bound) admits(d jsonvalue.Decimal, side int) bool {
	order := d.Compare(b.Decimal) * side
	return order > 0 || order == 0 && !b.exclusive
}

// NoLimit is the Max of Lengths without an upper limit.
const NoLimit = -1

// Lengths are limits on a length or a count.
type Lengths struct{ Min, Max int }

func (l Lengths) hold(n int) bool { return n >= l.Min && (l.Max == NoLimit || n <= l.Max) }

// and returns the limits that satisfy both.
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
	prefix []*Schema // for the first elements
	items  *Schema   // for the other elements; nil allows anything
}

type objectRules struct {
	declares   bool      // the keyword properties is present
	names      []string  // the names of properties, as declared
	properties []*Schema // in the order of names
	index      map[string]int
	patterns   []patternProperty
	additional *Schema // for all other members; nil allows anything
	required   []string
}

type patternProperty struct {
	name   *pattern
	schema *Schema
}

// moreRules are the keywords that few schemas have and that only validation needs.
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

// dependent is what an object with a certain member must satisfy.
type dependent struct {
	member string
	needs  []string
	schema *Schema // nil if there is none
}

// manyNames is the number of properties from which on there is an index.
const manyNames = 12

// declared returns the schema of a property under the keyword properties, or nil.
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
	for i, declared := range o.names {
		if declared == name {
			return o.properties[i]
		}
	}
	return nil
}

// byPattern returns the schema of a member under patternProperties, or nil.
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

// other returns the schema of all members under additionalProperties, or nil.
func (o *objectRules) other(string) *Schema {
	if o == nil {
		return nil
	}
	return o.additional
}

// element returns the schema of the element with index i.
func (r *arrayRules) element(i int) *Schema {
	switch {
	case r == nil:
		return nil
	case i < len(r.prefix):
		return r.prefix[i]
	}
	return r.items
}

// Property returns the schema of an object's member, or nil if there is none. If several
// alternatives declare the member, the result has the types of all of them. Members that no
// alternative names get the schema of patternProperties or, last, of additionalProperties.
func (s *Schema) Property(name string) *Schema {
	for _, rule := range [...]func(*objectRules, string) *Schema{(*objectRules).declared, (*objectRules).byPattern, (*objectRules).other} {
		if p := s.partly(func(part *Schema) *Schema { return rule(part.object, name) }); p != nil {
			return p
		}
	}
	return nil
}

// Declares reports whether the schema, or one of its alternatives, names this property.
func (s *Schema) Declares(name string) bool {
	return s.anyPart(func(part *Schema) bool { return part.object.declared(name) != nil })
}

// Only returns the name of the only property that the schema names, or false if it names
// none or several.
func (s *Schema) Only() (string, bool) {
	name, n := "", 0
	s.anyPart(func(part *Schema) bool {
		if part.object != nil {
			for _, declared := range part.object.names {
				if n == 0 || declared != name {
					name, n = declared, n+1
				}
			}
		}
		return n > 1
	})
	return name, n == 1
}

// Closed reports whether the schema, or one of its alternatives, names any properties,
// which makes all others undeclared.
func (s *Schema) Closed() bool {
	return s.anyPart(func(part *Schema) bool { return part.object != nil && len(part.object.names) > 0 })
}

// Element returns the schema of the array element with index at. It returns nil if there is
// none, as for elements beyond prefixItems without items.
func (s *Schema) Element(at int) *Schema {
	return s.partly(func(part *Schema) *Schema { return part.array.element(at) })
}

// AllowsContainer reports whether the value may be an object or an array.
func (s *Schema) AllowsContainer() (object, array bool) {
	t := s.allowed()
	return t&typeObject != 0, t&typeArray != 0
}

// AllowsString reports whether the value may be a string. If not, a text that becomes a
// string anyway is a toolcall.UnconvertedValue.
func (s *Schema) AllowsString() bool { return s.allowed()&typeString != 0 }

// IsText reports whether any text becomes a string: whether MayConvert is false from the first
// byte on.
func (s *Schema) IsText() bool { return s.allowed() == typeString }

// Untyped reports whether nothing restricts the value's type.
func (s *Schema) Untyped() bool { return s == nil || s.types == 0 }

// allowed returns the types that text may become. It is never empty.
func (s *Schema) allowed() typeSet {
	switch {
	case s == nil:
		return typeString
	case s.types != 0:
		return s.types
	}
	return s.impliedTypes()
}

// impliedTypes returns the types that the keywords of an untyped schema suggest: numbers or
// arrays if there are such keywords, and otherwise strings.
func (s *Schema) impliedTypes() (types typeSet) {
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

// partly returns the union of what of returns for s and every schema that applies to the
// same value, or nil.
func (s *Schema) partly(of func(part *Schema) *Schema) *Schema {
	if s.alone() {
		return of(s)
	}
	var found []*Schema
	s.anyPart(func(part *Schema) bool {
		if p := of(part); p != nil {
			found = append(found, p)
		}
		return false
	})
	return union(found)
}

// alone reports whether no other schema applies to the same value as s.
func (s *Schema) alone() bool { return s != nil && len(s.all) == 0 && len(s.choices) == 0 }

// anyPart reports whether is holds for s or a schema that applies to the same value: targets
// of $ref and members of allOf, anyOf and oneOf. It asks about each once, until one does.
func (s *Schema) anyPart(is func(part *Schema) bool) bool {
	switch {
	case s == nil:
		return false
	case s.alone(): // the usual case
		return is(s)
	}
	return s.search(map[*Schema]bool{}, is)
}

// search is anyPart for the schemas that have not been seen.
func (s *Schema) search(seen map[*Schema]bool, is func(part *Schema) bool) bool {
	if seen[s] {
		return false
	}
	seen[s] = true
	if is(s) {
		return true
	}
	for below := range s.below() {
		if below.search(seen, is) {
			return true
		}
	}
	return false
}

// below yields the schemas directly below s that apply to the same value.
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

// union returns a schema that allows what any of list allows. The types of those that
// restrict none do not count if others do.
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

// Any is the schema of a value of any type. The text of the value decides.
var Any = &Schema{types: typeNull | typeInteger | typeNumber | typeBoolean | typeObject | typeArray | typeString}

// ForWrittenType returns the schema to use for a value whose syntax states its type. kind is
// the written type ("string" or "true" for a string), or "" if there is none. quoted means
// that strings are written in quotes, so that a value without a schema is JSON.
func (s *Schema) ForWrittenType(kind string, quoted bool) *Schema {
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
