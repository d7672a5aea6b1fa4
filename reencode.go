package toolparse

import (
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
	if err := s.Encode(w, to); err != nil {
		return nil, err
	}
	for _, err = range s.Events() {
	}
	return s.Losses(), err
}

// Encode makes [Stream.Events] write each event to w, in another wire format, before it
// yields the event; see [Kit.Reencode]. Call it before Events.
func (s *Stream) Encode(w io.Writer, to Wire) error {
	enc, err := reencode.New(w, s.Meta, to, reencode.Options{Model: s.opts.Model, Choice: s.opts.Choice})
	if err != nil {
		return err
	}
	s.encoder = enc
	s.Tee(enc)
	return nil
}

// Losses returns what Encode could not express so far.
func (s *Stream) Losses() []Loss {
	if s.encoder == nil {
		return nil
	}
	return s.encoder.Losses()
}

// Sink takes what a stream reads. An error of its methods ends the stream.
type Sink interface {
	// Delta takes the next delta of the provider's, before its events.
	Delta(toolcall.Delta) error
	Event(Event) error
	// Close comes last, with the error that reading ended with, if any.
	Close(failed error) error
}

// Tee makes [Stream.Events] pass everything to a sink, before it yields it. Call it before
// Events; the last sink counts.
func (s *Stream) Tee(sink Sink) { s.sink = sink }
