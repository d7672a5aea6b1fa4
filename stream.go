package toolparse

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"sync"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/adapter"
	"github.com/toolparse/toolparse/internal/collect"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/internal/printable"
	"github.com/toolparse/toolparse/internal/reencode"
	"github.com/toolparse/toolparse/internal/strictjson"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/toolcall"
)

// Stream is one response body or one text that a [Kit] reads. [Kit.Calls],
// [Kit.Events], [Kit.Collect] and [Kit.Reencode] open one and range over it. Open it
// yourself if you need more than the events. It is not safe for concurrent use.
type Stream struct {
	streamState

	// The memory that the stream keeps for the next one.
	calls     *adapter.Adapter
	unread    *parser.Unread // finds calls in what is left as text
	notes     []Note         // rejected candidates; at the end also the notes of unread
	parts     []gathered     // for gather
	lent      Answer         // of gather, if lends is set
	spareBody *format.Stream // for body

	// Methods, as values that are made only once.
	onDelta func(toolcall.Delta, error) bool
	onEvent func(Event, error) bool
	onFree  func() // giveBack
}

// streamState is a Stream without its memory.
type streamState struct {
	body    *format.Stream                   // nil if the deltas do not come from a body
	source  iter.Seq2[toolcall.Delta, error] // the deltas, if they are not just those of body
	text    string                           // the whole text, without body and source
	wire    Wire
	opts    *Options
	parser  *parser.Compiled
	asked   []*dialect.Dialect
	finish  toolcall.Delta // the provider's finish reason
	failed  *format.ReportedError
	last    int    // highest choice seen so far, or -1
	others  []Note // first call of each choice that is not read
	found   bool   // the choice to read has come
	open    map[string]*progress
	sink    Sink              // set by Tee; may be nil
	encoder *reencode.Encoder // set by Encode; may be nil
	gather  *gatherer         // set by Gather; may be nil
	stop    *stopper          // set by StopAfterCalls; may be nil
	fence   *unfencer         // set by Unfence; may be nil

	compiled  parser.Compiled // of parser
	gathering gatherer        // of gather
	lends     bool            // the stream is given back by onFree
	spare     *sync.Pool      // for giveBack

	reading
}

// reading is the state of [Stream.Events].
type reading struct {
	yield   func(StreamEvent, error) bool    // who reads the events; nil if they only go to gather
	pass    func(toolcall.Delta, error) bool // takes the deltas for the parser
	stopped bool                             // nobody wants more events
	err     error                            // that the events ended with
}

// Open detects the wire format of r, and reads no more of r than that needs. It fails
// if reading r fails.
func (k *Kit) Open(r io.Reader) (*Stream, error) {
	s := k.borrow()
	s.spareBody.Reset(r, format.Options{Wire: k.opts.Wire, MaxEventBytes: k.opts.MaxEventBytes})
	return k.open(s)
}

// open returns s as a stream over the body in s.spareBody.
func (k *Kit) open(s *Stream) (*Stream, error) {
	wire, err := s.spareBody.Wire()
	if err != nil {
		return nil, err
	}
	s.body = s.spareBody
	if err := k.begin(s, wire, nil); err != nil {
		return nil, err
	}
	return s, nil
}

// borrow returns an empty stream, if possible with the memory of one that was given back.
func (k *Kit) borrow() *Stream {
	if s, ok := k.parsers.spare.Get().(*Stream); ok {
		return s
	}
	s := &Stream{calls: k.adapt.New(), unread: new(parser.Unread), spareBody: new(format.Stream)}
	s.onDelta, s.onEvent, s.onFree = s.delta, s.event, s.giveBack
	return s
}

// stream returns a stream that reads the deltas of a wire; without any, the text in text.
func (k *Kit) stream(wire Wire, source iter.Seq2[toolcall.Delta, error]) (*Stream, error) {
	s := k.borrow()
	return s, k.begin(s, wire, source)
}

// begin makes s, which is empty, a stream that reads the deltas of a wire; nil for those of
// s.body.
func (k *Kit) begin(s *Stream, wire Wire, source iter.Seq2[toolcall.Delta, error]) error {
	if names := k.renamed[wire]; names != nil {
		if source == nil && s.body != nil {
			source = s.body.Deltas()
		}
		if source != nil {
			source = withOwnNames(source, names)
		}
	}
	compiled, err := k.parserOf(wire)
	if err != nil {
		return err
	}
	s.source, s.wire, s.opts, s.asked, s.last, s.spare = source, wire, &k.opts, compiled.dialects, -1, &k.parsers.spare
	s.compiled = *compiled.WithNotes(&s.notes)
	s.unread.Reset(compiled.Compiled)
	s.parser = &s.compiled
	return nil
}

// After an answer with more parts, the memory of a stream is not kept.
const maxSpareParts = 64

// giveBack makes the memory of s, which has ended, available to other streams of its kit.
// Nobody else may refer to s.
func (s *Stream) giveBack() {
	if cap(s.gather.parts) > maxSpareParts || cap(s.lent.Calls) > maxSpareParts {
		return
	}
	parts, calls, notes := s.gather.parts, s.lent.Calls, s.lent.Notes
	clear(parts) // which would keep their strings
	clear(calls)
	clear(notes)
	s.parts, s.lent, s.notes = parts[:0], Answer{Calls: calls[:0]}, notes[:0]
	spare := s.spare
	s.calls.Reset()
	s.unread.Reset(s.parser)
	s.spareBody.Reset(nil, format.Options{})
	s.streamState = streamState{}
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

// deltas passes on the deltas of the source.
func (s *Stream) deltas(pass func(toolcall.Delta, error) bool) {
	s.pass = pass
	if s.source != nil {
		s.source(s.onDelta)
	} else {
		s.body.Deltas()(s.onDelta)
	}
}

// delta passes a delta on, and records the finish, errors and other choices. It reports
// whether more deltas are wanted.
func (s *Stream) delta(d toolcall.Delta, err error) bool {
	if err == nil {
		s.last, s.found = max(s.last, d.Choice), s.found || d.Choice == s.opts.Choice
		if d.Kind == toolcall.DeltaToolCall && d.Choice != s.opts.Choice {
			s.passOver(d)
		}
		if s.failed == nil {
			s.failed = wire.Reported(d)
		}
		if d.Kind == toolcall.DeltaFinish && d.Choice == s.opts.Choice {
			s.finish = d
		}
		if s.gather != nil && d.Choice == s.opts.Choice {
			s.gather.delta(s.wire, d)
		}
		if s.sink != nil {
			err = s.sink.Delta(d)
		}
	}
	return s.pass(d, err) && err == nil
}

// maxOthers bounds the notes about other choices.
const maxOthers = 10

// passOver adds a note about a call of a choice that is not read.
func (s *Stream) passOver(d toolcall.Delta) {
	known := slices.ContainsFunc(s.others, func(n Note) bool { return n.Choice == d.Choice })
	if !known && len(s.others) < maxOthers {
		s.others = append(s.others, Note{Kind: toolcall.NoteChoice, Tool: d.Name, Choice: d.Choice})
	}
}

// Events yields every event as it arrives, as [Kit.Events] does.
func (s *Stream) Events() iter.Seq2[StreamEvent, error] {
	return func(yield func(StreamEvent, error) bool) {
		s.yield = yield
		if err := s.read(); err != nil {
			yield(StreamEvent{}, err)
		}
	}
}

// read passes all events to s.yield, and returns the error that they end with.
func (s *Stream) read() error {
	s.stopped, s.err = false, nil
	if s.gather != nil {
		defer s.gather.close(s)
	}
	switch {
	case s.stop != nil || s.fence != nil:
		s.filtered()(s.onEvent)
	case s.isText():
		s.parser.TextEvents(s.text)(s.onEvent)
	default:
		s.parser.Events(s.deltas)(s.onEvent)
	}
	if s.stopped {
		return nil
	}
	s.notes = append(append(s.notes, s.unread.Notes()...), s.others...)
	if s.body != nil {
		for _, fault := range s.body.Faults() {
			s.notes = append(s.notes, Note{Kind: toolcall.NoteFault, Rule: fault.String()})
		}
	}
	return s.ended(s.err)
}

// isText reports whether a whole text is read.
func (s *Stream) isText() bool { return s.source == nil && s.body == nil }

// filtered returns the events that stop and fence leave.
func (s *Stream) filtered() iter.Seq2[Event, error] {
	events := s.parser.TextEvents(s.text)
	if !s.isText() {
		events = s.parser.Events(s.deltas)
	}
	if s.stop != nil {
		events = s.stop.events(events)
	}
	if s.fence != nil {
		events = s.fence.events(events)
	}
	return events
}

// event passes an event on, with what s knows about it. It reports whether more events are
// wanted.
func (s *Stream) event(e Event, err error) bool {
	if err == nil && s.sink != nil {
		err = s.sink.Event(e)
	}
	if err != nil {
		s.err = err
		return false
	}
	s.unread.Add(e)
	if s.gather != nil {
		s.gather.event(&e)
	}
	if e.Type != SegmentEnd { // so that only calls are copied
		s.calls.Add(e)
		return s.send(e, nil)
	}
	call, ended := s.calls.Add(e)
	if !ended {
		return s.send(e, nil)
	}
	if s.wire != Text {
		call.Start, call.End = 0, 0 // they count the text of the deltas, not the body
	}
	if s.gather != nil {
		s.gather.ended(e.ID, &call)
	}
	return s.send(e, &call)
}

// send passes an event, and the call that it ends, to who reads the events. It reports whether
// more are wanted.
func (s *Stream) send(e Event, call *ToolInvocation) bool {
	if s.yield == nil {
		return true
	}
	event := StreamEvent{Event: e, progress: s.follow(e)}
	if call != nil {
		copied := *call // so that only calls are allocated
		event.Call = &copied
	}
	s.stopped = !s.yield(event, nil)
	return !s.stopped
}

// ended closes what is written, and returns the error that the stream ends with.
func (s *Stream) ended(failed error) error {
	if s.sink != nil {
		if err := s.sink.Close(failed); failed == nil {
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
	case !e.Segment.IsCall():
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
	case p.call.Start.ContentParameter() == "":
		p.object.Add(e.Payload)
	default:
		p.call.Add(&e)
	}
	return p
}

// arguments returns the arguments so far as a valid object.
func (p *progress) arguments() json.RawMessage {
	if p.call.Start.ContentParameter() != "" {
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
