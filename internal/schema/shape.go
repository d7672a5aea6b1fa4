package schema

import (
	"math/big"
	"math/bits"
	"slices"

	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// Shape describes what a value looks like according to a schema. It merges the schema's own
// keywords with those of everything that applies in place: targets of $ref and members of
// allOf. Schemas of which only one applies are in Choices, until a choice is made and
// merged.
//
// Code that shows a schema, rewrites it, or makes up values for it uses its shape. Whether
// a value fits is for [Schema.Validate] to decide, which knows more rules.
type Shape struct {
	Never bool // no value fits: parts contradict each other, or one is false

	Title, Description string
	Types              []string // as written; nil: any
	Enum               []*jsonvalue.Value
	HasEnum            bool   // Enum is set; a const is an enum of one
	Format             string // the first one
	Patterns           []string
	Min, Max           *Limit
	MultipleOf         []*big.Rat // multipleOf
	Length             Lengths    // of a string, in runes

	MemberCount          Lengths
	Properties           []Property
	Required             []string           // without repetition
	PatternProperties    []Property         // patternProperties; the names are patterns
	AdditionalProperties *jsonvalue.Value   // for all other members: a boolean or a schema; nil: anything
	PropertyNames        *jsonvalue.Value   // propertyNames
	ItemCount            Lengths            // of elements
	Unique               bool               // uniqueItems
	PrefixItems          []*jsonvalue.Value // for the first elements
	Items                *jsonvalue.Value   // for the other elements: a boolean or a schema; nil: anything
	Contains             *jsonvalue.Value

	// Choices are the lists of anyOf and oneOf in order: first those of the first part.
	Choices  []Choice
	Examples []*jsonvalue.Value // examples, example, then default

	// Keywords are all keywords of all parts, in order.
	Keywords []Keyword

	nullable bool // null fits, although only other keywords imply the type
	circular bool // a reference leads to a schema that already applies, and was not followed again
}

// Keyword is a keyword of one part of a shape.
type Keyword struct {
	Name  string
	Value *jsonvalue.Value
}

// Choice is an anyOf or a oneOf.
type Choice struct {
	Keyword string
	List    []*jsonvalue.Value
}

// Property is a declared member of an object.
type Property struct {
	Name     string
	Schema   *jsonvalue.Value
	Required bool
}

// Limit is a bound on numbers.
type Limit struct {
	*big.Rat
	Open bool // the bound itself is excluded
}

// Tighter returns the stricter of two limits; either may be nil. side is +1 for lower
// limits and -1 for upper ones.
func (l *Limit) Tighter(other *Limit, side int) *Limit {
	switch {
	case l == nil:
		return other
	case other == nil:
		return l
	}
	switch order := l.Cmp(other.Rat) * side; {
	case order > 0:
		return l
	case order < 0:
		return other
	}
	return &Limit{l.Rat, l.Open || other.Open}
}

// typesOf returns the type names that a schema itself declares, in order and in the
// spelling of JSON Schema. It returns nil if there are none, or if one of them allows
// anything.
func typesOf(v *jsonvalue.Value) []string {
	var types []string
	for _, name := range namesUnder(v.Get("type")) {
		if !name.Is(jsonvalue.String) {
			continue
		}
		word := typeName(name.Text)
		if word == "" {
			return nil
		}
		if !slices.Contains(types, word) {
			types = append(types, word)
		}
	}
	if types != nil && v.Get("nullable").IsTrue() && !slices.Contains(types, "null") {
		types = append(types, "null")
	}
	return types
}

// TypeOf returns the name of a value's type in JSON Schema: "integer" for a whole number.
func TypeOf(v *jsonvalue.Value) string { return typeNames[bits.TrailingZeros8(uint8(typeOf(v)))] }

// intersect returns the types that two lists have in common. Every integer is a number.
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
	return slices.Compact(both)
}

// Kinds returns the types of a value, derived from other keywords if none is declared; nil
// means any.
func (s *Shape) Kinds() []string {
	types := s.Types
	switch {
	case types != nil:
		return types
	case s.has("properties", "additionalProperties"), len(s.Required) > 0, len(s.PatternProperties) > 0, s.PropertyNames != nil, s.MemberCount.Min > 0:
		types = []string{"object"} // consistent with how values in text are read
	case s.has("items"), len(s.PrefixItems) > 0, s.Contains != nil, s.Unique, s.ItemCount != Lengths{0, NoLimit}:
		types = []string{"array"}
	case len(s.Patterns) > 0, s.Length != Lengths{0, NoLimit}:
		types = []string{"string"}
	case s.Min != nil, s.Max != nil, len(s.MultipleOf) > 0:
		types = []string{"number"}
	default:
		return nil
	}
	if s.nullable {
		types = append(types, "null")
	}
	return types
}

// has reports whether one of these keywords has a value other than null.
func (s *Shape) has(names ...string) bool {
	return slices.ContainsFunc(s.Keywords, func(k Keyword) bool { return slices.Contains(names, k.Name) && !k.Value.Is(jsonvalue.Null) })
}

// Allows reports whether the shape allows the type of v.
func (s *Shape) Allows(v *jsonvalue.Value) bool {
	if s.Types == nil {
		return true
	}
	actual := typeOf(v)
	return slices.ContainsFunc(s.Types, func(name string) bool { return typeNamed(name).fits(actual) })
}

// AllProperties returns the declared members of an object, followed by those that are only
// required, with the schema for all other members.
func (s *Shape) AllProperties() []Property {
	declared := make(map[string]bool, len(s.Properties))
	for _, p := range s.Properties {
		declared[p.Name] = true
	}
	list := slices.Clip(s.Properties)
	for _, name := range s.Required {
		if !declared[name] {
			list = append(list, Property{name, s.AdditionalProperties, true})
		}
	}
	return list
}

// AnyShape returns the shape of a value without restrictions.
func AnyShape() *Shape {
	return &Shape{Length: Lengths{0, NoLimit}, MemberCount: Lengths{0, NoLimit}, ItemCount: Lengths{0, NoLimit}}
}
