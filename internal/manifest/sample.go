package manifest

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/schema"
)

// sampler makes the arguments of examples. It invents little: it takes the values that a
// schema lists, its examples, its default, or else a usual value of the type. A judge rejects values that do not fit the schema. The
// same schema always gives the same values.
type sampler struct {
	shaper *schema.Shaper
	judge  *schema.Judge
	turn   int  // values of different turns differ, if the schema allows that
	loose  bool // "..." may replace a text whose pattern no known text matches

	open   []*node // the schemas around the value
	left   int     // bytes that it may still make
	placed int     // number of such placeholders
}

const (
	maxSample   = 16 << 10 // bytes of the arguments of an example
	maxElements = 32       // of a list
	maxDigits   = 40       // of a number
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
// with this index, or none for -1.
func (d *document) arguments(turn, optional int, loose bool) (*node, error) {
	g := &sampler{shaper: d.compiled.Shaper(maxWork), judge: d.compiled.Judge(), turn: turn, loose: loose, left: maxSample}
	return g.value(&goal{schema: d.root, root: true, optional: optional})
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
		if err == nil || errors.Is(err, schema.ErrTooLarge) {
			return v, err
		}
		first = cmp.Or(first, err)
	}
	return nil, first
}

// ofShape returns the first value of a shape that fits the schema.
func (g *sampler) ofShape(to *goal, s *schema.Shape) (*node, error) {
	kinds := kindsOf(s)
	if to.root { // even if the schema leaves the type open
		kinds = []string{"object"}
	}
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
	var first error
	for _, kind := range kinds {
		switch kind {
		case "object", "array":
			v, err := g.container(to, s, kind)
			if err == nil || errors.Is(err, schema.ErrTooLarge) {
				return v, err
			}
			first = cmp.Or(first, err)
		default:
			for v := range scalars(s, kind, to.name, g.turn) {
				if g.fits(to, v, false) {
					return v, nil
				}
			}
		}
	}
	if g.loose && len(s.Patterns) > 0 && slices.Contains(kinds, "string") {
		g.placed++
		return jsonvalue.NewString("..."), nil
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

// scalars yields usual values of a type, in the order in which they are tried.
func scalars(s *schema.Shape, kind, name string, turn int) iter.Seq[*node] {
	switch kind {
	case "boolean":
		return slices.Values([]*node{jsonvalue.NewBool(turn%2 == 0), jsonvalue.NewBool(turn%2 != 0)})
	case "null":
		return slices.Values([]*node{{Kind: jsonvalue.Null, Text: "null", Raw: "null"}})
	case "string":
		return texts(s, name, turn)
	}
	return numbers(s, kind, turn)
}

// numbers yields small numbers, then numbers at the bounds.
func numbers(s *schema.Shape, kind string, turn int) iter.Seq[*node] {
	step := big.NewRat(1, 1)
	if len(s.MultipleOf) > 0 {
		step = s.MultipleOf[0]
	}
	return func(yield func(*node) bool) {
		add := func(r *big.Rat) bool {
			digits, exact := r.FloatPrec()
			if !exact || digits > maxDigits || r.Num().BitLen() > 4*maxDigits {
				return true
			}
			text := r.FloatString(digits)
			return yield(&node{Kind: jsonvalue.Number, Text: text, Raw: text})
		}
		// multiples adds three multiples of the step in the direction by: the first is next to
		// from, or one further for each turn.
		multiples := func(from *big.Rat, by int64, turn int) bool {
			q := new(big.Rat).Quo(from, step)
			n := new(big.Int).Div(q.Num(), q.Denom())
			if by > 0 && !q.IsInt() {
				n.Add(n, big.NewInt(1))
			}
			for i := range int64(3) {
				at := new(big.Int).Add(n, big.NewInt(by*(i+int64(turn))))
				if !add(new(big.Rat).Mul(new(big.Rat).SetInt(at), step)) {
					return false
				}
			}
			return true
		}
		switch {
		case kind == "number" && len(s.MultipleOf) == 0 && !add(big.NewRat(2*int64(turn)+3, 2)):
		case !multiples(step, 1, turn):
		case s.Min != nil && !multiples(s.Min.Rat, 1, turn):
		case s.Max != nil && !multiples(s.Max.Rat, -1, turn):
		case kind == "number" && s.Min != nil && s.Max != nil &&
			!add(new(big.Rat).Quo(new(big.Rat).Add(s.Min.Rat, s.Max.Rat), big.NewRat(2, 1))):
		case !multiples(new(big.Rat), -1, turn):
		case s.Min != nil && turn > 0: // in case the bounds leave too few for all turns
			multiples(s.Min.Rat, 1, 0)
		}
	}
}

// usualTexts are tried if the words of a parameter's name do not fit. Most patterns match
// one of them.
var usualTexts = []string{
	"a", "abc", "x-a", "A", "ABC", "1", "123", "12345", "a1", "abc123", "A1", "AB-12", "ab-12", "a-b", "a_b", "a.b", "v1.0.0", "1.0.0", "US", "en-US", "#00ff00",
	"2026-05-17", "2026-05", "09:30", "09:30:00", "2026-05-17T09:30:00Z", "+4712345678", "https://example.com", "ann@example.com", "/tmp/a.txt", "192.0.2.1",
	"123e4567-e89b-12d3-a456-426614174000", "text", "",
}

// texts yields strings that fit the name or the format, cut or filled to the length.
func texts(s *schema.Shape, name string, turn int) iter.Seq[*node] {
	return func(yield func(*node) bool) {
		if s.Length.Min > maxSample {
			return
		}
		add := func(text string) bool { return yield(jsonvalue.NewString(text)) }
		if known, ok := formats[s.Format]; ok && (!add(known[turn%2]) || !add(known[(turn+1)%2])) {
			return
		}
		for i := range 3 {
			if !add(sized(sampleWord(name, turn+i), s.Length)) {
				return
			}
		}
		for i := range usualTexts {
			if !add(usualTexts[(i+turn)%len(usualTexts)]) {
				return
			}
		}
		add(sized(strconv.Itoa(turn+1), s.Length))
	}
}

// sized returns a text cut or filled to fit a length.
func sized(text string, length schema.Lengths) string {
	n := utf8.RuneCountInString(text)
	if length.Max != schema.NoLimit && n > length.Max {
		runes := []rune(strings.ReplaceAll(text, " ", ""))
		return string(runes[:min(length.Max, len(runes))])
	}
	return text + strings.Repeat("x", max(0, length.Min-n))
}

// container makes an object or a list of the usual size, or else a larger or smaller one.
func (g *sampler) container(to *goal, s *schema.Shape, kind string) (*node, error) {
	var first error
	left, placed := g.left, g.placed
	try := func(v *node, err error) bool {
		g.left = left
		if err == nil {
			v.Raw = string(jsonvalue.Spaced.AppendWritten(nil, v))
			if g.placed > placed || g.fits(to, v, true) { // placeholders never fit
				return true
			}
			err = to.fail(errNoSample)
		}
		first = cmp.Or(first, err)
		g.placed = placed
		return false
	}
	if kind == "array" {
		want := g.usualCount(s)
		for _, n := range []int{want, want - 1, s.ItemCount.Min, want + 1} {
			if v, err := g.array(to, s, n); n >= 0 && try(v, err) {
				return v, nil
			}
		}
		return nil, first
	}
	all := len(s.AllProperties())
	for _, n := range []int{max(to.optional, -1), all, -1} {
		if v, err := g.object(to, s, n, n == all); try(v, err) {
			return v, nil
		}
	}
	if v := jsonvalue.NewObject(); try(v, nil) {
		return v, nil
	}
	return nil, first
}

// object makes an object of the required members and, of the others, all or the one with
// this index. It gets at least one member unless it is the whole arguments.
func (g *sampler) object(to *goal, s *schema.Shape, optional int, all bool) (*node, error) {
	v := jsonvalue.NewObject()
	member := func(name string, of *node) error {
		if v.Has(name) {
			return nil
		}
		if of == nil {
			of = anything
		}
		value, err := g.value(&goal{schema: of, name: name, path: to.path + "/" + jsonvalue.EscapePointer(name), optional: -1})
		if err == nil {
			v.Set(name, value)
		}
		return err
	}
	var free []schema.Property
	for _, p := range s.AllProperties() {
		if !p.Required {
			free = append(free, p)
		}
		if !p.Required && !all && len(free)-1 != optional {
			continue
		}
		if err := member(p.Name, p.Schema); err != nil && p.Required {
			return nil, err
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
	for i := 0; len(v.Keys) < min(least, maxElements) && i < maxElements && !closed && !declares; i++ {
		name := "key"
		if i > 0 {
			name = "key_" + strconv.Itoa(i+1)
		}
		_ = member(name, s.AdditionalProperties)
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
		if item == nil {
			item = anything
		}
		one := &goal{schema: item, name: to.name, path: to.path + "/" + strconv.Itoa(i), optional: -1}
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
