package conform

import (
	"testing"

	"github.com/toolparse/toolparse/internal/adapter"
	"github.com/toolparse/toolparse/toolcall"
)

func TestCollectorRefusesIllegalOrder(t *testing.T) {
	text := toolcall.SegmentText
	start := func(id, raw string) toolcall.Event {
		return toolcall.Event{Type: toolcall.SegmentStart, Segment: text, ID: id, Raw: raw}
	}
	content := func(id, raw string) toolcall.Event {
		return toolcall.Event{Type: toolcall.SegmentContent, Segment: text, ID: id, Payload: raw, Raw: raw}
	}
	end := func(id string) toolcall.Event {
		return toolcall.Event{Type: toolcall.SegmentEnd, Segment: text, ID: id, Status: toolcall.Complete}
	}
	native := toolcall.Event{Type: toolcall.SegmentStart, Segment: toolcall.SegmentToolCall, ID: "2"}
	type events = []toolcall.Event
	tests := []struct {
		name   string
		events events
		want   string
	}{
		{"legal", events{start("1", ""), content("1", "a"), end("1"), start("2", ""), content("2", "b"), end("2")}, ""},
		{"two starts", events{start("1", "a"), start("1", "b")}, `event 1, segment "1": a second start of its segment`},
		{"no start", events{content("1", "a")}, `event 0, segment "1": no start event before it`},
		{"no end", events{start("1", "ab")}, `event 1, segment "1": a segment without an end`},
		{"overlap", events{start("1", ""), native, content("1", "a")}, "SEGMENT_CONTENT of segment 1 inside segment 2"},
		{"lost bytes", events{start("1", "a"), end("1")}, `events do not account for the last 1 bytes of the input: "b"`},
		{"other bytes", events{start("1", "x")}, `events do not account for the input: want the raw bytes "ab", got "x"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, err := adapter.New(adapter.Options{})
			if err != nil {
				t.Fatal(err)
			}
			c := collector{adapter: a, rest: "ab"}
			err = c.add(tt.events)
			if err == nil {
				err = c.finish()
			}
			if tt.want == "" && err == nil {
				if got := c.out.content(toolcall.SegmentText); got != "ab" {
					t.Errorf("got text %q, want ab", got)
				}
				return
			}
			if err == nil || err.Error() != tt.want {
				t.Errorf("got error %v, want %q", err, tt.want)
			}
		})
	}
}
