package conform

import (
	"fmt"
	"strings"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/adapter"
	"github.com/toolparse/toolparse/parser"
)

// outcome is what one parse of an input gave.
type outcome struct {
	segments []segment
	calls    []toolparse.ToolInvocation
}

// segment is a segment with its contents joined, as it is the same for every
// cut of the input.
type segment struct {
	start, end toolparse.Event // without raw
	content    string
	ended      bool
}

// parse runs the parser and the adapter over chunks.
func (v Vector) parse(dialects []*parser.Dialect, chunks []string) (outcome, error) {
	p, err := parser.New(parser.Options{Dialects: dialects, Tools: v.Tools, StartInReasoning: v.StartInReasoning})
	if err != nil {
		return outcome{}, err
	}
	a, err := adapter.New(adapter.Options{Tools: v.Tools})
	if err != nil {
		return outcome{}, err
	}
	c := collector{adapter: a, rest: v.Input, place: map[string]int{}}
	var events []toolparse.Event
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

// collector gathers events into an outcome and checks on the way that they
// come in a legal order and account for the input, byte for byte.
type collector struct {
	out     outcome
	adapter *adapter.Adapter
	rest    string         // the input that no event has accounted for yet
	place   map[string]int // segment id to its place in out.segments
	content strings.Builder
	inside  int // 1 + the place of the segment that content belongs to
}

func (c *collector) add(events []toolparse.Event) error {
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

// step takes an event to its segment.
func (c *collector) step(e toolparse.Event) error {
	at, known := c.place[e.ID]
	switch {
	case e.Type == toolparse.SegmentStart && known:
		return fmt.Errorf("segment %s starts twice", e.ID)
	case e.Type == toolparse.SegmentStart:
		e.Raw = ""
		c.place[e.ID] = len(c.out.segments)
		c.out.segments = append(c.out.segments, segment{start: e})
		return nil
	case !known:
		return fmt.Errorf("%v of segment %q, which never started", e.Type, e.ID)
	case c.out.segments[at].ended:
		return fmt.Errorf("%v of segment %s, which had ended", e.Type, e.ID)
	}
	if c.inside != at+1 {
		c.flush()
		c.inside = at + 1
	}
	if e.Type == toolparse.SegmentContent {
		c.content.WriteString(e.Payload)
		return nil
	}
	c.flush()
	e.Raw = ""
	c.out.segments[at].end, c.out.segments[at].ended = e, true
	return nil
}

// flush moves the gathered content to its segment.
func (c *collector) flush() {
	if c.inside > 0 {
		c.out.segments[c.inside-1].content += c.content.String()
		c.content.Reset()
		c.inside = 0
	}
}

func (c *collector) finish() error {
	for _, s := range c.out.segments {
		if !s.ended {
			return fmt.Errorf("segment %s never ends", s.start.ID)
		}
	}
	if c.rest != "" {
		return fmt.Errorf("events do not account for the last %d bytes of the input: %s", len(c.rest), clip(c.rest))
	}
	return nil
}

// content joins what the segments of one type hold.
func (o outcome) content(of toolparse.SegmentType) string {
	var b strings.Builder
	for _, s := range o.segments {
		if s.start.Segment == of {
			b.WriteString(s.content)
		}
	}
	return b.String()
}
