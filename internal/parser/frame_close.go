package parser

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/internal/syntax/raw"
	"github.com/toolparse/toolparse/toolcall"
)

// frameNone reads the end of a call without arguments. Anything else is read as JSON.
func (p *Parser) frameNone(in string, i int) int {
	f := &p.frame
	if f.match.IsAtStart() {
		if i = lex.SkipBlanks(in, i); i == len(in) {
			return i
		}
		if !f.form.mayEnd(in[i]) {
			if p.state = stateJSON; f.form.sealed && in[i] != '{' {
				p.notArguments()
			}
			return i
		}
		p.lookCloser(i)
	}
	which, next := f.match.Match(in, i)
	switch which {
	case lex.MatchMore:
		return next
	case lex.MatchNone:
		return p.frameSome(in, next)
	}
	if f.form.kinds[which] == syntax.AfterNext { // an opener written twice, or lost arguments
		p.call.status, p.call.reason = toolcall.Malformed, toolcall.ReasonUnreadArgument
	}
	p.args.None()
	if p.frame.form.sealed {
		p.call.addHeaderArgs()
	}
	to := p.cand
	p.argumentsEnd(to)
	return p.rewind(in, next, to)
}

// frameSome rewinds to read JSON.
func (p *Parser) frameSome(in string, i int) int {
	if p.state = stateJSON; p.frame.form.sealed {
		p.notArguments()
	}
	return p.rewind(in, i, p.cand)
}

// argumentsDone runs after the arguments of a framed call.
func (p *Parser) argumentsDone(in string, i int) int {
	if p.frame.form.sealed {
		if p.call.headerArgs != "" {
			p.call.addHeaderArgs()
		}
		p.beginMachine(&raw.Rest)
		return i
	}
	p.argumentsEnd(p.at(i))
	if p.frame.form.closer == "" {
		return p.callCloses(in, i)
	}
	return i
}

// argumentsEnd ends the arguments of a framed call at the stream offset to.
func (p *Parser) argumentsEnd(to int64) {
	f := &p.frame
	p.call.end = to
	p.state, f.phase, p.envelope.extra = stateFrame, frameCloser, 0
	p.deadline = 0
	f.match.Reset(f.form.after)
	f.wide = f.wide[:0]
}

// frameCloser reads what follows the arguments.
func (p *Parser) frameCloser(in string, i int) int {
	f := &p.frame
	if f.form.closer == "" {
		return p.callCloses(in, i)
	}
	if !p.looking() {
		p.lookCloser(i)
	}
	if f.match.IsAtStart() {
		if i = p.skipBrackets(in, i); i == len(in) {
			return i
		}
		if p.goesOn(in, i) {
			p.call.end = 0 // a quote before it, which seemed to end a string, was content
			i = p.argumentsFail(in, i, toolcall.Malformed, toolcall.ReasonInvalidJSON)
			if f.form.inJSON() && f.form.hasCloser() {
				p.envelope.rest.begin(untrusted, 0, p.nextBehind())
			}
			return i
		}
		if f.form.inJSON() && f.form.mayBegin(in[i]) && !f.form.mayEnd(in[i]) {
			return p.nextMember(in, i)
		}
	}
	which, next := f.match.Match(in, i)
	switch which {
	case lex.MatchMore:
		return next
	case lex.MatchNone:
		return p.closerMissing(in, next)
	}
	if f.form.kinds[which] != syntax.AfterNext {
		p.call.tolerances |= p.envelope.extra
	}
	switch f.form.kinds[which] {
	case syntax.AfterCloser:
		return p.callCloses(in, next)
	case syntax.AfterSection:
		p.call.tolerances |= toolcall.MissingCloser
		return p.sectionCloses(in, next)
	}
	return p.closerMissing(in, next)
}

// goesOn reports whether the non-blank byte in[i] continues a JSON string or object that
// seemed to have ended. That is so if no marker follows the arguments and the text in their
// line is not markup, or if a comma follows arguments that are no member of the call.
func (p *Parser) goesOn(in string, i int) bool {
	f := p.frame.form
	c := in[i]
	if wide := p.frame.wide; len(wide) > 0 {
		c = wide[0]
	}
	if c == ',' && f.Args.Form == dialect.ArgsJSON && !f.inJSON() && !f.isSeparator(c) {
		return true
	}
	if f.Args.Form != dialect.ArgsJSON || f.mayEnd(c) || c != '"' && c != '\\' && !lex.IsName(c) && c < utf8.RuneSelf {
		return false
	}
	return !strings.ContainsAny(p.pendingFrom(in, i, p.cand), "\r\n")
}

// nextMember ends an envelope at the beginning of the next one, which takes the place of
// the closer: both share a frame.
func (p *Parser) nextMember(in string, i int) int {
	p.call.tolerances |= toolcall.MissingCloser
	p.endCall(in, p.at(i), toolcall.Complete, toolcall.ReasonNone)
	p.look(i, p.opts.Limits.HeldBytes)
	p.state, p.alternative = stateFrame, nil
	p.frame.entered = false
	p.beginHead()
	i = p.frameJSON(in, i)
	p.envelope.unopened = true
	return i
}

// skipBrackets skips blanks before a call's closer, those beyond ASCII after JSON too, and
// superfluous closing brackets and commas of JSON.
func (p *Parser) skipBrackets(in string, i int) int {
	f := &p.frame
	for ; i < len(in); i++ {
		switch c := in[i]; {
		case len(f.wide) > 0:
			if !f.inBlank(c) {
				return i
			}
		case lex.IsBlank(c):
		case c == f.form.closer[0] || f.form.Args.Form != dialect.ArgsJSON:
			return i
		case c >= utf8.RuneSelf:
			f.wide = append(f.wide, c)
			p.envelope.extra |= toolcall.TextBetween
		case c == '}' || c == ']':
			p.envelope.extra |= toolcall.ExtraCloser
			if c == '}' && p.call.tolerances&toolcall.UnknownMember != 0 && p.call.status == 0 { // the arguments ended too early
				p.call.status, p.call.reason = toolcall.Malformed, toolcall.ReasonInvalidJSON
			}
		case c == '`' && f.fenced:
		case c == ',' && f.form.inJSON():
			p.envelope.extra |= toolcall.TrailingComma
		default:
			return i
		}
	}
	return i
}

// inBlank takes another byte of a character after the arguments, and reports whether the
// character may be a blank.
func (f *framing) inBlank(c byte) bool {
	f.wide = append(f.wide, c)
	if !utf8.FullRune(f.wide) {
		return true
	}
	r, n := utf8.DecodeRune(f.wide)
	if n < len(f.wide) || !unicode.IsSpace(r) && r != '\ufeff' && r != '\u200b' {
		return false
	}
	f.wide = f.wide[:0]
	return true
}

// closerMissing ends a call without its closer. The bytes in the closer's place are read
// again.
func (p *Parser) closerMissing(in string, i int) int {
	to := p.cand
	p.call.tolerances |= toolcall.MissingCloser
	p.leaveBare()
	p.endCall(in, to, toolcall.Complete, toolcall.ReasonNone)
	return p.rewind(in, i, to)
}

// callCloses runs after a call. Inside a section the call's end waits for what follows,
// because the section's closer belongs to the last call.
func (p *Parser) callCloses(in string, i int) int {
	f := &p.frame
	if !f.open || f.form.leave == "" {
		if f.form.closer == "" && (f.form.Args.Form == dialect.ArgsJSON || f.form.Args.Object) && p.call.status == 0 {
			p.state = stateCallEnd
			return i
		}
		p.endCall(in, p.at(i), toolcall.Complete, toolcall.ReasonNone)
		return i
	}
	if p.call.end == 0 {
		p.call.end = p.at(i)
	}
	p.state, f.phase, p.envelope.extra = stateFrame, frameBetween, 0
	p.deadline = 0
	f.match.Reset(f.form.next)
	return i
}

// frameBetween reads what follows a call in a section.
func (p *Parser) frameBetween(in string, i int) int {
	f := &p.frame
	if !p.looking() {
		p.lookCloser(i)
	}
	if f.match.IsAtStart() {
		if i = p.skipSeparators(in, i); i == len(in) {
			return i
		}
		f.mark = p.at(i)
		if f.form.opener == "" && f.form.mayBegin(in[i]) {
			return p.nextBare(in, i)
		}
	}
	which, next := f.match.Match(in, i)
	switch {
	case which == lex.MatchMore:
		return next
	case which == lex.MatchNone:
		to := p.cand
		p.leaveBare()
		p.endCall(in, to, toolcall.Complete, toolcall.ReasonNone)
		return p.rewind(in, next, to)
	case f.form.nexts[which] == syntax.AfterSection:
		p.call.tolerances |= p.envelope.extra
		return p.sectionCloses(in, next)
	}
	to := f.mark
	p.endCall(in, to, toolcall.Complete, toolcall.ReasonNone)
	if f.form.inSectionAlone() && f.form.next.Patterns[which] == f.form.opener {
		p.cand, p.deadline = to, to+int64(p.opts.Limits.HeldBytes)
		p.state, p.alternative, f.entered = stateFrame, nil, false
		p.beginHead()
		return next
	}
	return p.rewind(in, next, to)
}

// pastCall runs after a call that ended with its last brace. A quote there shows that an
// earlier quote, which seemed to end a string, was content: the call is broken.
func (p *Parser) pastCall(in string, i int) int {
	if i < len(in) && in[i] == '"' {
		p.call.status, p.call.reason = toolcall.Malformed, toolcall.ReasonInvalidJSON
		if p.listReopens() {
			p.beginRest(in, i, p.at(i), untrusted, 0)
			return i
		}
	}
	p.endCall(in, p.at(i), toolcall.Complete, toolcall.ReasonNone)
	p.backToFence()
	return i
}

// sectionCloses ends a call together with its section.
func (p *Parser) sectionCloses(in string, i int) int {
	p.frame.open = false
	if !p.frame.form.bare {
		p.sectionEnd = p.at(i)
	}
	p.endCall(in, p.at(i), toolcall.Complete, toolcall.ReasonNone)
	return i
}

// skipSeparators skips what may occur between two calls of a section, and superfluous
// closing brackets of JSON.
func (p *Parser) skipSeparators(in string, i int) int {
	f := p.frame.form
	for ; i < len(in); i++ {
		switch c := in[i]; {
		case lex.IsBlank(c), f.isSeparator(c):
		case (c == '}' || c == ']') && f.opener == "" && f.inJSON() && f.leave[0] != c:
			p.envelope.extra |= toolcall.ExtraCloser
		default:
			return i
		}
	}
	return i
}

// mayBegin reports whether a call without an opener may begin with c.
func (f *form) mayBegin(c byte) bool {
	if f.inJSON() {
		return c == '{' || c == '[' && f.Head.Array
	}
	return lex.IsNameStart(c)
}

// inJSON reports whether a call is a JSON object that contains its name.
func (f *form) inJSON() bool {
	return f.Head.Form == dialect.HeadEnvelope || f.Head.Form == dialect.HeadKey
}

// leaveBare leaves a section without a distinctive marker, which only another call
// continues. It reports whether the section is of that kind.
func (p *Parser) leaveBare() bool {
	if p.frame.form.bare {
		p.frame.open = false
	}
	return p.frame.form.bare
}

// nextBare ends a call where the next one, which has no opener, begins.
func (p *Parser) nextBare(in string, i int) int {
	p.call.tolerances |= p.envelope.extra
	p.endCall(in, p.at(i), toolcall.Complete, toolcall.ReasonNone)
	p.look(i, p.opts.Limits.HeldBytes)
	p.state, p.alternative = stateFrame, nil
	p.frame.entered = p.leaveBare()
	p.beginHead()
	return i
}

// argumentsFail handles broken arguments of a framed call. The call extends to its closer.
func (p *Parser) argumentsFail(in string, i int, status toolcall.Status, reason toolcall.Reason) int {
	f := &p.frame
	p.call.status, p.call.reason = status, reason
	p.deadline, p.envelope.rest.reads = 0, false
	switch {
	case f.form.sealed:
		p.beginMachine(&raw.Broken)
		return i
	case !f.form.hasCloser():
		p.endCall(in, p.at(i), status, reason)
		return i
	}
	p.state, f.phase = stateFrame, frameBroken
	return i
}

// hasCloser reports whether a marker ends a call.
func (f *form) hasCloser() bool { return f.closer != "" || f.leave != "" }

// skipBroken reads the rest of a broken call.
func (p *Parser) skipBroken(in string, i int) int {
	f := &p.frame
	if f.phase == frameBroken {
		r := &p.envelope.rest
		for ; i < len(in); i++ {
			if r.reads {
				switch r.take(in[i], p.at(i), f.form.compiledDialect) {
				case restEnds:
					return p.frameGoesOn(in, i, p.at(i))
				case restIsNext:
					return p.frameGoesOn(in, i, r.from)
				case restMayEnd:
					p.lookCloser(i)
					return i + 1
				}
				if r.next != nextNone {
					continue
				}
				p.deadline = 0
			}
			if f.form.mayEnd(in[i]) {
				break
			}
		}
		if i == len(in) {
			return i
		}
		p.lookCloser(i)
		f.phase = frameBrokenEnd
		f.match.Reset(f.form.after)
	}
	which, next := f.match.Match(in, i)
	if which == lex.MatchMore {
		return next
	}
	if which == lex.MatchNone {
		f.phase = frameBroken
		p.deadline = 0
		return p.rewind(in, next, p.cand+1)
	}
	p.call.end = p.cand
	switch f.form.kinds[which] {
	case syntax.AfterCloser:
		return p.callCloses(in, next)
	case syntax.AfterSection:
		return p.sectionCloses(in, next)
	}
	to := p.cand
	p.endCall(in, to, toolcall.Complete, toolcall.ReasonNone)
	return p.rewind(in, next, to)
}

// mayEnd reports whether the end of a broken call may begin with c.
func (f *form) mayEnd(c byte) bool {
	for _, p := range f.after.Patterns {
		if p[0] == c {
			return true
		}
	}
	return false
}

// frameExpires handles a look around the arguments that has reached its deadline.
func (p *Parser) frameExpires(in string, i int) int {
	f := &p.frame
	switch f.phase {
	case frameNone:
		return p.frameSome(in, i)
	case frameCloser:
		return p.closerMissing(in, i)
	case frameBetween:
		to := p.cand
		p.endCall(in, to, toolcall.Complete, toolcall.ReasonNone)
		return p.rewind(in, i, to)
	case frameBroken:
		p.envelope.rest.next = nextNone
		return i
	case frameBrokenEnd:
		f.phase = frameBroken
		return p.rewind(in, i, p.cand+1)
	case frameBody:
		return p.bodyBegins(in, i)
	case frameRunOn:
		return p.stringGoesOn(in, i)
	case frameInfer, frameKey, frameKeyEnd:
		return p.openNamed(in, i)
	}
	return p.headHasBody(in, i)
}

// frameFinishes reports, at the end of the stream, whether the open call is complete except
// for its closers.
func (p *Parser) frameFinishes() bool {
	switch p.frame.phase {
	case frameCloser, frameBetween:
		return true
	}
	return p.call.status != 0
}
