package fuzz

import (
	"errors"
	"io"
	"iter"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/internal/streamgen"
	"github.com/toolparse/toolparse/toolcall"
	"pgregory.net/rapid"
)

// TestFaces checks that the iterator and the writer give the same events as Feed,
// however the reader returns the bytes.
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
		size := rapid.IntRange(0, 9).Draw(t, "size")
		kit, err := kitOf(s)
		if err != nil {
			t.Fatal(err)
		}
		for name, reader := range map[string]io.Reader{
			"plain":        strings.NewReader(s.Text),
			"one byte":     iotest.OneByteReader(strings.NewReader(s.Text)),
			"data and end": iotest.DataErrReader(strings.NewReader(s.Text)),
		} {
			events, err := pull(kit.Events(inReads{reader, size}))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got, err := segments(events)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s, reads of %d (-feed +events):\n%s", name, size, diff)
			}
		}
		var written []toolcall.Event
		p, err := kit.NewParser()
		if err != nil {
			t.Fatal(err)
		}
		w := p.Writer(func(e toolparse.StreamEvent) error { written = append(written, e.Event); return nil })
		for _, c := range streamgen.Split(drawTape(t, "writes", 20), s.Text) {
			buf := []byte(c)
			if n, err := w.Write(buf); n != len(buf) || err != nil {
				t.Fatalf("Write: %d, %v", n, err)
			}
			clear(buf) // the events must not alias it
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		got, err := segments(written)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("writer (-feed +writer):\n%s", diff)
		}
	})
}

// kitOf returns a kit with the options that a made-up stream asks for.
func kitOf(s streamgen.Stream) (*toolparse.Kit, error) {
	return toolparse.New(toolparse.Options{Dialect: s.Dialect, Wire: toolparse.Text, Tools: s.Tools, StartInReasoning: s.InReasoning})
}

// inReads returns at most size bytes for each read, if size is not 0.
type inReads struct {
	io.Reader
	size int
}

func (r inReads) Read(b []byte) (int, error) {
	if r.size > 0 {
		b = b[:min(len(b), r.size)]
	}
	return r.Reader.Read(b)
}

// pull collects a stream of events and its error.
func pull(events iter.Seq2[toolparse.StreamEvent, error]) ([]toolcall.Event, error) {
	var out []toolcall.Event
	for e, err := range events {
		if err != nil {
			return out, err
		}
		out = append(out, e.Event)
	}
	return out, nil
}

// TestReadError checks that a reader's error comes last, after the end of
// every segment, and that an open call is then incomplete.
func TestReadError(t *testing.T) {
	cause := errors.New("line went dead")
	kit, err := kitOf(streamgen.Stream{Dialect: "xml"})
	if err != nil {
		t.Fatal(err)
	}
	r := io.MultiReader(strings.NewReader("a <run_bash>l"), iotest.ErrReader(cause))
	events, err := pull(kit.Events(r))
	if !errors.Is(err, cause) {
		t.Errorf("got error %v, want the reader's", err)
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
	kit, err := kitOf(streamgen.Stream{Dialect: "xml"})
	if err != nil {
		t.Fatal(err)
	}
	const input = `a <tool name="x"><arguments><arg name="k">v</arg></arguments></tool> b`
	for stop := 1; ; stop++ {
		n := 0
		for _, err := range kit.Events(inReads{strings.NewReader(input), 3}) {
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
