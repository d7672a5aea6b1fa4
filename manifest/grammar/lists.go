package grammar

import (
	"fmt"

	written "github.com/toolparse/toolparse/format/text"
	"github.com/toolparse/toolparse/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// readsLists reports whether calls in a list are read as such, though the dialect writes
// one after another.
func (w *writer) readsLists() bool {
	one, err := written.NewWriter(w.d, written.Options{})
	if err != nil {
		return false
	}
	call, err := one.Append(nil, written.Message{Calls: []toolcall.ToolInvocation{{Name: w.tools[0].Name}}})
	if err != nil {
		return false
	}
	p, err := parser.New(parser.Options{Dialects: []*parser.Dialect{w.d}})
	if err != nil {
		return false
	}
	calls := 0
	for _, e := range p.Close(p.Feed(nil, fmt.Sprintf("[%s, %[1]s]", call))) {
		switch {
		case !e.Segment.IsCall():
			return false
		case e.Type == toolcall.SegmentEnd && (e.Status != toolcall.Complete || e.Tolerances != 0):
			return false
		case e.Type == toolcall.SegmentEnd:
			calls++
		}
	}
	return calls == 2
}
