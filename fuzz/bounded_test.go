package fuzz

import (
	"encoding/json"
	"fmt"

	"github.com/toolparse/toolparse/toolcall"
)

// slack is how many bytes a parser may exceed its limits: one marker.
const slack = 64

// bounded checks invariant 7 for a recording with small limits: the bytes held back and
// the number, size and depth of calls stay within them.
func bounded(r recording) error {
	l := r.opts.Limits
	fed, told, calls := 0, 0, 0
	sizes := map[string]int{}
	for i, s := range r.steps {
		fed += len(s.chunk)
		for _, e := range s.events {
			told += len(e.Raw)
			if e.Type == toolcall.SegmentStart && e.Segment.IsCall() {
				sizes[e.ID] = 0
			}
			if _, ok := sizes[e.ID]; ok {
				sizes[e.ID] += len(e.Raw)
			}
			if e.Type == toolcall.SegmentEnd && e.Segment.IsCall() && e.Status == toolcall.Complete {
				calls++
				if n := sizes[e.ID]; l.CallBytes > 0 && n > l.CallBytes+l.BlankBytes+slack {
					return fmt.Errorf("%s: complete with %d bytes, the limit is %d", e.ID, n, l.CallBytes)
				}
			}
		}
		if held := fed - told; l.HeldBytes > 0 && l.BlankBytes > 0 && held > l.HeldBytes+l.BlankBytes+slack {
			return fmt.Errorf("step %d: %d bytes held back, the limits are %d and %d blank", i, held, l.HeldBytes, l.BlankBytes)
		}
	}
	if l.Calls > 0 && calls > l.Calls {
		return fmt.Errorf("%d complete calls, the limit is %d", calls, l.Calls)
	}
	if l.Depth == 0 {
		return nil
	}
	segs, err := segments(r.events())
	if err != nil {
		return err
	}
	for _, s := range segs {
		if s.Type == toolcall.SegmentToolCall && s.Status == toolcall.Complete {
			if d := depth(s.Payload); d > l.Depth+1 {
				return fmt.Errorf("%s: complete with depth %d, the limit is %d", s.ID, d, l.Depth)
			}
		}
	}
	return nil
}

// depth returns how deep brackets nest in valid JSON.
func depth(text string) int {
	var raw json.RawMessage
	if json.Unmarshal([]byte(text), &raw) != nil {
		return 0
	}
	deepest, now, inString := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			now++
			deepest = max(deepest, now)
		case c == '}' || c == ']':
			now--
		}
	}
	return deepest
}
