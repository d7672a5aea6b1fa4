package bench

import (
	"errors"
	"strings"
	"testing"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/internal/benchtext"
	"github.com/toolparse/toolparse/parser"
)

// readToolparse reads in a dialect. A dialect that the table does not have yet
// is skipped.
func readToolparse(dialect string) func(testing.TB, string, int, func(name, arguments string)) int {
	events := make([]toolparse.Event, 0, 64)
	return func(tb testing.TB, reply string, n int, see func(name, arguments string)) int {
		dialects, err := parser.Named(dialect, "")
		if unknown := (*parser.UnknownDialectError)(nil); errors.As(err, &unknown) {
			tb.Skip(err)
		}
		p, err := parser.New(parser.Options{Dialects: dialects, Tools: benchtext.Tools()})
		if err != nil {
			tb.Fatal(err)
		}
		calls := 0
		var name string
		var arguments strings.Builder
		take := func() {
			for _, e := range events {
				if !e.Segment.IsCall() {
					continue
				}
				switch {
				case e.Type == toolparse.SegmentEnd && e.Status == toolparse.Complete:
					calls++
				case see == nil:
				case e.Type == toolparse.SegmentStart:
					name = e.Name
					arguments.Reset()
				default:
					arguments.WriteString(e.Payload)
				}
				if see != nil && e.Type == toolparse.SegmentEnd {
					see(name, arguments.String())
				}
			}
		}
		for rest := reply; rest != ""; {
			k := min(n, len(rest))
			events = p.Feed(events[:0], rest[:k])
			take()
			rest = rest[k:]
		}
		events = p.Close(events[:0])
		take()
		return calls
	}
}
