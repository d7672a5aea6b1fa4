package text

// appendBrackets appends a list or an object as Python and YAML's flow style
// write it, by functions for its keys and its values.
func appendBrackets(dst []byte, v *value, key func(dst []byte, text string) []byte, inner func(dst []byte, v *value) []byte) []byte {
	opener, closer := byte('['), byte(']')
	if v.kind == object {
		opener, closer = '{', '}'
	}
	dst = append(dst, opener)
	for i := range v.list {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		if v.kind == object {
			dst = append(key(dst, v.keys[i].text), ": "...)
		}
		dst = inner(dst, &v.list[i])
	}
	return append(dst, closer)
}
