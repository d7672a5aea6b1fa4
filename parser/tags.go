package parser

import (
	"strings"

	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/toolcall"
)

// tagsBody reads arguments that are written as tags, one for each value,
// nested for objects and lists, and writes them as JSON.
type tagsBody struct {
	phase   tagsPhase
	frames  []frame         // the containers that are open
	out     *jsonstream.Out // where the JSON goes
	member  jsonstream.Out  // the JSON of a file tool's other parameters
	key     string          // of the member of metadata being written; see member
	closer  string          // the tag that closes the open value
	start   int64           // stream offset of the value's first byte
	own     int64           // stream offset after the value's own closer, while looking past it
	upper   int             // the container that a closer met in a value belongs to, while looking past it
	comment literal         // the end of a comment
	cdata   literal         // the end of a CDATA section
	entity  []byte          // an entity, so far
	ending  literal         // the raw end marker
	marked  bool            // the open value is between raw markers
}

// frame is an open container: the arguments themselves, an object or a list.
type frame struct {
	array   bool
	schema  *schema.Schema
	closer  string // the tag that closes it; "" for the arguments without a wrapper
	named   string // the tag that opens its values, where these are named like their parameter
	members int
	names   nameSet // of an object's members
}

// tagsPhase is what tagsBody is in the middle of.
type tagsPhase uint8

const (
	tagsBetween  tagsPhase = iota // between values
	tagsWrapper                   // in the wrapper's opening tag
	tagsValueTag                  // in a value's opening tag
	tagsComment                   // in a comment between values
	tagsStart                     // before a value, which may be a container
	tagsValue                     // in a value
	tagsEntity                    // in what may be an entity
	tagsCDATA                     // in a CDATA section
	tagsCloser                    // at what may be a closer, or CDATA
	tagsAfter                     // after it, at what must follow
	tagsMarker                    // before a file's content, at what may be the raw start marker
	tagsRaw                       // between raw markers
	tagsRawEnd                    // at what may be the raw end marker
)

// beginArguments begins the arguments of the call at hand.
func (p *Parser) beginArguments() {
	c := p.call
	p.state = stateTags
	t := &p.tags
	*t = tagsBody{frames: t.frames[:0], out: &c.out, entity: t.entity[:0]}
	t.push(frame{schema: c.schema})
	p.body.look.reset()
	for _, a := range p.body.extra {
		p.beginValue(a.name, c.schema.Property(a.name))
		p.body.value.lead, p.body.value.trail = leadNone, false
		p.body.value.addText(a.value)
		p.endValue()
	}
	p.body.extra = nil
	t.phase = tagsBetween
}

// inTags reads arguments written as tags.
func (p *Parser) inTags(in string, i int) int {
	switch p.tags.phase {
	case tagsBetween:
		return p.tagsBetween(in, i)
	case tagsWrapper, tagsValueTag:
		return p.tagsTag(in, i)
	case tagsComment:
		return p.tagsComment(in, i)
	case tagsStart:
		return p.tagsStart(in, i)
	case tagsValue:
		return p.tagsValue(in, i)
	case tagsEntity:
		return p.tagsEntity(in, i)
	case tagsCDATA:
		return p.tagsCDATA(in, i)
	case tagsCloser:
		return p.tagsCloser(in, i)
	case tagsAfter:
		return p.tagsAfter(in, i)
	case tagsMarker:
		return p.tagsMarker(in, i)
	case tagsRaw:
		return p.tagsRaw(in, i)
	default:
		return p.tagsRawEnd(in, i)
	}
}

// push opens a container. It takes over the memory of the one that was in its
// place before.
func (t *tagsBody) push(f frame) {
	if n := len(t.frames); n < cap(t.frames) {
		f.names.few = t.frames[:n+1][n].names.few[:0]
	}
	t.frames = append(t.frames, f)
}

// top is the innermost open container.
func (t *tagsBody) top() *frame { return &t.frames[len(t.frames)-1] }

// tagsBetween reads what stands between two values.
func (p *Parser) tagsBetween(in string, i int) int {
	b, t := &p.body, &p.tags
	if !p.looking() {
		if i = skipBlanks(in, i); i == len(in) {
			return i
		}
		p.lookCloser(i)
		b.look.reset()
	}
	tok, j := b.look.read(in, i)
	switch tok {
	case tokenMore:
		return j
	case tokenOpen:
		if phase, ok := p.valueOpener(); ok {
			t.phase = phase
			p.tag.reset(b.dialect, nil)
			return j
		}
	case tokenClose:
		if k, ok := t.closes(&b.look, b.dialect); ok {
			p.deadline = 0
			return p.closeFrames(in, j, k)
		}
	case tokenComment:
		t.phase, t.comment = tagsComment, literal{text: commentClose}
		p.deadline = 0
		return j
	case tokenBrace:
		if len(t.frames) == 1 && t.top().members == 0 {
			p.deadline = 0
			p.call.tolerances |= toolcall.JSONBody
			p.beginJSON()
			return j
		}
	}
	return p.lookFails(in, j)
}

// valueOpener decides what the opening tag just met between two values opens.
func (p *Parser) valueOpener() (tagsPhase, bool) {
	l, t, d := &p.body.look, &p.tags, p.body.dialect
	top := t.top()
	switch {
	case top.array:
		return tagsValueTag, l.is(d.Args.Item)
	case l.is(d.Args.Wrapper) && len(t.frames) == 1 && top.closer == "":
		return tagsWrapper, true
	}
	return tagsValueTag, true
}

// tagsTag reads the attributes of a wrapper or a value.
func (p *Parser) tagsTag(in string, i int) int {
	b, t, d := &p.body, &p.tags, p.body.dialect
	verdict, j := p.tag.read(in, i)
	switch verdict {
	case tagMore:
		return j
	case tagBroken:
		t.phase = tagsBetween
		return p.lookFails(in, j)
	}
	p.deadline = 0
	if p.tag.unquoted {
		p.call.tolerances |= toolcall.UnquotedAttribute
	}
	if t.phase == tagsWrapper {
		t.top().closer = d.Args.Wrapper
		t.phase = tagsBetween
		if p.tag.selfClose {
			return p.closeFrames(in, j, 0)
		}
		return j
	}
	if top := t.top(); len(t.frames) == 1 && top.closer == "" {
		p.call.tolerances |= toolcall.MissingWrapper
	}
	key, ok := p.tag.attr(d.Args.Key)
	switch top := t.top(); {
	case top.array:
		t.closer = d.Args.Item
		p.beginValue("", top.schema.Element(top.members))
	case b.look.is(d.Args.Tag) && ok:
		t.closer = d.Args.Tag
		p.beginValue(key, top.schema.Property(key))
	default:
		p.call.tolerances |= toolcall.NamedTag
		name := string(b.look.name)
		t.closer, top.named = name, name
		p.beginValue(name, top.schema.Property(name))
	}
	t.start = p.at(j)
	if p.tag.selfClose {
		p.endValue()
		return j
	}
	if t.phase != tagsValue {
		p.lookCloser(j)
		b.look.reset()
	}
	return j
}

// tagsComment skips a comment between values.
func (p *Parser) tagsComment(in string, i int) int {
	next, done := skipComment(&p.tags.comment, in, i)
	if done {
		p.tags.phase = tagsBetween
	}
	return next
}

// separate writes what stands before a member or element.
func (t *tagsBody) separate(key string) {
	top := t.top()
	switch top.members++; {
	case top.members > 1:
		t.out.AddByte(',')
	case len(t.frames) == 1: // not before it is sure that the body is not JSON
		t.out.AddByte('{')
	}
	if !top.array {
		t.out.AddQuoted(key)
		t.out.AddByte(':')
	}
}

// openFrame makes the value at hand a container.
func (p *Parser) openFrame(array bool) {
	t, v := &p.tags, &p.body.value
	f := frame{array: array, schema: v.schema, closer: t.closer}
	if array {
		t.out.AddByte('[')
	} else {
		t.out.AddByte('{')
	}
	t.push(f)
	t.phase = tagsBetween
}

// callLevel is the number, for closes, of the call itself.
const callLevel = -1

// closes returns the container that the closing tag just read closes: its
// place in frames, or callLevel.
func (t *tagsBody) closes(l *look, d *Dialect) (level int, ok bool) {
	for k := len(t.frames) - 1; k >= 0; k-- {
		if l.is(t.frames[k].closer) {
			return k, true
		}
	}
	return callLevel, l.is(closerName(d.Frame.Call.Close))
}

// closeFrames closes the open containers down to level, after its closer,
// which ends before in[i].
func (p *Parser) closeFrames(in string, i, level int) int {
	t := &p.tags
	wrapped := t.frames[0].closer != ""
	for k := len(t.frames) - 1; k > max(level, 0); k-- {
		p.call.tolerances |= toolcall.MissingCloser
		p.closeFrame()
	}
	if level > 0 {
		p.closeFrame()
		return i
	}
	if level == 0 {
		return p.endArguments(in, i, false)
	}
	if wrapped {
		p.call.tolerances |= toolcall.MissingCloser
	}
	return p.endArguments(in, i, true)
}

// closeFrame closes the innermost container, which is not the arguments.
func (p *Parser) closeFrame() {
	t := &p.tags
	if t.top().array {
		t.out.AddByte(']')
	} else {
		t.out.AddByte('}')
	}
	t.frames = t.frames[:len(t.frames)-1]
	p.endMember()
}

// endArguments is at the end of the arguments: of the whole call, or before
// its closer.
func (p *Parser) endArguments(in string, i int, whole bool) int {
	c, t := p.call, &p.tags
	switch {
	case c.file != nil:
	case t.frames[0].members == 0:
		c.out.Add("{}")
	default:
		c.out.AddByte('}')
	}
	c.end = max(c.body, p.cand)
	if whole {
		p.endCall(in, p.at(i), toolcall.Complete, toolcall.ReasonNone)
		return i
	}
	return p.beginTail(i)
}

// lookFails makes what was looked at content, or nothing, and goes on after its
// first byte.
func (p *Parser) lookFails(in string, i int) int {
	if p.state == stateRaw {
		return p.rawLookFails(in, i)
	}
	t, v := &p.tags, &p.body.value
	switch t.phase {
	case tagsBetween, tagsWrapper, tagsValueTag:
		t.phase = tagsBetween
		p.call.tolerances |= toolcall.TextBetween
	case tagsStart:
		t.phase = tagsValue
		return p.rewind(in, i, t.start)
	case tagsEntity:
		v.addText("&")
		t.phase = tagsValue
	case tagsCloser, tagsAfter:
		t.phase = tagsValue
		if t.marked {
			t.phase = tagsRaw
			v.addText("_")
			break
		}
		v.addText("<")
		if p.plainLook(in, i) {
			return i
		}
	case tagsMarker:
		t.phase = tagsValue
		return p.rewind(in, i, t.start)
	case tagsRawEnd:
		t.phase = tagsRaw
		v.addText("_")
	}
	return p.rewind(in, i, p.cand+1)
}

// plainLook takes what follows the first byte of a look that failed as content,
// where that is sure, and reports whether it did. It saves reading it again,
// where it came in several pieces.
func (p *Parser) plainLook(in string, i int) bool {
	from := p.cand + 1
	if !p.isHeld(from) {
		return false
	}
	rest := string(p.held[from-p.base():]) + in[p.mark:i]
	if strings.IndexByte(rest, '<') >= 0 || strings.IndexByte(rest, '&') >= 0 {
		return false
	}
	p.body.value.add(rest, 0, len(rest))
	p.deadline = 0
	return true
}
