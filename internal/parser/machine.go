package parser

import (
	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// reading is the machine in use, and those that the parser keeps for later calls.
type reading struct {
	machine  syntax.Machine   // reads the arguments of the framed call
	ahead    syntax.Lookahead // machine, if it can read ahead; otherwise nil
	reads    *syntax.Syntax   // the syntax of machine
	machines map[*syntax.Syntax]syntax.Machine
}

// machineFor selects the machine for a syntax.
func (p *Parser) machineFor(s *syntax.Syntax) syntax.Machine {
	if p.reads == s {
		return p.machine
	}
	m := p.machines[s]
	if m == nil {
		if p.machines == nil {
			p.machines = map[*syntax.Syntax]syntax.Machine{}
		}
		limits := p.opts.Limits
		m = s.New(syntax.Limits{Blanks: limits.BlankBytes, Held: limits.HeldBytes, Look: p.closerLimit(), Depth: limits.Depth})
		p.machines[s] = m
	}
	p.machine, p.reads = m, s
	p.ahead, _ = m.(syntax.Lookahead)
	return m
}

// beginMachine makes the machine of a syntax read the rest of the open call.
func (p *Parser) beginMachine(s *syntax.Syntax) {
	p.stage = inArgs{}
	p.machineFor(s).Begin((*host)(p), p.call, p.frame.form.args)
}

// inArgs is the stage in arguments that a machine reads.
type inArgs struct{ opaque }

// read lets the machine read as long as in needs no other limit: the arguments of a call go
// on, and no look must be decided in it. Arguments take many short steps.
func (inArgs) read(p *Parser, in string, i int) int {
	for calls, looks := p.calls, p.looking(); ; {
		i = p.machine.Read((*host)(p), in, i)
		if i == len(in) || p.stage != stage(inArgs{}) || p.calls != calls || looks || p.deadline != 0 && p.deadline < p.at(len(in)) {
			return i
		}
	}
}

func (inArgs) expire(p *Parser, in string, i int) int { return p.machine.Expire((*host)(p), in, i) }

func (inArgs) end(p *Parser) bool {
	complete := p.machine.Finish((*host)(p))
	switch {
	case p.call == nil:
		return true
	case p.stage != stage(inArgs{}): // the bytes that were looked at ended the arguments
		return p.stage.end(p)
	case complete && p.truncated: // what seems to be its end may have gone on
		p.endCall("", p.at(0), toolcall.Incomplete, toolcall.ReasonTruncated)
		return true
	case complete && p.frame.form.closer == "":
		p.endCall("", p.at(0), toolcall.Complete, toolcall.ReasonNone)
		return true
	}
	return p.endCutOff(complete)
}

func (inArgs) passes(p *Parser) (syntax.PassAs, *syntax.Stops) { return p.machine.PassThrough() }

// host implements syntax.Host for machines.
type host Parser

var _ syntax.Host = (*host)(nil)

func (h *host) parser() *Parser { return (*Parser)(h) }

func (h *host) At(i int) int64          { return h.parser().at(i) }
func (h *host) Look(i int)              { h.parser().lookCloser(i) }
func (h *host) LookFrom(at int64)       { h.parser().lookCloser(int(at - h.off)) }
func (h *host) LookWithin(i, n int)     { h.parser().look(i, n) }
func (h *host) Looking() bool           { return h.deadline != 0 }
func (h *host) From() int64             { return h.cand }
func (h *host) Decide()                 { h.deadline = 0 }
func (h *host) IsHeld(at int64) bool    { return h.parser().isHeld(at) }
func (h *host) End(to int64)            { h.parser().argumentsEnd(to) }
func (h *host) IsTool(name string) bool { return h.tools.declares(name) }
func (h *host) JSON()                   { h.parser().beginJSON() }

func (h *host) Until(i, n int) { h.deadline = min(h.deadline, h.parser().at(i)+int64(n)) }

func (h *host) ContentEnds(at int64) { h.call.end = max(h.call.body, at) }

func (h *host) Close(in string, i int, at int64, status toolcall.Status, reason toolcall.Reason) int {
	p := h.parser()
	if p.endCall(in, at, status, reason); at == p.at(i) {
		return i
	}
	return p.rewind(in, i, at)
}

func (h *host) Done(in string, i int) int { return h.parser().argumentsDone(in, i) }

func (h *host) Rewind(in string, i int, to int64) int { return h.parser().rewind(in, i, to) }

func (h *host) Pending(in string, i int, from int64) string {
	return h.parser().pendingFrom(in, i, from)
}

func (h *host) Fail(in string, i int, status toolcall.Status, reason toolcall.Reason) int {
	return h.parser().argumentsFail(in, i, status, reason)
}

var _ syntax.Call = (*call)(nil)

// Schema and the following methods implement syntax.Call, with those in filetool.go and SetMeta.
func (c *call) Schema() *schema.Schema         { return c.schema }
func (c *call) Out() *jsonstream.Out           { return &c.out }
func (c *call) Tolerate(t toolcall.Tolerances) { c.tolerances |= t }
func (c *call) IsFile() bool                   { return c.file != nil }
func (c *call) EndArgument(name string)        { c.hasArgument(name) }

func (c *call) Break(status toolcall.Status, reason toolcall.Reason) {
	c.status, c.reason = status, reason
}

// BeginText decides whether the call is that of the file tool with the content name.
func (c *call) BeginText(name string) bool {
	return c.may.tool != nil && name == c.may.tool.Content && c.textBegins()
}
