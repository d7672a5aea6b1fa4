package parser

import (
	"unicode/utf8"

	"github.com/toolparse/toolparse/internal/callmeta"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/native"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// The invariants of a Parser. These offsets describe what the parser knows. All of them count bytes of the stream,
// except mark, which is an offset in the input at hand (in).
//
//	     base()             cand              at(i)       limit()
//	       v                 v                  v            v
//	-------+-----------------+------------------+------------+----
//	events |     certain     |    candidate     |  not read  |
//	-------+-----------------+------------------+------------+----
//	       |<------------- pending ------------>|
//	       |<- held (copied) ->|<- in[mark:i] ->|
//
// The parser keeps the following invariants.
//
//  1. The pending bytes are held, followed by in[mark:i]. Every byte of the stream is in the
//     raw of exactly one event, or pending, or not read: only take and takeTo move pending
//     bytes to an event, and the fast path (smooth) runs only while nothing is pending.
//  2. While deadline is not 0, a candidate (in text) or a look (inside a call) is open, and
//     the bytes from cand on must not become part of an event. Pending bytes before cand are
//     certain: endInput may emit them.
//  3. run cuts the input at limit, so that a decision that is forced there (expire) happens
//     at the same byte, however the stream is cut.
//  4. Going back (readAgain) reads pending bytes again, and no others. If they were
//     held, they are read as an input of their own, nested in the current one. work counts
//     every byte that is read again; since the deadlines are bounded, so is work per byte.

// Parser is the push parser of one stream; make one with [New]. It is not safe for
// concurrent use. The time is linear in the input, however it is cut, and the memory is
// bounded by [Limits].
type Parser struct {
	compiled *Compiled
	opts     *Options // options of compiled
	tools    tools
	parserState

	// The memory that the parser keeps for the next stream.
	recents  *lex.Recent // nil until the first call
	memory   *lex.Arena  // of raws and deltas that are no part of one chunk; nil until the first candidate
	lent     lex.Arena   // of the content of calls, if compiled.lends
	held     []byte      // see parserState.mark
	spare    *call       // an ended call, whose memory is reused
	args     *jsonArgs   // the arguments of call, if they are JSON
	heading  heading
	machine  syntax.Machine   // reads the arguments of the framed call
	ahead    syntax.Lookahead // machine, if it can read ahead; otherwise nil
	reads    *syntax.Syntax   // the syntax of machine
	machines map[*syntax.Syntax]syntax.Machine
	// origin belongs to the last call of a file tool that started; originKey is its dialect and content
	// parameter.
	origin          callmeta.Origin
	originKey       [2]string
	spareDuplicates *duplicates
	lastInside      lastInside // depends on nothing else of the stream
	*callReader                // nil until a marker of a call has been found; see readsCalls
}

// parserState is a Parser without its memory.
type parserState struct {
	asked askedTool
	ids   idSource

	smooth    smooth
	prefill   *prefill // nil once the stream is past it
	outside   *grammar // what can begin in text
	reasoning *grammar // what can end the current reasoning; nil outside reasoning
	strays    []string // closers of reasoning that are markup where state is stateStray

	dst []toolcall.Event // receives events during a call of Feed

	// The pending bytes, which no event accounts for yet, are held followed by in[mark:],
	// where in is the input at hand.
	mark     int
	off      int64  // stream offset of in[0]
	jump     jumper // in text and reasoning
	codeJump jumper // in code

	state state
	first state // stateBOM: the state after the mark
	// cand is the stream offset at which the candidate, or the look inside a call, begins.
	// The pending bytes before it are certain.
	cand int64
	// deadline is the stream offset at which the candidate must be decided; 0 if there is
	// none.
	deadline int64

	open segment // the open segment of text or reasoning, if any

	line    lineStart // what precedes in[0] in its line
	lined   linePlace // a place in the input at hand whose lineStart is known
	between bool      // only blanks have followed the last call
	fresh   bool      // the stream had only blanks and reasoning so far
	calls   int       // number of calls that have begun
	closed  bool

	code           code
	node           int32  // stateMarker: position in the trie
	short          *entry // stateMarker: the longest complete marker so far, if a longer one is possible
	shortEnd       int64  // stateMarker: stream offset after short
	call           *call  // the open call of a text dialect
	channel        channel
	rejectRule     string // the rule that rejected the candidate, if known (for notes)
	alternative    *entry // the next interpretation of the candidate's marker
	alternativeEnd int64  // stream offset after that marker
	deadTick       int64  // stream offset after a backtick that begins no call
	noiseEnd       int64  // stream offset after pending noise
	sectionEnd     int64  // stream offset after a section's closer, where no call without a marker may begin
	failed
	native native.Calls[nativeCall]
	// duplicates is nil if the text cannot contain calls, or if no delta was fed.
	duplicates *duplicates
	wire       toolcall.SegmentType // kind of the open segment, if the wire distinguishes it from text
	wireReads  bool                 // calls in that segment count
	textLine   lineStart            // line, before that segment

	work int64 // bytes read again or looked back at; TestLinear limits it
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

// segment identifies an open segment.
type segment struct {
	kind toolcall.SegmentType // "" where none is open
	id   string
}

// state is the current state. Each one has a method, which step calls:
//
//	           marker              head              arguments
//	Text ----> Marker ----> Frame, Envelope ----> JSON, Args ----> Frame ----> Text
//	  ^          |               |                                (closers)
//	  +----------+---------------+  reject: the candidate's first byte is text
//	  |
//	  +-- Reasoning, Code, Fence..., Heading, ...: other contexts that text can enter
//
// A candidate is open in Marker, and in Frame and Envelope until the tool's name is certain
// (openCall, callAt). From then on the call exists, and failures end it instead of
// rejecting it.
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
	stateMessageEnd              // in a possible end of a message, in code
	stateStray                   // before a possible closer of reasoning that did not begin in the stream, or that a call ended
	stateCallEnd                 // after a JSON call that no marker ends
	stateBOM                     // in a byte order mark at the beginning of the stream
)

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
		p.first, p.state = p.state, stateBOM
		p.look(0, closerBytes)
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
			i = p.step(now, i)
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

// step consumes input in the current state. It returns the offset up to which it has read,
// which is len(in) unless the state has changed.
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
		return p.inArgs(in, i)
	case stateHeading:
		return p.inHeading(in, i)
	case stateMessageEnd:
		return p.messageEnd(in, i)
	case stateStray:
		return p.stray(in, i)
	case stateCallEnd:
		return p.pastCall(in, i)
	case stateBOM:
		return p.inBOM(in, i)
	default:
		return p.fenceTail(in, i)
	}
}

// inArgs lets the machine read as long as in needs no other limit: the arguments of a call go
// on, and no look must be decided in it. Arguments take many short steps.
func (p *Parser) inArgs(in string, i int) int {
	for calls, looks := p.calls, p.looking(); ; {
		i = p.machine.Read((*host)(p), in, i)
		if i == len(in) || p.state != stateArgs || p.calls != calls || looks || p.deadline != 0 && p.deadline < p.at(len(in)) {
			return i
		}
	}
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
	if p.state == stateCallEnd { // the call is complete
		return p.pastCall(in, i)
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
		return p.endEnvelopeBefore(in, i)
	case stateEnvelope:
		return p.envelopeFails(in, i)
	case stateFrame:
		return p.frameExpires(in, i)
	case stateJSON:
		return p.jsonExpires(in, i)
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

// look begins a candidate at in[i], to be decided within n bytes, and within the limit.
func (p *Parser) look(i, n int) {
	p.cand = p.at(i)
	p.deadline = min(p.heldLimit(), p.cand+int64(n))
}

// looking reports whether a candidate or a look is open.
func (p *Parser) looking() bool { return p.deadline != 0 }

// at returns the stream offset of in[i].
func (p *Parser) at(i int) int64 { return p.off + int64(i) }

// closerBytes exceeds the length of any marker with its attributes, without the blanks in
// it.
const closerBytes = 1 << 10

// lookCloser is look with a deadline for a closer and what follows it.
func (p *Parser) lookCloser(i int) { p.look(i, p.closerLimit()) }

// closerLimit returns the bytes within which such a look must be decided.
func (p *Parser) closerLimit() int {
	return min(p.opts.Limits.HeldBytes, p.opts.Limits.BlankBytes+closerBytes)
}

// reject turns the candidate into text or reasoning: its first byte becomes content, and
// the rest is read again. If the marker has another interpretation, that is tried first.
func (p *Parser) reject(in string, i int) int {
	if p.opts.Notes != nil {
		p.note(i)
	}
	if e := p.alternative; e != nil {
		return p.readAgain(in, i, p.alternativeEnd, e)
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
	if p.mark < len(in) {
		p.held = append(p.held, in[p.mark:]...)
	}
	p.mark = 0
	p.off += int64(len(in))
}
