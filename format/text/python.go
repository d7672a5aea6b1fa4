package text

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// appendPython writes arguments as keyword arguments of a Python call, or as options
// with values of Python.
func (w *Writer) appendPython(dst []byte, c *call) ([]byte, error) {
	mark, between := w.d.Args.KeyMark, "\n"
	if mark.Open == "" {
		mark.Close, between = "=", ", "
	}
	for i := range c.args.Keys {
		if i > 0 {
			dst = append(dst, between...)
		}
		key := c.args.Keys[i]
		if !isIdentifier(key) {
			return dst, w.place(fault("it is not a Python name"), c.name, key)
		}
		if hasHalf(c.args.List[i]) {
			return dst, w.place(fault("a string contains half of a surrogate pair, which text cannot express"), c.name, key)
		}
		dst = appendLiteral(append(append(append(dst, mark.Open...), key...), mark.Close...), c.args.List[i])
	}
	return dst, nil
}

func isIdentifier(s string) bool {
	for i, r := range s {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return s != ""
}

// appendLiteral writes v as a Python literal.
func appendLiteral(dst []byte, v *value) []byte {
	switch v.Kind {
	case jsonvalue.Null:
		return append(dst, "None"...)
	case jsonvalue.Bool:
		if v.Raw == "true" {
			return append(dst, "True"...)
		}
		return append(dst, "False"...)
	case jsonvalue.String:
		return appendPythonString(dst, v.Text)
	case jsonvalue.Array, jsonvalue.Object:
		return appendBrackets(dst, v, appendPythonString, appendLiteral)
	}
	return append(dst, v.Raw...)
}

// appendPythonString writes s in double quotes, with the escapes of Python.
func appendPythonString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for s != "" {
		n := strings.IndexFunc(s, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' || r == 0x7f })
		if n < 0 {
			break
		}
		dst = append(dst, s[:n]...)
		dst = appendPythonEscape(dst, s[n])
		s = s[n+1:]
	}
	return append(append(dst, s...), '"')
}

func appendPythonEscape(dst []byte, c byte) []byte {
	switch c {
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	case '"', '\\':
		return append(dst, '\\', c)
	}
	dst = append(dst, `\x`...)
	if c < 0x10 {
		dst = append(dst, '0')
	}
	return strconv.AppendUint(dst, uint64(c), 16)
}
