package text

import (
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/parser"
)

// appendPairs writes arguments as keys and values between markers.
func (w *Writer) appendPairs(dst []byte, c *call) ([]byte, error) {
	for i := range c.args.Keys {
		key := c.args.Keys[i]
		var err error
		if dst, err = w.appendPair(dst, key, c.args.List[i], c.schema.Property(key)); err != nil {
			return dst, w.place(err, c.name, key)
		}
	}
	return dst, nil
}

// appendPair writes one key and its value.
func (w *Writer) appendPair(dst []byte, key string, v *value, s *schema.Schema) ([]byte, error) {
	a := &w.d.Args
	kind := ""
	if a.Type != "" || a.TypeMark.Open != "" {
		kind = w.typeName(v)
	}
	dst = append(dst, a.KeyMark.Open...)
	if a.Key == "" {
		dst = append(dst, key...)
	} else {
		dst = appendAttribute(dst, a.Key, key)
		if a.Type != "" {
			dst = appendAttribute(dst, a.Type, kind)
		}
	}
	dst = append(dst, a.KeyMark.Close...)
	if a.TypeMark.Open != "" {
		dst = append(append(append(dst, a.TypeMark.Open...), kind...), a.TypeMark.Close...)
	}
	text, err := w.pairText(v, s.Told(kind, a.Quoted))
	if err != nil {
		return dst, err
	}
	dst = append(append(dst, a.ValueMark.Open...), text...)
	return append(dst, strings.ReplaceAll(a.ValueMark.Close, "{key}", key)...), nil
}

// typeName is how a value's type is told beside it.
func (w *Writer) typeName(v *value) string {
	if w.d.Args.Type != "string" {
		return v.Kind.String()
	}
	if v.Kind == jsonvalue.String {
		return "true"
	}
	return "false"
}

// pairText is the text of a value between its markers.
func (w *Writer) pairText(v *value, s *schema.Schema) (string, error) {
	a := &w.d.Args
	if a.Quoted {
		return string(w.spacing().appendJSON(nil, v)), nil
	}
	text, err := w.plain(v, s)
	switch {
	case err != nil || v.Kind != jsonvalue.String:
		return text, err
	case a.Entities:
		return escapeText(text), nil
	}
	return w.layOut(text)
}

// layOut puts around a string what keeps its own blanks from being taken for the
// layout of the markup.
func (w *Writer) layOut(text string) (string, error) {
	a := &w.d.Args
	switch a.Layout {
	case parser.LayoutTrim:
		if strings.Trim(text, " \t\r\n") != text {
			return "", fault("blanks at its ends would be lost")
		}
	case parser.LayoutLines:
		before := a.KeyMark.Close
		if a.ValueMark.Open != "" {
			before = a.ValueMark.Open
		}
		if beginsLine(text) && !strings.HasSuffix(before, "\n") {
			text = "\n" + text
		}
		if endsLine(text) && !strings.HasPrefix(a.ValueMark.Close, "\n") {
			text += "\n"
		}
	}
	return text, nil
}

func beginsLine(s string) bool { return s != "" && (s[0] == '\n' || s[0] == '\r') }

// endsLine reports whether only blanks stand in the last line, which is not the
// first, or s ends in the middle of a line break.
func endsLine(s string) bool {
	s = strings.TrimRight(s, " \t")
	return s != "" && (s[len(s)-1] == '\n' || s[len(s)-1] == '\r')
}
