package text

import "github.com/toolparse/toolparse/internal/jsonvalue"

// appendBrackets appends a list or an object as Python and YAML's flow style
// write it, by functions for its keys and its values.
func appendBrackets(dst []byte, v *value, key func(dst []byte, text string) []byte, inner func(dst []byte, v *value) []byte) []byte {
	opener, closer := byte('['), byte(']')
	if v.Kind == jsonvalue.Object {
		opener, closer = '{', '}'
	}
	dst = append(dst, opener)
	for i := range v.List {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		if v.Kind == jsonvalue.Object {
			dst = append(key(dst, v.Keys[i]), ": "...)
		}
		dst = inner(dst, v.List[i])
	}
	return append(dst, closer)
}
