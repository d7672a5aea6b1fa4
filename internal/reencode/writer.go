package reencode

import (
	"io"

	"github.com/toolparse/toolparse/toolcall"
)

// Writer writes the deltas and events of an answer to an io.Writer as an [Encoder] encodes
// them, at most one write for each.
type Writer struct {
	to     io.Writer
	enc    *Encoder
	buf    []byte
	broken bool // a write failed
}

// NewWriter returns a writer to w.
func NewWriter(w io.Writer, enc *Encoder) *Writer { return &Writer{to: w, enc: enc} }

// Delta writes what becomes no event of the parser.
func (w *Writer) Delta(d toolcall.Delta) error { return w.send(w.enc.Delta(w.buf[:0], d)) }

// Event writes an event of the parser.
func (w *Writer) Event(e toolcall.Event) error { return w.send(w.enc.Event(w.buf[:0], e)) }

// Close writes the end of the stream, with an error if failed is not nil.
func (w *Writer) Close(failed error) error {
	if w.broken {
		return nil
	}
	return w.send(w.enc.Close(w.buf[:0], failed))
}

func (w *Writer) send(b []byte) error {
	w.buf = b
	if len(b) == 0 {
		return nil
	}
	_, err := w.to.Write(b)
	w.broken = err != nil
	return err
}
