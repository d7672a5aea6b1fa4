package main

import (
	"fmt"
	"iter"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/toolcall"
)

// reencoder writes what was parsed of one input as a provider's stream.
type reencoder struct {
	out *output
	enc *format.EventEncoder
	buf []byte
}

func newReencoder(out *output, stream *format.Stream, to format.Wire, opts format.EventOptions) (*reencoder, error) {
	enc, err := format.NewEventEncoder(stream, to, opts)
	if err != nil {
		return nil, err
	}
	return &reencoder{out: out, enc: enc}, nil
}

// watch hands the deltas on, and writes what the parser makes no event of.
func (r *reencoder) watch(deltas iter.Seq2[toolcall.Delta, error]) iter.Seq2[toolcall.Delta, error] {
	return func(yield func(toolcall.Delta, error) bool) {
		for d, err := range deltas {
			if err == nil && r.send(r.enc.Delta(r.buf[:0], d)) != nil {
				return // standard output keeps it
			}
			if !yield(d, err) {
				return
			}
		}
	}
}

// event writes an event.
func (r *reencoder) event(e toolcall.Event) error { return r.send(r.enc.Event(r.buf[:0], e)) }

// close ends the stream: well, or with the error that ended the input.
func (r *reencoder) close(failed error) error { return r.send(r.enc.Close(r.buf[:0], failed)) }

func (r *reencoder) send(b []byte, err error) error {
	r.buf = b
	if err != nil {
		return err
	}
	return r.out.raw(b)
}

// tellLosses prints what a target could not hold, what nobody misses only where
// all is asked for.
func (c *cli) tellLosses(name string, losses []chat.Loss) {
	for _, l := range losses {
		if !l.Minor || c.allLosses {
			c.warn("%s: lost: %s", showName(name), l)
		}
	}
}

// addLossFlag adds the flag of what tellLosses prints.
func (c *cli) addLossFlag(g flagGroup) {
	g.flags.BoolVar(&c.allLosses, "all-losses", false, "also report minor losses, such as the time of an answer")
}

// wireOf returns the wire that an output is named after.
func wireOf(output string) (format.Wire, bool) {
	for _, w := range format.Wires() {
		if string(w) == output {
			return w, true
		}
	}
	return "", false
}

// errNoWire is that of a wire that cannot be written.
func errNoWire(flag string, w format.Wire) error {
	if _, err := format.CodecOf(w); err != nil {
		return fmt.Errorf("%s: %w", flag, err)
	}
	return nil
}
