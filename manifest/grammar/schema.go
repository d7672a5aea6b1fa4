package grammar

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	jsonschema "github.com/toolparse/toolparse/internal/schema"
)

// shape is what one value may be: one alternative of a schema, with all that
// applies in place merged into it.
type shape struct {
	never    bool
	types    []string // in the order in which they are written; nil: any
	nullable bool
	enum     []*jnode
	hasEnum  bool

	props      []property
	required   []string
	additional *jnode // nil: anything; may be a boolean
	keys       []property

	prefix []*jnode
	items  *jnode
	minLen bound // items of an array, characters of a string
	maxLen bound
	minStr bound
	maxStr bound
	minObj bound // members of an object
	maxObj bound

	pattern string
	min     *limit
	max     *limit
}

// bound is a length that is set, or none.
type bound struct {
	n   int
	set bool
}

// limit is a bound of a number.
type limit struct {
	*big.Rat
	open bool // the number itself is excluded
}

type property struct {
	name     string
	schema   *jnode
	required bool // set by properties
}

// maxAlternatives is how many alternatives one schema is unrolled into.
const maxAlternatives = 64

var (
	errCircle  = errors.New("a $ref that refers to itself")
	errNoWhere = errors.New("a $ref that points to nothing")
	errMany    = fmt.Errorf("more than %d alternatives for one value", maxAlternatives)
)

// unfolding counts the work that schemas take, and keeps those that it makes.
type unfolding struct {
	steps int
	open  map[*jnode]bool // those that are being unfolded
	made  map[[2]*jnode]*jnode
}

// maxSteps bounds the work for all tools: references can multiply it.
const maxSteps = 200000

var errSteps = errors.New("its references unfold too far")

// shapes are the alternatives of a schema of the document doc.
func (u *unfolding) shapes(doc *jsonschema.Document, schema *jnode) ([]shape, error) {
	if u.steps++; u.steps > maxSteps {
		return nil, errSteps
	}
	if schema == nil {
		return []shape{{}}, nil
	}
	if schema.Kind == jsonvalue.Bool {
		return []shape{{never: schema.Text == "false"}}, nil
	}
	if u.open[schema] {
		return nil, errCircle
	}
	if u.open == nil {
		u.open = map[*jnode]bool{}
	}
	u.open[schema] = true
	defer delete(u.open, schema)
	own, err := readShape(schema)
	if err != nil {
		return nil, err
	}
	list := []shape{own}
	meet := func(with []shape) error {
		if len(list)*len(with) > maxAlternatives {
			return errMany
		}
		var met []shape
		for _, a := range list {
			for _, b := range with {
				if m := a.merge(b, u); !m.never {
					met = append(met, m)
				}
			}
		}
		list = met
		return nil
	}
	var applied [][]*jnode // of each list, one must fit
	if ref := get(schema, "$ref"); ref != nil {
		target := doc.Target(schema)
		if target == nil {
			return nil, fmt.Errorf("%w: %q", errNoWhere, ref.Text)
		}
		applied = append(applied, []*jnode{target})
	}
	if all := get(schema, "allOf"); all != nil {
		for _, part := range all.List {
			applied = append(applied, []*jnode{part})
		}
	}
	for _, word := range []string{"anyOf", "oneOf"} {
		if choice := get(schema, word); choice != nil && len(choice.List) > 0 {
			applied = append(applied, choice.List)
		}
	}
	for _, choice := range applied {
		var with []shape
		for _, part := range choice {
			more, err := u.shapes(doc, part)
			if err != nil {
				return nil, err
			}
			if with = append(with, more...); len(with) > maxAlternatives {
				return nil, errMany
			}
		}
		if err := meet(with); err != nil {
			return nil, err
		}
	}
	if len(list) == 0 {
		return []shape{{never: true}}, nil
	}
	return list, nil
}

// readShape reads the keywords of a schema that are not about other schemas for the
// same value.
func readShape(v *jnode) (shape, error) {
	if v.Kind != jsonvalue.Object {
		return shape{}, errors.New("a schema must be an object or a boolean")
	}
	s := shape{types: readTypes(get(v, "type"))}
	if n := get(v, "nullable"); n != nil {
		s.nullable = n.Text == "true"
	}
	if e := get(v, "enum"); e != nil && e.Kind == jsonvalue.Array {
		s.enum, s.hasEnum = e.List, true
	}
	for i, k := range v.Keys {
		if k == "const" {
			s.enum, s.hasEnum = []*jnode{v.List[i]}, true
		}
	}
	s.props = readProperties(get(v, "properties"))
	s.keys = readProperties(get(v, "patternProperties"))
	if r := get(v, "required"); r != nil && r.Kind == jsonvalue.Array {
		for _, name := range r.List {
			s.required = append(s.required, name.Text)
		}
	}
	s.additional = get(v, "additionalProperties")
	s.items = get(v, "items")
	if p := get(v, "prefixItems"); p != nil {
		s.prefix = p.List
	}
	if s.items != nil && s.items.Kind == jsonvalue.Array { // of older drafts
		s.prefix, s.items = s.items.List, get(v, "additionalItems")
	}
	s.minLen, s.maxLen = readLength(get(v, "minItems")), readLength(get(v, "maxItems"))
	s.minStr, s.maxStr = readLength(get(v, "minLength")), readLength(get(v, "maxLength"))
	s.minObj, s.maxObj = readLength(get(v, "minProperties")), readLength(get(v, "maxProperties"))
	if p := get(v, "pattern"); p != nil {
		s.pattern = p.Text
	}
	s.min = readLimit(get(v, "minimum"), get(v, "exclusiveMinimum"), 1)
	s.max = readLimit(get(v, "maximum"), get(v, "exclusiveMaximum"), -1)
	return s, nil
}

func readProperties(v *jnode) []property {
	if v == nil || v.Kind != jsonvalue.Object {
		return nil
	}
	list := make([]property, len(v.Keys))
	for i, k := range v.Keys {
		list[i] = property{name: k, schema: v.List[i]}
	}
	return list
}

// typeNames are the names of types that schemas use, beside those of JSON Schema.
var typeNames = map[string]string{
	"null": "null", "none": "null", "boolean": "boolean", "bool": "boolean", "integer": "integer", "int": "integer", "int32": "integer",
	"int64": "integer", "long": "integer", "number": "number", "float": "number", "float32": "number", "float64": "number", "double": "number",
	"string": "string", "str": "string", "array": "array", "list": "array", "tuple": "array", "object": "object", "dict": "object", "map": "object",
}

func readTypes(v *jnode) []string {
	if v == nil {
		return nil
	}
	names := []*jnode{v}
	if v.Kind == jsonvalue.Array {
		names = v.List
	}
	var types []string
	for _, n := range names {
		known := typeNames[strings.ToLower(n.Text)]
		if known == "" {
			return nil // "any", and what nobody knows
		}
		if !slices.Contains(types, known) {
			types = append(types, known)
		}
	}
	return types
}

func readLength(v *jnode) bound {
	if v == nil {
		return bound{}
	}
	r, ok := new(big.Rat).SetString(short(v.Text))
	if !ok || r.Sign() < 0 {
		return bound{}
	}
	n := floor(r)
	if !n.IsInt64() || n.Int64() > 1<<30 {
		return bound{1 << 30, true}
	}
	return bound{int(n.Int64()), true}
}

// short is the text of a number, unless its exponent would make it huge.
func short(s string) string {
	if i := strings.IndexAny(s, "eE"); i >= 0 && len(s)-i > 4 || len(s) > 64 {
		return ""
	}
	return s
}

// readLimit reads a bound in the spellings of all drafts. side is 1 for the lower.
func readLimit(v, exclusive *jnode, side int) *limit {
	var l *limit
	if v != nil {
		if r, ok := new(big.Rat).SetString(short(v.Text)); ok {
			l = &limit{r, exclusive != nil && exclusive.Text == "true"}
		}
	}
	if exclusive != nil && exclusive.Kind == jsonvalue.Number {
		if r, ok := new(big.Rat).SetString(short(exclusive.Text)); ok {
			l = tighter(l, &limit{r, true}, side)
		}
	}
	return l
}

// tighter is the bound that lets less through.
func tighter(a, b *limit, side int) *limit {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	switch order := a.Cmp(b.Rat) * side; {
	case order > 0:
		return a
	case order < 0:
		return b
	}
	return &limit{a.Rat, a.open || b.open}
}

// merge is what fits both.
func (s shape) merge(t shape, u *unfolding) shape {
	s.never = s.never || t.never
	s.types, s.never = meetTypes(s, t)
	s.nullable = s.nullable && t.nullable || s.nullable && t.types == nil || t.nullable && s.types == nil
	if t.hasEnum {
		if s.hasEnum {
			both := make(map[string]bool, len(t.enum))
			for _, v := range t.enum {
				both[v.String()] = true
			}
			s.enum = slices.DeleteFunc(slices.Clone(s.enum), func(v *jnode) bool { return !both[v.String()] })
		} else {
			s.enum, s.hasEnum = t.enum, true
		}
		s.never = s.never || len(s.enum) == 0
	}
	s.props = u.properties(s.props, t.props)
	s.keys = append(slices.Clone(s.keys), t.keys...)
	s.required = slices.Concat(s.required, t.required) // a name may be there twice
	s.additional, s.items = u.both(s.additional, t.additional), u.both(s.items, t.items)
	if len(t.prefix) > len(s.prefix) {
		s.prefix = t.prefix
	}
	s.minLen, s.maxLen = larger(s.minLen, t.minLen), smaller(s.maxLen, t.maxLen)
	s.minStr, s.maxStr = larger(s.minStr, t.minStr), smaller(s.maxStr, t.maxStr)
	s.minObj, s.maxObj = larger(s.minObj, t.minObj), smaller(s.maxObj, t.maxObj)
	if s.pattern == "" {
		s.pattern = t.pattern
	}
	s.min, s.max = tighter(s.min, t.min, 1), tighter(s.max, t.max, -1)
	return s
}

func meetTypes(s, t shape) (types []string, never bool) {
	switch {
	case s.types == nil:
		return t.types, s.never || t.never
	case t.types == nil:
		return s.types, s.never || t.never
	}
	for _, a := range s.types {
		for _, b := range t.types {
			switch {
			case a == b || a == "integer" && b == "number":
				types = append(types, a)
			case a == "number" && b == "integer":
				types = append(types, b)
			}
		}
	}
	return types, s.never || t.never || len(types) == 0
}

func (u *unfolding) properties(a, b []property) []property {
	if len(a) == 0 || len(b) == 0 {
		return slices.Concat(a, b)
	}
	out, places := slices.Clone(a), make(map[string]int, len(a))
	for i, p := range a {
		places[p.name] = i
	}
	for _, p := range b {
		if i, ok := places[p.name]; ok {
			out[i].schema = u.both(out[i].schema, p.schema)
			continue
		}
		out = append(out, p)
	}
	return out
}

// both is the schema of what fits two: the same one for the same two, so that
// schemas that lead back to themselves come to an end.
func (u *unfolding) both(a, b *jnode) *jnode {
	switch {
	case a == nil || a == b:
		return b
	case b == nil:
		return a
	}
	key := [2]*jnode{a, b}
	if u.made[key] == nil {
		if u.made == nil {
			u.made = map[[2]*jnode]*jnode{}
		}
		u.made[key] = object().Set("allOf", list(a, b))
	}
	return u.made[key]
}

func larger(a, b bound) bound {
	if !a.set || b.set && b.n > a.n {
		return b
	}
	return a
}

func smaller(a, b bound) bound {
	if !a.set || b.set && b.n < a.n {
		return b
	}
	return a
}

// kinds are the types of a shape, by its other keywords where it names none; nil is
// any.
func (s *shape) kinds() []string {
	types := s.types
	switch {
	case types != nil:
	case len(s.props) > 0 || len(s.required) > 0 || len(s.keys) > 0 || s.additional != nil && s.additional.Kind == jsonvalue.Object:
		types = []string{"object"}
	case s.items != nil || len(s.prefix) > 0 || s.minLen.set || s.maxLen.set:
		types = []string{"array"}
	case s.pattern != "" || s.minStr.set || s.maxStr.set:
		types = []string{"string"}
	case s.min != nil || s.max != nil:
		types = []string{"number"}
	default:
		return nil
	}
	if s.nullable && !slices.Contains(types, "null") {
		types = append(slices.Clone(types), "null")
	}
	return types
}

// fits reports whether a value of an enum has one of the shape's types.
func (s *shape) fits(v *jnode) bool {
	if s.types == nil || s.nullable && v.Kind == jsonvalue.Null {
		return true
	}
	name := v.Kind.String()
	if name == "number" && slices.Contains(s.types, "integer") {
		r, ok := new(big.Rat).SetString(short(v.Text))
		if ok && r.IsInt() {
			return true
		}
	}
	return slices.Contains(s.types, name)
}
