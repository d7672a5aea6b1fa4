package parser

import (
	"github.com/toolparse/toolparse"
)

// body is what the body machines of a call share.
type body struct {
	dialect *Dialect
	name    string      // of the tool, from the opening tag
	opened  int64       // stream offset after the opening tag
	extra   []attribute // arguments that the opening tag gave

	look    look
	lit     literal
	value   value
	phase   bodyPhase
	closer  string    // of a raw body
	tagged  bool      // the closer is a tag: blanks and a > follow it
	markers [2]string // around raw content
	marked  bool      // the content is between them
	done    bool      // the arguments are complete, what follows is passed over
	astray  bool      // text stands between the arguments and the closer
	empty   bool      // the closer ends arguments that were never given
}

// bodyPhase is where a body machine is.
type bodyPhase uint8

const (
	bodyStart  bodyPhase = iota // before the content: a raw marker may come
	bodyJSON                    // before the content: arguments, or the closer
	bodyMarker                  // in what may be a raw marker
	bodyText                    // in the content
	bodyEnding                  // in what may be the raw end marker
	bodyGap                     // in blanks after it
	bodyCloser                  // in what may be the closer
	bodyAngle                   // after a closer that is a tag, up to its >
)

// opener reads what follows the opening tag of a call, until it is sure that
// it can be its body.
func (p *Parser) opener(in string, i int) int {
	b := &p.body
	tok, j := b.look.read(in, i)
	switch tok {
	case tokenMore:
		return j
	case tokenOpen, tokenClose, tokenComment, tokenBrace:
		if p.canFollowOpener(tok) {
			return p.openerHolds(in, j)
		}
	}
	return p.reject(in, j)
}

// canFollowOpener reports whether the token after an opening tag makes it a call.
func (p *Parser) canFollowOpener(tok token) bool {
	b, d := &p.body, p.tag.dialect
	switch tok {
	case tokenOpen:
		if b.look.is(d.Args.Wrapper) || b.look.is(d.Args.Tag) {
			return true
		}
		if b.look.is(d.Frame.Call.Open[1:]) {
			return false
		}
		s := p.tools[b.name]
		return !s.Closed() || s.Declares(string(b.look.name))
	case tokenClose:
		return b.look.is(closerName(d.Frame.Call.Close))
	}
	return true
}

// openerHolds begins the call whose opener has become sure, and goes back to
// the end of its opening tag.
func (p *Parser) openerHolds(in string, i int) int {
	p.openTagCall(in, i)
	if p.calls > p.opts.Limits.Calls {
		p.endCall(in, p.body.opened, toolparse.Rejected, toolparse.ReasonTooManyCalls)
		return p.rewind(in, i, p.body.opened)
	}
	if p.call.file == nil {
		p.startText(in)
	}
	p.beginArguments()
	return p.rewind(in, i, p.body.opened)
}
