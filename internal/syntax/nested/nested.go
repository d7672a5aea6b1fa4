// Package nested reads arguments that are written as one tag for each parameter, with the
// parameter's name: <city>Oslo</city>. Objects and arrays are tags inside the value.
package nested

import (
	"encoding/json"
	"strings"

	"github.com/toolparse/toolparse/dialect"
	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/internal/syntax/pairs"
	"github.com/toolparse/toolparse/toolcall"
)

// Syntax is the syntax of nested tags.
var Syntax = syntax.Syntax{
	New:     func(limits syntax.Limits) syntax.Machine { return &machine{limits: limits} },
	Compile: func(f *syntax.Form) any { return compile(f) },
	First: func(a *dialect.Args) []lex.Pattern {
		return []lex.Pattern{lex.NewPattern(a.KeyMark.Open) + lex.NameByte}
	},
	Fault: fault,
	Write: write,
	About: pairs.About,
}

// machine reads nested tags. The schema and the first token of a value decide what the
// value is. Strings stream.
//
// levels is the stack of open containers. JSON for a member goes to the out of its level as
// soon as it is read, except for an array that is written as repeated tags: its elements
// may be scattered, so level.later collects them, and writeLater writes them when the
// container ends. As in package pairs, a closing tag ends a value only if a structural
// token follows.
type machine struct {
	syntax.Writer
	limits syntax.Limits
	args   *dialect.Args
	form   *compiled
	phase  phase
	tag    tag
	value  syntax.Value
	name   string         // the tag of the open value
	schema *schema.Schema // of the open value
	levels []level        // the open containers; the first one is all arguments
	own    int64          // stream offset after the value's closer, during a look past it
	upper  int            // the level whose closing tag occurred in the value
	repeat *laterMember   // the array that the open value is an element of
	elem   jsonstream.Out // JSON of that element
}

type phase uint8

const (
	nestedBetween phase = iota // between the members of a container
	nestedStart                // at the beginning of a value that may be a container
	nestedValue                // in a value's text
	nestedEnd                  // at a tag in the value
	nestedAfter                // after the value's closing tag: a structural token must follow
	nestedUpper                // after the closing tag of a container in the value
)

// level is an open container.
type level struct {
	name   string // its tag
	schema *schema.Schema
	array  bool
	count  int
	out    *jsonstream.Out // receives its JSON; nil discards it
	names  syntax.Names    // of an object's members
	later  []*laterMember  // arrays that are written as repeated tags
	repeat *laterMember    // the array that this container is an element of
}

// laterMember is an array that is written as one tag for each element, possibly with other
// tags in between. It is written at the end of its container.
type laterMember struct {
	name     string
	elements []byte
	count    int    // of them
	alone    string // JSON of a single element by itself, if the schema prefers that to an array
}

func (m *machine) Begin(h syntax.Host, c syntax.Call, f *syntax.Form) {
	m.Writer.Begin(c)
	m.args, m.form = &f.Args, f.Compiled.(*compiled)
	m.levels = append(m.levels[:0], level{name: m.form.outer, schema: m.Schema()})
	m.repeat = nil
	m.to(h, nestedBetween)
}

// to enters a phase that reads a tag.
func (m *machine) to(h syntax.Host, phase phase) {
	m.phase = phase
	m.tag.reset(m.form)
	h.Decide()
}

func (m *machine) top() *level { return &m.levels[len(m.levels)-1] }

func (m *machine) Read(h syntax.Host, in string, i int) int {
	if m.phase == nestedValue {
		return m.readValue(h, in, i)
	}
	if !h.Looking() {
		if m.phase == nestedBetween {
			if i = lex.SkipBlanks(in, i); i == len(in) {
				return i
			}
		}
		h.Look(i)
	}
	got, next := m.tag.read(in, i)
	switch got {
	case nestedMore:
		return next
	case nestedNone:
		return m.Expire(h, in, next)
	}
	switch m.phase {
	case nestedBetween:
		return m.between(h, in, next, got)
	case nestedStart:
		return m.start(h, in, next, got)
	case nestedEnd:
		return m.valueMayEnd(h, in, next, got)
	case nestedAfter:
		return m.afterValue(h, in, next, got)
	default:
		return m.afterUpper(h, in, next, got)
	}
}

// Expire decides that the pending bytes are not markup.
func (m *machine) Expire(h syntax.Host, in string, i int) int {
	switch m.phase {
	case nestedBetween:
		m.Call.Tolerate(toolcall.TextBetween)
		to := h.From() + 1
		m.to(h, nestedBetween)
		return h.Rewind(in, i, to)
	case nestedStart:
		return m.startText(h, in, i)
	}
	return m.isContent(h, in, i)
}

// between handles a tag between the members of a container.
func (m *machine) between(h syntax.Host, in string, i int, got token) int {
	if got == nestedOpen {
		if len(m.levels) == 1 && m.endsArgs(got) {
			return m.finishArgs(h, in, i)
		}
		if m.beginsElement() {
			m.Call.Tolerate(toolcall.MissingCloser) // of the previous element
			m.closeLevel()
		}
		return m.beginMember(h, in, i)
	}
	k := m.levelOf(got)
	if k < 0 && !m.endsArgs(got) { // it closes nothing
		m.Call.Tolerate(toolcall.TextBetween)
		m.to(h, nestedBetween)
		return i
	}
	for len(m.levels) > max(k, 0)+1 {
		m.Call.Tolerate(toolcall.MissingCloser)
		m.closeLevel()
	}
	if k > 0 {
		m.closeLevel()
		m.to(h, nestedBetween)
		return i
	}
	return m.finishArgs(h, in, i)
}

// beginsElement reports whether the opening tag that was just read begins another element
// of an array whose previous element, the innermost container, lacks its closing tag.
func (m *machine) beginsElement() bool {
	top := m.top()
	if top.repeat == nil || !m.tag.is(top.name) {
		return false
	}
	return top.names.Has(top.name) || top.schema.Closed() && !top.schema.Declares(top.name)
}

// levelOf returns the index of the innermost level that the tag just read closes, or -1.
func (m *machine) levelOf(got token) int {
	if got != nestedClose {
		return -1
	}
	for k := len(m.levels) - 1; k >= 0; k-- {
		if m.tag.is(m.levels[k].name) {
			return k
		}
	}
	return -1
}

// endsArgs reports whether the tag just read belongs to what encloses the arguments.
func (m *machine) endsArgs(got token) bool {
	list := m.form.ends
	if got == nestedOpen {
		list = m.form.begin
	}
	for _, name := range list {
		if m.tag.is(name) {
			return true
		}
	}
	return got == nestedClose && m.tag.is(m.form.outer)
}

// finishArgs ends the arguments before the pending bytes.
func (m *machine) finishArgs(h syntax.Host, in string, i int) int {
	m.writeLater(&m.levels[0])
	m.End()
	to := h.From()
	h.End(to)
	return h.Rewind(in, i, to)
}

// beginMember begins the member whose tag was just read.
func (m *machine) beginMember(h syntax.Host, in string, i int) int {
	top := m.top()
	m.name, m.repeat = m.Name(m.tag.name), nil
	if top.array {
		m.schema = top.schema.Element(top.count)
	} else {
		m.schema = top.schema.Property(m.name)
	}
	object, array := m.containers()
	if m.tag.void {
		m.startEmpty(object, array)
		m.closeValue(h)
		m.to(h, nestedBetween)
		return i
	}
	if object || array {
		m.to(h, nestedStart)
		return i
	}
	m.beginValue(h, m.schema)
	return i
}

// containers reports which containers the value may be if it is written as tags. A
// parameter of unknown type is a string, unless tags cannot be text.
func (m *machine) containers() (object, array bool) {
	s := m.schema
	switch {
	case len(m.levels) == 1 && m.Call.IsContent(m.name):
		return false, false
	case s.Untyped():
		free := len(m.levels) > 1 || m.form.nests()
		return free, free
	}
	return s.AllowsContainer()
}

// onlyArray reports whether the value must be an array.
func (m *machine) onlyArray() bool {
	object, array := m.schema.AllowsContainer()
	return array && !object && !m.schema.AllowsString()
}

// start handles a tag at the beginning of a value.
func (m *machine) start(h syntax.Host, in string, i int, got token) int {
	object, array := m.containers()
	switch {
	case got == nestedClose && m.tag.is(m.name) && !m.schema.AllowsString():
		m.startEmpty(object, array)
		m.closeValue(h)
		m.to(h, nestedBetween)
		return i
	case got == nestedClose, m.schema.AllowsString() && !m.schema.Untyped() && !m.form.nests():
		return m.startText(h, in, i)
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
	to := h.From()
	if len(m.levels) > m.limits.Depth {
		h.Decide()
		return h.Fail(in, i, toolcall.Rejected, toolcall.ReasonTooDeep)
	}
	m.to(h, nestedBetween)
	return h.Rewind(in, i, to)
}

// startEmpty writes a value without content.
func (m *machine) startEmpty(object, array bool) {
	s := m.schema
	m.beginOut()
	m.Writer.Value(&m.value, s, "", 0)
	switch {
	case s.AllowsString() || !object && !array:
	case array && !object:
		m.value.Reset(syntax.Drop, nil, nil, 0)
		m.Write("[]")
	default:
		m.value.Reset(syntax.Drop, nil, nil, 0)
		m.Write("{}")
	}
}

// startText begins a value that is not a container, and rewinds to its first byte.
func (m *machine) startText(h syntax.Host, in string, i int) int {
	to := h.From()
	if m.onlyArray() && !beginsWith(h.Pending(in, min(i+1, len(in)), to), '[') {
		items := m.nextElement()
		m.beginElement()
		m.beginValue(h, items)
		m.value.Whole = !items.AllowsString()
		if m.value.Whole && m.value.Begun {
			m.value.Whole = false
		}
	} else {
		m.beginValue(h, m.schema)
	}
	return h.Rewind(in, i, to)
}

// beginsWith reports whether c is the first non-blank byte of a text.
func beginsWith(text string, c byte) bool {
	n := lex.SkipBlanks(text, 0)
	return n < len(text) && text[n] == c
}

// beginValue begins the text of a value.
func (m *machine) beginValue(h syntax.Host, s *schema.Schema) {
	if m.repeat == nil {
		m.beginOut()
	}
	m.Writer.Value(&m.value, s, m.args.LayoutOf(m.name), m.limits.Blanks)
	h.Decide()
	m.phase = nestedValue
}

// beginOut opens the current member, or discards it if its name has occurred before.
func (m *machine) beginOut() {
	top := m.top()
	switch {
	case len(m.levels) == 1:
		m.Open(m.name)
		return
	case top.out == nil:
		m.Out = nil
		return
	case !top.array && !top.names.Add(m.name):
		m.Call.Tolerate(toolcall.DuplicateArgument)
		m.Out = nil
		return
	}
	m.Out = top.out
	m.separate(top)
	if !top.array {
		m.Out.AddQuoted(m.name)
		m.Out.AddByte(':')
	}
}

// separate writes the comma before the next member of a container.
func (m *machine) separate(l *level) {
	if l.count++; l.count > 1 {
		l.out.AddByte(',')
	}
}

// laterOf returns the array that collects elements with this name, or nil.
func (l *level) laterOf(name string) *laterMember {
	for _, list := range l.later {
		if list.name == name {
			return list
		}
	}
	return nil
}

// nextElement returns the schema that the current value has as the next element of the
// array with its name.
func (m *machine) nextElement() *schema.Schema {
	if list := m.top().laterOf(m.name); list != nil {
		return m.schema.Element(list.count)
	}
	return m.schema.Element(0)
}

// beginElement makes the current value the next element of the array with its name.
func (m *machine) beginElement() {
	top := m.top()
	if m.repeat = top.laterOf(m.name); m.repeat == nil {
		m.repeat = &laterMember{name: m.name}
		top.later = append(top.later, m.repeat)
	}
	m.elem.Reset()
	m.Out = &m.elem
}

// openLevel makes the current value a container.
func (m *machine) openLevel(s *schema.Schema, array bool) {
	if m.repeat != nil { // another element may be open around it
		m.Out = &jsonstream.Out{}
	}
	m.levels = append(m.levels, level{name: m.name, schema: s, array: array, out: m.Out, repeat: m.repeat})
	m.repeat = nil
	if array {
		m.Write("[")
	} else {
		m.Write("{")
	}
}

// closeLevel ends the innermost container.
func (m *machine) closeLevel() {
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
		m.Close()
	}
}

// add appends an element.
func (l *laterMember) add(json string) {
	l.alone = ""
	if l.count++; l.count > 1 {
		l.elements = append(l.elements, ',')
	}
	l.elements = append(l.elements, json...)
}

// writeLater writes the collected arrays at the end of a container.
func (m *machine) writeLater(l *level) {
	for _, list := range l.later {
		m.name = list.name
		m.beginOut()
		switch {
		case m.Out == nil:
		case list.alone != "":
			m.Out.Add(list.alone)
		default:
			m.Out.AddByte('[')
			m.Out.AddBytes(list.elements)
			m.Out.AddByte(']')
		}
		if len(m.levels) == 1 {
			m.Close()
		}
	}
	l.later = nil
}

// readValue reads a value's text up to a possible end.
func (m *machine) readValue(h syntax.Host, in string, i int) int {
	n := strings.IndexByte(in[i:], m.form.stop)
	if n < 0 {
		m.value.Add(in, i, len(in))
		return len(in)
	}
	m.value.Add(in, i, i+n)
	h.Look(i + n)
	m.phase = nestedEnd
	m.tag.reset(m.form)
	m.tag.ends = true // an opening tag is content
	return i + n
}

// valueMayEnd handles a closing tag inside a value.
func (m *machine) valueMayEnd(h syntax.Host, in string, i int, got token) int {
	if m.tag.is(m.name) {
		m.own = h.At(i)
		m.phase = nestedAfter
		m.tag.reset(m.form)
		return i
	}
	m.upper = m.levelOf(got)
	if m.upper < 0 && !m.endsArgs(got) {
		return m.isContent(h, in, i)
	}
	m.phase = nestedUpper
	m.tag.reset(m.form)
	return i
}

// afterValue handles the tag after a value's closing tag.
func (m *machine) afterValue(h syntax.Host, in string, i int, got token) int {
	if got == nestedClose && m.levelOf(got) < 0 && !m.endsArgs(got) {
		return m.isContent(h, in, i)
	}
	return m.endValue(h, in, i, m.own)
}

// afterUpper handles the tag after the closing tag of a container inside a value. Two such
// closing tags in a row end the value.
func (m *machine) afterUpper(h syntax.Host, in string, i int, got token) int {
	k := m.levelOf(got)
	switch {
	case got == nestedClose && k >= 0 && k < m.upper, m.upper <= 0 && k != 0 && m.endsArgs(got):
		m.Call.Tolerate(toolcall.MissingCloser)
		return m.endValue(h, in, i, h.From())
	}
	return m.isContent(h, in, i)
}

// isContent makes the first pending byte content. The bytes after it are read again, unless
// none of them can matter.
func (m *machine) isContent(h syntax.Host, in string, i int) int {
	m.phase = nestedValue
	from := h.From()
	if !h.IsHeld(from) {
		at := int(from - h.At(0))
		m.value.Add(in, at, at+1)
		return h.Rewind(in, i, from+1)
	}
	rest := h.Pending(in, i, from)
	if strings.IndexByte(rest[1:], m.form.stop) < 0 { // no need to read it again
		m.value.Add(rest, 0, len(rest))
		h.Decide()
		return i
	}
	m.value.Add(rest, 0, 1)
	return h.Rewind(in, i, from+1)
}

// endValue ends the open value and rewinds to the stream offset to, where reading
// continues.
func (m *machine) endValue(h syntax.Host, in string, i int, to int64) int {
	m.closeValue(h)
	m.to(h, nestedBetween)
	return h.Rewind(in, i, to)
}

// closeValue ends the open value.
func (m *machine) closeValue(h syntax.Host) {
	if m.repeat != nil && m.value.Whole {
		m.splitElement(h)
		return
	}
	m.Call.Tolerate(m.value.End())
	switch {
	case m.repeat != nil:
		first := len(m.repeat.elements) == 0
		element := m.elem.Take()
		m.repeat.add(element)
		if text := ""; first && json.Unmarshal([]byte(element), &text) == nil {
			m.repeat.alone = m.scalar(text)
		}
	case len(m.levels) == 1:
		m.Close()
	}
	m.repeat = nil
}

// scalar converts text for a schema that prefers null, a number or a boolean to an array.
// It returns "" if the text is none of them.
func (m *machine) scalar(text string) string {
	scalar, used := m.schema.Convert(text)
	if used != 0 || strings.ContainsAny(scalar[:1], `[{"`) {
		return ""
	}
	return scalar
}

// splitElement adds the elements of an array that is written as text, separated by commas
// or newlines.
func (m *machine) splitElement(h syntax.Host) {
	text := lex.TrimBlanks(string(m.value.Text))
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
		if part = lex.TrimBlanks(part); part == "" {
			continue
		}
		element, used := m.schema.Element(m.repeat.count).Convert(part)
		if alone == "" {
			m.Call.Tolerate(used)
		}
		m.repeat.add(element)
	}
	m.repeat.alone = alone
	m.repeat = nil
}

func (m *machine) Finish(h syntax.Host) bool {
	switch m.phase {
	case nestedAfter: // the value's own closer is present, the call's is not
		m.closeValue(h)
	case nestedUpper: // the call's closer is present, the value's is not
		if m.upper != 0 {
			return false
		}
		m.closeValue(h)
		for len(m.levels) > 1 {
			m.closeLevel()
		}
		m.writeLater(&m.levels[0])
		m.End()
		return true
	}
	return false
}

func (m *machine) Steady() (syntax.Smooth, *syntax.Stops) {
	if m.phase != nestedValue || !m.Writer.Steady() {
		return 0, nil
	}
	return m.value.Steady(m.form.steady)
}
