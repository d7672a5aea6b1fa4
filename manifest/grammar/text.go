package grammar

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/dialect"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax"
)

// place describes where a value is written as text between markers.
type place struct {
	markers []string // texts that would end the value or hide its end
	breaks  charset  // one character of each marker
	fold    bool
	entity  bool    // entities such as &lt; are decoded
	raw     bool    // but not in lists and objects
	cdata   bool    // strings may be CDATA sections
	never   charset // a text that begins with one of these would be a tag, unless only strings are allowed
	json    *language
	scalars *language // of values that are no lists or objects
}

// newPlace returns a place whose values must not contain the markers. Of each marker
// only the part up to a blank or a slot counts.
func (w *writer) newPlace(markers ...string) *place {
	p := &place{fold: w.d.Frame.Fold, entity: w.d.Args.Entities, cdata: w.d.Args.CDATA}
	if w.d.Args.Nested && w.d.Args.KeyMark.Open == "<" {
		p.never = chars("<")
	}
	for _, m := range markers {
		m = strings.TrimLeft(m, " \t\r\n")
		if i := strings.IndexAny(m, " \t\r\n{"); i > 0 {
			m = m[:i]
		}
		if w.d.Args.Nested && len(m) > 1 && isWord(m[len(m)-1:]) { // the beginning of an opening tag
			for _, end := range "> \t\r\n/\"'=" {
				p.add(m + string(end))
			}
			continue
		}
		if len(m) > 1 && !slices.ContainsFunc(p.markers, func(o string) bool { return strings.Contains(m, o) }) {
			p.add(m)
		}
	}
	p.json = jsonIn(w.d)
	if w.d.Args.Python == dialect.PythonAll {
		p.json = pythonIn("'")
	}
	p.json.name, p.json.fold = "inner", p.fold
	p.raw = !p.entity || w.d.Args.Form == dialect.ArgsPairs // pairs escape only strings
	if p.raw {
		p.json.avoid(p.markers, p.breaks)
	}
	if p.entity {
		p.breaks = chars("<&")
		p.json.entities(p.raw)
	}
	if p.scalars = p.json; w.d.Args.Python != "" {
		p.scalars = scalarsIn(p.json)
	}
	return p
}

func (p *place) add(marker string) {
	p.markers = append(p.markers, marker)
	p.breaks = p.breaks.with(breaking(marker))
}

// breaking returns a character of a marker. A text without it cannot contain the
// marker. It prefers punctuation, because texts lose less by that than by a letter.
func breaking(marker string) charset {
	for _, r := range marker {
		if !isLetterOrDigit(r) {
			return chars(string(r))
		}
	}
	return chars(marker[:1])
}

func isLetterOrDigit(r rune) bool {
	return r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9'
}

// unit matches one way to write a character of set in a text.
func (p *place) unit(set charset) *node {
	ways := []*node{char(set.and(anyChar).without(p.breaks))}
	if p.entity {
		for _, e := range []struct {
			of   rune
			name string
		}{{'<', "&lt;"}, {'>', "&gt;"}, {'&', "&amp;"}, {'\n', "&#10;"}} {
			if set.has(e.of) {
				ways = append(ways, lit(e.name))
			}
		}
	}
	return alt(ways...)
}

var blanks = chars(" \t\r\n")

// freeText matches any text that does not begin with a character of not.
func (w *writer) freeText(p *place, not charset) *node {
	if p.entity {
		text := w.shared("text", func() *node { return many(p.unit(anyChar)) })
		if len(not) == 0 {
			return text
		}
		return seq(many(char(blanks)), optional(seq(p.unit(anyChar.without(not.with(blanks))), text)))
	}
	key := strings.Join(p.markers, "\x00")
	if w.texts[key] == nil {
		w.texts[key] = w.without("text", anyChar, p.markers, p.fold, nil)
	}
	if len(not) == 0 {
		return w.texts[key].node()
	}
	return seq(many(char(blanks)), w.texts[key].after(not.with(blanks)))
}

// textString matches a string as text. It must not begin with a character of not,
// because it would be read as another type.
func (w *writer) textString(s *shape, p *place, not charset) *node {
	text := w.plainString(s, p, not)
	if !p.cdata || len(not) > 0 || firstPattern(s) != "" {
		return text
	}
	least, most := counted(s.Length)
	return alt(text, seq(lit(lex.CDATAOpen), rep(char(anyChar.without(chars("]"))), least, most), lit(lex.CDATAClose)))
}

// plainString is textString without CDATA sections.
func (w *writer) plainString(s *shape, p *place, not charset) *node {
	if firstPattern(s) != "" {
		if n, ok := pattern(firstPattern(s), p.unit); ok {
			return n
		}
	}
	least, most := counted(s.Length)
	if least == 0 && most < 0 {
		return w.freeText(p, not)
	}
	first := p.unit(anyChar.without(blanks).without(not))
	inner, last := p.unit(anyChar), p.unit(anyChar.without(blanks))
	switch {
	case most == 0:
		return nothing
	case most == 1:
		return rep(first, min(least, 1), 1)
	}
	text := seq(first, optional(seq(rep(inner, 0, most-min(most+1, 2)), last)))
	if most < 0 {
		text = seq(first, optional(seq(many(inner), last)))
	}
	if least >= 2 {
		text = seq(first, rep(inner, least-2, max(most-2, -1)), last)
	}
	if least == 0 {
		return optional(text)
	}
	return text
}

// way is one way to write a value, and the type that the syntax may state with it.
type way struct {
	*node
	kind string
}

// textWays returns the ways to write a value of a schema as text.
func (w *writer) textWays(t *tool, schema *jnode, p *place, at string, nested func(s *shape, kind string) *node) []way {
	marked := w.d.Args.Type != "" || w.d.Args.TypeMark.Open != ""
	list := w.shapes(t, schema, at)
	var ways []way
	var strs []*shape
	var not charset
	var failed *Error // the last way that cannot be written
	// In nested tags a text is read as a list of one element if the value may be a list.
	stringy := mayBe(list, "string") || slices.ContainsFunc(list, listsText)
	listed := w.d.Args.Nested && mayBe(list, "array") && !stringy
	for _, s := range list {
		kinds := s.Kinds()
		switch {
		case s.Never || listed && s.HasEnum:
			continue
		case s.HasEnum:
			ways = append(ways, p.enumWays(s, stringy)...)
			not = not.with(charset{{0, 0x10ffff}})
			continue
		case kinds == nil:
			s, kinds = anyShape(), []string{"string"}
			if marked {
				kinds = []string{"number", "boolean", "null", "array", "object", "string"}
			}
		}
		for _, kind := range kinds {
			if kind == "string" {
				strs = append(strs, s)
				continue
			}
			var n *node
			if err := w.try(func() { n = w.textKind(t, s, kind, p, at, stringy, nested) }); err != nil {
				failed = err
				continue
			}
			ways = append(ways, way{n, kind})
			not = not.with(begins(s, kind))
		}
	}
	switch {
	case len(ways) > 0 || len(strs) > 0:
	case failed != nil && w.err == nil:
		w.err = failed
	default:
		w.fail(t, at, "the dialect can express no value that fits")
	}
	for _, s := range strs {
		if not.has('A') && len(ways) > 0 && !marked {
			not = chars("-0123456789{[\"tfnTFN")
		}
		if marked {
			not = nil
		}
		if !onlyStrings(list) {
			not = not.with(p.never)
		}
		ways = append(ways, way{w.textString(s, p, not), "string"})
	}
	return ways
}

// enumWays returns the ways to write the values of an enum. stringy means that the value may
// be a string, so that of a text None is the word.
func (p *place) enumWays(s *shape, stringy bool) (ways []way) {
	for _, v := range s.Enum {
		written, ok := p.literal(v)
		if v.Kind == jsonvalue.Null && stringy {
			written = v.Text
		}
		if ok && s.Allows(v) {
			ways = append(ways, way{lit(written), v.Kind.String()})
		}
	}
	return ways
}

// textKind matches a value of one type, other than a string, as text.
func (w *writer) textKind(t *tool, s *shape, kind string, p *place, at string, stringy bool, nested func(s *shape, kind string) *node) *node {
	if n := nested(s, kind); n != nil {
		return n
	}
	switch {
	case kind == "null" && stringy:
		return w.kind(t, s, kind, jsonIn(w.d), at)
	case kind == "boolean" || kind == "null":
		return w.kind(t, s, kind, p.scalars, at)
	}
	return w.kind(t, s, kind, p.json, at)
}

// onlyStrings reports whether all alternatives are declared strings, in which tags are text.
func onlyStrings(list []*shape) bool {
	return !slices.ContainsFunc(list, func(s *shape) bool {
		return !s.Never && !s.HasEnum && !slices.Equal(s.Kinds(), []string{"string"})
	})
}

// mayBe reports whether one of the alternatives allows a type.
func mayBe(list []*shape, kind string) bool {
	return slices.ContainsFunc(list, func(s *shape) bool {
		kinds := s.Kinds()
		return !s.Never && !s.HasEnum && (kinds == nil && kind == "string" || slices.Contains(kinds, kind))
	})
}

// listsText reports whether a shape is an enum that allows a string.
func listsText(s *shape) bool {
	return s.HasEnum && slices.ContainsFunc(s.Enum, func(v *jnode) bool { return v.Kind == jsonvalue.String && s.Allows(v) })
}

// begins returns the characters with which a value of the type kind begins. A text that
// begins with one of them might be read as that type and break the schema.
func begins(s *shape, kind string) charset {
	switch kind {
	case "integer", "number":
		if s.Min != nil || s.Max != nil {
			return chars("-0123456789")
		}
	case "array":
		return chars("[<]")
	case "object":
		return chars("{<]")
	}
	return nil
}

// literal returns a value as text. ok is false if the parser would not read it back as
// that value.
func (p *place) literal(v *jnode) (written string, ok bool) {
	s := v.Text
	if v.Kind != jsonvalue.String {
		l := p.json
		if v.Kind == jsonvalue.Bool {
			l = p.scalars
		}
		if s, ok = l.plainly(v); !ok {
			return "", false
		}
	} else if strings.TrimSpace(s) != s {
		return "", false
	}
	switch {
	case p.cdata && v.Kind == jsonvalue.String && syntax.InCDATA(s):
		return lex.CDATAOpen + s + lex.CDATAClose, true
	case p.entity && (v.Kind == jsonvalue.String || !p.raw || p.holds(s) || strings.Contains(s, "&")):
		return lex.EscapeText(s), true
	case !p.holds(s), p.never != nil && v.Kind != jsonvalue.String && !strings.Contains(s, "</"): // in JSON an opening tag is text
		return s, true
	case v.Kind == jsonvalue.String:
		return "", false
	}
	return p.json.literal(v)
}

// holds reports whether a text contains a marker.
func (p *place) holds(s string) bool {
	return slices.ContainsFunc(p.markers, func(m string) bool {
		return strings.Contains(s, m) || p.fold && strings.Contains(strings.ToLower(s), strings.ToLower(m))
	})
}

// textAlt matches a value of a schema as text, in a syntax that does not state types.
func (w *writer) textAlt(t *tool, schema *jnode, p *place, at string, nested func(s *shape, kind string) *node) *node {
	var ways []*node
	for _, way := range w.textWays(t, schema, p, at, nested) {
		ways = append(ways, way.node)
	}
	return alt(ways...)
}

// flat is a nested function for textWays: values are JSON, without tags inside.
func flat(*shape, string) *node { return nil }
