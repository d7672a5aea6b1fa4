package parser

import (
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// A stage is the part of the stream that the parser is in. It reads its own part, and
// makes another stage follow by setting Parser.stage; nothing else knows which stages
// there are:
//
//	           marker               head               arguments
//	inText ----> inMarker ----> frame..., envelope ----> jsonArgs, inArgs ----> frameCloser... ----> inText
//	  ^             |                |
//	  +-------------+----------------+  reject: the candidate's first byte is text
//	  |
//	  +-- inReasoning, code, inFence, heading, ...: other contexts that text can enter
//
// A candidate is open in inMarker, and in the frame's stages and envelope until the tool's
// name is certain (openCall, callAt). From then on the call exists, and failures end it
// instead of rejecting it.
//
// A stage with memory is a field of the Parser; the others have the size zero. Stages embed
// opaque, candidate, inHead or inTail for what they have in common with others.
type stage interface {
	// read consumes in from offset i. It returns the offset up to which it has read, which
	// is len(in) unless the stage, or a limit on its bytes, has changed.
	read(p *Parser, in string, i int) int
	// expire decides the open look, whose deadline is in[i], and returns where to continue.
	expire(p *Parser, in string, i int) int
	// end decides, at the end of the stream, what has been read but is uncertain, and ends
	// the open call. It reports whether there was anything to decide.
	end(p *Parser) bool
	// passes says how the fast path may pass on the next chunk, and the bytes that prevent
	// that. The stops are nil if the stage must read it.
	passes(p *Parser) (syntax.PassAs, *syntax.Stops)
	// note completes a note about the candidate that the stage is rejecting. It returns
	// false if the candidate does not look like a call.
	note(p *Parser, n *toolcall.Note) bool
}

// opaque has the methods of a stage that the fast path cannot read, and whose text looks like
// no call.
type opaque struct{}

func (opaque) passes(*Parser) (syntax.PassAs, *syntax.Stops) { return 0, nil }

func (opaque) note(*Parser, *toolcall.Note) bool { return false }

// candidate has the methods of a stage of a candidate, which is rejected if it cannot go on.
type candidate struct{ opaque }

func (candidate) expire(p *Parser, in string, i int) int { return p.reject(in, i) }

func (candidate) end(p *Parser) bool {
	p.reject("", 0)
	return true
}

// endCutOff ends the open call at the end of the stream. If its arguments are complete, it
// is, and only markers are missing.
func (p *Parser) endCutOff(complete bool) bool {
	if !complete {
		p.endCall("", p.at(0), toolcall.Incomplete, toolcall.ReasonEndOfStream)
		return true
	}
	if p.call.status == 0 {
		p.call.tolerances |= toolcall.MissingCloser
	}
	p.endCall("", p.at(0), toolcall.Complete, toolcall.ReasonNone)
	return true
}
