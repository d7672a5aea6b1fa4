package nested

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/rules"
)

// grammar matches arguments in tags that have the parameters' names.
func grammar(w *rules.Writer, t *rules.Tool, s *rules.Shape) *rules.Node {
	return w.InOrder(members(w, t, s, ""))
}

// tagNames returns the markers that a text must not contain if tags have the names of
// parameters: the tags of all tools and parameters, so that all values share one
// automaton.
func tagNames(w *rules.Writer) []string {
	a := &w.Dialect.Args
	names := []string{dialect.ItemTag}
	var collect func(v *jsonvalue.Value)
	collect = func(v *jsonvalue.Value) {
		for i, member := range v.List {
			if v.Kind == jsonvalue.Object && v.Keys[i] == "properties" && member.Kind == jsonvalue.Object {
				names = append(names, member.Keys...)
			}
			collect(member)
		}
	}
	for _, t := range w.Tools {
		names = append(names, t.Name)
		if t.Schema != nil {
			collect(t.Schema)
		}
	}
	markers := []string{w.Dialect.Frame.Section.Close}
	if mark := strings.TrimSuffix(a.KeyMark.Open, "<"); mark != "" {
		return append(markers, mark) // every tag begins with it, those of the frame too
	}
	for _, name := range names {
		markers = append(markers, "</"+name+">", a.KeyMark.Open+name)
	}
	return markers
}

func members(w *rules.Writer, t *rules.Tool, s *rules.Shape, at string) []rules.Member {
	return w.EachMember(t, w.Nameable(t, s, at), at, func(p rules.Property, at string) *rules.Node {
		return inTag(w, t, p.Name, p.Schema, at)
	})
}

// inTag matches a value in a tag with the given name.
func inTag(w *rules.Writer, t *rules.Tool, name string, schema *jsonvalue.Value, at string) *rules.Node {
	return w.Once(rules.RuleKey{Schema: schema, In: "tag " + name}, t, at, func() *rules.Node { return tagBody(w, t, name, schema, at) })
}

func tagBody(w *rules.Writer, t *rules.Tool, name string, schema *jsonvalue.Value, at string) *rules.Node {
	a, l := &w.Dialect.Args, w.Language(func() *rules.Language { return w.TextIn(tagNames(w)...) })
	// If the value may be a string too, tags without a mark inside it are text.
	list := w.Shapes(t, schema, at)
	asText := a.KeyMark.Open == "<" && (rules.MayBe(list, "string") || slices.ContainsFunc(list, rules.ListsText))
	value := w.TextAlt(t, schema, l, at, func(s *rules.Shape, kind string) *rules.Node {
		if asText || kind == "object" && len(s.Properties) == 0 { // objects of any keys are JSON
			return nil
		}
		return w.InTags(t, s, kind, at,
			func(s *rules.Shape, at string) []rules.Member { return members(w, t, s, at) },
			func(schema *jsonvalue.Value, at string) *rules.Node { return inTag(w, t, dialect.ItemTag, schema, at) })
	})
	return rules.Seq(rules.Text(a.KeyMark.Open+name+a.KeyMark.Close+a.ValueMark.Open), value, rules.Text(strings.ReplaceAll(a.ValueMark.Close, "{key}", name)))
}
