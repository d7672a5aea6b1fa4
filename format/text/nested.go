package text

import (
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/schema"
)

// appendNested writes arguments as a tag named like each parameter, with tags
// within for objects and lists.
func (w *Writer) appendNested(dst []byte, c *call) ([]byte, error) {
	for i := range c.args.Keys {
		key := c.args.Keys[i]
		var err error
		if dst, err = w.appendNamedTag(dst, key, c.args.List[i], c.schema.Property(key)); err != nil {
			return dst, w.place(err, c.name, key)
		}
	}
	return dst, nil
}

// appendNamedTag writes a value in a tag of that name.
func (w *Writer) appendNamedTag(dst []byte, name string, v *value, s *schema.Schema) ([]byte, error) {
	a := &w.d.Args
	if name == "" {
		return dst, fault("a tag must have a name")
	}
	dst = append(append(append(dst, a.KeyMark.Open...), name...), a.KeyMark.Close...)
	dst = append(dst, a.ValueMark.Open...)
	isObject, isArray := s.AllowsContainer()
	var err error
	isObject = isObject && s.Closed() // where no member is declared, tags of any name would be a guess
	if len(v.List) > 0 && !losesTypes(v, s) && (v.Kind == jsonvalue.Object && isObject || v.Kind == jsonvalue.Array && isArray) {
		dst, err = w.appendInner(dst, v, s)
	} else {
		var text string
		text, err = w.pairText(v, s)
		dst = append(dst, text...)
	}
	return append(dst, strings.ReplaceAll(a.ValueMark.Close, "{key}", name)...), err
}

// appendInner writes the members of an object or the elements of a list.
func (w *Writer) appendInner(dst []byte, v *value, s *schema.Schema) ([]byte, error) {
	for i := range v.List {
		name, inner := w.d.Args.Item, s.Element(i)
		if v.Kind == jsonvalue.Object {
			name = v.Keys[i]
			inner = s.Property(name)
		}
		var err error
		if dst, err = w.appendNamedTag(dst, name, v.List[i], inner); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// appendRaw writes the one argument that is text as it is, or all as JSON.
func (w *Writer) appendRaw(dst []byte, c *call) ([]byte, error) {
	a := &w.d.Args
	if a.Object {
		return w.spacing().appendJSON(dst, c.args), nil
	}
	param := a.Param
	if only, ok := c.schema.Only(); ok && !c.schema.Declares(param) {
		param = only
	}
	if len(c.args.Keys) != 1 || c.args.Keys[0] != param {
		return dst, w.place(faultf("its one argument must be %q", param), c.name, "")
	}
	text, err := w.plain(c.args.List[0], c.schema.Property(param))
	if err != nil {
		return dst, w.place(err, c.name, param)
	}
	return append(dst, text...), nil
}
