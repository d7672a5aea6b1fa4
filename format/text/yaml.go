package text

import (
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/plainyaml"
)

// appendYAML writes arguments as a mapping of YAML: a line each, with lists and
// objects in flow style.
func (w *Writer) appendYAML(dst []byte, c *call) ([]byte, error) {
	for i := range c.args.Keys {
		key, v := c.args.Keys[i], c.args.List[i]
		if hasHalf(v) || isHalf(c.args.RawKey(i)) {
			return dst, w.place(fault("a string contains half of a surrogate pair, which text cannot express"), c.name, key)
		}
		dst = append(appendYAMLKey(dst, key), ": "...)
		if v.Kind == jsonvalue.String && plainyaml.Is(v.Text) {
			dst = append(dst, v.Text...)
		} else {
			dst = appendFlow(dst, v)
		}
		dst = append(dst, '\n')
	}
	return dst, nil
}

// wordBytes are those of a key that needs no quotes.
const wordBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."

func appendYAMLKey(dst []byte, key string) []byte {
	if key != "" && strings.Trim(key, wordBytes) == "" && plainyaml.Is(key) {
		return append(dst, key...)
	}
	return jsonvalue.AppendQuoted(dst, key)
}

// appendFlow writes v in flow style, every string in quotes.
func appendFlow(dst []byte, v *value) []byte {
	switch v.Kind {
	case jsonvalue.String:
		return jsonvalue.AppendQuoted(dst, v.Text)
	case jsonvalue.Array, jsonvalue.Object:
		return appendBrackets(dst, v, jsonvalue.AppendQuoted, appendFlow)
	}
	return append(dst, v.Raw...)
}
