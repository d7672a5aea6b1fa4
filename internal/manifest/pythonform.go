package manifest

import (
	"regexp"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// pythonForm writes a tool as a Python function with the texts of a row.
func pythonForm(show *dialect.Show) schemaForm {
	return func(t *tool, _ int) (string, error) {
		params := t.declared()
		var signs, about strings.Builder
		lead, sign, _ := strings.Cut(show.Sign, "{name}")
		for i, schema := range params.List {
			fill := func(text string) string {
				return strings.NewReplacer("{name}", params.Keys[i], "{type}", pythonType(schema, false),
					"{typing}", pythonType(schema, true), "{about}", lineOf(schema.Get("description"))).
					Replace(choose(text, requires(t.doc.root, params.Keys[i])))
			}
			if i > 0 {
				signs.WriteString(lead)
			}
			signs.WriteString(fill("{name}" + sign))
			about.WriteString(fill(show.Param))
		}
		fill := func(text string) string {
			return strings.NewReplacer("{name}", t.Name, "{signature}", signs.String(), "{about}", strings.TrimSpace(t.Description)).
				Replace(choose(text, len(params.List) > 0))
		}
		return fill(show.Tool.Open) + about.String() + fill(show.Tool.Close), nil
	}
}

// lineOf returns a string on one line, and "" for any other value.
func lineOf(n *node) string {
	if !n.Is(jsonvalue.String) {
		return ""
	}
	return oneLine(n.Text)
}

// choice matches {need:A|B} or {any:A}, where A and B may contain other slots.
var choice = regexp.MustCompile(`\{(?:need|any):((?:[^{}|]|\{[^{}]*\})*)(?:\|((?:[^{}]|\{[^{}]*\})*))?\}`)

// choose replaces the slots {need:A|B} and {any:A} in a text: by A if yes is true, and
// otherwise by B or nothing.
func choose(text string, yes bool) string {
	if yes {
		return choice.ReplaceAllString(text, "$1")
	}
	return choice.ReplaceAllString(text, "$2")
}

// pythonNames maps types of JSON Schema to those of Python.
var pythonNames = map[string]string{"string": "str", "integer": "int", "number": "int", "boolean": "bool", "array": "list"}

// pythonType returns the type of a schema in Python, or in its module typing.
func pythonType(schema *node, typing bool) string {
	kind := schema.Get("type")
	if typing && kind.Is(jsonvalue.Array) {
		var parts []string
		for _, k := range kind.Elements() {
			parts = append(parts, pythonType(jsonvalue.NewObject().Set("type", k), true))
		}
		return "Union[" + strings.Join(parts, ",") + "]"
	}
	name := ""
	if kind.Is(jsonvalue.String) {
		name = kind.Text
	}
	switch {
	case typing && name == "number":
		return "float"
	case typing && name == "array":
		return "List[" + pythonType(schema.Get("items"), true) + "]"
	case typing && name == "object":
		return "Dict[str, " + pythonType(schema.Get("additionalProperties"), true) + "]"
	case pythonNames[name] != "":
		return pythonNames[name]
	}
	return "Any"
}
