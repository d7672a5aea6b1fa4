package nested

import (
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/internal/syntax"
)

// write writes each argument as a tag with the parameter's name, and objects and arrays as
// tags inside it.
func write(dst []byte, w *syntax.Writing) ([]byte, error) {
	return w.Each(dst, func(dst []byte, _ int, key string, v *jsonvalue.Value) ([]byte, error) {
		return appendNamedTag(dst, w, key, v, w.Schema.Property(key))
	})
}

// appendNamedTag appends a value inside a tag called name.
func appendNamedTag(dst []byte, w *syntax.Writing, name string, v *jsonvalue.Value, s *schema.Schema) ([]byte, error) {
	a := w.Args
	if name == "" {
		return dst, syntax.Reason("a tag must have a name")
	}
	dst = append(append(append(dst, a.KeyMark.Open...), name...), a.KeyMark.Close...)
	dst = append(dst, a.ValueMark.Open...)
	isObject, isArray := s.AllowsContainer()
	var err error
	isObject = isObject && s.Closed() // without declared members, tags of any name would be a guess
	if len(v.List) > 0 && !syntax.LosesTypes(v, s) && (v.Kind == jsonvalue.Object && isObject || v.Kind == jsonvalue.Array && isArray) {
		dst, err = appendInner(dst, w, v, s)
	} else {
		var text string
		text, err = w.Text(v, s)
		dst = append(dst, text...)
	}
	return append(dst, strings.ReplaceAll(a.ValueMark.Close, "{key}", name)...), err
}

// appendInner appends the members of an object or the elements of an array.
func appendInner(dst []byte, w *syntax.Writing, v *jsonvalue.Value, s *schema.Schema) ([]byte, error) {
	for i := range v.List {
		name, inner := dialect.ItemTag, s.Element(i)
		if v.Kind == jsonvalue.Object {
			name = v.Keys[i]
			inner = s.Property(name)
		}
		var err error
		if dst, err = appendNamedTag(dst, w, name, v.List[i], inner); err != nil {
			return dst, err
		}
	}
	return dst, nil
}
