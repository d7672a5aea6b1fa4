package parser

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/toolcall"
)

// header reads a head that is a JSON object of its own, as in
// [[SEG_START {"type":"tool","tool_name":"N"}]].
type header struct {
	dialect *Dialect
	object  jsonstream.Scanner
	out     jsonstream.Out
	end     literal
}

// beginHeader begins the header after a call's opener.
func (p *Parser) beginHeader(d *Dialect) {
	p.readsCalls()
	p.head = header{dialect: d, end: literal{text: d.Head.End}}
	p.head.object.MaxDepth = p.opts.Limits.Depth
	p.state = stateHeader
}

// header reads the header up to the marker that ends it.
func (p *Parser) header(in string, i int) int {
	h := &p.head
	h.object.Out, h.object.Quiet = &h.out, true
	for !h.object.Done() {
		if !h.object.Started() {
			if i = skipBlanks(in, i); i < len(in) && in[i] != '{' {
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
	if h.end.n == 0 {
		if i = skipBlanks(in, i); i == len(in) {
			return i
		}
	}
	next, done, ok := h.end.match(in, i)
	switch {
	case !ok:
		return p.reject(in, next)
	case done:
		return p.headerOpens(in, next)
	}
	return next
}

// headerOpens is at the end of a header. If it names no segment type, all of
// it is text.
func (p *Parser) headerOpens(in string, i int) int {
	d := p.head.dialect
	members := decodeMembers(p.head.out.Take())
	kind := takeMember(&members, d.Head.Type)
	if kind == nil {
		return p.reject(in, i)
	}
	p.body.reset(d)
	switch segment := kind.text(); segment {
	case string(toolcall.SegmentText), string(toolcall.SegmentReasoning):
		return p.headerSegment(in, i, toolcall.SegmentType(segment), members)
	case "tool", string(toolcall.SegmentToolCall):
		return p.headerTool(in, i, members)
	default:
		if f := d.segmentTool(segment); f != nil {
			return p.headerFile(in, i, f, members)
		}
	}
	return p.reject(in, i)
}

// headerSegment begins a segment of text or reasoning in a frame.
func (p *Parser) headerSegment(in string, i int, kind toolcall.SegmentType, members []headerMember) int {
	c := &call{segment: kind}
	for _, m := range members {
		c.setMeta(m.name, m.value)
	}
	p.beginHeaderCall(c, in, i)
	p.startText(in)
	p.beginRaw(p.head.dialect.Frame.Call.Close, false)
	return i
}

// headerFile begins a segment of a file tool.
func (p *Parser) headerFile(in string, i int, f *fileTool, members []headerMember) int {
	given := func(m headerMember) bool { return m.name == f.Needs && m.value != "null" && m.text() != "" }
	switch {
	case f.Needs != "" && !slices.ContainsFunc(members, given):
		return p.reject(in, i)
	case !p.tools.fits(f):
		p.why = ruleContent
		return p.reject(in, i)
	}
	c := p.newCall(f.tool())
	c.asFile(f)
	content := takeMember(&members, f.Content)
	for _, m := range members {
		c.setArgument(m.name, m.text())
	}
	p.beginHeaderCall(c, in, i)
	if p.tooMany(in, i) {
		return i
	}
	p.startText(in)
	closer := p.head.dialect.Frame.Call.Close
	if content != nil {
		c.out.Add(content.text())
		p.passOver(closer, false)
		p.body.done = true
		return i
	}
	p.beginRaw(closer, false)
	return i
}

// headerTool begins the call of a tool. Arguments in the header win over a
// body of JSON; with neither there are none.
func (p *Parser) headerTool(in string, i int, members []headerMember) int {
	d := p.head.dialect
	var name string
	for _, key := range d.Head.Name {
		if m := takeMember(&members, key); m != nil && name == "" {
			name = m.text()
		}
	}
	if name == "" || !p.mayCall(d, name, false) {
		return p.reject(in, i)
	}
	c := p.newCall(name)
	var args *headerMember
	for _, key := range d.Args.Keys {
		if m := takeMember(&members, key); m != nil && args == nil {
			args = m
		}
	}
	c.given = p.headerArguments(c, members, args == nil)
	p.beginHeaderCall(c, in, i)
	if p.tooMany(in, i) {
		return i
	}
	if args == nil {
		if c.ready() {
			p.startText(in)
		}
		p.beginRaw(d.Frame.Call.Close, false)
		p.body.phase = bodyJSON
		return i
	}
	a := newJSONArgs(c, p.opts.Limits)
	if result, _ := a.read(args.value, 0); result != argsDone {
		c.status, c.reason = a.reason()
	}
	p.passOver(d.Frame.Call.Close, false)
	p.body.done = true
	return i
}

// addGiven puts the arguments that the header gave before those of the body,
// whose object is in the call's output, or is not there.
func (c *call) addGiven() {
	members := trimBlanks(c.out.Take())
	members = trimBlanks(strings.TrimSuffix(strings.TrimPrefix(members, "{"), "}"))
	c.out.Add("{" + c.given)
	if members != "" && c.given != "" {
		c.out.AddByte(',')
	}
	c.out.Add(members)
	c.out.AddByte('}')
	c.given = ""
}

// beginHeaderCall begins a call whose header ends before in[i].
func (p *Parser) beginHeaderCall(c *call, in string, i int) {
	c.tolerances |= p.head.object.Tolerances
	p.beginCall(c, in, p.head.dialect)
	c.body = p.at(i)
}

// headerArguments gives a call the other members of its header: as metadata,
// or, as far as the tool has such parameters, as arguments, which it returns as
// members of an object.
func (p *Parser) headerArguments(c *call, members []headerMember, arguments bool) string {
	var given []byte
	for _, m := range members {
		switch {
		case arguments && c.schema.Declares(m.name):
			c.may.needs = c.may.needs || c.may.tool != nil && m.name == c.may.tool.Needs
			if given != nil {
				given = append(given, ',')
			}
			given = append(append(given, quote(m.name)+":"...), m.value...)
		default:
			c.setMeta(m.name, m.value)
		}
	}
	return string(given)
}
