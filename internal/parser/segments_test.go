package parser

import (
	"fmt"

	"github.com/toolparse/toolparse/toolcall"
)

// segments feeds the pieces to p, closes it, and renders every segment on a line: type, name,
// content, outcome, and the raw bytes of its start, contents and end.
func segments(p *Parser, pieces ...string) []string {
	type segment struct{ head, content, start, raw string }
	var events []toolcall.Event
	for _, piece := range pieces {
		events = p.Feed(events, piece)
	}
	open := map[string]segment{}
	var lines []string
	for _, e := range p.Close(events) {
		s := open[e.ID]
		switch e.Type {
		case toolcall.SegmentStart:
			s.head, s.start = string(e.Segment), e.Raw
			if e.Name != "" {
				s.head += " " + e.Name
			}
		case toolcall.SegmentContent:
			s.content += e.Payload
			s.raw += e.Raw
		case toolcall.SegmentEnd:
			outcome := e.Status.String()
			if e.Reason != toolcall.ReasonNone {
				outcome += " " + e.Reason.String()
			}
			if e.Tolerances != 0 {
				outcome += " " + e.Tolerances.String()
			}
			lines = append(lines, fmt.Sprintf("%s content %q %s raw %q", s.head, s.content, outcome, []string{s.start, s.raw, e.Raw}))
		}
		open[e.ID] = s
	}
	return lines
}
