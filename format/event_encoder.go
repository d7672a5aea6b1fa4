package format

import (
	"cmp"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/wireio"
	"github.com/toolparse/toolparse/toolcall"
)

// EventEncoder writes what a parser made of a stream as the stream of a wire
// format: calls found in text come out as that provider's own, their arguments in
// pieces. Make one with [NewEventEncoder]. It is not safe for concurrent use.
//
// Give each delta to Delta before it is parsed, then its events to Event, and at
// last call Close. Each of them appends bytes that can be sent at once to dst and
// returns it. After an error the encoder is of no more use.
type EventEncoder struct {
	stream *Stream
	choice int
	enc    chat.Encoder
	events EventDeltas
	meta   chat.Meta
	spent  chat.Usage
	ownID  bool
	finish toolcall.Delta // the provider's own, held to the end
	deltas []toolcall.Delta
}

// EventOptions configure an EventEncoder.
type EventOptions struct {
	ID      string // of the answer, where the stream has none; "toolparse" where it is ""
	ForceID bool   // the answer has ID, whatever the stream says
	Model   string // of the answer, where the stream names none; "unknown" where it is ""
	Choice  int    // the candidate that is parsed, and written as the only one
	// EarlierUsage are tokens that count beside those of the stream, as of an attempt before it.
	EarlierUsage chat.Usage
	Chat         chat.Options
}

// NewEventEncoder returns an encoder for the events of a stream. It fails on a
// wire that cannot be written.
func NewEventEncoder(stream *Stream, to Wire, opts EventOptions) (*EventEncoder, error) {
	codec, err := CodecOf(to)
	if err != nil {
		return nil, err
	}
	wire := stream.wire
	if opts.Chat.Request != nil {
		if wire, err = stream.Wire(); err != nil {
			return nil, err
		}
	}
	if opts.Chat, err = answering(opts.Chat, wire); err != nil {
		return nil, err
	}
	// Raw text has no id and no model, but every wire wants them.
	e := &EventEncoder{stream: stream, choice: opts.Choice, spent: opts.EarlierUsage, ownID: opts.ForceID, enc: codec.NewEncoder(opts.Chat), meta: chat.Meta{ID: cmp.Or(opts.ID, "toolparse"), Model: cmp.Or(opts.Model, "unknown")}}
	e.enc.SetMeta(e.meta)
	return e, nil
}

// Delta writes what the parser makes no event of.
func (e *EventEncoder) Delta(dst []byte, d toolcall.Delta) ([]byte, error) {
	if d.Choice != e.choice {
		return dst, nil
	}
	if d.Kind == toolcall.DeltaFinish {
		e.finish = d
	}
	d.Choice = 0
	if e.deltas = e.events.Pass(e.deltas[:0], d); len(e.deltas) == 0 {
		return dst, nil
	}
	return e.write(dst)
}

// Event writes an event of the parser.
func (e *EventEncoder) Event(dst []byte, event toolcall.Event) ([]byte, error) {
	e.deltas = e.events.Append(e.deltas[:0], event)
	return e.write(dst)
}

// Close writes the end of the stream. Where the input failed, it ends with that
// error, unless the provider has reported one.
func (e *EventEncoder) Close(dst []byte, failed error) ([]byte, error) {
	e.deltas = e.deltas[:0]
	if failed != nil {
		e.deltas = e.events.Pass(e.deltas, toolcall.Delta{Kind: toolcall.DeltaError, Name: wireio.StreamError, Text: failed.Error()})
	}
	e.deltas = e.events.Close(e.deltas, e.finish)
	dst, err := e.write(dst)
	if err != nil {
		return dst, err
	}
	return e.enc.Close(dst)
}

// Losses returns what the wire format could not express so far.
func (e *EventEncoder) Losses() []chat.Loss { return append(e.events.Losses(), e.enc.Losses()...) }

func (e *EventEncoder) write(dst []byte) ([]byte, error) {
	e.learn()
	for _, d := range e.deltas {
		var err error
		if dst, err = e.enc.Append(dst, d); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// learn hands on what the provider says of its answer, which comes bit by bit.
func (e *EventEncoder) learn() {
	meta := e.stream.Meta()
	if meta.ID == "" || e.ownID {
		meta.ID = e.meta.ID
	}
	if meta.Model == "" {
		meta.Model = e.meta.Model
	}
	meta.Usage = meta.Usage.Add(e.spent)
	if meta != e.meta {
		e.meta = meta
		e.enc.SetMeta(meta)
	}
}
