package manifest

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/toolcall"
)

// Registry holds tools in the order in which they were registered. The zero value is
// empty and ready for use, and safe for concurrent use.
type Registry struct {
	mu     sync.RWMutex
	list   []Definition
	byName map[string]int
}

// Register adds tools. Where one has no name, or the name of another, or a schema that
// is not valid, the error says so and none is added. A schema that is made when it is
// needed is checked then.
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
			if _, err := compile(toolcall.ToolDefinition{Name: d.Name, Parameters: d.Parameters}); err != nil {
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
		r.list = append(r.list, d.cached())
	}
	return nil
}

// Lookup returns the tool of a name.
func (r *Registry) Lookup(name string) (Definition, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	at, ok := r.byName[name]
	if !ok {
		return Definition{}, false
	}
	return r.list[at], true
}

// All returns the tools. With categories, only those in one of them.
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

// Categories returns those that the tools are in, in the order of the tools.
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

// cached returns d with a schema that is made once, when it is first needed.
func (d Definition) cached() Definition {
	if d.Schema != nil {
		d.Schema = sync.OnceValues(d.Schema)
	}
	return d
}

// Tool returns the definition in its plain form, with its description as of now. Its
// error names the tool, and the place in a schema that cannot be read.
func (d Definition) Tool() (toolcall.ToolDefinition, error) {
	raw, err := d.schema()
	if err != nil {
		return toolcall.ToolDefinition{}, fmt.Errorf("tool %q: schema: %w", d.Name, err)
	}
	t := toolcall.ToolDefinition{Name: d.Name, Description: d.description(), Parameters: raw}
	if _, err := compile(t); err != nil {
		return toolcall.ToolDefinition{}, err
	}
	return t, nil
}

// Tools returns the plain form of definitions; see [Definition.Tool].
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

// compile reads the schema of a tool, and refuses one that is not valid.
func compile(t toolcall.ToolDefinition) (*schema.Schema, error) {
	if len(t.Parameters) > 0 && !json.Valid(t.Parameters) {
		return nil, fmt.Errorf("tool %q: its schema is not valid JSON", t.Name)
	}
	err := schema.Check(t.Parameters)
	var s *schema.Schema
	if err == nil {
		s, err = schema.Compile(t.Parameters)
	}
	if err != nil {
		return nil, fmt.Errorf("tool %q: %w", t.Name, err)
	}
	return s, nil
}
