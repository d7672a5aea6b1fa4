package parser

import (
	"math"
	"slices"

	"github.com/toolparse/toolparse/internal/callmeta"
	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// smooth is the fast path for most chunks: nothing is pending, and the chunk only continues
// the open segment, so that it becomes one event without the state machine. setSmooth
// enables it after each chunk that took the regular path.
type smooth struct {
	stops   *syntax.Stops // bytes that the fast path cannot handle; nil: disabled
	grammar *grammar      // the grammar whose first bytes are the stops, or nil
	segment segment
	end     int64 // stream offset up to which the fast path may go
	kind    syntax.PassAs
}

// setSmooth decides whether the next chunk may take the fast path.
func (p *Parser) setSmooth() {
	s := &p.smooth
	s.stops = nil
	if len(p.held) > 0 || p.deadline != 0 {
		return
	}
	if c := p.call; c != nil {
		if c.started && c.out.Len() == 0 {
			s.kind, s.stops = p.inValue()
			s.grammar, s.end = nil, c.begin+int64(p.opts.Limits.CallBytes)
			s.segment.kind, s.segment.id = c.segment, c.id
		}
		return
	}
	if p.open.kind == "" || p.fresh && p.open.kind == toolcall.SegmentText || p.channel.muted || p.channel.joint != "" || p.followsList() {
		return
	}
	s.kind, s.segment, s.end = syntax.PassText, p.open, math.MaxInt64
	p.setTextStops()
}

// setTextStops sets the stops of the fast path in text, reasoning or code.
func (p *Parser) setTextStops() {
	var g *grammar
	switch p.state {
	case stateText:
		g = p.outside
	case stateReasoning:
		g = p.reasoning
	case stateCode:
		switch p.code.phase {
		case codeInline:
			g = p.inlineGrammar()
		case codeFence:
			g = p.fenceGrammar(p.code.char)
		default:
			p.smooth.stops, p.smooth.grammar = syntax.AllStops, nil
			return
		}
	default:
		p.smooth.stops, p.smooth.grammar = nil, nil
		return
	}
	p.smooth.stops, p.smooth.grammar = &g.stops, g
}

// inValue tells how the open value of the call streams, and which bytes end it. The stops
// are nil if it cannot be passed on unread.
func (p *Parser) inValue() (syntax.PassAs, *syntax.Stops) {
	switch p.state {
	case stateJSON:
		return p.args.passThrough()
	case stateArgs:
		return p.machine.PassThrough()
	}
	return 0, nil
}

// shortChunk is the length in bytes up to which Feed tests every byte.
const shortChunk = 32

// feedMore is Feed for a chunk that Feed does not pass on by itself.
func (p *Parser) feedMore(dst []toolcall.Event, chunk string) []toolcall.Event {
	s, payload, i, ok := &p.smooth, chunk, 0, false
	switch {
	case chunk == "":
		return dst
	case s.stops == nil && p.prefill != nil:
		return p.feedPrefilled(dst, chunk)
	case s.stops == nil || p.off+int64(len(chunk)) > s.end:
	case s.kind == syntax.PassText:
		i, ok = p.readText(chunk)
	default:
		payload, ok = p.content(chunk)
	}
	if !ok {
		return p.feed(dst, chunk, i)
	}
	p.line, p.off = lineAfterChunk(chunk, p.line), p.off+int64(len(chunk))
	n := len(dst)
	if n == cap(dst) {
		dst = slices.Grow(dst, 1)
	}
	dst = dst[:n+1]
	s.segment.setContent(&dst[n], payload, chunk)
	if p.state == stateJSON {
		s.kind, s.stops = p.args.passThrough()
	}
	return dst
}

// readText reads a chunk in text, reasoning or code, and reports whether it only continues that.
// Code that begins or ends in the chunk is text as well: only a candidate needs more than one
// event. It begins before the offset that readText returns.
func (p *Parser) readText(chunk string) (int, bool) {
	i := 0
	if g := p.smooth.grammar; g != nil && len(chunk) <= nearby {
		i = g.near(chunk, 0) // the states would find nothing before it either
	}
	if i == len(chunk) {
		return i, true
	}
	p.forget()
	if i > 0 && p.state == stateText && !p.fresh {
		i = p.textFrom(chunk, i)
	}
	for i < len(chunk) && p.deadline == 0 {
		i = p.step(chunk, i)
	}
	if p.deadline != 0 {
		return i, false
	}
	p.setTextStops()
	return i, true
}

// content returns the payload for a chunk inside a call, if all of the chunk is content.
func (p *Parser) content(chunk string) (string, bool) {
	s := &p.smooth
	if s.kind == syntax.PassJSON && p.state == stateJSON {
		return p.args.pass(p.memory, chunk)
	}
	if s.stops == syntax.LooseStops && jsonstream.EndsInGap(chunk) {
		return "", false
	}
	if s.kind == syntax.PassJSON {
		return chunk, s.stops[chunk[len(chunk)-1]] != syntax.SoftLast && jsonstream.IsQuoted(chunk)
	}
	all := s.stops.Soft(chunk)
	if all >= syntax.Stop {
		return "", false
	}
	switch {
	case all == 0:
	case all&syntax.SoftLast != 0 && s.endsSoft(chunk):
		return "", false
	case s.kind == syntax.PassString:
		p.call.out.AddEscaped(chunk, 0, len(chunk)) // it is empty
		return p.call.out.TakeIn(p.memory), true
	}
	return chunk, true
}

// endsSoft reports whether the state machine must read a chunk because of its last byte. A blank
// there may end a run of blanks, of which another is in the chunk.
func (s *smooth) endsSoft(chunk string) bool {
	last := chunk[len(chunk)-1]
	return last <= ' ' || s.stops[last] == syntax.SoftLast
}

// setContent makes e a content event of the segment. It writes e field by field: a composite
// literal would be copied, which costs more than everything else in Feed.
func (s *segment) setContent(e *toolcall.Event, payload, raw string) {
	e.Type, e.Status, e.Reason, e.Tolerances = toolcall.SegmentContent, 0, 0, 0
	e.Segment, e.ID, e.Name = s.kind, s.id, ""
	e.Payload, e.Origin, e.Raw = payload, callmeta.Origin{}, raw
}
