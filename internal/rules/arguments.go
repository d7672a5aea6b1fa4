package rules

import (
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// Language returns the language that the values of all tools have in common, and makes it on
// first use. Rules are shared by the identity of their language.
func (w *Writer) Language(make func() *Language) *Language {
	if w.language == nil {
		w.language = make()
	}
	return w.language
}

// InOrder matches members in their order, without a separator.
func (w *Writer) InOrder(list []Member) *Node {
	nodes := make([]*Node, len(list))
	for i, m := range list {
		if nodes[i] = m.Node; !m.Required {
			nodes[i] = Optional(m.Node)
		}
	}
	return Seq(nodes...)
}

// Around returns the markers of the frame that a value must not contain.
func (w *Writer) Around(t *Tool) []string {
	f, a := &w.Dialect.Frame, &w.Dialect.Args
	list := []string{a.ValueMark.Close, a.KeyMark.Open, f.Call.Close, f.Section.Close}
	list = append(append(list, a.Closers...), f.Closers...)
	for i, m := range list {
		m = strings.ReplaceAll(m, "{name}", t.Name)
		if i > 1 && (strings.HasPrefix(strings.TrimSpace(m), "```") || strings.TrimSpace(m) == "]") {
			m = "" // too common in values
		}
		if m == "<" {
			m = ""
		}
		list[i] = m
	}
	return list
}

// InTags matches an object or a list that is written as tags inside a value. It returns
// nil for values that are not written like that.
func (w *Writer) InTags(t *Tool, s *Shape, kind, at string, members func(*Shape, string) []Member, item func(*jsonvalue.Value, string) *Node) *Node {
	switch kind {
	case "object":
		list := members(s, at)
		if len(list) == 0 {
			return nil
		}
		body, mayBeEmpty := w.Members(list, "", Hint(t, at))
		if mayBeEmpty {
			return Alt(body, Text("{}"))
		}
		return body
	case "array":
		if s.Items == nil && len(s.PrefixItems) == 0 {
			return nil
		}
		full := *s
		empty := s.ItemCount.Min == 0
		if empty {
			full.ItemCount.Min = 1
		}
		body := w.Elements(&full, "", func(schema *jsonvalue.Value, place string) *Node { return item(schema, Below(at, place)) })
		if empty {
			return Alt(body, Text("[]"))
		}
		return body
	}
	return nil
}
