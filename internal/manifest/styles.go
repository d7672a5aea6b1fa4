package manifest

import (
	"slices"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/schema"
)

// style says how the tools are shown to the models of a dialect.
type style struct {
	schema  schemaForm
	open    string // before all tools
	between string // between two tools
	close   string // after all tools
	guide   guide
	escapes bool // schema escapes all markup in the texts of a tool
	callers bool // schema is the caller's
}

// styleOf returns the style that the row of a dialect asks for: in the form of its models'
// own template, or in ours.
func styleOf(d *dialect.Dialect, template bool) style {
	show := d.ShowForm()
	if !template {
		switch show.Form {
		case dialect.ToolTags, dialect.ToolTypeScript, dialect.ToolGemma, dialect.ToolPython:
			// Only models that were trained on these forms know them, and they leave out parts of schemas.
			show = dialect.Show{Form: dialect.ToolOpenAI, Tools: dialect.Pair{Open: "<tools>\n", Close: "\n</tools>"}, Between: "\n"}
		}
	}
	return style{
		schema: formOf(&show, d.Args.Quote, template), open: show.Tools.Open, between: show.Between, close: show.Tools.Close,
		guide: guideOf(d), escapes: show.Form == dialect.ToolXML,
	}
}

// guideOf returns the sentences that a model needs besides examples to write values, unless
// all values are JSON or have a written type.
func guideOf(d *dialect.Dialect) guide {
	a := &d.Args
	switch {
	case a.Form == dialect.ArgsTags:
		return tagGuide
	case a.Form != dialect.ArgsPairs || a.QuotesStrings() || a.Nested || a.Type != "":
		return noGuide
	}
	return pairGuide
}

// hasFreeObject reports whether a parameter of a tool, or a part of one, is an object without
// declared members.
func (c *composer) hasFreeObject() bool {
	declares := []string{"properties", "additionalProperties", "patternProperties", "required"}
	return slices.ContainsFunc(c.tools, func(t *tool) bool {
		_, found := find(t.doc.root, "", func(n *node, at string) bool {
			kind := n.Get("type")
			return at != "" && kind != nil && kind.Text == "object" && !slices.ContainsFunc(declares, n.Has)
		})
		return found
	})
}

// find returns the place of the first schema that fits: n, which is at this place, or one
// inside it.
func find(n *node, at string, fits func(n *node, at string) bool) (place string, found bool) {
	if fits(n, at) {
		return at, true
	}
	for i, key := range n.Keys {
		for name, sub := range schema.Subschemas(key, n.List[i]) {
			below := at + "/" + key
			if sub != n.List[i] {
				below += "/" + jsonvalue.EscapePointer(name)
			}
			if place, found := find(sub, below, fits); found {
				return place, true
			}
		}
	}
	return "", false
}
