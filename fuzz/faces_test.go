package fuzz

import (
	"errors"
	"iter"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/internal/streamgen"
	"github.com/toolparse/toolparse/toolcall"
)

// TestFaces checks that the iterators give the same events as Feed.
func TestFaces(t *testing.T) {
	eachDialect(t, func(t *rapid.T, dialect string) {
		s := drawStream(t, dialect)
		opts, err := streamOptions(s)
		if err != nil {
			t.Fatal(err)
		}
		r, err := record(opts, []string{s.Text})
		if err != nil {
			t.Fatal(err)
		}
		want, err := segments(r.events())
		if err != nil {
			t.Fatal(err)
		}
		c, err := parser.Compile(opts)
		if err != nil {
			t.Fatal(err)
		}
		pieces := streamgen.Split(drawTape(t, "pieces", 20), s.Text)
		deltas := func(yield func(toolcall.Delta, error) bool) {
			for _, piece := range pieces {
				if !yield(toolcall.Delta{Kind: toolcall.DeltaText, Text: piece}, nil) {
					return
				}
			}
		}
		for name, events := range map[string]iter.Seq2[toolcall.Event, error]{"Events": c.Events(deltas), "TextEvents": c.TextEvents(s.Text)} {
			list, err := pull(events)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got, err := segments(list)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s (-feed +events):\n%s", name, diff)
			}
		}
	})
}

// pull collects a stream of events and its error.
func pull(events func(func(toolcall.Event, error) bool)) ([]toolcall.Event, error) {
	var out []toolcall.Event
	for e, err := range events {
		if err != nil {
			return out, err
		}
		out = append(out, e)
	}
	return out, nil
}

// TestReadError checks that the error of the deltas comes last, after the end of
// every segment, and that an open call is then incomplete.
func TestReadError(t *testing.T) {
	cause := errors.New("line went dead")
	opts, err := optionsFor("xml")
	if err != nil {
		t.Fatal(err)
	}
	events, err := pull(parser.Events(func(yield func(toolcall.Delta, error) bool) {
		_ = yield(toolcall.Delta{Kind: toolcall.DeltaText, Text: "a <run_bash>l"}, nil) && yield(toolcall.Delta{}, cause)
	}, opts))
	if !errors.Is(err, cause) {
		t.Errorf("got error %v, want that of the deltas", err)
	}
	if err := ordered(events, false); err != nil {
		t.Error(err)
	}
	segs, err := segments(events)
	if err != nil {
		t.Fatal(err)
	}
	if len(segs) != 2 || segs[1].Status != toolcall.Incomplete {
		t.Errorf("got %+v, want text and an incomplete call", segs)
	}
}

// TestStopEarly checks that a consumer may stop the iterator at any event.
func TestStopEarly(t *testing.T) {
	opts, err := optionsFor("xml")
	if err != nil {
		t.Fatal(err)
	}
	const input = `a <tool name="x"><arguments><arg name="k">v</arg></arguments></tool> b`
	c, err := parser.Compile(opts)
	if err != nil {
		t.Fatal(err)
	}
	for stop := 1; ; stop++ {
		n := 0
		for _, err := range c.TextEvents(input) {
			if err != nil {
				t.Fatal(err)
			}
			if n++; n == stop {
				break
			}
		}
		if n < stop {
			return
		}
	}
}
