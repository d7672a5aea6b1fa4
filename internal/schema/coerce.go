package schema

import (
	"cmp"
	"slices"
	"strings"

	"github.com/toolparse/toolparse"
)

// Coerce converts the values of a JSON document that break the schema by their
// type, where nothing is lost: "5" becomes 5, "true" becomes
// true, 5 and true become "5" and "true", a string that holds an object or an
// array becomes that, and a value becomes an array of one. Everything else
// stays byte for byte; where all of it does, so does the document.
//
// used tells what was done: toolparse.CoercedType, and the repairs where a
// string held something that was only nearly JSON. A document that is no JSON
// is returned as it is.
func (s *Schema) Coerce(doc []byte) (coerced []byte, used toolparse.Tolerances) {
	if s == nil {
		return doc, 0
	}
	v, err := parse(doc)
	if err != nil || len(s.problems(v, len(doc))) == 0 {
		return doc, 0
	}
	c := coercer{doc: doc}
	c.coerce(s, v)
	return c.result()
}

// coercer collects the values of a document that are to be replaced.
type coercer struct {
	doc   []byte
	edits []edit
	used  toolparse.Tolerances
}

// edit replaces doc[start:end].
type edit struct {
	start, end int
	by         string
}

func (c *coercer) result() ([]byte, toolparse.Tolerances) {
	if len(c.edits) == 0 {
		return c.doc, 0
	}
	// A member that comes twice is visited out of order.
	slices.SortFunc(c.edits, func(a, b edit) int { return cmp.Compare(a.start, b.start) })
	var out []byte
	done := 0
	for _, e := range c.edits {
		out = append(append(out, c.doc[done:e.start]...), e.by...)
		done = e.end
	}
	return append(out, c.doc[done:]...), c.used | toolparse.CoercedType
}

func (c *coercer) coerce(s *Schema, v *value) {
	types := s.anything()
	if types != 0 && !types.fits(v.is()) {
		if len(s.problems(v, v.end-v.start)) == 0 {
			return // what text may become is less than what a value may be
		}
		if by, used, ok := s.convertValue(v, c.doc[v.start:v.end]); ok {
			c.edits = append(c.edits, edit{v.start, v.end, by})
			c.used |= used
		}
		return
	}
	switch v.kind {
	case typeObject:
		for _, name := range v.names {
			if p := s.Property(name); p != nil {
				c.coerce(p, v.members[name])
			}
		}
	case typeArray:
		items := s.Items()
		if items == nil {
			return
		}
		for i, elem := range v.elems {
			c.coerce(s.item(i, items), elem)
		}
	}
}

// item is the schema of the element with index i: that of its place, where s
// tells places apart, or else any.
func (s *Schema) item(i int, any *Schema) *Schema {
	if i < len(s.array.prefix) {
		return s.array.prefix[i]
	}
	return any
}

// anything is the set of types that a value may have, 0 being all.
func (s *Schema) anything() typeSet {
	if s == nil {
		return 0
	}
	return s.types
}

// convertValue converts a value, written as text, whose type s does not allow.
func (s *Schema) convertValue(v *value, text []byte) (by string, used toolparse.Tolerances, ok bool) {
	types := s.types
	switch v.kind {
	case typeString:
		if by, used, ok = s.convertString(v.text); ok {
			return by, used, true
		}
	case typeNumber, typeBoolean:
		if types&typeString != 0 {
			return quote(v.text), 0, true
		}
	case typeNull:
		return "", 0, false
	}
	if types&typeArray == 0 || v.kind == typeArray {
		return "", 0, false
	}
	element, used, ok := s.Items().convertElement(v, text)
	return "[" + element + "]", used, ok
}

// convertElement converts the only element of an array to be. It makes no
// array of it, or a schema of arrays of arrays would have no end.
func (s *Schema) convertElement(v *value, text []byte) (by string, used toolparse.Tolerances, ok bool) {
	if types := s.anything(); types == 0 || types.fits(v.is()) {
		coerced, used := s.Coerce(text)
		return string(coerced), used, true
	}
	if v.kind == typeString {
		return s.convertString(v.text)
	}
	return "", 0, false
}

// convertString converts the content of a string to another type.
func (s *Schema) convertString(text string) (value string, used toolparse.Tolerances, ok bool) {
	trimmed := strings.Trim(text, blanks)
	if trimmed == "" {
		return "", 0, false
	}
	types := s.types
	if trimmed == "0" || trimmed == "1" {
		types &^= typeBoolean // that would be a guess
	}
	if len(text) <= maxScalar {
		if value, used, ok = types.convertScalar(trimmed); ok {
			return value, used, true
		}
	}
	value, used, ok = types.convertContainer(text, trimmed)
	if !ok {
		return "", 0, false
	}
	inner, more := s.Coerce([]byte(value))
	return string(inner), used | more, true
}
