package manifest

import (
	"fmt"
	"slices"
	"sync"

	"github.com/toolparse/toolparse/internal/toolset"
	"github.com/toolparse/toolparse/toolcall"
)

// Registry keeps tools in the order of their registration. The zero value is empty and
// ready to use. A Registry is safe for concurrent use.
type Registry struct {
	mu     sync.RWMutex
	list   []Definition
	byName map[string]int
}

// Register adds tools. If one has no name, the name of another tool, or an invalid
// schema, it adds none of them and returns an error. A schema that a function makes is
// checked when it is first needed.
func (r *Registry) Register(defs ...Definition) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	taken := make(map[string]bool, len(defs))
	for i, d := range defs {
		_, known := r.byName[d.Name]
		switch {
		case d.Name == "":
			return fmt.Errorf("tool %d has no name", i+1)
		case known, taken[d.Name]:
			return fmt.Errorf("tool %q is already registered", d.Name)
		case d.Schema == nil:
			if _, err := toolset.Compile(toolcall.ToolDefinition{Name: d.Name, Parameters: d.Parameters}); err != nil {
				return err
			}
		}
		taken[d.Name] = true
	}
	if r.byName == nil {
		r.byName = make(map[string]int, len(defs))
	}
	for _, d := range defs {
		r.byName[d.Name] = len(r.list)
		if d.Schema != nil {
			d.Schema = sync.OnceValues(d.Schema) // makes it when it is first needed
		}
		r.list = append(r.list, d)
	}
	return nil
}

// Lookup returns the tool with this exact name.
func (r *Registry) Lookup(name string) (Definition, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	at, ok := r.byName[name]
	if !ok {
		return Definition{}, false
	}
	return r.list[at], true
}

// All returns the tools: all of them, or those in one of the categories.
func (r *Registry) All(categories ...string) []Definition {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if len(categories) == 0 {
		return slices.Clone(r.list)
	}
	var list []Definition
	for _, d := range r.list {
		if slices.Contains(categories, d.Category) {
			list = append(list, d)
		}
	}
	return list
}

// Categories returns the categories of the tools, in the order of the tools.
func (r *Registry) Categories() []string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	var list []string
	for _, d := range r.list {
		if d.Category != "" && !slices.Contains(list, d.Category) {
			list = append(list, d.Category)
		}
	}
	return list
}

// Tool returns the plain form of the definition, with its current description. The error
// names the tool and the place in a schema that cannot be read.
func (d Definition) Tool() (toolcall.ToolDefinition, error) {
	t, err := d.plain()
	if err == nil {
		_, err = toolset.Compile(t)
	}
	if err != nil {
		return toolcall.ToolDefinition{}, err
	}
	return t, nil
}

// plain is Tool without a check of the schema.
func (d *Definition) plain() (toolcall.ToolDefinition, error) {
	t := toolcall.ToolDefinition{Name: d.Name, Description: d.Description, Parameters: d.Parameters}
	if d.Schema != nil {
		var err error
		if t.Parameters, err = d.Schema(); err != nil {
			return toolcall.ToolDefinition{}, fmt.Errorf("tool %q: schema: %w", d.Name, err)
		}
	}
	if d.Describe != nil {
		t.Description = d.Describe()
	}
	return t, nil
}

// Tools returns the plain forms of definitions; see [Definition.Tool].
func Tools(defs []Definition) ([]toolcall.ToolDefinition, error) {
	list := make([]toolcall.ToolDefinition, len(defs))
	for i, d := range defs {
		var err error
		if list[i], err = d.Tool(); err != nil {
			return nil, err
		}
	}
	return list, nil
}
