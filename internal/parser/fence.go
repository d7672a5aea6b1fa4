package parser

import (
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/toolcall"
)

// inFence is the stage after a fence line that may belong to a bare call.
type inFence struct{ candidate }

// read reads the blanks after the line that opens a fence. If a bare call follows, the
// line belongs to it.
func (inFence) read(p *Parser, in string, i int) int {
	i = lex.SkipBlanks(in, i)
	if i == len(in) {
		return i
	}
	if p.outside.beginsBare(in[i]) {
		p.code.fenced = true
		p.alternative = nil
		p.beginEnvelope(p.outside.bare, in)
		p.deadline = p.off + int64(i) + int64(p.opts.Limits.HeldBytes)
		return i
	}
	return p.fenceFails(in, i)
}

func (inFence) expire(p *Parser, in string, i int) int { return p.fenceFails(in, i) }

func (inFence) end(p *Parser) bool {
	p.fenceFails("", 0)
	return true
}

// fenceFails makes the fence line text: no call follows it.
func (p *Parser) fenceFails(in string, i int) int {
	p.code.hold, p.code.fenced, p.stage = false, false, &p.code
	if p.isHeld(p.code.body) {
		p.flushText(in, p.code.body)
		p.line = lineBlank
	}
	return p.rewind(in, i, p.code.body)
}

// fenceTail is the stage after a bare call in a fence.
type fenceTail struct{ opaque }

func (fenceTail) expire(p *Parser, in string, i int) int { return p.endEnvelopeBefore(in, i) }

func (fenceTail) end(p *Parser) bool {
	p.judgeMembers()
	p.endCall("", p.at(0), toolcall.Complete, toolcall.ReasonNone)
	return true
}

// read reads what follows a bare call in a fence. The end of the fence belongs to the call.
func (fenceTail) read(p *Parser, in string, i int) int {
	c := &p.code
	if c.run == 0 {
		if i = lex.SkipBlanks(in, i); i == len(in) {
			return i
		}
		if p.outside.beginsBare(in[i]) {
			return p.nextInFence(in, i)
		}
	}
	if i = c.count(in, i); i == len(in) {
		return i
	}
	if c.run < c.length {
		return p.endEnvelopeBefore(in, i)
	}
	for ; i < len(in) && in[i] != '\n'; i++ {
		if !lex.IsBlank(in[i]) {
			return p.endEnvelopeBefore(in, i)
		}
	}
	if i == len(in) {
		return i
	}
	p.endEnvelopeCall(in, p.at(i))
	p.envelope.dialect, p.code = nil, code{}
	return i
}

// nextInFence ends a call in a fence at in[i], where the next one may begin.
func (p *Parser) nextInFence(in string, i int) int {
	d := p.envelope.dialect
	p.endEnvelopeCall(in, p.cand)
	p.look(i, p.opts.Limits.HeldBytes)
	p.beginEnvelope(d, in)
	return i
}

// backToFence returns to the fence's text if the call was in a fence.
func (p *Parser) backToFence() {
	if p.code.fenced {
		p.stage, p.between = &p.code, false
		p.code.phase, p.code.fenced, p.code.hold = codeFence, false, false
	}
}
