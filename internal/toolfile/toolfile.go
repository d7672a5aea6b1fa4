package toolfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"

	"github.com/toolparse/toolparse/toolcall"
)

// List is what a tool file holds.
type List struct {
	Tools []toolcall.ToolDefinition
	// Hosted are the tools without a name that the provider itself defines and runs,
	// such as web_search: there is nothing to tell a model of them.
	Hosted []string
}

// Read reads the tool definitions in a file; see [Parse]. Errors name the
// file: an [*Error] what is wrong inside it, an [*os.PathError] one that
// cannot be read.
func Read(name string) (List, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return List{}, err
	}
	list, err := ParseList(data)
	if broken, ok := errors.AsType[*Error](err); ok {
		broken.File = name
	}
	return list, err
}

// Parse reads tool definitions from JSON, in the order in which they stand:
//
//	[{"type":"function","function":{"name":"n","parameters":{...}}}]   OpenAI Chat Completions
//	[{"type":"function","name":"n","parameters":{...}}]                OpenAI Responses
//	[{"name":"n","input_schema":{...}}]                                Anthropic
//	[{"functionDeclarations":[{"name":"n","parameters":{...}}]}]       Gemini
//	{"tools":[{"name":"n","inputSchema":{...}}]}                       MCP
//
// each as a list, as one tool, or below "tools" of an object, such as a
// request body or the result of MCP's tools/list. Shapes may be mixed. Tools
// that the provider itself defines and that have no name are passed over. Gemini's type
// names in capitals become those of JSON Schema; all else in a schema stays
// byte for byte, and the definitions own their memory.
//
// The error is an [*Error]. It costs time and memory linear in data.
func Parse(data []byte) ([]toolcall.ToolDefinition, error) {
	list, err := ParseList(data)
	return list.Tools, err
}

// ParseList is [Parse] with what it passes over.
func ParseList(data []byte) (List, error) {
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	var whole json.RawMessage
	if err := json.Unmarshal(data, &whole); err != nil {
		return List{}, syntaxError(data, err)
	}
	r := reader{seen: map[string]string{}}
	if err := r.any(whole, "$"); err != nil {
		return List{}, err
	}
	return List{Tools: r.tools, Hosted: r.hosted}, nil
}
