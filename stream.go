package toolparse

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"sync"

	"github.com/toolparse/toolparse/adapter"
	"github.com/toolparse/toolparse/dialect"
	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/collect"
	"github.com/toolparse/toolparse/internal/printable"
	"github.com/toolparse/toolparse/internal/strictjson"
	"github.com/toolparse/toolparse/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// Stream is one response body or one text that a [Kit] reads. [Kit.Calls],
// [Kit.Events], [Kit.Collect] and [Kit.Reencode] open one and range over it. Open it
// yourself if you need more than the events. It is not safe for concurrent use.
type Stream struct {
	body   *format.Stream // nil if the deltas do not come from a body
	source iter.Seq2[toolcall.Delta, error]
	text   string // the whole text, if source is nil
	wire   Wire
	opts   *Options
	parser *parser.Compiled
	asked  []*dialect.Dialect
	calls  *adapter.Adapter
	notes  []Note         // rejected candidates; at the end also the notes of unread
	unread *parser.Unread // finds calls in what is left as text
	finish toolcall.Delta // the provider's finish reason
	failed *format.ReportedError
	last   int    // highest choice seen so far, or -1
	others []Note // first call of each choice that is not read
	found  bool   // the choice to read has come
	open   map[string]*progress
	whole  bool       // nobody calls Partial
	out    *reencoder // set by Encode; may be nil
	gather *gatherer  // set by Gather; may be nil
	stop   *stopper   // set by StopAfterCalls; may be nil
	fence  *unfencer  // set by Unfence; may be nil

	own       parser.Compiled // of parser
	call      ToolInvocation  // the last, if nobody sees the events
	gathering gatherer        // of gather
	parts     []gathered      // memory for gather
	spareBody *format.Stream  // memory for body
	spare     *sync.Pool      // for giveBack
}

// Open detects the wire format of r, and reads no more of r than that needs. It fails
// if reading r fails.
func (k *Kit) Open(r io.Reader) (*Stream, error) {
	s := k.borrow()
	s.spareBody.Reset(r, format.Options{Wire: k.opts.wire(), MaxEventBytes: k.opts.MaxEventBytes})
	return k.open(s)
}

// open returns s as a stream over the body in s.spareBody.
func (k *Kit) open(s *Stream) (*Stream, error) {
	wire, err := s.spareBody.Wire()
	if err != nil {
		return nil, err
	}
	if err := k.begin(s, wire, s.spareBody.Deltas()); err != nil {
		return nil, err
	}
	s.body = s.spareBody
	return s, nil
}

// borrow returns an empty stream, if possible with the memory of one that was given back.
func (k *Kit) borrow() *Stream {
	if s, ok := k.parsers.spare.Get().(*Stream); ok {
		return s
	}
	return &Stream{calls: k.adapt.New(), unread: new(parser.Unread), spareBody: new(format.Stream)}
}

// stream returns a stream that reads the deltas of a wire.
func (k *Kit) stream(wire Wire, source iter.Seq2[toolcall.Delta, error]) (*Stream, error) {
	s := k.borrow()
	return s, k.begin(s, wire, source)
}

// begin makes s, which is empty, a stream that reads the deltas of a wire.
func (k *Kit) begin(s *Stream, wire Wire, source iter.Seq2[toolcall.Delta, error]) error {
	if own := k.renamed[wire]; own != nil {
		source = withOwnNames(source, own)
	}
	compiled, err := k.parserOf(wire)
	if err != nil {
		return err
	}
	s.source, s.wire, s.opts, s.asked, s.last, s.spare = source, wire, &k.opts, compiled.dialects, -1, &k.parsers.spare
	s.own = *compiled.WithNotes(&s.notes)
	s.unread.Reset(compiled.Compiled)
	s.parser = &s.own
	return nil
}

// After an answer with more parts, the memory of a stream is not kept.
const maxSpareParts = 64

// giveBack makes the memory of s, which has ended, available to other streams of its kit.
// Nobody else may refer to s.
func (s *Stream) giveBack() {
	if cap(s.gather.parts) > maxSpareParts {
		return
	}
	parts := s.gather.parts
	clear(parts[:cap(parts)]) // which would keep their strings
	spare := s.spare
	s.unread.Reset(s.parser)
	*s = Stream{calls: s.calls, unread: s.unread, parts: parts[:0], spareBody: s.spareBody}
	s.calls.Reset()
	s.spareBody.Reset(nil, format.Options{})
	spare.Put(s)
}

// Wire returns the wire format of the body, or Text for plain text.
func (s *Stream) Wire() Wire { return s.wire }

// Dialects returns the dialects in which text is read.
func (s *Stream) Dialects() []*dialect.Dialect { return slices.Clone(s.asked) }

// Notes returns the notes so far. After the last event they also name calls in dialects
// that were not read.
func (s *Stream) Notes() []Note { return s.notes }

// Meta returns what the provider has reported so far: the answer's id, the model, the
// usage.
func (s *Stream) Meta() chat.Meta {
	if s.body == nil {
		return chat.Meta{}
	}
	return s.body.Meta()
}

// FinishWords returns the provider's own finish reason and its details. Both are ""
// until the provider has sent them, and for plain text.
func (s *Stream) FinishWords() (word, detail string) { return s.finish.Text, s.finish.Name }

// deltas yields the deltas of the source, and records the finish, errors and other
// choices.
func (s *Stream) deltas() iter.Seq2[toolcall.Delta, error] {
	return func(yield func(toolcall.Delta, error) bool) {
		for d, err := range s.source {
			if err == nil {
				s.last, s.found = max(s.last, d.Choice), s.found || d.Choice == s.opts.Choice
				if d.Kind == toolcall.DeltaToolCall && d.Choice != s.opts.Choice {
					s.passOver(d)
				}
				if s.failed == nil {
					s.failed = format.Reported(d)
				}
				if d.Kind == toolcall.DeltaFinish && d.Choice == s.opts.Choice {
					s.finish = d
				}
				if s.gather != nil && d.Choice == s.opts.Choice {
					s.gather.delta(s.wire, d)
				}
				if s.out != nil {
					err = s.out.delta(d)
				}
			}
			if !yield(d, err) || err != nil {
				return
			}
		}
	}
}

// maxOthers bounds the notes about other choices.
const maxOthers = 10

// passOver adds a note about a call of a choice that is not read.
func (s *Stream) passOver(d toolcall.Delta) {
	known := slices.ContainsFunc(s.others, func(n Note) bool { return n.Choice == d.Choice })
	if !known && len(s.others) < maxOthers {
		s.others = append(s.others, Note{Kind: parser.NoteChoice, Tool: d.Name, Choice: d.Choice})
	}
}

// Events yields every event as it arrives, as [Kit.Events] does.
func (s *Stream) Events() iter.Seq2[StreamEvent, error] {
	return func(yield func(StreamEvent, error) bool) {
		var failed error
		events := s.parser.TextEvents(s.text)
		if s.source != nil {
			events = s.parser.Events(s.deltas())
		}
		if s.stop != nil {
			events = s.stop.events(events)
		}
		if s.fence != nil {
			events = s.fence.events(events)
		}
		for e, err := range events {
			if err == nil && s.out != nil {
				err = s.out.event(e)
			}
			if err != nil {
				failed = err
				break
			}
			s.unread.Add(e)
			event := StreamEvent{Event: e, progress: s.follow(e)}
			if call, ended := s.calls.Add(e); ended {
				if s.wire != Text {
					call.Start, call.End = 0, 0 // they count the text of the deltas, not the body
				}
				if s.whole {
					s.call = call
					event.Call = &s.call
				} else {
					own := call // so that only calls are allocated
					event.Call = &own
				}
			}
			if s.gather != nil {
				s.gather.event(event)
			}
			if !yield(event, nil) {
				if s.gather != nil {
					s.gather.close(s)
				}
				return
			}
		}
		s.notes = append(append(s.notes, s.unread.Notes()...), s.others...)
		if s.body != nil {
			for _, fault := range s.body.Faults() {
				s.notes = append(s.notes, Note{Kind: parser.NoteFault, Rule: fault.String()})
			}
		}
		err := s.ended(failed)
		if s.gather != nil {
			s.gather.close(s)
		}
		if err != nil {
			yield(StreamEvent{}, err)
		}
	}
}

// ended closes what is written, and returns the error that the stream ends with.
func (s *Stream) ended(failed error) error {
	if s.out != nil {
		if err := s.out.close(failed); failed == nil {
			failed = err
		}
	}
	_, cut := errors.AsType[*format.TruncatedError](failed)
	switch {
	case s.failed != nil && (failed == nil || cut): // which is why it was cut
		return s.failed
	case failed == nil && !s.found && s.last >= 0:
		return fmt.Errorf("the answer has no candidate %d, the last is %d", s.opts.Choice, s.last)
	}
	return failed
}

// progress holds the arguments of an open call so far.
type progress struct {
	call   collect.Call       // of a segment whose content is one parameter
	object strictjson.Partial // of any other call
}

// follow updates and returns the progress of the call that e belongs to.
func (s *Stream) follow(e Event) *progress {
	switch {
	case s.whole || !e.Segment.IsCall():
		return nil
	case e.Type == SegmentStart:
		p := &progress{call: collect.Call{Start: e}}
		if s.open == nil {
			s.open = map[string]*progress{}
		}
		s.open[e.ID] = p
		return p
	}
	p := s.open[e.ID]
	switch {
	case p == nil:
	case e.Type == SegmentEnd:
		delete(s.open, e.ID)
	case p.call.Start.Origin.ContentParameter() == "":
		p.object.Add(e.Payload)
	default:
		p.call.Add(&e)
	}
	return p
}

// arguments returns the arguments so far as a valid object.
func (p *progress) arguments() json.RawMessage {
	if p.call.Start.Origin.ContentParameter() != "" {
		call := p.call
		call.Content = call.Content[:len(call.Content)-printable.CutTail(call.Content)]
		return call.Arguments()
	}
	if object := p.object.Value(); len(object) > 0 && object[0] == '{' {
		return object
	}
	return json.RawMessage("{}") // not begun, or not an object, as in a malformed call
}

// Partial returns the arguments of the event's call so far, always as a valid JSON
// object. It includes the arrived part of a string, but numbers and literals only when
// they are whole. It returns nil for events of text and reasoning. Call it before the
// next event is read. It copies the arguments so far.
func (e StreamEvent) Partial() json.RawMessage {
	if e.progress == nil {
		return nil
	}
	return e.progress.arguments()
}
