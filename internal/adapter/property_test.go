package adapter

import (
	"testing"

	"github.com/toolparse/toolparse/toolcall"
	"pgregory.net/rapid"
)

// genEvents makes the events of a few segments, sound ones mostly, with others
// strewn in.
var genEvents = rapid.Custom(func(t *rapid.T) []toolcall.Event {
	var events []toolcall.Event
	for _, id := range rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c"}), 1, 3).Draw(t, "segments") {
		life := callOf("get_weather", `{"city":`, `"a"}`)
		for i := range life {
			life[i].ID = id
			if rapid.IntRange(0, 15).Draw(t, "mutate") > 0 {
				events = append(events, life[i])
			}
			if rapid.IntRange(0, 15).Draw(t, "stray") == 0 {
				events = append(events, genEvent.Draw(t, "event"))
			}
		}
	}
	return events
})

// genEvent makes any event, over few ids.
var genEvent = rapid.Custom(func(t *rapid.T) toolcall.Event {
	return toolcall.Event{
		Type: toolcall.EventType(rapid.IntRange(0, 3).Draw(t, "type")),
		Segment: rapid.SampledFrom([]toolcall.SegmentType{toolcall.SegmentToolCall, toolcall.SegmentToolCall, toolcall.SegmentToolCall,
			toolcall.SegmentRunBash, toolcall.SegmentWriteFile, toolcall.SegmentText, "own", ""}).Draw(t, "segment"),
		ID:         rapid.SampledFrom([]string{"a", "a", "b", ""}).Draw(t, "id"),
		Name:       rapid.SampledFrom([]string{"get_weather", "get_weather", "other", ""}).Draw(t, "name"),
		Status:     toolcall.Status(rapid.SampledFrom([]int{1, 1, 1, 2, 3, 4, 0, 9}).Draw(t, "status")),
		Reason:     toolcall.Reason(rapid.IntRange(0, 15).Draw(t, "reason")),
		Tolerances: toolcall.Tolerances(rapid.SampledFrom([]uint32{0, 0, 1}).Draw(t, "tolerances")),
		Payload:    rapid.SampledFrom([]string{`{"city":"a"}`, `{}`, `{`, `"city":1,}`, ``, `[1]`, "\xff", `{"path":"/a"}`, `{"unknown_tool":true}`, `null`}).Draw(t, "payload"),
	}
})

var genOptions = rapid.Custom(func(t *rapid.T) Options {
	opts := Options{
		Coerce: rapid.Bool().Draw(t, "coerce"),
		Strict: rapid.Bool().Draw(t, "strict"),
	}
	if rapid.Bool().Draw(t, "with tools") {
		opts.Tools = weather
	}
	return opts
})

// life is what a sound segment has seen so far.
type life struct {
	kind        toolcall.SegmentType
	bad         bool
	invocations int
}

// TestRunnableOnlyFromWhatIsSound checks every call that comes out runnable
// against the events that it stems from.
func TestRunnableOnlyFromWhatIsSound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		opts, events := genOptions.Draw(t, "options"), genEvents.Draw(t, "events")
		a, err := New(opts)
		if err != nil {
			t.Fatal(err)
		}
		lives := map[string]*life{}
		for _, e := range events {
			l := lives[e.ID]
			switch {
			case e.Type == toolcall.SegmentStart && l == nil && e.Segment.IsCall():
				l = &life{kind: e.Segment, bad: e.ID == ""}
				lives[e.ID] = l
			case l != nil && (e.Type == toolcall.SegmentStart || e.Segment != "" && e.Segment != l.kind):
				// Of an ended one, another start makes the next call bad, not this.
				l.bad = true
			}
			call, ok := a.Add(e)
			if !ok {
				continue
			}
			if l == nil || call.ID != e.ID || e.Type != toolcall.SegmentEnd {
				t.Fatalf("%+v gave %+v", e, call)
			}
			l.invocations++
			if call.Runnable() {
				checkRunnable(t, opts, l, e, call)
			}
			if Explain(call, opts.Tools) == "" != call.Runnable() {
				t.Errorf("Explain(%+v) = %q", call, Explain(call, opts.Tools))
			}
		}
		for _, call := range a.Close() {
			if call.Runnable() {
				t.Errorf("Close gave %+v", call)
			}
		}
	})
}

func checkRunnable(t *rapid.T, opts Options, l *life, end toolcall.Event, call toolcall.ToolInvocation) {
	switch {
	case end.Status != toolcall.Complete:
		t.Errorf("status %v gave %+v", end.Status, call)
	case l.bad || l.invocations > 1:
		t.Errorf("events out of order gave %+v", call)
	case !isObject(call.Arguments):
		t.Errorf("arguments are no object: %+v", call)
	case opts.Strict && call.Tolerances != 0:
		t.Errorf("strictly: %+v", call)
	case opts.Tools != nil && call.Name != "get_weather", call.Name == "":
		t.Errorf("unknown tool: %+v", call)
	}
}
