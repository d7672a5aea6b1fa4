package tags

import (
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/rules"
)

// grammar matches arguments in tags that have the parameters' names as an attribute.
func grammar(w *rules.Writer, t *rules.Tool, s *rules.Shape) *rules.Node {
	return rules.Seq(rules.Text(wrapperOpen), w.InOrder(members(w, t, s, "")), rules.Text(wrapperClose))
}

func members(w *rules.Writer, t *rules.Tool, s *rules.Shape, at string) []rules.Member {
	return w.EachMember(t, w.Nameable(t, s, at), at, func(p rules.Property, at string) *rules.Node {
		return rules.Seq(rules.Text(argOpen(w)+lex.EscapeAttribute(p.Name)+`">`), tagged(w, t, p.Schema, at), rules.Text(argClose))
	})
}

// argOpen returns the opening tag of an argument, up to the parameter's name.
func argOpen(w *rules.Writer) string { return "<" + dialect.ArgTag + " " + w.Dialect.Args.Key + `="` }

// tagged matches a value inside its tag.
func tagged(w *rules.Writer, t *rules.Tool, schema *jsonvalue.Value, at string) *rules.Node {
	return w.Once(rules.RuleKey{Schema: schema, In: "tagged"}, t, at, func() *rules.Node { return taggedBody(w, t, schema, at) })
}

func taggedBody(w *rules.Writer, t *rules.Tool, schema *jsonvalue.Value, at string) *rules.Node {
	l := w.Language(func() *rules.Language { return w.TextIn("</" + dialect.ArgTag) })
	return w.TextAlt(t, schema, l, at, func(s *rules.Shape, kind string) *rules.Node {
		if kind == "object" && len(s.AllProperties()) == 0 {
			return tagMap(w, t, s, l, at)
		}
		return w.InTags(t, s, kind, at,
			func(s *rules.Shape, at string) []rules.Member { return members(w, t, s, at) },
			func(schema *jsonvalue.Value, at string) *rules.Node {
				return rules.Seq(rules.Text("<"+dialect.ItemTag+">"), tagged(w, t, schema, at), rules.Text("</"+dialect.ItemTag+">"))
			})
	})
}

// tagMap matches an object of any keys, as a tag for each member or as JSON.
func tagMap(w *rules.Writer, t *rules.Tool, s *rules.Shape, l *rules.Language, at string) *rules.Node {
	key := w.Shared("key", func() *rules.Node {
		return rules.Repeat(rules.Alt(rules.Char(rules.AnyChar.Without(rules.Chars("\"<>&\r\n\t"))), rules.Text("&amp;"), rules.Text("&lt;"), rules.Text("&gt;"), rules.Text("&quot;")), 1, -1)
	})
	if len(s.PatternProperties) > 0 || s.AdditionalProperties == nil || s.AdditionalProperties.Kind == jsonvalue.Bool { // tags would lose the types of the members
		return nil
	}
	member := rules.Seq(rules.Text(argOpen(w)), key, rules.Text(`">`), tagged(w, t, s.AdditionalProperties, rules.Below(at, "additionalProperties")), rules.Text(argClose))
	least, most := rules.Counted(s.MemberCount)
	return rules.Alt(rules.Repeat(member, max(least, 1), most), w.Free(t, s, l.Inner, at))
}
