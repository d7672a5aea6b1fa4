package parser

import (
	"io"

	"github.com/toolparse/toolparse/toolcall"
)

// Writer returns a writer that feeds p and hands its events to yield, for use
// with [io.Copy] or [io.TeeReader]. Close closes p, and hands over the last
// events. An error of yield is returned as it is; the other events of that write
// are lost, though all of its bytes were parsed. After Close, what is written is
// passed over, as by [Parser.Feed]. Each write costs one copy of its bytes.
func (p *Parser) Writer(yield func(toolcall.Event) error) io.WriteCloser {
	return &writer{p: p, yield: yield}
}

// writer is what Writer returns.
type writer struct {
	p      *Parser
	yield  func(toolcall.Event) error
	events []toolcall.Event
}

// Write parses b, which it does not keep.
func (w *writer) Write(b []byte) (int, error) {
	w.events = w.p.Feed(w.events[:0], string(b))
	return len(b), w.send()
}

// Close ends the stream.
func (w *writer) Close() error {
	w.events = w.p.Close(w.events[:0])
	return w.send()
}

// send hands over the events of one write.
func (w *writer) send() error {
	for _, e := range w.events {
		if err := w.yield(e); err != nil {
			return err
		}
	}
	return nil
}
