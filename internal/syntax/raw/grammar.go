package raw

import (
	"slices"

	"github.com/toolparse/toolparse/internal/rules"
)

// grammar matches the single argument of a syntax whose arguments are verbatim text.
func grammar(w *rules.Writer, t *rules.Tool, s *rules.Shape) *rules.Node {
	if w.Dialect.Args.Object {
		return w.Object(t, s, w.JSON, "")
	}
	param := w.Dialect.Args.Param
	props := s.AllProperties()
	at := slices.IndexFunc(props, func(p rules.Property) bool { return p.Name == param })
	if at < 0 && len(props) == 1 {
		at = 0
	}
	for i, p := range props {
		if at < 0 || i != at && p.Required {
			return w.Fail(t, "", "a call is the text of one parameter, but the tool has several")
		}
	}
	if len(props) == 0 {
		return rules.Nothing
	}
	return w.TextAlt(t, props[at].Schema, w.TextIn(w.Around(t)...), rules.Below("", "properties", props[at].Name), nil)
}
