package parser

import (
	"fmt"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/internal/schema"
)

// tools are the declared tools, by name. A nil map means that none were.
type tools map[string]*schema.Schema

func compileTools(defs []toolparse.ToolDefinition) (tools, error) {
	if len(defs) == 0 {
		return nil, nil
	}
	known := make(tools, len(defs))
	for i, def := range defs {
		s, err := schema.Compile(def.Parameters)
		if err != nil {
			return nil, fmt.Errorf("tool %d (%q): parameters: %w", i, def.Name, err)
		}
		known[def.Name] = s
	}
	return known, nil
}

// knows reports whether name may be called: it is declared, or nothing is.
func (t tools) knows(name string) bool {
	_, ok := t[name]
	return ok || t == nil
}

// fileTool returns the file tool of that name, unless a tool with another
// meaning is declared under it.
func (t tools) fileTool(name string) *fileTool {
	for _, f := range fileTools {
		if f.name != name {
			continue
		}
		if s := t[name]; s != nil && !s.Declares(f.content) {
			return nil
		}
		return f
	}
	return nil
}
