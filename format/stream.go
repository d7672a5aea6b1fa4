// Package format reads what providers send. A [Stream] cuts a response body
// into events (package format/internal/frame), finds out whose they are, and decodes
// them into deltas (one package a wire format), while they arrive.
//
//	for d, err := range format.NewStream(resp.Body, format.Options{}).Deltas() {
//		...
//	}
//
// Whole bodies go the same way as streams.
package format

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"unicode/utf8"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/frame"
	"github.com/toolparse/toolparse/format/internal/rawjson"
	"github.com/toolparse/toolparse/internal/strictjson"
	"github.com/toolparse/toolparse/internal/utf8cut"
	"github.com/toolparse/toolparse/toolcall"
)

// Options configure a Stream. The zero value sniffs.
type Options struct {
	Wire          Wire // "" means Auto
	MaxEventBytes int  // of one event; default 32 MiB
	ChunkBytes    int  // of one read; default 4096
}

// Stream decodes one response body. It reads no further than it needs for what
// it gives: an event is decoded as soon as its last byte has come. It is not
// safe for concurrent use.
type Stream struct {
	in     input
	max    int
	wire   Wire
	opened bool
	err    error // what opening came to
	ranged bool
	known  bool // an event of the wire has come

	framing frame.Framing
	dec     decoder // nil for text
	deltas  []toolcall.Delta
	events  int          // those that came whole
	body    bool         // the first of them may be a whole body
	event   int          // the number of the one that is decoded,
	offset  int64        // and where it begins
	given   int          // deltas
	garbled *SyntaxError // the first event with bytes that are no UTF-8
}

// NewStream returns a stream over r. It reads nothing before it is asked.
func NewStream(r io.Reader, opts Options) *Stream {
	s := &Stream{in: newInput(r, opts.ChunkBytes), max: opts.MaxEventBytes, wire: opts.Wire}
	if s.max <= 0 {
		s.max = frame.DefaultMaxEventBytes
	}
	if s.wire == "" {
		s.wire = Auto
	}
	return s
}

// NewWholeStream is [NewStream] for a body that is all there, and does not change.
func NewWholeStream(body []byte, opts Options) *Stream {
	s := NewStream(nil, opts)
	s.in = input{held: body, offset: int64(len(body)), err: io.EOF}
	return s
}

// Wire tells the wire of the stream: the one asked for, or the one that was
// sniffed, for which it reads as much of the input as it needs; what is read
// is not lost to Deltas. The error is that of an unknown wire, or of a reader
// that fails before anything is decided.
func (s *Stream) Wire() (Wire, error) {
	if s.wire == Auto {
		s.open()
	} else if s.wire != Text && newDecoder(s.wire) == nil {
		_, err := ParseWire(string(s.wire))
		return s.wire, err
	}
	return s.wire, s.err
}

// Deltas decodes the stream. The iterator is lazy and single-use; an error
// comes last, after every delta that could be decoded: a *SyntaxError, a
// *TooLargeError, a *TruncatedError, or one that wraps the reader's own. It
// ends at the marker "[DONE]" without reading further, else where the input
// ends. Bytes of a text that are no UTF-8 stay as they are and keep nothing
// from being decoded; the error that tells of the first of them comes last.
//
// Deltas own their strings; on a stream of small events there are no more than
// two allocations for each. Memory is that of the largest event.
func (s *Stream) Deltas() iter.Seq2[toolcall.Delta, error] {
	return func(yield func(toolcall.Delta, error) bool) {
		if s.ranged {
			yield(toolcall.Delta{}, errors.New("the deltas of a stream can be read only once"))
			return
		}
		s.ranged = true
		s.open()
		err := s.err
		if err == nil && s.dec == nil {
			err = s.text(yield)
		} else if err == nil {
			err = s.decode(yield)
		}
		if err != nil && err != errStopped {
			yield(toolcall.Delta{}, err)
		}
	}
}

// errStopped says that the range over the deltas was left.
var errStopped = errors.New("stopped")

// open decides on the wire and the framing.
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
		if s.dec = newDecoder(s.wire); s.dec == nil {
			_, s.err = ParseWire(string(s.wire))
			return
		}
		s.sniffFraming()
	}
}

// sniff reads until it is clear what the input is.
func (s *Stream) sniff() {
	sniffer := sniffer{max: s.max}
	v, ok := sniffer.add(s.in.held)
	for !ok {
		p, err := s.in.more()
		if v, ok = sniffer.add(p); !ok && err != nil {
			v, ok = sniffer.end(), true
			if err != io.EOF && len(s.in.held) == 0 {
				s.err = err
			}
		}
	}
	s.wire, s.framing = v.wire, v.framing
	s.dec = newDecoder(s.wire)
	if v.err != nil {
		s.err = v.err
	}
}

// sniffFraming reads until it is clear how the events of the wire are framed,
// which takes the first byte that is not blank.
func (s *Stream) sniffFraming() {
	for at, skipped := 0, false; ; {
		for ; at < len(s.in.held); at++ {
			c := s.in.held[at]
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
		if _, err := s.in.more(); err != nil && at == len(s.in.held) {
			s.framing = frame.SSE
			return
		}
	}
}

// isPage reports whether the body is an HTML page from index at on.
func (s *Stream) isPage(at int) bool {
	for {
		is, sure := isMarkup(s.in.held[at:])
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
	for len(s.in.held) < maxPage {
		if _, err := s.in.more(); err != nil {
			break
		}
	}
	page := s.in.held[at:min(len(s.in.held), maxPage)]
	return &SyntaxError{Wire: string(s.wire), Event: 1, Offset: int64(at), Err: &HTMLError{summarise(page)}}
}

// errForeign says that events came, but none that the wire knows.
var errForeign = errors.New("the stream contains no event of this wire")

// decode gives the deltas of a wire, and tells how the stream ended.
func (s *Stream) decode(yield func(toolcall.Delta, error) bool) error {
	err := s.read(yield)
	if err == errStopped {
		return err
	}
	s.deltas = s.dec.Close(s.deltas[:0])
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
	case s.given == 0 && !s.body && s.dec.Meta() == (chat.Meta{Wire: string(s.wire)}): // else the answer is empty
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

// read reads to the end marker or the end of the input.
func (s *Stream) read(yield func(toolcall.Delta, error) bool) error {
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
		case s.framing == frame.SSE && s.given == 0 && !isEvents(head):
			return &SyntaxError{Event: 1, Err: &PlainTextError{string(head)}}
		}
		return nil
	}
}

// maxHead bounds the beginning of a body in an error.
const maxHead = 60

// isCutJSON reports whether err says no more than that the data of an event
// are no JSON, which is what a cut leaves of them.
func isCutJSON(err error) bool {
	bad, ok := errors.AsType[*SyntaxError](err)
	return ok && bad.Field == ""
}

// isEvents reports whether a body that begins so may be one of events.
func isEvents(head []byte) bool {
	var lines sseSniffer
	for _, c := range bytes.TrimPrefix(head, []byte("\ufeff")) {
		if !lines.line(c) {
			return false
		}
	}
	return true
}

// feed decodes an event and gives its deltas.
func (s *Stream) feed(e frame.Event, yield func(toolcall.Delta, error) bool) error {
	if err := s.checkWire(e); err != nil {
		return err
	}
	var err error
	s.event, s.offset = e.Number, e.Offset
	s.deltas, err = s.dec.Feed(s.deltas[:0], e)
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

// checkText notes the first event that is no UTF-8, as JSON has to be.
func (s *Stream) checkText(e frame.Event) {
	if s.garbled == nil && !utf8.Valid(e.Data) {
		s.garbled = &SyntaxError{
			Wire: string(s.wire), Event: e.Number, Offset: e.Offset + int64(rawjson.ValidText(e.Data)), Err: rawjson.ErrNotText,
		}
	}
}

func (s *Stream) give(yield func(toolcall.Delta, error) bool) error {
	for _, d := range s.deltas {
		if !yield(d, nil) {
			return errStopped
		}
		if d.Kind != toolcall.DeltaExtra {
			s.given++
		}
	}
	return nil
}

// text gives the input as text, a delta for each read. A delta does not end
// inside a UTF-8 sequence, unless the input does.
func (s *Stream) text(yield func(toolcall.Delta, error) bool) error {
	var buf []byte
	for {
		p, err := s.in.next()
		buf = append(buf, p...)
		kept := 0
		if err == nil {
			kept = utf8cut.Tail(buf)
		}
		if n := len(buf) - kept; n > 0 {
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
