package schema

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
)

// Compile reads a schema, in time linear in its size. Empty input, null and
// true give nil: anything goes. It fails with an *[Error] where the schema
// cannot be read; keywords that it merely does not know, and patterns that are
// no RE2, it passes over.
func Compile(raw json.RawMessage) (*Schema, error) {
	if isBlank(raw) {
		return nil, nil
	}
	doc, err := parse(raw)
	if err != nil {
		return nil, &Error{Err: err}
	}
	if doc.kind == typeNull || doc.kind == typeBoolean && doc.text == "true" {
		return nil, nil
	}
	c := compiler{doc: doc, done: map[*value]*Schema{}}
	root, err := c.compile(doc, nil, 0)
	if err != nil {
		return nil, err
	}
	// A reference may lead to a part that holds further references.
	for i := 0; i < len(c.refs); i++ {
		if err := c.follow(c.refs[i]); err != nil {
			return nil, err
		}
	}
	if err := c.settle(); err != nil {
		return nil, err
	}
	return root, nil
}

func isBlank(raw []byte) bool {
	for _, b := range raw {
		if b != ' ' && b != '\t' && b != '\r' && b != '\n' {
			return false
		}
	}
	return true
}

// compiler turns the parts of one document into schemas.
type compiler struct {
	doc   *value
	done  map[*value]*Schema // every part is compiled once, so recursion ends
	parts []compiled         // in the order of compilation
	refs  []reference
}

type compiled struct {
	schema *Schema
	at     *place
}

// reference is a $ref that waits for its target.
type reference struct {
	from *Schema
	to   string
	at   *place
}

// compile compiles the schema v, whose place is at.
func (c *compiler) compile(v *value, at *place, depth int) (*Schema, error) {
	if s := c.done[v]; s != nil {
		return s, nil
	}
	if depth > maxDepth {
		return nil, at.fail(errTooDeep)
	}
	s := &Schema{}
	s.setNoLimits()
	c.done[v] = s
	c.parts = append(c.parts, compiled{s, at})
	switch {
	case v.kind == typeBoolean:
		s.never = v.text == "false"
		return s, nil
	case v.kind != typeObject:
		return nil, at.fail(ErrNotASchema)
	}
	for _, read := range []func(*Schema, *value, *place, int) error{
		c.readReference, c.readTypes, c.readBounds, c.readObject, c.readArray, c.readCombiners,
	} {
		if err := read(s, v, at, depth+1); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (c *compiler) readReference(s *Schema, v *value, at *place, _ int) error {
	ref := v.get("$ref")
	if ref == nil {
		return nil
	}
	if ref.kind != typeString {
		return at.member("$ref").fail(fmt.Errorf("%w: want a string", ErrKeyword))
	}
	c.refs = append(c.refs, reference{from: s, to: ref.text, at: at.member("$ref")})
	return nil
}

// follow finds and compiles the target of a reference.
func (c *compiler) follow(r reference) error {
	target, err := c.doc.find(r.to)
	if err != nil {
		return r.at.fail(err)
	}
	s, err := c.compile(target, &place{target: r.to}, 0)
	if err != nil {
		return err
	}
	r.from.all = append(r.from.all, s)
	return nil
}

func (c *compiler) readTypes(s *Schema, v *value, at *place, _ int) error {
	if t := v.get("type"); t != nil {
		names := []*value{t}
		if t.kind == typeArray {
			names = t.elems
		}
		for _, name := range names {
			if name.kind != typeString {
				return at.member("type").fail(fmt.Errorf("%w: want a name or a list of names", ErrKeyword))
			}
			named := typeNamed(name.text)
			if named == 0 { // it may be anything
				s.declared = 0
				break
			}
			s.declared |= named
		}
	}
	if n := v.get("nullable"); n != nil {
		s.nullable = n.text == "true"
	}
	if one, ok := v.members["const"]; ok {
		s.enum = newEnum([]*value{one})
		s.enum.one = true
	} else if list := v.get("enum"); list != nil {
		if list.kind != typeArray {
			return at.member("enum").fail(fmt.Errorf("%w: want a list", ErrKeyword))
		}
		s.enum = newEnum(list.elems)
	}
	return nil
}

func newEnum(values []*value) *enum {
	e := &enum{values: values, keys: make(map[string]bool, len(values))}
	for _, v := range values {
		e.keys[v.key()] = true
	}
	return e
}

// readBounds reads the limits of numbers, strings and arrays. Those that make
// no sense are passed over: a tool is not worth losing for them.
func (c *compiler) readBounds(s *Schema, v *value, _ *place, _ int) error {
	s.number.min = readBound(v, "minimum", "exclusiveMinimum", -1)
	s.number.max = readBound(v, "maximum", "exclusiveMaximum", +1)
	if text, ok := v.number("multipleOf"); ok {
		if d := parseDecimal(text); d.sign() > 0 {
			s.number.multipleOf, s.number.multipleText = &d, text
		}
	}
	s.text.minLen, s.text.maxLen = v.length("minLength"), v.length("maxLength")
	s.array.minLen, s.array.maxLen = v.length("minItems"), v.length("maxItems")
	if u := v.get("uniqueItems"); u != nil {
		s.array.unique = u.text == "true"
	}
	if p := v.get("pattern"); p != nil && p.kind == typeString {
		s.text.pattern, _ = regexp.Compile(p.text)
	}
	return nil
}

// readBound reads an inclusive and an exclusive limit and returns the tighter
// one. side is -1 for lower limits, +1 for upper ones. In draft 4 the exclusive
// one is a boolean that tells how the inclusive one is meant.
func readBound(v *value, inclusive, exclusive string, side int) *bound {
	var b *bound
	if text, ok := v.number(inclusive); ok {
		b = &bound{decimal: parseDecimal(text), text: text}
		if e := v.get(exclusive); e != nil && e.kind == typeBoolean {
			b.exclusive = e.text == "true"
		}
	}
	if text, ok := v.number(exclusive); ok {
		e := &bound{decimal: parseDecimal(text), text: text, exclusive: true}
		if b == nil || e.compare(b.decimal)*side <= 0 {
			b = e
		}
	}
	return b
}

func (c *compiler) readObject(s *Schema, v *value, at *place, depth int) error {
	if p := v.get("properties"); p != nil {
		if p.kind != typeObject {
			return at.member("properties").fail(fmt.Errorf("%w: want an object", ErrKeyword))
		}
		s.object.names = p.names
		s.object.properties = make(map[string]*Schema, len(p.names))
		for _, name := range p.names {
			sub, err := c.compile(p.members[name], at.member("properties").member(name), depth)
			if err != nil {
				return err
			}
			s.object.properties[name] = sub
		}
	}
	if p := v.get("patternProperties"); p != nil && p.kind == typeObject {
		for _, pattern := range p.names {
			name, err := regexp.Compile(pattern)
			if err != nil {
				continue
			}
			sub, err := c.compile(p.members[pattern], at.member("patternProperties").member(pattern), depth)
			if err != nil {
				return err
			}
			s.object.patterns = append(s.object.patterns, patternProperty{name, sub})
		}
	}
	if a := v.get("additionalProperties"); a != nil {
		sub, err := c.compile(a, at.member("additionalProperties"), depth)
		if err != nil {
			return err
		}
		s.object.additional = sub
	}
	// Draft 3 wrote required as a boolean at each property.
	if r := v.get("required"); r != nil && r.kind != typeBoolean {
		if r.kind != typeArray {
			return at.member("required").fail(fmt.Errorf("%w: want a list of names", ErrKeyword))
		}
		for _, name := range r.elems {
			if name.kind == typeString {
				s.object.required = append(s.object.required, name.text)
			}
		}
	}
	return nil
}

func (c *compiler) readArray(s *Schema, v *value, at *place, depth int) (err error) {
	prefix, rest := "prefixItems", "items"
	if items := v.get("items"); items != nil && items.kind == typeArray { // before draft 2020
		prefix, rest = "items", "additionalItems"
	}
	if p := v.get(prefix); p != nil && p.kind == typeArray {
		if s.array.prefix, err = c.list(p, at.member(prefix), depth); err != nil {
			return err
		}
	}
	if r := v.get(rest); r != nil {
		s.array.items, err = c.compile(r, at.member(rest), depth)
	}
	return err
}

func (c *compiler) readCombiners(s *Schema, v *value, at *place, depth int) error {
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		list := v.get(keyword)
		if list == nil {
			continue
		}
		if list.kind != typeArray || len(list.elems) == 0 {
			return at.member(keyword).fail(fmt.Errorf("%w: want a list of schemas", ErrKeyword))
		}
		subs, err := c.list(list, at.member(keyword), depth)
		if err != nil {
			return err
		}
		if keyword == "allOf" {
			s.all = append(s.all, subs...)
		} else {
			s.choices = append(s.choices, subs)
		}
	}
	return nil
}

func (c *compiler) list(v *value, at *place, depth int) ([]*Schema, error) {
	list := make([]*Schema, len(v.elems))
	for i, elem := range v.elems {
		s, err := c.compile(elem, at.member(strconv.Itoa(i)), depth)
		if err != nil {
			return nil, err
		}
		list[i] = s
	}
	return list, nil
}

// number returns the text of a numeric keyword. Gemini's protobuf JSON writes
// integers as strings.
func (v *value) number(name string) (string, bool) {
	n := v.get(name)
	if n == nil || n.kind != typeNumber && n.kind != typeString || !isNumber(n.text) {
		return "", false
	}
	return n.text, true
}

// length returns the value of a keyword that limits a length, or noLimit.
func (v *value) length(name string) int {
	text, ok := v.number(name)
	if !ok {
		return noLimit
	}
	n, err := strconv.ParseFloat(text, 64)
	if n < 0 || n > math.MaxInt32 || err != nil {
		return noLimit
	}
	return int(n)
}
