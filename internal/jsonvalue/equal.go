package jsonvalue

import (
	"slices"
	"strconv"
)

// Equal reports whether two values are equal in the sense of JSON Schema: numbers by value,
// and objects regardless of the order of their members.
func Equal(a, b *Value) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.Kind != b.Kind || len(a.List) != len(b.List) {
		return false
	}
	switch a.Kind {
	case Number:
		return a.Text == b.Text || ParseDecimal(a.Text) == ParseDecimal(b.Text)
	case Array:
		return slices.EqualFunc(a.List, b.List, Equal)
	case Object:
		for i, key := range a.Keys {
			if !Equal(a.List[i], b.Get(key)) {
				return false
			}
		}
		return true
	}
	return a.Text == b.Text
}

// EqualTexts reports whether two texts are equal, or JSON texts of [Equal] values: spaces,
// escapes, the order of members and the forms of numbers may differ. Texts of very different
// lengths do not count as equal, so that it takes little more time than reading the shorter one.
func EqualTexts(a, b string) bool {
	const factor, room = 8, 128 // an escape takes up to 6 times as many bytes as its character
	switch {
	case a == b:
		return true
	case max(len(a), len(b))/factor > min(len(a), len(b))+room:
		return false
	}
	x, err := Parse(a)
	if err != nil {
		return false
	}
	y, err := Parse(b)
	return err == nil && x.Key() == y.Key() // Equal may search for each member
}

// Key returns a text that is the same for two values if and only if they are [Equal].
func (v *Value) Key() string { return string(v.appendKey(nil)) }

func (v *Value) appendKey(dst []byte) []byte {
	switch v.Kind {
	case Number:
		return append(ParseDecimal(v.Text).appendKey(append(dst, '#')), ';')
	case String:
		return appendText(dst, v.Text)
	case Object:
		dst = append(dst, '{')
		for _, key := range slices.Sorted(slices.Values(v.Keys)) {
			dst = v.Get(key).appendKey(appendText(dst, key))
		}
		return append(dst, '}')
	case Array:
		dst = append(dst, '[')
		for _, elem := range v.List {
			dst = elem.appendKey(dst)
		}
		return append(dst, ']')
	case Bool:
		return append(dst, v.Text[0])
	}
	return append(dst, 'n')
}

// appendText writes the length first, so that no text can imitate structure.
func appendText(dst []byte, s string) []byte {
	dst = append(strconv.AppendInt(append(dst, '"'), int64(len(s)), 10), ':')
	return append(dst, s...)
}
