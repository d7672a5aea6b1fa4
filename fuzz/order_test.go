package fuzz

import (
	"fmt"
	"testing"

	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// ordered checks the legal order of events: a start, contents, one end, of
// every segment; names on the starts of calls alone; a status on ends alone.
// Segments of a text dialect follow one another; native calls may overlap
// each other and text, and one that never got a name ends so.
func ordered(events []toolcall.Event, native bool) error {
	type life struct {
		segment toolcall.SegmentType
		named   bool
		ended   bool
	}
	lives := map[string]*life{}
	openCalls, openOther := 0, 0
	for i, e := range events {
		fail := func(format string, args ...any) error {
			return fmt.Errorf("event %d (%s of %q): %s", i, e.Type, e.ID, fmt.Sprintf(format, args...))
		}
		l := lives[e.ID]
		if e.Type != toolcall.SegmentStart {
			switch {
			case l == nil:
				return fail("no start event before it")
			case l.ended:
				return fail("its segment has already ended")
			case e.Segment != l.segment:
				return fail("segment type %q, its start has %q", e.Segment, l.segment)
			case e.Name != "":
				return fail("a name, %q, not on a start", e.Name)
			}
		}
		if e.Type != toolcall.SegmentEnd && (e.Status != 0 || e.Reason != 0 || e.Tolerances != 0) {
			return fail("a status, reason or tolerance, not on an end")
		}
		switch e.Type {
		case toolcall.SegmentStart:
			switch {
			case l != nil:
				return fail("second start")
			case e.Segment == "":
				return fail("no segment type")
			case e.ID == "":
				return fail("no id")
			case !e.Segment.IsCall() && e.Name != "", e.Segment.IsCall() && e.Name == "" && !native:
				return fail("name %q on a %s", e.Name, e.Segment)
			case openCalls > 0 && !native, openOther > 0 && !(native && e.Segment.IsCall()):
				return fail("another segment is still open")
			}
			lives[e.ID] = &life{segment: e.Segment, named: e.Name != ""}
			if e.Segment.IsCall() {
				openCalls++
			} else {
				openOther++
			}
		case toolcall.SegmentContent:
			if e.Payload == "" && e.Raw == "" {
				return fail("nothing in it")
			}
		case toolcall.SegmentEnd:
			if e.Status < toolcall.Complete || e.Status > toolcall.Rejected {
				return fail("status %s", e.Status)
			}
			if (e.Status == toolcall.Complete) != (e.Reason == toolcall.ReasonNone) {
				return fail("status %s with reason %s", e.Status, e.Reason)
			}
			if l.segment.IsCall() && !l.named && e.Status == toolcall.Complete {
				return fail("complete without a name")
			}
			l.ended = true
			if l.segment.IsCall() {
				openCalls--
			} else {
				openOther--
			}
		default:
			return fail("unknown type")
		}
	}
	if openCalls+openOther > 0 {
		return fmt.Errorf("%d segments never end", openCalls+openOther)
	}
	return nil
}

// legal checks that the parser's own order checker agrees with ordered: it
// lets pass what this one does.
func legal(events []toolcall.Event) error {
	var o parser.Order
	for i, e := range events {
		if err := o.Check(e); err != nil {
			return fmt.Errorf("event %d: %w", i, err)
		}
	}
	return o.Close()
}

// whole checks that text is not cut up: no text segment is empty or follows
// another, but for those that a sentinel header asks for.
func whole(segs []segment) error {
	for i, s := range segs {
		if s.Type != toolcall.SegmentText || s.Raw != s.Payload {
			continue
		}
		if s.Payload == "" {
			return fmt.Errorf("%s: an empty text segment", s.ID)
		}
		if i > 0 && segs[i-1].Type == toolcall.SegmentText && segs[i-1].Raw == segs[i-1].Payload {
			return fmt.Errorf("%s: text goes on in a new segment: %.40q", s.ID, s.Payload)
		}
	}
	return nil
}

func TestOrdered(t *testing.T) {
	start := func(id string, s toolcall.SegmentType, name string) toolcall.Event {
		return toolcall.Event{Type: toolcall.SegmentStart, ID: id, Segment: s, Name: name}
	}
	content := func(id string, s toolcall.SegmentType) toolcall.Event {
		return toolcall.Event{Type: toolcall.SegmentContent, ID: id, Segment: s, Payload: "x", Raw: "x"}
	}
	end := func(id string, s toolcall.SegmentType) toolcall.Event {
		return toolcall.Event{Type: toolcall.SegmentEnd, ID: id, Segment: s, Status: toolcall.Complete}
	}
	const text, tool = toolcall.SegmentText, toolcall.SegmentToolCall
	for _, tt := range []struct {
		name   string
		native bool
		ok     bool
		events []toolcall.Event
	}{
		{"nothing", false, true, nil},
		{"one segment", false, true, []toolcall.Event{start("1", text, ""), content("1", text), end("1", text)}},
		{"two segments", false, true, []toolcall.Event{start("1", text, ""), end("1", text), start("2", tool, "t"), content("2", tool), end("2", tool)}},
		{"content first", false, false, []toolcall.Event{content("1", text)}},
		{"no end", false, false, []toolcall.Event{start("1", text, "")}},
		{"two ends", false, false, []toolcall.Event{start("1", text, ""), end("1", text), end("1", text)}},
		{"two starts", false, false, []toolcall.Event{start("1", text, ""), end("1", text), start("1", text, "")}},
		{"content after the end", false, false, []toolcall.Event{start("1", text, ""), end("1", text), content("1", text)}},
		{"other type", false, false, []toolcall.Event{start("1", text, ""), content("1", tool), end("1", text)}},
		{"call without a name", false, false, []toolcall.Event{start("1", tool, ""), end("1", tool)}},
		{"overlap", false, false, []toolcall.Event{start("1", tool, "t"), start("2", tool, "t"), end("1", tool), end("2", tool)}},
		{"native overlap", true, true, []toolcall.Event{start("1", tool, "t"), start("2", tool, "t"), end("1", tool), end("2", tool)}},
		{"native text inside text", true, false, []toolcall.Event{start("1", text, ""), start("2", text, ""), end("2", text), end("1", text)}},
		{"native text inside a call", true, true, []toolcall.Event{start("1", tool, "t"), start("2", text, ""), end("2", text), end("1", tool)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := ordered(tt.events, tt.native); (err == nil) != tt.ok {
				t.Errorf("got %v, want ok %v", err, tt.ok)
			}
			if err := legal(tt.events); err != nil && tt.ok {
				t.Errorf("parser.Order: got %v, want nil", err)
			}
		})
	}
}
