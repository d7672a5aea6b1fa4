package rules

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/schema"
)

// maxCount is the greatest number of repetitions that a grammar counts, because servers
// unroll them.
const maxCount = 1000

// Counted returns the bounds of a repetition. most is -1 if there is no bound or it is
// above maxCount.
func Counted(l schema.Lengths) (least, most int) {
	least, most = min(l.Min, maxCount), -1
	if l.Max != schema.NoLimit && l.Max <= maxCount {
		most = l.Max
	}
	return least, most
}

// Value matches a value that fits a schema, in a language.
func (w *Writer) Value(t *Tool, schema *jsonvalue.Value, l *Language, at string) *Node {
	if schema == nil {
		return w.any(l)
	}
	key := RuleKey{schema, l}
	if r := w.rules[key]; r != nil {
		return Call(r)
	}
	list := w.Shapes(t, schema, at)
	if len(list) == 1 && !list[0].Never && !list[0].HasEnum {
		s := list[0]
		if kinds := s.Kinds(); kinds == nil || len(kinds) == 1 && kinds[0] != "object" && kinds[0] != "array" {
			return w.shape(t, s, l, at)
		}
	}
	return w.Once(key, t, at, func() *Node {
		return w.Alternatives(len(list), func(i int) *Node { return w.shape(t, list[i], l, at) })
	})
}

// shape matches a value of a shape.
func (w *Writer) shape(t *Tool, s *Shape, l *Language, at string) *Node {
	if s.Never {
		return Alt()
	}
	if s.HasEnum {
		return w.enum(t, s, at, l)
	}
	kinds := s.Kinds()
	if kinds == nil {
		return w.any(l)
	}
	return w.Alternatives(len(kinds), func(i int) *Node { return w.kind(t, s, kinds[i], l, at) })
}

// Once calls the rule of a value, which may contain such values again, and makes it on
// first use. It forgets a rule that failed, so that other uses of the value fail too.
func (w *Writer) Once(key RuleKey, t *Tool, at string, body func() *Node) *Node {
	if r := w.rules[key]; r != nil {
		return Call(r)
	}
	r := w.Add(Hint(t, at), Alt())
	w.rules[key] = r
	if !w.enter(t, at) {
		return Alt()
	}
	defer w.leave()
	if r.Body = body(); w.Failure != nil {
		delete(w.rules, key)
	}
	return Call(r)
}

func (w *Writer) kind(t *Tool, s *Shape, kind string, l *Language, at string) *Node {
	switch kind {
	case "null":
		return Text(l.Null)
	case "boolean":
		return Alt(Text(l.Yes), Text(l.No))
	case "integer":
		if s.Min == nil && s.Max == nil {
			return w.Shared("integer", func() *Node { return integer(s) })
		}
		return integer(s)
	case "number":
		if s.Min == nil && s.Max == nil {
			return w.Shared("number", func() *Node { return number(s) })
		}
		return number(s)
	case "string":
		return w.str(s, l)
	case "array":
		return w.array(t, s, l, at)
	}
	return w.Object(t, s, l, at)
}

// rule calls a rule that may contain itself, and makes it on first use.
func (w *Writer) rule(key RuleKey, hint string, body func() *Node) *Node {
	r := w.rules[key]
	if r == nil {
		r = w.Add(hint, nil)
		w.rules[key] = r
		r.Body = body()
	}
	return Call(r)
}

// Shared calls the rule with a fixed name, and makes it on first use.
func (w *Writer) Shared(name string, body func() *Node) *Node {
	key := RuleKey{nil, name}
	if w.rules[key] == nil {
		w.rules[key] = w.Add(name, body())
	}
	return Call(w.rules[key])
}

// enum matches those values of an enum that the language can express.
func (w *Writer) enum(t *Tool, s *Shape, at string, l *Language) *Node {
	var ways []*Node
	for _, v := range s.Enum {
		if !s.Allows(v) {
			continue
		}
		if n, ok := l.constant(v, w.line(l)); ok {
			ways = append(ways, n)
		}
		if written, ok := l.bare(v); ok {
			ways = append(ways, Text(written))
		}
	}
	if len(ways) == 0 {
		return w.Fail(t, at, "the dialect can express none of its values")
	}
	return Alt(ways...)
}

// str matches a string in quotes.
func (w *Writer) str(s *Shape, l *Language) *Node {
	if FirstPattern(s) != "" {
		if n, ok := Pattern(FirstPattern(s), l.unit); ok {
			return Seq(Text(l.Open), n, Text(l.Close))
		}
	}
	if least, most := Counted(s.Length); least > 0 || most >= 0 {
		return Seq(Text(l.Open), Repeat(l.anyUnit(), least, most), Text(l.Close))
	}
	key := RuleKey{nil, strings.Join(append([]string{l.Name + "-string"}, l.Markers...), "\x00")}
	return w.rule(key, l.Name+"-string", func() *Node {
		inside := Many(l.anyUnit())
		if len(l.Markers) > 0 {
			inside = w.Without(l.Name+"-text", l.Plain, l.Markers, l.fold, l.escaping()).Node()
		}
		return Seq(Text(l.Open), inside, Text(l.Close))
	})
}

// anyKinds are the types of any value. Every integer is a number.
var anyKinds = []string{"string", "number", "boolean", "null", "array", "object"}

// any matches any value.
func (w *Writer) any(l *Language) *Node {
	return w.rule(RuleKey{nil, l}, l.Name+"-value", func() *Node {
		return w.Alternatives(len(anyKinds), func(i int) *Node { return w.kind(nil, anyShape(), anyKinds[i], l, "") })
	})
}

// mapping matches an object of any keys.
func (w *Writer) mapping(s *Shape, l *Language, value *Node) *Node {
	key := w.key(s, l)
	least, most := Counted(s.MemberCount)
	return Seq(Text("{"), commas(Seq(w.line(l), key, Text(l.Colon), value), l.Comma, least, most), w.line(l), Text("}"))
}

// key matches a key that a shape allows besides its declared properties.
func (w *Writer) key(s *Shape, l *Language) *Node {
	if l.BareKeys {
		return w.word()
	}
	if len(s.PatternProperties) > 0 {
		if n, ok := Pattern(s.PatternProperties[0].Name, l.unit); ok {
			return Seq(Text(l.Open), n, Text(l.Close))
		}
	}
	return w.str(anyShape(), l)
}

// word matches a key that needs no quotes.
func (w *Writer) word() *Node {
	return w.Shared("word", func() *Node {
		letters := Charset{{'A', 'Z'}, {'a', 'z'}, {'_', '_'}}.normal()
		return Seq(Char(letters), Repeat(Char(letters.With(Digit)), 0, 31))
	})
}

// commas matches a sequence of n with a separator.
func commas(n *Node, comma string, least, most int) *Node {
	if most == 0 {
		return Nothing
	}
	row := Seq(n, Repeat(Seq(Text(comma), n), max(least, 1)-1, max(most-1, -1)))
	if least == 0 {
		return Optional(row)
	}
	return row
}

func (w *Writer) array(t *Tool, s *Shape, l *Language, at string) *Node {
	return Seq(Text("["), w.Elements(s, l.Comma, func(schema *jsonvalue.Value, place string) *Node {
		return Seq(w.line(l), w.Value(t, schema, l, Below(at, place)))
	}), w.line(l), Text("]"))
}

// Elements matches the elements of an array, each built by value, with a separator.
func (w *Writer) Elements(s *Shape, comma string, value func(schema *jsonvalue.Value, place string) *Node) *Node {
	least, most := Counted(s.ItemCount)
	prefix := s.PrefixItems
	if s.Items.IsFalse() && (most < 0 || most > len(prefix)) {
		most = len(prefix)
	}
	if most >= 0 && len(prefix) > most {
		prefix = prefix[:most]
	}
	if most >= 0 && least > most {
		return Alt()
	}
	if len(prefix) == 0 {
		if most == 0 {
			return Nothing
		}
		return commas(value(s.Items, "items"), comma, least, most)
	}
	k := len(prefix)
	tail := Nothing
	if most < 0 || most > k {
		rest := most
		if rest > 0 {
			rest -= k
		}
		tail = Repeat(Seq(Text(comma), value(s.Items, "items")), max(0, least-k), rest)
	}
	for i := k - 1; i >= 0; i-- {
		between := comma
		if i == 0 {
			between = ""
		}
		tail = Seq(Text(between), value(prefix[i], "prefixItems"), tail)
		if i >= least {
			tail = Optional(tail)
		}
	}
	return tail
}

func (w *Writer) Object(t *Tool, s *Shape, l *Language, at string) *Node {
	props := w.properties(s)
	if len(props) == 0 {
		return w.Free(t, s, l, at)
	}
	if l.BareKeys {
		props = w.Nameable(t, s, at)
	}
	list := w.EachMember(t, props, at, func(p Property, at string) *Node {
		key, ok := l.key(p.Name)
		if !ok {
			return w.Fail(t, at, "the dialect cannot express a key of this name")
		}
		return Seq(w.line(l), Text(key+l.Colon), w.Value(t, p.Schema, l, at))
	})
	body, mayBeEmpty := w.Members(list, l.Comma, Hint(t, at))
	if mayBeEmpty {
		body = Optional(body)
	}
	return Seq(Text("{"), body, w.line(l), Text("}"))
}

// line matches an optional line break with indentation inside a value, in languages that
// allow one.
func (w *Writer) line(l *Language) *Node {
	if !l.lines {
		return Nothing
	}
	return w.Shared("line", func() *Node { return Optional(Seq(Text("\n"), Repeat(Text(" "), 0, maxIndent))) })
}

// maxIndent bounds how far a line is indented.
const maxIndent = 80

// Free matches an object that declares no members.
func (w *Writer) Free(t *Tool, s *Shape, l *Language, at string) *Node {
	additional := s.AdditionalProperties
	if len(s.PatternProperties) > 0 {
		additional = s.PatternProperties[0].Schema
	}
	switch {
	case additional == nil, additional.IsTrue():
		return w.mapping(s, l, w.any(l))
	case additional.IsFalse():
		return Text("{}")
	}
	return w.mapping(s, l, w.Value(t, additional, l, Below(at, "additionalProperties")))
}

// Member is the expression of an object's member.
type Member struct {
	*Node
	Required bool
}

// Members matches at least one member of an object, including all required members, in
// their order. mayBeEmpty says that none is required.
func (w *Writer) Members(list []Member, comma, hint string) (body *Node, mayBeEmpty bool) {
	mayBeEmpty = !slices.ContainsFunc(list, func(m Member) bool { return m.Required })
	starts := slices.IndexFunc(list, func(m Member) bool { return m.Required }) + 1
	if mayBeEmpty {
		starts = len(list)
	}
	if len(list) == 0 {
		return Nothing, mayBeEmpty
	}
	next := func(i int) *Node {
		n := Seq(Text(comma), list[i].Node)
		if !list[i].Required {
			n = Optional(n)
		}
		return n
	}
	var behind []*Node // members after the first required one
	for i := starts; i < len(list); i++ {
		behind = append(behind, next(i))
	}
	tails := make([]*Node, starts+1) // what may follow once the members before are written
	tails[starts] = Seq(behind...)
	for i := starts - 1; i > 0; i-- {
		if tails[i] = Seq(next(i), tails[i+1]); i < len(list)-1 {
			tails[i] = Call(w.Add(hint+"-rest", tails[i]))
		}
	}
	var ways []*Node
	for i := range starts {
		ways = append(ways, Seq(list[i].Node, tails[i+1]))
	}
	return Alt(ways...), mayBeEmpty
}
