package tags

import (
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/internal/syntax"
)

// write writes arguments as one tag for each value, with nested tags for objects and
// arrays. The caller writes the markers of the call.
func write(dst []byte, w *syntax.Writing) ([]byte, error) {
	dst, err := w.Each(append(dst, wrapperOpen...), func(dst []byte, _ int, key string, v *jsonvalue.Value) ([]byte, error) {
		return appendTag(dst, w, key, v, w.Schema.Property(key))
	})
	return append(dst, wrapperClose...), err
}

// appendTag appends a value in a parameter's tag.
func appendTag(dst []byte, w *syntax.Writing, key string, v *jsonvalue.Value, s *schema.Schema) ([]byte, error) {
	dst = append(syntax.AppendAttribute(append(dst, "<"+dialect.ArgTag...), w.Args.Key, key), '>')
	dst, err := appendTagged(dst, w, v, s)
	return append(dst, argClose...), err
}

// appendTagged appends a value inside its tag, as nested tags or as text.
func appendTagged(dst []byte, w *syntax.Writing, v *jsonvalue.Value, s *schema.Schema) ([]byte, error) {
	if len(v.List) == 0 || !nests(v, s) || !s.Untyped() && syntax.LosesTypes(v, s) {
		text, err := w.Plain(v, s)
		return append(dst, syntax.EscapeText(text)...), err
	}
	for i := range v.List {
		var err error
		if v.Kind == jsonvalue.Object {
			key := v.Keys[i]
			dst, err = appendTag(dst, w, key, v.List[i], s.Property(key))
		} else {
			dst, err = appendTagged(append(dst, "<"+dialect.ItemTag+">"...), w, v.List[i], s.Element(i))
			dst = append(dst, "</"+dialect.ItemTag+">"...)
		}
		if err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// nests reports whether a reader would take nested tags for such a container.
func nests(v *jsonvalue.Value, s *schema.Schema) bool {
	isObject, isArray := s.AllowsContainer()
	switch v.Kind {
	case jsonvalue.Object:
		return isObject || s.Untyped()
	case jsonvalue.Array:
		return isArray || s.Untyped()
	}
	return false
}
