// Package schema reads the JSON Schema of a tool's parameters as far as tool
// calling needs it: which types a value may have, how text converts to them,
// and how arguments break them.
//
// It knows the keywords that tool definitions use, in the spellings of
// drafts 4 to 2020-12, OpenAPI and Gemini: type (also upper case and aliases
// such as "int"), nullable, enum, const, properties, patternProperties,
// additionalProperties, required, items, prefixItems, anyOf, oneOf (which
// counts as anyOf), allOf, $ref into the same document, and the bounds of
// numbers, strings and arrays. Other keywords are passed over, and so is what
// makes no sense: [Check] is for those who declare tools.
package schema

import (
	"iter"
	"regexp"
)

// Schema is one compiled (sub)schema. A nil *Schema allows everything; every
// method accepts it. A Schema is immutable and safe for concurrent use.
type Schema struct {
	// types is what text may become, after all that applies in place ($ref,
	// allOf, anyOf) has been taken into account; 0 where nothing restricts it.
	types typeSet

	// reach is the number of schemas that apply in place, s among them, or more
	// where some do so twice: the work of a look-up.
	reach int

	declared typeSet // keyword type; 0: none
	nullable bool
	never    bool // the schema false
	enum     *enum

	all     []*Schema   // the target of $ref, then allOf: each must fit
	choices [][]*Schema // anyOf and oneOf: one of each list must fit

	number numberRules
	text   textRules
	array  arrayRules
	object objectRules
}

type enum struct {
	values []*value
	keys   map[string]bool // of values
	one    bool            // it was written as const
}

type numberRules struct {
	min, max     *bound
	multipleOf   *decimal
	multipleText string
}

// bound is a limit on numbers.
type bound struct {
	decimal
	text      string
	exclusive bool
}

// A length limit of noLimit is none.
const noLimit = -1

type textRules struct {
	minLen, maxLen int // in runes
	pattern        *regexp.Regexp
}

type arrayRules struct {
	minLen, maxLen int
	unique         bool
	prefix         []*Schema // of the first elements
	items          *Schema   // of the others; nil: anything
}

type objectRules struct {
	names      []string // of properties, as declared
	properties map[string]*Schema
	patterns   []patternProperty
	additional *Schema // of all other members; nil: anything
	required   []string
}

type patternProperty struct {
	name   *regexp.Regexp
	schema *Schema
}

// Property returns the schema of an object's member, and nil where it
// declares none. A member that several alternatives declare has the types of
// all of them. What no alternative names has the schema of patternProperties
// or, last, of additionalProperties.
func (s *Schema) Property(name string) *Schema {
	if s.alone() {
		return s.object.property(name)
	}
	return s.lookup(
		func(o *objectRules) *Schema { return o.properties[name] },
		func(o *objectRules) *Schema { return o.byPattern(name) },
		func(o *objectRules) *Schema { return o.additional },
	)
}

// Declares reports whether the schema, or an alternative of it, names this
// property.
func (s *Schema) Declares(name string) bool {
	if s.alone() {
		return s.object.properties[name] != nil
	}
	for part := range s.parts() {
		if part.object.properties[name] != nil {
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
		if len(part.object.properties) > 0 {
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
// text that ends up as a string is toolparse.UnconvertedValue.
func (s *Schema) AllowsString() bool { return s.allowed()&typeString != 0 }

// Untyped reports whether nothing restricts the value's type.
func (s *Schema) Untyped() bool { return s == nil || s.types == 0 }

// allowed is the set of types that text may become, never empty.
func (s *Schema) allowed() typeSet {
	if s == nil || s.types == 0 {
		return typeString
	}
	return s.types
}

// lookup asks each source in turn about all parts of s, and joins the answers
// of the first source that has any.
func (s *Schema) lookup(sources ...func(*objectRules) *Schema) *Schema {
	for _, source := range sources {
		var found []*Schema
		for part := range s.parts() {
			if p := source(&part.object); p != nil {
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

// property is the schema of a member, by name, pattern or default.
func (o *objectRules) property(name string) *Schema {
	if p := o.properties[name]; p != nil {
		return p
	}
	if p := o.byPattern(name); p != nil {
		return p
	}
	return o.additional
}

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
		for _, list := range s.choices {
			for _, b := range list {
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
	u := &Schema{choices: [][]*Schema{list}}
	u.setNoLimits()
	for _, s := range list {
		u.types |= s.types
	}
	u.measure()
	return u
}

func (s *Schema) setNoLimits() {
	s.text.minLen, s.text.maxLen = noLimit, noLimit
	s.array.minLen, s.array.maxLen = noLimit, noLimit
}

func (o *objectRules) byPattern(name string) *Schema {
	for _, p := range o.patterns {
		if p.name.MatchString(name) {
			return p.schema
		}
	}
	return nil
}

// Any is the schema of a value that may be anything, and is what its text looks
// like.
var Any = &Schema{types: typeNull | typeInteger | typeNumber | typeBoolean | typeObject | typeArray | typeString}
