package manifest

import (
	"encoding/json"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/toolparse/toolparse/internal/toolfile"
	"github.com/toolparse/toolparse/toolcall"
)

// Definition is a tool that a model may call.
type Definition struct {
	Name string

	// Description is what the tool is for. Describe, where it is set, is asked
	// each time instead, for a text that changes.
	Description string
	Describe    func() string

	// Parameters is the JSON Schema of the arguments; empty: anything goes. Schema,
	// where it is set, is asked once instead, when the schema is first needed.
	Parameters json.RawMessage
	Schema     func() (json.RawMessage, error)

	// Examples are calls that are worth showing. They are shown beside those that
	// are made from the schema, and must fit it.
	Examples []Example

	Category string
	Risk     Risk
}

// Example is a call of a tool.
type Example struct {
	About     string          // what it is for; may be empty
	Arguments json.RawMessage // a JSON object
}

// Risk is how much harm a tool can do.
type Risk string

// The risks, from low to high. The zero value says that nothing is known.
const (
	RiskSafe   Risk = "safe"   // it only reads
	RiskMedium Risk = "medium" // what it does can be undone
	RiskHigh   Risk = "high"   // what it does cannot be undone
)

// Of returns the definitions of tools that are declared elsewhere.
func Of(tools ...toolcall.ToolDefinition) []Definition {
	list := make([]Definition, len(tools))
	for i, t := range tools {
		list[i] = Definition{Name: t.Name, Description: t.Description, Parameters: t.Parameters}
	}
	return list
}

// Parse reads definitions from the JSON of a tool list as OpenAI, Anthropic, Gemini
// or MCP write it: a list, a tool, or an object with "tools". Tools that the provider
// itself runs, such as a web search, are passed over.
func Parse(data []byte) ([]Definition, error) {
	tools, err := toolfile.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("tools: %w", err)
	}
	return Of(tools...), nil
}

// Infer returns a definition whose arguments are those of the struct T, by its json
// tags: a field without omitempty or omitzero is required, and the jsonschema tag of
// a field describes it. The schema is made when it is first needed.
func Infer[T any](name, description string) Definition {
	return Definition{Name: name, Description: description, Schema: func() (json.RawMessage, error) {
		s, err := jsonschema.For[T](nil)
		if err != nil {
			return nil, err
		}
		return json.Marshal(s)
	}}
}

// description is what the tool is for, as of now.
func (d *Definition) description() string {
	if d.Describe != nil {
		return d.Describe()
	}
	return d.Description
}

// schema makes the schema of the arguments.
func (d *Definition) schema() (json.RawMessage, error) {
	if d.Schema == nil {
		return d.Parameters, nil
	}
	return d.Schema()
}
