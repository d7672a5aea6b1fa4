package parser

import (
	"strings"

	"github.com/toolparse/toolparse/toolcall"
)

// beginRaw begins a body that is the content itself, up to closer. A tagged
// closer has blanks and a > after it.
func (p *Parser) beginRaw(closer string, tagged bool) {
	b, c := &p.body, p.call
	b.closer, b.tagged, b.marked, b.done, b.empty = closer, tagged, false, false, false
	b.value = value{sink: sinkPlain, out: &c.out, lead: leadOpen, limit: p.opts.Limits.BlankBytes, kept: b.value.kept[:0]}
	b.phase, b.lit = bodyText, literal{}
	p.state = stateRaw
	if c.file == nil {
		b.value.lead = leadNone
		return
	}
	b.value.trail = c.file.command
	if b.markers = c.file.markers; b.markers[0] != "" {
		b.phase = bodyStart
	}
}

// passOver makes the rest of the call, up to its closer, no content.
func (p *Parser) passOver(closer string, tagged bool) {
	p.beginRaw(closer, tagged)
	p.body.value = value{sink: sinkDrop}
	p.body.phase = bodyText
}

// raw reads a body that is the content itself.
func (p *Parser) raw(in string, i int) int {
	b := &p.body
	switch b.phase {
	case bodyStart:
		return p.rawMarker(in, i)
	case bodyJSON:
		return p.rawJSON(in, i)
	case bodyText:
		return p.rawText(in, i)
	case bodyGap:
		if i = skipBlanks(in, i); i < len(in) {
			b.phase, b.lit = bodyCloser, literal{text: b.closer, fold: b.tagged}
		}
		return i
	case bodyAngle:
		if i = skipBlanks(in, i); i == len(in) {
			return i
		}
		if in[i] != '>' {
			return p.rawLookFails(in, i)
		}
		return p.rawEnds(in, i+1)
	default:
		return p.rawLook(in, i)
	}
}

// rawMarker reads the blanks before the content, and the raw start marker, if
// there is one.
func (p *Parser) rawMarker(in string, i int) int {
	b := &p.body
	if !p.looking() {
		p.lookCloser(i)
	}
	if b.lit.n == 0 {
		if i = skipBlanks(in, i); i == len(in) {
			return i
		}
		b.lit = literal{text: b.markers[0]}
	}
	next, done, ok := b.lit.match(in, i)
	switch {
	case !ok:
		return p.rawLookFails(in, next)
	case done:
		b.phase, b.marked, p.deadline = bodyText, true, 0
		b.value.trail = false
	}
	return next
}

// rawText reads content up to what may be the end.
func (p *Parser) rawText(in string, i int) int {
	b := &p.body
	n := indexPrefix(in[i:], b.rawStop())
	if b.done && skipBlanks(in[:i+n], i) < i+n {
		p.call.tolerances |= toolcall.TextBetween
	}
	if b.value.add(in, i, i+n); i+n == len(in) {
		return len(in)
	}
	p.lookCloser(i + n)
	b.phase, b.lit = bodyCloser, literal{text: b.closer, fold: b.tagged}
	if b.marked {
		b.phase, b.lit = bodyEnding, literal{text: b.markers[1]}
	}
	return i + n
}

// rawStop is what the content of a raw body ends with.
func (b *body) rawStop() string {
	if b.marked {
		return b.markers[1]
	}
	return b.closer
}

// rawLook reads what may be the end marker or the closer.
func (p *Parser) rawLook(in string, i int) int {
	b := &p.body
	next, done, ok := b.lit.match(in, i)
	switch {
	case !ok:
		return p.rawLookFails(in, next)
	case !done:
	case b.phase == bodyEnding:
		b.phase = bodyGap
	case b.tagged:
		b.phase = bodyAngle
	default:
		return p.rawEnds(in, next)
	}
	return next
}

// rawEnds is after the closer.
func (p *Parser) rawEnds(in string, i int) int {
	b := &p.body
	b.value.end()
	if b.empty {
		p.call.addGiven()
	}
	p.call.end = p.cand
	p.endCall(in, p.at(i), toolcall.Complete, toolcall.ReasonNone)
	return i
}

// rawLookFails makes what was looked at content, from its second byte on to be
// read again.
func (p *Parser) rawLookFails(in string, i int) int {
	b := &p.body
	start := b.phase == bodyStart
	b.phase, b.lit = bodyText, literal{}
	switch {
	case start:
		return p.rewind(in, i, p.cand)
	case b.empty:
		p.notArguments()
		return p.rewind(in, i, p.cand)
	}
	stop := b.rawStop()[:1]
	b.value.addText(stop)
	if from := p.cand + 1; p.isHeld(from) {
		rest := string(p.held[from-p.base():]) + in[p.mark:i]
		if strings.IndexByte(rest, stop[0]) < 0 { // no need to read it again
			b.value.add(rest, 0, len(rest))
			p.deadline = 0
			return i
		}
	}
	return p.rewind(in, i, p.cand+1)
}

// rawJSON reads the blanks before a body that is JSON, or the closer.
func (p *Parser) rawJSON(in string, i int) int {
	b := &p.body
	if i = skipBlanks(in, i); i == len(in) {
		return i
	}
	switch in[i] {
	case '{':
		p.beginJSON()
	case b.closer[0]:
		b.empty = p.call.file == nil
		b.phase, b.lit = bodyCloser, literal{text: b.closer}
		p.lookCloser(i)
	default:
		p.notArguments()
	}
	return i
}

// notArguments passes over a body that is no JSON object. It is needed, unless the
// header gave arguments.
func (p *Parser) notArguments() {
	c := p.call
	given := c.given != ""
	if given {
		c.addGiven()
	} else {
		c.status, c.reason = toolcall.Malformed, toolcall.ReasonNotAnObject
	}
	p.passOver(p.body.closer, p.body.tagged)
	p.body.done = given
}
