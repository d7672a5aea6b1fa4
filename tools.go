package toolparse

import (
	"github.com/toolparse/toolparse/internal/toolfile"
	"github.com/toolparse/toolparse/manifest"
)

// Tool defines a tool whose parameters are the fields of the struct T, by the
// rules of encoding/json; the tag jsonschema:"..." describes a field. It fails on
// a type that JSON cannot express.
func Tool[T any](name, description string) (ToolDefinition, error) {
	tools, err := manifest.Tools([]manifest.Definition{manifest.Infer[T](name, description)})
	if err != nil {
		return ToolDefinition{}, err
	}
	return tools[0], nil
}

// ReadTools reads a list of tools in the shape of any provider, or of MCP. It fails
// on what is no definition of a tool, with its place in the list.
func ReadTools(list []byte) ([]ToolDefinition, error) { return toolfile.Parse(list) }
