package parser

import "github.com/toolparse/toolparse/toolcall"

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
	for p.stage.end(p) {
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
