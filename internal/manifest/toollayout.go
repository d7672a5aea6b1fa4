package manifest

import (
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// layout writes tools as the chat template of a dialect's models lays them out.
type layout struct {
	dialect.ToolLayout
	before string // the text before a tool, whose last line says how far the tool is indented
}

// object returns the form of a tool as JSON: the function alone, or whole, inside its type.
func (l layout) object(whole bool) schemaForm {
	return func(t *tool, _ int) (string, error) {
		about := jsonvalue.NewString(t.Description)
		if t.quoted != nil {
			about.Raw = string(t.quoted)
		}
		parameters := t.doc.root
		if len(t.Parameters) == 0 || !parameters.Is(jsonvalue.Object) {
			parameters = jsonvalue.NewObject().Set("type", jsonvalue.NewString("object")).Set("properties", jsonvalue.NewObject())
		}
		f := jsonvalue.NewObject().Set("name", jsonvalue.NewString(t.Name))
		if t.Description != "" {
			f.Set("description", about)
		}
		f.Set("parameters", parameters)
		if whole {
			f = jsonvalue.NewObject().Set("type", jsonvalue.NewString("function")).Set("function", f)
		}
		return strings.TrimSuffix(l.json(f), "}") + l.More + "}", nil
	}
}

// schema returns the schema of a tool's parameters.
func (l layout) schema(t *tool) string {
	if len(t.Parameters) == 0 || !t.doc.root.Is(jsonvalue.Object) {
		return `{"type": "object", "properties": {}}`
	}
	return l.json(t.doc.root)
}

// json returns a value as JSON or as a Python literal.
func (l layout) json(n *node) string {
	if l.Sorted {
		n = n.Sorted(strings.Compare)
	}
	form := jsonvalue.Spaced
	switch {
	case l.Repr:
		return string(n.AppendPython(nil, 0))
	case l.Compact:
		form = jsonvalue.Compact
	case l.Indent > 0:
		form = jsonvalue.Indented(l.Indent)
	}
	return string(form.AppendAt(nil, n, form.Depth(l.before)))
}
