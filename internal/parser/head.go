package parser

import (
	"slices"

	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/internal/syntax/raw"
	"github.com/toolparse/toolparse/toolcall"
)

// maxTag limits an opening tag and the blanks after it, in bytes. A longer tag is text.
func (p *Parser) maxTag() int64 { return int64(p.opts.Limits.BlankBytes + closerBytes) }

// takeAttributes handles the attributes beside the name. With declared, it passes those
// that the tool declares to the machine as arguments; otherwise it adds the others as
// metadata.
func (p *Parser) takeAttributes(declared bool) {
	for k := range p.tag.Len() {
		name := p.tag.Name(k)
		switch {
		case lex.EqualFold(name, p.frame.form.Head.Name[0]) || p.call.schema.Declares(string(name)) != declared:
		case declared:
			p.machine.(syntax.AttributeReader).AddAttribute(string(name), p.tag.Value(k))
		default:
			p.call.SetMeta(string(name), quote(p.tag.Value(k)))
		}
	}
}

// fileHead is the head of a call of a file tool: a tag that is named after the tool, or a header
// of its type. What follows is the content of the tool's segment. If nothing does, and there are
// members that are not the tool's own, the head is all of an ordinary call with these arguments.
type fileHead struct {
	tool    *fileTool
	members []headerMember
	inTag   bool // the members are attributes, whose values are text
	used    toolcall.Tolerances
}

// fileTag handles the end of a tag that is named after its tool.
func (p *Parser) fileTag(in string, i int) int {
	h := &p.frame.file
	h.tool, h.members, h.inTag, h.used = p.frame.form.file, h.members[:0], true, 0
	if p.tag.Unquoted {
		h.used = toolcall.UnquotedAttribute
	}
	for k := range p.tag.Len() {
		h.members = append(h.members, headerMember{h.tool.parameter(p.tag.Name(k)), p.tag.Value(k)})
	}
	switch {
	case !p.tools.knows(h.tool.Name()) && len(p.frame.form.whole.Shorthands) == 0: // who writes a dialect means its tags
		p.rejectRule = ruleUndeclared
		return p.reject(in, i)
	case !p.fileFits(), !p.mayCall(p.frame.form.whole, h.tool.Name(), false):
		return p.reject(in, i)
	}
	p.frame.body = p.at(i)
	if p.tag.SelfClose {
		return p.fileCall(in, i)
	}
	return p.fileOpens(in, i)
}

// fileFits reports whether the head has what the tool needs, and the declared tool can take the
// content.
func (p *Parser) fileFits() bool {
	h := &p.frame.file
	isGiven := func(m headerMember) bool {
		return m.name == h.tool.Needs && m.value != "" && (h.inTag || m.value != "null" && m.text() != "")
	}
	if h.tool.Needs != "" && !slices.ContainsFunc(h.members, isGiven) {
		return false
	}
	if !p.tools.fits(h.tool) {
		p.rejectRule = ruleContent
		return false
	}
	return true
}

// fileOpens runs after the head.
func (p *Parser) fileOpens(in string, i int) int {
	h := &p.frame.file
	isContent := func(m headerMember) bool { return m.name == h.tool.Content }
	isOther := func(m headerMember) bool { return m.name != h.tool.Needs && !slices.Contains(h.tool.Attrs, m.name) }
	if !slices.ContainsFunc(h.members, isOther) || !h.inTag && slices.ContainsFunc(h.members, isContent) {
		return p.fileBegins(in, i)
	}
	p.stage = frameFile{}
	p.deadline = min(p.deadline, p.at(i)+p.maxTag())
	p.machineFor(&raw.Content).(syntax.Lookahead).BeginLookahead(p.frame.form.args, nil, false)
	return i
}

// frameFile is the stage after the head of a file tool that may be all of the call. If it is
// not, its content follows.
type frameFile struct{ inHead }

func (frameFile) expire(p *Parser, in string, i int) int { return p.fileBegins(in, i) }

func (frameFile) end(p *Parser) bool {
	p.fileBegins("", 0)
	return true
}

func (frameFile) note(p *Parser, n *toolcall.Note) bool { return p.noteHead(n, ruleHeader) }

func (frameFile) read(p *Parser, in string, i int) int {
	verdict, i := p.machineFor(&raw.Content).(syntax.Lookahead).ReadLookahead(in, i)
	switch {
	case verdict == syntax.Unsure:
		return i
	case verdict == syntax.Differs && p.mayCall(p.frame.form.whole, p.frame.file.tool.Name(), false):
		return p.fileCall(in, i)
	}
	return p.fileBegins(in, i)
}

// fileBegins begins the file tool's segment, and rewinds to the end of the head.
func (p *Parser) fileBegins(in string, i int) int {
	if !p.fileFits() {
		return p.reject(in, i)
	}
	h := &p.frame.file
	c := p.newCall(h.tool.Name())
	c.asFile(h.tool)
	var content headerMember
	inHead := false
	if !h.inTag {
		content, inHead = takeMember(&h.members, h.tool.Content)
	}
	for _, m := range h.members {
		switch {
		case h.inTag:
			c.setArgument(m.name, m.value)
		case c.schema.Declares(m.name):
			c.setArgument(m.name, m.text())
		default:
			c.SetMeta(m.name, m.value)
		}
	}
	p.beginHeaded(c, in, h.used)
	if p.tooMany(in, i) {
		return i
	}
	p.startText(in)
	if inHead {
		c.out.Add(content.text())
		p.beginMachine(&raw.Rest)
		return i
	}
	p.beginMachine(&raw.Content)
	return p.rewind(in, i, c.body)
}

// fileCall makes the call that consists of its head only.
func (p *Parser) fileCall(in string, i int) int {
	h := &p.frame.file
	c := p.newCall(h.tool.Name())
	c.may.tool = nil
	w := syntax.Writer{}
	w.Begin(c)
	for _, m := range h.members {
		w.Open(m.name)
		if h.inTag {
			var used toolcall.Tolerances
			m.value, used = w.Schema().Property(m.name).Convert(m.value)
			c.tolerances |= used
		}
		w.Write(m.value)
		w.Close()
	}
	w.End()
	p.beginHeaded(c, in, h.used)
	if !h.inTag {
		c.end = p.at(i) - int64(len(p.frame.form.Frame.Call.Close))
	}
	if !p.tooMany(in, i) {
		p.endCall(in, p.at(i), toolcall.Complete, toolcall.ReasonNone)
	}
	return i
}

// beginHeaded begins a call after its head, in which tolerances were used.
func (p *Parser) beginHeaded(c *call, in string, used toolcall.Tolerances) {
	c.tolerances |= used
	p.beginFramed(c, in)
	c.body = p.frame.body
}
