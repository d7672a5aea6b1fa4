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

// frameNone is the stage before arguments in JSON, or the end of a call without any.
type frameNone struct{ inTail }

func (frameNone) expire(p *Parser, in string, i int) int { return p.frameSome(in, i) }

func (frameNone) read(p *Parser, in string, i int) int {
	f := &p.frame
	if f.match.IsAtStart() {
		if i = lex.SkipBlanks(in, i); i == len(in) {
			return i
		}
		if !f.form.mayEnd(in[i]) {
			if p.stage = p.args; f.form.sealed && in[i] != '{' {
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
	if p.stage = p.args; p.frame.form.sealed {
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
	p.stage, p.envelope.extra = frameCloser{}, 0
	p.deadline = 0
	f.match.Reset(f.form.after)
	f.wide = f.wide[:0]
}

// frameCloser is the stage after the arguments.
type frameCloser struct{ inTail }

func (frameCloser) expire(p *Parser, in string, i int) int { return p.closerMissing(in, i) }

func (frameCloser) end(p *Parser) bool { return p.endCutOff(true) }

func (frameCloser) read(p *Parser, in string, i int) int {
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
	p.alternative, p.frame.entered = nil, false
	p.beginHead()
	i = p.stage.read(p, in, i)
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
	p.call.tolerances |= toolcall.MissingCloser
	p.leaveBare()
	return p.endBefore(in, i)
}

// callCloses runs after a call. Inside a section the call's end waits for what follows,
// because the section's closer belongs to the last call.
func (p *Parser) callCloses(in string, i int) int {
	f := &p.frame
	if !f.open || f.form.leave == "" {
		if f.form.closer == "" && (f.form.Args.Form == dialect.ArgsJSON || f.form.Args.Object) && p.call.status == 0 {
			p.stage = callEnd{}
			return i
		}
		p.endCall(in, p.at(i), toolcall.Complete, toolcall.ReasonNone)
		return i
	}
	if p.call.end == 0 {
		p.call.end = p.at(i)
	}
	p.stage, p.envelope.extra = frameBetween{}, 0
	p.deadline = 0
	f.match.Reset(f.form.next)
	return i
}

// frameBetween is the stage after a call in a section.
type frameBetween struct{ inTail }

func (frameBetween) expire(p *Parser, in string, i int) int { return p.endBefore(in, i) }

func (frameBetween) end(p *Parser) bool { return p.endCutOff(true) }

func (frameBetween) read(p *Parser, in string, i int) int {
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
		p.leaveBare()
		return p.endBefore(in, next)
	case f.form.nexts[which] == syntax.AfterSection:
		p.call.tolerances |= p.envelope.extra
		return p.sectionCloses(in, next)
	}
	to := f.mark
	p.endCall(in, to, toolcall.Complete, toolcall.ReasonNone)
	if f.form.inSectionAlone() && f.form.next.Patterns[which] == f.form.opener {
		p.cand, p.deadline = to, to+int64(p.opts.Limits.HeldBytes)
		p.alternative, f.entered = nil, false
		p.beginHead()
		return next
	}
	return p.rewind(in, next, to)
}

// endBefore ends a complete call before the look. What follows is read again.
func (p *Parser) endBefore(in string, i int) int {
	to := p.cand
	p.endCall(in, to, toolcall.Complete, toolcall.ReasonNone)
	return p.rewind(in, i, to)
}

// callEnd is the stage after a JSON call that no marker ends.
type callEnd struct{ inTail }

func (e callEnd) expire(p *Parser, in string, i int) int { return e.read(p, in, i) }

func (e callEnd) end(p *Parser) bool {
	e.read(p, "", 0)
	return true
}

// read ends the call. A quote after its last brace shows that an earlier quote, which seemed
// to end a string, was content: the call is broken.
func (callEnd) read(p *Parser, in string, i int) int {
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
	p.alternative, p.frame.entered = nil, p.leaveBare()
	p.beginHead()
	return i
}

// argumentsFail handles broken arguments of a framed call. The call extends to its closer.
func (p *Parser) argumentsFail(in string, i int, status toolcall.Status, reason toolcall.Reason) int {
	f := &p.frame
	f.quotes = quotes{}
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
	p.stage = frameBroken{}
	return i
}

// hasCloser reports whether a marker ends a call.
func (f *form) hasCloser() bool { return f.closer != "" || f.leave != "" }

// frameBroken is the stage in the rest of a broken call.
type frameBroken struct{ inTail }

func (frameBroken) expire(p *Parser, _ string, i int) int {
	p.envelope.rest.next = nextNone
	return i
}

func (frameBroken) read(p *Parser, in string, i int) int {
	f, r := &p.frame, &p.envelope.rest
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
		f.quotes.take(in[i])
		if !f.form.mayEnd(in[i]) {
			continue
		}
		if f.quotes.open != 0 {
			p.look(i, maxBroken)
			p.stage = frameBrokenQuote{}
			return i
		}
		p.lookCloser(i)
		p.stage = frameBrokenEnd{}
		f.match.Reset(f.form.after)
		return i
	}
	return i
}

// quotes tracks the strings in the rest of broken JSON. It trusts the quotes unless one of them
// broke the JSON.
type quotes struct {
	trusted bool
	open    byte // quote of the current string, or 0
	escaped bool // after a backslash in it
}

func (q *quotes) take(c byte) {
	switch {
	case !q.trusted:
	case q.escaped:
		q.escaped = false
	case q.open == 0:
		if c == '"' {
			q.open = c
		}
	case c == '\\':
		q.escaped = true
	case c == q.open:
		q.open = 0
	}
}

// frameBrokenQuote is the stage at a possible closer inside a string of a broken call. If the
// string then ends as strings in JSON do, it only quotes the closer.
type frameBrokenQuote struct{ inTail }

func (frameBrokenQuote) expire(p *Parser, in string, i int) int { return p.distrust(in, i) }

func (frameBrokenQuote) end(p *Parser) bool {
	p.distrust("", 0)
	return true
}

func (frameBrokenQuote) read(p *Parser, in string, i int) int {
	q := &p.frame.quotes
	for ; i < len(in); i++ {
		switch c := in[i]; {
		case q.open != 0:
			q.take(c)
		case lex.IsBlank(c):
		case c == ',' || c == ':' || c == '}' || c == ']':
			p.deadline, p.stage = 0, frameBroken{}
			if r := &p.envelope.rest; r.quoted != 0 {
				r.quoted, r.escaped = 0, false
			}
			return i
		default:
			return p.distrust(in, i)
		}
	}
	return i
}

// distrust stops trusting the quotes, and reads the possible closer again.
func (p *Parser) distrust(in string, i int) int {
	p.frame.quotes = quotes{}
	p.stage = frameBroken{}
	return p.rewind(in, i, p.cand)
}

// frameBrokenEnd is the stage at a possible end of a broken call.
type frameBrokenEnd struct{ inTail }

func (frameBrokenEnd) expire(p *Parser, in string, i int) int { return p.staysBroken(in, i) }

func (frameBrokenEnd) read(p *Parser, in string, i int) int {
	f := &p.frame
	which, next := f.match.Match(in, i)
	switch which {
	case lex.MatchMore:
		return next
	case lex.MatchNone:
		return p.staysBroken(in, next)
	}
	p.call.end = p.cand
	switch f.form.kinds[which] {
	case syntax.AfterCloser:
		return p.callCloses(in, next)
	case syntax.AfterSection:
		return p.sectionCloses(in, next)
	}
	return p.endBefore(in, next)
}

// staysBroken goes on behind what was not the end of a broken call.
func (p *Parser) staysBroken(in string, i int) int {
	p.stage = frameBroken{}
	return p.rewind(in, i, p.cand+1)
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
