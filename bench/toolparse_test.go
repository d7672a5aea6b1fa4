package bench

import (
	"strings"
	"sync"
	"testing"

	"github.com/toolparse/toolparse/internal/benchtext"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// readToolparse reads in a dialect. What is compiled for the tools serves all replies.
func readToolparse(dialectName string) func(testing.TB, []string, func(name, arguments string)) int {
	room := make([]toolcall.Event, 0, 64)
	compile := sync.OnceValues(func() (*parser.Compiled, error) {
		dialects, err := dialect.Named(dialectName, "")
		if err != nil {
			return nil, err
		}
		return parser.Compile(parser.Options{Dialects: dialects, Tools: benchtext.Tools()})
	})
	return func(tb testing.TB, pieces []string, see func(name, arguments string)) int {
		compiled, err := compile()
		if err != nil {
			tb.Fatal(err)
		}
		p, calls, events := compiled.New(), 0, room
		var open seen
		for _, chunk := range pieces {
			events = p.Feed(events[:0], chunk)
			calls += complete(events)
			if see != nil {
				open.take(events, see)
			}
		}
		events = p.Close(events[:0])
		if see != nil {
			open.take(events, see)
		}
		return calls + complete(events)
	}
}

// complete is how many calls end complete.
func complete(events []toolcall.Event) (calls int) {
	for i := range events {
		if e := &events[i]; e.Type == toolcall.SegmentEnd && e.Status == toolcall.Complete && e.Segment.IsCall() {
			calls++
		}
	}
	return calls
}

// seen is what has been seen of a call.
type seen struct {
	name      string
	arguments strings.Builder
}

// take takes in events, and hands on each call that ends.
func (s *seen) take(events []toolcall.Event, see func(name, arguments string)) {
	for _, e := range events {
		switch {
		case !e.Segment.IsCall():
		case e.Type == toolcall.SegmentStart:
			s.name = e.Name
			s.arguments.Reset()
		case e.Type == toolcall.SegmentContent:
			s.arguments.WriteString(e.Payload)
		default:
			see(s.name, s.arguments.String())
		}
	}
}
