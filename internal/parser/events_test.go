package parser_test

import (
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/internal/benchtext"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// deltas yields text deltas, and then an error if it is not nil.
func deltas(err error, texts ...string) iter.Seq2[toolcall.Delta, error] {
	return func(yield func(toolcall.Delta, error) bool) {
		for _, text := range texts {
			if !yield(toolcall.Delta{Kind: toolcall.DeltaText, Text: text}, nil) {
				return
			}
		}
		if err != nil {
			yield(toolcall.Delta{}, err)
		}
	}
}

func TestEvents(t *testing.T) {
	broken := errors.New("the line broke")
	dialects, err := dialect.Named("xml", "")
	if err != nil {
		t.Fatal(err)
	}
	opts := parser.Options{Dialects: dialects}
	for _, tt := range []struct {
		name   string
		deltas iter.Seq2[toolcall.Delta, error]
		want   string // the events, and the error at the end
		err    error
	}{
		{"nothing", deltas(nil), "", nil},
		{"text", deltas(nil, "a", "b"), "text: START CONTENT(a) CONTENT(b) END(complete)", nil},
		{"an error alone", deltas(broken), "error", broken},
		{"an error in text", deltas(broken, "a"), "text: START CONTENT(a) END(complete) error", broken},
		{"an error in a call", deltas(broken, `<run_bash>ls`), "run_bash: START CONTENT(ls) END(incomplete) error", broken},
		{"an error in a marker", deltas(broken, "a <"), "text: START CONTENT(a ) CONTENT(<) END(complete) error", broken},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			var last error
			segment := toolcall.SegmentType("")
			for e, err := range parser.Events(tt.deltas, opts) {
				if last != nil {
					t.Error("something follows the error")
				}
				if err != nil {
					if last = err; e != (toolcall.Event{}) {
						t.Errorf("an event comes with the error: %+v", e)
					}
					got = append(got, "error")
					continue
				}
				if e.Segment != segment {
					segment = e.Segment
					got = append(got, string(segment)+":")
				}
				word := strings.TrimPrefix(e.Type.String(), "SEGMENT_")
				switch e.Type {
				case toolcall.SegmentContent:
					word += "(" + e.Delta() + ")"
				case toolcall.SegmentEnd:
					word += "(" + e.Status.String() + ")"
				}
				got = append(got, word)
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, " ")); diff != "" {
				t.Error(diff)
			}
			if !errors.Is(last, tt.err) {
				t.Errorf("error %v, want %v", last, tt.err)
			}
		})
	}
}

// TestEventsBadOptions checks that Events yields the error of New alone, and reads no deltas.
func TestEventsBadOptions(t *testing.T) {
	read := false
	source := func(func(toolcall.Delta, error) bool) { read = true }
	opts := parser.Options{Tools: []toolcall.ToolDefinition{{Name: "x", Parameters: []byte(`{`)}}}
	n := 0
	for _, err := range parser.Events(source, opts) {
		if n++; err == nil {
			t.Error("an event came")
		}
	}
	if n != 1 || read {
		t.Errorf("%d results, deltas read: %v", n, read)
	}
}

// TestEventsStops checks that a caller that stops has read only the deltas up to the last
// event.
func TestEventsStops(t *testing.T) {
	n := 0
	source := func(yield func(toolcall.Delta, error) bool) {
		for n = 1; yield(toolcall.Delta{Kind: toolcall.DeltaText, Text: "a"}, nil); n++ {
		}
	}
	for range parser.Events(source, parser.Options{}) {
		break
	}
	if n != 1 {
		t.Errorf("%d deltas were read", n)
	}
}

// TestReusedEvents checks that no old event reappears if a caller passes the same memory to
// Feed again.
func TestReusedEvents(t *testing.T) {
	for _, s := range []strategy{xmlTags, shorthand, jsonOpenAI, sentinel} {
		opts, turn := newStream(t, s, nil).opts, benchtext.Turn{Call: benchtext.LongCall(benchtext.WriteFile, 100)}
		for n := 1; n < 40; n++ {
			fresh, err := parser.New(opts)
			if err != nil {
				t.Fatal(err)
			}
			reusing, _ := parser.New(opts)
			var events []toolcall.Event
			for text := benchtext.Reply([]benchtext.Turn{turn}, s.write); text != ""; {
				chunk := text[:min(n, len(text))]
				text = text[len(chunk):]
				if events = reusing.Feed(events[:0], chunk); !slices.Equal(events, fresh.Feed(nil, chunk)) {
					t.Fatalf("%s: after %q: %+v", s.name, chunk, events)
				}
			}
		}
	}
}
