package schema

import (
	"slices"

	"github.com/toolparse/toolparse/internal/jsonvalue"
)

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
		m.circular = m.circular || to != nil && m.state[to] == open
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
	if types := typesOf(v); m.Types == nil {
		m.Types = types
	} else if types != nil {
		if both := intersect(m.Types, types); both != nil {
			m.Types = both
		} else {
			m.Never = true
		}
	}
	nullable := v.Get("nullable").IsTrue()
	m.nullable = m.nullable || nullable
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
			m.MultipleOf = append(m.MultipleOf, step)
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
	m.PatternProperties = append(m.PatternProperties, propertiesIn(v.Get("patternProperties"))...)
	m.MemberCount = m.MemberCount.and(readLengths(v, "minProperties", "maxProperties"))
	m.PropertyNames = m.shaper.Join(m.PropertyNames, subschema(v, "propertyNames"))
	m.AdditionalProperties = m.shaper.Join(m.AdditionalProperties, subschema(v, "additionalProperties"))
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
	for i, item := range prefix {
		if i < len(m.PrefixItems) {
			prefix = slices.Clone(prefix)
			prefix[i] = m.shaper.Join(m.PrefixItems[i], item)
		}
	}
	if len(prefix) < len(m.PrefixItems) {
		prefix = append(slices.Clip(prefix), m.PrefixItems[len(prefix):]...)
	}
	m.PrefixItems = prefix
	m.Items = m.shaper.Join(m.Items, items)
	m.Contains = m.shaper.Join(m.Contains, subschema(v, "contains"))
	m.ItemCount = m.ItemCount.and(readLengths(v, "minItems", "maxItems"))
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
