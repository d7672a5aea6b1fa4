package parser

import (
	"unicode/utf8"

	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// Parser is the push parser of one stream; make one with [New]. It is not safe
// for concurrent use. Time is linear in the input, however it is cut; memory is
// bounded by [Limits].
type Parser struct {
	compiled *Compiled
	opts     *Options // of compiled
	tools    tools
	ids      idSource
	recents  *lex.Recent // nil until there is a call

	smooth    smooth
	prefill   *prefill // until the stream has gone past it
	outside   *grammar // what can begin in text
	reasoning *grammar // what can end reasoning, while in it

	dst []toolcall.Event // where events go during a call of Feed

	// Pending are the bytes that no event accounts for yet: held, then
	// in[mark:], where in is the input at hand.
	held     []byte
	mark     int
	off      int64  // stream offset of in[0], in bytes
	jump     jumper // in text and reasoning
	codeJump jumper // in code

	state state
	// cand is the stream offset at which the candidate, or the look ahead
	// inside a call, begins. What is pending before it is sure.
	cand int64
	// deadline is the stream offset at which the candidate must be decided; 0: none.
	deadline int64

	open segment // the segment of text dialects that is open, if any

	line    lineStart // what stands before in[0] in its line
	lined   linePlace // in the input at hand
	between bool      // only blanks have followed the last call
	fresh   bool      // only blanks have come, apart from reasoning
	calls   int       // that have begun
	closed  bool

	code     code
	node     int32     // stateMarker: in the trie
	short    *entry    // stateMarker: a marker that a longer one begins with
	shortEnd int64     // stream offset after it
	call     *call     // the call of a text dialect, while inside it
	spare    *call     // one that has ended, for its memory
	args     *jsonArgs // of that call, where they are JSON
	heading  heading
	channel  channel
	machine  syntax.Machine // that reads the arguments of a framed call
	reads    *syntax.Syntax // the syntax of machine
	machines map[*syntax.Syntax]syntax.Machine
	why      string // the rule that rejected the candidate, where it is known
	retry    *entry // the next meaning to try for the candidate's marker
	retryEnd int64  // stream offset after that marker
	tick     int64  // stream offset after a backtick that begins no call
	swallow  int64  // stream offset up to which the pending bytes are noise
	echo     int64  // stream offset after the closer of a section; no call without a marker begins there
	noHold   int64  // up to this stream offset, arguments that precede their name are not held
	noSkip   int64  // up to this stream offset, no other value is skipped before the name
	noClose  int64  // up to this stream offset, the braces of a broken call do not close
	noNext   int64  // up to this stream offset, no further element of a framed list is found
	noEnd    int64  // up to this stream offset, a comment in a candidate does not end
	native   native
	// origin is that of the last call that started, originKey its dialect and
	// content parameter.
	origin    toolcall.Origin
	originKey [2]string
	// duplicates is nil where the text cannot hold calls, or no delta was fed.
	duplicates *duplicates
	wire       toolcall.SegmentType // of the open segment, where the wire keeps it apart from text
	wireReads  bool                 // calls in that segment count

	work int64 // the bytes read again or looked back at; TestLinear bounds it

	*callReader // nil until the stream has the marker of a call; see readsCalls
}

// callReader reads the calls in text and the candidates for them. It is allocated with
// the first candidate, since most answers are text alone.
type callReader struct {
	tag      lex.Tag // the opening tag of a call
	head     header
	envelope envelope
	frame    framing
	list     textList
}

// reset makes r as good as new. It keeps its memory.
func (r *callReader) reset() {
	r.tag.Reset()
	for _, s := range []*jsonstream.Scanner{&r.head.object, &r.envelope.scanner, &r.envelope.peek, &r.frame.peek} {
		s.Reset()
		s.Out = nil
	}
	r.head.out.Reset()
	e, f := &r.envelope, &r.frame
	*r = callReader{
		tag:  r.tag,
		head: header{object: r.head.object, out: r.head.out, members: r.head.members},
		envelope: envelope{
			scanner: e.scanner, peek: e.peek, frames: e.frames[:0], text: e.text[:0], first: e.first[:0],
		},
		frame: framing{peek: f.peek, name: f.name[:0], id: f.id[:0], key: f.key[:0], named: f.named},
	}
}

// readsCalls is to be called before the first candidate that is more than the
// beginning of a marker.
func (p *Parser) readsCalls() {
	if p.callReader == nil {
		p.callReader = &callReader{}
	}
}

// recent returns the cache that makes the strings of names.
func (p *Parser) recent() *lex.Recent {
	if p.recents == nil {
		p.recents = &lex.Recent{}
	}
	return p.recents
}

// inSection reports whether a section of calls is open.
func (p *Parser) inSection() bool { return p.callReader != nil && p.frame.open }

// leaveSection closes the section of calls that is open, if any.
func (p *Parser) leaveSection() {
	if p.callReader != nil {
		p.frame.open = false
	}
}

// segment is an open segment.
type segment struct {
	kind toolcall.SegmentType // "" where none is open
	id   string
}

// state is what the parser is in the middle of.
type state uint8

const (
	stateText       state = iota // outside of calls and reasoning
	stateMarker                  // in a marker
	stateCode                    // in inline code or a fence
	stateReasoning               // in reasoning
	stateJSON                    // in arguments written as JSON
	stateEnvelope                // in a bare JSON envelope
	stateFence                   // in a fence line that may belong to a bare call
	stateFenceTail               // after a bare call in a fence
	stateFrame                   // around the arguments of a framed call
	stateArgs                    // in arguments that a machine reads
	stateHeading                 // in the header of a message
	stateMessageEnd              // in what may be the end of a message, in code
	stateStray                   // before the stream's first byte that is no blank
	stateCallEnd                 // after a call of JSON that no marker ends
)

// Feed parses the next chunk of text and appends its events to dst, which it
// returns. Any chunk will do, also one that ends inside a UTF-8 sequence or a
// marker. The events' strings are parts of chunk, or new: they may be kept, and
// those that are parts keep chunk's memory. Text between calls costs no
// allocation where dst has room. After Close it does nothing.
func (p *Parser) Feed(dst []toolcall.Event, chunk string) []toolcall.Event {
	if chunk == "" {
		return dst
	}
	if p.prefill != nil {
		return p.feedPrefilled(dst, chunk)
	}
	stops := p.smooth.stops
	if stops == nil {
		return p.feed(dst, chunk, 0)
	}
	if len(chunk) > shortChunk || !stops.Passes(chunk) {
		return p.feedSmooth(dst, chunk)
	}
	return p.passSmooth(dst, chunk, chunk)
}

// feed is Feed for a chunk whose first bytes, before chunk[i], are known to be
// more of the text that is open.
func (p *Parser) feed(dst []toolcall.Event, chunk string, i int) []toolcall.Event {
	if p.closed {
		return dst
	}
	p.dst = dst
	if i == 0 {
		p.forget()
	}
	p.run(chunk, i)
	p.setSmooth()
	dst, p.dst = p.dst, nil
	return dst
}

// Close ends the stream and appends the last events to dst, which it returns:
// what was held back is decided, and every open segment ends, a call whose
// arguments are not whole as [toolcall.Incomplete]. A second Close does nothing.
func (p *Parser) Close(dst []toolcall.Event) []toolcall.Event {
	switch {
	case p.closed:
		return dst
	case p.prefill != nil:
		return p.pastPrefill(dst, p.Close)
	}
	known := len(dst)
	p.dst, p.smooth = dst, smooth{}
	if p.native.done {
		p.endWire()
	} else if p.wire != "" && p.reasoning == nil {
		p.endOpen(toolcall.Incomplete, toolcall.ReasonEndOfStream, "")
	}
	p.wire = ""
	p.finish()
	p.endNatives(toolcall.Incomplete, toolcall.ReasonEndOfStream)
	dst, p.dst = p.dst, nil
	if p.duplicates != nil {
		p.duplicates.watch(dst[known:])
	}
	return dst
}

// run parses in from in[i] on, and keeps or emits all of it.
func (p *Parser) run(in string, i int) {
	for i < len(in) {
		now := in
		if limit := p.limit(); limit != 0 && limit-p.off < int64(len(in)) {
			now = in[:max(i, p.cutAt(in, limit))]
		}
		if i < len(now) {
			i = p.step(now, i)
		} else {
			i = p.expire(in, i)
		}
	}
	p.endInput(in)
}

// cutAt is the offset in in at which the stream offset limit lies, or up to three
// bytes later where a call would be cut there inside a character.
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

// forget is to be called when the input changes.
func (p *Parser) forget() {
	p.jump.grammar, p.codeJump.grammar = nil, nil
	p.lined = linePlace{}
}

// step reads on in the current state. It returns the offset up to which it has
// read: len(in), unless the state has changed.
func (p *Parser) step(in string, i int) int {
	switch p.state {
	case stateText:
		return p.text(in, i)
	case stateMarker:
		return p.marker(in, i)
	case stateCode:
		return p.inCode(in, i)
	case stateReasoning:
		return p.inReasoning(in, i)
	case stateJSON:
		return p.inJSON(in, i)
	case stateEnvelope:
		return p.inEnvelope(in, i)
	case stateFence:
		return p.fenceLine(in, i)
	case stateFrame:
		return p.inFrame(in, i)
	case stateArgs:
		return p.machine.Read((*host)(p), in, i)
	case stateHeading:
		return p.inHeading(in, i)
	case stateMessageEnd:
		return p.messageEnd(in, i)
	case stateStray:
		return p.stray(in, i)
	case stateCallEnd:
		return p.pastCall(in, i)
	default:
		return p.fenceTail(in, i)
	}
}

// limit is the stream offset at which expire must be called; 0 means never.
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

// callLimit is the stream offset at which the call at hand has grown too large.
func (p *Parser) callLimit() int64 {
	if p.holdsCall() {
		return p.call.begin + int64(min(p.opts.Limits.HeldBytes, p.opts.Limits.CallBytes))
	}
	return p.call.begin + int64(p.opts.Limits.CallBytes)
}

// holdsCall reports whether the call at hand cannot be started yet.
func (p *Parser) holdsCall() bool { return !p.call.started && !p.call.ready() }

// expire is called where a candidate or a call has grown over a limit.
func (p *Parser) expire(in string, i int) int {
	if p.state == stateCallEnd { // all of it is there
		return p.pastCall(in, i)
	}
	if p.call != nil && p.at(i) >= p.callLimit() {
		if p.holdsCall() && p.opts.Limits.HeldBytes < p.opts.Limits.CallBytes {
			p.call.decidePlain() // it has waited long enough for what it is
			return i
		}
		p.endCall(in, p.at(i), toolcall.Rejected, toolcall.ReasonCallTooLarge)
		return i
	}
	if p.deadline == 0 || p.at(i) < p.deadline { // the call has been started meanwhile
		return i
	}
	p.deadline, p.retry = 0, nil // what else it may begin had its time, too
	switch p.state {
	case stateText:
		p.between = false
		return i
	case stateCode:
		p.code.hold = false
		return i
	case stateFence:
		return p.fenceFails(in, i)
	case stateFenceTail:
		return p.fenceTailFails(in, i)
	case stateEnvelope:
		return p.envelopeFails(in, i)
	case stateFrame:
		return p.frameExpires(in, i)
	case stateArgs:
		return p.machine.Expire((*host)(p), in, i)
	case stateHeading:
		return p.headingExpires(in, i)
	case stateMessageEnd:
		return p.messageGoesOn(in, i)
	case stateStray:
		return p.noStray(in, i)
	default:
		return p.reject(in, i)
	}
}

// look begins a candidate at in[i]. It must be decided within n bytes.
func (p *Parser) look(i, n int) {
	p.cand = p.at(i)
	p.deadline = p.cand + int64(n)
}

// looking reports whether a candidate waits for a decision.
func (p *Parser) looking() bool { return p.deadline != 0 }

// at is the stream offset of in[i].
func (p *Parser) at(i int) int64 { return p.off + int64(i) }

// base is the stream offset of the first pending byte.
func (p *Parser) base() int64 { return p.off + int64(p.mark-len(p.held)) }

// closerBytes is more than any marker with its attributes is long, beside the
// blanks in it.
const closerBytes = 1 << 10

// lookCloser is look for a closer and what follows it.
func (p *Parser) lookCloser(i int) {
	p.look(i, min(p.opts.Limits.HeldBytes, p.opts.Limits.BlankBytes+closerBytes))
}

// take makes pending, up to in[i], the raw of an event.
func (p *Parser) take(in string, i int) string {
	raw := in[p.mark:i]
	if len(p.held) > 0 {
		raw = string(append(p.held, raw...))
		p.held = p.held[:0]
	}
	p.mark = i
	return raw
}

// takeTo is take for the pending bytes before the stream offset end.
func (p *Parser) takeTo(in string, end int64) string {
	n, h := int(max(0, end-p.base())), len(p.held)
	if n >= h {
		return p.take(in, p.mark+n-h)
	}
	raw := string(p.held[:n])
	p.held = append(p.held[:0], p.held[n:]...)
	return raw
}

// isHeld reports whether the pending byte at the stream offset at is kept from an
// earlier input, or as if it were: a rewind keeps bytes of the input at hand.
func (p *Parser) isHeld(at int64) bool { return at < p.at(p.mark) }

// pendingFrom is what is pending from the stream offset from on, up to in[i].
func (p *Parser) pendingFrom(in string, i int, from int64) string {
	if p.isHeld(from) {
		return string(p.held[from-p.base():]) + in[p.mark:i]
	}
	return in[from-p.off : i]
}

// rewind goes back to the stream offset to, which is pending, from in[i]. It
// returns where to read on.
func (p *Parser) rewind(in string, i int, to int64) int {
	p.deadline = 0
	return p.back(in, i, to)
}

// back is rewind for a candidate that stays one.
func (p *Parser) back(in string, i int, to int64) int {
	p.reread(i, to)
	if !p.isHeld(to) {
		return int(to - p.off)
	}
	// Those bytes came with earlier inputs: they are one more input.
	keep := int(to - p.base())
	again := string(p.held[keep:]) + in[p.mark:i]
	p.held = p.held[:keep]
	if keep == 0 && p.call != nil && p.call.started {
		p.line = p.call.line
	}
	off := p.off
	p.off, p.mark = to, 0
	p.forget()
	p.run(again, 0)
	p.off, p.mark = off, i
	p.forget()
	return i
}

// reread counts the bytes from the stream offset to up to in[i], which are read again.
func (p *Parser) reread(i int, to int64) { p.work += p.at(i) - to + rereadWork }

// rereadWork is what going back costs, by itself, in bytes.
const rereadWork = 4

// reject makes the candidate text (or reasoning): its first byte is, and the
// rest is read again. If its marker has another meaning it is first read as that.
func (p *Parser) reject(in string, i int) int {
	if p.opts.Notes != nil {
		p.note(i)
	}
	if e := p.retry; e != nil {
		return p.rematch(e, in, i, p.retryEnd)
	}
	p.between = false
	to := p.cand + 1
	if p.opensCode(in, i) {
		return p.rewind(in, i, p.cand)
	}
	flush := p.flushReasoning
	if p.reasoning != nil {
		p.state = stateReasoning
	} else {
		p.state, p.fresh = stateText, false
		flush = p.flushText
	}
	if p.isHeld(to) {
		line := p.code.line.after(p.held[p.cand-p.base()])
		flush(in, to)
		p.line = line
	}
	return p.rewind(in, i, to)
}

// endInput emits what is sure of in, all of which has been read, and keeps the rest.
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
	p.line = p.lineAt(in, len(in))
	if p.mark < len(in) {
		p.held = append(p.held, in[p.mark:]...)
	}
	p.mark = 0
	p.off += int64(len(in))
}
