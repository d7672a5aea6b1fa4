package parser

import (
	"strings"

	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/toolcall"
)

// beginValue begins the value of a parameter, of a member or (without a key)
// of a list.
func (p *Parser) beginValue(key string, s *schema.Schema) {
	b, t, c := &p.body, &p.tags, p.call
	top := t.top()
	v := &b.value
	*v = value{sink: sinkTyped, schema: s, lead: leadOpen, trail: true, limit: p.opts.Limits.BlankBytes,
		text: v.text[:0], kept: v.kept[:0], out: t.out}
	t.phase = tagsStart
	switch {
	case top.array:
	case !top.names.add(key):
		c.tolerances |= toolcall.DuplicateArgument
		v.sink, t.key = sinkDrop, ""
		t.phase = tagsValue
		return
	}
	if len(t.frames) == 1 {
		t.key = key
		c.meets(key)
	}
	switch {
	case len(t.frames) == 1 && c.isContent(key):
		p.beginContent(key)
		return
	case len(t.frames) == 1 && c.file != nil:
		t.out = &t.member
		v.out = t.out
	default:
		t.separate(key)
	}
	object, array := containers(s)
	v.whole = object || array
	if s.Untyped() {
		v.whole = false
	}
	if !object && !array {
		t.phase = tagsValue
		if !s.MayConvert("") {
			v.beginString()
		}
	}
}

// beginContent begins the value of what is, or may be, the content of a file
// tool's segment: a text, with the layout of a file or of a command.
func (p *Parser) beginContent(key string) {
	t, c, v := &p.tags, p.call, &p.body.value
	if c.file == nil {
		t.separate(key)
		c.textBegins()
	}
	t.phase, v.trail = tagsMarker, c.isCommand()
	v.out = &c.out
	if c.file != nil {
		v.sink = sinkPlain
	} else {
		v.schema = nil
		v.beginString()
	}
}

// containers reports whether a value may be written as nested tags.
func containers(s *schema.Schema) (object, array bool) {
	if s.Untyped() {
		return true, true
	}
	return s.AllowsContainer()
}

// tagsStart reads the blanks before a value, and decides whether it is a
// container: nested tags.
func (p *Parser) tagsStart(in string, i int) int {
	b, t, d := &p.body, &p.tags, p.body.dialect
	tok, j := b.look.read(in, i)
	if tok == tokenMore {
		return j
	}
	if tok == tokenOpen {
		object, array := containers(b.value.schema)
		isItem, isArg := b.look.is(d.Args.Item), b.look.is(d.Args.Tag)
		named := !b.value.schema.Untyped() && !b.value.schema.AllowsString()
		if array && isItem || object && (isArg || named && !isItem) {
			if p.openFrame(array && isItem); len(t.frames) > p.opts.Limits.Depth {
				p.endCall(in, p.cand, toolcall.Rejected, toolcall.ReasonTooDeep)
			}
			return p.rewind(in, j, p.cand)
		}
	}
	if b.value.whole {
		b.value.whole = startsContainer(in, j, tok)
	}
	t.phase = tagsValue
	if !b.value.whole && !b.value.schema.MayConvert("") {
		b.value.beginString()
	}
	return p.rewind(in, j, t.start)
}

// startsContainer reports whether a value's first token, or else the byte at
// in[i], begins an object or an array of JSON.
func startsContainer(in string, i int, tok token) bool {
	return tok == tokenBrace || tok == tokenOther && i < len(in) && in[i] == '['
}

// tagsValue reads a value's text up to what may end it.
func (p *Parser) tagsValue(in string, i int) int {
	b, t := &p.body, &p.tags
	start := i
	entities := p.decodes()
	for i < len(in) && (in[i] != '<' && (in[i] != '&' || !entities) || plainValue(in, i)) {
		i++
	}
	b.value.add(in, start, i)
	switch {
	case i == len(in):
	case in[i] == '&':
		p.look(i, maxEntity+1)
		t.phase, t.entity = tagsEntity, t.entity[:0]
	default:
		p.lookCloser(i)
		b.look.reset()
		b.look.closing = true
		t.phase = tagsCloser
	}
	return i
}

// plainValue reports whether the < or & at in[i] is content for sure, by the byte
// after it.
func plainValue(in string, i int) bool {
	switch {
	case i+1 == len(in):
		return false
	case in[i] == '<':
		return in[i+1] != '/' && in[i+1] != '!'
	}
	return !isEntityByte(in[i+1])
}

// decodes reports whether entities are decoded in the open value.
func (p *Parser) decodes() bool { return p.body.dialect.Args.Entities }

// tagsEntity reads what may be an entity.
func (p *Parser) tagsEntity(in string, i int) int {
	t := &p.tags
	for ; i < len(in); i++ {
		c := in[i]
		switch {
		case len(t.entity) == 0, isEntityByte(c) && len(t.entity) < maxEntity:
			t.entity = append(t.entity, c)
			continue
		case c == ';':
			if text, ok := entity(string(t.entity) + ";"); ok {
				p.body.value.addText(text)
				t.phase, p.deadline = tagsValue, 0
				return i + 1
			}
		}
		return p.lookFails(in, i)
	}
	return i
}

// tagsCDATA reads a CDATA section, in which nothing closes but its end.
func (p *Parser) tagsCDATA(in string, i int) int {
	t, v := &p.tags, &p.body.value
	if t.cdata.n == 0 {
		n := strings.IndexByte(in[i:], ']')
		if n < 0 {
			v.addText(in[i:])
			return len(in)
		}
		v.addText(in[i : i+n])
		i += n
	}
	next, done, ok := t.cdata.match(in, i)
	switch {
	case done:
		t.phase = tagsValue
	case ok:
	case t.cdata.n == 2 && in[next] == ']': // one more bracket: the first is content
		v.addText("]")
		return next + 1
	default:
		v.addText(cdataClose[:t.cdata.n])
		t.cdata.n = 0
	}
	return next
}

// tagsCloser reads what may be a closer of the value, or a CDATA section.
func (p *Parser) tagsCloser(in string, i int) int {
	b, t := &p.body, &p.tags
	tok, j := b.look.read(in, i)
	switch tok {
	case tokenMore:
		return j
	case tokenCDATA:
		if p.decodes() && !t.marked {
			t.phase, t.cdata = tagsCDATA, literal{text: cdataClose}
			b.value.addText("")
			p.deadline = 0
			return j
		}
	case tokenClose:
		t.own = 0
		if b.look.is(t.closer) {
			t.own = p.at(j)
		} else if k, ok := t.closes(&b.look, b.dialect); ok {
			t.upper = k
		} else {
			break
		}
		b.look.reset()
		t.phase = tagsAfter
		return j
	}
	return p.lookFails(in, j)
}

// tagsAfter reads what follows a closer inside a value. Only if it can follow
// there, was the closer one.
func (p *Parser) tagsAfter(in string, i int) int {
	b, t := &p.body, &p.tags
	tok, j := b.look.read(in, i)
	if tok == tokenMore {
		return j
	}
	k, closes := 0, false
	if tok == tokenClose {
		k, closes = t.closes(&b.look, b.dialect)
	}
	if t.own == 0 {
		// Two closers of the levels above, in a row.
		if closes && k < t.upper {
			p.call.tolerances |= toolcall.MissingCloser
			return p.valueCloses(in, j, p.cand)
		}
		return p.lookFails(in, j)
	}
	if closes || tok == tokenComment || tok == tokenOpen && t.opensNext(&b.look, b.dialect) {
		return p.valueCloses(in, j, t.own)
	}
	return p.lookFails(in, j)
}

// opensNext reports whether an opening tag may follow a value of the innermost
// container.
func (t *tagsBody) opensNext(l *look, d *Dialect) bool {
	top := t.top()
	if top.array {
		return l.is(d.Args.Item)
	}
	return l.is(d.Args.Tag) || top.named != "" && (!top.schema.Closed() || top.schema.Declares(string(l.name)))
}

// valueCloses ends the open value and goes back to the stream offset to, where
// what follows it begins.
func (p *Parser) valueCloses(in string, i int, to int64) int {
	p.endValue()
	return p.rewind(in, i, to)
}

// endValue ends the open value.
func (p *Parser) endValue() {
	b, t := &p.body, &p.tags
	if v := &b.value; v.sink == sinkTyped && !v.begun && v.schema.Untyped() {
		v.beginString()
	}
	p.call.tolerances |= b.value.end()
	p.endMember()
	t.phase, t.marked = tagsBetween, false
	p.deadline = 0
}

// endMember hands a file tool's parameter, once it is whole, to the metadata.
func (p *Parser) endMember() {
	t := &p.tags
	if len(t.frames) != 1 {
		return
	}
	if t.out == &t.member {
		p.call.setMeta(t.key, t.member.Take())
		t.out = &p.call.out
	} else {
		p.call.hasArgument(t.key)
	}
}
