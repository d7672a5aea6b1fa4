package schema

import (
	"fmt"

	"github.com/toolparse/toolparse/toolcall"
)

// CompileTools compiles the parameters of tools, by their names; of no tools it
// returns nil. The error names the place of the tool and its name.
func CompileTools(defs []toolcall.ToolDefinition) (map[string]*Schema, error) {
	if len(defs) == 0 {
		return nil, nil
	}
	known := make(map[string]*Schema, len(defs))
	for i, def := range defs {
		s, err := Compile(def.Parameters)
		if err != nil {
			return nil, fmt.Errorf("tool %d (%q): parameters: %w", i, def.Name, err)
		}
		known[def.Name] = s
	}
	return known, nil
}
