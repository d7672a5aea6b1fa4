package nested

import (
	"encoding/json"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// beginMember begins the member whose tag was just read.
func (m *machine) beginMember(h syntax.Host, i int) int {
	top := m.top()
	m.name, m.repeat = m.Name(m.tag.name), nil
	if top.array {
		m.schema = top.schema.Element(top.count)
	} else {
		m.schema = top.schema.Property(m.name)
	}
	object, array := m.containers(m.name, m.schema)
	if m.tag.void {
		m.startEmpty(object, array)
		m.closeValue()
		m.to(h, between)
		return i
	}
	if object || array {
		m.to(h, atStart)
		return i
	}
	m.beginValue(h, m.schema)
	return i
}

// containers reports which containers the value of a member, with schema s, may be if it is
// written as tags. A parameter of unknown type is a string, unless tags cannot be text.
func (m *machine) containers(name string, s *schema.Schema) (object, array bool) {
	switch {
	case len(m.levels) == 1 && m.Call.IsContent(name):
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
	object, array := m.containers(m.name, m.schema)
	switch {
	case got == tokenClose && m.tag.is(m.name) && !m.schema.AllowsString():
		m.startEmpty(object, array)
		m.closeValue()
		m.to(h, between)
		return i
	case got == tokenClose, m.schema.AllowsString() && !m.schema.Untyped() && !m.form.nests():
		return m.startText(h, in, i)
	case array && (!object || m.tag.is(dialect.ItemTag) || m.schema.Untyped() && m.tag.isIndex()):
		items := m.nextElement()
		inside, _ := items.AllowsContainer()
		inside = inside || items.Untyped()
		named := m.tag.is(dialect.ItemTag) || m.tag.isIndex()
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
	m.to(h, between)
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
	m.phase, m.quoted = inValue, false
}

// readValue reads a value's text up to a possible end.
func (m *machine) readValue(h syntax.Host, in string, i int) int {
	n := strings.IndexByte(in[i:], m.form.stops[0])
	if n < 0 {
		m.value.Add(in, i, len(in))
		return len(in)
	}
	if next := m.readPlainCloser(h, in, i, i+n); next > 0 {
		return next
	}
	m.value.Add(in, i, i+n)
	h.Look(i + n)
	m.phase = atEnd
	m.tag.reset(m.form)
	m.tag.ends = !m.value.IsScalar() // an opening tag is content
	return i + n
}

// valueMayEnd handles a tag inside a value.
func (m *machine) valueMayEnd(h syntax.Host, in string, i int, got token) int {
	if got == tokenOpen {
		if !m.endsArgs(h, got) {
			return m.isContent(h, in, i)
		}
		m.lacksCloser() // the call was cut, and the next one begins here
		m.Call.Break(toolcall.Malformed, toolcall.ReasonUnreadArgument)
		for len(m.levels) > 1 {
			m.closeLevel()
		}
		return m.finishArgs(h, in, i)
	}
	if m.tag.is(m.name) {
		m.closerEnd = h.At(i)
		m.phase = afterCloser
		m.tag.reset(m.form)
		return i
	}
	m.upper = m.levelOf(got)
	if m.upper < 0 && !m.endsArgs(h, got) {
		return m.isContent(h, in, i)
	}
	m.phase = afterUpper
	m.tag.reset(m.form)
	return i
}

// afterValue handles the tag after a value's closing tag.
func (m *machine) afterValue(h syntax.Host, in string, i int, got token) int {
	if got == tokenClose && m.levelOf(got) < 0 && !m.endsArgs(h, got) {
		return m.isContent(h, in, i)
	}
	h.LookFrom(m.closerEnd + int64(m.tag.blanks))
	m.closeValue()
	m.phase = between
	return m.between(h, in, i, got)
}

// afterUpper handles the tag after the closing tag of a container inside a value. Two such
// closing tags in a row end the value.
func (m *machine) afterUpper(h syntax.Host, in string, i int, got token) int {
	k := m.levelOf(got)
	switch {
	case got == tokenClose && k >= 0 && k < m.upper, m.upper <= 0 && k != 0 && m.endsArgs(h, got):
		m.lacksCloser()
		to := h.From()
		m.to(h, between)
		return h.Rewind(in, i, to)
	}
	return m.isContent(h, in, i)
}

// lacksCloser ends the open value, whose own closing tag is missing. If the value has that
// tag in its text, it probably ended there, and what follows is not content: the call ends
// as malformed.
func (m *machine) lacksCloser() {
	m.Call.Tolerate(toolcall.MissingCloser)
	if m.quoted {
		m.Call.Break(toolcall.Malformed, toolcall.ReasonUnreadArgument)
	}
	m.closeValue()
}

// isContent makes the first pending byte content.
func (m *machine) isContent(h syntax.Host, in string, i int) int {
	m.quoted = m.quoted || m.phase == afterCloser
	m.phase = inValue
	return syntax.NotMarkup(h, in, i, m.form.stops, m.value.Add)
}

// closeValue ends the open value.
func (m *machine) closeValue() {
	if m.repeat != nil && m.value.Whole {
		m.splitElement()
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
func (m *machine) splitElement() {
	text := lex.TrimBlanks(m.value.Text())
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
