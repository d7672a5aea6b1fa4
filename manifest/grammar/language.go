package grammar

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/parser"
)

// language is how values are written: as JSON, or in a syntax that is much like it.
type language struct {
	name         string
	comma, colon string
	null         string
	yes, no      string
	open, close  string  // around a string
	plain        charset // the characters of a string that are written as they are
	escapes      []string
	markers      []string // what must not stand in a string
	fold         bool     // in any case of letters
	codes        bool     // a backslash, a u and four digits stand for a character
	bareKeys     bool     // of objects
	lines        bool     // members and elements may stand on lines of their own
}

var (
	jsonPlain   = anyChar.without(chars("\"\\\n\r\t"))
	jsonEscapes = []string{`\"`, `\\`, `\n`, `\t`, `\r`}
)

// jsonIn is JSON as a dialect lays it out.
func jsonIn(d *parser.Dialect) *language {
	l := &language{
		name: "json", comma: ", ", colon: ": ", null: "null", yes: "true", no: "false", open: `"`, close: `"`,
		plain: jsonPlain, escapes: slices.Clone(jsonEscapes), codes: true,
	}
	if d.Written.Compact {
		l.comma, l.colon = ",", ":"
	}
	if d.Written.Indent > 0 {
		l.comma, l.lines = ",", true
	}
	return l
}

// avoid keeps markers out of strings. Each has one of the characters breaks, which may
// be written as a code.
func (l *language) avoid(markers []string, breaks charset) {
	l.markers = markers
	for _, x := range breaks {
		for c := x[0]; c <= x[1] && c < 0x80; c++ {
			if c != '"' && c != '\\' {
				const hex = "0123456789abcdef"
				l.escapes = append(l.escapes, `\u00`+string(hex[c>>4])+string(hex[c&15]))
			}
		}
	}
}

// entities puts & into strings as an entity, and < too, unless it may stand there raw.
func (l *language) entities(raw bool) {
	if l.plain = l.plain.without(chars("&")); !raw {
		l.plain = l.plain.without(chars("<"))
	}
	l.escapes = append(l.escapes, "&lt;", "&gt;", "&amp;", `\u003c`, `\u0026`)
}

// pythonIn is Python's literals, with strings in quote.
func pythonIn(quote string) *language {
	return &language{
		name: "py", comma: ", ", colon: ": ", null: "None", yes: "True", no: "False", open: quote, close: quote,
		plain: anyChar.without(chars(quote + "\\\n\r\t")), escapes: []string{`\` + quote, `\\`, `\n`, `\t`, `\r`}, codes: true,
	}
}

// scalarsIn is JSON with the scalars of Python.
func scalarsIn(l *language) *language {
	python := *l
	python.name, python.null, python.yes, python.no = "scalar", "None", "True", "False"
	return &python
}

func gemmaIn(d *parser.Dialect) *language {
	return &language{
		name: "value", comma: ",", colon: ":", null: "null", yes: "true", no: "false", open: d.Args.Quote, close: d.Args.Quote,
		plain: anyChar, markers: []string{d.Args.Quote, strings.TrimSpace(d.Frame.Call.Close)}, bareKeys: true,
	}
}

// unit is a character of a string that stands for one of set.
func (l *language) unit(set charset) *node {
	plain := set.and(l.plain)
	for _, m := range l.markers {
		plain = plain.without(breaking(m))
	}
	ways := []*node{char(plain)}
	for _, e := range l.escapes {
		if set.has(escaped(e)) {
			ways = append(ways, lit(e))
		}
	}
	return alt(ways...)
}

// anyUnit is any character of a string.
func (l *language) anyUnit() *node {
	if !l.codes {
		return l.unit(anyChar)
	}
	return alt(l.unit(anyChar), code())
}

// code is a character of JSON by its number, but no surrogate.
func code() *node {
	hex := charset{{'0', '9'}, {'A', 'F'}, {'a', 'f'}}
	return seq(lit(`\u`), alt(
		seq(char(hex.without(chars("dD"))), rep(char(hex), 3, 3)),
		seq(char(chars("dD")), char(charset{{'0', '7'}}), rep(char(hex), 2, 2)),
	))
}

// escaping is what may stand in a string beside plain characters.
func (l *language) escaping() *node {
	var ways []*node
	for _, e := range l.escapes {
		ways = append(ways, lit(e))
	}
	if l.codes {
		ways = append(ways, code())
	}
	if len(ways) == 0 {
		return nil
	}
	return alt(ways...)
}

// escaped is the character that an escape stands for.
func escaped(e string) rune {
	switch e {
	case `\n`:
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

// quote writes one string; ok is false where the language cannot.
func (l *language) quote(s string) (written string, ok bool) {
	plain := l.plain
	for _, m := range l.markers {
		if strings.Contains(s, m) || l.fold && strings.Contains(strings.ToLower(s), strings.ToLower(m)) {
			plain = plain.without(breaking(m))
		}
	}
	var b strings.Builder
	b.WriteString(l.open)
	for _, r := range s {
		if plain.has(r) {
			b.WriteRune(r)
			continue
		}
		i := slices.IndexFunc(l.escapes, func(e string) bool { return escaped(e) == r })
		if i < 0 {
			return "", false
		}
		b.WriteString(l.escapes[i])
	}
	return b.String() + l.close, true
}

// plainly is a value in the language where no marker is to be kept out.
func (l *language) plainly(v *jnode) (written string, ok bool) {
	all := *l
	all.markers, all.plain, all.escapes = nil, anyChar.without(chars(l.open+"\\\n\r\t")), []string{`\` + l.open, `\\`, `\n`, `\t`, `\r`}
	return all.literal(v)
}

// bare is a value as plain JSON, where its & need not be entities: what follows them makes
// none. So dialects write it whose entities are decoded in strings alone.
func (l *language) bare(v *jnode) (written string, ok bool) {
	if !slices.Contains(l.escapes, "&amp;") || l.plain.has('&') || !l.plain.has('<') {
		return "", false
	}
	written, ok = l.plainly(v)
	for _, m := range l.markers {
		ok = ok && !strings.Contains(strings.ToLower(written), strings.ToLower(m))
	}
	return written, ok && !entity.MatchString(written)
}

// entity is what could be read as one.
var entity = regexp.MustCompile("&[A-Za-z#]")

// key writes the key of an object's member.
func (l *language) key(name string) (written string, ok bool) {
	if l.bareKeys {
		return name, name != "" && !strings.ContainsFunc(name, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-.", r)
		})
	}
	return l.quote(name)
}

// isWord reports whether a name needs no quotes anywhere.
func isWord(name string) bool {
	for i := range len(name) {
		c := name[i]
		if !(c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || i > 0 && (c >= '0' && c <= '9' || c == '-' || c == '.')) {
			return false
		}
	}
	return name != ""
}

// literal writes a whole value; ok is false where the language cannot.
func (l *language) literal(v *jnode) (written string, ok bool) {
	switch v.Kind {
	case jsonvalue.Null:
		return l.null, true
	case jsonvalue.Bool:
		if v.Text == "true" {
			return l.yes, true
		}
		return l.no, true
	case jsonvalue.String:
		return l.quote(v.Text)
	case jsonvalue.Number:
		return v.Text, true
	}
	parts := make([]string, len(v.List))
	for i, member := range v.List {
		if parts[i], ok = l.literal(member); !ok {
			return "", false
		}
		if v.Kind == jsonvalue.Object {
			key, ok := l.key(v.Keys[i])
			if !ok {
				return "", false
			}
			parts[i] = key + l.colon + parts[i]
		}
	}
	if v.Kind == jsonvalue.Object {
		return "{" + strings.Join(parts, l.comma) + "}", true
	}
	return "[" + strings.Join(parts, l.comma) + "]", true
}
