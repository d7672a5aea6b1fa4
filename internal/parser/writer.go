package parser

import (
	"io"

	"github.com/toolparse/toolparse/toolcall"
)

// Writer returns a writer that feeds p and passes its events to yield, for use with
// [io.Copy] or [io.TeeReader]. Closing the writer closes p, and passes on the last events.
// The writer returns an error of yield unchanged; the other events of that write are lost,
// although all of its bytes were parsed. After Close, writes are ignored, as by
// [Parser.Feed]. Each write costs one copy of its bytes.
func (p *Parser) Writer(yield func(toolcall.Event) error) io.WriteCloser {
	return &writer{p: p, yield: yield}
}

// writer implements Writer.
type writer struct {
	p      *Parser
	yield  func(toolcall.Event) error
	events []toolcall.Event
}

// Write parses b, and does not keep it.
func (w *writer) Write(b []byte) (int, error) {
	w.events = w.p.Feed(w.events[:0], string(b))
	return len(b), w.send()
}

// Close ends the stream.
func (w *writer) Close() error {
	w.events = w.p.Close(w.events[:0])
	return w.send()
}

// send passes on the events of one write.
func (w *writer) send() error {
	for _, e := range w.events {
		if err := w.yield(e); err != nil {
			return err
		}
	}
	return nil
}
