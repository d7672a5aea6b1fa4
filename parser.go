package toolparse

import (
	"io"

	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// Parser reads one answer whose pieces the program passes on as it gets them, without a
// reader: the tokens of a model in the same process, or the deltas of package format. Make
// one with [Kit.NewParser]. It is not safe for concurrent use. Its time is linear in the
// answer, however that is cut, and its memory bounded by [Options.Limits].
type Parser struct {
	stream *Stream
	push   *parser.Parser
	names  map[string]string // own names of tools by those on the wire; see ownNames
	closed bool
	events []Event       // of one piece
	out    []StreamEvent // the same, for the caller
}

// NewParser returns a parser for one answer. It reads text in the kit's dialect, or in that
// of [Options.Wire], if that is set.
func (k *Kit) NewParser() (*Parser, error) {
	wire := k.opts.Wire
	if wire == "" || wire == Auto {
		wire = Text
	}
	s, err := k.stream(wire, nil)
	if err != nil {
		return nil, err
	}
	p := &Parser{stream: s, push: s.parser.New(), names: k.renamed[wire]}
	s.yield = func(e StreamEvent, _ error) bool {
		p.out = append(p.out, e)
		return true
	}
	return p, nil
}

// Feed parses the next piece of text, appends its events to dst, and returns dst. A piece
// may end anywhere, also inside a character or a marker. The strings of the events are
// substrings of the piece or newly allocated, so that they may be kept. Text between calls
// needs no allocation if dst has room. After Close, Feed does nothing.
func (p *Parser) Feed(dst []StreamEvent, text string) []StreamEvent {
	p.events = p.push.Feed(p.events[:0], text)
	return p.pass(dst)
}

// FeedDelta is Feed for the next delta of a provider's stream. The text in it goes through
// the dialects. The events of native calls have no Raw, and several of them may be open at
// the same time. If the stream fails, pass a delta of kind [toolcall.DeltaError] before
// Close, because otherwise a call whose arguments have not begun may count as one without
// any.
func (p *Parser) FeedDelta(dst []StreamEvent, d toolcall.Delta) []StreamEvent {
	if name, ok := p.names[d.Name]; ok && d.Kind == toolcall.DeltaToolCall {
		d.Name = name
	}
	p.events = p.push.FeedDelta(p.events[:0], d)
	return p.pass(dst)
}

// Close ends the answer and appends its last events to dst, which it returns. It decides
// everything that was held back and ends all open segments: a call whose arguments are not
// whole ends as [Incomplete]. A second Close does nothing.
func (p *Parser) Close(dst []StreamEvent) []StreamEvent {
	if p.closed {
		return dst
	}
	p.closed = true
	p.events = p.push.Close(p.events[:0])
	dst = p.pass(dst)
	p.stream.notes = append(p.stream.notes, p.stream.unread.Notes()...)
	return dst
}

// Notes returns the notes so far. After Close they also name calls in dialects that were not
// read.
func (p *Parser) Notes() []Note { return p.stream.Notes() }

// Reset prepares p for another answer, as if it were new. It keeps memory.
func (p *Parser) Reset() {
	s := p.stream
	p.push.Reset()
	s.calls.Reset()
	s.unread.Reset(s.parser)
	s.notes, p.closed = nil, false
	clear(s.open)
}

// pass appends the events of a piece to dst, with the calls that they end.
func (p *Parser) pass(dst []StreamEvent) []StreamEvent {
	p.out = dst
	for _, e := range p.events {
		p.stream.event(e, nil)
	}
	dst, p.out = p.out, nil
	return dst
}

// Writer returns a writer that feeds p and passes its events to yield, for use with
// [io.Copy] or [io.TeeReader]. Closing the writer closes p, and passes on the last events.
// The writer returns an error of yield unchanged; the other events of that write are lost,
// although all of its bytes were parsed. After Close, writes are ignored. Each write costs
// one copy of its bytes.
func (p *Parser) Writer(yield func(StreamEvent) error) io.WriteCloser {
	return &writer{p: p, yield: yield}
}

// writer implements Writer.
type writer struct {
	p      *Parser
	yield  func(StreamEvent) error
	events []StreamEvent
}

// Write parses b, and does not keep it.
func (w *writer) Write(b []byte) (int, error) {
	w.events = w.p.Feed(w.events[:0], string(b))
	return len(b), w.send()
}

// Close ends the answer.
func (w *writer) Close() error {
	w.events = w.p.Close(w.events[:0])
	return w.send()
}

// send passes on the events of one write.
func (w *writer) send() error {
	for _, e := range w.events {
		if err := w.yield(e); err != nil {
			return err
		}
	}
	return nil
}
