package text

import (
	"strings"
	"unicode"
)

// appendGemma writes arguments as Gemma does: bare keys, strings between marks of
// their own, and all else as JSON.
func (w *Writer) appendGemma(dst []byte, c *call) ([]byte, error) {
	dst = append(dst, '{')
	for i := range c.args.keys {
		key := c.args.keys[i].text
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = w.appendGemmaMember(dst, key, &c.args.list[i]); err != nil {
			return dst, w.place(err, c.name, key)
		}
	}
	return append(dst, '}'), nil
}

func (w *Writer) appendGemmaMember(dst []byte, key string, v *value) ([]byte, error) {
	if key == "" || strings.TrimFunc(key, inWord) != "" {
		return dst, faultf("the key %q is no word", key)
	}
	return w.appendGemmaValue(append(append(dst, key...), ':'), v)
}

// inWord reports whether a rune may be in a bare key.
func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune("_-.", r)
}

func (w *Writer) appendGemmaValue(dst []byte, v *value) ([]byte, error) {
	var err error
	switch v.kind {
	case str:
		quote := w.d.Args.Quote
		if v.half || strings.Contains(v.text, quote) {
			return dst, faultf("a string holds %s, or half of a surrogate pair", quote)
		}
		return append(append(append(dst, quote...), v.text...), quote...), nil
	case array:
		dst = append(dst, '[')
		for i := range v.list {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = w.appendGemmaValue(dst, &v.list[i]); err != nil {
				return dst, err
			}
		}
		return append(dst, ']'), nil
	case object:
		dst = append(dst, '{')
		for i := range v.list {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = w.appendGemmaMember(dst, v.keys[i].text, &v.list[i]); err != nil {
				return dst, err
			}
		}
		return append(dst, '}'), nil
	}
	return append(dst, v.raw...), nil
}
