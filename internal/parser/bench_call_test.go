package parser_test

import (
	"testing"

	"github.com/toolparse/toolparse/internal/benchtext"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// BenchmarkCall parses, in one piece, a call of some 300 bytes as a family's own model writes
// it. It is the first call of a stream, and the parser has been used before. The aim is at
// most 3 allocations.
func BenchmarkCall(b *testing.B) {
	for _, d := range families {
		b.Run(d, func(b *testing.B) {
			read, size := oneCall(b, d)
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				read()
			}
		})
	}
}

// TestFirstCallAllocations checks that the first call of a stream costs few allocations in
// every family, whatever the number of its arguments.
func TestFirstCallAllocations(t *testing.T) {
	most := 3.0
	if testing.Short() {
		most = 6 // the race detector adds some allocations of strings
	}
	for _, d := range families {
		read, _ := oneCall(t, d)
		read() // the parser allocates its memory
		if got := testing.AllocsPerRun(20, read); got > most {
			t.Errorf("%s: a call takes %v allocations, more than %v", d, got, most)
		}
	}
}

// oneCall returns a function that parses a call, and the call's size in bytes.
func oneCall(tb testing.TB, dialect string) (read func(), size int) {
	tb.Helper()
	turns := benchtext.Turns(1)
	turns[0].Prose = ""
	s := familyStream(tb, dialect, dialect, turns)
	compiled, err := parser.Compile(s.opts)
	if err != nil {
		tb.Fatal(err)
	}
	p := compiled.New()
	var events []toolcall.Event
	text := s.parts[0].text
	return func() {
		p.Reset()
		events = p.Close(p.Feed(events[:0], text))
		if len(events) < 3 {
			tb.Fatalf("%d events", len(events))
		}
	}, len(text)
}
