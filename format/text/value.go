package text

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// value is an argument, with the bytes in which it was given.
type value = jsonvalue.Value

// maxDepth is the deepest nesting that a parser reads by default.
const maxDepth = 127

// decode reads JSON. A key that is there twice is refused: readers disagree about which
// counts.
func decode(raw json.RawMessage) (*value, error) {
	v, err := jsonvalue.Options{MaxDepth: maxDepth, UniqueNames: true}.Parse(string(raw))
	switch {
	case errors.Is(err, jsonvalue.ErrTooDeep):
		return nil, faultf("it is nested deeper than %d levels", maxDepth)
	case errors.Is(err, jsonvalue.ErrTwice):
		return nil, fault(errors.Unwrap(err).Error())
	case err != nil:
		return nil, fault("the arguments are not valid JSON")
	case !utf8.ValidString(v.Raw):
		return nil, fault("the arguments are not valid UTF-8")
	}
	return v, nil
}

// isHalf reports whether a string, as it was written, holds half of a surrogate pair,
// which no text can.
func isHalf(raw string) bool {
	return strings.Contains(raw, `\u`) && jsonvalue.HasLoneSurrogate(raw)
}

// hasHalf reports whether any string in v holds half of a surrogate pair.
func hasHalf(v *value) bool {
	if v.Kind == jsonvalue.String {
		return isHalf(v.Raw)
	}
	for i, part := range v.List {
		if hasHalf(part) || v.Kind == jsonvalue.Object && isHalf(v.RawKey(i)) {
			return true
		}
	}
	return false
}

// spacing is how JSON is laid out.
type spacing jsonvalue.Layout

var (
	spaced  = spacing(jsonvalue.Spaced)
	compact = spacing(jsonvalue.Compact)
)

// appendJSON writes v as JSON: names and scalars with their own bytes.
func (s spacing) appendJSON(dst []byte, v *value) []byte {
	opener, closer := byte('['), byte(']')
	switch v.Kind {
	case jsonvalue.Array:
	case jsonvalue.Object:
		opener, closer = '{', '}'
	default:
		return append(dst, v.Raw...)
	}
	dst = append(dst, opener)
	for i, part := range v.List {
		if i > 0 {
			dst = append(dst, s.Comma...)
		}
		if v.Kind == jsonvalue.Object {
			dst = append(append(dst, v.RawKey(i)...), s.Colon...)
		}
		dst = s.appendJSON(dst, part)
	}
	return append(dst, closer)
}

// same reports whether two values are equal as JSON, and more: numbers must have the
// same text, and strings the same halves of surrogate pairs. The order of members does
// not count.
func same(v, w *value) bool {
	if v.Kind != w.Kind || len(v.List) != len(w.List) {
		return false
	}
	switch v.Kind {
	case jsonvalue.String:
		return v.Text == w.Text && isHalf(v.Raw) == isHalf(w.Raw)
	case jsonvalue.Array, jsonvalue.Object:
		for i, part := range v.List {
			other := w.List[i]
			if v.Kind == jsonvalue.Object && w.Keys[i] != v.Keys[i] {
				other = w.Get(v.Keys[i])
			}
			if other == nil || !same(part, other) {
				return false
			}
		}
		return true
	}
	return v.Text == w.Text
}
