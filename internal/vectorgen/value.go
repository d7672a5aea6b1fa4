package vectorgen

import (
	"fmt"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// kind is the type of a value.
type kind uint8

const (
	kindString kind = iota
	kindInteger
	kindNumber
	kindBoolean
	kindArray
	kindObject
	kindNull
	kindEither  // a string or a number
	kindUntyped // a string with an empty schema
	kindAny     // any value with an empty schema
	kindCount
)

// plainKinds is the number of kinds that a plain message uses, which come first.
const plainKinds = kindNull

// shape is the type of a value.
type shape struct {
	kind  kind
	items *shape  // elements of an array
	props []param // members of an object
}

// shape generates a shape with at most depth levels below it.
func (m *maker) shape(depth int) shape {
	n := kindCount
	if m.plain {
		n = plainKinds
	}
	s := shape{kind: kind(m.src.IntN(int(n)))}
	if depth == 0 && (s.kind == kindArray || s.kind == kindObject) {
		s.kind = kindString
	}
	switch s.kind {
	case kindArray:
		items := m.shape(depth - 1)
		s.items = &items
	case kindObject:
		for i := range 1 + m.src.IntN(3) {
			s.props = append(s.props, param{fmt.Sprintf("%s%d", pick(m.src, "k", "Sub_key"), i), m.shape(depth - 1)})
		}
	}
	return s
}

// schema returns the JSON Schema of the shape.
func (s shape) schema() string {
	switch s.kind {
	case kindArray:
		return `{"type":"array","items":` + s.items.schema() + `}`
	case kindObject:
		props := make([]string, len(s.props))
		for i, p := range s.props {
			props[i] = quote(p.name) + ":" + p.of.schema()
		}
		return `{"type":"object","properties":{` + strings.Join(props, ",") + `}}`
	}
	return schemas[s.kind]
}

// schemas are the schemas of the other kinds.
var schemas = [kindCount]string{
	kindString: `{"type":"string"}`, kindInteger: `{"type":"integer"}`, kindNumber: `{"type":"number"}`, kindBoolean: `{"type":"boolean"}`,
	kindNull: `{"type":["null","integer"]}`, kindEither: `{"type":["string","number"]}`, kindUntyped: `{}`, kindAny: `{}`,
}

// value generates a value of the shape, as JSON.
func (m *maker) value(s shape) string {
	switch s.kind {
	case kindInteger:
		return m.integer()
	case kindNumber:
		return pick(m.src, m.integer, m.fraction)()
	case kindBoolean:
		return pick(m.src, "true", "false")
	case kindArray:
		list := make([]string, m.length())
		for i := range list {
			list[i] = m.value(*s.items)
		}
		return "[" + strings.Join(list, ", ") + "]"
	case kindObject:
		return m.object(s.props)
	case kindNull:
		return "null"
	case kindEither:
		return pick(m.src, m.str, m.fraction)()
	case kindAny:
		return m.value(shape{kind: pick(m.src, kindInteger, kindNumber, kindBoolean, kindString, kindNull)})
	}
	return m.str()
}

// length returns the length of an array. In a plain message it is not empty, because a
// reader without a schema cannot tell the type of an empty one.
func (m *maker) length() int {
	if m.plain {
		return 1 + m.src.IntN(3)
	}
	return m.src.IntN(4)
}

func (m *maker) object(props []param) string {
	var list []string
	for _, p := range props {
		if !m.plain && chance(m.src, 4) {
			continue
		}
		list = append(list, quote(p.name)+": "+m.value(p.of))
	}
	return "{" + strings.Join(list, ", ") + "}"
}

func (m *maker) integer() string {
	return pick(m.src, "7", "-12", "345", "9007199254740993", "-9223372036854775809", "10")
}

func (m *maker) fraction() string {
	if m.plain {
		return pick(m.src, "1.5", "-0.25", "3.14159", "20.75")
	}
	return pick(m.src, "1.5", "-0.25", "6.02e23", "1E-7", "0.1000000000000000055", "-0", "1.50")
}

// words are plain text: only letters.
var words = strings.Fields(`anchor birch copper delta eagle forest garnet harbor island juniper kettle lantern
	meadow nickel orchard pebble quarry raven saddle timber upland velvet walnut yonder zenith
	fjordålesund größe žlutý Москва 東京 😀ok`)

// plainText returns one to three words.
func (m *maker) plainText() string {
	list := make([]string, 1+m.src.IntN(3))
	for i := range list {
		list[i] = pick(m.src, words...)
	}
	return strings.Join(list, " ")
}

// lookalikes are strings that look like something else.
var lookalikes = []string{
	"", " ", "42", "true", "null", "None", "[1, 2]", `{"a": 1}`, "\n", " lead", "trail ", "\nlines\n", "a\r\nb", "a\n\n  b\n  ", "\t",
	`"quoted"`, `it's`, `back\slash`, `\n`, "&amp;", "a < b > c & d", "key: value", "# no comment", "- item", "|", "> folded", "a, b", "f(x)",
	"\u0000", "\u007f", "\u2028", "\ufeff", "0", "1", "1e5", "-", "[", "{", "]", "}", "```\ncode\n```", "// ", "@", "%", "*x", "!tag", "~", "yes",
}

// str generates a string.
func (m *maker) str() string {
	if m.plain {
		return quote(m.plainText())
	}
	switch m.src.IntN(5) {
	case 0:
		return quote(m.plainText())
	case 1:
		return quote(pick(m.src, lookalikes...))
	case 2:
		return pick(m.src, `"\u0041\u00e9"`, `"\/\b\f\n\r\t"`, `"\ud83d\ude00"`, `"a\u0000b"`)
	}
	var b strings.Builder
	for range 1 + m.src.IntN(4) {
		b.WriteString(pick(m.src, m.plainText, m.marker, m.marker, m.lookalike)())
		b.WriteString(pick(m.src, "", " ", "\n"))
	}
	return quote(b.String())
}

func (m *maker) marker() string { return pick(m.src, m.markers...) }

func (m *maker) lookalike() string { return pick(m.src, lookalikes...) }

// prose generates text or reasoning that begins and ends with a word.
func (m *maker) prose() string {
	s := m.plainText()
	for range m.src.IntN(4) {
		s += pick(m.src, " ", "\n", ". ", "\n\n", ", ")
		if !m.plain && chance(m.src, 2) {
			s += pick(m.src, m.marker, m.lookalike)() + " "
		}
		s += m.plainText()
	}
	return s
}

func quote(s string) string { return string(jsonvalue.AppendQuoted(nil, s)) }
