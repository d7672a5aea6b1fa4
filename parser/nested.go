package parser

import (
	"encoding/json"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/toolcall"
)

// nested reads arguments that are written as one tag a parameter, named like it:
// <city>Oslo</city>. Objects and lists are tags within the value. What a value may
// be, the schema says, and the value's first token; a string streams.
type nested struct {
	argWriter
	form   *nestedForm
	phase  nestedPhase
	tag    nestedTag
	value  value
	name   string         // the tag of the value that is open
	schema *schema.Schema // of it
	levels []nestedLevel  // the containers that are open; the first is all arguments
	own    int64          // stream offset after the value's closer, while looking past it
	upper  int            // the level whose closer stands in the value
	repeat *laterMember   // the list that the open value is one more element of
	elem   jsonstream.Out // that element
}

type nestedPhase uint8

const (
	nestedBetween nestedPhase = iota // between the members of a container
	nestedStart                      // at the beginning of a value that may be a container
	nestedValue                      // in a value
	nestedEnd                        // at what may end it
	nestedAfter                      // after its closer, at what must follow
	nestedUpper                      // after the closer of a container that stands in it
)

// nestedLevel is a container that is open.
type nestedLevel struct {
	name   string // its tag
	schema *schema.Schema
	array  bool
	count  int
	out    *jsonstream.Out // nil: it goes nowhere
	names  nameSet         // of an object
	later  []*laterMember
	repeat *laterMember // the list that it is one more element of
}

// laterMember is a list that is written as one tag an element, with others in
// between maybe. It is written at the end of its container.
type laterMember struct {
	name     string
	elements []byte
	count    int    // of them
	alone    string // what the only element is by itself, where the schema takes that first
}

func (m *nested) begin(p *Parser) {
	m.argWriter.begin(p.call)
	m.form = p.frame.form.nested
	m.levels = append(m.levels[:0], nestedLevel{name: m.form.outer, schema: p.call.schema})
	m.repeat = nil
	m.to(p, nestedBetween)
}

// to begins a phase in which a tag is read.
func (m *nested) to(p *Parser, phase nestedPhase) {
	m.phase = phase
	m.tag.reset(m.form)
	p.deadline = 0
}

func (m *nested) top() *nestedLevel { return &m.levels[len(m.levels)-1] }

func (m *nested) read(p *Parser, in string, i int) int {
	if m.phase == nestedValue {
		return m.readValue(p, in, i)
	}
	if !p.looking() {
		if m.phase == nestedBetween {
			if i = skipBlanks(in, i); i == len(in) {
				return i
			}
		}
		p.lookCloser(i)
	}
	verdict, next := m.tag.read(in, i)
	switch verdict {
	case nestedMore:
		return next
	case nestedNone:
		return m.expire(p, in, next)
	}
	switch m.phase {
	case nestedBetween:
		return m.between(p, in, next, verdict)
	case nestedStart:
		return m.start(p, in, next, verdict)
	case nestedEnd:
		return m.valueMayEnd(p, in, next, verdict)
	case nestedAfter:
		return m.afterValue(p, in, next, verdict)
	default:
		return m.afterUpper(p, in, next, verdict)
	}
}

// expire decides that what is looked at is no markup.
func (m *nested) expire(p *Parser, in string, i int) int {
	switch m.phase {
	case nestedBetween:
		p.call.tolerances |= toolcall.TextBetween
		to := p.cand + 1
		m.to(p, nestedBetween)
		return p.rewind(in, i, to)
	case nestedStart:
		return m.startText(p, in, i)
	}
	return m.isContent(p, in, i)
}

// between is after a tag between the members of a container.
func (m *nested) between(p *Parser, in string, i int, verdict nestedVerdict) int {
	if verdict == nestedOpen {
		if len(m.levels) == 1 && m.endsArgs(verdict) {
			return m.finishArgs(p, in, i)
		}
		if m.beginsElement() {
			p.call.tolerances |= toolcall.MissingCloser // of the element before
			m.closeLevel()
		}
		return m.beginMember(p, in, i)
	}
	k := m.levelOf(verdict)
	if k < 0 && !m.endsArgs(verdict) { // a closer of nothing
		p.call.tolerances |= toolcall.TextBetween
		m.to(p, nestedBetween)
		return i
	}
	for len(m.levels) > max(k, 0)+1 {
		p.call.tolerances |= toolcall.MissingCloser
		m.closeLevel()
	}
	if k > 0 {
		m.closeLevel()
		m.to(p, nestedBetween)
		return i
	}
	return m.finishArgs(p, in, i)
}

// beginsElement reports whether the opening tag just read begins another element
// of the list that the innermost container is an element of, which lacks its
// closer.
func (m *nested) beginsElement() bool {
	top := m.top()
	if top.repeat == nil || !m.tag.is(top.name) {
		return false
	}
	return top.names.has(top.name) || top.schema.Closed() && !top.schema.Declares(top.name)
}

// levelOf is the number of the innermost open container that the tag just read
// closes; -1: none.
func (m *nested) levelOf(verdict nestedVerdict) int {
	if verdict != nestedClose {
		return -1
	}
	for k := len(m.levels) - 1; k >= 0; k-- {
		if m.tag.is(m.levels[k].name) {
			return k
		}
	}
	return -1
}

// endsArgs reports whether the tag just read belongs to what is around the
// arguments.
func (m *nested) endsArgs(verdict nestedVerdict) bool {
	list := m.form.ends
	if verdict == nestedOpen {
		list = m.form.begin
	}
	for _, name := range list {
		if m.tag.is(name) {
			return true
		}
	}
	return verdict == nestedClose && m.tag.is(m.form.outer)
}

// finishArgs ends the arguments before what is looked at.
func (m *nested) finishArgs(p *Parser, in string, i int) int {
	m.writeLater(&m.levels[0])
	m.end()
	to := p.cand
	p.argumentsEnd(to)
	return p.rewind(in, i, to)
}

// beginMember begins the member whose tag was just read.
func (m *nested) beginMember(p *Parser, in string, i int) int {
	top := m.top()
	m.name, m.repeat = string(m.tag.name), nil
	if top.array {
		m.schema = top.schema.Element(top.count)
	} else {
		m.schema = top.schema.Property(m.name)
	}
	object, array := m.containers()
	if m.tag.void {
		m.startEmpty(object, array)
		m.closeValue(p)
		m.to(p, nestedBetween)
		return i
	}
	if object || array {
		m.to(p, nestedStart)
		return i
	}
	m.beginValue(p, m.schema)
	return i
}

// containers reports whether the value may be written as tags. A parameter of no
// known type is a string, unless the tags are no text for sure.
func (m *nested) containers() (object, array bool) {
	s := m.schema
	switch {
	case len(m.levels) == 1 && m.call.isContent(m.name):
		return false, false
	case s.Untyped():
		free := len(m.levels) > 1 || m.form.nests()
		return free, free
	}
	return s.AllowsContainer()
}

// onlyArray reports whether the value must be a list.
func (m *nested) onlyArray() bool {
	object, array := m.schema.AllowsContainer()
	return array && !object && !m.schema.AllowsString()
}

// start is after a tag at the beginning of a value.
func (m *nested) start(p *Parser, in string, i int, verdict nestedVerdict) int {
	object, array := m.containers()
	switch {
	case verdict == nestedClose && m.tag.is(m.name) && !m.schema.AllowsString():
		m.startEmpty(object, array)
		m.closeValue(p)
		m.to(p, nestedBetween)
		return i
	case verdict == nestedClose, m.schema.AllowsString() && !m.schema.Untyped() && !m.form.nests():
		return m.startText(p, in, i)
	case array && (!object || m.tag.is(m.form.item) || m.schema.Untyped() && m.tag.isIndex()):
		items := m.nextElement()
		inside, _ := items.AllowsContainer()
		inside = inside || items.Untyped()
		named := m.tag.is(m.form.item) || m.tag.isIndex()
		if !named && inside && (!items.Closed() || items.Declares(string(m.tag.name))) {
			m.beginElement()
			m.openLevel(items, false)
		} else {
			m.beginOut()
			m.openLevel(m.schema, true)
		}
	default:
		m.beginOut()
		m.openLevel(m.schema, false)
	}
	to := p.cand
	if len(m.levels) > p.opts.Limits.Depth {
		p.deadline = 0
		return p.argumentsFail(in, i, toolcall.Rejected, toolcall.ReasonTooDeep)
	}
	m.to(p, nestedBetween)
	return p.rewind(in, i, to)
}

// startEmpty writes a value that has nothing in it.
func (m *nested) startEmpty(object, array bool) {
	s := m.schema
	m.beginOut()
	m.valueOf(&m.value, s, "", 0)
	switch {
	case s.AllowsString() || !object && !array:
	case array && !object:
		m.value = value{sink: sinkDrop, text: m.value.text, kept: m.value.kept}
		m.write("[]")
	default:
		m.value = value{sink: sinkDrop, text: m.value.text, kept: m.value.kept}
		m.write("{}")
	}
}

// startText begins a value that is no container. It is read again from its first
// byte on.
func (m *nested) startText(p *Parser, in string, i int) int {
	to := p.cand
	if m.onlyArray() && !p.beginsWith(in, to, '[') {
		items := m.nextElement()
		m.beginElement()
		m.beginValue(p, items)
		m.value.whole = !items.AllowsString()
		if m.value.whole && m.value.begun {
			m.value.whole = false
		}
	} else {
		m.beginValue(p, m.schema)
	}
	return p.rewind(in, i, to)
}

// beginsWith reports whether c is the first byte, blanks aside, of what is pending
// from the stream offset at on.
func (p *Parser) beginsWith(in string, at int64, c byte) bool {
	if p.isHeld(at) {
		rest := string(p.held[at-p.base():])
		if n := skipBlanks(rest, 0); n < len(rest) {
			return rest[n] == c
		}
		at = p.at(p.mark)
	}
	n := skipBlanks(in, int(at-p.off))
	return n < len(in) && in[n] == c
}

// beginValue begins the text of a value.
func (m *nested) beginValue(p *Parser, s *schema.Schema) {
	if m.repeat == nil {
		m.beginOut()
	}
	m.valueOf(&m.value, s, p.frame.form.Args.layoutOf(m.name), p.opts.Limits.BlankBytes)
	m.phase, p.deadline = nestedValue, 0
}

// beginOut opens the member at hand where it is to be written.
func (m *nested) beginOut() {
	top := m.top()
	switch {
	case len(m.levels) == 1:
		m.open(m.name)
		return
	case top.out == nil:
		m.out = nil
		return
	case !top.array && !top.names.add(m.name):
		m.call.tolerances |= toolcall.DuplicateArgument
		m.out = nil
		return
	}
	m.out = top.out
	m.separate(top)
	if !top.array {
		m.out.AddQuoted(m.name)
		m.out.AddByte(':')
	}
}

// separate writes what stands before one more member of a container.
func (m *nested) separate(l *nestedLevel) {
	if l.count++; l.count > 1 {
		l.out.AddByte(',')
	}
}

// laterOf is the list that is gathered under a name.
func (l *nestedLevel) laterOf(name string) *laterMember {
	for _, list := range l.later {
		if list.name == name {
			return list
		}
	}
	return nil
}

// nextElement is the schema of the value at hand as one more element of the list
// that its tag stands for.
func (m *nested) nextElement() *schema.Schema {
	if list := m.top().laterOf(m.name); list != nil {
		return m.schema.Element(list.count)
	}
	return m.schema.Element(0)
}

// beginElement makes the value at hand one more element of the list that its tag
// stands for.
func (m *nested) beginElement() {
	top := m.top()
	if m.repeat = top.laterOf(m.name); m.repeat == nil {
		m.repeat = &laterMember{name: m.name}
		top.later = append(top.later, m.repeat)
	}
	m.elem.Reset()
	m.out = &m.elem
}

// write writes to where the open member goes.
func (m *nested) write(s string) {
	if m.out != nil {
		m.out.Add(s)
	}
}

// openLevel begins a container as the value at hand.
func (m *nested) openLevel(s *schema.Schema, array bool) {
	if m.repeat != nil { // another element may be open around it
		m.out = &jsonstream.Out{}
	}
	m.levels = append(m.levels, nestedLevel{name: m.name, schema: s, array: array, out: m.out, repeat: m.repeat})
	m.repeat = nil
	if array {
		m.write("[")
	} else {
		m.write("{")
	}
}

// closeLevel ends the innermost container.
func (m *nested) closeLevel() {
	top := *m.top()
	m.writeLater(m.top())
	m.levels = m.levels[:len(m.levels)-1]
	if top.out != nil {
		if top.array {
			top.out.AddByte(']')
		} else {
			top.out.AddByte('}')
		}
	}
	switch {
	case top.repeat != nil:
		top.repeat.add(top.out.Take())
	case len(m.levels) == 1:
		m.close()
	}
}

// add adds an element.
func (l *laterMember) add(json string) {
	l.alone = ""
	if l.count++; l.count > 1 {
		l.elements = append(l.elements, ',')
	}
	l.elements = append(l.elements, json...)
}

// writeLater writes, at the end of a container, the lists that were gathered.
func (m *nested) writeLater(l *nestedLevel) {
	for _, list := range l.later {
		m.name = list.name
		m.beginOut()
		switch {
		case m.out == nil:
		case list.alone != "":
			m.out.Add(list.alone)
		default:
			m.out.AddByte('[')
			m.out.AddBytes(list.elements)
			m.out.AddByte(']')
		}
		if len(m.levels) == 1 {
			m.close()
		}
	}
	l.later = nil
}

// readValue reads a value's text up to what may end it.
func (m *nested) readValue(p *Parser, in string, i int) int {
	n := strings.IndexByte(in[i:], m.form.stop)
	if n < 0 {
		m.value.add(in, i, len(in))
		return len(in)
	}
	m.value.add(in, i, i+n)
	p.lookCloser(i + n)
	m.phase = nestedEnd
	m.tag.reset(m.form)
	m.tag.ends = true // an opening tag is content
	return i + n
}

// valueMayEnd is after a tag that stands in a value.
func (m *nested) valueMayEnd(p *Parser, in string, i int, verdict nestedVerdict) int {
	if m.tag.is(m.name) {
		m.own = p.at(i)
		m.phase = nestedAfter
		m.tag.reset(m.form)
		return i
	}
	m.upper = m.levelOf(verdict)
	if m.upper < 0 && !m.endsArgs(verdict) {
		return m.isContent(p, in, i)
	}
	m.phase = nestedUpper
	m.tag.reset(m.form)
	return i
}

// afterValue is after the tag that follows a value's closer.
func (m *nested) afterValue(p *Parser, in string, i int, verdict nestedVerdict) int {
	if verdict == nestedClose && m.levelOf(verdict) < 0 && !m.endsArgs(verdict) {
		return m.isContent(p, in, i)
	}
	return m.endValue(p, in, i, m.own)
}

// afterUpper is after the tag that follows the closer of a container in a value.
// Two of them in a row end the value, too.
func (m *nested) afterUpper(p *Parser, in string, i int, verdict nestedVerdict) int {
	k := m.levelOf(verdict)
	switch {
	case verdict == nestedClose && k >= 0 && k < m.upper, m.upper <= 0 && k != 0 && m.endsArgs(verdict):
		p.call.tolerances |= toolcall.MissingCloser
		return m.endValue(p, in, i, p.cand)
	}
	return m.isContent(p, in, i)
}

// isContent makes what is looked at content from its first byte on; what follows
// that is read again.
func (m *nested) isContent(p *Parser, in string, i int) int {
	m.phase = nestedValue
	from := p.cand
	if !p.isHeld(from) {
		at := int(from - p.off)
		m.value.add(in, at, at+1)
		return p.rewind(in, i, from+1)
	}
	rest := string(p.held[from-p.base():]) + in[p.mark:i]
	if strings.IndexByte(rest[1:], m.form.stop) < 0 { // no need to read it again
		m.value.add(rest, 0, len(rest))
		p.deadline = 0
		return i
	}
	m.value.add(rest, 0, 1)
	return p.rewind(in, i, from+1)
}

// endValue ends the open value and goes back to the stream offset to, where what
// follows it begins.
func (m *nested) endValue(p *Parser, in string, i int, to int64) int {
	m.closeValue(p)
	m.to(p, nestedBetween)
	return p.rewind(in, i, to)
}

// closeValue ends the open value.
func (m *nested) closeValue(p *Parser) {
	if m.repeat != nil && m.value.whole {
		m.splitElement(p)
		return
	}
	p.call.tolerances |= m.value.end()
	switch {
	case m.repeat != nil:
		first := len(m.repeat.elements) == 0
		element := m.elem.Take()
		m.repeat.add(element)
		if text := ""; first && json.Unmarshal([]byte(element), &text) == nil {
			m.repeat.alone = m.scalar(text)
		}
	case len(m.levels) == 1:
		m.close()
	}
	m.repeat = nil
}

// scalar returns what a text is for a schema that takes a list, but null, a number
// or a boolean before one; else "".
func (m *nested) scalar(text string) string {
	scalar, used := m.schema.Convert(text)
	if used != 0 || strings.ContainsAny(scalar[:1], `[{"`) {
		return ""
	}
	return scalar
}

// splitElement adds the elements of a list that is written as text, with commas or
// newlines between them.
func (m *nested) splitElement(p *Parser) {
	text := trimBlanks(string(m.value.text))
	split := func(r rune) bool { return r == ',' || r == '\n' }
	parts := []string{text}
	alone := ""
	if len(m.repeat.elements) == 0 && text != "" {
		alone = m.scalar(text)
	}
	if text == "" || text[0] != '{' && text[0] != '[' {
		parts = strings.FieldsFunc(text, split)
	}
	for _, part := range parts {
		if part = trimBlanks(part); part == "" {
			continue
		}
		element, used := m.schema.Element(m.repeat.count).Convert(part)
		if alone == "" {
			p.call.tolerances |= used
		}
		m.repeat.add(element)
	}
	m.repeat.alone = alone
	m.repeat = nil
}

func (m *nested) finish(p *Parser) bool {
	switch m.phase {
	case nestedAfter: // the value's own closer is there, the call's is not
		m.closeValue(p)
	case nestedUpper: // the call's closer is there, the value's is not
		if m.upper != 0 {
			return false
		}
		m.closeValue(p)
		for len(m.levels) > 1 {
			m.closeLevel()
		}
		m.writeLater(&m.levels[0])
		m.end()
		return true
	}
	return false
}

func (m *nested) steady(*Parser) (smoothKind, *byteSet) {
	if m.phase != nestedValue || !m.argWriter.steady() {
		return 0, nil
	}
	return m.value.steady(m.form.steady)
}
