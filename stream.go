package toolparse

import (
	"encoding/json"
	"errors"
	"io"
	"iter"

	"github.com/toolparse/toolparse/adapter"
	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/utf8cut"
	"github.com/toolparse/toolparse/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// stream is one body on its way through a kit.
type stream struct {
	body   *format.Stream
	wire   Wire
	parser *parser.Compiled
	calls  *adapter.Adapter
	notes  []Note         // of candidates that are no calls
	unread *parser.Unread // finds calls in what is left as text
	finish toolcall.Delta // the provider's own
	failed *format.ReportedError
	delta  func(toolcall.Delta) error // sees each one before it is parsed; may be nil
	open   map[string]*progress
}

// open finds out what r is and makes what reads it.
func (k *Kit) open(r io.Reader) (*stream, error) {
	s := &stream{body: format.NewStream(r, format.Options{Wire: k.opts.wire()}), calls: k.adapt.New(), open: map[string]*progress{}}
	var err error
	if s.wire, err = s.body.Wire(); err != nil {
		return nil, err
	}
	compiled, err := k.parserOf(s.wire)
	if err != nil {
		return nil, err
	}
	s.parser, s.unread = compiled.WithNotes(&s.notes), compiled.NewUnread()
	return s, nil
}

// deltas are those of the body; the stream notes how it ends.
func (s *stream) deltas() iter.Seq2[toolcall.Delta, error] {
	return func(yield func(toolcall.Delta, error) bool) {
		for d, err := range s.body.Deltas() {
			if err == nil && d.Choice == 0 {
				if d.Kind == toolcall.DeltaFinish {
					s.finish = d
				}
				if s.failed == nil {
					s.failed = format.Reported(d)
				}
				if s.delta != nil {
					if err := s.delta(d); err != nil {
						yield(d, err)
						return
					}
				}
			}
			if !yield(d, err) {
				return
			}
		}
	}
}

// events are those of the body, with the calls that they end.
func (s *stream) events() iter.Seq2[StreamEvent, error] {
	return func(yield func(StreamEvent, error) bool) {
		for e, err := range s.parser.Events(s.deltas()) {
			if err != nil {
				if _, cut := errors.AsType[*format.TruncatedError](err); cut && s.failed != nil {
					err = s.failed // which is why it was cut
				}
				yield(StreamEvent{}, err)
				return
			}
			s.unread.Add(e)
			event := StreamEvent{Event: e, progress: s.follow(e)}
			if call, ended := s.calls.Add(e); ended {
				if s.wire != Text {
					call.Start, call.End = 0, 0 // of the text in the deltas, not of the body
				}
				event.Call = &call
			}
			if !yield(event, nil) {
				return
			}
		}
		if s.failed != nil {
			yield(StreamEvent{}, s.failed)
		}
	}
}

// progress are the arguments of a call so far.
type progress struct {
	start   Event // of the segment
	object  partialObject
	content []byte // of a segment whose content is one parameter
}

// follow keeps the progress of the call that e belongs to.
func (s *stream) follow(e Event) *progress {
	switch {
	case !e.Segment.IsCall():
		return nil
	case e.Type == SegmentStart:
		p := &progress{start: e}
		s.open[e.ID] = p
		return p
	}
	p := s.open[e.ID]
	switch {
	case p == nil:
	case e.Type == SegmentEnd:
		delete(s.open, e.ID)
	case p.start.Origin.ContentParameter() == "":
		p.object.add(e.Payload)
	default:
		p.content = append(p.content, e.Payload...)
	}
	return p
}

// Partial returns the arguments of the event's call so far, as a JSON object that
// is valid at any moment: strings as far as they have come, numbers and literals
// once they are whole. It is nil for events of text and reasoning. Ask before the
// next event is taken. It costs a copy of what has come.
func (e StreamEvent) Partial() json.RawMessage {
	p := e.progress
	if p == nil {
		return nil
	}
	name := p.start.Origin.ContentParameter()
	if name == "" {
		return p.object.value()
	}
	args := []byte{'{'}
	for key, value := range p.start.Parameters() {
		if key != name {
			args = append(append(append(jsonvalue.AppendQuoted(args, key), ':'), value...), ',')
		}
	}
	args = append(jsonvalue.AppendQuoted(args, name), ':')
	content := p.content[:len(p.content)-utf8cut.Tail(p.content)]
	return append(jsonvalue.AppendQuoted(args, string(content)), '}')
}
