package toolparse

import (
	"cmp"
	"io"

	"github.com/toolparse/toolparse/internal/reencode"
	"github.com/toolparse/toolparse/toolcall"
)

// Reencode reads r and writes it to w as a stream in another wire format, while it
// arrives. Calls found in text become native calls of that format, and their arguments
// still stream. The losses report what that format cannot express. If reading r fails,
// the written stream ends with the error, and Reencode returns it. It calls w.Write at
// most once for each event.
func (k *Kit) Reencode(w io.Writer, r io.Reader, to Wire) ([]Loss, error) {
	s, err := k.Open(r)
	if err != nil {
		return nil, err
	}
	if err := s.Encode(w, to, reencode.Options{}); err != nil {
		return nil, err
	}
	for _, err = range s.Events() {
	}
	return s.Losses(), err
}

// Encode makes [Stream.Events] write each event to w, in another wire format, before it
// yields the event; see [Kit.Reencode]. Call it before Events. A model or choice that
// the options leave unset is that of the kit.
func (s *Stream) Encode(w io.Writer, to Wire, opts reencode.Options) error {
	opts.Model, opts.Choice = cmp.Or(opts.Model, s.opts.Model), cmp.Or(opts.Choice, s.opts.Choice)
	enc, err := reencode.New(s.body, to, opts)
	if err != nil {
		return err
	}
	s.out = &reencoder{w: w, enc: enc}
	return nil
}

// Losses returns what Encode could not express so far.
func (s *Stream) Losses() []Loss {
	if s.out == nil {
		return nil
	}
	return s.out.enc.Losses()
}

// reencoder writes deltas and events as a provider's stream.
type reencoder struct {
	w      io.Writer
	enc    *reencode.Encoder
	buf    []byte
	broken bool // w failed
}

// delta writes a delta that the parser turns into no event.
func (r *reencoder) delta(d toolcall.Delta) error { return r.send(r.enc.Delta(r.buf[:0], d)) }

func (r *reencoder) event(e Event) error { return r.send(r.enc.Event(r.buf[:0], e)) }

// close ends the stream, with an error if failed is not nil.
func (r *reencoder) close(failed error) error {
	if r.broken {
		return nil
	}
	return r.send(r.enc.Close(r.buf[:0], failed))
}

func (r *reencoder) send(b []byte) error {
	r.buf = b
	if len(b) == 0 {
		return nil
	}
	_, err := r.w.Write(b)
	r.broken = err != nil
	return err
}
