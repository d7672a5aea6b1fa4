package schema

import (
	"slices"
	"strconv"
)

// key is a text that two values share just if they are equal as JSON: numbers
// by value, objects whatever the order of their members.
func (v *value) key() string { return string(v.appendKey(nil)) }

func (v *value) appendKey(dst []byte) []byte {
	switch v.kind {
	case typeNumber:
		d := parseDecimal(v.text)
		dst = append(dst, '#')
		if d.negative {
			dst = append(dst, '-')
		}
		dst = append(append(dst, d.digits...), 'e')
		return append(strconv.AppendInt(dst, d.exp, 10), ';')
	case typeString:
		return appendText(dst, v.text)
	case typeObject:
		dst = append(dst, '{')
		for _, name := range slices.Sorted(slices.Values(v.names)) {
			dst = v.members[name].appendKey(appendText(dst, name))
		}
		return append(dst, '}')
	case typeArray:
		dst = append(dst, '[')
		for _, elem := range v.elems {
			dst = elem.appendKey(dst)
		}
		return append(dst, ']')
	case typeBoolean:
		return append(dst, v.text[0])
	}
	return append(dst, 'n')
}

// appendText puts the length first, so that no text can look like structure.
func appendText(dst []byte, s string) []byte {
	dst = append(strconv.AppendInt(append(dst, '"'), int64(len(s)), 10), ':')
	return append(dst, s...)
}
