package parser

import "github.com/toolparse/toolparse/toolcall"

// maxTag bounds an opening tag, in bytes: a longer one is text.
func (p *Parser) maxTag() int64 { return int64(p.opts.Limits.BlankBytes + closerBytes) }

// beginTag begins the opening tag of a call after its marker.
func (p *Parser) beginTag(e *entry) {
	p.readsCalls()
	p.tag.reset(e.dialect, e.shorthand)
	p.tag.head = e.shorthand == nil
	p.deadline = min(p.deadline, p.cand+p.maxTag())
	p.state = stateTag
}

// inTag reads the opening tag of a call.
func (p *Parser) inTag(in string, i int) int {
	verdict, i := p.tag.read(in, i)
	switch verdict {
	case tagBroken:
		return p.reject(in, i)
	case tagDone:
		if p.tag.shorthand != nil {
			return p.shorthandOpens(in, i)
		}
		return p.tagOpens(in, i)
	}
	return i
}

// tagOpens is at the end of the opening tag of a call. Unless it closes
// itself, what follows decides whether it is one.
func (p *Parser) tagOpens(in string, i int) int {
	name, ok := p.tag.attr(p.tag.dialect.Head.Name...)
	if !ok || name == "" || !p.mayCall(p.tag.dialect, name, false) {
		return p.reject(in, i)
	}
	p.body.reset(p.tag.dialect)
	p.body.name, p.body.opened = name, p.at(i)
	if p.tag.selfClose {
		p.openTagCall(in, i)
		if !p.tooMany(in, i) {
			p.beginArguments()
			return p.endArguments(in, i, true)
		}
		return i
	}
	p.state = stateOpener
	p.deadline = min(p.deadline, p.at(i)+p.maxTag())
	return i
}

// openTagCall begins the call whose opening tag has just been read.
func (p *Parser) openTagCall(in string, i int) {
	c := p.newCall(p.body.name)
	if p.tag.unquoted {
		c.tolerances |= toolcall.UnquotedAttribute
	}
	p.beginCall(c, in, p.tag.dialect)
	c.body = p.body.opened
	for _, a := range p.tag.attrs {
		if name := p.tag.name(a); !equalFold(name, p.tag.dialect.Head.Name[0]) {
			p.extraAttribute(c, attribute{string(name), p.tag.value(a)})
		}
	}
}

// extraAttribute is an attribute beside the name: an argument if the tool has
// such a parameter, else metadata.
func (p *Parser) extraAttribute(c *call, a attribute) {
	switch {
	case c.schema.Declares(a.name):
		p.body.extra = append(p.body.extra, a)
	default:
		c.setMeta(a.name, quote(a.value))
	}
}

// opener reads what follows the opening tag of a call, until it is sure that
// it can be its body.
func (p *Parser) opener(in string, i int) int {
	b := &p.body
	tok, j := b.look.read(in, i)
	switch tok {
	case tokenMore:
		return j
	case tokenOpen, tokenClose, tokenComment, tokenBrace:
		if p.canFollowOpener(tok) {
			return p.openerHolds(in, j)
		}
	}
	return p.reject(in, j)
}

// canFollowOpener reports whether the token after an opening tag makes it a call.
func (p *Parser) canFollowOpener(tok token) bool {
	b, d := &p.body, p.tag.dialect
	switch tok {
	case tokenOpen:
		if b.look.is(d.Args.Wrapper) || b.look.is(d.Args.Tag) {
			return true
		}
		if b.look.is(d.Frame.Call.Open[1:]) {
			return false
		}
		s := p.tools[b.name]
		return !s.Closed() || s.Declares(string(b.look.name))
	case tokenClose:
		return b.look.is(closerName(d.Frame.Call.Close))
	}
	return true
}

// openerHolds begins the call whose opener has become sure, and goes back to
// the end of its opening tag.
func (p *Parser) openerHolds(in string, i int) int {
	p.openTagCall(in, i)
	if p.calls > p.opts.Limits.Calls {
		p.endCall(in, p.body.opened, toolcall.Rejected, toolcall.ReasonTooManyCalls)
		return p.rewind(in, i, p.body.opened)
	}
	if p.call.ready() {
		p.startText(in)
	}
	p.beginArguments()
	return p.rewind(in, i, p.body.opened)
}

// shorthandOpens is at the end of a tag that is a tool of its own.
func (p *Parser) shorthandOpens(in string, i int) int {
	f, d := p.tag.shorthand, p.tag.dialect
	switch {
	case !p.tools.knows(f.tool()) && d.isRow(): // who writes a dialect of their own means its tags
		p.why = ruleUndeclared
		return p.reject(in, i)
	case !p.tools.fits(f):
		p.why = ruleContent
		return p.reject(in, i)
	case !p.mayCall(d, f.tool(), false):
		return p.reject(in, i)
	}
	if f.Needs != "" {
		if v, ok := p.tag.attr(f.Needs); !ok || v == "" {
			return p.reject(in, i)
		}
	}
	c := p.newCall(f.tool())
	if p.tag.unquoted {
		c.tolerances |= toolcall.UnquotedAttribute
	}
	if p.tag.selfClose {
		return p.emptyShorthand(c, in, i)
	}
	c.asFile(f)
	for _, a := range p.tag.attrs {
		c.setArgument(f.parameter(p.tag.name(a)), p.tag.value(a))
	}
	p.beginCall(c, in, d)
	c.body = p.at(i)
	if p.tooMany(in, i) {
		return i
	}
	p.body.reset(d)
	p.startText(in)
	p.beginRaw("</"+f.Tag, true)
	return i
}

// emptyShorthand is such a tag that closes itself: a call without the content,
// like any other of the tool.
func (p *Parser) emptyShorthand(c *call, in string, i int) int {
	c.may.tool = nil
	if c.schema == nil {
		c.schema = p.tag.shorthand.schema
	}
	w := argWriter{}
	w.begin(c)
	for _, a := range p.tag.attrs {
		name := p.tag.shorthand.parameter(p.tag.name(a))
		value, used := w.open(name).Convert(p.tag.value(a))
		c.tolerances |= used
		if w.out != nil {
			w.out.Add(value)
		}
		w.close()
	}
	w.end()
	p.beginCall(c, in, p.tag.dialect)
	c.body = p.at(i)
	if !p.tooMany(in, i) {
		p.endCall(in, p.at(i), toolcall.Complete, toolcall.ReasonNone)
	}
	return i
}
