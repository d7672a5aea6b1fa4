package parser

import (
	"errors"
	"testing"

	"github.com/toolparse/toolparse/toolcall"
)

func TestOrder(t *testing.T) {
	const (
		start   = toolcall.SegmentStart
		content = toolcall.SegmentContent
		end     = toolcall.SegmentEnd
	)
	text := func(typ toolcall.EventType, id string) toolcall.Event {
		return toolcall.Event{Type: typ, ID: id, Segment: toolcall.SegmentText, Status: toolcall.Complete}
	}
	native := func(typ toolcall.EventType, id string) toolcall.Event {
		return toolcall.Event{Type: typ, ID: id, Segment: toolcall.SegmentToolCall, Status: toolcall.Complete}
	}
	parsed := native(start, "p")
	parsed.Raw = "<tool>"
	for _, tt := range []struct {
		name   string
		events []toolcall.Event
		want   error
	}{
		{"none", nil, nil},
		{"two in a row", []toolcall.Event{text(start, "a"), text(content, "a"), text(end, "a"), text(start, "b"), text(end, "b")}, nil},
		{"native calls side by side", []toolcall.Event{native(start, "a"), native(start, "b"), text(start, "t"), native(content, "a"), native(end, "b"), text(end, "t"), native(end, "a")}, nil},
		{"text in text", []toolcall.Event{text(start, "a"), text(start, "b")}, ErrOverlap},
		{"a parsed call in text", []toolcall.Event{text(start, "a"), parsed}, ErrOverlap},
		{"content first", []toolcall.Event{text(content, "a")}, ErrNoStart},
		{"end first", []toolcall.Event{text(end, "a")}, ErrNoStart},
		{"two starts", []toolcall.Event{text(start, "a"), text(end, "a"), text(start, "a")}, ErrTwoStarts},
		{"two ends", []toolcall.Event{text(start, "a"), text(end, "a"), text(end, "a")}, ErrEnded},
		{"another type", []toolcall.Event{text(start, "a"), native(content, "a")}, ErrOtherType},
		{"no status", []toolcall.Event{text(start, "a"), {Type: end, ID: "a", Segment: toolcall.SegmentText}}, ErrNoStatus},
		{"no id", []toolcall.Event{text(start, "")}, ErrNoSegment},
		{"no type", []toolcall.Event{text(0, "a")}, ErrEventType},
		{"no end", []toolcall.Event{text(start, "a")}, ErrNoEnd},
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
