// Package format reads the answers of providers. A [Stream] splits a response body into
// events, detects their wire, and decodes them into deltas while they arrive.
//
//	for d, err := range format.NewStream(resp.Body, format.Options{}).Deltas() {
//		...
//	}
//
// Whole bodies are read in the same way as streams. [Translate] and [TranslateStream] write
// in one wire what came in another.
package format

import (
	"cmp"
	"errors"
	"io"
	"iter"
	"slices"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/bytescan"
	"github.com/toolparse/toolparse/internal/htmlpage"
	"github.com/toolparse/toolparse/internal/jsonindex"
	"github.com/toolparse/toolparse/internal/printable"
	"github.com/toolparse/toolparse/internal/strictjson"
	"github.com/toolparse/toolparse/internal/wholebody"
	"github.com/toolparse/toolparse/internal/wire/all"
	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/sniff"
	"github.com/toolparse/toolparse/internal/wire/wireio"
	"github.com/toolparse/toolparse/toolcall"
)

// Options configure a Stream. The zero value detects the wire.
type Options struct {
	Wire          Wire // "" means Auto
	MaxEventBytes int  // of one event; default 32 MiB
	ChunkBytes    int  // of one read; default 4096
}

// Stream decodes one response body. It decodes an event as soon as the last byte of it
// has arrived, without reading further. It is not safe for concurrent use.
type Stream struct {
	in      input
	whole   bool              // all of the input is there
	index   jsonindex.Index   // of a whole body
	indexed *wholebody.Reader // the whole body, if it has been read; may be nil
	max     int
	wire    Wire
	opened  bool
	err     error // from opening
	ranged  bool
	known   bool // an event of the wire has come

	framing frame.Framing
	dec     *reader      // nil for text, before the first event, and at the end
	meta    chat.Meta    // at the end
	faults  []chat.Loss  // likewise
	left    []chat.Loss  // values of a wrong type in a whole answer
	events  int          // number of complete events
	body    bool         // the first event may be a whole body
	event   int          // number of the current event,
	offset  int64        // and its offset
	count   int          // number of deltas
	garbled *SyntaxError // the first event with invalid UTF-8
}

// NewStream returns a stream over r. It does not read yet.
func NewStream(r io.Reader, opts Options) *Stream {
	s := new(Stream)
	s.Reset(r, opts)
	return s
}

// maxSpareIndex limits the memory that a stream keeps for the next one, in bytes.
const maxSpareIndex = 64 << 10

// Reset makes s a stream over r, as if it were new. It keeps memory.
func (s *Stream) Reset(r io.Reader, opts Options) {
	index := s.index
	*s = Stream{} // and then its fields, which takes half the time of a new value with all of them
	if index.Bytes() <= maxSpareIndex {
		s.index = index
	}
	s.in, s.max, s.wire = newInput(r, opts.ChunkBytes), opts.MaxEventBytes, opts.Wire
	if s.max <= 0 {
		s.max = frame.DefaultMaxEventBytes
	}
	if body, ok := r.(*wholebody.Reader); ok {
		s.in, s.whole, s.indexed = input{buffered: body.Value.Raw, offset: int64(len(body.Value.Raw)), err: io.EOF}, true, body
		s.wire, s.known = cmp.Or(Wire(body.Wire), s.wire), body.Known
	}
	if s.wire == "" {
		s.wire = Auto
	}
}

// ResetWhole is [Stream.Reset] for a complete body, which must not change.
func (s *Stream) ResetWhole(body []byte, opts Options) {
	s.Reset(nil, opts)
	s.in, s.whole = input{buffered: body, offset: int64(len(body)), err: io.EOF}, true
}

// Wire returns the wire of the stream: the one in the options, or the one that it
// detects. For that it reads as much of the input as necessary; Deltas still decodes all
// of it. It returns an error for an unknown wire, or if reading fails before the wire is
// certain.
func (s *Stream) Wire() (Wire, error) {
	if s.wire == Auto {
		s.open()
	} else if err := all.Check(string(s.wire)); err != nil {
		return s.wire, err
	}
	return s.wire, s.err
}

// Meta returns what is known about the answer so far, such as its id, the model and the
// usage. Each delta may add to it.
func (s *Stream) Meta() chat.Meta {
	switch {
	case s.dec != nil:
		return s.dec.Meta()
	case s.meta.Wire != "":
		return s.meta
	}
	return chat.Meta{Wire: string(s.wire)}
}

// Faults lists what was left out of an answer because of its type.
func (s *Stream) Faults() []chat.Loss {
	if s.dec != nil {
		return append(slices.Clip(s.left), s.dec.Faults()...)
	}
	return s.faults
}

// Deltas decodes the stream. The iterator is lazy and single-use. An error comes last,
// after every delta that could be decoded: a *SyntaxError, a *TooLargeError, a
// *TruncatedError, or one that wraps the reader's error. The iterator ends at the marker
// "[DONE]", without reading further, or at the end of the input. Invalid UTF-8 in a text
// stays as it is and does not stop the decoding; the error for the first occurrence comes
// last.
//
// Deltas own their strings. A stream of small events causes at most two allocations for
// each. The memory needed is that of the largest event.
func (s *Stream) Deltas() iter.Seq2[toolcall.Delta, error] {
	return func(yield func(toolcall.Delta, error) bool) {
		if s.ranged {
			yield(toolcall.Delta{}, errors.New("the deltas of a stream can be read only once"))
			return
		}
		s.ranged = true
		s.open()
		err := s.err
		if err == nil && s.wire == Text {
			err = s.text(yield)
		} else if err == nil {
			err = s.decode(yield)
		}
		if err != nil && err != errStopped {
			yield(toolcall.Delta{}, err)
		}
	}
}

// errStopped means that the caller has stopped the iteration.
var errStopped = errors.New("stopped")

// open determines the wire and the framing.
func (s *Stream) open() {
	if s.opened {
		return
	}
	s.opened = true
	switch s.wire {
	case Auto:
		s.sniff()
	case Text:
	default:
		if s.err = all.Check(string(s.wire)); s.err != nil {
			return
		}
		s.sniffFraming()
	}
}

// sniff reads until the kind of the input is known.
func (s *Stream) sniff() {
	if s.indexed != nil && s.indexed.Value.Kind == rawjson.Object && len(s.in.buffered) <= sniff.MaxHeld {
		s.take(sniff.Object(s.indexed.Value))
		return
	}
	sniffer := sniff.Sniffer{Max: s.max}
	v, ok := sniffer.Add(s.in.buffered)
	for !ok {
		p, err := s.in.more()
		if v, ok = sniffer.Add(p); !ok && err != nil {
			v, ok = sniffer.End(), true
			if err != io.EOF && len(s.in.buffered) == 0 {
				s.err = err
			}
		}
	}
	s.take(v)
}

// take applies what sniffing has found out.
func (s *Stream) take(v sniff.Verdict) {
	s.wire, s.framing, s.known = Wire(v.Wire), v.Framing, v.Known
	if v.Err != nil {
		s.err = v.Err
	}
	if s.indexed != nil {
		s.indexed.Wire, s.indexed.Known = v.Wire, v.Known
	}
}

// sniffFraming reads until the framing of the events is known, which takes the first byte
// that is not blank.
func (s *Stream) sniffFraming() {
	for at, skipped := 0, false; ; {
		for ; at < len(s.in.buffered); at++ {
			c := s.in.buffered[at]
			switch {
			case strictjson.IsBlank(c):
			case at < 3 && !skipped && c == "\ufeff"[at]:
				skipped = at == 2
			case c == '{' || c == '[':
				s.framing = frame.JSON
				return
			case c == '<' && s.isPage(at):
				s.err = s.page(at)
				return
			default:
				s.framing = frame.SSE
				return
			}
		}
		if _, err := s.in.more(); err != nil && at == len(s.in.buffered) {
			s.framing = frame.SSE
			return
		}
	}
}

// isPage reports whether the body from index at on is an HTML page.
func (s *Stream) isPage(at int) bool {
	for {
		is, sure := htmlpage.IsMarkup(s.in.buffered[at:])
		if sure {
			return is
		}
		if _, err := s.in.more(); err != nil {
			return false
		}
	}
}

// page returns the error for a body that is an HTML page from index at on.
func (s *Stream) page(at int) error {
	for len(s.in.buffered) < htmlpage.MaxBytes {
		if _, err := s.in.more(); err != nil {
			break
		}
	}
	return &SyntaxError{Wire: string(s.wire), Event: 1, Offset: int64(at), Err: htmlpage.Of(s.in.buffered[at:])}
}

// errForeign means that there were events, but none of this wire.
var errForeign = errors.New("the stream contains no event of this wire")

// decode yields the deltas of a wire, and returns how the stream ended.
func (s *Stream) decode(yield func(toolcall.Delta, error) bool) error {
	s.dec = borrow(s.wire)
	err := s.read(yield)
	if err == errStopped {
		return err
	}
	defer s.release()
	s.dec.deltas = s.dec.Close(s.dec.deltas[:0])
	if stopped := s.give(yield); stopped != nil {
		return stopped
	}
	if bad, ok := errors.AsType[*SyntaxError](err); ok {
		bad.Wire = string(s.wire)
	}
	switch {
	case err != nil:
	case !s.dec.Ended():
		err = &TruncatedError{s.wire, s.events, s.in.offset}
	case s.count == 0 && !s.body && s.dec.Meta() == (chat.Meta{Wire: string(s.wire)}): // otherwise the answer is empty
		err = &SyntaxError{Wire: string(s.wire), Event: s.events, Offset: s.in.offset, Err: errForeign}
	}
	switch {
	case s.garbled == nil:
		return err
	case err == nil:
		return s.garbled
	}
	return errors.Join(s.garbled, err)
}

// release keeps what the decoder knows about the answer, and gives the decoder back.
func (s *Stream) release() {
	s.meta, s.faults = s.dec.Meta(), s.Faults()
	giveBack(s.dec, s.wire)
	s.dec = nil
}

// read reads up to the end marker or the end of the input.
func (s *Stream) read(yield func(toolcall.Delta, error) bool) error {
	if s.whole && s.framing == frame.JSON {
		if e, ok := s.object(); ok {
			return s.feed(e, yield)
		}
	}
	split := frame.New(s.framing, s.max)
	var head []byte // the beginning of the body, for the error if it is not of the wire
	for {
		p, readErr := s.in.next()
		head = append(head, p[:min(len(p), maxHead-len(head))]...)
		for len(p) > 0 {
			e, n, ok, err := split.Next(p)
			if err != nil {
				return err
			}
			if !ok {
				break
			}
			if err := s.feed(e, yield); err != nil {
				return err
			}
			if e.IsDone() {
				return nil
			}
			p = p[n:]
		}
		if readErr == nil {
			continue
		}
		if e, ok := split.End(); ok {
			if err := s.feed(e, yield); err != nil && !isCutJSON(err) {
				return err
			}
		}
		switch {
		case readErr != io.EOF:
			return readErr
		case s.framing == frame.SSE && s.count == 0 && !sniff.IsEvents(head):
			return &SyntaxError{Event: 1, Err: &PlainTextError{string(head)}}
		}
		return nil
	}
}

// object returns the event of a whole body that is one object.
func (s *Stream) object() (e frame.Event, ok bool) {
	if s.indexed != nil {
		return frame.IndexedBody(&s.indexed.Value, s.max)
	}
	return frame.Body(s.in.buffered, s.max, &s.index)
}

// maxHead limits the beginning of a body in an error.
const maxHead = 60

// isCutJSON reports whether err only says that the data of an event are not JSON, as
// truncated data are not.
func isCutJSON(err error) bool {
	bad, ok := errors.AsType[*SyntaxError](err)
	return ok && bad.Field == ""
}

// feed decodes an event and yields its deltas.
func (s *Stream) feed(e frame.Event, yield func(toolcall.Delta, error) bool) error {
	e, err := s.checkWire(e)
	if err != nil {
		return err
	}
	s.event, s.offset = e.Number, e.Offset
	s.dec.deltas, err = s.dec.Feed(s.dec.deltas[:0], e)
	if err != nil && e.IsBody() && len(s.dec.Mistyped()) > 0 {
		s.left, err = wireio.WithoutMistyped(e, func(e frame.Event) ([]rawjson.Mistyped, error) {
			s.dec.Reset()
			s.dec.deltas, err = s.dec.Feed(s.dec.deltas[:0], e)
			return s.dec.Mistyped(), err
		})
	}
	if stopped := s.give(yield); stopped != nil {
		return stopped
	}
	if err == nil {
		s.events++
		s.body = s.body || e.IsBody() && !e.IsDone()
		s.checkText(e)
	}
	return err
}

// checkText records the first event with invalid UTF-8, which JSON forbids.
func (s *Stream) checkText(e frame.Event) {
	if s.garbled == nil && s.indexed == nil && !bytescan.IsUTF8(e.Data) {
		s.garbled = &SyntaxError{
			Wire: string(s.wire), Event: e.Number, Offset: e.Offset + int64(rawjson.ValidText(e.Data)), Err: rawjson.ErrNotText,
		}
	}
}

func (s *Stream) give(yield func(toolcall.Delta, error) bool) error {
	for _, d := range s.dec.deltas {
		if !yield(d, nil) {
			return errStopped
		}
		if d.Kind != toolcall.DeltaExtra {
			s.count++
		}
	}
	return nil
}

// text yields the input as text, one delta for each read. A delta does not end inside a
// UTF-8 sequence, unless the input does.
func (s *Stream) text(yield func(toolcall.Delta, error) bool) error {
	var buf []byte
	for {
		p, err := s.in.next()
		buf = append(buf, p...)
		count := 0
		if err == nil {
			count = printable.CutTail(buf)
		}
		if n := len(buf) - count; n > 0 {
			if !yield(toolcall.Delta{Kind: toolcall.DeltaText, Text: string(buf[:n])}, nil) {
				return errStopped
			}
			buf = append(buf[:0], buf[n:]...)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
