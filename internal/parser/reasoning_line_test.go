package parser

import (
	"strings"
	"testing"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/toolcall"
)

// TestLineAfterCall checks that a call that counts only at the beginning of a line also counts
// there after another call, also inside reasoning, wherever the text is cut.
func TestLineAfterCall(t *testing.T) {
	const text = ">>>get_weather\n>>>get_weather\n{\"city\": \"Oslo\"}"
	dialects, err := dialect.Named("functionary_v32", "")
	if err != nil {
		t.Fatal(err)
	}
	for a := range text {
		for b := a; b < len(text); b++ {
			p, err := New(Options{Dialects: dialects, StartInReasoning: true, CallsInReasoning: true})
			if err != nil {
				t.Fatal(err)
			}
			events := p.Feed(p.Feed(p.Feed(nil, text[:a]), text[a:b]), text[b:])
			calls := 0
			for _, e := range p.Close(events) {
				if e.Type == toolcall.SegmentStart && e.Segment.IsCall() {
					calls++
				}
			}
			if calls != 2 {
				t.Fatalf("cut at %d and %d: %d calls of %s", a, b, calls, strings.ReplaceAll(text, "\n", `\n`))
			}
		}
	}
}
