package conform

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/toolparse/toolparse/internal/adapter"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// outcome is the result of parsing an input once.
type outcome struct {
	segments []segment
	calls    []toolcall.ToolInvocation
}

// segment is a segment with its contents joined, so that every cut of the input gives
// the same.
type segment struct {
	start, end toolcall.Event // without Raw
	content    string
}

// reader parses the input of a vector in any cut.
type reader struct {
	input   string
	parser  *parser.Compiled
	adapter *adapter.Compiled
}

// reader compiles the parser and the adapter for v.
func (v Vector) reader(dialects []*dialect.Dialect) (reader, error) {
	tools := v.Definitions()
	p, err := parser.Compile(parser.Options{Dialects: dialects, Tools: tools, StartInReasoning: v.Start != ""})
	if err != nil {
		return reader{}, err
	}
	a, err := adapter.Compile(adapter.Options{Tools: tools})
	return reader{v.Input, p, a}, err
}

// ExpectRead sets the expectation to what the parser reads. It does not assert the arguments
// of a call that is not complete.
func (v *Vector) ExpectRead(d *dialect.Dialect) error {
	r, err := v.reader([]*dialect.Dialect{d})
	if err != nil {
		return err
	}
	o, err := r.parse([]string{v.Input})
	text, reasoning, calls := o.content(toolcall.SegmentText), o.content(toolcall.SegmentReasoning), []Call{}
	v.Expect = Expectation{Text: &text, Reasoning: &reasoning, Calls: &calls}
	for _, call := range o.calls {
		c := Call{call.Name, call.Arguments}
		if call.Status != toolcall.Complete {
			v.Compare.Args, c.Arguments = ArgsNameOnly, json.RawMessage("{}")
		}
		v.Expect.Incomplete = call.Status == toolcall.Incomplete
		calls = append(calls, c)
	}
	return err
}

// parse runs a new parser and a new adapter over chunks. A panic is an error.
func (r reader) parse(chunks []string) (o outcome, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	p := r.parser.New()
	c := collector{adapter: r.adapter.New(), rest: r.input}
	var events []toolcall.Event
	for _, chunk := range chunks {
		events = p.Feed(events[:0], chunk)
		if err := c.add(events); err != nil {
			return c.out, err
		}
	}
	if err := c.add(p.Close(events[:0])); err != nil {
		return c.out, err
	}
	return c.out, c.finish()
}

// collector collects events into an outcome. It checks that their order is legal, and
// that they account for every byte of the input.
type collector struct {
	out     outcome
	adapter *adapter.Adapter
	order   parser.Order
	rest    string          // input for which no event has come yet
	content strings.Builder // content of the open segment
}

func (c *collector) add(events []toolcall.Event) error {
	for _, e := range events {
		rest, ok := strings.CutPrefix(c.rest, e.Raw)
		if !ok {
			return fmt.Errorf("events do not account for the input: want the raw bytes %s, got %s",
				clip(c.rest), clip(e.Raw))
		}
		c.rest = rest
		if err := c.step(e); err != nil {
			return err
		}
		if call, ok := c.adapter.Add(e); ok {
			c.out.calls = append(c.out.calls, call)
		}
	}
	return nil
}

// step adds an event to its segment, which is the last one, because the segments of
// text do not overlap.
func (c *collector) step(e toolcall.Event) error {
	if err := c.order.Check(e); err != nil {
		return err
	}
	e.Raw = ""
	if e.Type == toolcall.SegmentStart {
		c.out.segments = append(c.out.segments, segment{start: e})
		return nil
	}
	last := &c.out.segments[len(c.out.segments)-1]
	if last.start.ID != e.ID {
		return fmt.Errorf("%v of segment %s inside segment %s", e.Type, e.ID, last.start.ID)
	}
	if e.Type == toolcall.SegmentContent {
		c.content.WriteString(e.Payload)
		return nil
	}
	last.end, last.content = e, c.content.String()
	c.content.Reset()
	return nil
}

func (c *collector) finish() error {
	if err := c.order.Close(); err != nil {
		return err
	}
	if c.rest != "" {
		return fmt.Errorf("events do not account for the last %d bytes of the input: %s", len(c.rest), clip(c.rest))
	}
	return nil
}

// content joins the contents of the segments of one type.
func (o outcome) content(of toolcall.SegmentType) string {
	var b strings.Builder
	for _, s := range o.segments {
		if s.start.Segment == of {
			b.WriteString(s.content)
		}
	}
	return b.String()
}
