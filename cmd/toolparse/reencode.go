package main

import (
	"fmt"
	"iter"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/toolcall"
)

// reencoder writes what was parsed of one input as a provider's stream: calls
// found in text come out as that provider's own, their arguments in pieces.
type reencoder struct {
	out    *output
	stream *format.Stream
	enc    chat.Encoder
	events format.EventDeltas
	meta   chat.Meta
	finish toolcall.Delta // the provider's own, held to the end
	deltas []toolcall.Delta
	buf    []byte
}

func newReencoder(out *output, stream *format.Stream, to format.Wire, model string) (*reencoder, error) {
	codec, err := format.CodecOf(to)
	if err != nil {
		return nil, err
	}
	r := &reencoder{out: out, stream: stream, enc: codec.NewEncoder(chat.Options{})}
	// Raw text tells nothing of itself, but every wire wants these.
	r.meta = chat.Meta{ID: "toolparse", Model: model}
	if r.meta.Model == "" {
		r.meta.Model = "unknown"
	}
	r.enc.SetMeta(r.meta)
	return r, nil
}

// watch hands the deltas on. It writes those that the parser makes no event of,
// and keeps the finish reason.
func (r *reencoder) watch(deltas iter.Seq2[toolcall.Delta, error], choice int) iter.Seq2[toolcall.Delta, error] {
	return func(yield func(toolcall.Delta, error) bool) {
		for d, err := range deltas {
			if err == nil && d.Choice == choice {
				if d.Kind == toolcall.DeltaFinish {
					r.finish = d
				}
				d.Choice = 0
				if r.pass(d) != nil {
					return // standard output keeps it
				}
				d.Choice = choice
			}
			if !yield(d, err) {
				return
			}
		}
	}
}

// pass writes a delta that the parser makes no event of.
func (r *reencoder) pass(d toolcall.Delta) error {
	if r.deltas = r.events.Pass(r.deltas[:0], d); len(r.deltas) == 0 {
		return nil
	}
	r.learn()
	return r.write()
}

// learn hands on what the provider told of its answer.
func (r *reencoder) learn() {
	told := r.stream.Meta()
	if told.ID == "" {
		told.ID = r.meta.ID
	}
	if told.Model == "" {
		told.Model = r.meta.Model
	}
	if told != r.meta {
		r.meta = told
		r.enc.SetMeta(told)
	}
}

// event writes an event.
func (r *reencoder) event(e toolcall.Event) error {
	r.learn()
	r.deltas = r.events.Append(r.deltas[:0], e)
	return r.write()
}

func (r *reencoder) write() error {
	for _, d := range r.deltas {
		var err error
		if r.buf, err = r.enc.Append(r.buf[:0], d); err != nil {
			return err
		}
		if err := r.out.raw(r.buf); err != nil {
			return err
		}
	}
	return nil
}

// close ends the stream: well, or with the error that ended the input, unless
// the provider has told one.
func (r *reencoder) close(failed error) error {
	r.learn()
	r.deltas = r.deltas[:0]
	if failed != nil {
		r.deltas = r.events.Pass(r.deltas, toolcall.Delta{Kind: toolcall.DeltaError, Name: "stream_error", Text: failed.Error()})
	}
	r.deltas = r.events.Close(r.deltas, r.finish)
	if err := r.write(); err != nil {
		return err
	}
	buf, err := r.enc.Close(r.buf[:0])
	if err != nil {
		return err
	}
	return r.out.raw(buf)
}

// losses are what the target could not hold.
func (r *reencoder) losses() []chat.Loss { return append(r.events.Losses(), r.enc.Losses()...) }

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
	g.flags.BoolVar(&c.allLosses, "all-losses", false, "report also what nobody misses, such as the time of an answer")
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
