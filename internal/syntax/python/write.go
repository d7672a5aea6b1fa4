package python

import (
	"unicode"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/syntax"
)

// write writes arguments as keyword arguments of a Python call, or as options with Python
// values.
func write(dst []byte, w *syntax.Writing) ([]byte, error) {
	mark, between := w.Args.KeyMark, "\n"
	if mark.Open == "" {
		mark.Close, between = "=", ", "
	}
	quote := byte('"')
	if w.Args.Quote != "" {
		quote = w.Args.Quote[0]
	}
	return w.Each(dst, func(dst []byte, i int, key string, v *jsonvalue.Value) ([]byte, error) {
		switch {
		case !isIdentifier(key):
			return dst, syntax.Reason("it is not a Python name")
		case syntax.HasHalf(v):
			return dst, syntax.Reason("a string contains half of a surrogate pair, which text cannot express")
		case i > 0:
			dst = append(dst, between...)
		}
		return v.AppendPython(append(append(append(dst, mark.Open...), key...), mark.Close...), quote), nil
	})
}

func isIdentifier(s string) bool {
	for i, r := range s {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return s != ""
}
