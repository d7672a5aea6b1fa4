package gemma

import (
	"strings"
	"unicode"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/syntax"
)

// write writes arguments as Gemma does: bare keys, strings between the dialect's quotes,
// and everything else as JSON.
func write(dst []byte, of *syntax.Writing) ([]byte, error) {
	w := writing{of}
	dst, err := w.Each(append(dst, '{'), func(dst []byte, i int, key string, v *jsonvalue.Value) ([]byte, error) {
		if i > 0 {
			dst = append(dst, ',')
		}
		return w.appendMember(dst, key, v)
	})
	return append(dst, '}'), err
}

type writing struct{ *syntax.Writing }

func (w writing) appendMember(dst []byte, key string, v *jsonvalue.Value) ([]byte, error) {
	if key == "" || strings.TrimFunc(key, inWord) != "" {
		return dst, syntax.Reasonf("the key %q is not a word", key)
	}
	return w.appendValue(append(append(dst, key...), ':'), v)
}

// inWord reports whether a bare key may contain r.
func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune("_-.", r)
}

func (w writing) appendValue(dst []byte, v *jsonvalue.Value) ([]byte, error) {
	var err error
	switch v.Kind {
	case jsonvalue.String:
		quote := w.Args.Quote
		if syntax.IsHalf(v.Raw) || strings.Contains(v.Text, quote) {
			return dst, syntax.Reasonf("a string holds %s, or half of a surrogate pair", quote)
		}
		return append(append(append(dst, quote...), v.Text...), quote...), nil
	case jsonvalue.Array:
		dst = append(dst, '[')
		for i := range v.List {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = w.appendValue(dst, v.List[i]); err != nil {
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
			if dst, err = w.appendMember(dst, v.Keys[i], v.List[i]); err != nil {
				return dst, err
			}
		}
		return append(dst, '}'), nil
	}
	return append(dst, v.Raw...), nil
}
