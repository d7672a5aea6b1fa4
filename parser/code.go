package parser

// code is where the parser is in inline code or in a fence, by the rules of
// CommonMark as far as a stream allows: inline code ends with its line, since
// a single backtick must not hide all that follows.
type code struct {
	phase  codePhase
	char   byte      // ` or ~
	length int       // of the opening run
	run    int       // of the run being counted
	line   lineStart // what stands before the run, or the candidate at hand, in its line
	hold   bool      // the fence line may belong to a bare call
	body   int64     // stream offset of what follows the fence line
	fenced bool      // the candidate or call at hand is the content of a fence
}

type codePhase uint8

const (
	codeOpen      codePhase = iota // counting the opening run
	codeInfo                       // in the rest of a fence's first line
	codeInline                     // in inline code
	codeInlineEnd                  // counting a run that may close it
	codeFence                      // in a fence
	codeFenceEnd                   // counting a run that may close it
	codeFenceRest                  // after that run, in its line
)

const (
	minFence = 3   // bytes of the shortest run that opens a fence
	maxInfo  = 256 // bytes of the line that opens one, where a bare call may follow it
)

// ticks begins a run of backticks or tildes at in[i].
func (p *Parser) ticks(in string, i int) int {
	p.code = code{char: in[i], line: p.lineAt(in, i)}
	p.state = stateCode
	if p.outside.bare != nil && p.code.line != lineText {
		p.code.hold = true
		p.look(i, min(p.opts.Limits.BlankBytes, maxInfo))
	}
	return i
}

// opensCode reports whether a candidate that is no call begins with a backtick,
// which then opens code, as any other does.
func (p *Parser) opensCode(in string, i int) bool {
	if p.opts.CallsInCode || p.reasoning != nil || p.candidateByte(in, i) != '`' {
		return false
	}
	p.tick, p.state = p.cand+1, stateText
	if p.isHeld(p.cand) {
		p.flushText(in, p.cand)
		p.line = p.code.line
	}
	return true
}

// candidateByte is the first byte of the candidate, which ends before in[i]; 0
// where it has none.
func (p *Parser) candidateByte(in string, i int) byte {
	if at := int(p.cand - p.base()); at < len(p.held) {
		return p.held[at]
	}
	if at := int(p.cand - p.off); at < i {
		return in[at]
	}
	return 0
}

// inCode reads code, all of which is text.
func (p *Parser) inCode(in string, i int) int {
	c := &p.code
	switch c.phase {
	case codeOpen:
		if i = c.count(in, i); i < len(in) {
			p.opened()
		}
	case codeInfo:
		return p.fenceInfo(in, i)
	case codeInline:
		if i = p.codeJump.find(p.inlineGrammar(), in, i); i < len(in) {
			switch in[i] {
			case '\n':
				return p.leaveCode(i)
			case c.char:
				c.phase, c.run = codeInlineEnd, 0
			default:
				return p.messageMayEnd(i)
			}
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
			if in[i] != c.char {
				return p.messageMayEnd(i)
			}
			if p.lineAt(in, i) == lineText {
				return i + 1
			}
			c.phase, c.run = codeFenceEnd, 0
		}
	case codeFenceEnd:
		if i = c.count(in, i); i < len(in) {
			if c.phase = codeFence; c.run >= c.length {
				c.phase = codeFenceRest
			}
		}
	case codeFenceRest:
		for ; i < len(in); i++ {
			switch in[i] {
			case ' ', '\t', '\r':
			case '\n':
				return p.leaveCode(i)
			default:
				c.phase = codeFence
				return i
			}
		}
	}
	return i
}

// count goes on counting a run.
func (c *code) count(in string, i int) int {
	for i < len(in) && in[i] == c.char {
		c.run++
		i++
	}
	return i
}

// opened decides what the opening run, now complete, has opened.
func (p *Parser) opened() {
	c := &p.code
	c.length = c.run
	switch {
	case c.line != lineText && c.length >= minFence:
		c.phase = codeInfo
		return
	case c.char == '~':
		p.state, p.fresh = stateText, false
	default:
		c.phase = codeInline
	}
	c.hold, p.deadline = false, 0
}

// fenceInfo reads the rest of the line that opens a fence. With another
// backtick in it, it is inline code.
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
			p.state, p.deadline = stateFence, c.body+int64(p.opts.Limits.BlankBytes)
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
	p.state, p.code, p.fresh = stateText, code{}, false
	return i
}

func fenceGrammarOf(char byte) *grammar {
	if char == '~' {
		return tildeGrammar
	}
	return fenceGrammar
}
