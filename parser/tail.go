package parser

import (
	"github.com/toolparse/toolparse"
)

// beginTail waits, after the arguments, for the call's closer.
func (p *Parser) beginTail(i int) int {
	p.state = stateTail
	p.body.look.reset()
	p.lookCloser(i)
	return i
}

// tail reads what follows the arguments of a call with an opening tag. The
// call's closer belongs to it, anything else is text again.
func (p *Parser) tail(in string, i int) int {
	b := &p.body
	tok, j := b.look.read(in, i)
	switch tok {
	case tokenMore:
		return j
	case tokenClose:
		if b.look.is(closerName(b.dialect.Frame.Call.Close)) {
			p.endCall(in, p.at(j), toolparse.Complete, toolparse.ReasonNone)
			return j
		}
		if b.look.is(p.tags.frames[0].closer) { // around a JSON body
			p.tags.frames[0].closer = ""
			return p.beginTail(j)
		}
	}
	return p.tailFails(in, j)
}

// tailFails ends a call whose closer is missing. What stands where it should
// is read again.
func (p *Parser) tailFails(in string, i int) int {
	if p.state == stateFenceTail {
		return p.fenceTailFails(in, i)
	}
	to := p.cand
	p.call.tolerances |= toolparse.MissingCloser
	p.endCall(in, to, toolparse.Complete, toolparse.ReasonNone)
	return p.rewind(in, i, to)
}
