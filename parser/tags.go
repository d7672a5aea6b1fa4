package parser

import (
	"strings"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/schema"
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

// The raw markers of a file's content or patch.
var rawMarkers = map[toolparse.SegmentType][2]string{
	toolparse.SegmentWriteFile: {"__START_CONTENT__", "__END_CONTENT__"},
	toolparse.SegmentEditFile:  {"__START_PATCH__", "__END_PATCH__"},
}

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
			p.call.tolerances |= toolparse.JSONBody
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
		p.call.tolerances |= toolparse.UnquotedAttribute
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
		p.call.tolerances |= toolparse.MissingWrapper
	}
	key, ok := p.tag.attr(d.Args.Key)
	switch top := t.top(); {
	case top.array:
		t.closer = d.Args.Item
		p.beginValue("", top.schema.Items())
	case b.look.is(d.Args.Tag) && ok:
		t.closer = d.Args.Tag
		p.beginValue(key, top.schema.Property(key))
	default:
		p.call.tolerances |= toolparse.NamedTag
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

// tagsComment skips a comment.
func (p *Parser) tagsComment(in string, i int) int {
	t := &p.tags
	for i < len(in) {
		if t.comment.n == 0 {
			n := strings.IndexByte(in[i:], '-')
			if n < 0 {
				return len(in)
			}
			i += n
		}
		next, done, ok := t.comment.match(in, i)
		switch {
		case done:
			t.phase = tagsBetween
			return next
		case ok:
			return next
		case t.comment.n == 2 && in[next] == '-': // three dashes or more
			i = next + 1
		default:
			t.comment.n = 0
			i = next
		}
	}
	return i
}

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
		c.tolerances |= toolparse.DuplicateArgument
		v.sink = sinkDrop
		t.phase = tagsValue
		return
	}
	if c.file != nil && len(t.frames) == 1 {
		if key == c.file.content {
			c.content = true
			v.sink, v.out, v.trail = sinkPlain, &c.out, c.file.command
			t.phase = tagsMarker
			return
		}
		t.out, t.key = &t.member, key
		v.out = t.out
	} else {
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

// containers reports whether a value may be written as nested tags.
func containers(s *schema.Schema) (object, array bool) {
	if s.Untyped() {
		return true, true
	}
	return s.AllowsContainer()
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
				p.endCall(in, p.cand, toolparse.Rejected, toolparse.ReasonTooDeep)
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
			p.call.tolerances |= toolparse.MissingCloser
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
	if t.out == &t.member && len(t.frames) == 1 {
		p.call.setMeta(t.key, t.member.Take())
		t.out = &p.call.out
	}
}

// closeFrames closes the open containers down to level, after its closer,
// which ends before in[i].
func (p *Parser) closeFrames(in string, i, level int) int {
	t := &p.tags
	wrapped := t.frames[0].closer != ""
	for k := len(t.frames) - 1; k > max(level, 0); k-- {
		p.call.tolerances |= toolparse.MissingCloser
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
		p.call.tolerances |= toolparse.MissingCloser
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
		p.endCall(in, p.at(i), toolparse.Complete, toolparse.ReasonNone)
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
		p.call.tolerances |= toolparse.TextBetween
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
	if from >= p.off {
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

// tagsMarker reads the blanks before a file's content, and the raw start
// marker, if it is there.
func (p *Parser) tagsMarker(in string, i int) int {
	t := &p.tags
	markers, has := rawMarkers[p.call.segment]
	if !has {
		t.phase, p.deadline = tagsValue, 0
		return p.rewind(in, i, t.start)
	}
	if t.ending.n == 0 {
		if i = skipBlanks(in, i); i == len(in) {
			return i
		}
		t.ending = literal{text: markers[0]}
	}
	next, done, ok := t.ending.match(in, i)
	switch {
	case !ok:
		t.ending = literal{}
		return p.lookFails(in, next)
	case done:
		t.ending = literal{}
		t.phase, t.marked, p.deadline = tagsRaw, true, 0
		p.body.value.lead, p.body.value.trail = leadOpen, false
	}
	return next
}

// tagsRaw reads content between raw markers.
func (p *Parser) tagsRaw(in string, i int) int {
	t, v := &p.tags, &p.body.value
	marker := rawMarkers[p.call.segment][1]
	n := indexPrefix(in[i:], marker)
	v.add(in, i, i+n)
	if i += n; i < len(in) {
		p.lookCloser(i)
		t.phase, t.ending = tagsRawEnd, literal{text: marker}
	}
	return i
}

// tagsRawEnd reads what may be the raw end marker. It is one if the value's
// closer follows.
func (p *Parser) tagsRawEnd(in string, i int) int {
	t := &p.tags
	next, done, ok := t.ending.match(in, i)
	if !ok {
		return p.lookFails(in, next)
	}
	if done {
		t.ending = literal{}
		p.body.look.reset()
		t.phase = tagsCloser
	}
	return next
}
