package vectorgen

import (
	"encoding/json"
	"strings"

	"github.com/toolparse/toolparse/internal/adapter"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// readByParser sets the expectation to what the parser reads. It does not assert the
// arguments of a call that is not complete.
func (v *Vector) readByParser(d *dialect.Dialect, tools []toolcall.ToolDefinition) error {
	p, err := parser.New(parser.Options{Dialects: []*dialect.Dialect{d}, Tools: tools})
	if err != nil {
		return err
	}
	a, err := adapter.New(adapter.Options{Tools: tools})
	if err != nil {
		return err
	}
	v.Expect = Expected{Calls: []Call{}}
	var visible, reasoning strings.Builder
	for _, e := range p.Close(p.Feed(nil, v.Input)) {
		switch e.Segment {
		case toolcall.SegmentText:
			visible.WriteString(e.Delta())
		case toolcall.SegmentReasoning:
			reasoning.WriteString(e.Delta())
		default:
			if call, ok := a.Add(e); ok {
				v.add(call)
			}
		}
	}
	v.Expect.Text, v.Expect.Reasoning = visible.String(), reasoning.String()
	return nil
}

// add adds a call to the expectation.
func (v *Vector) add(call toolcall.ToolInvocation) {
	c := Call{Name: call.Name, Arguments: call.Arguments}
	if call.Status != toolcall.Complete {
		v.Compare.Args = "name-only"
		c.Arguments = json.RawMessage("{}")
	}
	v.Expect.Incomplete = call.Status == toolcall.Incomplete
	v.Expect.Calls = append(v.Expect.Calls, c)
}
