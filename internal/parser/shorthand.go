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

// shorthandOpens handles the end of a tag that is named after its tool.
func (p *Parser) shorthandOpens(in string, i int) int {
	form := p.frame.form
	f, d := form.file, form.whole
	switch {
	case !p.tools.knows(f.Tag):
		p.rejectRule = ruleUndeclared
		return p.reject(in, i)
	case !p.tools.fits(f):
		p.rejectRule = ruleContent
		return p.reject(in, i)
	case !p.mayCall(d, f.Tag, false):
		return p.reject(in, i)
	}
	if f.Needs != "" {
		if v, ok := p.tag.Attr(f.Needs); !ok || v == "" {
			return p.reject(in, i)
		}
	}
	p.frame.body = p.at(i)
	if p.tag.SelfClose {
		return p.emptyShorthand(in, i)
	}
	for k := range p.tag.Len() {
		if name := f.parameter(p.tag.Name(k)); name == f.Content || name != f.Needs && !slices.Contains(f.Attrs, name) {
			return p.headEnds(in, i) // without a body it is an ordinary call
		}
	}
	return p.beginShorthand(in, i)
}

// beginShorthand begins the call of such a tag, whose content follows, and rewinds to the
// end of the tag.
func (p *Parser) beginShorthand(in string, i int) int {
	f := p.frame.form.file
	c := p.newShorthandCall()
	c.asFile(f)
	for k := range p.tag.Len() {
		c.setArgument(f.parameter(p.tag.Name(k)), p.tag.Value(k))
	}
	p.beginFramed(c, in)
	c.body = p.frame.body
	if p.tooMany(in, i) {
		return i
	}
	p.startText(in)
	p.beginMachine(&raw.Content)
	return p.rewind(in, i, c.body)
}

func (p *Parser) newShorthandCall() *call {
	c := p.newCall(p.frame.form.file.Tag)
	if p.tag.Unquoted {
		c.tolerances |= toolcall.UnquotedAttribute
	}
	return c
}

// emptyShorthand handles such a tag that is self-closing, or that has other attributes and
// no content: an ordinary call of the tool.
func (p *Parser) emptyShorthand(in string, i int) int {
	c := p.newShorthandCall()
	c.may.tool = nil
	if c.schema == nil {
		c.schema = p.frame.form.file.schema
	}
	w := syntax.Writer{}
	w.Begin(c)
	for k := range p.tag.Len() {
		name := p.frame.form.file.parameter(p.tag.Name(k))
		w.Open(name)
		value, used := w.Schema().Property(name).Convert(p.tag.Value(k))
		c.tolerances |= used
		w.Write(value)
		w.Close()
	}
	w.End()
	p.beginFramed(c, in)
	c.body = p.frame.body
	if !p.tooMany(in, i) {
		p.endCall(in, p.at(i), toolcall.Complete, toolcall.ReasonNone)
	}
	return i
}
