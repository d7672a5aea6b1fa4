package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/toolparse/toolparse/format/text"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// tool is a definition that is ready to be shown.
type tool struct {
	toolcall.ToolDefinition
	schema   *schema.Schema
	doc      *document
	own      []Example
	callable bool   // by the tool choice
	quoted   []byte // the description as JSON, where it is not the plain one

	full  toolcall.ToolInvocation // a call with an optional parameter; without a name where none can be made
	least toolcall.ToolInvocation // one with what is required alone, where that can be written
	other toolcall.ToolInvocation // the same with other values, where there are
	why   error                   // why there are no samples
}

// newTools readies definitions. Its errors name the tool.
func newTools(defs []Definition) ([]*tool, error) {
	list := make([]*tool, len(defs))
	taken := make(map[string]bool, len(defs))
	for i, d := range defs {
		plain, err := d.Tool()
		if err != nil {
			return nil, err
		}
		if taken[d.Name] {
			return nil, fmt.Errorf("tool %q is declared twice", d.Name)
		}
		taken[d.Name] = true
		t := &tool{ToolDefinition: plain, own: d.Examples, callable: true}
		if t.schema, err = compile(plain); err == nil {
			t.doc, err = newDocument(plain.Parameters)
		}
		if err != nil {
			return nil, fmt.Errorf("tool %q: %w", d.Name, err)
		}
		if len(plain.Parameters) > 0 && t.doc.root.Is(jsonvalue.Object) && !t.takesObject() {
			return nil, fmt.Errorf("tool %q: schema: at /type: arguments are an object, but the schema allows no object", d.Name)
		}
		list[i] = t
	}
	return list, nil
}

// takesObject reports whether the schema lets the arguments be an object, as they
// always are.
func (t *tool) takesObject() bool {
	object, _ := t.schema.AllowsContainer()
	return object || t.schema.Untyped()
}

// optionals are the optional parameters that are tried for an example, in turn; -1
// is none.
var optionals = []int{0, 1, 2, 3, -1}

// write writes calls as one turn of the model.
type write func(calls ...toolcall.ToolInvocation) (string, error)

// sample makes calls of the tool that w accepts. An error is a fault of the schema;
// that no example was found is in t.why.
func (t *tool) sample(w write) error {
	for _, optional := range optionals {
		call, err := t.try(w, 0, optional)
		if errors.Is(err, errNoEnd) {
			return fmt.Errorf("tool %q: schema: %w", t.Name, err)
		}
		if t.why = err; err == nil {
			t.full = call
		}
		if err == nil || errors.Is(err, errTooLarge) {
			break
		}
	}
	if t.why != nil {
		t.borrow(w)
		return nil
	}
	t.least, t.other = t.full, t.full
	if call, err := t.try(w, 0, -1); err == nil && len(call.Arguments) > len("{}") {
		t.least = call
	}
	for _, optional := range []int{-1, 0} {
		if call, err := t.try(w, 1, optional); err == nil && len(call.Arguments) > len("{}") {
			t.other = call
			break
		}
	}
	return nil
}

// borrow takes the examples that came with the definition for those that could not be
// made.
func (t *tool) borrow(w write) {
	calls, err := t.given()
	if err != nil { // it is told where they are shown
		return
	}
	for _, call := range calls {
		if _, err := w(call); err != nil {
			continue
		}
		if t.full.Name == "" {
			t.full, t.least, t.why = call, call, nil
		}
		t.other = call
	}
}

// try makes one call that fits the schema and that w accepts.
func (t *tool) try(w write, turn, optional int) (toolcall.ToolInvocation, error) {
	args, err := t.doc.arguments(turn, optional)
	if err != nil {
		return toolcall.ToolInvocation{}, err
	}
	call := toolcall.ToolInvocation{Name: t.Name, Arguments: json.RawMessage(args.Raw)}
	_, err = w(call)
	return call, err
}

// given checks the examples that came with the definition. Where a pattern cannot be
// checked, they are trusted.
func (t *tool) given() ([]toolcall.ToolInvocation, error) {
	var calls []toolcall.ToolInvocation
	for i, e := range t.own {
		raw := e.Arguments
		if len(bytes.TrimSpace(raw)) == 0 {
			raw = json.RawMessage("{}")
		}
		if problems, _ := t.schema.Validate(raw); len(problems) > 0 {
			return nil, fmt.Errorf("tool %q: example %d: at %q: %s", t.Name, i+1, problems[0].Path, problems[0].Message)
		}
		calls = append(calls, toolcall.ToolInvocation{Name: t.Name, Arguments: raw})
	}
	return calls, nil
}

// writer returns what writes calls of these tools in a dialect. Every text that it
// gives was read back.
func writer(d *parser.Dialect, tools ...*tool) (write, error) {
	defs := make([]toolcall.ToolDefinition, len(tools))
	for i, t := range tools {
		defs[i] = t.ToolDefinition
	}
	w, err := text.NewWriter(d, text.Options{Tools: defs})
	if err != nil {
		return nil, err
	}
	return func(calls ...toolcall.ToolInvocation) (string, error) {
		out, err := w.Append(nil, text.Message{Calls: calls})
		return string(out), err
	}, nil
}
