package toolcall

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/internal/callmeta"
)

func TestEventsAreReadBack(t *testing.T) {
	for _, e := range []Event{
		{Type: SegmentStart, Segment: SegmentText, ID: "seg_1"},
		{Type: SegmentContent, Segment: SegmentText, ID: "seg_1", Payload: "a<\u2028>", Raw: "a<\u2028>"},
		{Type: SegmentContent, Segment: SegmentText, ID: "seg_1", Payload: "\uFFFD", Raw: "\xff"},
		{Type: SegmentStart, Segment: SegmentToolCall, ID: "seg_2", Name: "add", Payload: `{"call_id":"c1"}`, Raw: "<tool>", Origin: callmeta.NewOrigin("xml", "")},
		{Type: SegmentStart, Segment: SegmentWriteFile, ID: "seg_2", Name: "write_file", Payload: `{"path":"a","n":1.50,"status":"own"}`, Origin: callmeta.NewOrigin("xml", "content")},
		{Type: SegmentEnd, Segment: SegmentToolCall, ID: "seg_2", Status: Malformed, Reason: ReasonInvalidJSON, Tolerances: TrailingComma | ExtraCloser, Payload: `{"call_id":"c1"}`},
	} {
		text, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		var again Event
		if err := json.Unmarshal(text, &again); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if diff := cmp.Diff(e, again); diff != "" {
			t.Errorf("%s (-written +read):\n%s", text, diff)
		}
	}
}

func TestInvocationsAreReadBack(t *testing.T) {
	for _, call := range []ToolInvocation{
		{ID: "seg_1", Name: "add", Arguments: json.RawMessage(`{"a":1.0}`), Status: Complete},
		{ID: "seg_1", CallID: "c", Name: "add", Arguments: json.RawMessage(`{"a":`), Status: Incomplete, Reason: ReasonEndOfStream},
		{
			ID: "seg_1", Name: "add", Arguments: json.RawMessage(`{}`), Status: Complete, Tolerances: MissingCloser, Unknown: true,
			Problems: []Problem{{Path: "/a", Rule: "required", Message: "is missing"}}, Unchecked: []string{"/b: pattern"},
			Dialect: "hermes", Start: 0, End: 9,
		},
	} {
		text, err := json.Marshal(call)
		if err != nil {
			t.Fatal(err)
		}
		var again ToolInvocation
		if err := json.Unmarshal(text, &again); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if diff := cmp.Diff(call, again); diff != "" {
			t.Errorf("%s (-written +read):\n%s", text, diff)
		}
	}
}

func TestUnmarshalFails(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{`{"type":"SEGMENT_MIDDLE"}`, `unknown event type "SEGMENT_MIDDLE"`},
		{`{"type":"SEGMENT_END","payload":{"metadata":{"status":"fine"}}}`, `unknown status "fine"`},
		{`{"type":"SEGMENT_END","payload":{"metadata":{"tolerances":["all"]}}}`, `unknown tolerance "all"`},
		{`{"type":"SEGMENT_END","payload":{"metadata":[]}}`, `expected an object`},
		{`{"type":"SEGMENT_CONTENT","raw_base64":"?"}`, `raw_base64`},
		{`[]`, `cannot unmarshal array`},
	} {
		var e Event
		if err := json.Unmarshal([]byte(tt.text), &e); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.text, err, tt.want)
		}
	}
}
