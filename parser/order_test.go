package parser

import (
	"errors"
	"testing"

	"github.com/toolparse/toolparse"
)

func TestOrder(t *testing.T) {
	const (
		start   = toolparse.SegmentStart
		content = toolparse.SegmentContent
		end     = toolparse.SegmentEnd
	)
	text := func(typ toolparse.EventType, id string) toolparse.Event {
		return toolparse.Event{Type: typ, ID: id, Segment: toolparse.SegmentText, Status: toolparse.Complete}
	}
	native := func(typ toolparse.EventType, id string) toolparse.Event {
		return toolparse.Event{Type: typ, ID: id, Segment: toolparse.SegmentToolCall, Status: toolparse.Complete}
	}
	parsed := native(start, "p")
	parsed.Raw = "<tool>"
	for _, tt := range []struct {
		name   string
		events []toolparse.Event
		want   error
	}{
		{"none", nil, nil},
		{"two in a row", []toolparse.Event{text(start, "a"), text(content, "a"), text(end, "a"), text(start, "b"), text(end, "b")}, nil},
		{"native calls side by side", []toolparse.Event{native(start, "a"), native(start, "b"), text(start, "t"), native(content, "a"), native(end, "b"), text(end, "t"), native(end, "a")}, nil},
		{"text in text", []toolparse.Event{text(start, "a"), text(start, "b")}, ErrOverlap},
		{"a parsed call in text", []toolparse.Event{text(start, "a"), parsed}, ErrOverlap},
		{"content first", []toolparse.Event{text(content, "a")}, ErrNoStart},
		{"end first", []toolparse.Event{text(end, "a")}, ErrNoStart},
		{"two starts", []toolparse.Event{text(start, "a"), text(end, "a"), text(start, "a")}, ErrTwoStarts},
		{"two ends", []toolparse.Event{text(start, "a"), text(end, "a"), text(end, "a")}, ErrEnded},
		{"another type", []toolparse.Event{text(start, "a"), native(content, "a")}, ErrOtherType},
		{"no status", []toolparse.Event{text(start, "a"), {Type: end, ID: "a", Segment: toolparse.SegmentText}}, ErrNoStatus},
		{"no id", []toolparse.Event{text(start, "")}, ErrNoSegment},
		{"no type", []toolparse.Event{text(0, "a")}, ErrEventType},
		{"no end", []toolparse.Event{text(start, "a")}, ErrNoEnd},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var o Order
			var err error
			for _, e := range tt.events {
				if err = o.Check(e); err != nil {
					break
				}
			}
			if err == nil {
				err = o.Close()
			}
			if !errors.Is(err, tt.want) || tt.want == nil && err != nil {
				t.Errorf("got %v, want %v", err, tt.want)
			}
			var place *OrderError
			if err != nil && !errors.As(err, &place) {
				t.Errorf("%v tells no place", err)
			}
		})
	}
}
