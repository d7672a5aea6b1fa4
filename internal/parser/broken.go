package parser

import (
	"errors"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/toolcall"
)

// rest reads what follows the place at which a JSON call broke, to find the next call of
// its list. It uses two signs. While quotes can be trusted, it counts braces: when those of
// the broken call have closed, the list continues or ends. If a quote was the fault, quotes
// cannot be trusted; then the next call begins where closing braces, a comma and an object
// with a member of a call follow each other, even if that seems to be inside a string.
type rest struct {
	reads   bool
	before  string // what may precede the next call: a comma, or just its brace; "": there is none
	open    int    // number of open braces; or closed, or untrusted: quotes are not trusted
	quoted  byte   // quote of the current string, if any
	escaped bool   // after a backslash in a string
	ended   int    // consecutive braces that have closed
	closers int    // how many of them close the broken call
	next    nextPart
	quote   byte   // quote of the member's name
	key     []byte // the member's name
	from    int64  // stream offset of a possible separator before the next call
}

const (
	closed    = 0
	untrusted = -1
)

// closersOfCall is the number of braces that close a call: its arguments' and its own.
const closersOfCall = 2

// nextPart says how much of the next call has been read.
type nextPart uint8

const (
	nextNone nextPart = iota
	nextComma
	nextBrace
	nextKey
	nextKeyEnd
)

// restVerdict says what a byte of the rest means.
type restVerdict uint8

const (
	restGoesOn restVerdict = iota
	restMayEnd             // the next call may begin here
	restIsNext             // the next call has begun at from
	restEnds               // the braces have closed: the list continues or ends here
)

// begin starts the rest with open open braces.
func (r *rest) begin(open int, quoted byte, before string) {
	*r = rest{reads: true, before: before, open: open, quoted: quoted, closers: closersOfCall, key: r.key[:0]}
}

// take handles a byte at a stream offset. The call is one of d.
func (r *rest) take(c byte, at int64, d *compiledDialect) restVerdict {
	if r.open == closed && (c == ',' || c == ']') {
		return restEnds
	}
	trusted := r.open > closed && r.quoted == 0
	r.count(c)
	switch r.next {
	case nextComma:
		if c == '{' {
			r.next = nextBrace
			return restGoesOn
		}
	case nextBrace:
		if c == '"' || c == '\'' {
			r.next, r.quote, r.key = nextKey, c, r.key[:0]
			return restGoesOn
		}
	case nextKey:
		switch {
		case c == r.quote:
			r.next = nextKeyEnd
			return restGoesOn
		case lex.IsName(c) && len(r.key) < lex.MaxName:
			r.key = append(r.key, c)
			return restGoesOn
		}
	case nextKeyEnd:
		if c == ':' && d.mayBegin(r.key) {
			return restIsNext
		}
	}
	if r.next != nextNone && r.next != nextKey && lex.IsBlank(c) {
		return restGoesOn
	}
	r.next = nextNone
	switch {
	case c == '}':
		r.ended++
	case lex.IsBlank(c), c == '"', c == '\'', c == '\\':
	case r.ended >= r.closers && !trusted && strings.IndexByte(r.before, c) >= 0:
		r.next, r.ended, r.from = nextComma, 0, at
		if c == '{' {
			r.next = nextBrace
		}
		return restMayEnd
	default:
		r.ended = 0
	}
	return restGoesOn
}

// count counts the open braces, without those in strings.
func (r *rest) count(c byte) {
	switch {
	case r.open == untrusted:
	case r.open == closed:
		if !lex.IsBlank(c) {
			r.open = untrusted
		}
	case r.escaped:
		r.escaped = false
	case c == '\\' && r.quoted != 0:
		r.escaped = true
	case c == r.quoted:
		r.quoted = 0
	case r.quoted != 0:
	case c == '"':
		r.quoted = c
	case c == '{':
		r.open++
	case c == '}':
		r.open--
	}
}

// mayBegin reports whether a JSON call may begin with the member key.
func (d *compiledDialect) mayBegin(key []byte) bool {
	name := string(key)
	return d.holds(name) || slices.Contains(d.Head.Name, name) || slices.Contains(idKeys, name) || name == "type"
}

// maxBroken limits, in bytes, the search for the end of a broken call without an end
// marker. If the end is not found, the call ends where it broke.
const maxBroken = 1 << 10

// argumentsBreak handles arguments of an envelope that break at in[i].
func (p *Parser) argumentsBreak(in string, i int) int {
	e := &p.envelope
	open, quoted := len(e.frames)-e.listDepth()+p.args.Value.Objects(), byte(0)
	if p.args.Form == jsonstream.FormString {
		open, quoted = len(e.frames)-e.listDepth(), p.args.Outer.OpenQuote()
	}
	p.beginRest(in, i, p.at(i), open, quoted)
	return i
}

// strayQuote handles text after the arguments which shows that an earlier quote, which
// seemed to end a string, was content. The call is broken.
func (p *Parser) strayQuote(in string, i int, to int64) int {
	p.call.status, p.call.reason = toolcall.Malformed, toolcall.ReasonInvalidJSON
	p.envelope.scanner.Tolerances = 0
	p.beginRest(in, i, to, untrusted, 0)
	return p.rewind(in, i, to)
}

// nextBehind returns what may precede the next call after a broken one of the envelope.
func (p *Parser) nextBehind() string {
	switch e := &p.envelope; {
	case e.listDepth() > 0:
		return ","
	case e.framed && p.frame.form.hasCloser():
		return ",{"
	}
	return ""
}

// beginRest begins the rest of a call of the envelope that broke at the stream offset to.
// The next call of the list or frame may be sound.
func (p *Parser) beginRest(in string, i int, to int64, open int, quoted byte) {
	e := &p.envelope
	listed := e.listDepth() > 0
	switch broken := p.call.status == toolcall.Malformed; {
	case e.framed && p.frame.form.hasCloser():
		e.dialect = nil
		p.argumentsFail(in, i, p.call.status, p.call.reason)
		if open != untrusted {
			p.frame.quotes = p.args.quotes()
		}
		if !listed {
			open = untrusted
		}
		if broken {
			e.rest.begin(open, quoted, p.nextBehind())
		}
	case !broken, p.fails(countBraces, p.at(i)), open == untrusted && !listed:
		p.breakOff(in, to)
	default:
		e.rest.begin(open, quoted, p.nextBehind())
		p.stage, p.deadline = &p.envelope, 0
	}
}

// seekNext handles an element of a framed list that breaks at in[i] before it is a call. It
// reports whether to look for the next element; everything before that is text.
func (p *Parser) seekNext(i int) bool {
	e := &p.envelope
	broken := errors.Is(e.scanner.Err, jsonstream.ErrSyntax) || errors.Is(e.peek.Err, jsonstream.ErrSyntax) && e.peekMode != peekNot
	if !broken || !e.framed || !p.frame.form.isMarked() || e.listDepth() == 0 || p.fails(seekElement, p.at(i)) {
		return false
	}
	open, quoted := e.scanner.Objects(), e.scanner.OpenQuote()
	if e.peekMode != peekNot {
		open, quoted = open+e.peek.Objects(), e.peek.OpenQuote()
	}
	e.rest.begin(open, quoted, ",")
	e.rest.closers = min(max(1, open), closersOfCall)
	e.args, e.peekMode = false, peekNot
	p.alternative, p.deadline = nil, min(p.heldLimit(), p.at(i)+maxBroken)
	return true
}

// inRest reads the rest of a broken call without an end marker.
func (p *Parser) inRest(in string, i int) int {
	e := &p.envelope
	r := &e.rest
	if !p.looking() {
		p.look(i, maxBroken)
		return i // the limits have changed
	}
	for ; i < len(in); i++ {
		c := in[i]
		switch r.take(c, p.at(i), e.dialect) {
		case restEnds:
			p.listGoesOn()
			if p.call == nil {
				p.look(i, p.opts.Limits.HeldBytes)
			}
			p.safe(i)
			return i
		case restIsNext:
			p.listGoesOn()
			if p.call == nil {
				p.cand, p.deadline = r.from, r.from+int64(p.opts.Limits.HeldBytes)
				return p.back(in, i, r.from)
			}
			return p.rewind(in, i, r.from)
		}
		if r.open == closed && e.listDepth() == 0 {
			p.breakOff(in, p.at(i+1))
			return i + 1
		}
		if e.framed && r.quoted == 0 && !lex.IsName(c) && strings.IndexByte(`,{}"`, c) < 0 && p.frame.form.mayEnd(c) {
			return p.envelopeFails(in, i)
		}
	}
	return i
}

// listGoesOn continues the list after a broken call.
func (p *Parser) listGoesOn() {
	e := &p.envelope
	n := e.listDepth()
	e.frames, e.wraps, e.byList, e.rest.reads = e.frames[:n], 0, e.byList || p.call != nil, false
	for _, f := range e.frames {
		if f == frameWrapper {
			e.wraps++
		}
	}
	e.scanner.ResumeAt(n)
	p.stage = &p.envelope
}

// frameGoesOn rewinds from in[i] to the stream offset at, where the next call begins in the
// frame of a broken one.
func (p *Parser) frameGoesOn(in string, i int, at int64) int {
	e, f := &p.envelope, &p.frame
	if e.listDepth() > 0 {
		e.dialect = f.form.compiledDialect
		p.listGoesOn()
		if at == p.at(i) {
			p.safe(i)
			return i
		}
		return p.rewind(in, i, at)
	}
	e.rest.reads = false
	p.argumentsEnd(at)
	if f.form.closer == "" {
		p.stage = frameBetween{}
		f.match.Reset(f.form.next)
	}
	return p.rewind(in, i, at)
}

// breakOff ends a broken call without an end marker at the stream offset to.
func (p *Parser) breakOff(in string, to int64) {
	p.envelope.dialect, p.envelope.rest.reads = nil, false
	p.endBare(in, to, p.call.status, p.call.reason)
}

// endBare ends the current call in the middle of its envelope.
func (p *Parser) endBare(in string, to int64, status toolcall.Status, reason toolcall.Reason) {
	p.endCall(in, to, status, reason)
	p.backToFence()
}

// listReopens returns to the list of a framed call that seemed to have ended with it, and
// reports whether there is one: the bracket was content.
func (p *Parser) listReopens() bool {
	e := &p.envelope
	if !e.framed || !e.byList || !p.frame.form.inJSON() {
		return false
	}
	e.dialect, e.frames = p.frame.form.compiledDialect, e.frames[:e.list]
	return true
}

// nextSwallowed handles a string that lacks its closing quote and runs into the next call;
// in[i] follows the first key of that call. The current call is broken, and the next one
// begins here.
func (p *Parser) nextSwallowed(in string, i int) int {
	e := &p.envelope
	text := `{"` + p.args.Value.NextKey() + `"`
	p.endCall(in, p.at(i), p.call.status, p.call.reason)
	p.look(i, p.opts.Limits.HeldBytes)
	p.alternative, p.frame.entered = nil, false
	if e.listDepth() > 0 {
		e.byList = true
		p.listGoesOn()
		text = "," + text
	} else {
		p.beginHead()
		p.beginFramedEnvelope(in)
		e.unopened = true
	}
	for k := 0; k < len(text); {
		var kind jsonstream.Kind
		switch kind, k = e.scanner.Next(text, k); kind {
		case jsonstream.ObjectStart:
			e.frames, e.spec = append(e.frames, frameEntry), spec{begin: p.at(i), depth: len(e.frames) + 1}
		case jsonstream.Key:
			e.key = p.classify(e.scanner.Text())
		}
	}
	return i
}
