package parser

import (
	"iter"

	"github.com/toolparse/toolparse/toolcall"
)

// Events parses a stream of deltas, such as those of package format or of [Text]. The
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
	s := sender{strict: c.opts.Strict, yield: yield, reader: c.borrow()}
	defer c.giveBack(s.reader)
	var err error
	for d, failed := range deltas {
		if failed != nil {
			err = failed
			s.native.cut = true
			break
		}
		if !s.send(s.FeedDelta(s.events[:0], d)) {
			return
		}
	}
	if s.send(s.Close(s.events[:0])) && err != nil {
		yield(toolcall.Event{}, err)
	}
}

// TextEvents is [Compiled.Events] for a complete text.
func (c *Compiled) TextEvents(text string) iter.Seq2[toolcall.Event, error] {
	return func(yield func(toolcall.Event, error) bool) {
		s := sender{strict: c.opts.Strict, yield: yield, reader: c.borrow()}
		defer c.giveBack(s.reader)
		for rest := text; rest != ""; {
			piece := rest[:min(len(rest), textPiece)]
			rest = rest[len(piece):]
			if !s.send(s.Feed(s.events[:0], piece)) {
				return
			}
		}
		s.send(s.Close(s.events[:0]))
	}
}

// textPiece limits how much text is turned into events at once, in bytes.
const textPiece = 64 << 10

// sender passes events to an iterator's consumer.
type sender struct {
	strict bool
	order  Order
	yield  func(toolcall.Event, error) bool
	*reader
}

// send reports whether the consumer wants more events.
func (s *sender) send(events []toolcall.Event) bool {
	s.events = events
	for _, e := range events {
		if s.strict {
			if broken := s.order.Check(e); broken != nil {
				s.yield(toolcall.Event{}, broken)
				return false
			}
		}
		if !s.yield(e, nil) {
			return false
		}
	}
	return true
}
