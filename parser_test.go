package toolparse_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/toolcall"
)

// newParser returns a parser of a kit with these options.
func newParser(t *testing.T, opts toolparse.Options) *toolparse.Parser {
	t.Helper()
	kit, err := toolparse.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	p, err := kit.NewParser()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestParser feeds an answer in pieces, once more after a reset, and compares the events with
// those of the whole text.
func TestParser(t *testing.T) {
	const text = `Hi. <tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call> <run_bash>ls</run_bash>`
	kit, err := toolparse.New(toolparse.Options{Dialect: "hermes", Wire: toolparse.Text})
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for e, err := range kit.Events(strings.NewReader(text)) {
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, told(e))
	}
	p, err := kit.NewParser()
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		var got []string
		for _, e := range p.Close(p.Feed(nil, text)) {
			got = append(got, told(e))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if notes := p.Notes(); len(notes) != 1 || notes[0].Kind != toolcall.NoteUnread {
			t.Errorf("notes %v", notes)
		}
		p.Reset()
	}
	var calls []string
	for i := range len(text) {
		for _, e := range p.Feed(nil, text[i:i+1]) {
			if e.Call != nil {
				calls = append(calls, e.Call.Name+string(e.Call.Arguments)+string(e.Partial()))
			}
		}
	}
	if diff := cmp.Diff([]string{`f{"a": 1}{"a": 1}`}, calls); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// told says what an event and its call are.
func told(e toolparse.StreamEvent) string {
	text := fmt.Sprint(e.Type, e.ID, e.Payload, e.Raw, e.Status)
	if e.Call != nil {
		text += fmt.Sprint(e.Call.Name, string(e.Call.Arguments), e.Call.Start, e.Call.End)
	}
	return text
}

// TestParserFeedDelta feeds the deltas of a wire.
func TestParserFeedDelta(t *testing.T) {
	p := newParser(t, toolparse.Options{Wire: toolparse.Ollama})
	body := strings.NewReader(`{"model":"m","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":{"a":1}}}]},"done":true}`)
	var got []string
	for d, err := range format.NewStream(body, format.Options{}).Deltas() {
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range p.FeedDelta(nil, d) {
			if e.Call != nil {
				got = append(got, e.Call.Name+string(e.Call.Arguments))
			}
		}
	}
	if diff := cmp.Diff([]string{`f{"a":1}`}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestParserWriter(t *testing.T) {
	refused := errors.New("no more")
	const text = `a <run_bash>ls</run_bash> b`
	for _, tt := range []struct {
		name    string
		refuse  toolcall.EventType // the event at which yield fails
		close   bool
		want    string // the raw bytes that yield saw, joined
		written int64
		err     error
	}{
		{"not closed", 0, false, "a <run_bash>ls</run_bash> b", int64(len(text)), nil},
		{"closed", 0, true, text, int64(len(text)), nil},
		{"refused at the first", toolcall.SegmentStart, false, "", int64(len(text)), refused},
		{"refused at an end", toolcall.SegmentEnd, false, "a ", int64(len(text)), refused},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newParser(t, toolparse.Options{Dialect: "xml"})
			var got strings.Builder
			w := p.Writer(func(e toolparse.StreamEvent) error {
				if e.Type == tt.refuse {
					return refused
				}
				got.WriteString(e.Raw)
				return nil
			})
			n, err := io.Copy(w, struct{ io.Reader }{strings.NewReader(text)})
			if tt.close {
				err = errors.Join(err, w.Close(), w.Close())
			}
			if n != tt.written || !errors.Is(err, tt.err) {
				t.Errorf("%d bytes, %v; want %d, %v", n, err, tt.written, tt.err)
			}
			if diff := cmp.Diff(tt.want, got.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestWriterKeepsNothing checks that the caller may reuse the buffer.
func TestParserWriterKeepsNothing(t *testing.T) {
	p := newParser(t, toolparse.Options{})
	var events []toolcall.Event
	w := p.Writer(func(e toolparse.StreamEvent) error { events = append(events, e.Event); return nil })
	buf := []byte("text <thi")
	for range 3 {
		if _, err := w.Write(buf); err != nil {
			t.Fatal(err)
		}
		copy(buf, "nk>......")
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var raw strings.Builder
	for _, e := range events {
		raw.WriteString(e.Raw)
	}
	if got, want := raw.String(), "text <think>......nk>......"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestParserOwnNames feeds a call of a tool whose name the wire does not accept, and closes
// the parser twice.
func TestParserOwnNames(t *testing.T) {
	tools := []toolparse.ToolDefinition{{Name: "files.read"}}
	kit, err := toolparse.New(toolparse.Options{Wire: toolparse.OpenAI, Tools: tools})
	if err != nil {
		t.Fatal(err)
	}
	body, _, err := kit.Request(toolparse.OpenAI, &toolparse.Request{})
	if err != nil {
		t.Fatal(err)
	}
	var sent struct {
		Tools []struct{ Function struct{ Name string } }
	}
	if err := json.Unmarshal(body, &sent); err != nil || len(sent.Tools) != 1 || sent.Tools[0].Function.Name == tools[0].Name {
		t.Fatalf("%s, %v", body, err)
	}
	p, err := kit.NewParser()
	if err != nil {
		t.Fatal(err)
	}
	call := toolcall.Delta{Kind: toolcall.DeltaToolCall, Name: sent.Tools[0].Function.Name, Text: "{}", Whole: true, Done: true}
	events := p.FeedDelta(nil, call)
	events = p.Close(p.Feed(events, "<run_bash>ls</run_bash>"))
	var got []string
	for _, e := range events {
		if e.Call != nil {
			got = append(got, e.Call.Name)
		}
	}
	if diff := cmp.Diff([]string{"files.read"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if notes := len(p.Notes()); len(p.Close(nil)) != 0 || len(p.Notes()) != notes {
		t.Errorf("closed again: %d notes, before %d", len(p.Notes()), notes)
	}
}

// TestParserTextCostsNothing checks that text needs no allocation.
func TestParserTextCostsNothing(t *testing.T) {
	p := newParser(t, toolparse.Options{Dialect: "hermes"})
	events := p.Feed(nil, "Once upon a time ")
	if n := testing.AllocsPerRun(100, func() { events = p.Feed(events[:0], "there was a model. ") }); n != 0 {
		t.Errorf("%v allocations for a piece of text", n)
	}
}
