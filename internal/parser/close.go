package parser

import (
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// finish decides everything that is pending at the end of the stream.
func (p *Parser) finish() {
	p.closed = true
	p.decide()
	p.flushRest()
	if p.reasoning != nil {
		p.endOpen(toolcall.Incomplete, toolcall.ReasonEndOfStream, "")
		return
	}
	p.endOpen(toolcall.Complete, toolcall.ReasonNone, "")
}

// decide decides every candidate and ends the open call at the end of the stream. Bytes
// after a call's arguments are read again, and may be another candidate.
func (p *Parser) decide() {
	for {
		switch {
		case p.call != nil:
			p.finishOpen()
		case p.undecided():
			p.giveUp()
		default:
			return
		}
	}
}

// flushRest emits all pending bytes as text or reasoning, between two inputs. For noise
// alone it emits a segment without content.
func (p *Parser) flushRest() {
	end := p.base() + int64(len(p.held))
	if p.reasoning != nil {
		if p.base() < end && p.open.kind == "" {
			p.startOpen(toolcall.SegmentReasoning, "")
		}
		p.flushReasoning("", end)
		return
	}
	p.flushText("", end)
	if p.base() < end {
		p.startOpen(toolcall.SegmentText, p.takeTo("", end))
	}
}

// undecided reports whether a candidate outside calls is waiting for more input.
func (p *Parser) undecided() bool {
	switch p.state {
	case stateText, stateReasoning, stateCode:
		return false
	case stateStray:
		return p.looking()
	}
	return true
}

// giveUp decides the current candidate at the end of the stream.
func (p *Parser) giveUp() {
	switch p.state {
	case stateMarker: // a shorter marker may be complete
		p.shorter("", 0)
	case stateEnvelope:
		p.giveUpEnvelope()
	case stateFence:
		p.fenceFails("", 0)
	case stateHeading:
		p.headingEnds()
	case stateMessageEnd:
		p.messageEndEnds()
	case stateStray:
		p.noStray("", 0)
	case stateBOM:
		p.endBOM("", 0)
	case stateFrame:
		if p.frame.phase == frameBody {
			p.bodyBegins("", 0)
			return
		}
		if p.frame.phase == frameAhead {
			if m, ok := p.ahead.(syntax.LookaheadEnder); ok && m.LookaheadEnds() {
				p.alternative = nil
				p.openNamed("", 0)
				return
			}
		}
		if !p.nameSure() {
			p.headHasBody("", 0)
			return
		}
		p.alternative = nil
		if p.openCall(""); p.call != nil {
			p.beginFramedArgs()
		}
	default:
		p.reject("", 0)
	}
}

// nameSure reports, at the end of the stream, whether the candidate is a call with a
// certain name: something follows the name, or the marker or quote that ends it has begun.
// In a bare syntax, where prose may look like that, the arguments must have begun.
func (p *Parser) nameSure() bool {
	f := &p.frame
	marked := !f.form.bare
	switch f.phase {
	case frameFirst, frameKey, frameKeyEnd:
		return true
	case frameAhead:
		return f.form.syntax.Sure && (marked || p.tools != nil)
	case frameID, frameIDEnd:
		f.body = p.at(0)
		return marked && !f.leads
	case frameNameEnd:
		f.body = p.at(0)
		return marked && p.nameRead()
	case frameTag:
		if f.form.sealed { // more of the tag matters
			return false
		}
		f.body = p.at(0)
		name, ok := p.tag.AttrSoFar(f.form.Head.Name...)
		return marked && ok && p.names(name)
	}
	return false
}

// finishOpen ends the call that is open at the end of the stream. It is complete if its
// arguments are and only markers are missing.
func (p *Parser) finishOpen() {
	c := p.call
	complete := false
	switch p.state {
	case stateCallEnd:
		p.pastCall("", 0)
		return
	case stateJSON:
		if p.looking() && p.args.Value.HidesCloser() {
			p.jsonExpires("", 0)
			return
		}
	case stateEnvelope, stateFenceTail:
		if p.state == stateEnvelope && p.envelope.scanner.HidesCloser() {
			p.envelopeFails("", 0)
			return
		}
		complete = !p.envelope.rest.reads || p.envelope.framed
		p.judgeMembers()
	case stateFrame:
		complete = p.frameFinishes()
	case stateArgs:
		complete = p.machine.Finish((*host)(p))
		switch {
		case p.call == nil:
			return
		case p.state == stateFrame: // the bytes that were looked at ended the arguments
			complete = p.frameFinishes()
		}
	}
	if !complete {
		p.endCall("", p.at(0), toolcall.Incomplete, toolcall.ReasonEndOfStream)
		return
	}
	if c.status == 0 && p.state != stateFenceTail && (p.state != stateArgs || p.frame.form.closer != "") {
		c.tolerances |= toolcall.MissingCloser
	}
	p.endCall("", p.at(0), toolcall.Complete, toolcall.ReasonNone)
}
