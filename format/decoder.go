package format

import (
	"sync"

	"github.com/toolparse/toolparse/internal/wire/all"
	"github.com/toolparse/toolparse/internal/wire/envelope"
	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/sniff"
	"github.com/toolparse/toolparse/toolcall"
)

// reader is a decoder with the memory for its deltas.
type reader struct {
	all.Decoder
	deltas   []toolcall.Delta
	envelope envelope.Envelope // of the event whose wire is being checked
}

// spare holds the readers of streams that have ended, by the row of their wire. A stream gives
// its reader back only at its end, when callers keep nothing of it but strings.
var spare [len(all.Wires)]sync.Pool

// borrow returns a reader for a wire, which must have a row.
func borrow(w Wire) *reader {
	at := all.IndexOf(string(w))
	if r, ok := spare[at].Get().(*reader); ok {
		return r
	}
	return &reader{Decoder: all.Wires[at].NewDecoder()}
}

// maxSpare is the number of deltas of one event after which a reader is not kept.
const maxSpare = 64

// giveBack makes a reader available to other streams of a wire.
func giveBack(r *reader, w Wire) {
	if cap(r.deltas) > maxSpare {
		return
	}
	clear(r.deltas[:cap(r.deltas)]) // which would keep their strings
	r.Reset()
	if r.envelope.Whole.Kind != rawjson.Absent {
		r.envelope = envelope.Envelope{} // which would keep the body
	}
	spare[all.IndexOf(string(w))].Put(r)
}

// checkWire returns an error for an event of another wire. The first event of any wire
// decides. Errors and keep-alives do not count, because gateways send those of one wire
// in streams of another. A body that is a gateway's own error becomes one of the wire.
func (s *Stream) checkWire(e frame.Event) (frame.Event, error) {
	if s.known || s.count > 0 || e.IsDone() {
		return e, nil
	}
	v, ok := e.Indexed()
	if !ok {
		var err error
		if v, err = new(rawjson.Reader).Open(e); err != nil {
			return e, nil // the decoder reports it with its place
		}
	}
	v = rawjson.First(v)
	marks := &s.dec.envelope
	marks.Read(v)
	if marks.Failure.IsSet() || marks.Type.Is("error") || marks.Type.Is("ping") {
		return e, nil
	}
	if e.IsBody() || marks.Object.Is("error") { // the latter is vLLM's, also as an event
		if data := marks.AsError(); data != nil {
			e.Data = data
			return e, nil
		}
	}
	switch found := Wire(sniff.WireOf(marks)); found {
	case "":
		if api := sniff.ForeignOf(v); api != nil && e.IsBody() {
			return e, &SyntaxError{Wire: string(s.wire), Event: e.Number, Offset: e.Offset, Err: api.Err()}
		}
	case s.wire:
		s.known = true
	default:
		return e, &SyntaxError{Wire: string(s.wire), Event: e.Number, Offset: e.Offset, Err: &ForeignError{found}}
	}
	return e, nil
}
