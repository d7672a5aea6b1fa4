package text

import (
	"strings"
	"unicode"

	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// appendGemma writes arguments as Gemma does: bare keys, strings between marks of
// their own, and all else as JSON.
func (w *Writer) appendGemma(dst []byte, c *call) ([]byte, error) {
	dst = append(dst, '{')
	for i := range c.args.Keys {
		key := c.args.Keys[i]
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = w.appendGemmaMember(dst, key, c.args.List[i]); err != nil {
			return dst, w.place(err, c.name, key)
		}
	}
	return append(dst, '}'), nil
}

func (w *Writer) appendGemmaMember(dst []byte, key string, v *value) ([]byte, error) {
	if key == "" || strings.TrimFunc(key, inWord) != "" {
		return dst, faultf("the key %q is not a word", key)
	}
	return w.appendGemmaValue(append(append(dst, key...), ':'), v)
}

// inWord reports whether a rune may be in a bare key.
func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune("_-.", r)
}

func (w *Writer) appendGemmaValue(dst []byte, v *value) ([]byte, error) {
	var err error
	switch v.Kind {
	case jsonvalue.String:
		quote := w.d.Args.Quote
		if isHalf(v.Raw) || strings.Contains(v.Text, quote) {
			return dst, faultf("a string holds %s, or half of a surrogate pair", quote)
		}
		return append(append(append(dst, quote...), v.Text...), quote...), nil
	case jsonvalue.Array:
		dst = append(dst, '[')
		for i := range v.List {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = w.appendGemmaValue(dst, v.List[i]); err != nil {
				return dst, err
			}
		}
		return append(dst, ']'), nil
	case jsonvalue.Object:
		dst = append(dst, '{')
		for i := range v.List {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = w.appendGemmaMember(dst, v.Keys[i], v.List[i]); err != nil {
				return dst, err
			}
		}
		return append(dst, '}'), nil
	}
	return append(dst, v.Raw...), nil
}
