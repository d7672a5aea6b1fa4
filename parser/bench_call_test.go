package parser_test

import (
	"testing"

	"github.com/toolparse/toolparse/internal/benchtext"
	"github.com/toolparse/toolparse/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// BenchmarkCall parses a call of some 300 bytes, as a family's own model writes it, in
// one piece, the first of a stream by a parser that has been used before: the aim is at
// most 3 allocations.
func BenchmarkCall(b *testing.B) {
	turns := benchtext.Turns(1)
	turns[0].Prose = ""
	for _, d := range families {
		b.Run(d, func(b *testing.B) {
			s := familyStream(b, d, d, turns)
			compiled, err := parser.Compile(s.opts)
			if err != nil {
				b.Fatal(err)
			}
			p := compiled.New()
			var events []toolcall.Event
			text := s.parts[0].text
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				p.Reset()
				events = p.Feed(events[:0], text)
				events = p.Close(events)
			}
			if len(events) < 3 {
				b.Fatalf("%d events", len(events))
			}
		})
	}
}
