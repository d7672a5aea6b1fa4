package toolcall

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/internal/callmeta"
)

func TestEventJSON(t *testing.T) {
	for _, tt := range []struct {
		name  string
		event Event
		want  string
	}{
		{"text starts",
			Event{Type: SegmentStart, Segment: SegmentText, ID: "seg_1"},
			`{"type":"SEGMENT_START","segment_id":"seg_1","segment_type":"text","payload":{},"raw":""}`},
		{"a call starts",
			Event{Type: SegmentStart, Segment: SegmentToolCall, ID: "seg_2", Name: "add", Payload: `{"call_id":"c1"}`, Raw: "<tool>"},
			`{"type":"SEGMENT_START","segment_id":"seg_2","segment_type":"tool_call","payload":{"metadata":{"tool_name":"add","call_id":"c1"}},"raw":"<tool>"}`},
		{"a call starts whose content is a parameter",
			Event{Type: SegmentStart, Segment: "sql", ID: "seg_2", Name: "query", Origin: callmeta.NewOrigin("mine", "statement")},
			`{"type":"SEGMENT_START","segment_id":"seg_2","segment_type":"sql","payload":{"metadata":{"tool_name":"query"},"dialect":"mine","content_parameter":"statement"},"raw":""}`},
		{"content",
			Event{Type: SegmentContent, Segment: SegmentText, ID: "seg_1", Payload: "a<b", Raw: "a<b"},
			`{"type":"SEGMENT_CONTENT","segment_id":"seg_1","segment_type":"text","payload":{"delta":"a<b"},"raw":"a<b"}`},
		{"bytes that are not UTF-8",
			Event{Type: SegmentContent, Segment: SegmentToolCall, ID: "seg_1", Payload: "x", Raw: "\xff"},
			`{"type":"SEGMENT_CONTENT","segment_id":"seg_1","segment_type":"tool_call","payload":{"delta":"x"},"raw_base64":"/w=="}`},
		{"an end",
			Event{Type: SegmentEnd, Segment: SegmentToolCall, ID: "seg_2", Status: Incomplete, Reason: ReasonEndOfStream, Tolerances: TrailingComma},
			`{"type":"SEGMENT_END","segment_id":"seg_2","segment_type":"tool_call","payload":{"metadata":{"status":"incomplete","reason":"end_of_stream","tolerances":["trailing_comma"]}},"raw":""}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tt.event.MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestEventMetadata(t *testing.T) {
	for _, tt := range []struct {
		name  string
		event Event
		want  map[string]any
	}{
		{"none", Event{Type: SegmentStart}, nil},
		{"of content there are none", Event{Type: SegmentContent, Payload: `{"a":1}`}, nil},
		{"no JSON", Event{Type: SegmentStart, Payload: `{"a":`}, nil},
		{"numbers stay exact", Event{Type: SegmentEnd, Payload: `{"n":12345678901234567890}`}, map[string]any{"n": json.Number("12345678901234567890")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.event.Metadata()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestEventDelta(t *testing.T) {
	for typ, want := range map[EventType]string{SegmentStart: "", SegmentContent: "x", SegmentEnd: ""} {
		t.Run(typ.String(), func(t *testing.T) {
			if got := (Event{Type: typ, Payload: "x"}).Delta(); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}
