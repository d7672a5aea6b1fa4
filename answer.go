package toolparse

import (
	"cmp"
	"io"
	"strings"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wholebody"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/toolcall"
)

// Answer is a whole answer of a model.
type Answer struct {
	Text      string           // text for the user
	Reasoning string           // reasoning that the provider or the model shows
	Refusal   string           // text that the provider marks as a refusal
	Calls     []ToolInvocation // in the order in which they ended
	Finish    Finish           // why the answer ended; for plain text, inferred from its calls
	Usage     Usage            // tokens, as the provider counts them
	Model     string           // as the provider names it
	Wire      Wire             // wire format of the answer; Text for plain text
	Notes     []Note           // what looked like a call but is not, and calls in dialects that were not read
	Spans     []Span           // places in a plain text, if Options.Spans is set

	// Message is the answer as a turn of the conversation: reasoning with the
	// signatures that its provider wants back, text, refusal and the complete calls,
	// in their order. A call in it has the provider's id if there is one. It is empty if
	// Options.NoMessage is set.
	Message Message
}

// Runnable returns the calls that are [ToolInvocation.Runnable].
func (a *Answer) Runnable() []ToolInvocation {
	var calls []ToolInvocation
	for _, c := range a.Calls {
		if c.Runnable() {
			calls = append(calls, c)
		}
	}
	return calls
}

// Collect reads a whole response body or plain text. If it returns an error, as
// [Kit.Calls] yields, the answer holds what came before the error.
func (k *Kit) Collect(r io.Reader) (*Answer, error) {
	s, err := k.Open(r)
	if err != nil {
		return &Answer{}, err
	}
	if body, ok := r.(*wholebody.Reader); ok {
		s.lend(body)
	}
	return s.collect()
}

// Body is [Kit.Collect] for a complete body in a known wire format; with Auto, it detects
// the format.
func (k *Kit) Body(wire Wire, body []byte) (*Answer, error) {
	s := k.borrow()
	s.spareBody.ResetWhole(body, format.Options{Wire: wire, MaxEventBytes: k.opts.MaxEventBytes})
	s, err := k.open(s)
	if err != nil {
		return &Answer{}, err
	}
	return s.collect()
}

// collect reads the whole of a stream, which must not be used afterwards.
func (s *Stream) collect() (*Answer, error) {
	s.Gather()
	err := s.read()
	a := s.gather.answer
	if !s.lends {
		s.giveBack()
	}
	return a, err
}

// lend makes the answer to body valid only until body.Free.
func (s *Stream) lend(body *wholebody.Reader) {
	s.lends, body.Free = true, s.onFree
	s.calls.Lend()
	s.compiled = *s.compiled.WithLentContent()
}

// Gather makes [Stream.Events] also collect what it yields into the returned answer.
// Call it before Events, and read the answer only after Events has ended. If the caller
// of Events stops early, the answer holds what had come by then.
func (s *Stream) Gather() *Answer {
	s.gather = &s.gathering
	a := &s.lent
	if !s.lends {
		a = new(Answer)
	}
	a.Wire = s.wire
	*s.gather = gatherer{answer: a, parts: s.parts, lean: s.opts.NoMessage}
	if !s.opts.NoMessage {
		s.gather.answer.Message.Role = chat.Assistant
	}
	if s.opts.Spans && s.wire == Text {
		s.gather.spans = &spanner{dialects: s.asked}
	}
	return s.gather.answer
}

// gatherer builds an answer from deltas and events.
type gatherer struct {
	answer *Answer
	parts  []gathered     // parts of the message
	last   int            // index in parts of the last call, plus 1
	calls  map[string]int // segment id of an earlier call that was open when the next began: its index in parts
	spans  *spanner       // nil without Options.Spans
	lean   bool           // there will be no message
}

// gathered is a message part whose text still grows.
type gathered struct {
	chat.Part
	id    string // segment id of a call
	ended bool   // the call has

	first string // its first piece, which is nearly always all
	text  []byte // all pieces, if there are more
}

// add adds a piece of text.
func (p *gathered) add(piece string) {
	switch {
	case p.first == "":
		p.first = piece
	case len(p.text) == 0:
		p.text = append(append(p.text, p.first...), piece...)
	default:
		p.text = append(p.text, piece...)
	}
}

// all returns the text.
func (p *gathered) all() string {
	if len(p.text) > 0 {
		return string(p.text)
	}
	return p.first
}

// delta keeps the signatures, which no event carries.
func (g *gatherer) delta(wire Wire, d toolcall.Delta) {
	if d.Kind != toolcall.DeltaSignature || d.Text == "" || g.lean {
		return
	}
	var of *gathered
	switch {
	case d.Name == toolcall.SignsCall && g.last > 0:
		of = &g.parts[g.last-1]
	case d.Name == "" && len(g.parts) > 0 && g.parts[len(g.parts)-1].Kind != chat.PartCall && g.parts[len(g.parts)-1].Signature == "":
		of = &g.parts[len(g.parts)-1]
	default:
		g.parts = append(g.parts, gathered{Part: chat.Part{Kind: chat.PartReasoning}})
		of = &g.parts[len(g.parts)-1]
	}
	of.SignedBy = features.Signer(string(wire), d)
	if d.Name == toolcall.SignsRedacted {
		of.Redacted = d.Text
		return
	}
	of.Signature += d.Text
}

func (g *gatherer) event(e *Event) {
	if g.spans != nil {
		g.spans.add(*e)
	}
	if e.Segment.IsCall() {
		if e.Type == SegmentStart && !g.lean {
			g.begin(e.ID)
		}
		return
	}
	if e.Type != SegmentContent || e.Payload == "" {
		return
	}
	kind := chat.PartText
	switch e.Segment {
	case SegmentReasoning:
		kind = chat.PartReasoning
	case SegmentRefusal:
		kind = chat.PartRefusal
	}
	n := len(g.parts)
	if n == 0 || g.parts[n-1].Kind != kind || g.parts[n-1].Signature != "" || g.parts[n-1].Redacted != "" {
		g.parts = append(g.parts, gathered{Part: chat.Part{Kind: kind}})
		n++
	}
	g.parts[n-1].add(e.Payload)
}

// ended adds a call that has ended, whose segment has this id.
func (g *gatherer) ended(id string, call *ToolInvocation) {
	g.answer.Calls = append(g.answer.Calls, *call)
	if g.lean {
		return
	}
	p := g.call(id)
	if p == nil {
		return
	}
	p.ended = true
	if call.Status == Complete {
		p.Call = &chat.Call{ID: cmp.Or(call.CallID, call.ID), Name: call.Name, Arguments: string(call.Arguments)}
	}
}

// begin adds a part for a call.
func (g *gatherer) begin(id string) {
	if g.last > 0 && !g.parts[g.last-1].ended {
		if g.calls == nil {
			g.calls = map[string]int{}
		}
		g.calls[g.parts[g.last-1].id] = g.last - 1
	}
	g.parts = append(g.parts, gathered{Part: chat.Part{Kind: chat.PartCall}, id: id})
	g.last = len(g.parts)
}

// call returns the part of a call, or nil if it has none.
func (g *gatherer) call(id string) *gathered {
	if g.last > 0 && g.parts[g.last-1].id == id {
		return &g.parts[g.last-1]
	}
	if at, began := g.calls[id]; began {
		return &g.parts[at]
	}
	return nil
}

// close completes the answer.
func (g *gatherer) close(s *Stream) {
	a := g.answer
	var text, reasoning, refusal []string
	for i := range g.parts {
		p := &g.parts[i]
		if p.Kind == chat.PartCall && p.Call == nil {
			continue // incomplete: no wire format can express half a call
		}
		p.Text = p.all()
		switch p.Kind {
		case chat.PartText:
			text = append(text, p.Text)
		case chat.PartReasoning:
			reasoning = append(reasoning, p.Text)
		case chat.PartRefusal:
			refusal = append(refusal, p.Text)
		}
		if g.lean {
			continue
		}
		if a.Message.Parts == nil {
			a.Message.Parts = make([]chat.Part, 0, len(g.parts)-i)
		}
		a.Message.Parts = append(a.Message.Parts, p.Part)
	}
	a.Text, a.Reasoning, a.Refusal = strings.Join(text, ""), strings.Join(reasoning, ""), strings.Join(refusal, "")
	meta := s.Meta()
	a.Usage, a.Model = meta.Usage, meta.Model
	if g.spans != nil {
		a.Spans = g.spans.spans
	}
	a.Notes = s.notes
	a.Finish = wire.FinishOf(string(s.wire), s.finish, len(a.Calls) > 0)
}
