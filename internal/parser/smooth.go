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
// the open segment, so that it becomes one event without a stage. setSmooth
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
	s.stops, s.grammar = nil, nil
	if len(p.held) > 0 || p.deadline != 0 {
		return
	}
	if c := p.call; c != nil {
		if c.started && c.out.Len() == 0 {
			s.kind, s.stops = p.stage.passes(p)
			s.end = c.begin + int64(p.opts.Limits.CallBytes)
			s.segment.kind, s.segment.id = c.segment, c.id
		}
		return
	}
	if p.open.kind == "" || p.fresh && p.open.kind == toolcall.SegmentText || p.muted || p.joint != "" || p.followsList() {
		return
	}
	s.segment, s.end = p.open, math.MaxInt64
	s.kind, s.stops = p.stage.passes(p)
}

// passText sets the fast path to text, in which the markers of g may begin.
func (s *smooth) passText(g *grammar) (syntax.PassAs, *syntax.Stops) {
	s.grammar = g
	return syntax.PassText, &g.stops
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
	if p.isJSON() {
		s.kind, s.stops = p.args.passes(p)
	}
	return dst
}

// readText reads a chunk in text, reasoning or code, and reports whether it only continues that.
// Code that begins or ends in the chunk is text as well: only a candidate needs more than one
// event. It begins before the offset that readText returns.
func (p *Parser) readText(chunk string) (int, bool) {
	i := 0
	if g := p.smooth.grammar; g != nil && len(chunk) <= nearby {
		i = g.near(chunk, 0) // the stages would find nothing before it either
	}
	if i == len(chunk) {
		return i, true
	}
	p.forget()
	if i > 0 && p.stage == stage(inText{}) && !p.fresh {
		i = p.textFrom(chunk, i)
	}
	for i < len(chunk) && p.deadline == 0 {
		i = p.stage.read(p, chunk, i)
	}
	if p.deadline != 0 {
		return i, false
	}
	p.smooth.grammar = nil
	p.smooth.kind, p.smooth.stops = p.stage.passes(p)
	return i, true
}

// content returns the payload for a chunk inside a call, if all of the chunk is content.
func (p *Parser) content(chunk string) (string, bool) {
	s := &p.smooth
	if s.kind == syntax.PassJSON && p.isJSON() {
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

// endsSoft reports whether the stage must read a chunk because of its last byte. A blank
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
