package fuzz

import (
	"fmt"
	"strings"

	"github.com/toolparse/toolparse/toolcall"
)

// segment is a segment's events folded into one value: what must not depend
// on how the stream was cut into chunks.
type segment struct {
	ID         string
	Type       toolcall.SegmentType
	Name       string
	StartMeta  string
	EndMeta    string
	Payload    string // the deltas, joined
	Raw        string // what the events account for, joined
	Status     toolcall.Status
	Reason     toolcall.Reason
	Tolerances toolcall.Tolerances
}

// segments folds events, in the order of the starts.
func segments(events []toolcall.Event) ([]segment, error) {
	type building struct {
		segment
		payload, raw strings.Builder
	}
	byID := map[string]*building{}
	var order []*building
	for i, e := range events {
		b := byID[e.ID]
		if e.Type == toolcall.SegmentStart {
			if b != nil {
				return nil, fmt.Errorf("event %d: second start of %s", i, e.ID)
			}
			b = &building{segment: segment{ID: e.ID, Type: e.Segment, Name: e.Name, StartMeta: e.Payload}}
			byID[e.ID] = b
			order = append(order, b)
		}
		if b == nil {
			return nil, fmt.Errorf("event %d: %s of %q before its start", i, e.Type, e.ID)
		}
		b.raw.WriteString(e.Raw)
		switch e.Type {
		case toolcall.SegmentContent:
			b.payload.WriteString(e.Payload)
		case toolcall.SegmentEnd:
			b.EndMeta, b.Status, b.Reason, b.Tolerances = e.Payload, e.Status, e.Reason, e.Tolerances
		}
	}
	out := make([]segment, len(order))
	for i, b := range order {
		out[i] = b.segment
		out[i].Payload, out[i].Raw = b.payload.String(), b.raw.String()
	}
	return out, nil
}

// joined returns the contents of all segments of one type.
func joined(segs []segment, t toolcall.SegmentType) string {
	var b strings.Builder
	for _, s := range segs {
		if s.Type == t {
			b.WriteString(s.Payload)
		}
	}
	return b.String()
}
