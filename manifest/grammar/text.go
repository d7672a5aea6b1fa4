package grammar

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/parser"
)

// place is where a value stands as text between markers.
type place struct {
	markers []string // what would end it, or hide its end
	breaks  charset  // a character of each of those
	fold    bool
	entity  bool    // &lt; and its like are decoded
	raw     bool    // but lists and objects are written without them
	never   charset // what a text must not begin with, since it would be a tag
	json    *language
	scalars *language // of values that are no lists or objects
}

// newPlace is a place whose values must not hold the markers, which count from
// their first character up to a blank or a slot.
func (w *writer) newPlace(markers ...string) *place {
	p := &place{fold: w.d.Frame.Fold, entity: w.d.Args.Entities}
	if w.d.Args.Nested && w.d.Args.KeyMark.Open == "<" {
		p.never = chars("<")
	}
	for _, m := range markers {
		m = strings.TrimLeft(m, " \t\r\n")
		if i := strings.IndexAny(m, " \t\r\n{"); i > 0 {
			m = m[:i]
		}
		if w.d.Args.Nested && len(m) > 1 && isWord(m[len(m)-1:]) { // a tag that would be opened
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
	if w.d.Args.Python == parser.PythonAll {
		p.json = pythonIn("'")
	}
	p.json.name, p.json.fold = "inner", p.fold
	p.raw = !p.entity || w.d.Args.Form == parser.ArgsPairs // which escapes strings alone
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

// breaking is a character without which a marker is none: a rare one, so that little
// is lost where it is left out of texts.
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

// unit is a character of a text that stands for one of set.
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

// freeText is any text but what begins with a character of not.
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

// string is a string as text. not are characters that it must not begin with, since
// it would be read as another type.
func (w *writer) textString(s *shape, p *place, not charset) *node {
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

// way is one way to write a value, with the type that a reader may be told.
type way struct {
	*node
	kind string
}

// textWays are the ways to write a value of a schema as text.
func (w *writer) textWays(t *tool, schema *jnode, p *place, at string, nested func(s *shape, kind string) *node) []way {
	marked := w.d.Args.Type != "" || w.d.Args.TypeMark.Open != ""
	list := w.shapes(t, schema, at)
	var ways []way
	var strs []*shape
	var not charset
	var failed *Error // a way that cannot be written
	// In nested tags a single text is read as a list of one where it may be a list.
	listed := w.d.Args.Nested && mayBe(list, "array") && !mayBe(list, "string")
	for i := range list {
		s := list[i]
		if s.Never || listed && s.HasEnum {
			continue
		}
		if s.HasEnum {
			for _, v := range s.Enum {
				if written, ok := p.literal(v); ok && s.Allows(v) {
					ways = append(ways, way{lit(written), v.Kind.String()})
				}
			}
			not = not.with(charset{{0, 0x10ffff}})
			continue
		}
		kinds := s.Kinds()
		if kinds == nil {
			strs = append(strs, anyShape())
			if marked {
				for _, kind := range []string{"number", "boolean", "null", "array", "object"} {
					ways = append(ways, way{w.kind(t, anyShape(), kind, p.json, at), kind})
				}
			}
			continue
		}
		for _, kind := range kinds {
			if kind == "string" {
				strs = append(strs, s)
				continue
			}
			var n *node
			err := w.try(func() {
				l := p.json
				if kind == "boolean" || kind == "null" && !mayBe(list, "string") { // of a text None is the word
					l = p.scalars
				}
				if n = nested(s, kind); n == nil {
					n = w.kind(t, s, kind, l, at)
				}
			})
			if err != nil {
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
		not = not.with(p.never)
		ways = append(ways, way{w.textString(s, p, not), "string"})
	}
	return ways
}

// mayBe reports whether a value may be of a type by one of the alternatives.
func mayBe(list []*shape, kind string) bool {
	return slices.ContainsFunc(list, func(s *shape) bool {
		kinds := s.Kinds()
		return !s.Never && !s.HasEnum && (kinds == nil && kind == "string" || slices.Contains(kinds, kind))
	})
}

// listsText reports whether a shape lists its values, and a string is among them.
func listsText(s *shape) bool {
	return s.HasEnum && slices.ContainsFunc(s.Enum, func(v *jnode) bool { return v.Kind == jsonvalue.String && s.Allows(v) })
}

// begins are the characters that a value of another type begins with which a text
// might be read as, where that could break the schema.
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

// literal writes a value as text; ok is false where it would not be read as such.
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
	case p.entity && (v.Kind == jsonvalue.String || !p.raw || p.holds(s) || strings.Contains(s, "&")):
		return escapeText.Replace(s), true
	case !p.holds(s):
		return s, true
	case v.Kind == jsonvalue.String:
		return "", false
	}
	return p.json.literal(v)
}

var escapeText = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// holds reports whether a marker stands in a text.
func (p *place) holds(s string) bool {
	return slices.ContainsFunc(p.markers, func(m string) bool {
		return strings.Contains(s, m) || p.fold && strings.Contains(strings.ToLower(s), strings.ToLower(m))
	})
}

// textAlt is a value of a schema as text, where no type is told beside it.
func (w *writer) textAlt(t *tool, schema *jnode, p *place, at string, nested func(s *shape, kind string) *node) *node {
	var ways []*node
	for _, way := range w.textWays(t, schema, p, at, nested) {
		ways = append(ways, way.node)
	}
	return alt(ways...)
}

func flat(*shape, string) *node { return nil }
