package toolparse

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/toolparse/toolparse/adapter"
	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/utf8cut"
	"github.com/toolparse/toolparse/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// Stream is one body, or one text, on its way through a [Kit]. [Kit.Calls],
// [Kit.Events], [Kit.Collect] and [Kit.Reencode] make one and range over it; open it
// yourself to ask what there is beside the events. It is not safe for concurrent use.
type Stream struct {
	body   *format.Stream // nil where the deltas are not those of a body
	source iter.Seq2[toolcall.Delta, error]
	text   string // all of it, where source is nil
	wire   Wire
	opts   *Options
	parser *parser.Compiled
	asked  []*parser.Dialect
	calls  *adapter.Adapter
	notes  []Note         // of candidates that are no calls, and at the end those of unread
	unread *parser.Unread // finds calls in what is left as text
	finish toolcall.Delta // the provider's own
	failed *format.ReportedError
	last   int    // the highest choice that has come, -1 where none has
	others []Note // the first call of each choice that is not being read
	found  bool
	open   map[string]*progress
	whole  bool       // nobody asks for what there is of a call so far
	out    *reencoder // of Encode; may be nil
	gather *gatherer  // of Gather; may be nil
	stop   *stopper   // of StopAfterCalls; may be nil
	fence  *unfencer  // of Unfence; may be nil
}

// Open finds out what r is, and reads no further than it needs for that. The error
// is one of r's.
func (k *Kit) Open(r io.Reader) (*Stream, error) {
	return k.open(format.NewStream(r, format.Options{Wire: k.opts.wire(), MaxEventBytes: k.opts.MaxEventBytes}))
}

func (k *Kit) open(body *format.Stream) (*Stream, error) {
	wire, err := body.Wire()
	if err != nil {
		return nil, err
	}
	s, err := k.stream(wire, body.Deltas())
	if err != nil {
		return nil, err
	}
	s.body = body
	return s, nil
}

// stream makes a stream of deltas that a wire gave.
func (k *Kit) stream(wire Wire, source iter.Seq2[toolcall.Delta, error]) (*Stream, error) {
	if own := k.renamed[wire]; own != nil {
		source = withOwnNames(source, own)
	}
	compiled, err := k.parserOf(wire)
	if err != nil {
		return nil, err
	}
	s := &Stream{source: source, wire: wire, opts: &k.opts, asked: compiled.dialects, calls: k.adapt.New(), last: -1}
	s.parser, s.unread = compiled.WithNotes(&s.notes), compiled.NewUnread()
	return s, nil
}

// Wire is the wire format of the body; Text for none.
func (s *Stream) Wire() Wire { return s.wire }

// Dialects are those that text is read in.
func (s *Stream) Dialects() []*parser.Dialect { return slices.Clone(s.asked) }

// Notes are those that there are so far. After the last event they include those of
// calls in dialects that were not read.
func (s *Stream) Notes() []Note { return s.notes }

// Meta is what the provider has told of the answer so far: its id, the model, the usage.
func (s *Stream) Meta() chat.Meta {
	if s.body == nil {
		return chat.Meta{}
	}
	return s.body.Meta()
}

// FinishWords returns the provider's word for why the answer ended, and what it says
// beside that; both are "" until it has said so, and in plain text.
func (s *Stream) FinishWords() (word, detail string) { return s.finish.Text, s.finish.Name }

// deltas are those of the body; the stream notes how it ends.
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

// maxOthers bounds the notes of other choices.
const maxOthers = 10

// passOver notes a call of a choice that is not being read.
func (s *Stream) passOver(d toolcall.Delta) {
	known := slices.ContainsFunc(s.others, func(n Note) bool { return n.Choice == d.Choice })
	if !known && len(s.others) < maxOthers {
		s.others = append(s.others, Note{Kind: parser.NoteChoice, Tool: d.Name, Choice: d.Choice})
	}
}

// Events yields every event, while it comes, as [Kit.Events] does.
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
				own := call // so that only calls are allocated
				if s.wire != Text {
					own.Start, own.End = 0, 0 // of the text in the deltas, not of the body
				}
				event.Call = &own
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

// progress are the arguments of a call so far.
type progress struct {
	start   Event // of the segment
	object  partialObject
	content []byte // of a segment whose content is one parameter
}

// follow keeps the progress of the call that e belongs to.
func (s *Stream) follow(e Event) *progress {
	switch {
	case s.whole || !e.Segment.IsCall():
		return nil
	case e.Type == SegmentStart:
		p := &progress{start: e}
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
