package parser

import (
	"iter"

	"github.com/toolparse/toolparse/toolcall"
)

// Events parses a stream of deltas, such as those of package format or of
// [Text]. The iterator is lazy, and as often usable as deltas is: every use has
// a parser of its own. An error comes last, with a zero event: that of deltas as
// it is, after the events of what had arrived, in which every open segment has
// ended; that of [Compile], alone. With opts.Strict every event is checked by an
// [Order], whose error ends the stream. One slice of events is reused over the
// whole stream.
func Events(deltas iter.Seq2[toolcall.Delta, error], opts Options) iter.Seq2[toolcall.Event, error] {
	return func(yield func(toolcall.Event, error) bool) {
		c, err := Compile(opts)
		if err != nil {
			yield(toolcall.Event{}, err)
			return
		}
		c.events(deltas, yield)
	}
}

func (c *Compiled) events(deltas iter.Seq2[toolcall.Delta, error], yield func(toolcall.Event, error) bool) {
	p := c.New()
	var events []toolcall.Event
	var order Order
	send := func() bool {
		for _, e := range events {
			if c.opts.Strict {
				if broken := order.Check(e); broken != nil {
					yield(toolcall.Event{}, broken)
					return false
				}
			}
			if !yield(e, nil) {
				return false
			}
		}
		return true
	}
	var err error
	for d, failed := range deltas {
		if failed != nil {
			err = failed
			break
		}
		if events = p.FeedDelta(events[:0], d); !send() {
			return
		}
	}
	if events = p.Close(events[:0]); send() && err != nil {
		yield(toolcall.Event{}, err)
	}
}
