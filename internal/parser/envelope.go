package parser

import (
	"slices"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/toolcall"
)

// envelope reads a JSON value without a marker that may be a call, or several: objects with
// a name and arguments, in any order, inside the wrappers and lists of the dialect.
//
// Three readers share the work, and only one of them reads at a time:
//
//	scanner   reads the structure around the arguments, token by token (envelopeToken)
//	peek      reads arguments ahead of the decision whether there is a call (envelopePeek)
//	jsonArgs  reads the arguments of a call that exists, as a stage of its own
//
// As long as name and arguments are uncertain, everything is a candidate and stays pending.
// The name may come first or last:
//
//	{"name": n, "arguments": ...}   callAt: peek looks at the beginning of the arguments, then
//	                                the call begins and jsonArgs streams them
//	{"arguments": {...}, "name": n} peekHold: peek reads all arguments, which stay pending;
//	                                callHeld makes the call when the name arrives
//
// frames mirrors the scanner's open containers and says what each one means. spec collects
// what is known about the current call. When the arguments have been read, the envelope
// continues; safe marks the places after which a broken rest no longer affects the call.
type envelope struct {
	opaque
	envelopeState
	// The memory that envelope keeps for the next stream.
	scanner jsonstream.Scanner
	frames  []envelopeFrame
	text    []byte // the current string, if it is needed
	first   []byte // the name of the first member
	// peek reads arguments before there is a call: to see what they begin with, or because
	// the name has not arrived.
	peek jsonstream.Scanner
}

// envelopeState is an envelope without its memory.
type envelopeState struct {
	dialect  *compiledDialect // nil: no envelope is being read
	key      keyKind          // what the current member may be
	place    int              // index of its key among the keys for a name
	data     bool             // the current member may be an argument
	again    bool             // its key is one of those for all arguments
	scalar   int64            // stream offset of the current string that is neither name nor arguments
	args     bool             // the next value is the arguments
	spec     spec
	peekMode peekMode
	byList   bool             // an element of a list was a call
	list     int              // number of containers down to the list that ended last
	wraps    int              // open wrappers
	begins   int64            // stream offset of its first byte
	explicit bool             // any object may be a call; otherwise only one in a wrapper or a list with a name
	framed   bool             // the envelope is inside a frame
	colons   int              // members so far, while it is a candidate
	breaks   bool             // it failed in a way that no dialect accepts
	wrapped  *compiledDialect // the dialect in whose wrappers it was nested too deep, if that is why it failed
	broke    int64            // stream offset of the last candidate that failed
	rest     rest             // the rest of a broken call
	unopened bool             // it follows a call in the same frame, without an opener

	// extra collects the tolerances for what follows the arguments of a framed call.
	extra toolcall.Tolerances

	// separators are the bytes that may occur between bare calls, besides blanks.
	separators string
}

// keyKind says what a member may be. A key may be several things; its value decides.
type keyKind uint16

const (
	keyName keyKind = 1 << iota
	keyWrap
	keyList
	keyBareList
	keyArgs
	keyID
	keyType   // its value confirms a call if it is one of callTypes
	keyOther  // arguments in other dialects
	keyNext   // the name of another call
	keySchema // arguments, under a key that tool definitions use for their schema
)

const (
	maxForeign = 1 << 10 // bytes of a string other than name and arguments, while there is no call
	maxWraps   = 3       // nested wrappers
	maxMember  = 2 << 10 // bytes of a member other than arguments, without blanks
)

// beginEnvelope begins a candidate without a marker. Its first byte is read next.
func (p *Parser) beginEnvelope(d *compiledDialect, in string) {
	p.readsCalls()
	e := &p.envelope
	e.dialect, e.explicit, e.framed = d, p.bareCounts(d, in), false
	e.frames, e.text, e.spec = e.frames[:0], e.text[:0], spec{}
	e.key, e.args, e.peekMode, e.byList, e.wraps = 0, false, peekNot, false, 0
	e.scanner.MaxDepth, e.peek.MaxDepth = p.opts.Limits.Depth, p.opts.Limits.Depth
	e.scanner.Closer, e.rest.reads, e.colons, e.breaks, e.wrapped = "", false, 0, false, nil
	e.scanner.Reset()
	e.peek.Reset()
	if e.explicit && p.inJSONText(in) { // what follows belongs to the list
		e.scanner.Next("[", 0)
		e.frames = append(e.frames, frameList)
	}
	p.stage = &p.envelope
}

// beginFramedEnvelope is beginEnvelope for a framed call.
func (p *Parser) beginFramedEnvelope(in string) {
	e := &p.envelope
	p.beginEnvelope(p.frame.form.compiledDialect, in)
	e.framed, e.explicit, e.unopened = true, true, false
	e.scanner.Closer = p.argsCloser(true)
}

// envelopeFirst consumes the candidate's first byte, which was matched as a marker before
// in[i].
func (p *Parser) envelopeFirst(marker, in string, i int) int {
	kind, _ := p.envelope.scanner.Next(marker, 0)
	next, ok := p.envelopeToken(kind, in, i)
	if !ok {
		return p.envelopeFails(in, i)
	}
	return next
}

// read reads a candidate without a marker, or what follows the arguments of such a call.
func (e *envelope) read(p *Parser, in string, i int) int {
	for {
		switch {
		case e.rest.reads:
			return p.inRest(in, i)
		case e.args:
			if i = lex.SkipBlanks(in, i); i == len(in) {
				return i
			}
			return p.envelopeArgs(in, i)
		case e.peekMode != peekNot:
			return p.envelopePeek(in, i)
		}
		if !e.canGoOn(in, i) || p.isEndless(&e.scanner, in, i) {
			return p.envelopeFails(in, i)
		}
		if p.call != nil && e.inList() && e.scanner.Between() && (!p.opts.Strict || p.call.status != 0) { // strict: the comma may be superfluous
			if j := lex.SkipBlanks(in, i); j < len(in) && in[j] == ',' {
				p.nextInList(in, j+1)
			}
		}
		kind, j := e.scanner.Next(in, i)
		if kind == jsonstream.More {
			return j
		}
		called := p.call
		next, ok := p.envelopeToken(kind, in, j)
		switch {
		case ok:
		case kind == jsonstream.Invalid:
			return p.envelopeFails(in, j)
		default:
			return p.envelopeIsData(in, j)
		}
		if i = next; p.stage != stage(e) || i == len(in) || e.dialect == nil || p.call != called { // the limits have changed
			return i
		}
	}
}

func (e *envelope) expire(p *Parser, in string, i int) int { return p.envelopeFails(in, i) }

func (e *envelope) end(p *Parser) bool {
	switch {
	case p.call == nil:
		p.giveUpEnvelope()
		return true
	case e.scanner.HidesCloser():
		p.envelopeFails("", 0)
		return true
	}
	complete := !e.rest.reads || e.framed
	p.judgeMembers()
	return p.endCutOff(complete)
}

func (e *envelope) note(_ *Parser, n *toolcall.Note) bool {
	if e.dialect == nil || !e.seemsCall() && n.Rule == "" { // other JSON, or prose in brackets
		return false
	}
	n.Dialect = e.dialect.Name
	if s := &e.spec; !s.described && s.args == argsAbsent {
		n.Tool = s.name
	}
	setRule(n, ruleEnvelope)
	return true
}

// seemsCall reports whether an envelope contained any part of a call.
func (e *envelope) seemsCall() bool {
	return e.framed || e.spec.name != "" || e.spec.args != argsAbsent || e.peekMode != peekNot
}

// canGoOn reports, before an element of a list or the name of a member, whether the next
// byte can begin it. It distinguishes prose from JSON without waiting for the end of a
// word.
func (e *envelope) canGoOn(in string, i int) bool {
	if !e.scanner.Between() || e.scanner.AfterComma() || !e.inList() && !e.scanner.KeyNext() {
		return true
	}
	if i = lex.SkipBlanks(in, i); i == len(in) {
		return true
	}
	switch c := in[i]; c {
	case '{', '[':
		return e.inList()
	case '"', '\'':
		return !e.inList()
	case ',', '}', ']', '/':
		return true
	default:
		return e.framed && !e.inList() && lex.IsNameStart(c)
	}
}

// isBroken reports whether an earlier attempt to read the candidate in another dialect has
// shown that it is not a call in other's dialect either: it failed before there was a call,
// and its only member means nothing to that dialect, or it has too many wrappers. Therefore
// a flood of braces is not read once for each dialect. Where notes are wanted, a candidate with
// a member is read again, because it may seem a call in other's dialect.
func (p *Parser) isBroken(other *entry) bool {
	if p.callReader == nil {
		return false
	}
	e := &p.envelope
	return other.kind == entryBare && e.breaks && e.broke == p.cand && (e.colons == 0 || p.opts.Notes == nil &&
		(e.colons == 1 && !other.dialect.holds(string(e.first)) ||
			e.wrapped != nil && other.dialect.Head.Form != dialect.HeadKey && !shareAny(e.wrapped.Head.Wrap, other.dialect.Args.Keys)))
}

// shareAny reports whether the lists have a string in common.
func shareAny(a, b []string) bool {
	return slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}

// names reports whether key may hold the name of a call in JSON without a marker.
func (g *grammar) names(key []byte) bool {
	for e := g.nodes[g.next(0, '{')].entry; e != nil; e = e.next {
		if e.kind == entryBare && slices.ContainsFunc(e.dialect.Head.Name, func(name string) bool { return name == string(key) }) {
			return true
		}
	}
	return false
}

// holds reports whether the member key of a call may contain arguments or another call.
func (d *compiledDialect) holds(key string) bool {
	for _, keys := range [][]string{d.Args.Keys, d.Head.Wrap, d.Head.Lists, d.Head.Bare} {
		if slices.Contains(keys, key) {
			return true
		}
	}
	return d.Head.Form == dialect.HeadKey
}

// isEndless reports whether an earlier candidate has shown that the comment at in[i] does
// not end. It is not read again.
func (p *Parser) isEndless(s *jsonstream.Scanner, in string, i int) bool {
	if p.call != nil || !p.fails(endComment, p.at(i)) || !s.Between() {
		return false
	}
	if i = lex.SkipBlanks(in, i); i < len(in) && in[i] == ',' { // commas are not tokens
		i = lex.SkipBlanks(in, i+1)
	}
	return i < len(in) && in[i] == '/' && p.fails(endComment, p.at(i))
}

// envelopeToken handles a token that ends before in[i]. ok is false if the envelope is not
// a call, or is broken.
func (p *Parser) envelopeToken(kind jsonstream.Kind, in string, i int) (next int, ok bool) {
	e := &p.envelope
	if p.call == nil {
		p.deadline = min(p.heldLimit(), p.at(i)+int64(p.opts.Limits.BlankBytes+maxMember))
	}
	switch kind {
	case jsonstream.Invalid:
		e.breaks = true
		return i, false
	case jsonstream.Key:
		if e.colons == 0 {
			e.first = append(e.first[:0], e.scanner.Text()...)
		}
		if e.inCall() {
			key := e.scanner.Text()
			e.key = p.classify(key)
			e.spec.elsewhere = e.spec.elsewhere || e.key == 0 && !e.framed && p.outside.names(key)
			return i, e.dialect.Head.Form != dialect.HeadKey || e.key == 0 || p.mayName(e.spec.name)
		}
		e.skipsPart()
		e.key = 0
	case jsonstream.Colon:
		e.colons++
		e.args = e.key&(keyArgs|keyOther) != 0 && !e.spec.called && e.spec.args == argsAbsent || e.key&keyNext != 0 && e.spec.called && p.looking()
	case jsonstream.ObjectStart, jsonstream.ArrayStart:
		return p.envelopeOpens(kind == jsonstream.ArrayStart, in, i)
	case jsonstream.ObjectEnd, jsonstream.ArrayEnd:
		return p.envelopeCloses(in, i)
	case jsonstream.StringStart:
		e.text, e.scalar = e.text[:0], p.at(i)
		return i, len(e.frames) > 0 && !e.inList()
	case jsonstream.StringPart:
		if e.key&(keyName|keyID|keyType) != 0 && len(e.text) <= lex.MaxName {
			e.text = append(e.text, e.scanner.Part...)
		}
		if e.key&(keyName|keyType) == 0 {
			e.skipsPart()
		}
		tooLong := p.isTooLong(i) || e.key&keyName != 0 && len(e.text) > lex.MaxName
		return i, p.call != nil || !tooLong
	case jsonstream.StringEnd:
		if ok = p.call != nil || !p.isTooLong(i); ok {
			ok = p.envelopeString(in, i)
		}
		p.safe(i)
		return i, ok
	case jsonstream.Scalar:
		if string(e.scanner.Text()) != "null" {
			e.skipsPart()
		}
		p.safe(i)
		return i, len(e.frames) > 0 && !e.inList()
	}
	return i, true
}

// isTooLong reports whether the string that ends before in[i] is too long for a member
// other than name and arguments, while there is no call. After a marker and a name any
// length is allowed.
func (p *Parser) isTooLong(i int) bool {
	e := &p.envelope
	return p.at(i)-e.scalar > maxForeign && !(e.framed && e.spec.name != "")
}

// heldLimit returns the stream offset up to which the candidate may be held.
func (p *Parser) heldLimit() int64 { return p.cand + int64(p.opts.Limits.HeldBytes) }

// safe marks in[i] as a place where the envelope may break without affecting the call,
// whose arguments are complete.
func (p *Parser) safe(i int) {
	if p.call != nil {
		p.lookCloser(i)
	}
}

// envelopeString handles a complete string inside a call.
func (p *Parser) envelopeString(in string, i int) bool {
	e := &p.envelope
	s := &e.spec
	switch {
	case !e.inCall():
	case e.key&keyType != 0:
		if len(e.text) > 0 && !slices.Contains(callTypes, string(e.text)) {
			e.skipsPart()
		}
	case e.key&keyName != 0 && s.name != "":
		if e.place == s.nameAt {
			e.scanner.Tolerances |= toolcall.DuplicateArgument
		} else if string(e.text) != s.name {
			e.skipsPart()
		}
	case e.key&keyName != 0:
		s.name, s.nameAt = p.recent().String(e.text), e.place
		if !p.mayName(s.name) {
			return false
		}
		if s.args == argsHeld || s.args == argsSchema && p.tools[s.name].Declares(s.firstKey) {
			return p.callHeld(in, i)
		}
	case e.key&keyID != 0 && s.id == "" && len(e.text) <= lex.MaxName:
		s.id = string(e.text)
		if p.call != nil && s.called {
			p.call.callID = s.id
		}
	}
	return true
}

// mayName reports whether the envelope may contain a call of the tool name.
func (p *Parser) mayName(name string) bool {
	e := &p.envelope
	return e.explicit && len(name) <= lex.MaxName && p.mayCall(e.dialect, name, !e.framed)
}

// envelopeEnds handles the end of the whole envelope.
func (p *Parser) envelopeEnds(in string, i int) int {
	if p.call == nil {
		if p.envelope.dialect != nil { // the last call ended with a comma
			p.startOpen(toolcall.SegmentText, p.take(in, i))
			p.envelope.dialect = nil
			p.stage, p.between, p.deadline = inText{}, false, 0
			p.backToFence()
		}
		return i // or the closing bracket was superfluous
	}
	if e := &p.envelope; e.framed {
		p.judgeMembers()
		e.dialect = nil
		return p.argumentsDone(in, i)
	}
	if p.code.fenced {
		p.stage = fenceTail{}
		p.code.run = 0
		p.lookCloser(i)
		return i
	}
	p.endEnvelopeCall(in, p.at(i))
	p.envelope.dialect = nil
	return i
}

// envelopeIsData is envelopeFails for sound JSON that is no call. If it has a member, the parser
// takes all of it as data. Shorter JSON that arrives in one piece never becomes a candidate, so
// the result would depend on the chunks.
func (p *Parser) envelopeIsData(in string, i int) int {
	if p.call == nil && p.envelope.colons > 0 {
		p.followOther()
	}
	return p.envelopeFails(in, i)
}

// envelopeFails handles a broken envelope. A call whose arguments are complete is complete,
// and what follows the last safe place is text. Without a call, the candidate is text.
func (p *Parser) envelopeFails(in string, i int) int {
	e := &p.envelope
	if p.call != nil {
		to := p.cand
		if e.rest.reads {
			p.fail(countBraces, p.at(i))
			p.breakOff(in, to)
			return p.rewind(in, i, to)
		}
		if e.scanner.AwaitsColon() && e.scanner.Tolerances&toolcall.MissingComma != 0 || p.call.cut ||
			e.inList() && e.scanner.Between() && quoteNext(in, i) {
			return p.strayQuote(in, i, to)
		}
		p.call.tolerances |= toolcall.MissingCloser
		if e.framed {
			p.judgeMembers()
			e.dialect = nil
			p.argumentsEnd(to)
			return p.rewind(in, i, to)
		}
		return p.endEnvelopeBefore(in, i)
	}
	if e.rest.reads {
		p.fail(seekElement, p.at(i))
		e.rest.reads = false
	} else if p.seekNext(i) {
		return i
	}
	if e.peekMode != peekNot || e.spec.args != argsAbsent {
		p.fail(holdArguments, p.at(i))
	}
	if n := len(e.frames); n > 0 && e.frames[n-1] == frameSkip {
		p.fail(skipValue, p.at(i))
	}
	e.broke = p.cand
	if e.framed {
		e.breaks = false
	}
	if e.scanner.InComment() || e.peekMode != peekNot && e.peek.InComment() {
		p.fail(endComment, p.at(i))
	}
	if p.opts.Notes != nil {
		p.note(i) // before the state is forgotten
	}
	e.dialect = nil
	if !p.code.fenced {
		return p.reject(in, i)
	}
	if p.code.body > p.cand { // the fence line is still pending
		return p.fenceFails(in, i)
	}
	p.backToFence()
	p.between = false
	return p.rewind(in, i, p.cand)
}
