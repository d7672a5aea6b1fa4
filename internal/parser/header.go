package parser

import (
	"strings"

	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax/raw"
	"github.com/toolparse/toolparse/toolcall"
)

// header is the stage in a head that is a JSON object of its own, as in [[SEG_START
// {"type":"tool","tool_name":"N"}]].
type header struct {
	inHead
	object  jsonstream.Scanner
	out     jsonstream.Out
	members memberReader
	marker  lex.Literal
}

// reset restores the initial state and keeps the memory.
func (h *header) reset() {
	h.object.Reset()
	h.out.Reset()
	h.marker = lex.Literal{}
}

// beginHeader begins the header after a call's opener.
func (p *Parser) beginHeader() {
	h := &p.head
	h.reset()
	h.marker.Text = p.frame.form.Head.End
	h.object.MaxDepth, h.object.Out, h.object.Quiet, h.object.Silent = p.opts.Limits.Depth, &h.out, true, true
	p.stage = h
}

func (h *header) note(p *Parser, n *toolcall.Note) bool { return p.noteHead(n, ruleHeader) }

// read reads the header up to its end marker.
func (h *header) read(p *Parser, in string, i int) int {
	for !h.object.Done() {
		if !h.object.Started() {
			if i = lex.SkipBlanks(in, i); i < len(in) && in[i] != '{' {
				return p.reject(in, i)
			}
		}
		kind, j := h.object.Next(in, i)
		i = j
		switch kind {
		case jsonstream.Invalid:
			return p.reject(in, i)
		case jsonstream.More:
			if !h.object.Done() {
				h.out.Spill()
				return i
			}
		}
	}
	if h.marker.N == 0 {
		if i = lex.SkipBlanks(in, i); i == len(in) {
			return i
		}
	}
	next, done, ok := h.marker.Match(in, i)
	switch {
	case !ok:
		return p.reject(in, next)
	case done:
		return p.headerOpens(in, next)
	}
	return next
}

// headerOpens handles the end of a header. If it names no segment type, it is text.
func (p *Parser) headerOpens(in string, i int) int {
	p.frame.body = p.at(i)
	members := p.head.members.read(p.head.out.Take())
	kind, ok := takeMember(&members, "type")
	if !ok {
		return p.reject(in, i)
	}
	switch segment := kind.text(); segment {
	case string(toolcall.SegmentText), string(toolcall.SegmentReasoning):
		return p.headerSegment(in, i, toolcall.SegmentType(segment), members)
	case "tool", string(toolcall.SegmentToolCall):
		return p.headerTool(in, i, members)
	default:
		if tool := p.frame.form.whole.fileTool(segment); tool != nil {
			h := &p.frame.file
			h.tool, h.members, h.inTag, h.used = tool, append(h.members[:0], members...), false, p.head.object.Tolerances
			return p.fileOpens(in, i)
		}
	}
	return p.reject(in, i)
}

// headerSegment begins a segment of text or reasoning in a frame.
func (p *Parser) headerSegment(in string, i int, kind toolcall.SegmentType, members []headerMember) int {
	c := &call{}
	c.segment = kind
	for _, m := range members {
		c.SetMeta(m.name, m.value)
	}
	p.beginHeaded(c, in, p.head.object.Tolerances)
	p.startText(in)
	p.beginMachine(&raw.Content)
	return i
}

// headerTool begins the call of a tool. Arguments in the header take precedence over a JSON
// body; without either there are none.
func (p *Parser) headerTool(in string, i int, members []headerMember) int {
	d := p.frame.form.compiledDialect
	var name string
	for _, key := range d.Head.Name {
		if m, ok := takeMember(&members, key); ok && name == "" {
			name = m.text()
		}
	}
	if !p.mayCall(d, name, false) {
		return p.reject(in, i)
	}
	c := p.newCall(name)
	var args headerMember // the first ones
	found := false
	for _, key := range d.Args.Keys {
		if m, ok := takeMember(&members, key); ok && !found {
			args, found = m, true
		}
	}
	c.headerArgs = p.headerArguments(c, members, !found)
	p.beginHeaded(c, in, p.head.object.Tolerances)
	if p.tooMany(in, i) {
		return i
	}
	if !found {
		if c.ready() {
			p.startText(in)
		}
		p.beginFramedArgs()
		return i
	}
	a := p.newJSONArgs(c)
	if progress, _ := a.readMore(args.value, 0); progress != jsonstream.Finished {
		c.status, c.reason = a.Fault()
	}
	p.beginMachine(&raw.Rest)
	return i
}

// addHeaderArgs inserts the arguments of the header before those of the body, whose object is in
// the call's output, if any.
func (c *call) addHeaderArgs() {
	members := lex.TrimBlanks(c.out.Take())
	members = lex.TrimBlanks(strings.TrimSuffix(strings.TrimPrefix(members, "{"), "}"))
	c.out.Add("{" + c.headerArgs)
	if members != "" && c.headerArgs != "" {
		c.out.AddByte(',')
	}
	c.out.Add(members)
	c.out.AddByte('}')
	c.headerArgs = ""
}

// notArguments skips a body that is not a JSON object. Without arguments in the header, the
// call is malformed.
func (p *Parser) notArguments() {
	if c := p.call; c.headerArgs == "" {
		c.status, c.reason = toolcall.Malformed, toolcall.ReasonNotAnObject
		p.beginMachine(&raw.Broken)
		return
	}
	p.call.addHeaderArgs()
	p.beginMachine(&raw.Rest)
}

// memberList returns members as JSON, without the braces of an object.
func memberList(members []headerMember) string {
	var list []byte
	for _, m := range members {
		if list != nil {
			list = append(list, ',')
		}
		list = append(append(jsonvalue.AppendQuoted(list, m.name), ':'), m.value...)
	}
	return string(list)
}

// headerArguments passes the other members of a header to the call: parameters of the tool
// as arguments, which it returns as JSON members, and the others as metadata.
func (p *Parser) headerArguments(c *call, members []headerMember, arguments bool) string {
	var attrs []headerMember
	for _, m := range members {
		if !arguments || !c.schema.Declares(m.name) {
			c.SetMeta(m.name, m.value)
			continue
		}
		c.may.needs = c.may.needs || c.may.tool != nil && m.name == c.may.tool.Needs
		attrs = append(attrs, m)
	}
	return memberList(attrs)
}
