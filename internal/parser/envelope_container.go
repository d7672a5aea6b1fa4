package parser

import "github.com/toolparse/toolparse/toolcall"

// envelopeFrame says what an open container is.
type envelopeFrame uint8

const (
	frameEntry   envelopeFrame = iota // an object that is a call
	frameWrapper                      // an object inside it that contains its members
	frameList                         // an array of calls
	frameBare                         // an array of calls that may lack their arguments
	frameSkip                         // a value that does not matter
)

// inCall reports whether the innermost container belongs to a call itself.
func (e *envelope) inCall() bool {
	n := len(e.frames)
	return n > 0 && (e.frames[n-1] == frameEntry || e.frames[n-1] == frameWrapper)
}

// inList reports whether the innermost container is a list of calls.
func (e *envelope) inList() bool {
	n := len(e.frames)
	return n > 0 && (e.frames[n-1] == frameList || e.frames[n-1] == frameBare)
}

// envelopeOpens handles the start of a container.
func (p *Parser) envelopeOpens(array bool, in string, i int) (int, bool) {
	e := &p.envelope
	var f envelopeFrame
	switch {
	case len(e.frames) == 0 && array:
		f, e.begins = frameList, p.at(i)-1
	case len(e.frames) == 0:
		f, e.begins = frameEntry, p.at(i)-1
		e.spec = spec{begin: p.at(i) - 1, depth: 1}
	case e.inList():
		if array {
			return i, false
		}
		if f = frameEntry; p.call != nil { // the comma is missing, or could have been superfluous
			p.nextInList(in, i-1)
		}
		e.spec = spec{begin: p.at(i) - 1, depth: len(e.frames) + 1}
	case e.inCall() && array && e.key&keyBareList != 0 && !e.spec.called:
		f = frameBare
	case e.inCall() && array && e.key&keyList != 0 && !e.spec.called:
		f = frameList
	case e.inCall() && !array && e.key&keyWrap != 0 && !e.spec.called && e.wraps < maxWraps:
		f = frameWrapper
		if e.wraps++; e.spec.name == "" {
			e.spec.begin = p.at(i) - 1
		}
	case p.call != nil || e.framed && !e.inList() && !p.fails(skipValue, p.at(i)-1):
		if f = frameSkip; e.inCall() {
			e.data = len(e.frames) >= e.spec.depth
		} else {
			e.skipsPart() // it is inside another value
		}
		e.again = e.again || e.inCall() && e.key&keyOther != 0
	default:
		if e.breaks = true; e.inCall() && !array && e.key&keyWrap != 0 && e.wraps == maxWraps {
			e.wrapped = e.dialect
		}
		return i, false // no call contains such a value: this is other JSON
	}
	e.explicit = e.explicit || len(e.frames) > 0 && f != frameEntry
	e.frames = append(e.frames, f)
	if f != frameSkip {
		e.data = false
	}
	e.key = 0
	return i, true
}

// nextInList ends a call of a list at in[i]. What follows may be the next call.
func (p *Parser) nextInList(in string, i int) {
	p.endEnvelopeCall(in, p.at(i))
	p.envelope.spec = spec{begin: p.envelope.spec.begin, depth: p.envelope.spec.depth}
	p.stage = &p.envelope
	p.look(i, p.opts.Limits.HeldBytes)
}

// envelopeCloses handles the end of a container.
func (p *Parser) envelopeCloses(in string, i int) (int, bool) {
	e := &p.envelope
	f := e.frames[len(e.frames)-1]
	e.frames = e.frames[:len(e.frames)-1]
	p.safe(i)
	switch f {
	case frameWrapper:
		e.wraps--
	case frameEntry:
		if !p.entryCloses(in, i) {
			return i, false
		}
	case frameList, frameBare:
		if !e.byList {
			return i, false
		}
		e.spec.called = true // the other members of the enclosing object do not matter
		e.list = len(e.frames) + 1
	}
	if len(e.frames) == 0 {
		return p.envelopeEnds(in, i), true
	}
	return i, true
}

// entryCloses handles the end of an object that may be a call. It returns false if it was
// not one.
func (p *Parser) entryCloses(in string, i int) bool {
	e := &p.envelope
	s := &e.spec
	listed := e.inList()
	switch {
	case s.called:
	case e.byList && !listed: // the object around a list
	case s.name == "":
		e.scanner.Tolerances |= toolcall.UnknownMember
		return e.framed && listed // other elements of the list may be calls
	case s.args == argsHeld, s.args == argsSchema && p.tools[s.name].Declares(s.firstKey):
		if !p.callHeld(in, i) {
			return false
		}
	case s.args != argsAbsent || !e.namesCalls() || !p.callOfMembers(in, i):
		return false
	}
	e.byList = e.byList || listed
	return true
}
