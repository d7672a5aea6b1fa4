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
	p.stage = inMessageEnd{}
	p.heading.form = p.outside.channels
	p.heading.match.Reset(p.outside.channels.ends)
	return i
}

// inMessageEnd is the stage in a possible end of a message inside code.
type inMessageEnd struct{ candidate }

func (inMessageEnd) read(p *Parser, in string, i int) int {
	which, next := p.heading.match.Match(in, i)
	switch which {
	case lex.MatchMore:
		return next
	case lex.MatchNone:
		return p.messageGoesOn(in, next)
	}
	return p.codeOver(in, next)
}

func (inMessageEnd) expire(p *Parser, in string, i int) int { return p.messageGoesOn(in, i) }

// codeOver ends the code before the end of the message, which is read again.
func (p *Parser) codeOver(in string, i int) int {
	p.leaveCode(i)
	return p.rewind(in, i, p.cand)
}

// messageGoesOn continues the code.
func (p *Parser) messageGoesOn(in string, i int) int {
	p.stage = &p.code
	return p.rewind(in, i, p.cand+1)
}

func (inMessageEnd) end(p *Parser) bool {
	h := &p.heading
	for k, n := range h.form.closers {
		if h.match.Matched(k) >= n {
			p.codeOver("", 0)
			return true
		}
	}
	p.messageGoesOn("", 0)
	return true
}
