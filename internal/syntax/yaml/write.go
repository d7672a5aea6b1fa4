package yaml

import (
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/syntax"
)

// write writes arguments as a YAML mapping, one line each, with arrays and objects in flow
// style.
func write(dst []byte, w *syntax.Writing) ([]byte, error) {
	return w.Each(dst, func(dst []byte, i int, key string, v *jsonvalue.Value) ([]byte, error) {
		if syntax.HasHalf(v) || syntax.IsHalf(w.Values.RawKey(i)) {
			return dst, syntax.Reason("a string contains half of a surrogate pair, which text cannot express")
		}
		dst = append(appendKey(dst, key), ": "...)
		if v.Kind == jsonvalue.String && isPlain(v.Text) {
			dst = append(dst, v.Text...)
		} else {
			dst = appendFlow(dst, v)
		}
		return append(dst, '\n'), nil
	})
}

// wordBytes are the bytes of a key that needs no quotes.
const wordBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."

func appendKey(dst []byte, key string) []byte {
	if key != "" && strings.Trim(key, wordBytes) == "" && isPlain(key) {
		return append(dst, key...)
	}
	return jsonvalue.AppendQuoted(dst, key)
}

// appendFlow appends v in flow style, with quotes around every string.
func appendFlow(dst []byte, v *jsonvalue.Value) []byte {
	switch v.Kind {
	case jsonvalue.String:
		return jsonvalue.AppendQuoted(dst, v.Text)
	case jsonvalue.Array, jsonvalue.Object:
		return v.AppendBrackets(dst, jsonvalue.AppendQuoted, appendFlow)
	}
	return append(dst, v.Raw...)
}
