package manifest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/internal/toolset"
	"github.com/toolparse/toolparse/toolcall"
)

// Example is a call of a tool.
type Example struct {
	About     string          // what the call does; may be empty
	Arguments json.RawMessage // a JSON object
}

// tool is a definition that is ready to be shown.
type tool struct {
	*toolset.Tool
	doc      *document // the schema as it is shown
	examples []Example
	callable bool   // by the tool choice
	quoted   []byte // the description as JSON, if it differs from that of the plain text

	full  toolcall.ToolInvocation // a call with an optional parameter; without a name if there is none
	least toolcall.ToolInvocation // a call with only the required parameters, if possible; set by vary
	other toolcall.ToolInvocation // another call like least, with other values if possible; likewise
	loose bool                    // the calls contain placeholders
	why   error                   // why there are no calls
}

// newTools prepares definitions. Its errors name the tool.
func newTools(defs []toolcall.ToolDefinition) ([]*tool, error) {
	read, err := toolset.Read(defs)
	if err != nil {
		return nil, err
	}
	list := make([]*tool, len(defs))
	for i, t := range read {
		requote(t.Root)
		list[i] = &tool{Tool: t, doc: &document{t.Root, t.Document}, callable: true}
	}
	return list, nil
}

// definitions returns the plain forms of tools.
func definitions(tools []*tool) []toolcall.ToolDefinition {
	defs := make([]toolcall.ToolDefinition, len(tools))
	for i, t := range tools {
		defs[i] = t.ToolDefinition
	}
	return defs
}

// schemas returns the schemas of tools by their names.
func schemas(tools []*tool) map[string]*schema.Schema {
	all := make(map[string]*schema.Schema, len(tools))
	for _, t := range tools {
		all[t.Name] = t.Schema
	}
	return all
}

// optionals are the indices of the optional parameters that an example may include, in the
// order in which they are tried; -1 means none.
var optionals = []int{0, 1, 2, 3, -1}

// write writes calls as one turn of the model.
type write func(calls ...toolcall.ToolInvocation) (string, error)

// sample makes a call of the tool that w accepts. Its error is a fault of the schema. If there
// is no example, t.why says why.
func (t *tool) sample(w write) error {
	err := t.invent(w)
	switch {
	case errors.Is(err, errNoEnd):
		return fmt.Errorf("tool %q: schema: %w", t.Name, err)
	case (err != nil || t.loose) && t.borrow(w):
		t.loose = false
	default:
		t.why = err
	}
	return nil
}

// invent makes the call from the schema.
func (t *tool) invent(w write) error {
	var first error
	for _, optional := range optionals {
		call, placed, err := t.try(w, 0, optional)
		if err == nil {
			t.full, t.loose = call, placed
			return nil
		}
		if first = cmp.Or(first, err); errors.Is(err, schema.ErrTooLarge) || errors.Is(err, errNoEnd) {
			break
		}
	}
	return first
}

// vary makes the other calls of a tool that has one.
func (t *tool) vary(w write) {
	if t.least.Name != "" { // borrowed
		return
	}
	t.least, t.other = t.full, t.full
	vary := func(to *toolcall.ToolInvocation, turn, optional int) bool {
		call, placed, err := t.try(w, turn, optional)
		if err != nil || len(call.Arguments) == len("{}") || placed && !t.loose {
			return false
		}
		*to = call
		return true
	}
	vary(&t.least, 0, -1)
	_ = vary(&t.other, 1, -1) || vary(&t.other, 1, 0)
}

// borrow uses the examples of the options instead, and reports whether there are any.
func (t *tool) borrow(w write) bool {
	calls, err := t.checkedExamples()
	if err != nil { // composer.examples reports it
		return false
	}
	calls = slices.DeleteFunc(calls, func(call toolcall.ToolInvocation) bool {
		_, err := w(call)
		return err != nil
	})
	if len(calls) == 0 {
		return false
	}
	t.full, t.least, t.other = calls[0], calls[0], calls[len(calls)-1]
	return true
}

// try makes one call that fits the schema, apart from placeholders, and passes it to w.
func (t *tool) try(w write, turn, optional int) (call toolcall.ToolInvocation, placed bool, err error) {
	args, placed, err := t.doc.arguments(turn, optional)
	if err != nil {
		return call, false, err
	}
	call = toolcall.ToolInvocation{Name: t.Name, Arguments: json.RawMessage(args.Raw)}
	_, err = w(call)
	return call, placed, err
}

// checkedExamples returns the examples of the options after checking them. It trusts them if a
// pattern cannot be checked.
func (t *tool) checkedExamples() ([]toolcall.ToolInvocation, error) {
	if len(t.examples) == 0 {
		return nil, nil
	}
	var calls []toolcall.ToolInvocation
	for i, e := range t.examples {
		raw := e.Arguments
		if len(bytes.TrimSpace(raw)) == 0 {
			raw = json.RawMessage("{}")
		}
		if problems, _ := t.Schema.Validate(raw); len(problems) > 0 {
			return nil, fmt.Errorf("tool %q: example %d: at %q: %s", t.Name, i+1, problems[0].Path, problems[0].Message)
		}
		calls = append(calls, toolcall.ToolInvocation{Name: t.Name, Arguments: raw})
	}
	return calls, nil
}
