package parser

import (
	"github.com/toolparse/toolparse/internal/syntax"
)

// code is the stage in inline code or a fence. The rules are those of
// CommonMark, as far as a stream allows: inline code ends with its line, because a single
// backtick must not hide everything that follows. If three or more begin it, as those of a
// fence that does not begin its line, it ends at a blank line.
type code struct {
	opaque
	phase  codePhase
	char   byte      // ` or ~
	length int       // length of the opening run
	run    int       // length of the current run
	line   lineStart // what precedes the run, or the candidate, in its line
	hold   bool      // the fence line may belong to a bare call
	body   int64     // stream offset after the fence line
	fenced bool      // the candidate or call is the content of a fence
}

type codePhase uint8

const (
	codeOpen       codePhase = iota // counting the opening run
	codeInfo                        // in the rest of a fence's first line
	codeInline                      // in inline code
	codeInlineLine                  // at the beginning of a further line of inline code
	codeInlineEnd                   // counting a run that may end inline code
	codeFence                       // in a fence
	codeFenceEnd                    // counting a run that may end a fence
	codeFenceRest                   // after that run, in its line
)

const (
	minFence = 3   // length in bytes of the shortest run that opens a fence
	maxInfo  = 256 // bytes of the opening line, if a bare call may follow it
)

// ticks begins a run of backticks or tildes at in[i].
func (p *Parser) ticks(in string, i int) int {
	p.stage = &p.code
	if in[i] == '`' && i+1 < len(in) && in[i+1] != '`' { // no fence, whatever precedes it
		p.code = code{phase: codeInline, char: '`', length: 1}
		return p.code.read(p, in, i+1)
	}
	p.code = code{char: in[i], line: p.lineAt(in, i)}
	if p.outside.bare != nil && p.code.line != lineText {
		p.code.hold = true
		p.look(i, min(p.opts.Limits.BlankBytes, maxInfo))
		return i
	}
	return p.code.read(p, in, i)
}

// pastCode returns the offset after inline code between single backticks that begins and
// ends in the input, or 0: nearly all code in prose is of that kind.
func (p *Parser) pastCode(in string, i int) int {
	if in[i] != '`' {
		return 0
	}
	stops := &p.inlineGrammar().first
	for k := i + 1; k < len(in); k++ {
		if stops[in[k]] == 0 {
			continue
		}
		if in[k] != '`' || k == i+1 || k+1 == len(in) || in[k+1] == '`' {
			return 0
		}
		return k + 1
	}
	return 0
}

// opensCode reports whether a rejected candidate begins with a backtick, which then opens
// code like any other backtick.
func (p *Parser) opensCode(in string, i int) bool {
	if p.opts.CallsInCode || p.reasoning != nil || p.candidateByte(in, i) != '`' {
		return false
	}
	p.deadTick, p.stage = p.cand+1, inText{}
	if p.isHeld(p.cand) {
		p.flushText(in, p.cand)
		p.line = p.code.line
	}
	return true
}

// candidateByte returns the first byte of the candidate, which ends before in[i], or 0 if
// it is empty.
func (p *Parser) candidateByte(in string, i int) byte {
	if at := int(p.cand - p.base()); at < len(p.held) {
		return p.held[at]
	}
	if at := int(p.cand - p.off); at < i {
		return in[at]
	}
	return 0
}

// read reads code, all of which is text, in all of its phases: most code is short.
func (c *code) read(p *Parser, in string, i int) int {
	for i < len(in) && p.stage == stage(c) {
		switch c.phase {
		case codeOpen:
			if i = c.count(in, i); i < len(in) {
				p.opened(in[i])
			}
		case codeInfo:
			i = p.fenceInfo(in, i)
		case codeInline:
			if i = p.codeJump.find(p.inlineGrammar(), in, i); i < len(in) {
				switch in[i] {
				case '\n':
					if c.length < minFence {
						return p.leaveCode(i)
					}
					c.phase = codeInlineLine
					i++
				case c.char:
					c.phase, c.run = codeInlineEnd, 0
				default:
					return p.messageMayEnd(i)
				}
			}
		case codeInlineLine:
			if i = skipInLine(in, i); i < len(in) {
				if in[i] == '\n' {
					return p.leaveCode(i)
				}
				c.phase = codeInline
			}
		case codeInlineEnd:
			if i = c.count(in, i); i < len(in) {
				if c.run == c.length {
					return p.leaveCode(i)
				}
				c.phase = codeInline
			}
		case codeFence:
			if i = p.codeJump.find(p.fenceGrammar(c.char), in, i); i < len(in) {
				switch {
				case in[i] != c.char:
					return p.messageMayEnd(i)
				case p.lineAt(in, i) == lineText:
					i++
				default:
					c.phase, c.run = codeFenceEnd, 0
				}
			}
		case codeFenceEnd:
			if i = c.count(in, i); i < len(in) {
				if c.phase = codeFence; c.run >= c.length {
					c.phase = codeFenceRest
				}
			}
		case codeFenceRest:
			if i = skipInLine(in, i); i < len(in) {
				if in[i] == '\n' || p.inCloser(in[i]) {
					return p.leaveCode(i)
				}
				c.phase = codeFence
			}
		}
	}
	return i
}

func (c *code) expire(_ *Parser, _ string, i int) int {
	c.hold = false
	return i
}

func (c *code) end(*Parser) bool { return false }

func (c *code) passes(p *Parser) (syntax.PassAs, *syntax.Stops) {
	switch c.phase {
	case codeInline:
		return p.smooth.passText(p.inlineGrammar())
	case codeFence:
		return p.smooth.passText(p.fenceGrammar(c.char))
	}
	return syntax.PassText, syntax.AllStops
}

// inCloser reports whether a fence before the byte next is part of a call's closer.
func (p *Parser) inCloser(next byte) bool {
	return p.outside.fenced != 0 && next == p.outside.fenced
}

// skipInLine skips blanks, except the end of the line.
func skipInLine(in string, i int) int {
	for i < len(in) && (in[i] == ' ' || in[i] == '\t' || in[i] == '\r') {
		i++
	}
	return i
}

// count continues to count a run.
func (c *code) count(in string, i int) int {
	for i < len(in) && in[i] == c.char {
		c.run++
		i++
	}
	return i
}

// opened decides what the complete opening run has opened, before the byte next. A fence
// that belongs to a broken call opens nothing, and ends the code that such a call has
// opened: otherwise it would hide the calls after it.
func (p *Parser) opened(next byte) {
	c := &p.code
	c.length = c.run
	switch {
	case c.line != lineText && c.length >= minFence && !p.inCloser(next):
		c.phase = codeInfo
		return
	case c.char == '~', c.length >= minFence && p.inCloser(next):
		p.stage, p.fresh = inText{}, false
	default:
		c.phase = codeInline
	}
	c.hold, p.deadline = false, 0
}

// fenceInfo reads the rest of the line that opens a fence. If it contains a backtick, the
// run opened inline code.
func (p *Parser) fenceInfo(in string, i int) int {
	c := &p.code
	i = p.codeJump.find(p.inlineGrammar(), in, i)
	switch {
	case i == len(in):
		return i
	case in[i] != '\n' && in[i] != '`':
		return p.messageMayEnd(i)
	case in[i] == '\n':
		c.phase = codeFence
		if c.hold {
			c.body = p.at(i + 1)
			p.stage, p.deadline = inFence{}, c.body+int64(p.opts.Limits.BlankBytes)
		}
		return i + 1
	case c.char == '`':
		c.hold, p.deadline = false, 0
		c.phase, c.run = codeInlineEnd, 0
		return i
	}
	return i + 1
}

// leaveCode returns to plain text.
func (p *Parser) leaveCode(i int) int {
	p.stage, p.code, p.fresh = inText{}, code{}, false
	return i
}

func fenceGrammarOf(char byte) *grammar {
	if char == '~' {
		return tildeGrammar
	}
	return fenceGrammar
}
