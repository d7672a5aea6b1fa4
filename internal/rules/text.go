package rules

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/lex"
)

// TextIn returns the language of values that are written as text, and must not contain the
// markers, because these would end the value or hide its end. Of each marker only the part up
// to a blank or a slot counts.
func (w *Writer) TextIn(markers ...string) *Language {
	a := &w.Dialect.Args
	l := &Language{Name: "text", Plain: AnyChar, Markers: w.fixedParts(markers), fold: w.Dialect.Folds(), cdata: a.CDATA}
	if a.Nested && a.KeyMark.Open == "<" {
		l.never = Chars("<")
	}
	l.Inner = JSONIn(w.Dialect)
	if a.Python == dialect.PythonAll {
		l.Inner = PythonIn("'")
	}
	l.Inner.Name, l.Inner.fold = "inner", l.fold
	l.raw = !a.Entities || a.Form == dialect.ArgsPairs // pairs escape only strings
	if l.raw {
		l.Inner.avoid(l.Markers)
	}
	if a.Entities {
		l.Plain, l.Escapes = AnyChar.Without(Chars("<&")), []string{"&lt;", "&gt;", "&amp;", "&#10;"}
		l.Inner.entities(l.raw)
	}
	if l.scalars = l.Inner; a.Python != "" {
		l.scalars = scalarsIn(l.Inner)
	}
	return l
}

// fixedParts returns the parts of markers that a text must not contain, each once.
func (w *Writer) fixedParts(markers []string) (parts []string) {
	for _, m := range markers {
		m = strings.TrimLeft(m, " \t\r\n")
		if i := strings.IndexAny(m, " \t\r\n{"); i > 0 {
			m = m[:i]
		}
		if w.Dialect.Args.Nested && len(m) > 1 && IsWord(m[len(m)-1:]) { // the beginning of an opening tag
			for _, end := range "> \t\r\n/\"'=" {
				parts = append(parts, m+string(end))
			}
			continue
		}
		if len(m) > 1 && !slices.ContainsFunc(parts, func(o string) bool { return strings.Contains(m, o) }) {
			parts = append(parts, m)
		}
	}
	return parts
}

// breaking returns a character of a marker. A text without it cannot contain the
// marker. It prefers punctuation, because texts lose less by that than by a letter.
func breaking(marker string) Charset {
	for _, r := range marker {
		if !isLetterOrDigit(r) {
			return Chars(string(r))
		}
	}
	return Chars(marker[:1])
}

func isLetterOrDigit(r rune) bool {
	return r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9'
}

var blanks = Chars(" \t\r\n")

// freeText matches any text that does not begin with a character of not.
func (w *Writer) freeText(l *Language, not Charset) *Node {
	if l.decodes() {
		text := w.Shared("text", func() *Node { return Many(l.unit(AnyChar)) })
		if len(not) == 0 {
			return text
		}
		return Seq(Many(Char(blanks)), Optional(Seq(l.unit(AnyChar.Without(not.With(blanks))), text)))
	}
	key := strings.Join(l.Markers, "\x00")
	if w.texts[key] == nil {
		w.texts[key] = w.Without("text", AnyChar, l.Markers, l.fold, nil)
	}
	if len(not) == 0 {
		return w.texts[key].Node()
	}
	return Seq(Many(Char(blanks)), w.texts[key].after(not.With(blanks)))
}

// textString matches a string as text. It must not begin with a character of not,
// because it would be read as another type.
func (w *Writer) textString(s *Shape, l *Language, not Charset) *Node {
	text := w.plainString(s, l, not)
	if !l.cdata || len(not) > 0 || FirstPattern(s) != "" {
		return text
	}
	least, most := Counted(s.Length)
	inner := Repeat(Char(AnyChar.Without(Chars("]"))), least, most)
	if least == 0 && most < 0 {
		inner = w.Shared("cdata", func() *Node { return w.Without("cdata", AnyChar, []string{lex.CDATAClose}, false, nil).Node() })
	}
	return Alt(text, Seq(Text(lex.CDATAOpen), inner, Text(lex.CDATAClose)))
}

// plainString is textString without CDATA sections.
func (w *Writer) plainString(s *Shape, l *Language, not Charset) *Node {
	if FirstPattern(s) != "" {
		if n, ok := Pattern(FirstPattern(s), l.unit); ok {
			return n
		}
	}
	least, most := Counted(s.Length)
	if least == 0 && most < 0 {
		return w.freeText(l, not)
	}
	first := l.unit(AnyChar.Without(blanks).Without(not))
	inner, last := l.unit(AnyChar), l.unit(AnyChar.Without(blanks))
	switch {
	case most == 0:
		return Nothing
	case most == 1:
		return Repeat(first, min(least, 1), 1)
	}
	text := Seq(first, Optional(Seq(Repeat(inner, 0, most-min(most+1, 2)), last)))
	if most < 0 {
		text = Seq(first, Optional(Seq(Many(inner), last)))
	}
	if least >= 2 {
		text = Seq(first, Repeat(inner, least-2, max(most-2, -1)), last)
	}
	if least == 0 {
		return Optional(text)
	}
	return text
}

// Way is one way to write a value, and the type that the syntax may state with it.
type Way struct {
	*Node
	Kind string
}

// TextWays returns the ways to write a value of a schema as text. nested matches values with
// tags inside; it returns nil for all others, and is nil if there are none.
func (w *Writer) TextWays(t *Tool, schema *jsonvalue.Value, l *Language, at string, nested func(s *Shape, kind string) *Node) []Way {
	marked := w.Dialect.Args.WritesTypes()
	list := w.Shapes(t, schema, at)
	var ways []Way
	var strs []*Shape
	var not Charset
	var failed *Failure // the last way that cannot be written
	// In nested tags a text is read as a list of one element if the value may be a list.
	stringy := MayBe(list, "string") || slices.ContainsFunc(list, ListsText)
	listed := w.Dialect.Args.Nested && MayBe(list, "array") && !stringy
	for _, s := range list {
		kinds := s.Kinds()
		switch {
		case s.Never || listed && s.HasEnum:
			continue
		case s.HasEnum:
			ways = append(ways, l.enumWays(s, stringy)...)
			not = not.With(Charset{{0, 0x10ffff}})
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
			var n *Node
			if err := w.Try(func() { n = w.textKind(t, s, kind, l, at, stringy, nested) }); err != nil {
				failed = err
				continue
			}
			ways = append(ways, Way{n, kind})
			not = not.With(begins(s, kind))
		}
	}
	switch {
	case len(ways) > 0 || len(strs) > 0:
	case failed != nil && w.Failure == nil:
		w.Failure = failed
	default:
		w.Fail(t, at, "the dialect can express no value that fits")
	}
	for _, s := range strs {
		if not.Has('A') && len(ways) > 0 && !marked {
			not = Chars("-0123456789{[\"tfnTFN")
		}
		if marked {
			not = nil
		}
		if !onlyStrings(list) {
			not = not.With(l.never)
		}
		ways = append(ways, Way{w.textString(s, l, not), "string"})
	}
	return ways
}

// enumWays returns the ways to write the values of an enum. stringy means that the value may
// be a string, so that of a text None is the word.
func (l *Language) enumWays(s *Shape, stringy bool) (ways []Way) {
	for _, v := range s.Enum {
		written, ok := l.text(v)
		if v.Kind == jsonvalue.Null && stringy {
			written = v.Text
		}
		if ok && s.Allows(v) {
			ways = append(ways, Way{Text(written), v.Kind.String()})
		}
	}
	return ways
}

// textKind matches a value of one type, other than a string, as text.
func (w *Writer) textKind(t *Tool, s *Shape, kind string, l *Language, at string, stringy bool, nested func(s *Shape, kind string) *Node) *Node {
	if nested != nil {
		if n := nested(s, kind); n != nil {
			return n
		}
	}
	switch {
	case kind == "null" && stringy:
		return Text("null")
	case kind == "boolean" || kind == "null":
		return w.kind(t, s, kind, l.scalars, at)
	}
	return w.kind(t, s, kind, l.Inner, at)
}

// onlyStrings reports whether all alternatives are declared strings, in which tags are text.
func onlyStrings(list []*Shape) bool {
	return !slices.ContainsFunc(list, func(s *Shape) bool {
		return !s.Never && !s.HasEnum && !slices.Equal(s.Kinds(), []string{"string"})
	})
}

// MayBe reports whether one of the alternatives allows a type.
func MayBe(list []*Shape, kind string) bool {
	return slices.ContainsFunc(list, func(s *Shape) bool {
		kinds := s.Kinds()
		return !s.Never && !s.HasEnum && (kinds == nil && kind == "string" || slices.Contains(kinds, kind))
	})
}

// ListsText reports whether a shape is an enum that allows a string.
func ListsText(s *Shape) bool {
	return s.HasEnum && slices.ContainsFunc(s.Enum, func(v *jsonvalue.Value) bool { return v.Kind == jsonvalue.String && s.Allows(v) })
}

// begins returns the characters with which a value of the type kind begins. A text that
// begins with one of them might be read as that type and break the schema.
func begins(s *Shape, kind string) Charset {
	switch kind {
	case "integer", "number":
		if s.Min != nil || s.Max != nil {
			return Chars("-0123456789")
		}
	case "array":
		return Chars("[<]")
	case "object":
		return Chars("{<]")
	}
	return nil
}

// text returns a value as text between markers. ok is false if the parser would not read it
// back as that value.
func (l *Language) text(v *jsonvalue.Value) (written string, ok bool) {
	s, isString := v.Text, v.Kind == jsonvalue.String
	switch {
	case isString:
		ok = strings.TrimSpace(s) == s
	case v.Kind == jsonvalue.Bool:
		s, ok = l.scalars.plainly(v)
	default:
		s, ok = l.Inner.plainly(v)
	}
	switch {
	case !ok:
		return "", false
	case l.cdata && isString && lex.InCDATA(s):
		return lex.CDATAOpen + s + lex.CDATAClose, true
	case l.decodes() && (isString || !l.raw || l.holds(s) || strings.Contains(s, "&")):
		return lex.EscapeText(s), true
	case !l.holds(s), l.never != nil && !isString && !strings.Contains(s, "</"): // in JSON an opening tag is text
		return s, true
	case isString:
		return "", false
	}
	return l.Inner.literal(v)
}

// TextAlt matches a value of a schema as text, in a syntax that does not state types.
func (w *Writer) TextAlt(t *Tool, schema *jsonvalue.Value, l *Language, at string, nested func(s *Shape, kind string) *Node) *Node {
	var ways []*Node
	for _, way := range w.TextWays(t, schema, l, at, nested) {
		ways = append(ways, way.Node)
	}
	return Alt(ways...)
}
