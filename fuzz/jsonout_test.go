package fuzz

import (
	"encoding/json"
	"fmt"

	"github.com/toolparse/toolparse/toolcall"
)

// jsonOut checks invariant 3: the deltas of a tool_call segment are at every
// moment a prefix of one JSON object, and all of it when it is complete; and
// metadata are JSON objects.
func jsonOut(r recording) error {
	open := map[string]*jsonPrefix{}
	for i, e := range r.events() {
		if e.Type != toolcall.SegmentContent && e.Payload != "" {
			var meta map[string]json.RawMessage
			if err := json.Unmarshal([]byte(e.Payload), &meta); err != nil {
				return fmt.Errorf("event %d: metadata %q: %w", i, e.Payload, err)
			}
		}
		switch e.Type {
		case toolcall.SegmentStart:
			if e.Segment == toolcall.SegmentToolCall && e.Name != "" { // without a name it is only what had arrived
				open[e.ID] = &jsonPrefix{}
			}
		case toolcall.SegmentContent:
			if j := open[e.ID]; j != nil {
				if err := j.write(e.Payload); err != nil {
					return fmt.Errorf("event %d, arguments of %s: delta %q: %w", i, e.ID, e.Payload, err)
				}
			}
		case toolcall.SegmentEnd:
			if j := open[e.ID]; j != nil && e.Status == toolcall.Complete && !j.done() {
				return fmt.Errorf("event %d: %s is complete, its arguments are not", i, e.ID)
			}
		}
	}
	return nil
}
