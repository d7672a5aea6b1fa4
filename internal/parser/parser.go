package parser

import (
	"unicode/utf8"

	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// Parser is the push parser of one stream; make one with [New]. It is not safe for
// concurrent use. The time is linear in the input, however it is cut, and the memory is
// bounded by [Limits].
type Parser struct {
	compiled *Compiled
	opts     *Options // options of compiled
	tools    tools

	pending
	parserState
	output
	*callReader // nil until a marker of a call has been found; see readsCalls

	// The memory that the parser keeps for the next stream.
	recents *lex.Recent // nil until the first call
	lent    lex.Arena   // of the content of calls, if compiled.lends
	spare   *call       // an ended call, whose memory is reused
	args    *jsonArgs   // the arguments of call, if they are JSON
	heading heading
	reading
	origin          lastOrigin
	spareDuplicates *duplicates
	lastInside      lastInside // depends on nothing else of the stream
}

// parserState is what a Parser knows about its stream.
type parserState struct {
	smooth smooth
	text
	stage  stage
	closed bool

	candidacy
	code    code
	marker  inMarker
	channel channel
	bom     inBOM

	call  *call // the open call of a text dialect
	calls int   // number of calls that have begun
	asked askedTool
	failed

	wired
	prefill *prefill // nil once the stream is past it
}

// callReader is the state for calls in text and for candidates. It is allocated with the
// first candidate, because most answers contain only text.
type callReader struct {
	tag      lex.Tag // the opening tag of a call
	head     header
	envelope envelope
	frame    framing
	list     textList
}

// reset restores the initial state and keeps the memory. What has a beginning of its own is reset
// there.
func (r *callReader) reset() {
	r.envelope.envelopeState, r.frame.frameState, r.list.on = envelopeState{}, frameState{}, false
}

// readsCalls allocates callReader. Call it before a candidate goes beyond the beginning of
// a marker.
func (p *Parser) readsCalls() {
	if p.callReader == nil {
		p.callReader, p.memory = &callReader{}, &lex.Arena{}
	}
}

// recent returns the cache for the strings of names.
func (p *Parser) recent() *lex.Recent {
	if p.recents == nil {
		p.recents = &lex.Recent{}
	}
	return p.recents
}

// inSection reports whether a section of calls is open.
func (p *Parser) inSection() bool { return p.callReader != nil && p.frame.open }

// leaveSection closes the open section of calls, if any.
func (p *Parser) leaveSection() {
	if p.callReader != nil {
		p.frame.open = false
	}
}

// Feed parses the next chunk of text and appends its events to dst, which it returns. A
// chunk may end anywhere, also inside a UTF-8 sequence or a marker. The strings of the
// events are substrings of chunk or newly allocated: they may be kept, and substrings keep
// the memory of chunk. Text between calls needs no allocation if dst has room. After Close,
// Feed does nothing.
func (p *Parser) Feed(dst []toolcall.Event, chunk string) []toolcall.Event {
	s, n := &p.smooth, len(dst)
	if s.stops != nil && uint(len(chunk)-1) < shortChunk && p.off+int64(len(chunk)) <= s.end && n < cap(dst) {
		if all := s.stops.Soft(chunk); all <= syntax.LineFeed {
			if all|uint8(p.line) != 0 { // else the chunk continues a line of text
				p.line = lineAfter(chunk, p.line)
			}
			p.off += int64(len(chunk))
			dst = dst[:n+1]
			s.segment.setContent(&dst[n], chunk, chunk)
			return dst
		}
	}
	return p.feedMore(dst, chunk)
}

// feed is Feed for a chunk whose bytes before chunk[i] are known to continue the open text.
func (p *Parser) feed(dst []toolcall.Event, chunk string, i int) []toolcall.Event {
	if p.closed {
		return dst
	}
	p.dst = dst
	if i == 0 {
		p.forget()
	}
	if p.off == 0 && i == 0 && chunk != "" && chunk[0] == byteOrderMark[0] {
		p.beginBOM()
	}
	if p.call != nil && len(p.held) == 0 { // the fast path sets p.line alone
		p.call.line = p.line
	}
	p.run(chunk, i)
	p.setSmooth()
	dst, p.dst = p.dst, nil
	return dst
}

// Close ends the stream and appends the last events to dst, which it returns. It decides
// everything that was held back and ends all open segments; a call whose arguments are not
// complete ends as [toolcall.Incomplete]. A second Close does nothing.
func (p *Parser) Close(dst []toolcall.Event) []toolcall.Event {
	switch {
	case p.closed:
		return dst
	case p.prefill != nil:
		return p.pastPrefill(dst, p.Close)
	}
	known := len(dst)
	p.dst, p.smooth = dst, smooth{}
	if p.native.Finished {
		p.endWire()
	} else if p.wire != "" && p.reasoning == nil {
		p.endOpen(toolcall.Incomplete, toolcall.ReasonEndOfStream, "")
	}
	p.wire = ""
	p.finish()
	p.native.Close()
	dst, p.dst = p.dst, nil
	if p.duplicates != nil {
		p.duplicates.watch(dst[known:])
	}
	return dst
}

// run parses in from in[i] on. Afterwards every byte of in is part of an event or held.
func (p *Parser) run(in string, i int) {
	for i < len(in) {
		now := in
		if limit := p.limit(); limit != 0 && limit-p.off < int64(len(in)) {
			now = in[:max(i, p.cutAt(in, limit))]
		}
		if i < len(now) {
			i = p.stage.read(p, now, i)
		} else {
			i = p.expire(in, i)
		}
	}
	p.endInput(in)
}

// cutAt returns the offset in in of the stream offset limit. If a call would be cut inside
// a character there, it returns the offset after the character, at most three bytes later.
func (p *Parser) cutAt(in string, limit int64) int {
	i := max(0, int(limit-p.off))
	if p.call == nil || limit != p.callLimit() {
		return i
	}
	for i < len(in) && p.at(i) < limit+utf8.UTFMax-1 && !utf8.RuneStart(in[i]) {
		i++
	}
	return i
}

// forget drops what was remembered about the previous input. Call it when the input
// changes.
func (p *Parser) forget() {
	p.jump.grammar, p.codeJump.grammar = nil, nil
	p.lined = linePlace{}
}

// limit returns the stream offset at which run must call expire; 0 means never.
func (p *Parser) limit() int64 {
	if p.call == nil {
		return p.deadline
	}
	end := p.callLimit()
	if p.deadline == 0 {
		return end
	}
	return min(end, p.deadline)
}

// callLimit returns the stream offset at which the open call is too large.
func (p *Parser) callLimit() int64 {
	if p.holdsCall() {
		return p.call.begin + int64(min(p.opts.Limits.HeldBytes, p.opts.Limits.CallBytes))
	}
	return p.call.begin + int64(p.opts.Limits.CallBytes)
}

// holdsCall reports whether the open call cannot be started yet.
func (p *Parser) holdsCall() bool { return !p.call.started && !p.call.ready() }

// expire handles a candidate or a call that has reached its limit.
func (p *Parser) expire(in string, i int) int {
	if p.stage == stage(callEnd{}) { // the call is complete
		return p.stage.read(p, in, i)
	}
	if p.call != nil && p.at(i) >= p.callLimit() {
		if p.holdsCall() && p.opts.Limits.HeldBytes < p.opts.Limits.CallBytes {
			p.call.decidePlain() // the call has waited long enough for its kind
			return i
		}
		p.endCall(in, p.at(i), toolcall.Rejected, toolcall.ReasonCallTooLarge)
		return i
	}
	if p.deadline == 0 || p.at(i) < p.deadline { // the call has been started meanwhile
		return i
	}
	p.deadline, p.alternative = 0, nil // no time is left for other interpretations
	return p.stage.expire(p, in, i)
}

// look begins a candidate at in[i], to be decided within n bytes, and within the limit.
func (p *Parser) look(i, n int) {
	p.cand = p.at(i)
	p.deadline = min(p.heldLimit(), p.cand+int64(n))
}

// closerBytes exceeds the length of any marker with its attributes, without the blanks in
// it.
const closerBytes = 1 << 10

// lookCloser is look with a deadline for a closer and what follows it.
func (p *Parser) lookCloser(i int) { p.look(i, p.closerLimit()) }

// closerLimit returns the bytes within which such a look must be decided.
func (p *Parser) closerLimit() int {
	return min(p.opts.Limits.HeldBytes, p.opts.Limits.BlankBytes+closerBytes)
}

// reject turns the candidate into text or reasoning: its first character becomes content, and
// the rest is read again. If the marker has another interpretation, that is tried first.
func (p *Parser) reject(in string, i int) int {
	if p.opts.Notes != nil {
		p.note(i)
	}
	if e := p.alternative; e != nil {
		return p.readAgain(in, i, p.alternativeEnd, e)
	}
	p.between = false
	to := min(p.cand+runeBytes(p.candidateByte(in, i)), max(p.at(i), p.cand+1))
	if p.opensCode(in, i) {
		return p.rewind(in, i, p.cand)
	}
	flush := p.flushReasoning
	if p.reasoning != nil {
		p.stage = inReasoning{}
	} else {
		p.stage, p.fresh = inText{}, false
		flush = p.flushText
	}
	if p.isHeld(to) {
		line := p.code.line.after(p.held[p.cand-p.base()])
		flush(in, to)
		p.line = line
	}
	return p.rewind(in, i, to)
}

// runeBytes returns the length of a character by its first byte.
func runeBytes(first byte) int64 {
	switch {
	case first < 0xc0:
		return 1
	case first < 0xe0:
		return 2
	case first < 0xf0:
		return 3
	}
	return 4
}

// endInput emits the certain part of in, which has been read completely, and holds the
// rest.
func (p *Parser) endInput(in string) {
	sure := p.at(len(in))
	if p.deadline != 0 {
		sure = p.cand
	}
	switch {
	case p.call != nil:
		p.flushCall(in, sure)
	case p.reasoning != nil:
		p.flushReasoning(in, sure)
	case !p.between:
		p.flushText(in, sure)
	}
	p.line = p.lineEnd(in)
	p.hold(in)
}
