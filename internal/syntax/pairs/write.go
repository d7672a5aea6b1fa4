package pairs

import (
	"strings"

	"github.com/toolparse/toolparse/dialect"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/internal/syntax"
)

// write writes arguments as keys and values between markers.
func write(dst []byte, w *syntax.Writing) ([]byte, error) {
	return w.Each(dst, func(dst []byte, _ int, key string, v *jsonvalue.Value) ([]byte, error) {
		return appendPair(dst, w, key, v, w.Schema.Property(key))
	})
}

// appendPair writes one key and its value.
func appendPair(dst []byte, w *syntax.Writing, key string, v *jsonvalue.Value, s *schema.Schema) ([]byte, error) {
	a := w.Args
	kind := ""
	if a.Type != "" || a.TypeMark.Open != "" {
		kind = typeName(w.Args, v)
	}
	dst = append(dst, a.KeyMark.Open...)
	if a.Key == "" {
		dst = append(dst, key...)
	} else {
		dst = syntax.AppendAttribute(dst, a.Key, key)
		if a.Type != "" {
			dst = syntax.AppendAttribute(dst, a.Type, kind)
		}
	}
	dst = append(dst, a.KeyMark.Close...)
	if a.TypeMark.Open != "" {
		dst = append(append(append(dst, a.TypeMark.Open...), kind...), a.TypeMark.Close...)
	}
	text, err := w.Text(v, s.ForWrittenType(kind, a.Quoted))
	if err != nil {
		return dst, err
	}
	dst = append(append(dst, a.ValueMark.Open...), text...)
	return append(dst, strings.ReplaceAll(a.ValueMark.Close, "{key}", key)...), nil
}

// typeName returns the type of a value as the dialect writes it.
func typeName(a *dialect.Args, v *jsonvalue.Value) string {
	if a.Type != "string" {
		return v.Kind.String()
	}
	if v.Kind == jsonvalue.String {
		return "true"
	}
	return "false"
}
