package parser

import "github.com/toolparse/toolparse/internal/lex"

// fenceLine reads the blanks after the line that opens a fence. If a bare call follows, the
// line belongs to it.
func (p *Parser) fenceLine(in string, i int) int {
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

// fenceFails makes the fence line text: no call follows it.
func (p *Parser) fenceFails(in string, i int) int {
	p.code.hold, p.code.fenced, p.state = false, false, stateCode
	if p.isHeld(p.code.body) {
		p.flushText(in, p.code.body)
		p.line = lineBlank
	}
	return p.rewind(in, i, p.code.body)
}

// fenceTail reads what follows a bare call in a fence. The end of the fence belongs to the
// call.
func (p *Parser) fenceTail(in string, i int) int {
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
		p.state, p.between = stateCode, false
		p.code.phase, p.code.fenced, p.code.hold = codeFence, false, false
	}
}
