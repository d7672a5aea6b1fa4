package grammar

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/toolparse/toolparse/dialect"
	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// language says how values are written: as JSON, or in a similar syntax.
type language struct {
	name         string
	comma, colon string
	null         string
	yes, no      string
	open, close  string  // the quotes of a string
	plain        charset // characters that need no escape in a string
	escapes      []string
	markers      []string // texts that a string must not contain
	fold         bool     // markers count in upper and lower case
	ampersand    bool     // & before a blank begins no entity
	codes        bool     // a string may contain escapes such as \u0041
	bareKeys     bool     // keys of objects have no quotes
	lines        bool     // members and elements may be on separate lines
}

var (
	jsonPlain   = anyChar.without(chars("\"\\\n\r\t"))
	jsonEscapes = []string{`\"`, `\\`, `\n`, `\t`, `\r`}
)

// jsonIn returns JSON in the layout of a dialect.
func jsonIn(d *dialect.Dialect) *language {
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

// avoid keeps markers out of strings. breaks has a character of each marker; these
// characters may be written as escapes.
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

// entities writes & in strings as an entity, and also <, unless raw allows that.
func (l *language) entities(raw bool) {
	if l.plain = l.plain.without(chars("&")); !raw {
		l.plain = l.plain.without(chars("<"))
	}
	l.ampersand = raw
	l.escapes = append(l.escapes, "&lt;", "&gt;", "&amp;", `\u003c`, `\u0026`)
}

// pythonIn returns the language of Python literals, with strings in the given quote.
func pythonIn(quote string) *language {
	return &language{
		name: "py", comma: ", ", colon: ": ", null: "None", yes: "True", no: "False", open: quote, close: quote,
		plain: anyChar.without(chars(quote + "\\\n\r\t")), escapes: []string{`\` + quote, `\\`, `\n`, `\t`, `\r`}, codes: true,
	}
}

// scalarsIn returns l with Python's scalars (None, True, False).
func scalarsIn(l *language) *language {
	python := *l
	python.name, python.null, python.yes, python.no = "scalar", "None", "True", "False"
	return &python
}

func gemmaIn(d *dialect.Dialect) *language {
	return &language{
		name: "value", comma: ",", colon: ":", null: "null", yes: "true", no: "false", open: d.Args.Quote, close: d.Args.Quote,
		plain: anyChar, markers: []string{d.Args.Quote, strings.TrimSpace(d.Frame.Call.Close)}, bareKeys: true,
	}
}

// unit matches one way to write a character of set in a string.
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

// anyUnit matches one way to write any character in a string.
func (l *language) anyUnit() *node {
	if !l.codes {
		return l.unit(anyChar)
	}
	return alt(l.unit(anyChar), code())
}

// code matches an escape such as \u0041, but not a surrogate.
func code() *node {
	hex := charset{{'0', '9'}, {'A', 'F'}, {'a', 'f'}}
	return seq(lit(`\u`), alt(
		seq(char(hex.without(chars("dD"))), rep(char(hex), 3, 3)),
		seq(char(chars("dD")), char(charset{{'0', '7'}}), rep(char(hex), 2, 2)),
	))
}

// escaping matches one escape in a string. It is nil if there are none.
func (l *language) escaping() *node {
	var ways []*node
	for _, e := range l.escapes {
		ways = append(ways, lit(e))
	}
	if l.codes {
		ways = append(ways, code())
	}
	if l.ampersand {
		ways = append(ways, lit("& "))
	}
	if len(ways) == 0 {
		return nil
	}
	return alt(ways...)
}

// escaped returns the character that an escape stands for.
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

// quote returns a string in quotes. ok is false if the language cannot express it.
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

// plainly returns a value in the language, without keeping markers out of it.
func (l *language) plainly(v *jnode) (written string, ok bool) {
	all := *l
	all.markers, all.plain, all.escapes = nil, anyChar.without(chars(l.open+"\\\n\r\t")), []string{`\` + l.open, `\\`, `\n`, `\t`, `\r`}
	return all.literal(v)
}

// bare returns a value as plain JSON, if no & in it begins an entity. Dialects that
// decode entities only in strings write it like that.
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

// entity matches what may be read as an entity.
var entity = regexp.MustCompile("&[A-Za-z#]")

// key returns the key of an object's member. ok is false if the language cannot
// express it.
func (l *language) key(name string) (written string, ok bool) {
	if l.bareKeys {
		return name, name != "" && !strings.ContainsFunc(name, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-.", r)
		})
	}
	return l.quote(name)
}

// isWord reports whether a name needs no quotes in any syntax.
func isWord(name string) bool {
	for i := range len(name) {
		c := name[i]
		if !(c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || i > 0 && (c >= '0' && c <= '9' || c == '-' || c == '.')) {
			return false
		}
	}
	return name != ""
}

// literal returns a whole value. ok is false if the language cannot express it.
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
