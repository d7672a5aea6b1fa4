// Package reencode writes what a parser found in a stream as the stream of a wire, so that
// calls in a text dialect become native calls.
package reencode

import (
	"cmp"
	"io"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/wireio"
	"github.com/toolparse/toolparse/toolcall"
)

// Encoder writes a parsed stream as a stream of a wire format. Calls that were found in
// text become native calls, whose arguments are streamed. Make one with [New]. It is not
// safe for concurrent use.
//
// Pass each delta to Delta before parsing it, then its events to Event, and finally call
// Close. Each method writes at most once.
type Encoder struct {
	to     io.Writer
	buf    []byte
	broken bool // a write failed

	source func() chat.Meta // what is known about the answer so far
	choice int
	enc    wire.Encoder
	events Deltas
	meta   chat.Meta
	spent  chat.Usage
	ownID  bool
	seal   func(signature, of string) string // may be nil
	signs  bool                              // calls of the wire have signatures
	finish toolcall.Delta                    // the provider's finish delta, kept until the end
	deltas []toolcall.Delta
}

// Options configure an Encoder.
type Options struct {
	ID      string // of the answer, if the stream has none; "" means "toolparse"
	ForceID bool   // use ID even if the stream has one
	Model   string // of the answer, if the stream names none; "" means "unknown"
	Created int64  // its time in seconds since 1970, if the stream names none
	Choice  int    // the choice to write, as the only one
	// EarlierUsage is added to the usage of the stream, for example that of a failed
	// attempt.
	EarlierUsage chat.Usage
	Chat         wire.Options
}

// New returns an encoder that writes the events of a stream to w. It fails on a wire without
// an encoder.
func New(w io.Writer, meta func() chat.Meta, to format.Wire, opts Options) (*Encoder, error) {
	codec, err := all.CodecOf(to)
	if err != nil {
		return nil, err
	}
	e := &Encoder{
		to: w, source: meta, choice: opts.Choice, spent: opts.EarlierUsage, ownID: opts.ForceID, seal: opts.Chat.Seal, enc: codec.NewEncoder(opts.Chat),
		// Plain text has no id and no model, but every wire requires them.
		meta: chat.Meta{ID: cmp.Or(opts.ID, "toolparse"), Model: cmp.Or(opts.Model, "unknown"), Created: opts.Created},
	}
	traits := features.TraitsOf(string(to))
	e.signs = traits.SignsCalls || traits.PassesSignatures
	e.enc.SetMeta(e.meta)
	return e, nil
}

// Delta writes what becomes no event of the parser.
func (e *Encoder) Delta(d toolcall.Delta) error {
	if d.Choice != e.choice {
		return nil
	}
	if d.Kind == toolcall.DeltaFinish {
		e.finish = d
	}
	d.Choice = 0
	if d.Kind == toolcall.DeltaSignature && e.seal != nil {
		d.Text = e.seal(d.Text, d.Name)
		if d.Name == toolcall.SignsCall && !e.signs {
			d.Name, d.Index = toolcall.SignsRedacted, toolcall.NoIndex
		}
	}
	if e.deltas = e.events.Pass(e.deltas[:0], d); len(e.deltas) == 0 {
		return nil
	}
	return e.send(e.encode())
}

// Event writes an event of the parser.
func (e *Encoder) Event(event toolcall.Event) error {
	e.deltas = e.events.Append(e.deltas[:0], event)
	return e.send(e.encode())
}

// Close writes the end of the stream. If the input failed, the stream ends with that
// error, unless the provider has reported one.
func (e *Encoder) Close(failed error) error {
	if e.broken {
		return nil
	}
	e.deltas = e.deltas[:0]
	if failed != nil {
		e.deltas = e.events.Pass(e.deltas, toolcall.Delta{Kind: toolcall.DeltaError, Name: wireio.StreamError, Text: failed.Error()})
	}
	e.deltas = e.events.Close(e.deltas, e.finish)
	return e.send(e.enc.Close(e.encode()))
}

// Losses returns what the wire format could not express so far.
func (e *Encoder) Losses() []chat.Loss { return append(e.events.Losses(), e.enc.Losses()...) }

// encode returns the deltas as the wire has them, valid until the next call.
func (e *Encoder) encode() []byte {
	e.learn()
	e.buf = e.buf[:0]
	for _, d := range e.deltas {
		e.buf = e.enc.Append(e.buf, d)
	}
	return e.buf
}

func (e *Encoder) send(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	_, err := e.to.Write(b)
	e.broken = err != nil
	return err
}

// learn passes on new metadata of the answer.
func (e *Encoder) learn() {
	meta := e.source()
	if meta.ID == "" || e.ownID {
		meta.ID = e.meta.ID
	}
	meta.Model, meta.Created = cmp.Or(meta.Model, e.meta.Model), cmp.Or(meta.Created, e.meta.Created)
	meta.Usage = meta.Usage.Add(e.spent)
	if meta != e.meta {
		e.meta = meta
		e.enc.SetMeta(meta)
	}
}
