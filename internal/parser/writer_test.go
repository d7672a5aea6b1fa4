package parser_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/toolcall"
)

func TestWriter(t *testing.T) {
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
			dialects, err := dialect.Named("xml", "")
			if err != nil {
				t.Fatal(err)
			}
			p, err := parser.New(parser.Options{Dialects: dialects})
			if err != nil {
				t.Fatal(err)
			}
			var got strings.Builder
			w := p.Writer(func(e toolcall.Event) error {
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
func TestWriterKeepsNothing(t *testing.T) {
	p, err := parser.New(parser.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var events []toolcall.Event
	w := p.Writer(func(e toolcall.Event) error { events = append(events, e); return nil })
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
