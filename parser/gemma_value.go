package parser

import (
	"strings"

	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/toolcall"
)

// beginString begins a string after its quote; 0 is the dialect's own.
func (m *gemma) beginString(quote byte) {
	m.beginElement()
	m.quote, m.escape.high, m.phase = quote, 0, gemmaString
	if len(m.stack) == 1 {
		m.beginsText()
	}
	if !m.plain() {
		m.emit(`"`)
	}
}

// readString reads a string up to what may end it.
func (m *gemma) readString(p *Parser, in string, i int) int {
	n := i
	for n < len(in) && !m.form.stops[in[n]] && (m.quote == 0 || in[n] != m.quote && in[n] != '\\') {
		n++
	}
	if m.escape.high != 0 && (n > i || n < len(in) && in[n] != '\\') {
		m.addText(m.escape.flush())
	}
	if m.put(in, i, n); n == len(in) {
		return n
	}
	switch c := in[n]; {
	case m.quote != 0 && c == '\\':
		m.escape.begin()
		m.phase = gemmaEscape
		return n + 1
	case m.quote != 0 && c == m.quote:
		p.lookCloser(n)
		m.lookAfter(p.at(n + 1))
		return n + 1
	case c == '}' || c == ']':
		p.lookCloser(n)
		m.phase = gemmaRun
		return n
	}
	m.lookAt(p, n)
	return n
}

// lookAt looks at a marker in a value, which begins at in[i].
func (m *gemma) lookAt(p *Parser, i int) {
	p.lookCloser(i)
	m.mark = p.cand
	m.then, m.phase = m.phase, gemmaEnd
	m.match.reset(m.form.marks)
}

// readEscape reads an escape in a string in plain quotes.
func (m *gemma) readEscape(p *Parser, in string, i int) int {
	for i < len(in) {
		text, verdict := m.escape.add(in[i])
		m.addText(text)
		switch verdict {
		case escapeMore:
			i++
			continue
		case escapeDone:
			i++
		case escapeWrong:
			p.call.tolerances |= toolcall.InvalidEscape
		}
		m.phase = gemmaString
		break
	}
	return i
}

func (m *gemma) addText(text string) { m.put(text, 0, len(text)) }

// endString ends a string.
func (m *gemma) endString() {
	if !m.plain() {
		m.emit(`"`)
	}
	m.valueDone()
}

// beginText begins a bare text.
func (m *gemma) beginText(p *Parser) {
	m.beginElement()
	var property *schema.Schema
	if len(m.stack) == 1 {
		property = m.call.schema.Property(m.argWriter.key)
	}
	s := schema.Any
	if len(m.stack) == 1 && m.call.isContent(m.argWriter.key) {
		s = nil // a text, whatever it looks like
	}
	m.valueOf(&m.value, s, LayoutTrim, p.opts.Limits.BlankBytes)
	m.lines, m.value.none = false, true
	// A block of text for a parameter that is one keeps the blanks before it.
	if strings.IndexByte(string(m.lead), '\n') >= 0 && !property.Untyped() && !property.MayConvert("") {
		m.value.addText(string(m.lead))
	}
	m.phase = gemmaText
}

// readText reads a bare text up to what may end it.
func (m *gemma) readText(p *Parser, in string, i int) int {
	n := i
	for n < len(in) && !m.form.stops[in[n]] && in[n] != ',' {
		m.lines = m.lines || in[n] == '\n'
		n++
	}
	m.value.add(in, i, n)
	if n == len(in) {
		return n
	}
	switch c := in[n]; {
	case c == ',' && m.top() == '[', (c == '}' || c == ']') && m.isScalar():
		m.endText(p)
		return n
	case c == ',' || c == '}' || c == ']':
		p.lookCloser(n)
		m.lookAfter(p.cand)
		return n
	}
	m.lookAt(p, n)
	return n
}

// isScalar reports whether the bare text so far is a number, a boolean or null.
func (m *gemma) isScalar() bool {
	if m.value.sink != sinkTyped || m.value.begun {
		return false
	}
	text := trimBlanks(string(m.value.text))
	_, python := gemmaLiteral(text)
	return python || text == "true" || text == "false" || text == "null" || jsonstream.IsNumber(text)
}

// gemmaLiteral is the JSON of a literal that Python would write.
func gemmaLiteral(text string) (json string, ok bool) {
	switch text {
	case "None":
		return "null", true
	case "True":
		return "true", true
	case "False":
		return "false", true
	}
	if number, cut := strings.CutSuffix(text, "."); cut && jsonstream.IsNumber(number) && isDigits(strings.TrimPrefix(number, "-")) {
		return number, true
	}
	return "", false
}

// endText ends a bare text.
func (m *gemma) endText(p *Parser) {
	if m.isScalar() {
		if json, ok := gemmaLiteral(trimBlanks(string(m.value.text))); ok {
			m.value.text = append(m.value.text[:0], json...)
			p.call.tolerances |= toolcall.PythonLiteral
		}
	}
	p.call.tolerances |= m.value.end()
	m.valueDone()
}

// readRun reads brackets in a string. They are content, unless they are those
// that close the call, and the string lacks its quote.
func (m *gemma) readRun(p *Parser, in string, i int) int {
	for i < len(in) && (isBlank(in[i]) || in[i] == '}' || in[i] == ']') {
		i++
	}
	if i == len(in) {
		return i
	}
	m.mark = p.at(i)
	m.phase = gemmaString
	if !m.begins(in[i]) {
		return m.isContent(p, in, i)
	}
	m.then, m.phase = gemmaString, gemmaEnd
	m.match.reset(m.form.marks)
	return i
}

// endsAt is after a marker in a value.
func (m *gemma) endsAt(p *Parser, in string, i, which int) int {
	switch {
	case which > 0 && m.then == gemmaText:
		m.endText(p)
		m.then = gemmaComma
		return m.closesEarly(p, in, i)
	case which > 0:
		m.phase = gemmaPast
		m.match.reset(m.form.past)
	case m.mark > p.cand || m.then == gemmaString && m.quote != 0:
		return m.isContent(p, in, i)
	default:
		m.lookAfter(p.at(i))
	}
	return i
}

// endUnclosed ends a string that lacks its quote at the closer of the call, and
// the arguments with it.
func (m *gemma) endUnclosed(p *Parser, in string, i int) int {
	m.endString()
	m.then = gemmaComma
	return m.closesEarly(p, in, i)
}

// isContent makes what is looked at content: brackets up to what follows them,
// or its first byte. What follows that is read again.
func (m *gemma) isContent(p *Parser, in string, i int) int {
	if m.phase == gemmaString || m.phase == gemmaText {
		m.then = m.phase
	}
	m.phase = m.then
	to := max(m.mark, p.cand+1)
	i = max(i, int(to-p.off)) // where its first byte alone decided
	text := p.pendingFrom(in, i, p.cand)[:to-p.cand]
	m.lines = m.lines || strings.IndexByte(text, '\n') >= 0
	if m.then == gemmaText {
		m.value.add(text, 0, len(text))
	} else {
		m.addText(text)
	}
	return p.rewind(in, i, to)
}

func (m *gemma) expire(p *Parser, in string, i int) int {
	switch m.phase {
	case gemmaRun:
		m.mark, m.phase = p.at(i), gemmaString
		return m.isContent(p, in, i)
	case gemmaAfter:
		return m.goesOn(p, in, i)
	}
	return m.noMark(p, in, i)
}
