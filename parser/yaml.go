package parser

import (
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/toolcall"
)

// yaml reads arguments written as a block mapping of YAML, line by line. Block
// scalars, quoted strings and the first line of plain ones stream; lists, maps and
// flow values are read once their lines are whole. What YAML knows beyond that
// (anchors, tags, complex keys) is text. A line that is neither indented nor a
// key makes a value the text that it is.
type yaml struct {
	argWriter
	phase  yamlPhase
	kind   yamlKind
	base   int // indentation of the keys; -1: not known yet
	schema *schema.Schema

	line   []byte // what is undecided of the line
	indent int    // its blanks
	head   yamlHead
	match  matcher

	value  value
	core   []byte // a plain text that may be no string
	open   bool   // it still may
	text   yamlText
	quote  byte // around a quoted string
	escape escape
	hold   []byte // of a plain text, or of lines: what waits for its end
	whole  bool   // the open value is all of the arguments
	closes bool   // the closer stands in a line, and that ends after it
}

type yamlPhase uint8

const (
	yamlStart      yamlPhase = iota // before the first line
	yamlIndent                      // in the blanks that a line begins with
	yamlLine                        // in a line that may begin a member
	yamlDash                        // after the dash that a line begins with
	yamlEnd                         // at the call's closer at the beginning of a line
	yamlSkip                        // in a comment
	yamlAfterKey                    // after a key's colon
	yamlHeader                      // in the header of a block scalar
	yamlContent                     // in the text of a value
	yamlQuote                       // after a quote in a quoted string
	yamlEscape                      // in an escape
	yamlAfterQuote                  // after a quoted string
	yamlInline                      // at the call's closer in a line
)

// yamlKind is what the open value is.
type yamlKind uint8

const (
	yamlNone    yamlKind = iota // there is none
	yamlPending                 // a key, and no value yet
	yamlPlain                   // plain text
	yamlBlock                   // a block scalar
	yamlRaw                     // text that is no YAML
	yamlLines                   // a list, a map, or a flow value
	yamlQuoted                  // a quoted string
)

func (m *yaml) begin(p *Parser) {
	m.argWriter.begin(p.call)
	m.phase, m.kind, m.base, m.closes, m.whole = yamlStart, yamlNone, -1, false, false
	m.line = m.line[:0]
}

func (m *yaml) read(p *Parser, in string, i int) int {
	switch m.phase {
	case yamlStart:
		return m.start(p, in, i)
	case yamlIndent:
		return m.readIndent(p, in, i)
	case yamlLine, yamlDash:
		return m.readLine(p, in, i)
	case yamlEnd, yamlInline:
		return m.readCloser(p, in, i)
	case yamlSkip:
		for i < len(in) && in[i] != '\n' {
			i++
		}
		if i < len(in) {
			i = m.nextLine(p, i+1)
		}
		return i
	case yamlAfterKey:
		return m.readAfterKey(p, in, i)
	case yamlHeader:
		return m.readHeader(p, in, i)
	case yamlAfterQuote:
		return m.readAfterQuote(p, in, i)
	}
	return m.readContent(p, in, i)
}

// start is before the first line. An object in braces may stand for all of them:
// JSON, whose strings stream, or a flow map.
func (m *yaml) start(p *Parser, in string, i int) int {
	for ; i < len(in); i++ {
		c := in[i]
		switch {
		case isBlank(c) && c == '\n' && !p.looking():
			m.line = m.line[:0]
		case isBlank(c):
			m.line = append(m.line, c)
		case p.looking() && (c == '"' || c == '}'):
			p.call.tolerances |= toolcall.JSONBody
			to := p.cand
			p.beginJSON()
			return p.rewind(in, i, to)
		case p.looking():
			p.deadline = 0
			m.beginLines()
			m.whole, m.phase = true, yamlContent
			m.hold = append(append(m.hold, '{'), m.line...)
			return i
		case c == '{':
			p.lookCloser(i)
			m.line = m.line[:0]
		default: // the blanks before it count
			blanks := m.line
			i = m.nextLine(p, i)
			m.line = blanks
			return i
		}
	}
	return i
}

// nextLine begins a line at in[i]. It is undecided what it is.
func (m *yaml) nextLine(p *Parser, i int) int {
	p.lookCloser(i)
	m.line, m.indent, m.phase = m.line[:0], 0, yamlIndent
	return i
}

// readIndent reads the blanks that a line begins with.
func (m *yaml) readIndent(p *Parser, in string, i int) int {
	from := i
	for i < len(in) && (in[i] == ' ' || in[i] == '\t' || in[i] == '\r') {
		i++
	}
	m.line = append(m.line, in[from:i]...)
	if i == len(in) {
		return i
	}
	m.indent = len(m.line)
	if in[i] == '\n' {
		m.blankLine(p)
		return m.nextLine(p, i+1)
	}
	if !m.mayBegin(in[i]) {
		return m.contentLine(p, i)
	}
	m.head.reset()
	m.phase = yamlLine
	switch c := in[i]; {
	case c == '<':
		m.phase = yamlEnd
		m.match.reset(p.frame.form.after)
	case c == '#' && m.kind != yamlBlock && m.kind != yamlRaw:
		p.deadline, m.phase = 0, yamlSkip
	case c == '-':
		m.line = append(m.line, c)
		m.phase = yamlDash
		return i + 1
	}
	return i
}

// mayBegin reports whether a line that begins with c, after its blanks, may be
// something else than more of the open value.
func (m *yaml) mayBegin(c byte) bool {
	inner := m.indent > m.base && m.base >= 0
	if m.whole {
		return c == '<'
	}
	switch m.kind {
	case yamlPlain, yamlRaw:
		return !inner
	case yamlBlock:
		return !inner && (m.text.indent < 0 || m.text.astray || m.indent < m.text.indent)
	case yamlLines:
		return !inner && c != ']' && c != '}'
	case yamlPending:
		return !inner || c != '"' && c != '\'' && c != '[' && c != '{' && c != '|' && c != '>'
	}
	return true
}

// readLine reads the beginning of a line up to where it is sure what it is.
func (m *yaml) readLine(p *Parser, in string, i int) int {
	if m.phase == yamlDash {
		if i == len(in) {
			return i
		}
		return m.afterDash(p, in, i)
	}
	for ; i < len(in); i++ {
		switch m.head.take(in[i]) {
		case yamlIsKey:
			return m.keyFound(p, in, i)
		case yamlIsOther:
			return m.otherLine(p, in, i)
		}
		m.line = append(m.line, in[i])
	}
	return i
}

// afterDash is after a dash at the beginning of a line.
func (m *yaml) afterDash(p *Parser, in string, i int) int {
	c := in[i]
	switch {
	case isBlank(c) && (m.kind == yamlPending || m.kind == yamlLines):
		return m.contentLine(p, i)
	case c == '-' && len(m.line)-m.indent < 3:
		m.line = append(m.line, c)
		return i + 1
	case isBlank(c) && m.kind == yamlNone && len(m.line)-m.indent == 3: // ---
		p.deadline, m.phase = 0, yamlSkip
		return i
	}
	return m.otherLine(p, in, i)
}

// keyFound is after a key and its colon.
func (m *yaml) keyFound(p *Parser, in string, i int) int {
	key := string(m.head.key)
	if m.kind == yamlPending && m.indent > m.base && m.base >= 0 {
		return m.contentLine(p, i)
	}
	if !m.isKey(key) {
		return m.otherLine(p, in, i)
	}
	if !m.endOpen(p) {
		return m.fails(p, in, i)
	}
	p.deadline = 0
	m.base, m.kind, m.phase = m.indent, yamlPending, yamlAfterKey
	m.line = m.line[:0]
	m.schema = m.argWriter.open(key)
	return i
}

// isKey reports whether a text before a colon is a key. Where a value may go on,
// that must be likely.
func (m *yaml) isKey(key string) bool {
	s := m.call.schema
	switch {
	case key == "":
		return false
	case s.Declares(key), m.kind == yamlNone, m.kind == yamlPending:
		return true
	case m.kind == yamlRaw, m.kind == yamlBlock && m.text.astray:
		return !s.Closed() && isYAMLName(key)
	}
	return isYAMLName(key)
}

func isYAMLName(key string) bool {
	for k := range len(key) {
		if c := key[k]; !isName(c) && c != '$' && c != '/' {
			return false
		}
	}
	return true
}

// otherLine is at a line that is no member.
func (m *yaml) otherLine(p *Parser, in string, i int) int {
	inner := m.indent > m.base && m.base >= 0
	if m.indent == 0 && i < len(in) && in[i] == '\n' && trimBlanks(string(m.line)) == "..." { // the end of a document
		if !m.endOpen(p) {
			return m.fails(p, in, i)
		}
		p.deadline, m.phase = 0, yamlSkip
		return i
	}
	switch m.kind {
	case yamlNone:
		return p.argumentsFail(in, i, toolcall.Malformed, toolcall.ReasonNotAnObject)
	case yamlPending:
		if !inner {
			m.beginText(p, yamlRaw)
		}
	case yamlPlain:
		if !inner {
			m.toRaw()
		}
	case yamlBlock:
		m.text.astray = true
	}
	return m.contentLine(p, i)
}

// contentLine makes the line at hand, of which the bytes before in[i] are read,
// more of the open value.
func (m *yaml) contentLine(p *Parser, i int) int {
	p.deadline = 0
	m.phase = yamlContent
	if m.kind == yamlPending {
		if c := m.line; len(c) > m.indent && c[m.indent] != '-' && m.head.at == yamlHeadOther {
			m.beginText(p, yamlPlain)
			m.line = m.line[m.indent:]
		} else {
			m.beginLines()
		}
	}
	switch m.kind {
	case yamlBlock:
		m.beginBlockLine()
	case yamlPlain, yamlLines:
		if m.kind == yamlPlain && len(m.hold) == 0 && !m.text.held {
			text := trimBlanks(string(m.line))
			m.put(text)
			m.text.gap = append(m.text.gap, m.line[len(text):]...)
			break
		}
		m.hold = append(m.hold, m.line...)
	default:
		m.put(string(m.line))
	}
	m.line = m.line[:0]
	return i
}

// blankLine is at the end of a line of blanks.
func (m *yaml) blankLine(p *Parser) {
	switch m.kind {
	case yamlBlock:
		m.blankBlockLine()
	case yamlPlain, yamlLines:
		m.hold = append(append(m.hold, m.line...), '\n')
	case yamlRaw:
		m.put(string(m.line) + "\n")
	}
}

// lookInline looks at what may be the call's closer in a line, at in[i].
func (m *yaml) lookInline(p *Parser, i int) {
	p.lookCloser(i)
	m.phase, m.closes = yamlInline, false
	m.match.reset(p.frame.form.after)
}

// readCloser reads what may be the call's closer.
func (m *yaml) readCloser(p *Parser, in string, i int) int {
	if !m.closes {
		which, next := m.match.match(in, i)
		switch {
		case which == matchMore:
			return next
		case which == matchNone:
			return m.noCloser(p, in, next)
		case m.phase == yamlEnd:
			return m.finishArgs(p, in, next)
		}
		m.closes = true
		i = next
	}
	for ; i < len(in); i++ {
		if in[i] == '\n' {
			return m.finishArgs(p, in, i)
		}
		if !isBlank(in[i]) {
			return m.noCloser(p, in, i)
		}
	}
	return i
}

// noCloser is where no closer stands.
func (m *yaml) noCloser(p *Parser, in string, i int) int {
	inline := m.phase == yamlInline
	m.closes = false
	if inline {
		m.phase = yamlContent
		if m.kind == yamlQuoted {
			return m.fails(p, in, i)
		}
		if m.kind == yamlLines {
			m.hold = append(m.hold, '<')
		} else {
			m.putPlain(m.waits(), "<", 0, 1)
		}
		return p.rewind(in, i, p.cand+1)
	}
	// The line is of another kind; of its bytes, the < alone has been read.
	m.line = append(m.line, '<')
	to := p.cand + int64(len(m.line))
	p.deadline = 0
	if m.kind == yamlNone {
		return m.otherLine(p, in, i)
	}
	m.head.at = yamlHeadOther
	m.otherLine(p, in, i)
	return p.rewind(in, i, to)
}

// finishArgs ends the arguments before what is looked at.
func (m *yaml) finishArgs(p *Parser, in string, i int) int {
	to := p.cand
	if !m.endOpen(p) {
		m.fails(p, in, i)
		return p.rewind(in, i, to)
	}
	m.end()
	p.argumentsEnd(to)
	return p.rewind(in, i, to)
}

// fails ends the call, whose arguments broke as the call notes.
func (m *yaml) fails(p *Parser, in string, i int) int {
	status, reason := m.text.status, m.text.reason
	if status == 0 {
		status, reason = toolcall.Malformed, toolcall.ReasonInvalidJSON
	}
	return p.argumentsFail(in, i, status, reason)
}

func (m *yaml) expire(p *Parser, in string, i int) int {
	switch m.phase {
	case yamlEnd, yamlInline:
		return m.noCloser(p, in, i)
	}
	if m.kind == yamlNone || m.kind == yamlPending {
		return m.fails(p, in, i)
	}
	return m.contentLine(p, i)
}

func (m *yaml) finish(p *Parser) bool {
	if m.phase != yamlInline || !m.closes || !m.endOpen(p) {
		return false
	}
	m.end()
	return true
}

func (m *yaml) steady(*Parser) (smoothKind, *byteSet) {
	t := &m.text
	if m.phase != yamlContent || m.open || !m.argWriter.steady() {
		return 0, nil
	}
	switch {
	case m.kind == yamlBlock && !t.cr:
		return m.value.steady(lineStops)
	case m.kind == yamlQuoted && m.quote == '"' && t.begun && !t.fresh && t.breaks == 0 && len(t.gap) == 0 && m.escape.high == 0:
		kind, stops := m.value.steady(quotedStops)
		if kind == smoothString { // its escapes are those of JSON
			kind = smoothJSON
		}
		return kind, stops
	}
	return 0, nil
}
