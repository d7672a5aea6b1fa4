package parser

import (
	"strings"

	"github.com/toolparse/toolparse/toolcall"
)

// maxTailText is how much text, in bytes, may stand between the arguments and
// the call's closer. With more, or with other markup in it, the closer is
// missing and the text is text.
const maxTailText = 256

// beginTail waits, after the arguments, for the call's closer.
func (p *Parser) beginTail(i int) int {
	p.state = stateTail
	p.body.look.reset()
	p.body.astray, p.body.comment = false, literal{}
	p.lookCloser(i)
	return i
}

// tail reads what follows the arguments of a call with an opening tag, up to
// the call's closer.
func (p *Parser) tail(in string, i int) int {
	b := &p.body
	if b.comment.text != "" {
		next, done := skipComment(&b.comment, in, i)
		if done {
			b.comment = literal{}
			b.look.reset()
		}
		return next
	}
	tok, j := b.look.read(in, i)
	switch tok {
	case tokenMore:
		return j
	case tokenComment:
		b.comment = literal{text: commentClose}
		return j
	case tokenOther, tokenBrace:
		if !b.astray {
			b.astray, p.deadline = true, min(p.deadline, p.at(j)+maxTailText)
		}
		b.look.reset()
		if n := strings.IndexByte(in[j:], '<'); n >= 0 {
			return j + n
		}
		return len(in)
	case tokenClose:
		if b.look.is(closerName(b.dialect.Frame.Call.Close)) {
			if b.astray {
				p.call.tolerances |= toolcall.TextBetween
			}
			p.endCall(in, p.at(j), toolcall.Complete, toolcall.ReasonNone)
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
	p.call.tolerances |= toolcall.MissingCloser
	p.endCall(in, to, toolcall.Complete, toolcall.ReasonNone)
	return p.rewind(in, i, to)
}
