package toolcall

import (
	"encoding/json"
	"slices"
	"testing"
)

// TestEventParameters: every argument comes out under its own name, whatever
// that means among the metadata, and nothing else does.
func TestEventParameters(t *testing.T) {
	for _, tt := range []struct {
		event Event
		want  []string
	}{
		{Event{Type: SegmentStart, Payload: `{"path":"a","n": 1.0,"call_id":"c","unknown_tool":true}`}, []string{`path="a"`, `n=1.0`}},
		{Event{Type: SegmentEnd, Payload: `{"arguments":{"call_id":1,"arguments":{"status":2}},"mode":null}`}, []string{`call_id=1`, `arguments={"status":2}`, `mode=null`}},
		{Event{Type: SegmentEnd, Payload: `{"arguments":5,"a":1}`}, []string{`a=1`}},
		{Event{Type: SegmentStart, Payload: `{"a":1,"b":`}, []string{`a=1`}},
		{Event{Type: SegmentContent, Payload: `{"a":1}`}, nil},
		{Event{Type: SegmentStart, Payload: `[1]`}, nil},
		{Event{Type: SegmentStart}, nil},
	} {
		var got []string
		for name, value := range tt.event.Parameters() {
			if !json.Valid(value) {
				t.Errorf("%s: %s is %q", tt.event.Payload, name, value)
			}
			got = append(got, name+"="+string(value))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.event.Payload, got, tt.want)
		}
	}
	for name := range (Event{Type: SegmentStart, Payload: `{"arguments":{"a":1,"b":2},"c":3}`}).Parameters() {
		if name != "a" {
			t.Errorf("it goes on after the caller has stopped, with %q", name)
		}
		break
	}
}
