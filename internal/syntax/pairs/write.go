package pairs

import (
	"strconv"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
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
	kind := typeName(w.Args, v.Kind.String())
	dst = appendHead(dst, w.Args, key, kind)
	text, err := w.Text(v, s.ForWrittenType(kind, w.Args.QuotesStrings()))
	if err != nil {
		return dst, err
	}
	return append(append(dst, text...), strings.ReplaceAll(w.Args.ValueMark.Close, "{key}", key)...), nil
}

// appendHead appends what precedes a value: its key, its type as typeName returns it, and their
// markers.
func appendHead(dst []byte, a *dialect.Args, key, kind string) []byte {
	dst = append(dst, a.KeyMark.Open...)
	if a.Key == "" {
		dst = append(dst, key...)
	} else {
		dst = syntax.AppendAttribute(dst, a.Key, key)
	}
	if a.Type != "" {
		dst = syntax.AppendAttribute(dst, a.Type, kind)
	}
	dst = append(dst, a.KeyMark.Close...)
	return append(dst, a.ValueMark.Open...)
}

// typeName returns what a dialect writes for a type of JSON, or "" if it writes no types.
func typeName(a *dialect.Args, kind string) string {
	switch {
	case !a.WritesTypes():
		return ""
	case a.Type == "string":
		return strconv.FormatBool(kind == "string")
	}
	return kind
}
