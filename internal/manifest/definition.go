package manifest

import (
	"encoding/json"
	"fmt"

	"github.com/toolparse/toolparse/internal/toolfile"
	"github.com/toolparse/toolparse/toolcall"
)

// Definition is a tool that a model may call.
type Definition struct {
	Name string

	// Description says what the tool does. If Describe is set, it is called each time
	// instead, so that the text can change.
	Description string
	Describe    func() string

	// Parameters is the JSON Schema of the arguments; an empty one allows any object. If
	// Schema is set, it is called once instead, when the schema is first needed.
	Parameters json.RawMessage
	Schema     func() (json.RawMessage, error)

	// Examples are calls to show to the model, besides those made from the schema. Their
	// arguments must fit the schema.
	Examples []Example

	Category string // for [Registry.All]; may be empty
}

// Example is a call of a tool.
type Example struct {
	About     string          // what the call does; may be empty
	Arguments json.RawMessage // a JSON object
}

// Of converts plain tool definitions.
func Of(tools ...toolcall.ToolDefinition) []Definition {
	list := make([]Definition, len(tools))
	for i, t := range tools {
		list[i] = Definition{Name: t.Name, Description: t.Description, Parameters: t.Parameters}
	}
	return list
}

// Parse reads definitions from the JSON of a tool list as OpenAI, Anthropic, Gemini
// or MCP write it: a list, one tool, or an object with "tools". It skips tools that the
// provider itself runs, such as a web search.
func Parse(data []byte) ([]Definition, error) {
	tools, err := toolfile.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("tools: %w", err)
	}
	return Of(tools...), nil
}
