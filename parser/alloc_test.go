package parser_test

import (
	"strings"
	"testing"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/internal/benchtext"
	"github.com/toolparse/toolparse/parser"
)

// TestTextAllocations: text between calls costs no allocation, however it is
// cut. Only what looks like the beginning of a call may cost some.
func TestTextAllocations(t *testing.T) {
	prose := benchtext.Reply(benchtext.Turns(8<<10), benchtext.None)
	isOpener := func(r rune) bool { return strings.ContainsRune("<{[", r) }
	plain := strings.Map(func(r rune) rune {
		if isOpener(r) || r == '`' {
			return '|'
		}
		return r
	}, prose)
	openers := len(strings.FieldsFunc(prose, isOpener)) - 1
	for _, dialect := range []string{"xml", "json-openai", "json-gemini", "json-default", "sentinel", "api_tool_call", "auto"} {
		t.Run(dialect, func(t *testing.T) {
			for _, n := range chunkSizes {
				if got := textAllocations(t, dialect, plain, n); got != 0 {
					t.Errorf("plain text in chunks of %d: %v allocations, want 0", n, got)
				}
				if got := textAllocations(t, dialect, prose, n) / float64(openers); got > 2 {
					t.Errorf("prose about code in chunks of %d: %.2f allocations for each %s, want at most 2", n, got, "<, { and [")
				}
			}
		})
	}
}

// textAllocations is the number of allocations that text costs a parser that
// has read it before.
func textAllocations(t *testing.T, dialect, text string, n int) float64 {
	t.Helper()
	s := textStream(t, dialect, text)
	p, err := parser.New(s.opts)
	if err != nil {
		t.Fatal(err)
	}
	events := make([]toolparse.Event, 0, 64)
	return testing.AllocsPerRun(10, func() { s.parts[0].feed(p, n, events, nil) })
}

// TestCallAllocations bounds what a chunk of a long call costs: the parts of
// its arguments are parts of the chunk, or new.
func TestCallAllocations(t *testing.T) {
	const chunk, deltas = 4, 10_000
	for _, g := range growth {
		t.Run(g.name+"/"+g.tool, func(t *testing.T) {
			s := newStream(t, g.strategy, []benchtext.Turn{{Call: benchtext.LongCall(g.tool, chunk*deltas)}})
			s.check(t, chunk)
			run := s.workload(t, chunk).run
			if got := testing.AllocsPerRun(5, run) / float64(s.size/chunk); got > 1 {
				t.Errorf("%.2f allocations a chunk, want at most 1", got)
			} else {
				t.Logf("%.3f allocations a chunk", got)
			}
		})
	}
}
