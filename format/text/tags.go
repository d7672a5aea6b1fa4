package text

import (
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/schema"
)

// appendTags writes arguments as a tag for each value, nested for objects and
// lists, and the blank closer of the call's frame is left to it.
func (w *Writer) appendTags(dst []byte, c *call) ([]byte, error) {
	wrapper := w.d.Args.Wrapper
	if wrapper != "" {
		dst = append(append(append(dst, '<'), wrapper...), '>')
	}
	for i := range c.args.Keys {
		key := c.args.Keys[i]
		var err error
		if dst, err = w.appendTag(dst, key, c.args.List[i], c.schema.Property(key)); err != nil {
			return dst, w.place(err, c.name, key)
		}
	}
	if wrapper != "" {
		dst = append(append(append(dst, "</"...), wrapper...), '>')
	}
	return dst, nil
}

// appendTag writes a value in the tag for parameters.
func (w *Writer) appendTag(dst []byte, key string, v *value, s *schema.Schema) ([]byte, error) {
	a := &w.d.Args
	dst = append(append(dst, '<'), a.Tag...)
	dst = append(appendAttribute(dst, a.Key, key), '>')
	dst, err := w.appendTagged(dst, v, s)
	return append(append(append(dst, "</"...), a.Tag...), '>'), err
}

// appendTagged writes a value inside its tag: nested tags, or text.
func (w *Writer) appendTagged(dst []byte, v *value, s *schema.Schema) ([]byte, error) {
	if len(v.List) == 0 || !w.nests(v, s) || !s.Untyped() && losesTypes(v, s) {
		text, err := w.plain(v, s)
		return append(dst, escapeText(text)...), err
	}
	item := w.d.Args.Item
	for i := range v.List {
		var err error
		if v.Kind == jsonvalue.Object {
			key := v.Keys[i]
			dst, err = w.appendTag(dst, key, v.List[i], s.Property(key))
		} else {
			dst = append(append(append(dst, '<'), item...), '>')
			dst, err = w.appendTagged(dst, v.List[i], s.Element(i))
			dst = append(append(append(dst, "</"...), item...), '>')
		}
		if err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// losesTypes reports whether a container in nested tags would have a member whose type no
// schema tells: it would be read as a string. As JSON the container keeps its types. An
// object without declared members is JSON even where they are strings, so that models see
// one form.
func losesTypes(v *value, s *schema.Schema) bool {
	for i, member := range v.List {
		of := s.Element(i)
		if v.Kind == jsonvalue.Object {
			of = s.Property(v.Keys[i])
		}
		if of.Untyped() {
			if member.Kind != jsonvalue.String || v.Kind == jsonvalue.Object && !s.Closed() {
				return true
			}
		} else if losesTypes(member, of) {
			return true
		}
	}
	return false
}

// nests reports whether a reader takes nested tags for such a container.
func (w *Writer) nests(v *value, s *schema.Schema) bool {
	isObject, isArray := s.AllowsContainer()
	switch v.Kind {
	case jsonvalue.Object:
		return isObject || s.Untyped()
	case jsonvalue.Array:
		return (isArray || s.Untyped()) && w.d.Args.Item != ""
	}
	return false
}

// escapeText writes the characters that mean something in a value as entities,
// line breaks at its ends and raw content markers among them.
func escapeText(s string) string {
	if s == "" {
		return s
	}
	out := escapeMarkup.Replace(s)
	if strings.Contains(out, "_CONTENT__") {
		out = strings.ReplaceAll(out, "_CONTENT__", "&#95;CONTENT__")
	}
	body := strings.TrimLeft(out, lineBlanks)
	lead := escapeBlanks.Replace(out[:len(out)-len(body)])
	out = strings.TrimRight(body, lineBlanks)
	return lead + out + escapeBlanks.Replace(body[len(out):])
}

const lineBlanks = " \t\r\n"

var (
	escapeMarkup = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	escapeBlanks = strings.NewReplacer("\n", "&#10;", "\r", "&#13;", " ", "&#32;", "\t", "&#9;")
)
