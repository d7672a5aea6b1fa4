package fuzz

import (
	"fmt"
	"strings"

	"github.com/toolparse/toolparse/toolcall"
)

// joint is Channels.Joint of the table: it stands between two messages of one turn,
// and is the only text that is not from the input.
const joint = "\n"

// lossless checks invariant 1: the raws, joined, are the input; and text is
// passed on as it was written.
func lossless(r recording) error {
	var raw strings.Builder
	types := map[string]toolcall.SegmentType{}
	for i, e := range r.events() {
		raw.WriteString(e.Raw)
		switch e.Type {
		case toolcall.SegmentStart:
			types[e.ID] = e.Segment
		case toolcall.SegmentContent:
			isJoint := e.Raw == "" && e.Payload == joint
			if t := types[e.ID]; t == toolcall.SegmentText && e.Payload != e.Raw && !isJoint {
				return fmt.Errorf("event %d: text %q accounts for %q", i, e.Payload, e.Raw)
			}
		}
	}
	in := r.input()
	if got := raw.String(); got != in {
		at := 0
		for at < min(len(got), len(in)) && got[at] == in[at] {
			at++
		}
		return fmt.Errorf("raw differs from the input at byte %d: got %d bytes ...%.60q, want %d bytes ...%.60q", at, len(got), got[at:], len(in), in[at:])
	}
	return nil
}

// causal checks that no event accounts for bytes that have not arrived.
func causal(r recording) error {
	fed, told := 0, 0
	for i, s := range r.steps {
		fed += len(s.chunk)
		for _, e := range s.events {
			told += len(e.Raw)
		}
		if told > fed {
			return fmt.Errorf("step %d: %d bytes told of %d fed", i, told, fed)
		}
	}
	return nil
}
