package parser

import (
	"iter"

	"github.com/toolparse/toolparse/toolcall"
)

// Events parses a stream of deltas, such as those of package format. The
// iterator is lazy. It can be used as often as deltas can; every use has a parser of its
// own. An error comes last, with a zero event. An error of deltas is passed on unchanged,
// after the events of everything that had arrived, with all segments ended. An error of
// [Compile] comes alone. With opts.Strict, an [Order] checks every event, and its error
// ends the stream. The iterator reuses one slice of events for the whole stream.
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
	r := c.borrow(yield)
	defer c.giveBack(r)
	deltas(r.add)
	if r.close() && r.err != nil {
		yield(toolcall.Event{}, r.err)
	}
}

// TextEvents is [Compiled.Events] for a complete text.
func (c *Compiled) TextEvents(text string) iter.Seq2[toolcall.Event, error] {
	return func(yield func(toolcall.Event, error) bool) {
		r := c.borrow(yield)
		defer c.giveBack(r)
		for rest := text; rest != "" && !r.stopped; {
			piece := rest[:min(len(rest), textPiece)]
			rest = rest[len(piece):]
			r.send(r.Feed(r.events[:0], piece))
		}
		r.close()
	}
}

// textPiece limits how much text is turned into events at once, in bytes.
const textPiece = 64 << 10

// reader reads one stream at a time: a parser, and what passes its events on. It is kept for
// other streams, and with it the memory that a stream needs.
type reader struct {
	*Parser
	events  []toolcall.Event
	order   Order                            // of the events, in strict mode
	yield   func(toolcall.Event, error) bool // the consumer of the events
	stopped bool                             // it wants no more
	err     error                            // that the deltas ended with
	add     func(toolcall.Delta, error) bool // delta, as a value that is made only once
}

// delta parses the next delta of the stream, and reports whether it wants more.
func (r *reader) delta(d toolcall.Delta, err error) bool {
	switch {
	case r.stopped || r.err != nil:
		return false
	case err != nil:
		r.err, r.native.Failed = err, true
		return false
	}
	return r.send(r.FeedDelta(r.events[:0], d))
}

// close ends the stream, and reports whether the consumer has got all events.
func (r *reader) close() bool { return !r.stopped && r.send(r.Close(r.events[:0])) }

// send reports whether the consumer wants more events.
func (r *reader) send(events []toolcall.Event) bool {
	r.events = events
	for i := range events {
		if r.opts.Strict {
			if broken := r.order.Check(events[i]); broken != nil {
				r.yield(toolcall.Event{}, broken)
				r.stopped = true
				return false
			}
		}
		if !r.yield(events[i], nil) {
			r.stopped = true
			return false
		}
	}
	return true
}
