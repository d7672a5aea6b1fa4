package parser

import (
	"github.com/toolparse/toolparse/internal/callmeta"
	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// call is one call from its start to its end, whatever its syntax or wire. Machines write
// its arguments to out; for a file tool, out receives the content, and meta the other
// parameters.
//
// The start event needs the segment type, which is unknown while the call may be a file
// tool's (may.tool is not nil). Until then started is false and all bytes stay pending;
// ready reports that the start can be sent.
type call struct {
	callState
	// The memory that a call keeps for the next one.
	seen     syntax.Names
	meta     metadata // metadata of the start event or, once that was sent, of the end event
	lateMeta metadata // metadata that came between frozen and started
	out      jsonstream.Out
}

// callState is a call without its memory.
type callState struct {
	id      string
	callID  string // the provider's call id
	name    string
	segment toolcall.SegmentType
	dialect string          // the dialect's name
	origin  callmeta.Origin // of a call of dialect whose content is its arguments
	schema  *schema.Schema
	file    *fileTool // nil: the content is the arguments as JSON
	may     undecided
	unknown bool

	begin      int64     // stream offset of its first byte
	body       int64     // stream offset after its opener
	end        int64     // stream offset after its content; 0: unknown
	line       lineStart // what precedes the next byte in its line, as far as events were sent
	started    bool      // the start event has been sent
	framed     bool      // framing reads it
	some       bool      // its arguments, read as JSON, are not empty
	cut        bool      // the string around its arguments ended before their closing brackets
	frozen     bool      // the metadata of the start are final, although it may be sent later
	headerArgs string    // arguments in a header, as JSON members that precede those of the body

	status     toolcall.Status // the final status, if it was decided before the end; otherwise 0
	reason     toolcall.Reason
	tolerances toolcall.Tolerances
}

// newCall returns a call of the tool name. It may turn out to be a file tool's.
func (p *Parser) newCall(name string) *call {
	c := p.spare
	if p.spare = nil; c == nil {
		c = &call{}
	}
	c.reset()
	s, declared := p.tool(name)
	c.name, c.segment, c.schema, c.unknown = name, toolcall.SegmentToolCall, s, !declared && p.tools != nil
	if c.may.tool = fileToolOf(name, s); c.may.tool != nil && c.schema == nil {
		c.schema = c.may.tool.schema
	}
	return c
}

// reset restores the initial state and keeps the memory.
func (c *call) reset() {
	c.callState = callState{}
	c.out.Reset()
	c.seen.Reset()
	c.meta.reset()
	c.lateMeta.reset()
}

// asFile makes the call that of a tool with its own segment type.
func (c *call) asFile(f *fileTool) {
	c.file, c.may.tool, c.segment, c.name = f, nil, toolcall.SegmentType(f.Tag), f.Name()
	if c.schema == nil {
		c.schema = f.schema
	}
}

// SetMeta adds a member, whose value is JSON, to the metadata. For a file tool it is an
// argument. The first member of a name counts.
func (c *call) SetMeta(name, value string) {
	if !c.seen.Add(name) {
		c.tolerances |= toolcall.DuplicateArgument
		return
	}
	c.metaNow().add(name, value, c.file != nil && callmeta.IsReserved(name))
}

// metaNow returns the metadata that new members belong to: those of the start event or,
// once these are final, those of the end event.
func (c *call) metaNow() *metadata {
	if c.frozen && !c.started {
		return &c.lateMeta
	}
	return &c.meta
}

// settleMeta makes the metadata of the start event final as soon as the kind of the call is
// known, so that they do not depend on when the event is sent.
func (c *call) settleMeta() {
	if !c.frozen {
		c.addStanding()
		c.frozen = true
	}
}

// addStanding adds the metadata that are not parameters.
func (c *call) addStanding() {
	if c.callID != "" {
		c.metaNow().add("call_id", quote(c.callID), false)
	}
	if c.unknown {
		c.metaNow().add("unknown_tool", "true", false)
	}
}

// setArgument adds a parameter from an attribute or a header. It is for file tools, whose
// parameters other than the content are metadata.
func (c *call) setArgument(name, text string) {
	value, used := c.schema.Property(name).Convert(text)
	c.tolerances |= used
	c.SetMeta(name, value)
}

// ready reports whether the start event can be sent, because the kind of the call is known.
func (c *call) ready() bool { return c.may.tool == nil }

// start sends the call's start event.
func (p *Parser) start(c *call, raw string) {
	c.started = true
	if c.id == "" {
		c.id = p.ids.next()
	}
	if !c.frozen {
		c.addStanding()
	}
	e := p.event(toolcall.SegmentStart, c.segment, c.id)
	e.Name, e.Payload, e.Raw = c.name, c.meta.take(), raw
	e.Origin = p.originOf(c)
	c.line = lineAfter(raw, lineText)
	if c.frozen {
		c.meta.join(&c.lateMeta)
	}
}

// originOf returns the origin of a call. That of a file tool's call is usually the same as
// that of the one before.
func (p *Parser) originOf(c *call) callmeta.Origin {
	if c.file == nil {
		return c.origin
	}
	o := &p.origin
	if o.origin == (callmeta.Origin{}) || o.dialect != c.dialect || o.content != c.file.Content {
		*o = lastOrigin{c.dialect, c.file.Content, callmeta.NewOrigin(c.dialect, c.file.Content)}
	}
	return o.origin
}

// lastOrigin is the origin of the last call of a file tool, which depends on its dialect and
// content parameter.
type lastOrigin struct {
	dialect, content string
	origin           callmeta.Origin
}

// nativeOrigin is the origin of native calls.
var nativeOrigin = callmeta.NewOrigin(callmeta.NativeDialect, "")

// flush sends the content so far.
func (p *Parser) flush(c *call, raw string) {
	memory := p.memory
	if p.compiled.lends {
		memory = &p.lent
	}
	delta := c.out.TakeIn(memory)
	if delta == "" && raw == "" {
		return
	}
	e := p.event(toolcall.SegmentContent, c.segment, c.id)
	e.Payload, e.Raw = delta, raw
	c.line = lineAfter(raw, c.line)
}

// finishCall sends the rest of a call's content, with the raw bytes content, and its end
// event, with the raw bytes raw.
func (p *Parser) finishCall(c *call, status toolcall.Status, reason toolcall.Reason, content, raw string) {
	if status == toolcall.Complete && c.status != 0 {
		status, reason = c.status, c.reason
	}
	if status == toolcall.Complete && p.opts.Strict && c.tolerances != 0 {
		status, reason = toolcall.Malformed, toolcall.ReasonToleranceForbidden
	}
	p.flush(c, content)
	if c.callID != "" {
		c.meta.add("call_id", quote(c.callID), false)
	}
	e := p.event(toolcall.SegmentEnd, c.segment, c.id)
	e.Status, e.Reason, e.Tolerances = status, reason, c.tolerances
	e.Payload, e.Raw = c.meta.take(), raw
}

// beginCall makes c, a call in the form by of d, the open call. Pending bytes before the
// candidate are text, unless they only separate two calls.
func (p *Parser) beginCall(c *call, in string, d *compiledDialect, by *form) {
	if d.whole != nil {
		d = d.whole
	}
	switch {
	case p.reasoning != nil:
		p.flushReasoning(in, p.cand)
		if d.CallsEndReasoning && p.wire == "" {
			p.strays, p.reasoning = p.reasoning.strays, nil
		}
	case !p.between:
		p.flushText(in, p.cand)
	}
	p.endOpen(toolcall.Complete, toolcall.ReasonNone, "")
	p.settleDialect(d, by)
	p.alternative = nil
	p.between, p.fresh = false, false
	p.deadline = 0
	c.begin, c.dialect, c.origin = p.base(), d.Name, d.origin
	p.call = c
	p.calls++
	if p.callReader != nil {
		p.list.on = false
	}
}

// tooMany ends the open call if it exceeds the limit on calls.
func (p *Parser) tooMany(in string, i int) bool {
	if p.calls <= p.opts.Limits.Calls {
		return false
	}
	p.endCall(in, p.at(i), toolcall.Rejected, toolcall.ReasonTooManyCalls)
	return true
}

// startText sends the start event of the open call. Its raw is the opener, whenever it is
// sent.
func (p *Parser) startText(in string) {
	p.start(p.call, p.takeTo(in, p.call.body))
}

// endCall ends the open call at the stream offset to, and returns to text.
func (p *Parser) endCall(in string, to int64, status toolcall.Status, reason toolcall.Reason) {
	c := p.call
	if !c.started {
		c.settle(status == toolcall.Complete && c.status == 0)
		c.body = min(c.body, to)
		p.startText(in)
	}
	end := min(c.end, to)
	if end == 0 {
		if end = to; p.looking() {
			end = min(to, p.cand)
		}
	}
	isHeld := p.isHeld(to)
	content := p.takeTo(in, max(end, p.base()))
	raw := p.takeTo(in, to)
	if isHeld { // what follows is read again
		p.line = lineAfter(content+raw, c.line)
	}
	p.finishCall(c, status, reason, content, raw)
	p.spare = c
	if p.wireReads && p.reasoning == nil { // the call ended the reasoning, but not the wire's reasoning field
		p.reasoning = p.insideOf(inside{wire: true})
	}
	p.call, p.stage, p.between = nil, inText{}, p.reasoning == nil
	switch {
	case p.reasoning != nil: // calls count there
		p.stage = inReasoning{}
	case len(p.strays) > 0: // the call ended reasoning, whose closer may still follow
		p.stage = inStray{}
	}
	p.deadline = 0
}

// maxSilent is how many raw bytes may wait for a payload to accompany.
const maxSilent = 32

// flushCall sends what is ready of the open call, with the raw bytes before the stream
// offset sure.
func (p *Parser) flushCall(in string, sure int64) {
	c := p.call
	if !c.started {
		if !c.ready() {
			c.out.Spill()
			return
		}
		p.startText(in)
	}
	if c.end != 0 {
		sure = min(sure, c.end)
	}
	if c.headerArgs != "" {
		return // the arguments are sent together, at the end of the body
	}
	silent := int64(maxSilent)
	if p.stage == stage(callEnd{}) { // the call's last bytes wait for nothing
		silent = 0
	}
	if c.out.Len() > 0 || sure-p.base() > silent {
		p.flush(c, p.takeTo(in, sure))
	}
}

// quote returns s as a JSON string.
func quote(s string) string { return string(jsonvalue.AppendQuoted(nil, s)) }
