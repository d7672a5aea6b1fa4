package tags

import (
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/internal/syntax"
)

// write writes arguments as one tag for each value, with nested tags for objects and
// arrays. The caller writes the markers of the call.
func write(dst []byte, of *syntax.Writing) ([]byte, error) {
	w := writing{of}
	wrapper := w.Args.Wrapper
	if wrapper != "" {
		dst = append(append(append(dst, '<'), wrapper...), '>')
	}
	dst, err := w.Each(dst, func(dst []byte, _ int, key string, v *jsonvalue.Value) ([]byte, error) {
		return w.appendTag(dst, key, v, w.Schema.Property(key))
	})
	if wrapper != "" {
		dst = append(append(append(dst, "</"...), wrapper...), '>')
	}
	return dst, err
}

// appendTag appends a value in a parameter's tag.
func (w writing) appendTag(dst []byte, key string, v *jsonvalue.Value, s *schema.Schema) ([]byte, error) {
	a := w.Args
	dst = append(append(dst, '<'), a.Tag...)
	dst = append(syntax.AppendAttribute(dst, a.Key, key), '>')
	dst, err := w.appendTagged(dst, v, s)
	return append(append(append(dst, "</"...), a.Tag...), '>'), err
}

// appendTagged appends a value inside its tag, as nested tags or as text.
func (w writing) appendTagged(dst []byte, v *jsonvalue.Value, s *schema.Schema) ([]byte, error) {
	if len(v.List) == 0 || !w.nests(v, s) || !s.Untyped() && syntax.LosesTypes(v, s) {
		text, err := w.Plain(v, s)
		return append(dst, syntax.EscapeText(text)...), err
	}
	item := w.Args.Item
	for i := range v.List {
		var err error
		if v.Kind == jsonvalue.Object {
			key := v.Keys[i]
			dst, err = w.appendTag(dst, key, v.List[i], s.Property(key))
		} else {
			dst = append(append(append(dst, '<'), item...), '>')
			dst, err = w.appendTagged(dst, v.List[i], s.Element(i))
			dst = append(append(append(dst, "</"...), item...), '>')
		}
		if err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// nests reports whether a reader would take nested tags for such a container.
func (w writing) nests(v *jsonvalue.Value, s *schema.Schema) bool {
	isObject, isArray := s.AllowsContainer()
	switch v.Kind {
	case jsonvalue.Object:
		return isObject || s.Untyped()
	case jsonvalue.Array:
		return (isArray || s.Untyped()) && w.Args.Item != ""
	}
	return false
}

type writing struct{ *syntax.Writing }
