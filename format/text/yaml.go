package text

import (
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/plainyaml"
)

// appendYAML writes arguments as a mapping of YAML: a line each, with lists and
// objects in flow style.
func (w *Writer) appendYAML(dst []byte, c *call) ([]byte, error) {
	for i := range c.args.keys {
		key, v := c.args.keys[i].text, &c.args.list[i]
		if v.hasHalf() || c.args.keys[i].half {
			return dst, w.place(fault("a string holds half of a surrogate pair, which no text can"), c.name, key)
		}
		dst = append(appendYAMLKey(dst, key), ": "...)
		if v.kind == str && plainyaml.Is(v.text) {
			dst = append(dst, v.text...)
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
	switch v.kind {
	case str:
		return jsonvalue.AppendQuoted(dst, v.text)
	case array, object:
		return appendBrackets(dst, v, jsonvalue.AppendQuoted, appendFlow)
	}
	return append(dst, v.raw...)
}
