package schema

import (
	"cmp"
	"slices"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/toolcall"
)

// Coerce converts values of the wrong type in a JSON document if nothing is lost: "5"
// becomes 5, "true" becomes true, 5 and true become "5" and "true", a string that contains
// an object or an array becomes that, and a single value becomes an array of one.
// Everything else keeps its bytes; if nothing needs conversion, Coerce returns doc itself.
//
// used is toolcall.CoercedType if anything was converted, plus the repairs if a string
// contained something that was only nearly JSON. A document that is not JSON is returned
// unchanged.
func (s *Schema) Coerce(doc []byte) (coerced []byte, used toolcall.Tolerances) {
	if s == nil {
		return doc, 0
	}
	steps := minSteps + stepsPerByte*len(doc)
	return s.coerce(doc, &steps)
}

func (s *Schema) coerce(doc []byte, steps *int) ([]byte, toolcall.Tolerances) {
	c := coercer{doc: doc, steps: steps}
	v, err := jsonvalue.Parse(doc)
	if err != nil || c.isValid(s, v) {
		return doc, 0
	}
	c.coerce(s, v)
	return c.result()
}

// coercer collects the replacements in a document.
type coercer struct {
	doc   []byte
	edits []edit
	used  toolcall.Tolerances
	steps *int // remaining work; at 0, the rest stays unchanged
}

// edit replaces doc[start:end] by by.
type edit struct {
	start, end int
	by         string
}

func (c *coercer) result() ([]byte, toolcall.Tolerances) {
	if len(c.edits) == 0 {
		return c.doc, 0
	}
	// A repeated member is visited out of order.
	slices.SortStableFunc(c.edits, func(a, b edit) int { return cmp.Compare(a.start, b.start) })
	var out []byte
	done := 0
	for _, e := range c.edits {
		out = append(append(out, c.doc[done:e.start]...), e.by...)
		done = e.end
	}
	return append(out, c.doc[done:]...), c.used | toolcall.CoercedType
}

func (c *coercer) isValid(s *Schema, v *value) bool {
	check := newChecker(s, c.steps)
	check.quiet = true
	return check.child(s, v) != misfit && *c.steps >= 0
}

// spend subtracts work, and reports whether any is left.
func (c *coercer) spend(steps int) bool {
	*c.steps -= steps
	return *c.steps >= 0
}

func (c *coercer) coerce(s *Schema, v *value) {
	if s == nil || !c.spend(int(s.reach)) {
		return
	}
	if s.types != 0 && !s.types.fits(typeOf(v)) {
		// The types that text may become can be narrower than those that a value may have.
		if !c.isValid(s, v) {
			c.convert(s, v)
		}
		return
	}
	switch v.Kind {
	case jsonvalue.Object:
		for i, name := range v.Keys {
			if !c.spend(int(s.reach)) {
				return
			}
			c.coerce(s.Property(name), v.List[i])
		}
	case jsonvalue.Array:
		for i, elem := range v.List {
			if !c.spend(int(s.reach)) {
				return
			}
			c.coerce(s.Element(i), elem)
		}
	}
}

// convert converts a value of a type that s does not allow.
func (c *coercer) convert(s *Schema, v *value) {
	if c.convertScalar(s, v) || v.Is(jsonvalue.Null) || v.Is(jsonvalue.Array) || s.types&typeArray == 0 {
		return
	}
	// Wrap the value in an array if the elements may be such a value or what it converts
	// to. An array inside that array would be a guess.
	items := s.Element(0)
	c.edits = append(c.edits, edit{v.Start, v.Start, "["})
	switch {
	case items == nil || items.types == 0 || items.types.fits(typeOf(v)):
		c.coerce(items, v)
	case !c.convertScalar(items, v):
		c.edits = c.edits[:len(c.edits)-1]
		return
	}
	c.edits = append(c.edits, edit{v.End(), v.End(), "]"})
}

// convertScalar replaces a scalar by another one, or a string by the value that it
// contains, and reports whether it did.
func (c *coercer) convertScalar(s *Schema, v *value) bool {
	switch v.Kind {
	case jsonvalue.String:
		by, used, ok := c.convertString(s, v.Text)
		if ok {
			c.edits = append(c.edits, edit{v.Start, v.End(), by})
			c.used |= used
		}
		return ok
	case jsonvalue.Number, jsonvalue.Bool:
		if s.types&typeString != 0 {
			c.edits = append(c.edits, edit{v.Start, v.End(), jsonvalue.Quote(v.Text)})
			return true
		}
	}
	return false
}

// convertString converts the content of a string to another type.
func (c *coercer) convertString(s *Schema, text string) (value string, used toolcall.Tolerances, ok bool) {
	trimmed := lex.TrimBlanks(text)
	if trimmed == "" {
		return "", 0, false
	}
	types := s.types
	if trimmed == "0" || trimmed == "1" {
		types &^= typeBoolean // a boolean would be a guess
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
	inner, more := s.coerce([]byte(value), c.steps)
	return string(inner), used | more, true
}
