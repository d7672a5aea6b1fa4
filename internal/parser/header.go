package parser

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax/raw"
	"github.com/toolparse/toolparse/toolcall"
)

// header reads a head that is a JSON object of its own, as in [[SEG_START
// {"type":"tool","tool_name":"N"}]].
type header struct {
	object  jsonstream.Scanner
	out     jsonstream.Out
	members memberReader
	end     lex.Literal
	bare    *headerCall // the header may be the whole call: an empty body decides
}

// headerCall is a header that names a file tool but has members that are not parameters of
// that tool. With an empty body it is an ordinary call with these arguments; otherwise the
// body is the content of the file tool's segment.
type headerCall struct {
	tool    *fileTool
	members []headerMember
	close   int64 // stream offset of the closer
	closer  lex.Literal
}

// reset restores the initial state and keeps the memory.
func (h *header) reset() {
	h.object.Reset()
	h.out.Reset()
	h.end, h.bare = lex.Literal{}, nil
}

// beginHeader begins the header after a call's opener.
func (p *Parser) beginHeader() {
	h := &p.head
	h.reset()
	h.end.Text = p.frame.form.Head.End
	h.object.MaxDepth, h.object.Out, h.object.Quiet, h.object.Silent = p.opts.Limits.Depth, &h.out, true, true
	p.frame.phase = frameHeader
}

// header reads the header up to its end marker.
func (p *Parser) header(in string, i int) int {
	h := &p.head
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
	if h.end.N == 0 {
		if i = lex.SkipBlanks(in, i); i == len(in) {
			return i
		}
	}
	next, done, ok := h.end.Match(in, i)
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
	d := p.frame.form.compiledDialect
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
		f := fileTools[segment]
		if f == nil {
			break
		}
		isContent := func(m headerMember) bool { return m.name == f.Content }
		foreign := func(m headerMember) bool { return m.name != f.Needs && !slices.Contains(f.Attrs, m.name) }
		if slices.ContainsFunc(members, isContent) || !slices.ContainsFunc(members, foreign) {
			return p.headerFile(in, i, f, members)
		}
		p.head.bare = &headerCall{tool: f, members: members, closer: lex.Literal{Text: d.Frame.Call.Close}}
		p.frame.phase = frameAlone
		p.deadline = min(p.deadline, p.at(i)+p.maxTag())
		return i
	}
	return p.reject(in, i)
}

// headerAlone reads the blanks and the closer after a header that may be the whole call.
func (p *Parser) headerAlone(in string, i int) int {
	b := p.head.bare
	if b.closer.N == 0 {
		if i = lex.SkipBlanks(in, i); i == len(in) {
			return i
		}
		b.close = p.at(i)
	}
	next, done, ok := b.closer.Match(in, i)
	switch {
	case !ok || done && !p.mayCall(p.frame.form.compiledDialect, b.tool.Tag, false):
		return p.headHasBody(in, next)
	case !done:
		return next
	}
	c := p.newCall(b.tool.Tag)
	c.may.tool = nil
	c.headerArgs = memberList(b.members)
	c.addHeaderArgs()
	p.beginHeaderCall(c, in)
	c.end = b.close
	if !p.tooMany(in, next) {
		p.endCall(in, p.at(next), toolcall.Complete, toolcall.ReasonNone)
	}
	return next
}

// headHasBody rewinds to the end of a header or tag that might have been the whole call,
// but is not. If it cannot begin any other call, it is text.
func (p *Parser) headHasBody(in string, i int) int {
	switch f, b := &p.frame, p.head.bare; {
	case f.phase == frameAhead && f.form.file != nil:
		return p.beginShorthand(in, i)
	case f.phase == frameAlone:
		return p.headerFile(in, i, b.tool, b.members)
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
	p.beginHeaderCall(c, in)
	p.startText(in)
	p.beginMachine(&raw.Content)
	return i
}

// headerFile begins a file tool's segment, and rewinds to the end of its header.
func (p *Parser) headerFile(in string, i int, f *fileTool, members []headerMember) int {
	isGiven := func(m headerMember) bool { return m.name == f.Needs && m.value != "null" && m.text() != "" }
	switch {
	case f.Needs != "" && !slices.ContainsFunc(members, isGiven):
		return p.reject(in, i)
	case !p.tools.fits(f):
		p.rejectRule = ruleContent
		return p.reject(in, i)
	}
	c := p.newCall(f.Tag)
	c.asFile(f)
	content, ok := takeMember(&members, f.Content)
	for _, m := range members {
		if c.schema.Declares(m.name) {
			c.setArgument(m.name, m.text())
		} else {
			c.SetMeta(m.name, m.value)
		}
	}
	p.beginHeaderCall(c, in)
	if p.tooMany(in, i) {
		return i
	}
	p.startText(in)
	if ok {
		c.out.Add(content.text())
		p.beginMachine(&raw.Rest)
		return i
	}
	p.beginMachine(&raw.Content)
	return p.rewind(in, i, c.body)
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
	p.beginHeaderCall(c, in)
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
	if progress, _ := a.read(args.value, 0); progress != jsonstream.Finished {
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

// beginHeaderCall begins the call of the header.
func (p *Parser) beginHeaderCall(c *call, in string) {
	c.tolerances |= p.head.object.Tolerances
	p.beginFramed(c, in)
	c.body = p.frame.body
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
