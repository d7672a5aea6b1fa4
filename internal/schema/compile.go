package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/toolcall"
)

// Compile compiles a schema, in time linear in its size. For empty input, null and true it
// returns nil, which allows everything. The error is an *[Error]. Compile ignores bounds
// that make no sense. [Schema.Validate] reports patterns that cannot be checked.
func Compile(raw json.RawMessage) (*Schema, error) {
	if isBlank(raw) {
		return nil, nil
	}
	root, err := jsonvalue.Parse(raw)
	if err != nil {
		return nil, &Error{Err: err}
	}
	if root.Is(jsonvalue.Null) || root.IsTrue() {
		return nil, nil
	}
	d := newDocument(root)
	return d.Part(root)
}

func isBlank(raw []byte) bool { return lex.TrimBlanks(string(raw)) == "" }

// Document is a schema whose parts can be compiled one by one. It is not safe for
// concurrent use; the schemas that it returns are.
type Document struct {
	root    *value
	traits  *traits
	done    map[*value]*Schema // the schema of each compiled part, so that recursion ends; nil if there are no references
	parts   []part             // in the order of compilation
	settled int                // how many parts have been settled
	refs    []reference
	index   *index // of identifiers; nil until it is needed
	free    []Schema
}

// NewDocument returns a document for the schema root. It compiles nothing yet.
func NewDocument(root *jsonvalue.Value) *Document {
	d := newDocument(root)
	d.done = map[*value]*Schema{}
	return d
}

func newDocument(root *value) *Document {
	d := &Document{root: root, traits: &traits{}}
	if mentions(root, `$ref"`, `$recursiveRef"`, `$dynamicRef"`) {
		d.done = map[*value]*Schema{}
	}
	return d
}

// Part compiles a part of the document, or a schema that was assembled from its parts.
func (d *Document) Part(v *jsonvalue.Value) (*Schema, error) {
	s, err := d.compile(v, d.homeOf(v))
	// The target of a reference may contain further references.
	for ; err == nil && len(d.refs) > 0; d.refs = d.refs[1:] {
		err = d.follow(d.refs[0])
	}
	if err == nil {
		err = d.settle()
	}
	if err != nil {
		return nil, locate(d.root, err)
	}
	return s, nil
}

type part struct {
	schema *Schema
	value  *value
}

func (d *Document) new() *Schema {
	if len(d.free) == 0 {
		d.free = make([]Schema, min(max(1, len(d.root.Raw)/200), 32))
	}
	s := &d.free[0]
	d.free = d.free[1:]
	return s
}

// compile compiles the schema v, which belongs to the resource home.
func (d *Document) compile(v *value, home *resource) (*Schema, error) {
	if s := d.done[v]; s != nil {
		return s, nil
	}
	s := d.new()
	s.doc = d.traits
	if d.done != nil {
		d.done[v] = s
	}
	d.parts = append(d.parts, part{s, v})
	switch {
	case v.Kind == jsonvalue.Bool:
		s.never = v.IsFalse()
		return s, nil
	case v.Kind != jsonvalue.Object:
		return nil, &fault{v, ErrNotASchema}
	}
	home = d.home(v, home)
	s.home = home
	for i, keyword := range v.Keys {
		// Generators write unset keywords as null.
		if v.List[i].Kind == jsonvalue.Null && keyword != "const" {
			continue
		}
		if err := d.read(s, v, keyword, v.List[i], home); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// read reads the keyword of the schema v into s.
func (d *Document) read(s *Schema, v *value, keyword string, k *value, home *resource) (err error) {
	switch keyword {
	case "type":
		return d.readTypes(s, k)
	case "nullable":
		s.nullable = k.IsTrue()
	case "const":
		s.enum = &enum{values: []*value{k}, one: true}
	case "enum":
		if k.Kind != jsonvalue.Array {
			return wrong(k, "a list")
		}
		if v.Has("const") { // both must fit
			also := d.new()
			also.doc, also.enum = d.traits, &enum{values: k.List}
			s.all = append(s.all, also)
			break
		}
		s.enum = &enum{values: k.List}
	case "minimum", "exclusiveMinimum":
		s.numbers().min = readBound(v, "minimum", "exclusiveMinimum", -1)
	case "maximum", "exclusiveMaximum":
		s.numbers().max = readBound(v, "maximum", "exclusiveMaximum", +1)
	case "multipleOf":
		if d, ok := k.Decimal(); ok && d.Sign() > 0 {
			s.numbers().multipleOf, s.number.multipleText = &d, k.Text
		}
	case "minLength", "maxLength":
		s.strings().length = readLengths(v, "minLength", "maxLength")
	case "pattern":
		if k.Kind != jsonvalue.String {
			return wrong(k, "a string")
		}
		s.strings().pattern = &pattern{source: k.Text}
	case "minItems", "maxItems":
		s.arrays().length = readLengths(v, "minItems", "maxItems")
	case "uniqueItems":
		s.arrays().unique = k.IsTrue()
	case "items":
		if k.Kind == jsonvalue.Array { // before draft 2020
			s.arrays().prefix, err = d.list(k, home)
		} else {
			s.arrays().items, err = d.compile(k, home)
		}
	case "additionalItems":
		if v.Get("items").Is(jsonvalue.Array) {
			s.arrays().items, err = d.compile(k, home)
		}
	case "prefixItems":
		if !v.Get("items").Is(jsonvalue.Array) && k.Kind == jsonvalue.Array {
			s.arrays().prefix, err = d.list(k, home)
		}
	case "properties", "patternProperties", "additionalProperties", "required":
		return d.readObject(s, keyword, k, home)
	case "allOf", "anyOf", "oneOf":
		return d.readCombiner(s, keyword, k, home)
	case "$ref", "$recursiveRef", "$dynamicRef":
		if k.Kind != jsonvalue.String {
			return wrong(k, "a string")
		}
		d.traits.dynamic = d.traits.dynamic || keyword == "$dynamicRef"
		d.refs = append(d.refs, reference{from: s, at: k, home: home, dynamic: keyword == "$dynamicRef"})
	default:
		return d.readMore(s, v, keyword, k, home)
	}
	return err
}

// readMore reads the keywords that only validation needs.
func (d *Document) readMore(s *Schema, v *value, keyword string, k *value, home *resource) (err error) {
	switch keyword {
	case "not":
		s.rare().not, err = d.compile(k, home)
	case "if":
		s.rare().cond, err = d.compile(k, home)
	case "then":
		s.rare().then, err = d.compile(k, home)
	case "else":
		s.rare().otherwise, err = d.compile(k, home)
	case "propertyNames":
		s.rare().names, err = d.compile(k, home)
	case "contains":
		s.rare().contained = readLengths(v, "minContains", "maxContains")
		if v.Get("minContains") == nil {
			s.more.contained.Min = 1
		}
		s.more.contains, err = d.compile(k, home)
	case "unevaluatedItems":
		d.traits.unevaluated = true
		s.rare().restItems, err = d.compile(k, home)
	case "unevaluatedProperties":
		d.traits.unevaluated = true
		s.rare().restMembers, err = d.compile(k, home)
	case "minProperties", "maxProperties":
		s.rare().members = readLengths(v, "minProperties", "maxProperties")
	case "dependentRequired", "dependentSchemas", "dependencies":
		if k.Kind != jsonvalue.Object {
			return wrong(k, "an object")
		}
		for i, member := range k.Keys {
			needs := dependent{member: member}
			if needed := k.List[i]; needed.Kind == jsonvalue.Array {
				needs.needs = stringsIn(needed)
			} else if needs.schema, err = d.compile(needed, home); err != nil {
				return err
			}
			s.rare().dependents = append(s.more.dependents, needs)
		}
	}
	return err
}

// The following methods return the rules for a kind of value, and allocate them on first
// use.

func (s *Schema) numbers() *numberRules { return lazily(&s.number, numberRules{}) }
func (s *Schema) strings() *textRules   { return lazily(&s.text, textRules{length: Lengths{0, NoLimit}}) }
func (s *Schema) arrays() *arrayRules {
	return lazily(&s.array, arrayRules{length: Lengths{0, NoLimit}})
}
func (s *Schema) objects() *objectRules { return lazily(&s.object, objectRules{}) }
func (s *Schema) rare() *moreRules      { return lazily(&s.more, moreRules{members: Lengths{0, NoLimit}}) }

func lazily[T any](rules **T, initial T) *T {
	if *rules == nil {
		created := initial // so that nothing is allocated later
		*rules = &created
	}
	return *rules
}

// stringsIn returns the strings in an array.
func stringsIn(v *value) []string {
	var list []string
	for _, elem := range v.Elements() {
		if elem.Kind == jsonvalue.String {
			list = append(list, elem.Text)
		}
	}
	return list
}

func (d *Document) readTypes(s *Schema, k *value) error {
	for _, name := range namesUnder(k) {
		if name.Kind != jsonvalue.String {
			return wrong(k, "a name or a list of names")
		}
		named := typeNamed(name.Text)
		if named == 0 { // an unknown type allows anything
			s.declared = 0
			break
		}
		s.declared |= named
	}
	return nil
}

// enum is a set of allowed values.
type enum struct {
	values []*value
	one    bool // written as const

	keys     map[string]bool // keys of values, if there are many
	makeKeys sync.Once
}

// fewValues is the number of values up to which has compares one by one.
const fewValues = 8

func (e *enum) has(v *value) bool {
	if len(e.values) <= fewValues {
		for _, allowed := range e.values {
			if jsonvalue.Equal(allowed, v) {
				return true
			}
		}
		return false
	}
	e.makeKeys.Do(func() {
		e.keys = make(map[string]bool, len(e.values))
		for _, v := range e.values {
			e.keys[v.Key()] = true
		}
	})
	return e.keys[v.Key()]
}

// readBound reads an inclusive and an exclusive limit, and returns the tighter one. side is
// -1 for lower limits and +1 for upper ones. In draft 4 the exclusive keyword is a boolean
// that qualifies the inclusive one.
func readBound(v *value, inclusive, exclusive string, side int) *bound {
	var b *bound
	if d, ok := v.Get(inclusive).Decimal(); ok {
		b = &bound{Decimal: d, text: v.Get(inclusive).Text, exclusive: v.Get(exclusive).IsTrue()}
	}
	if d, ok := v.Get(exclusive).Decimal(); ok {
		if b == nil || d.Compare(b.Decimal)*side <= 0 {
			b = &bound{Decimal: d, text: v.Get(exclusive).Text, exclusive: true}
		}
	}
	return b
}

// maxLength replaces every larger limit on a length.
const maxLength = 1<<31 - 1

// readLengths reads limits on a length. It ignores invalid ones, because a tool that works
// is worth more than its limits.
func readLengths(v *value, least, most string) Lengths {
	l := Lengths{0, NoLimit}
	if n, ok := v.Get(least).Integer(maxLength); ok && n > 0 {
		l.Min = n
	}
	if n, ok := v.Get(most).Integer(maxLength); ok && n >= 0 && n < maxLength {
		l.Max = n
	}
	return l
}

func (d *Document) readObject(s *Schema, keyword string, k *value, home *resource) (err error) {
	o := s.objects()
	switch keyword {
	case "properties":
		if k.Kind != jsonvalue.Object {
			return wrong(k, "an object")
		}
		o.declares = true
		o.names, o.properties = k.Keys, make([]*Schema, len(k.Keys))
		for i, member := range k.List {
			if o.properties[i], err = d.compile(member, home); err != nil {
				return err
			}
		}
		if len(o.names) >= manyNames {
			o.index = make(map[string]int, len(o.names))
			for i, name := range o.names {
				o.index[name] = i
			}
		}
	case "patternProperties":
		if k.Kind != jsonvalue.Object {
			return wrong(k, "an object")
		}
		for i, source := range k.Keys {
			sub, err := d.compile(k.List[i], home)
			if err != nil {
				return err
			}
			o.patterns = append(o.patterns, patternProperty{&pattern{source: source}, sub})
		}
	case "additionalProperties":
		o.additional, err = d.compile(k, home)
	case "required":
		if k.Kind == jsonvalue.Bool { // draft 3, inside each property
			break
		}
		if k.Kind != jsonvalue.Array {
			return wrong(k, "a list of names")
		}
		o.required = stringsIn(k)
	}
	return err
}

func (d *Document) readCombiner(s *Schema, keyword string, k *value, home *resource) error {
	if k.Kind != jsonvalue.Array || len(k.List) == 0 {
		return wrong(k, "a list of schemas")
	}
	subs, err := d.list(k, home)
	if err != nil {
		return err
	}
	if keyword == "allOf" {
		s.all = append(s.all, subs...)
	} else {
		s.choices = append(s.choices, choice{subs, keyword == "oneOf"})
	}
	return nil
}

func (d *Document) list(v *value, home *resource) ([]*Schema, error) {
	list := make([]*Schema, len(v.List))
	for i, elem := range v.List {
		s, err := d.compile(elem, home)
		if err != nil {
			return nil, err
		}
		list[i] = s
	}
	return list, nil
}

// CompileTools compiles the parameters of tools, and returns them by the names of the
// tools, or nil without tools. Each tool needs a name of its own. The error names the index,
// from 0, and the name of the tool.
func CompileTools(defs []toolcall.ToolDefinition) (map[string]*Schema, error) {
	if len(defs) == 0 {
		return nil, nil
	}
	known := make(map[string]*Schema, len(defs))
	for i, def := range defs {
		if def.Name == "" {
			return nil, fmt.Errorf("tool %d has no name", i)
		}
		if _, ok := known[def.Name]; ok {
			first := slices.IndexFunc(defs, func(d toolcall.ToolDefinition) bool { return d.Name == def.Name })
			return nil, fmt.Errorf("tool %d (%q) is declared twice, first as tool %d", i, def.Name, first)
		}
		s, err := Compile(def.Parameters)
		if err != nil {
			return nil, fmt.Errorf("tool %d (%q): parameters: %w", i, def.Name, err)
		}
		known[def.Name] = s
	}
	return known, nil
}
