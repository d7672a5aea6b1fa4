package manifest

import (
	"strconv"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
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
	form := schemaFormOf(&show)
	if template {
		form = templateForm(&show, d.Args.Quote)
	}
	return style{
		schema: form, open: show.Tools.Open, between: show.Between, close: show.Tools.Close,
		guide: guideOf(d), escapes: show.Form == dialect.ToolXML,
	}
}

// schemaFormOf returns our form of a tool.
func schemaFormOf(show *dialect.Show) schemaForm {
	form := openAIForm
	switch show.Form {
	case dialect.ToolPlain:
		form = plainForm
	case dialect.ToolMCP:
		form = defaultForm
	case dialect.ToolXML:
		form = xmlForm
	case dialect.ToolLines:
		return linesForm(show, (*tool).parameters, plainForm)
	}
	if show.Tool == (dialect.Pair{}) {
		return form
	}
	return within(show.Tool.Open, form, show.Tool.Close)
}

// linesForm writes a tool with the texts of a row, and with its schema if these ask for it.
func linesForm(show *dialect.Show, schema func(*tool) string, function schemaForm) schemaForm {
	fill := func(text string, t *tool, at int, about string) string {
		whole, _ := function(t, at) // JSON cannot fail
		return strings.NewReplacer("{at}", strconv.Itoa(at), "{name}", t.Name, "{about}", about, "{schema}", schema(t), "{function}", whole).Replace(text)
	}
	if show.Param == "" {
		return func(t *tool, at int) (string, error) {
			about := oneLine(t.Description)
			return fill(show.Tool.Open, t, at, about) + fill(show.Tool.Close, t, at, about), nil
		}
	}
	return func(t *tool, at int) (string, error) {
		params, rest, err := t.params(inFull)
		if err != nil {
			return "", err
		}
		about := oneLine(t.Description)
		text := fill(show.Tool.Open, t, at, about)
		for i, p := range params {
			need, facts := "optional", ""
			if p.Required {
				need = "required"
			}
			if len(p.facts) > 0 {
				facts = ", " + joined(p.facts)
			}
			text += strings.NewReplacer("{at}", strconv.Itoa(i+1), "{name}", p.Name, "{about}", p.about,
				"{type}", p.kind, "{need}", need, "{facts}", facts).Replace(show.Param)
		}
		if len(rest) > 0 {
			text += "(all together: " + joined(rest) + ")\n"
		}
		return text + fill(show.Tool.Close, t, at, about), nil
	}
}

// guideOf returns the sentences that a model needs besides examples to write values, unless
// all values are JSON or have a written type.
func guideOf(d *dialect.Dialect) guide {
	a := &d.Args
	switch {
	case a.Form == dialect.ArgsTags:
		return tagGuide
	case a.Form != dialect.ArgsPairs || a.Quoted || a.Nested || a.Type != "":
		return noGuide
	}
	return pairGuide
}

// hasFreeObject reports whether a parameter of a tool, or a part of one, is an object without
// declared members.
func (c *composer) hasFreeObject() bool {
	for _, t := range c.tools {
		if isFree(t.doc.root, true) {
			return true
		}
	}
	return false
}

// isFree reports whether a schema, or one inside it, is that of such an object. root means
// that it is the schema of all arguments.
func isFree(n *node, root bool) bool {
	object := n.Get("type")
	open := n.Get("properties") == nil && n.Get("additionalProperties") == nil && n.Get("patternProperties") == nil && n.Get("required") == nil
	if !root && open && object != nil && object.Text == "object" {
		return true
	}
	for i, key := range n.Keys {
		for _, sub := range schema.Subschemas(key, n.List[i]) {
			if isFree(sub, false) {
				return true
			}
		}
	}
	return false
}
