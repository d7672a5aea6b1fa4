package toolparse

import (
	"io"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/toolcall"
)

// Reencode reads r and writes it to w as the stream of another wire format, while
// it comes: calls found in text come out as that provider's own, their arguments
// in pieces. The losses are what the other wire format cannot express. Where r
// fails, the stream that was written ends with that error, and Reencode returns
// it. It makes one call of w.Write for each event that it has something of.
func (k *Kit) Reencode(w io.Writer, r io.Reader, to Wire) ([]Loss, error) {
	s, err := k.open(r)
	if err != nil {
		return nil, err
	}
	enc, err := format.NewEventEncoder(s.body, to, format.EventOptions{Model: k.opts.Model})
	if err != nil {
		return nil, err
	}
	var buf []byte
	var broken error // of w
	send := func(b []byte, err error) error {
		buf = b
		if err == nil && len(b) > 0 {
			_, err = w.Write(b)
			broken = err
		}
		return err
	}
	s.delta = func(d toolcall.Delta) error { return send(enc.Delta(buf[:0], d)) }
	var failed error
	for e, err := range s.events() {
		if err == nil {
			err = send(enc.Event(buf[:0], e.Event))
		}
		if err != nil {
			failed = err
			break
		}
	}
	if broken == nil {
		if err := send(enc.Close(buf[:0], failed)); failed == nil {
			failed = err
		}
	}
	return enc.Losses(), failed
}
