package conform

import (
	"testing"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/adapter"
)

func TestCollectorRefusesIllegalOrder(t *testing.T) {
	start := func(id, raw string) toolparse.Event {
		return toolparse.Event{Type: toolparse.SegmentStart, Segment: toolparse.SegmentText, ID: id, Raw: raw}
	}
	content := func(id, raw string) toolparse.Event {
		return toolparse.Event{Type: toolparse.SegmentContent, Segment: toolparse.SegmentText, ID: id, Payload: raw, Raw: raw}
	}
	end := func(id string) toolparse.Event {
		return toolparse.Event{Type: toolparse.SegmentEnd, Segment: toolparse.SegmentText, ID: id, Status: toolparse.Complete}
	}
	type events = []toolparse.Event
	tests := []struct {
		name   string
		events events
		want   string
	}{
		{"legal", events{start("1", ""), content("1", "a"), content("1", "b"), end("1")}, ""},
		{"interleaved", events{start("1", ""), start("2", ""), content("1", "a"), content("2", ""), content("1", "b"), end("2"), end("1")}, ""},
		{"two starts", events{start("1", "a"), start("1", "b")}, "segment 1 starts twice"},
		{"no start", events{content("1", "a")}, `SEGMENT_CONTENT of segment "1", which never started`},
		{"content after the end", events{start("1", ""), end("1"), content("1", "a")}, "SEGMENT_CONTENT of segment 1, which had ended"},
		{"two ends", events{start("1", ""), end("1"), end("1")}, "SEGMENT_END of segment 1, which had ended"},
		{"no end", events{start("1", "ab")}, "segment 1 never ends"},
		{"lost bytes", events{start("1", "a"), end("1")}, `events do not account for the last 1 bytes of the input: "b"`},
		{"other bytes", events{start("1", "x")}, `events do not account for the input: want the raw bytes "ab", got "x"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, err := adapter.New(adapter.Options{})
			if err != nil {
				t.Fatal(err)
			}
			c := collector{adapter: a, rest: "ab", place: map[string]int{}}
			err = c.add(tt.events)
			if err == nil {
				err = c.finish()
			}
			if tt.want == "" && err == nil {
				if got := c.out.content(toolparse.SegmentText); got != "ab" {
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
