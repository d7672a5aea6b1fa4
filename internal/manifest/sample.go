package manifest

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/schema"
)

// sampler makes the arguments of examples. It invents little: it takes the values that a
// schema lists, its examples, its default, or else a usual value of the type. A judge rejects
// values that do not fit the schema. The same schema always gives the same values.
type sampler struct {
	shaper *schema.Shaper
	judge  *schema.Judge
	turn   int  // values of different turns differ, if the schema allows that
	loose  bool // placeholder may replace a text whose pattern no known text matches

	open   []*node // the schemas around the value
	left   int     // bytes that it may still make
	placed bool    // the value contains a placeholder
}

const (
	maxSample   = 16 << 10 // bytes of the arguments of an example
	maxElements = 32       // of a list
	maxDigits   = 40       // of a number
	placeholder = "..."
)

var (
	errNoEnd    = errors.New("the schema requires itself inside itself, so no finite value fits")
	errNoSample = errors.New("found no value that fits the schema: give one in its examples, or a call in Options.Examples")
)

// sampleError says for which part of the arguments no value was found.
type sampleError struct {
	path string // JSON pointer into the arguments
	err  error
}

func (e *sampleError) Error() string { return fmt.Sprintf("at %q: %v", e.path, e.err) }
func (e *sampleError) Unwrap() error { return e.err }

// goal describes a value to make.
type goal struct {
	schema *node
	name   string // of the parameter that it is, or is a part of
	path   string

	root     bool // it is the whole arguments
	optional int  // of the root: the index of the optional parameter to include, or -1

	other []*node // values that it must differ from
}

func (to *goal) fail(err error) error { return &sampleError{to.path, err} }

// arguments makes the arguments of a call: every required parameter, and the optional one
// with this index, or none for -1. placed says that they contain a placeholder, because
// nothing else was found for a required parameter.
func (d *document) arguments(turn, optional int) (args *node, placed bool, err error) {
	var first error
	for _, loose := range []bool{false, true} {
		g := &sampler{shaper: d.compiled.Shaper(maxWork), judge: d.compiled.Judge(), turn: turn, loose: loose, left: maxSample}
		if args, err = g.value(&goal{schema: d.root, root: true, optional: optional}); err == nil {
			return args, g.placed, nil
		}
		first = cmp.Or(first, err)
	}
	return nil, false, first
}

// value makes a value by the first alternative of its schema for which that succeeds.
func (g *sampler) value(to *goal) (*node, error) {
	if slices.Contains(g.open, to.schema) {
		return nil, to.fail(errNoEnd)
	}
	g.open = append(g.open, to.schema)
	defer func() { g.open = g.open[:len(g.open)-1] }()
	shapes, err := g.shaper.Alternatives(to.schema)
	if err != nil {
		return nil, to.fail(err)
	}
	if i := slices.IndexFunc(shapes, func(s *schema.Shape) bool { return kindOf(s) == "null" }); i >= 0 { // it shows little
		shapes = append(slices.Concat(shapes[:i], shapes[i+1:]), shapes[i])
	}
	var first error
	for _, s := range shapes {
		v, err := g.ofShape(to, s)
		if err == nil {
			return v, nil
		}
		first = cmp.Or(first, err)
	}
	return nil, first
}

// ofShape returns the first value of a shape that fits the schema.
func (g *sampler) ofShape(to *goal, s *schema.Shape) (*node, error) {
	listed := s.Enum
	if !s.HasEnum {
		listed = listedBy(s)
	}
	for i := range listed {
		if v := listed[(i+g.turn)%len(listed)]; g.fits(to, v, true) {
			return v, nil
		}
	}
	if s.HasEnum {
		return nil, to.fail(errNoSample)
	}
	kinds := kindsOf(s)
	if to.root { // even if the schema leaves the type open
		kinds = []string{"object"}
	}
	var first error
	for _, kind := range kinds {
		if kind == "object" || kind == "array" {
			v, err := g.container(to, s, kind)
			if err == nil {
				return v, nil
			}
			first = cmp.Or(first, err)
			continue
		}
		for _, candidates := range []func(s *schema.Shape, kind, name string, turn int) []string{usual, unusual} {
			for _, text := range candidates(s, kind, to.name, g.turn) {
				if v := scalar(kind, text); g.fits(to, v, false) {
					return v, nil
				}
			}
		}
	}
	if g.loose && len(s.Patterns) > 0 && slices.Contains(kinds, "string") {
		g.placed = true
		return jsonvalue.NewString(placeholder), nil
	}
	return nil, cmp.Or(first, to.fail(errNoSample))
}

// fits reports whether a value may be shown. A value from the schema itself, and one that may
// contain such a value, is trusted if its pattern cannot be checked.
func (g *sampler) fits(to *goal, v *node, trusted bool) bool {
	if len(v.Raw) > g.left || slices.ContainsFunc(to.other, func(o *node) bool { return jsonvalue.Equal(o, v) }) {
		return false
	}
	fits, may, err := g.judge.Fits(to.schema, v)
	if err != nil || !fits && !(may && trusted) {
		return false
	}
	g.left -= len(v.Raw)
	return true
}

// kindOf returns the preferred type of a sample.
func kindOf(s *schema.Shape) string { return kindsOf(s)[0] }

// kindsOf returns the types of samples in the order in which they are tried: null last.
func kindsOf(s *schema.Shape) []string {
	kinds := s.Kinds()
	if kinds == nil {
		kinds = []string{"string", "integer", "number", "boolean", "object", "array", "null"}
	}
	if i := slices.Index(kinds, "null"); i >= 0 && len(kinds) > 1 {
		kinds = append(slices.Concat(kinds[:i], kinds[i+1:]), "null")
	}
	return kinds
}

// listedBy returns the values that a schema offers: its examples and default.
func listedBy(s *schema.Shape) []*node {
	var list []*node
	for _, v := range s.Examples {
		empty := v.Is(jsonvalue.Null) || v.Is(jsonvalue.String) && v.Text == "" || v.Kind >= jsonvalue.Array && len(v.List) == 0
		if !empty && len(v.Raw) <= 100 && s.Allows(v) {
			list = append(list, v)
		}
	}
	return list
}

// usual returns the texts of values of a type that fit most schemas, in the order in which they
// are tried, and unusual those that are tried next.
func usual(s *schema.Shape, kind, name string, turn int) []string {
	switch kind {
	case "boolean":
		return []string{strconv.FormatBool(turn%2 == 0), strconv.FormatBool(turn%2 != 0)}
	case "null":
		return []string{"null"}
	case "integer":
		return []string{strconv.Itoa(turn + 1)}
	case "number":
		return []string{strconv.Itoa(turn+1) + ".5", strconv.Itoa(turn + 1)}
	}
	if known, ok := formats[s.Format]; ok {
		return []string{known[turn%2], known[(turn+1)%2]}
	}
	return []string{sized(sampleWord(name, turn), s.Length)}
}

func unusual(s *schema.Shape, kind, name string, turn int) []string {
	switch kind {
	case "string":
		return texts(s, name, turn)
	case "integer", "number":
		return numbers(s, kind, turn)
	}
	return nil
}

// scalar returns the value of a type with this text.
func scalar(kind, text string) *node {
	if kind == "string" {
		return jsonvalue.NewString(text)
	}
	v, _ := jsonvalue.Parse(text) // the text is JSON
	return v
}

// numbers returns multiples of the step, and numbers at the bounds. An excluded bound has a
// neighbour that fits.
func numbers(s *schema.Shape, kind string, turn int) []string {
	var list []string
	add := func(r *big.Rat) {
		if digits, exact := r.FloatPrec(); exact && digits <= maxDigits && r.Num().BitLen() <= 4*maxDigits {
			list = append(list, r.FloatString(digits))
		}
	}
	step := big.NewRat(1, 1)
	if len(s.MultipleOf) > 0 {
		step = s.MultipleOf[0]
	}
	// multiple adds the nth multiple of the step from a bound on, in the direction by.
	multiple := func(bound *big.Rat, by, n int) {
		steps := new(big.Rat).Quo(bound, step)
		whole := new(big.Int).Div(steps.Num(), steps.Denom())
		if by > 0 && !steps.IsInt() {
			whole.Add(whole, big.NewInt(1))
		}
		whole.Add(whole, big.NewInt(int64(by*n)))
		add(new(big.Rat).Mul(new(big.Rat).SetInt(whole), step))
	}
	for _, n := range []int{turn, turn + 1, 0} { // 0: in case the bounds leave too few for all turns
		multiple(step, 1, n)
		if s.Min != nil {
			multiple(s.Min.Rat, 1, n)
		}
		if s.Max != nil {
			multiple(s.Max.Rat, -1, n)
		}
	}
	if s.Min != nil && s.Max != nil && kind == "number" {
		add(new(big.Rat).Quo(new(big.Rat).Add(s.Min.Rat, s.Max.Rat), big.NewRat(2, 1)))
	}
	return list
}

// usualTexts are tried if the words of a parameter's name do not fit. Most patterns match
// one of them.
var usualTexts = []string{
	"a", "abc", "x-a", "A", "ABC", "1", "123", "12345", "a1", "abc123", "A1", "AB-12", "ab-12", "a-b", "a_b", "a.b", "v1.0.0", "1.0.0", "US", "en-US", "#00ff00",
	"2026-05-17", "2026-05", "09:30", "09:30:00", "2026-05-17T09:30:00Z", "+4712345678", "https://example.com", "ann@example.com", "/tmp/a.txt", "192.0.2.1",
	"123e4567-e89b-12d3-a456-426614174000", "text", "",
}

// texts returns strings that fit the name, cut or filled to the length, and then usualTexts.
func texts(s *schema.Shape, name string, turn int) []string {
	var list []string
	for i := range 3 {
		list = append(list, sized(sampleWord(name, turn+i), s.Length))
	}
	at := turn % len(usualTexts)
	return slices.Concat(list, usualTexts[at:], usualTexts[:at], []string{sized(strconv.Itoa(turn+1), s.Length)})
}

// sized returns a text cut or filled to fit a length, unless no sample may be that long.
func sized(text string, length schema.Lengths) string {
	n := utf8.RuneCountInString(text)
	if length.Min > maxSample {
		return text
	}
	if length.Max != schema.NoLimit && n > length.Max {
		runes := []rune(strings.ReplaceAll(text, " ", ""))
		return string(runes[:min(length.Max, len(runes))])
	}
	return text + strings.Repeat("x", max(0, length.Min-n))
}

// container makes an object or a list of the usual size, or else a larger or smaller one.
func (g *sampler) container(to *goal, s *schema.Shape, kind string) (*node, error) {
	sizes, of := []int{to.optional, len(s.AllProperties())}, g.object
	if kind == "array" {
		sizes, of = []int{g.usualCount(s), 1, s.ItemCount.Min}, g.array
	}
	var first error
	left, placed := g.left, g.placed
	for _, size := range sizes {
		g.placed = false
		v, err := of(to, s, size)
		if g.left = left; err == nil {
			v.Raw = string(jsonvalue.Spaced.AppendWritten(nil, v))
			if g.placed || g.fits(to, v, true) { // placeholders never fit
				g.placed = g.placed || placed
				return v, nil
			}
			err = to.fail(errNoSample)
		}
		first = cmp.Or(first, err)
	}
	g.placed = placed
	if empty := jsonvalue.NewObject(); kind == "object" && g.fits(to, empty, true) {
		return empty, nil
	}
	return nil, first
}

// object makes an object of the required members and, of the others, the one with this index,
// none for -1, or all for the number of all members. It gets at least one member unless it is
// the whole arguments.
func (g *sampler) object(to *goal, s *schema.Shape, optional int) (*node, error) {
	v := jsonvalue.NewObject()
	member := func(name string, of *node) error {
		if v.Has(name) {
			return nil
		}
		value, err := g.value(&goal{schema: orAnything(of), name: name, path: to.path + "/" + jsonvalue.EscapePointer(name), optional: -1})
		if err == nil {
			v.Set(name, value)
		}
		return err
	}
	all := s.AllProperties()
	var free []schema.Property
	for _, p := range all {
		if !p.Required {
			free = append(free, p)
		}
		if p.Required || optional == len(all) || optional == len(free)-1 {
			if err := member(p.Name, p.Schema); err != nil && p.Required {
				return nil, err
			}
		}
	}
	least := s.MemberCount.Min
	if !to.root {
		least = max(least, 1)
	}
	for _, p := range free {
		if len(v.Keys) < least {
			_ = member(p.Name, p.Schema) // the object may fit without it
		}
	}
	closed := s.AdditionalProperties.IsFalse() && len(s.PatternProperties) == 0
	declares := len(s.Properties) > 0 && s.AdditionalProperties == nil && s.MemberCount.Min == 0
	for i := 1; i <= min(least, maxElements) && len(v.Keys) < least && !closed && !declares; i++ {
		_ = member([...]string{"key", "key_" + strconv.Itoa(i)}[min(i-1, 1)], s.AdditionalProperties)
	}
	return v, nil
}

// usualCount returns the number of elements of a list: two scalars, or one list or object.
func (g *sampler) usualCount(s *schema.Shape) int {
	n := 2
	switch {
	case s.Items == nil && len(s.PrefixItems) > 0, s.Items.IsFalse():
		n = len(s.PrefixItems)
	case s.Items != nil:
		if inner, err := g.shaper.Shape(s.Items); err != nil || kindOf(inner) == "object" || kindOf(inner) == "array" || len(inner.Choices) > 0 {
			n = 1
		}
	}
	n = max(n, s.ItemCount.Min)
	if s.ItemCount.Max != schema.NoLimit {
		n = min(n, s.ItemCount.Max)
	}
	return n
}

// array makes a list of n elements.
func (g *sampler) array(to *goal, s *schema.Shape, n int) (*node, error) {
	if n > maxElements {
		return nil, to.fail(errNoSample)
	}
	turn := g.turn
	defer func() { g.turn = turn }()
	var list []*node
	for i := range n {
		item := s.Items
		if i < len(s.PrefixItems) {
			item = s.PrefixItems[i]
		}
		if i == 0 {
			item = g.shaper.Join(item, s.Contains)
		}
		one := &goal{schema: orAnything(item), name: to.name, path: to.path + "/" + strconv.Itoa(i), optional: -1}
		if s.Unique {
			one.other = list
		}
		g.turn = turn + i
		v, err := g.value(one)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return jsonvalue.NewArray(list...), nil
}

// orAnything returns a schema, or the one that allows anything instead of nil.
func orAnything(schema *node) *node {
	if schema == nil {
		return anything
	}
	return schema
}

// anything is the schema that allows anything.
var anything = &node{Kind: jsonvalue.Object, Raw: "{}"}

// formats are samples of the formats of strings.
var formats = map[string][2]string{
	"date":      {"2026-05-17", "2026-06-01"},
	"date-time": {"2026-05-17T09:30:00Z", "2026-06-01T18:00:00Z"},
	"time":      {"09:30:00Z", "18:00:00Z"},
	"email":     {"ann@example.com", "bob@example.com"},
	"uri":       {"https://example.com/a", "https://example.com/b"},
	"url":       {"https://example.com/a", "https://example.com/b"},
	"hostname":  {"example.com", "example.org"},
	"ipv4":      {"192.0.2.1", "192.0.2.2"},
	"uuid":      {"123e4567-e89b-12d3-a456-426614174000", "123e4567-e89b-12d3-a456-426614174001"},
}

// sampleWord returns a short text for a parameter of this name, which depends on the turn.
func sampleWord(name string, turn int) string {
	if list, ok := words[name]; ok {
		return list[turn%3]
	}
	about := strings.Join(strings.FieldsFunc(name, func(r rune) bool {
		return strings.ContainsRune("_-. \t\r\n<>[]{}\"'`\\|&:/=", r) // which markup consists of
	}), " ")
	return [...]string{"some ", "another ", "one more "}[turn%3] + cmp.Or(about, "text")
}

// words are likely values of common parameters. They are short, because every manifest
// contains three calls.
var words = map[string][3]string{
	"city": {"Oslo", "Rome", "Lima"}, "location": {"Oslo", "Rome", "Lima"}, "name": {"Ann", "Bob", "Eve"}, "customer": {"Ann", "Bob", "Eve"},
	"query": {"cats", "dogs", "owls"}, "path": {"a.txt", "b.txt", "c.txt"}, "content": {"Hello", "Thanks", "Bye"}, "text": {"Hello", "Thanks", "Bye"},
	"command": {"ls", "pwd", "date"}, "url": {"https://a.org", "https://b.org", "https://c.org"}, "id": {"a1", "b2", "c3"},
}
