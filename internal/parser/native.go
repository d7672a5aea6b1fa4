package parser

import (
	"slices"

	"github.com/toolparse/toolparse/internal/callmeta"
	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/native"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// nativeCall is what the parser knows about a native call.
type nativeCall struct {
	*call // nil until the call has a name
	args  *jsonArgs
}

// wired is what the parser knows about a stream that its wire divides into deltas.
type wired struct {
	native native.Calls[nativeCall]
	// duplicates is nil if the text cannot contain calls, or if no delta was fed.
	duplicates *duplicates
	wire       toolcall.SegmentType // kind of the open segment, if the wire distinguishes it from text
	wireReads  bool                 // calls in that segment count
	truncated  bool                 // the provider has cut the answer
	textLine   lineStart            // line, before that segment
}

// FeedDelta parses the next delta of a provider's stream and appends its events to dst,
// which it returns. Text goes through the dialects; reasoning and tool calls become
// segments of their own. The events of native tool calls have no Raw. Several calls may be
// open at the same time, as on the wire. FeedDelta ignores deltas of choices other than
// Options.Choice, and everything after Close. The memory of an open call grows with its
// arguments, up to Limits.CallBytes.
//
// If the stream fails, pass a delta of kind DeltaError before Close. Otherwise a call whose
// arguments have not begun may count as one without any.
//
// A call that the answer makes both natively and in its text counts once: the later one
// ends as rejected. Text that is passed to Feed is not compared.
func (p *Parser) FeedDelta(dst []toolcall.Event, d toolcall.Delta) []toolcall.Event {
	if d.Choice != p.opts.Choice || p.closed {
		return dst
	}
	if p.duplicates == nil && (p.opts.Recover || slices.ContainsFunc(p.compiled.dialects, (*compiledDialect).writesCalls)) {
		if p.duplicates, p.spareDuplicates = p.spareDuplicates, nil; p.duplicates == nil {
			p.duplicates = new(duplicates)
		}
	}
	known := len(dst)
	if p.prefill != nil {
		dst = p.pastPrefill(dst, func(dst []toolcall.Event) []toolcall.Event { return p.feedDelta(dst, d) })
	} else {
		dst = p.feedDelta(dst, d)
	}
	if p.duplicates != nil {
		p.duplicates.watch(dst[known:])
	}
	return dst
}

func (p *Parser) feedDelta(dst []toolcall.Event, d toolcall.Delta) []toolcall.Event {
	switch d.Kind {
	case toolcall.DeltaExtra, toolcall.DeltaSignature:
		return dst // neither is part of what the model says
	case toolcall.DeltaText:
		if d.Text == "" {
			return dst
		}
		if len(p.native.Open) > 0 || p.wire != "" {
			p.dst, p.smooth = dst, smooth{}
			p.endWire()
			p.native.MoveOn()
			dst, p.dst = p.dst, nil
		}
		return p.Feed(dst, d.Text)
	}
	if c, payload := p.smoothNative(&d); c != nil {
		p.native.Pass(c, d.Text)
		p.dst = dst
		p.event(toolcall.SegmentContent, c.Own.segment, c.Own.id).Payload = payload
		dst, p.dst = p.dst, nil
		return dst
	}
	p.dst, p.smooth = dst, smooth{}
	switch d.Kind {
	case toolcall.DeltaReasoning:
		p.wireDelta(toolcall.SegmentReasoning, d.Text)
	case toolcall.DeltaRefusal:
		p.wireDelta(toolcall.SegmentRefusal, d.Text)
	case toolcall.DeltaToolCall:
		p.toolCallDelta(&d)
	case toolcall.DeltaFinish:
		p.native.Finish(d.Truncated)
		p.truncated = p.truncated || d.Truncated
	case toolcall.DeltaRestart:
		p.native.Restart()
		p.endWire()
		p.settleText()
	case toolcall.DeltaError:
		p.native.Fail()
	}
	dst, p.dst = p.dst, nil
	return dst
}

// smoothNative returns the last call, and the payload of d, if d only continues a string
// inside that call, which is true for nearly all fragments.
func (p *Parser) smoothNative(d *toolcall.Delta) (c *native.Call[nativeCall], payload string) {
	n := len(p.native.Open)
	if n == 0 || d.Kind != toolcall.DeltaToolCall || d.ID != "" || d.Name != "" || d.Text == "" || d.Whole || d.Done {
		return nil, ""
	}
	c = p.native.Open[n-1]
	own := &c.Own
	if d.Index != c.Index || own.call == nil || !own.started || own.out.Len() > 0 || !p.native.Fits(c, d.Text) {
		return nil, ""
	}
	kind, stops := own.args.passes((*Parser)(nil))
	switch {
	case stops == nil:
	case stops.Soft(d.Text) == 0:
		return c, d.Text
	case kind == syntax.PassJSON:
		if payload, ok := own.args.pass(p.memory, d.Text); ok {
			return c, payload
		}
	}
	return nil, ""
}

// wireDelta handles reasoning or a refusal, which the wire separates from text.
func (p *Parser) wireDelta(kind toolcall.SegmentType, text string) {
	if text == "" {
		return
	}
	if p.wire != kind {
		p.endWire()
		p.settleText()
		p.native.MoveOn()
		p.wire = kind
		if g := p.insideOf(inside{wire: true}); kind == toolcall.SegmentReasoning && g.finds() {
			p.reasoning, p.stage, p.wireReads, p.textLine = g, inReasoning{}, true, p.line
		} else {
			p.startOpen(kind, "")
		}
	}
	if p.wireReads {
		p.forget()
		p.run(text, 0)
		return
	}
	p.emitOpen(text)
}

// endWire ends the segment that wireDelta opened, if any.
func (p *Parser) endWire() {
	if p.wire == "" {
		return
	}
	p.settle()
	if p.wireReads { // the text goes on as if there was no reasoning in it
		p.line = p.textLine
	}
	p.wire, p.wireReads = "", false
}

// settleText ends the text so far, because something other than text follows.
func (p *Parser) settleText() {
	if p.wire == "" {
		p.settle()
	}
}

// settle ends what arrived as text, or as the wire's reasoning.
func (p *Parser) settle() {
	p.decide()
	p.flushRest()
	if p.reasoning != nil {
		p.reasoning, p.stage = nil, inText{}
	}
	p.endOpen(toolcall.Complete, toolcall.ReasonNone, "")
	p.deadline, p.between, p.code.hold = 0, false, false
}

// toolCallDelta handles a fragment of a tool call.
func (p *Parser) toolCallDelta(d *toolcall.Delta) {
	if p.native.Host == nil {
		p.native.Host, p.native.MaxBytes = (*nativeHost)(p), p.opts.Limits.CallBytes
	}
	c, place := p.native.Of(d)
	switch place {
	case native.Late:
		return
	case native.Begins:
		p.endWire()
		p.settleText()
		p.calls++
		c = p.native.Begin(d, p.calls > p.opts.Limits.Calls)
	}
	if own := c.Own.call; own != nil && own.callID == "" {
		own.callID = d.ID
	}
	p.native.Extend(c, d)
}

// nativeHost implements [native.Host]: it makes events of native calls.
type nativeHost Parser

// Declares implements [native.Host].
func (h *nativeHost) Declares(name string) bool { return h.tools != nil && h.tools.knows(name) }

// Named implements [native.Host].
func (h *nativeHost) Named(c *native.Call[nativeCall]) *jsonstream.Arguments {
	p, own := (*Parser)(h), &c.Own
	p.newNative(c, c.Label)
	if own.args == nil {
		own.args = p.newJSONArgs(own.call)
	} else {
		own.args.reset(own.call, p.opts.Limits)
	}
	return &own.args.Arguments
}

// newNative begins the call of which events are made. Its name is "" if it never got one.
func (p *Parser) newNative(c *native.Call[nativeCall], name string) {
	own := p.newCall(name)
	own.dialect, own.origin, own.callID = callmeta.NativeDialect, nativeOrigin, c.ID
	if name == "" {
		own.unknown = false
	}
	c.Own.call = own
}

// Grown implements [native.Host].
func (h *nativeHost) Grown(c *native.Call[nativeCall]) {
	p, own := (*Parser)(h), c.Own.call
	if !own.started {
		if !own.ready() {
			own.out.Spill()
			return
		}
		p.start(own, "")
	}
	if own.out.Len() > 0 {
		p.flush(own, "")
	}
}

// Ended implements [native.Host].
func (h *nativeHost) Ended(c *native.Call[nativeCall], status toolcall.Status, reason toolcall.Reason) {
	p := (*Parser)(h)
	if !c.Named {
		p.newNative(c, "")
		if reason == toolcall.ReasonNoName {
			c.Own.out.Add(c.Sent())
		}
	}
	own := c.Own.call
	own.tolerances |= c.Tolerances
	if !own.started {
		own.settle(status == toolcall.Complete)
		p.start(own, "")
	}
	p.finishCall(own, status, reason, "", "")
	p.spare, c.Own.call = own, nil
}
