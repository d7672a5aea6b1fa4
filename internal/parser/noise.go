package parser

import (
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/toolcall"
)

// noise handles a token that is not text: one that a model's template puts around text, or
// the closer of a section that contained text. It ends a segment of text. If none is open,
// the token belongs to the next segment.
func (p *Parser) noise(e *entry, in string, i int) int {
	if e.leaves {
		if p.reasoning != nil || !p.inSection() && !(p.between && e.stray) {
			return p.reject(in, i)
		}
		p.leaveSection()
	}
	p.alternative, p.deadline, p.stage = nil, 0, inText{}
	if !p.between {
		p.flushText(in, p.cand)
	}
	if e.channels != nil {
		p.messageEnded(p.outside.channels)
	}
	p.between = e.channels != nil // blanks between messages are not text
	if p.open.kind == toolcall.SegmentText {
		p.endOpen(toolcall.Complete, toolcall.ReasonNone, p.take(in, i))
	}
	p.swallowTo(in, i)
	if e.channels != nil {
		p.expectHeader()
	}
	return i
}

// byteOrderMark begins the text of some files, although no model writes it. It is not text.
const byteOrderMark = "\ufeff"

// inBOM is the stage in such a mark.
type inBOM struct {
	candidate
	next stage // after the mark
}

// beginBOM begins the stream with what may be a mark.
func (p *Parser) beginBOM() {
	p.bom.next, p.stage = p.stage, &p.bom
	p.look(0, closerBytes)
}

func (b *inBOM) read(p *Parser, in string, i int) int {
	for ; i < len(in) && p.at(i) < int64(len(byteOrderMark)); i++ {
		if in[i] != byteOrderMark[p.at(i)] {
			return b.fails(p, in, i)
		}
	}
	if p.at(i) == int64(len(byteOrderMark)) {
		p.stage, p.deadline = b.next, 0
		p.swallowTo(in, i)
	}
	return i
}

func (b *inBOM) end(p *Parser) bool {
	b.fails(p, "", 0)
	return true
}

// fails reads the beginning of the stream again, because it is no such mark.
func (b *inBOM) fails(p *Parser, in string, i int) int {
	p.stage = b.next
	return p.rewind(in, i, 0)
}

// swallowTo makes the pending bytes before in[i] noise, which belongs to the next segment.
// If there is too much of it, it becomes a segment of text without content.
func (p *Parser) swallowTo(in string, i int) {
	p.noiseEnd = p.at(i)
	if p.noiseEnd-p.base() > int64(p.opts.Limits.BlankBytes) {
		p.startOpen(toolcall.SegmentText, p.takeTo(in, p.noiseEnd))
		p.endOpen(toolcall.Complete, toolcall.ReasonNone, "")
	}
}

// skipBetween skips what may occur between two calls.
func (p *Parser) skipBetween(in string, i int) int {
	separators := ""
	if p.callReader != nil {
		separators = p.envelope.separators
		if f := p.frame.form; f != nil && separators == "" {
			separators = f.Frame.Separators
		}
	}
	for i < len(in) && (lex.IsBlank(in[i]) || strings.IndexByte(separators, in[i]) >= 0) {
		i++
	}
	return i
}

// atStart reports whether the candidate begins the message or its reasoning.
func (p *Parser) atStart(in string) bool {
	return p.fresh && (p.reasoning == nil || p.open.kind == "") && p.pendingBlank(in, p.cand)
}

// inPlace reports whether a marker is at a place where it counts.
func (p *Parser) inPlace(e *entry, in string) bool {
	switch e.at {
	case dialect.AtLine:
		return p.between || p.code.line == lineBlank || p.atStart(in)
	case dialect.AtStart:
		return p.between || p.atStart(in)
	}
	return true
}
