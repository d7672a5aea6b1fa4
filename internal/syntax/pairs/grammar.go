package pairs

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/rules"
)

// grammar matches arguments between markers.
func grammar(w *rules.Writer, t *rules.Tool, s *rules.Shape) *rules.Node {
	a := &w.Dialect.Args
	l := w.TextIn(w.Around(t)...)
	list := w.EachMember(t, w.Nameable(t, s, ""), "", func(prop rules.Property, at string) *rules.Node {
		close := strings.ReplaceAll(a.ValueMark.Close, "{key}", prop.Name)
		if a.QuotesStrings() {
			return rules.Seq(head(a, prop.Name, ""), w.Value(t, prop.Schema, l.Inner, at), rules.Text(close))
		}
		return rules.Alt(ways(w, prop.Name, close, w.TextWays(t, prop.Schema, l, at, nil))...)
	})
	body := w.InOrder(list)
	if w.Dialect.Written.Empty != "" && !slices.ContainsFunc(list, func(m rules.Member) bool { return m.Required }) {
		body = rules.Seq(rules.Optional(rules.Text(w.Dialect.Written.Empty)), body)
	}
	return body
}

// ways returns the ways to write a key with its value, one for each type that the
// syntax states.
func ways(w *rules.Writer, key, close string, values []rules.Way) []*rules.Node {
	a := &w.Dialect.Args
	stated := func(kind string) string {
		if kind == "integer" {
			kind = "number"
		}
		return typeName(a, kind)
	}
	var ways []*rules.Node
	var done []string
	for _, v := range values {
		kind := stated(v.Kind)
		if slices.Contains(done, kind) {
			continue
		}
		done = append(done, kind)
		var same []*rules.Node
		for _, o := range values {
			if stated(o.Kind) == kind {
				same = append(same, o.Node)
			}
		}
		ways = append(ways, rules.Seq(head(a, key, kind), rules.Alt(same...), rules.Text(close)))
	}
	return ways
}

func head(a *dialect.Args, key, kind string) *rules.Node {
	return rules.Text(string(appendHead(nil, a, key, kind)))
}
