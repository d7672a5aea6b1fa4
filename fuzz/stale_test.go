package fuzz

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/internal/streamgen"
	"github.com/toolparse/toolparse/toolcall"
)

// TestReset: a parser that has read anything, and was reset, gives the same events as a
// new one.
func TestReset(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := random(rapid.Uint64().Draw(t, "seed"))
		m := drawMix(src)
		m.opts.RandomIDs = false
		next := drawMix(src).pieces
		if src.IntN(2) == 1 {
			next = m.pieces // markup that the parser reads
		}
		text := strings.Join(next, "")
		chunks := streamgen.Split(src, text)
		used, err := parser.New(m.opts)
		if err != nil {
			t.Fatal(err)
		}
		for _, piece := range m.pieces {
			used.Feed(nil, piece)
			if src.IntN(4) == 1 {
				for _, d := range streamgen.Deltas(src) {
					used.FeedDelta(nil, d)
				}
			}
		}
		if src.IntN(2) == 1 {
			used.Close(nil)
		}
		used.Reset()
		fresh, err := parser.New(m.opts)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(fed(fresh, chunks), fed(used, chunks)); diff != "" {
			t.Fatalf("-new +reset:\n%s\nbefore %q\n%s", diff, m.pieces, mix{m.opts, next}.describe())
		}
	})
}

// fed returns the events of a parser for chunks, to the end of the stream.
func fed(p *parser.Parser, chunks []string) (events []toolcall.Event) {
	for _, c := range chunks {
		events = p.Feed(events, c)
	}
	return p.Close(events)
}

// TestNothingLeaks checks that the events of a message do not depend on an earlier call,
// broken or not, once that has ended and text has followed.
func TestNothingLeaks(t *testing.T) {
	const between = "\nSo it is.\n"
	for _, d := range sweep() {
		t.Run(d.Name, func(t *testing.T) {
			opts := parser.Options{Dialects: []*dialect.Dialect{d}, CallsInCode: true}
			alone := map[string][]string{}
			for _, next := range cutAndListed(d) {
				alone[next] = following(t, opts, between, next)
			}
			for _, before := range broken(d) {
				for next, want := range alone {
					got := following(t, opts, before+between, next)
					if got == nil || want == nil {
						continue // it goes on
					}
					if diff := cmp.Diff(want, got); diff != "" {
						t.Fatalf("after %q, %q (-alone +after it):\n%s", before, next, diff)
					}
				}
			}
		})
	}
}

// broken are calls of d's example without a part of it. Their section is closed.
func broken(d *dialect.Dialect) (list []string) {
	for from := 0; from < len(d.Example); from += 1 + len(d.Example)/20 {
		for to := from; to < len(d.Example); to += 1 + (to - from) {
			if text := d.Example[:from] + d.Example[to:]; strings.HasSuffix(strings.TrimSpace(text), strings.TrimSpace(d.Frame.Section.Close)) {
				list = append(list, text)
			}
		}
	}
	return list
}

// cutAndListed are the beginnings of d's example, and of a list of such calls.
func cutAndListed(d *dialect.Dialect) (list []string) {
	for to := 0; to <= len(d.Example); to += 1 + len(d.Example)/12 {
		list = append(list, d.Example[:to])
	}
	opener := d.Frame.Section.Open + d.Frame.Call.Open
	return append(list, d.Example, opener+"[", opener+"[{", opener+`{"`)
}

// following is what a parser makes of next, up to the end of the stream, after text
// that leaves nothing open; nil where it does.
func following(t *testing.T, opts parser.Options, before, next string) []string {
	p, err := parser.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	read, kind := 0, toolcall.SegmentType("")
	for _, e := range p.Feed(nil, before) {
		read += len(e.Raw)
		if kind = e.Segment; e.Type == toolcall.SegmentEnd {
			kind = ""
		}
	}
	if read < len(before) || kind != toolcall.SegmentText {
		return nil
	}
	lines := []string{""}
	for _, e := range p.Close(p.Feed(nil, next)) {
		if e.Type == toolcall.SegmentContent {
			lines[len(lines)-1] += e.Payload
			continue
		}
		lines = append(lines, fmt.Sprintf("%v %s %q %q %v %v %v: ", e.Type, e.Segment, e.Name, e.Payload, e.Status, e.Reason, e.Tolerances))
	}
	return lines
}
