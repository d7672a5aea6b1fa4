package parser

import "github.com/toolparse/toolparse/internal/lex"

// A message may also end inside code, if another header or the end of the stream follows
// its end token. Otherwise the end token is quoted. Without this rule, a fence that was
// never closed would hide the calls after it.

// inlineGrammar returns what matters inside inline code.
func (p *Parser) inlineGrammar() *grammar {
	if c := p.outside.channels; c != nil {
		return c.inline
	}
	return inlineGrammar
}

// fenceGrammar returns what matters inside a fence of the given character.
func (p *Parser) fenceGrammar(char byte) *grammar {
	c := p.outside.channels
	switch {
	case c == nil:
		return fenceGrammarOf(char)
	case char == '~':
		return c.fences[1]
	}
	return c.fences[0]
}

// messageMayEnd begins a look at a possible end of a message inside code.
func (p *Parser) messageMayEnd(i int) int {
	p.lookCloser(i)
	p.code.hold = false
	p.state = stateMessageEnd
	p.heading.form = p.outside.channels
	p.heading.match.Reset(p.outside.channels.ends)
	return i
}

// messageEnd reads a possible end of a message inside code.
func (p *Parser) messageEnd(in string, i int) int {
	which, next := p.heading.match.Match(in, i)
	switch which {
	case lex.MatchMore:
		return next
	case lex.MatchNone:
		return p.messageGoesOn(in, next)
	}
	return p.codeOver(in, next)
}

// codeOver ends the code before the end of the message, which is read again.
func (p *Parser) codeOver(in string, i int) int {
	p.leaveCode(i)
	return p.rewind(in, i, p.cand)
}

// messageGoesOn continues the code.
func (p *Parser) messageGoesOn(in string, i int) int {
	p.state = stateCode
	return p.rewind(in, i, p.cand+1)
}

// messageEndEnds decides at the end of the stream.
func (p *Parser) messageEndEnds() {
	h := &p.heading
	for k, n := range h.form.closers {
		if h.match.Matched(k) >= n {
			p.codeOver("", 0)
			return
		}
	}
	p.messageGoesOn("", 0)
}
