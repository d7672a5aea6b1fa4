package grammar

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/schema"
)

// maxCount is the greatest number of repetitions that a grammar counts, because servers
// unroll them.
const maxCount = 1000

// counted returns the bounds of a repetition. most is -1 if there is no bound or it is
// above maxCount.
func counted(l schema.Lengths) (least, most int) {
	least, most = min(l.Min, maxCount), -1
	if l.Max != schema.NoLimit && l.Max <= maxCount {
		most = l.Max
	}
	return least, most
}

// value matches a value that fits a schema, in a language.
func (w *writer) value(t *tool, schema *jnode, l *language, at string) *node {
	if schema == nil {
		return w.any(l)
	}
	key := ruleKey{schema, l}
	if r := w.made[key]; r != nil {
		return call(r)
	}
	list := w.shapes(t, schema, at)
	if len(list) == 1 && !list[0].Never && !list[0].HasEnum {
		s := list[0]
		if kinds := s.Kinds(); kinds == nil || len(kinds) == 1 && kinds[0] != "object" && kinds[0] != "array" {
			return w.shape(t, s, l, at)
		}
	}
	return w.once(key, t, at, func() *node {
		return w.alternatives(len(list), func(i int) *node { return w.shape(t, list[i], l, at) })
	})
}

// shape matches a value of a shape.
func (w *writer) shape(t *tool, s *shape, l *language, at string) *node {
	if s.Never {
		return alt()
	}
	if s.HasEnum {
		return w.enum(t, s, at, l)
	}
	kinds := s.Kinds()
	if kinds == nil {
		return w.any(l)
	}
	return w.alternatives(len(kinds), func(i int) *node { return w.kind(t, s, kinds[i], l, at) })
}

// once calls the rule of a value, which may contain such values again, and makes it on
// first use. It forgets a rule that failed, so that other uses of the value fail too.
func (w *writer) once(key ruleKey, t *tool, at string, body func() *node) *node {
	if r := w.made[key]; r != nil {
		return call(r)
	}
	r := w.add(hint(t, at), alt())
	w.made[key] = r
	if !w.enter(t, at) {
		return alt()
	}
	defer w.leave()
	if r.body = body(); w.err != nil {
		delete(w.made, key)
	}
	return call(r)
}

func (w *writer) kind(t *tool, s *shape, kind string, l *language, at string) *node {
	switch kind {
	case "null":
		return lit(l.null)
	case "boolean":
		return alt(lit(l.yes), lit(l.no))
	case "integer":
		if s.Min == nil && s.Max == nil {
			return w.shared("integer", func() *node { return integer(s) })
		}
		return integer(s)
	case "number":
		if s.Min == nil && s.Max == nil {
			return w.shared("number", func() *node { return number(s) })
		}
		return number(s)
	case "string":
		return w.str(s, l)
	case "array":
		return w.array(t, s, l, at)
	}
	return w.object(t, s, l, at)
}

// shared calls the rule with a fixed name, and makes it on first use.
func (w *writer) shared(name string, body func() *node) *node {
	key := ruleKey{nil, name}
	if w.made[key] == nil {
		w.made[key] = w.add(name, body())
	}
	return call(w.made[key])
}

// enum matches those values of an enum that the language can express.
func (w *writer) enum(t *tool, s *shape, at string, l *language) *node {
	var ways []*node
	for _, v := range s.Enum {
		if !s.Allows(v) {
			continue
		}
		if n, ok := w.constant(v, l); ok {
			ways = append(ways, n)
		}
		if written, ok := l.bare(v); ok {
			ways = append(ways, lit(written))
		}
	}
	if len(ways) == 0 {
		return w.fail(t, at, "the dialect can express none of its values")
	}
	return alt(ways...)
}

// constant matches one value. ok is false if the language cannot express it.
func (w *writer) constant(v *jnode, l *language) (n *node, ok bool) {
	if v.Kind < jsonvalue.Array || len(v.List) == 0 || !l.lines {
		written, ok := l.literal(v)
		return lit(written), ok
	}
	open, end := "[", "]"
	if v.Kind == jsonvalue.Object {
		open, end = "{", "}"
	}
	parts := []*node{lit(open)}
	for i, member := range v.List {
		key := ""
		if v.Kind == jsonvalue.Object {
			if key, ok = l.key(v.Keys[i]); !ok {
				return nil, false
			}
			key += l.colon
		}
		if n, ok = w.constant(member, l); !ok {
			return nil, false
		}
		if i > 0 {
			parts = append(parts, lit(l.comma))
		}
		parts = append(parts, w.line(l), lit(key), n)
	}
	return seq(append(parts, w.line(l), lit(end))...), true
}

// str matches a string in quotes.
func (w *writer) str(s *shape, l *language) *node {
	if firstPattern(s) != "" {
		if n, ok := pattern(firstPattern(s), l.unit); ok {
			return seq(lit(l.open), n, lit(l.close))
		}
	}
	if least, most := counted(s.Length); least > 0 || most >= 0 {
		return seq(lit(l.open), rep(l.anyUnit(), least, most), lit(l.close))
	}
	key := ruleKey{nil, strings.Join(append([]string{l.name + "-string"}, l.markers...), "\x00")}
	if w.made[key] == nil {
		inside := many(l.anyUnit())
		if len(l.markers) > 0 {
			inside = w.without(l.name+"-text", l.plain, l.markers, l.fold, l.escaping()).node()
		}
		w.made[key] = w.add(l.name+"-string", seq(lit(l.open), inside, lit(l.close)))
	}
	return call(w.made[key])
}

// any matches any value.
func (w *writer) any(l *language) *node {
	key := ruleKey{nil, l}
	if r := w.made[key]; r != nil {
		return call(r)
	}
	r := w.add(l.name+"-value", nil)
	w.made[key] = r
	s := anyShape()
	r.body = alt(
		w.str(s, l), w.kind(nil, s, "number", l, ""), w.kind(nil, s, "boolean", l, ""), lit(l.null),
		seq(lit("["), commas(seq(w.line(l), call(r)), l.comma, 0, -1), w.line(l), lit("]")), w.mapping(s, l, call(r)),
	)
	return call(r)
}

// mapping matches an object of any keys.
func (w *writer) mapping(s *shape, l *language, value *node) *node {
	key := w.key(s, l)
	least, most := counted(s.MemberCount)
	return seq(lit("{"), commas(seq(w.line(l), key, lit(l.colon), value), l.comma, least, most), w.line(l), lit("}"))
}

// key matches a key that a shape allows besides its declared properties.
func (w *writer) key(s *shape, l *language) *node {
	if l.bareKeys {
		return w.word()
	}
	if len(s.PatternProperties) > 0 {
		if n, ok := pattern(s.PatternProperties[0].Name, l.unit); ok {
			return seq(lit(l.open), n, lit(l.close))
		}
	}
	return w.str(anyShape(), l)
}

// word matches a key that needs no quotes.
func (w *writer) word() *node {
	return w.shared("word", func() *node {
		letters := charset{{'A', 'Z'}, {'a', 'z'}, {'_', '_'}}.normal()
		return seq(char(letters), rep(char(letters.with(digit)), 0, 31))
	})
}

// commas matches a sequence of n with a separator.
func commas(n *node, comma string, least, most int) *node {
	if most == 0 {
		return nothing
	}
	row := func(least int) *node {
		if most > 0 {
			return seq(n, rep(seq(lit(comma), n), least-1, most-1))
		}
		return seq(n, rep(seq(lit(comma), n), least-1, -1))
	}
	if least == 0 {
		return optional(row(1))
	}
	return row(least)
}

func (w *writer) array(t *tool, s *shape, l *language, at string) *node {
	return seq(lit("["), w.elements(s, l.comma, func(schema *jnode, place string) *node {
		return seq(w.line(l), w.value(t, schema, l, below(at, place)))
	}), w.line(l), lit("]"))
}

// elements matches the elements of an array, each built by value, with a separator.
func (w *writer) elements(s *shape, comma string, value func(schema *jnode, place string) *node) *node {
	least, most := counted(s.ItemCount)
	prefix := s.PrefixItems
	if s.Items != nil && s.Items.Kind == jsonvalue.Bool && s.Items.Text == "false" && (most < 0 || most > len(prefix)) {
		most = len(prefix)
	}
	if most >= 0 && len(prefix) > most {
		prefix = prefix[:most]
	}
	if most >= 0 && least > most {
		return alt()
	}
	if len(prefix) == 0 {
		if most == 0 {
			return nothing
		}
		return commas(value(s.Items, "items"), comma, least, most)
	}
	k := len(prefix)
	tail := nothing
	if most < 0 || most > k {
		rest := most
		if rest > 0 {
			rest -= k
		}
		tail = rep(seq(lit(comma), value(s.Items, "items")), max(0, least-k), rest)
	}
	for i := k - 1; i >= 0; i-- {
		between := comma
		if i == 0 {
			between = ""
		}
		tail = seq(lit(between), value(prefix[i], "prefixItems"), tail)
		if i >= least {
			tail = optional(tail)
		}
	}
	return tail
}

func (w *writer) object(t *tool, s *shape, l *language, at string) *node {
	props := w.properties(s)
	if len(props) == 0 {
		return w.free(t, s, l, at)
	}
	if l.bareKeys {
		props = w.nameable(t, s, at)
	}
	list := w.eachMember(t, props, at, func(p property, at string) *node {
		key, ok := l.key(p.Name)
		if !ok {
			return w.fail(t, at, "the dialect cannot express a key of this name")
		}
		return seq(w.line(l), lit(key+l.colon), w.value(t, p.Schema, l, at))
	})
	body, mayBeEmpty := w.members(list, l.comma, hint(t, at))
	if mayBeEmpty {
		body = optional(body)
	}
	return seq(lit("{"), body, w.line(l), lit("}"))
}

// line matches an optional line break with indentation inside a value, in languages that
// allow one.
func (w *writer) line(l *language) *node {
	if !l.lines {
		return nothing
	}
	return w.shared("line", func() *node { return optional(seq(lit("\n"), rep(lit(" "), 0, maxIndent))) })
}

// maxIndent bounds how far a line is indented.
const maxIndent = 80

// free matches an object that declares no members.
func (w *writer) free(t *tool, s *shape, l *language, at string) *node {
	additional := s.AdditionalProperties
	if len(s.PatternProperties) > 0 {
		additional = s.PatternProperties[0].Schema
	}
	switch {
	case additional == nil, additional.Kind == jsonvalue.Bool && additional.Text == "true":
		return w.mapping(s, l, w.any(l))
	case additional.Kind == jsonvalue.Bool:
		return lit("{}")
	}
	return w.mapping(s, l, w.value(t, additional, l, below(at, "additionalProperties")))
}

// member is the expression of an object's member.
type member struct {
	*node
	required bool
}

// members matches at least one member of an object, including all required members, in
// their order. mayBeEmpty says that none is required.
func (w *writer) members(list []member, comma, hint string) (body *node, mayBeEmpty bool) {
	mayBeEmpty = !slices.ContainsFunc(list, func(m member) bool { return m.required })
	starts := slices.IndexFunc(list, func(m member) bool { return m.required }) + 1
	if mayBeEmpty {
		starts = len(list)
	}
	if len(list) == 0 {
		return nothing, mayBeEmpty
	}
	next := func(i int) *node {
		n := seq(lit(comma), list[i].node)
		if !list[i].required {
			n = optional(n)
		}
		return n
	}
	var behind []*node // members after the first required one
	for i := starts; i < len(list); i++ {
		behind = append(behind, next(i))
	}
	tails := make([]*node, starts+1) // what may follow once the members before are written
	tails[starts] = seq(behind...)
	for i := starts - 1; i > 0; i-- {
		if tails[i] = seq(next(i), tails[i+1]); i < len(list)-1 {
			tails[i] = call(w.add(hint+"-rest", tails[i]))
		}
	}
	var ways []*node
	for i := range starts {
		ways = append(ways, seq(list[i].node, tails[i+1]))
	}
	return alt(ways...), mayBeEmpty
}
