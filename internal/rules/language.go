package rules

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/lex"
)

// Language says how values are written: as JSON, in a similar syntax, or as text between
// markers ([Writer.TextIn]), which has no quotes.
type Language struct {
	Name         string
	Comma, Colon string
	Null         string
	Yes, No      string
	Open, Close  string  // the quotes of a string
	Plain        Charset // characters that need no escape in a string
	Escapes      []string
	Markers      []string // texts that a string must not contain
	fold         bool     // markers count in upper and lower case
	ampersand    bool     // & before a blank begins no entity
	codes        bool     // a string may contain escapes such as \u0041
	BareKeys     bool     // keys of objects have no quotes
	lines        bool     // members and elements may be on separate lines
	harmless     Charset  // Plain without a character of each marker; nil until it is needed

	// The following fields are for text between markers.

	Inner   *Language // of lists and objects
	scalars *Language // of other values that are not strings
	raw     bool      // lists and objects have no entities
	cdata   bool      // strings may be CDATA sections
	never   Charset   // a text that begins with one of these would be a tag, unless only strings are allowed
}

var (
	jsonPlain   = AnyChar.Without(Chars("\"\\\n\r\t"))
	jsonEscapes = []string{`\"`, `\\`, `\n`, `\t`, `\r`}
)

// JSONIn returns JSON in the layout of a dialect.
func JSONIn(d *dialect.Dialect) *Language {
	layout := d.Written.JSON()
	return &Language{
		Name: "json", Comma: layout.Comma, Colon: layout.Colon, Null: "null", Yes: "true", No: "false", Open: `"`, Close: `"`,
		Plain: jsonPlain, Escapes: slices.Clone(jsonEscapes), codes: true, lines: layout.Indent > 0,
	}
}

// avoid keeps markers out of strings. One character of each marker may be written as an
// escape.
func (l *Language) avoid(markers []string) {
	l.Markers = markers
	var breaks Charset
	for _, m := range markers {
		breaks = breaks.With(breaking(m))
	}
	for _, x := range breaks {
		for c := x[0]; c <= x[1] && c < 0x80; c++ {
			if c != '"' && c != '\\' {
				const hex = "0123456789abcdef"
				l.Escapes = append(l.Escapes, `\u00`+string(hex[c>>4])+string(hex[c&15]))
			}
		}
	}
}

// decodes reports whether entities such as &lt; are decoded in strings.
func (l *Language) decodes() bool { return slices.Contains(l.Escapes, "&amp;") }

// entities writes & in strings as an entity, and also <, unless raw allows that.
func (l *Language) entities(raw bool) {
	if l.Plain = l.Plain.Without(Chars("&")); !raw {
		l.Plain = l.Plain.Without(Chars("<"))
	}
	l.ampersand = raw
	l.Escapes = append(l.Escapes, "&lt;", "&gt;", "&amp;", `\u003c`, `\u0026`)
}

// PythonIn returns the language of Python literals, with strings in the given quote.
func PythonIn(quote string) *Language {
	return &Language{
		Name: "py", Comma: ", ", Colon: ": ", Null: "None", Yes: "True", No: "False", Open: quote, Close: quote,
		Plain: AnyChar.Without(Chars(quote + "\\\n\r\t")), Escapes: []string{`\` + quote, `\\`, `\n`, `\t`, `\r`}, codes: true,
	}
}

// scalarsIn returns l with Python's scalars (None, True, False).
func scalarsIn(l *Language) *Language {
	python := *l
	python.Name, python.Null, python.Yes, python.No = "scalar", "None", "True", "False"
	return &python
}

// unit matches one way to write a character of set in a string.
func (l *Language) unit(set Charset) *Node {
	if l.harmless == nil {
		l.harmless = l.Plain
		for _, m := range l.Markers {
			l.harmless = l.harmless.Without(breaking(m))
		}
	}
	ways := []*Node{Char(set.And(l.harmless))}
	for _, e := range l.Escapes {
		if set.Has(escaped(e)) {
			ways = append(ways, Text(e))
		}
	}
	return Alt(ways...)
}

// anyUnit matches one way to write any character in a string.
func (l *Language) anyUnit() *Node {
	if !l.codes {
		return l.unit(AnyChar)
	}
	return Alt(l.unit(AnyChar), code())
}

// code matches an escape such as \u0041, but not a surrogate.
func code() *Node {
	hex := Charset{{'0', '9'}, {'A', 'F'}, {'a', 'f'}}
	return Seq(Text(`\u`), Alt(
		Seq(Char(hex.Without(Chars("dD"))), Repeat(Char(hex), 3, 3)),
		Seq(Char(Chars("dD")), Char(Charset{{'0', '7'}}), Repeat(Char(hex), 2, 2)),
	))
}

// escaping matches one escape in a string. It is nil if there are none.
func (l *Language) escaping() *Node {
	var ways []*Node
	for _, e := range l.Escapes {
		ways = append(ways, Text(e))
	}
	if l.codes {
		ways = append(ways, code())
	}
	if l.ampersand {
		ways = append(ways, Text("& "))
	}
	if len(ways) == 0 {
		return nil
	}
	return Alt(ways...)
}

// escaped returns the character that an escape stands for.
func escaped(e string) rune {
	switch e {
	case `\n`, "&#10;":
		return '\n'
	case `\t`:
		return '\t'
	case `\r`:
		return '\r'
	case "&lt;":
		return '<'
	case "&gt;":
		return '>'
	case "&amp;":
		return '&'
	}
	if code, ok := strings.CutPrefix(e, `\u00`); ok {
		const hex = "0123456789abcdef"
		return rune(strings.IndexByte(hex, code[0])<<4 | strings.IndexByte(hex, code[1]))
	}
	return rune(e[1])
}

// contains reports whether a text contains a marker.
func (l *Language) contains(s, marker string) bool {
	return strings.Contains(s, marker) || l.fold && strings.Contains(strings.ToLower(s), strings.ToLower(marker))
}

// holds reports whether a text contains any marker.
func (l *Language) holds(s string) bool {
	return slices.ContainsFunc(l.Markers, func(m string) bool { return l.contains(s, m) })
}

// Quote returns a string in quotes. ok is false if the language cannot express it.
func (l *Language) Quote(s string) (written string, ok bool) {
	plain := l.Plain
	for _, m := range l.Markers {
		if l.contains(s, m) {
			plain = plain.Without(breaking(m))
		}
	}
	var b strings.Builder
	b.WriteString(l.Open)
	for _, r := range s {
		if plain.Has(r) {
			b.WriteRune(r)
			continue
		}
		i := slices.IndexFunc(l.Escapes, func(e string) bool { return escaped(e) == r })
		if i < 0 {
			return "", false
		}
		b.WriteString(l.Escapes[i])
	}
	return b.String() + l.Close, true
}

// plainly returns a value in the language, without keeping markers out of it.
func (l *Language) plainly(v *jsonvalue.Value) (written string, ok bool) {
	all := *l
	all.Markers, all.Plain, all.Escapes = nil, AnyChar.Without(Chars(l.Open+"\\\n\r\t")), []string{`\` + l.Open, `\\`, `\n`, `\t`, `\r`}
	return all.literal(v)
}

// bare returns a value as plain JSON, if no & in it begins an entity. Dialects that
// decode entities only in strings write it like that.
func (l *Language) bare(v *jsonvalue.Value) (written string, ok bool) {
	if !l.decodes() || l.Plain.Has('&') || !l.Plain.Has('<') {
		return "", false
	}
	written, ok = l.plainly(v)
	for _, m := range l.Markers {
		ok = ok && !strings.Contains(strings.ToLower(written), strings.ToLower(m))
	}
	return written, ok && !entity.MatchString(written)
}

// entity matches what may be read as an entity.
var entity = regexp.MustCompile("&[A-Za-z#]")

// key returns the key of an object's member. ok is false if the language cannot
// express it.
func (l *Language) key(name string) (written string, ok bool) {
	if l.BareKeys {
		return name, IsBareKey(name) && !strings.Contains(name, l.Open[:1])
	}
	return l.Quote(name)
}

// IsBareKey reports whether a key can be written without quotes where other keys and values
// may stand next to it.
func IsBareKey(key string) bool {
	return key != "" && len(key) <= lex.MaxName && key == lex.TrimBlanks(key) && !strings.ContainsFunc(key, func(r rune) bool {
		return unicode.IsControl(r) || strings.ContainsRune(`:,{}[]()"'`, r)
	})
}

// IsWord reports whether a name needs no quotes in any syntax.
func IsWord(name string) bool {
	for i := range len(name) {
		c := name[i]
		if !(c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || i > 0 && (c >= '0' && c <= '9' || c == '-' || c == '.')) {
			return false
		}
	}
	return name != ""
}

// literal returns a whole value on one line. ok is false if the language cannot express it.
func (l *Language) literal(v *jsonvalue.Value) (written string, ok bool) {
	n, ok := l.constant(v, Nothing)
	if !ok {
		return "", false
	}
	return n.Text, true
}

// constant matches one value, with line before each part of a list or an object and before its
// end. ok is false if the language cannot express it.
func (l *Language) constant(v *jsonvalue.Value, line *Node) (n *Node, ok bool) {
	open, end := "[", "]"
	switch v.Kind {
	case jsonvalue.Null:
		return Text(l.Null), true
	case jsonvalue.Bool:
		if v.Text == "true" {
			return Text(l.Yes), true
		}
		return Text(l.No), true
	case jsonvalue.String:
		written, ok := l.Quote(v.Text)
		return Text(written), ok
	case jsonvalue.Number:
		return Text(v.Text), true
	case jsonvalue.Object:
		open, end = "{", "}"
	}
	if len(v.List) == 0 {
		return Text(open + end), true
	}
	parts := []*Node{Text(open)}
	for i, member := range v.List {
		key := ""
		if v.Kind == jsonvalue.Object {
			if key, ok = l.key(v.Keys[i]); !ok {
				return nil, false
			}
			key += l.Colon
		}
		if n, ok = l.constant(member, line); !ok {
			return nil, false
		}
		if i > 0 {
			parts = append(parts, Text(l.Comma))
		}
		parts = append(parts, line, Text(key), n)
	}
	return Seq(append(parts, line, Text(end))...), true
}
