package jsonvalue

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// AppendPython appends v as a Python literal on one line. Strings are enclosed in quote or, if
// that is 0, in the quotes that Python's repr chooses.
func (v *Value) AppendPython(dst []byte, quote byte) []byte {
	switch v.Kind {
	case Null:
		return append(dst, "None"...)
	case Bool:
		if v.IsTrue() {
			return append(dst, "True"...)
		}
		return append(dst, "False"...)
	case String:
		return appendPythonString(dst, v.Text, quote)
	case Array, Object:
		return v.AppendBrackets(dst,
			func(dst []byte, key string) []byte { return appendPythonString(dst, key, quote) },
			func(dst []byte, v *Value) []byte { return v.AppendPython(dst, quote) })
	}
	return append(dst, v.Raw...)
}

// AppendBrackets appends an array or an object in the notation that Python and YAML's flow
// style share, using one function for its keys and one for its values.
func (v *Value) AppendBrackets(dst []byte, key func(dst []byte, text string) []byte, inner func(dst []byte, v *Value) []byte) []byte {
	return v.appendParts(dst, "", ", ", "",
		func(dst []byte, i int) []byte { return append(key(dst, v.Keys[i]), ": "...) }, inner)
}

// appendPythonString appends a string in the form of [Value.AppendPython].
func appendPythonString(dst []byte, s string, quote byte) []byte {
	repr := quote == 0
	if repr {
		if quote = '\''; strings.Contains(s, "'") && !strings.Contains(s, `"`) {
			quote = '"'
		}
	}
	dst = append(dst, quote)
	for _, r := range s {
		switch {
		case r == '\n':
			dst = append(dst, `\n`...)
		case r == '\r':
			dst = append(dst, `\r`...)
		case r == '\t':
			dst = append(dst, `\t`...)
		case r == rune(quote) || r == '\\':
			dst = append(dst, '\\', byte(r))
		case unicode.IsPrint(r) || !repr && r > 0x7f:
			dst = utf8.AppendRune(dst, r)
		case r <= 0xff:
			dst = fmt.Appendf(dst, `\x%02x`, r)
		case r <= 0xffff:
			dst = fmt.Appendf(dst, `\u%04x`, r)
		default:
			dst = fmt.Appendf(dst, `\U%08x`, r)
		}
	}
	return append(dst, quote)
}
