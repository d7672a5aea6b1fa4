package manifest

import (
	"strconv"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// layout writes tools as the chat template of a dialect's models lays them out, or in our form.
type layout struct {
	dialect.ToolLayout
	before    string // the text before a tool, whose last line says how far the tool is indented
	described bool   // a description is written even if it is empty, because without one a tool looks like a call
}

// object returns the form of a tool as JSON: as OpenAI, Gemini (ToolPlain) or MCP write it.
func (l layout) object(form dialect.ToolForm) schemaForm {
	key := "parameters"
	if form == dialect.ToolMCP {
		key = "inputSchema"
	}
	return func(t *tool, _ int) (string, error) {
		f := jsonvalue.NewObject().Set("name", jsonvalue.NewString(t.Name))
		if t.Description != "" || l.described {
			about := jsonvalue.NewString(t.Description)
			if t.quoted != nil {
				about.Raw = string(t.quoted)
			}
			f.Set("description", about)
		}
		f.Set(key, t.schemaShown())
		if form != dialect.ToolPlain && form != dialect.ToolMCP {
			f = jsonvalue.NewObject().Set("type", jsonvalue.NewString("function")).Set("function", f)
		}
		return strings.TrimSuffix(l.json(f), "}") + l.More + "}", nil
	}
}

// schemaShown returns the schema of a tool's parameters, or that of an object without any.
func (t *tool) schemaShown() *node {
	if len(t.Parameters) > 0 && t.doc.root.Is(jsonvalue.Object) {
		return t.doc.root
	}
	return jsonvalue.NewObject().Set("type", jsonvalue.NewString("object")).Set("properties", jsonvalue.NewObject())
}

// lines returns a form with the texts of a row, and with the schema if these ask for it.
func (l layout) lines(show *dialect.Show) schemaForm {
	return func(t *tool, at int) (string, error) {
		whole, err := l.object(dialect.ToolPlain)(t, at)
		if err != nil {
			return "", err
		}
		slots := strings.NewReplacer("{at}", strconv.Itoa(at), "{name}", t.Name, "{about}", oneLine(t.Description),
			"{schema}", l.json(t.schemaShown()), "{function}", whole)
		params := ""
		if show.Param != "" {
			if params, err = t.paramLines(show.Param); err != nil {
				return "", err
			}
		}
		return slots.Replace(show.Tool.Open) + params + slots.Replace(show.Tool.Close), nil
	}
}

// paramLines returns a text for each parameter, and what the schema says about all together.
func (t *tool) paramLines(text string) (lines string, err error) {
	params, rest, err := t.params(inFull)
	for i, p := range params {
		need, facts := "optional", ""
		if p.Required {
			need = "required"
		}
		if len(p.facts) > 0 {
			facts = ", " + joined(p.facts)
		}
		lines += strings.NewReplacer("{at}", strconv.Itoa(i+1), "{name}", p.Name, "{about}", p.about,
			"{type}", p.kind, "{need}", need, "{facts}", facts).Replace(text)
	}
	if len(rest) > 0 {
		lines += "(all together: " + joined(rest) + ")\n"
	}
	return lines, err
}

// json returns a value as JSON or as a Python literal.
func (l layout) json(n *node) string {
	if l.Sorted {
		n = n.Sorted(strings.Compare)
	}
	if l.Repr {
		return string(n.AppendPython(nil, 0))
	}
	form := l.JSON()
	return string(form.AppendAt(nil, n, form.Depth(l.before)))
}
