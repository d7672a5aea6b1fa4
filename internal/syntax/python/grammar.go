package python

import (
	"cmp"

	"github.com/toolparse/toolparse/internal/rules"
)

// grammar matches keyword arguments.
func grammar(w *rules.Writer, t *rules.Tool, s *rules.Shape) *rules.Node {
	l := w.Language(func() *rules.Language { return rules.PythonIn(cmp.Or(w.Dialect.Args.Quote, `"`)) })
	mark, comma := w.Dialect.Args.KeyMark, "\n"
	if mark.Open == "" {
		mark.Close, comma = "=", l.Comma
	}
	list := w.EachMember(t, w.Nameable(t, s, ""), "", func(p rules.Property, at string) *rules.Node {
		return rules.Seq(rules.Text(mark.Open+p.Name+mark.Close), w.Value(t, p.Schema, l, at))
	})
	if len(list) == 0 {
		return rules.Nothing
	}
	body, mayBeEmpty := w.Members(list, comma, rules.Hint(t, ""))
	if mayBeEmpty {
		body = rules.Optional(body)
	}
	return body
}
