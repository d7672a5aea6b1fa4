package schema

import (
	"fmt"
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
	Nullable           bool     // null fits, although only other keywords imply the type
	Enum               []*jsonvalue.Value
	HasEnum            bool   // Enum is set; a const is an enum of one
	Format             string // the first one
	Patterns           []string
	Min, Max           *Limit
	Steps              []*big.Rat // multipleOf
	Length             Lengths    // of a string, in runes

	Members    Lengths
	Properties []Property
	Required   []string           // without repetition
	Patterned  []Property         // patternProperties; the names are patterns
	Additional *jsonvalue.Value   // for all other members: a boolean or a schema; nil: anything
	Names      *jsonvalue.Value   // propertyNames
	Count      Lengths            // of elements
	Unique     bool               // uniqueItems
	Prefix     []*jsonvalue.Value // for the first elements
	Items      *jsonvalue.Value   // for the other elements: a boolean or a schema; nil: anything
	Contains   *jsonvalue.Value

	// Choices are the lists of anyOf and oneOf in order: first those of the first part.
	Choices  []Choice
	Examples []*jsonvalue.Value // examples, example, then default

	// Keywords are all keywords of all parts, in order.
	Keywords []Keyword
	Refs     []Ref // in the order in which they were followed
}

// Ref is a reference that was followed. Its Target is nil if it leads nowhere.
type Ref struct {
	Text     string
	Target   *jsonvalue.Value
	Circular bool // it leads to a schema that already applies, so it was not followed again
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

// Shaper computes the shapes of a document's parts. Because references can multiply the
// work, a Shaper has a budget. It is not safe for concurrent use.
type Shaper struct {
	doc    *Document
	work   int
	joined map[[2]*value]*value
}

// Shaper returns a Shaper that reads at most work schemas.
func (d *Document) Shaper(work int) *Shaper {
	return &Shaper{doc: d, work: work, joined: map[[2]*value]*value{}}
}

// Shape returns the shape of the values that fit all of these schemas. To make a choice,
// pass its schema after the schema that contains it; the choices of the added schemas are
// then at the end of [Shape.Choices].
func (r *Shaper) Shape(parts ...*jsonvalue.Value) (*Shape, error) {
	s := &merger{shaper: r, Shape: AnyShape()}
	for _, part := range parts {
		if err := s.merge(part, 0); err != nil {
			return nil, err
		}
	}
	s.finish()
	return s.Shape, nil
}

// maxAlternatives limits the number of alternatives of one schema.
const maxAlternatives = 64

// Alternatives returns the shapes of a schema with every choice made, in all combinations
// that do not contradict themselves. If there are none, it returns a single shape with
// Never set. The error is [ErrTooLarge] if there are too many.
func (r *Shaper) Alternatives(v *jsonvalue.Value) ([]*Shape, error) {
	var list []*Shape
	var choose func(parts ...*value) error
	choose = func(parts ...*value) error {
		s, err := r.Shape(parts...)
		switch {
		case err != nil:
			return err
		case s.Never:
			return nil
		case len(s.Choices) < len(parts):
			if list = append(list, s); len(list) > maxAlternatives {
				return fmt.Errorf("%w: more than %d alternatives for one value", ErrTooLarge, maxAlternatives)
			}
			return nil
		}
		for _, choice := range s.Choices[len(parts)-1].List {
			if err := choose(append(slices.Clip(parts), choice)...); err != nil {
				return err
			}
		}
		return nil
	}
	if err := choose(v); err != nil {
		return nil, err
	}
	if len(list) == 0 {
		never := AnyShape()
		never.Never = true
		return []*Shape{never}, nil
	}
	return list, nil
}

// Join returns the schema of the values that fit both a and b; either may be nil. For the
// same arguments it returns the same schema, so that recursion can be detected.
func (r *Shaper) Join(a, b *jsonvalue.Value) *jsonvalue.Value {
	switch {
	case a == nil, a == b, a.IsTrue(), b.IsFalse():
		return b
	case b == nil, b.IsTrue(), a.IsFalse():
		return a
	}
	key := [2]*value{a, b}
	if r.joined[key] == nil {
		if r.joined[key] = a; a.Raw == "" || a.Raw != b.Raw {
			r.joined[key] = combined("allOf", a, b)
		}
	}
	return r.joined[key]
}

// combined returns the schema with one keyword whose value is list.
func combined(keyword string, list ...*value) *value {
	return jsonvalue.NewObject().Set(keyword, jsonvalue.NewArray(list...))
}

// Flat returns a shape without choices that allows every object that the schema allows. It
// has each property of each alternative, with any of the schemas that the alternatives have
// for it, and requires only what all alternatives require. Flat returns false if the schema
// may describe something other than an object, or is too large.
func (r *Shaper) Flat(v *jsonvalue.Value) (*Shape, bool) {
	s, err := r.Shape(v)
	isCircular := func(ref Ref) bool { return ref.Circular }
	if err != nil || s.Never || slices.ContainsFunc(s.Refs, isCircular) || s.Types != nil && !slices.Contains(s.Types, "object") {
		return nil, false
	}
	m := merger{Shape: s, shaper: r}
	for _, choice := range s.Choices {
		props, required, ok := r.either(choice.List)
		if !ok {
			return nil, false
		}
		m.properties(props)
		m.require(required)
	}
	s.Choices = nil
	m.finish()
	return s, true
}

// either merges what alternatives say about an object.
func (r *Shaper) either(list []*value) (props []Property, required []string, ok bool) {
	at, requiredBy, n := map[string]int{}, map[string]int{}, 0
	var schemas [][]*value // the schemas of each of props
	for _, branch := range list {
		if types := TypesOf(branch); len(types) == 1 && types[0] == "null" {
			continue
		}
		s, ok := r.Flat(branch)
		if !ok {
			return nil, nil, false
		}
		n++
		for _, p := range s.Properties {
			i, ok := at[p.Name]
			if !ok {
				i = len(props)
				at[p.Name], props, schemas = i, append(props, p), append(schemas, nil)
			}
			if !slices.ContainsFunc(schemas[i], func(o *value) bool { return jsonvalue.Equal(o, p.Schema) }) {
				schemas[i] = append(schemas[i], p.Schema)
			}
		}
		for _, name := range s.Required {
			if requiredBy[name]++; requiredBy[name] == 1 {
				required = append(required, name)
			}
		}
	}
	for i := range props {
		if len(schemas[i]) > 1 {
			props[i].Schema = combined("anyOf", schemas[i]...)
		}
	}
	required = slices.DeleteFunc(required, func(name string) bool { return requiredBy[name] < n })
	return props, required, n > 0
}

// merger assembles a shape.
type merger struct {
	*Shape
	shaper   *Shaper
	at       map[string]int // the index of each of Properties; nil while there are none
	required map[string]bool
	state    map[*value]state // of parts that contain further parts; other parts may be merged twice without effect
}

// state is the progress of a part of a shape.
type state uint8

const (
	unread state = iota
	open
	done
)

// merge adds the keywords of a schema and of all schemas that apply in place.
func (m *merger) merge(v *value, depth int) error {
	if m.shaper.work--; m.shaper.work < 0 || depth > maxChain {
		return ErrTooLarge
	}
	if v.IsFalse() {
		m.Never = true
	}
	if !v.Is(jsonvalue.Object) || m.state[v] != unread {
		return nil
	}
	if v.Has("$ref") || v.Has("allOf") {
		if m.state == nil {
			m.state = map[*value]state{}
		}
		m.state[v] = open
		defer func() { m.state[v] = done }()
	}
	for i, name := range v.Keys {
		m.Keywords = append(m.Keywords, Keyword{name, v.List[i]})
	}
	types, hasEnum := m.Types, m.HasEnum
	m.general(v)
	m.scalars(v)
	m.object(v)
	m.array(v)
	if ref := v.Get("$ref"); ref.Is(jsonvalue.String) {
		to := m.shaper.doc.Target(v)
		m.Refs = append(m.Refs, Ref{ref.Text, to, to != nil && m.state[to] == open})
		if err := m.merge(to, depth+1); err != nil {
			return err
		}
	}
	for _, part := range v.Get("allOf").Elements() {
		if err := m.merge(part, depth+1); err != nil {
			return err
		}
	}
	if v.Get("nullable").IsTrue() {
		m.allowNull(types == nil || slices.Contains(types, "null"), hasEnum)
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if list := v.Get(keyword).Elements(); len(list) > 0 {
			m.Choices = append(m.Choices, Choice{keyword, list})
		}
	}
	return nil
}

// allowNull adds null to what a nullable part and its references allow, unless an earlier
// part rules it out.
func (m *merger) allowNull(allowed, hasEnum bool) {
	if allowed && m.Types != nil && !slices.Contains(m.Types, "null") {
		m.Types = append(slices.Clip(m.Types), "null")
	}
	if m.HasEnum && !hasEnum {
		m.Enum = withNull(m.Enum)
	}
}

// withNull returns a list of values with null added.
func withNull(list []*value) []*value {
	if slices.ContainsFunc(list, func(k *value) bool { return k.Is(jsonvalue.Null) }) {
		return list
	}
	return append(slices.Clip(list), &value{Kind: jsonvalue.Null, Text: "null", Raw: "null"})
}

// textIn returns the value of a keyword if that is a string.
func textIn(v *value, keyword string) string {
	if k := v.Get(keyword); k.Is(jsonvalue.String) {
		return k.Text
	}
	return ""
}

// general merges the keywords that apply to any value.
func (m *merger) general(v *value) {
	if m.Title == "" {
		m.Title = textIn(v, "title")
	}
	if m.Description == "" {
		m.Description = textIn(v, "description")
	}
	if types := TypesOf(v); m.Types == nil {
		m.Types = types
	} else if types != nil {
		if both := intersect(m.Types, types); both != nil {
			m.Types = both
		} else {
			m.Never = true
		}
	}
	m.Nullable = m.Nullable || v.Get("nullable").IsTrue()
	nullable := v.Get("nullable").IsTrue()
	if c := v.Get("const"); c != nil {
		m.enumerate([]*value{c}, nullable)
	}
	if e := v.Get("enum"); e.Is(jsonvalue.Array) {
		m.enumerate(e.List, nullable)
	}
	m.Examples = append(m.Examples, v.Get("examples").Elements()...)
	for _, keyword := range []string{"example", "default"} {
		if k := v.Get(keyword); k != nil {
			m.Examples = append(m.Examples, k)
		}
	}
}

// enumerate merges the enum of one part.
func (m *merger) enumerate(list []*value, nullable bool) {
	if nullable {
		list = withNull(list)
	}
	if m.HasEnum {
		both := make(map[string]bool, len(list))
		for _, k := range list {
			both[k.Key()] = true
		}
		list = slices.DeleteFunc(slices.Clone(m.Enum), func(k *value) bool { return !both[k.Key()] })
	}
	m.Enum, m.HasEnum = list, true
}

func (m *merger) scalars(v *value) {
	if m.Format == "" {
		m.Format = textIn(v, "format")
	}
	if p := textIn(v, "pattern"); p != "" {
		m.Patterns = append(m.Patterns, p)
	}
	m.Min = m.Min.Tighter(readLimit(v, "minimum", "exclusiveMinimum", -1), 1)
	m.Max = m.Max.Tighter(readLimit(v, "maximum", "exclusiveMaximum", +1), -1)
	if d, ok := v.Get("multipleOf").Decimal(); ok && d.Sign() > 0 {
		if step, ok := d.Rat(); ok {
			m.Steps = append(m.Steps, step)
		}
	}
	m.Length = m.Length.and(readLengths(v, "minLength", "maxLength"))
}

// readLimit reads a limit in the spellings of all drafts. side is as for readBound.
func readLimit(v *value, inclusive, exclusive string, side int) *Limit {
	b := readBound(v, inclusive, exclusive, side)
	if b == nil {
		return nil
	}
	rat, ok := b.Rat()
	if !ok {
		return nil
	}
	return &Limit{rat, b.exclusive}
}

func (m *merger) object(v *value) {
	m.properties(propertiesIn(v.Get("properties")))
	m.require(stringsIn(v.Get("required")))
	m.Patterned = append(m.Patterned, propertiesIn(v.Get("patternProperties"))...)
	m.Members = m.Members.and(readLengths(v, "minProperties", "maxProperties"))
	m.Names = m.shaper.Join(m.Names, subschema(v, "propertyNames"))
	m.Additional = m.shaper.Join(m.Additional, subschema(v, "additionalProperties"))
}

func propertiesIn(v *value) []Property {
	if !v.Is(jsonvalue.Object) {
		return nil
	}
	list := make([]Property, len(v.Keys))
	for i, name := range v.Keys {
		list[i] = Property{Name: name, Schema: v.List[i]}
	}
	return list
}

// properties merges properties. A member must fit what every part says about it.
func (m *merger) properties(list []Property) {
	if m.at == nil && len(list) > 0 {
		m.at = make(map[string]int, len(list))
		for i, p := range m.Properties {
			m.at[p.Name] = i
		}
	}
	for _, p := range list {
		if at, ok := m.at[p.Name]; ok {
			m.Properties[at].Schema = m.shaper.Join(m.Properties[at].Schema, p.Schema)
			continue
		}
		m.at[p.Name] = len(m.Properties)
		m.Properties = append(m.Properties, p)
	}
}

func (m *merger) require(names []string) {
	if m.required == nil && len(names) > 0 {
		m.required = make(map[string]bool, len(names))
		for _, name := range m.Required {
			m.required[name] = true
		}
	}
	for _, name := range names {
		if !m.required[name] {
			m.required[name] = true
			m.Required = append(m.Required, name)
		}
	}
}

// finish computes what depends on all parts.
func (m *merger) finish() {
	m.require(m.Required)
	for i := range m.Properties {
		m.Properties[i].Required = m.required[m.Properties[i].Name]
	}
	m.Never = m.Never || m.HasEnum && len(m.Enum) == 0
}

func (m *merger) array(v *value) {
	prefix, items := v.Get("prefixItems").Elements(), subschema(v, "items")
	if v.Get("items").Is(jsonvalue.Array) { // before draft 2020
		prefix, items = v.Get("items").List, subschema(v, "additionalItems")
	}
	for i, own := range prefix {
		if i < len(m.Prefix) {
			prefix = slices.Clone(prefix)
			prefix[i] = m.shaper.Join(m.Prefix[i], own)
		}
	}
	if len(prefix) < len(m.Prefix) {
		prefix = append(slices.Clip(prefix), m.Prefix[len(prefix):]...)
	}
	m.Prefix = prefix
	m.Items = m.shaper.Join(m.Items, items)
	m.Contains = m.shaper.Join(m.Contains, subschema(v, "contains"))
	m.Count = m.Count.and(readLengths(v, "minItems", "maxItems"))
	m.Unique = m.Unique || v.Get("uniqueItems").IsTrue()
}

// subschema returns the schema under a keyword. It returns nil if the value is not a
// schema; generators write unset keywords as null.
func subschema(v *value, keyword string) *value {
	if k := v.Get(keyword); k.Is(jsonvalue.Object) || k.Is(jsonvalue.Bool) {
		return k
	}
	return nil
}

// TypesOf returns the type names that a schema itself declares, in order and in the
// spelling of JSON Schema. It returns nil if there are none, or if one of them allows
// anything.
func TypesOf(v *jsonvalue.Value) []string {
	var types []string
	names := []*value{v.Get("type")}
	if names[0].Is(jsonvalue.Array) {
		names = names[0].List
	}
	for _, name := range names {
		if !name.Is(jsonvalue.String) {
			continue
		}
		word := TypeName(name.Text)
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
	case s.has("properties", "additionalProperties"), len(s.Required) > 0, len(s.Patterned) > 0, s.Names != nil, s.Members.Min > 0:
		types = []string{"object"} // consistent with how values in text are read
	case s.has("items"), len(s.Prefix) > 0, s.Contains != nil, s.Unique, s.Count != Lengths{0, NoLimit}:
		types = []string{"array"}
	case len(s.Patterns) > 0, s.Length != Lengths{0, NoLimit}:
		types = []string{"string"}
	case s.Min != nil, s.Max != nil, len(s.Steps) > 0:
		types = []string{"number"}
	default:
		return nil
	}
	if s.Nullable {
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
	own := typeOf(v)
	return slices.ContainsFunc(s.Types, func(name string) bool { return typeNamed(name).fits(own) })
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
			list = append(list, Property{name, s.Additional, true})
		}
	}
	return list
}

// AnyShape returns the shape of a value without restrictions.
func AnyShape() *Shape {
	return &Shape{Length: Lengths{0, NoLimit}, Members: Lengths{0, NoLimit}, Count: Lengths{0, NoLimit}}
}
