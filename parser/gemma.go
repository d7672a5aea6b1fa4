package parser

import (
	"github.com/toolparse/toolparse/toolcall"
	"slices"
)

// gemma reads arguments in Gemma's literal syntax: {k:<|"|>text<|"|>,n:42,
// o:{a:true},l:[1,2]}. Keys are bare, strings stand between two markers, all
// else is JSON. Beside that it reads strings in plain quotes, and bare text, as
// the models write by mistake. A string's text streams; what may end it counts
// only where what follows does.
type gemma struct {
	argWriter
	form  *gemmaForm
	phase gemmaPhase
	match matcher
	then  gemmaPhase // phase in which a marker is looked at
	stack []gemmaLevel
	key   []byte
	comma bool // a comma is before what comes next

	quote  byte // around the open string; 0: the dialect's own
	escape escape
	value  value  // of a bare text
	lead   []byte // blanks before a value
	lines  bool   // the bare text has a newline in it
	ahead  gemmaAhead
	mark   int64 // stream offset of what follows brackets in a string
	own    int64 // stream offset after what may end a value
}

// gemmaLevel is a container that is open.
type gemmaLevel struct {
	kind  byte // { or [
	count int
}

type gemmaPhase uint8

const (
	gemmaStart    gemmaPhase = iota // before the object
	gemmaItem                       // before a key or an element
	gemmaKey                        // in a bare key
	gemmaQuoted                     // in a quoted one
	gemmaQuotedAt                   // at what may end one in the dialect's quotes
	gemmaColon                      // after it
	gemmaBefore                     // before a value
	gemmaComma                      // after one
	gemmaMark                       // at a marker between them; then is where
	gemmaString                     // in a string
	gemmaEscape                     // in an escape
	gemmaText                       // in a bare text
	gemmaRun                        // in brackets in a string, which may be those that close the call
	gemmaEnd                        // at a marker in a string or a bare text; then is which
	gemmaPast                       // after the call's closer in a string
	gemmaAfter                      // after what may end a value
)

// gemmaForm is what gemma needs of a form, compiled.
type gemmaForm struct {
	marks  []pattern // the quote, then what ends the call
	past   []pattern // what may follow the call's closer where a string lacks its own
	stops  [256]bool // the bytes that matter in a string
	steady *byteSet  // the same
}

func (f *form) compileGemma() *gemmaForm {
	c := &gemmaForm{}
	c.marks = append(newPatterns(f.Args.Quote), f.after...)
	for _, p := range newPatterns(f.Noise...) {
		if !slices.Contains(f.after, p) && len(c.past) < maxPatterns {
			c.past = append(c.past, p) // no opener and no closer: a string may quote those
		}
	}
	for _, p := range c.marks {
		c.stops[p[0]] = true
	}
	c.stops['}'], c.stops[']'] = true, true
	c.steady = newStops("", true)
	for b, stop := range c.stops {
		if stop {
			c.steady[b] = anyGroup
		}
	}
	return c
}

func (m *gemma) begin(p *Parser) {
	m.argWriter.begin(p.call)
	f := p.frame.form
	m.form = f.gemma
	m.stack, m.phase, m.comma = m.stack[:0], gemmaStart, false
}

func (m *gemma) read(p *Parser, in string, i int) int {
	switch m.phase {
	case gemmaKey:
		return m.readKey(p, in, i)
	case gemmaQuoted:
		return m.readQuoted(p, in, i)
	case gemmaString:
		return m.readString(p, in, i)
	case gemmaEscape:
		return m.readEscape(p, in, i)
	case gemmaText:
		return m.readText(p, in, i)
	case gemmaRun:
		return m.readRun(p, in, i)
	case gemmaMark, gemmaQuotedAt, gemmaEnd, gemmaPast:
		return m.readMark(p, in, i)
	case gemmaAfter:
		return m.readAfter(p, in, i)
	}
	return m.readStructure(p, in, i)
}

// readStructure reads what is between keys and values.
func (m *gemma) readStructure(p *Parser, in string, i int) int {
	from := i
	if i = skipBlanks(in, i); m.phase == gemmaBefore && len(m.lead) < p.opts.Limits.BlankBytes {
		m.lead = append(m.lead, in[from:i]...)
	}
	if i == len(in) {
		return i
	}
	c := in[i]
	switch {
	case m.phase == gemmaStart && c == '{':
		return m.push(p, in, i)
	case m.phase == gemmaStart:
		m.end()
		return p.argumentsDone(in, i)
	case m.begins(c) && c != '{' && c != '[':
		p.lookCloser(i)
		m.then, m.phase = m.phase, gemmaMark
		m.match.reset(m.form.marks)
		return i
	}
	switch m.phase {
	case gemmaItem:
		return m.item(p, in, i)
	case gemmaColon:
		if c != ':' {
			return m.fail(p, in, i)
		}
		m.beginMember()
		return i + 1
	case gemmaBefore:
		return m.beginValue(p, in, i)
	}
	return m.afterValue(p, in, i)
}

// begins reports whether a marker may begin with c.
func (m *gemma) begins(c byte) bool { return m.form.stops[c] && c != '}' && c != ']' }

// item is before a key or an element that begins with in[i].
func (m *gemma) item(p *Parser, in string, i int) int {
	switch c := in[i]; {
	case c == '}' || c == ']':
		if m.comma {
			p.call.tolerances |= toolcall.TrailingComma
		}
		return m.pop(p, in, i)
	case c == ',':
		p.call.tolerances |= toolcall.TrailingComma
		return i + 1
	case m.top() == '[':
		m.phase, m.lead = gemmaBefore, m.lead[:0]
		return i
	case c == '"' || c == '\'':
		m.key, m.quote, m.phase = m.key[:0], c, gemmaQuoted
		p.call.tolerances |= toolcall.MissingOpener
		return i + 1
	case c == '{' || c == '[' || c == ':':
		return m.fail(p, in, i)
	}
	m.key, m.phase = m.key[:0], gemmaKey
	return i
}

// readKey reads a bare key.
func (m *gemma) readKey(p *Parser, in string, i int) int {
	for ; i < len(in); i++ {
		switch c := in[i]; {
		case c == ':':
			m.beginMember()
			return i + 1
		case c == ',' || c == '{' || c == '}' || c == '[' || c == ']', m.begins(c), len(m.key) > maxName:
			return m.fail(p, in, i)
		}
		m.key = append(m.key, in[i])
	}
	return i
}

// readQuoted reads a quoted key.
func (m *gemma) readQuoted(p *Parser, in string, i int) int {
	for ; i < len(in); i++ {
		switch c := in[i]; {
		case m.quote != 0 && c == m.quote:
			m.phase = gemmaColon
			return i + 1
		case m.quote == 0 && m.begins(c):
			p.lookCloser(i)
			m.phase = gemmaQuotedAt
			m.match.reset(m.form.marks)
			return i
		case len(m.key) > maxName:
			return m.fail(p, in, i)
		}
		m.key = append(m.key, in[i])
	}
	return i
}

// readMark reads what may be a marker.
func (m *gemma) readMark(p *Parser, in string, i int) int {
	if m.phase == gemmaPast && m.match.untouched() {
		if i = skipBlanks(in, i); i == len(in) {
			return i
		}
	}
	which, next := m.match.match(in, i)
	if which == matchMore {
		return next
	}
	if which == matchNone {
		return m.noMark(p, in, next)
	}
	switch m.phase {
	case gemmaPast:
		return m.endUnclosed(p, in, next)
	case gemmaQuotedAt:
		if which > 0 {
			return m.fail(p, in, next)
		}
		p.deadline = 0
		m.phase = gemmaColon
		return next
	case gemmaEnd:
		return m.endsAt(p, in, next, which)
	}
	if which > 0 {
		return m.closesEarly(p, in, next)
	}
	return m.quoteOpens(p, in, next)
}

// noMark is where what is looked at turns out to be no marker.
func (m *gemma) noMark(p *Parser, in string, i int) int {
	switch m.phase {
	case gemmaEnd, gemmaPast:
		return m.isContent(p, in, i)
	case gemmaQuotedAt:
		m.key = append(m.key, p.pendingFrom(in, i, p.cand)[0])
		m.phase = gemmaQuoted
		return p.rewind(in, i, p.cand+1)
	}
	if m.then == gemmaBefore || m.then == gemmaItem && m.top() == '[' { // text that begins as a marker does
		m.beginText(p)
		m.mark = 0
		return m.isContent(p, in, i)
	}
	return m.fail(p, in, i)
}

// quoteOpens is after the dialect's quote between keys and values.
func (m *gemma) quoteOpens(p *Parser, in string, i int) int {
	p.deadline = 0
	switch {
	case m.then == gemmaColon:
		return m.fail(p, in, i)
	case m.then == gemmaComma:
		p.call.tolerances |= toolcall.MissingComma
	}
	if m.then != gemmaBefore && m.top() == '{' {
		m.key, m.quote, m.phase = m.key[:0], 0, gemmaQuoted
		return i
	}
	m.beginString(0)
	return i
}

// closesEarly ends the arguments at a closer of the call before their own.
func (m *gemma) closesEarly(p *Parser, in string, i int) int {
	switch m.then {
	case gemmaColon:
		return m.fail(p, in, i)
	case gemmaBefore:
		m.empty()
	}
	to := p.cand
	m.closeAll(p)
	p.argumentsEnd(to)
	return p.rewind(in, i, to)
}

// closeAll closes what is open, and ends the arguments.
func (m *gemma) closeAll(p *Parser) {
	p.call.tolerances |= toolcall.MissingCloser
	for len(m.stack) > 0 {
		m.closeTop()
	}
	m.end()
}

// beginMember begins the value of the key that has been read.
func (m *gemma) beginMember() {
	m.phase, m.comma, m.lead = gemmaBefore, false, m.lead[:0]
	key := trimBlanks(string(m.key))
	if len(m.stack) == 1 {
		m.open(key)
		return
	}
	m.separate()
	if m.out != nil {
		m.out.AddQuoted(key)
		m.out.AddByte(':')
	}
}

// separate puts a comma before all but the first in a nested container.
func (m *gemma) separate() {
	top := &m.stack[len(m.stack)-1]
	if top.count > 0 {
		m.emit(",")
	}
	top.count++
}

// beginElement is before a value, in a list.
func (m *gemma) beginElement() {
	m.comma = false
	if m.top() == '[' {
		m.separate()
	}
}

// beginValue begins the value that begins with in[i].
func (m *gemma) beginValue(p *Parser, in string, i int) int {
	switch c := in[i]; c {
	case '{', '[':
		m.beginElement()
		return m.push(p, in, i)
	case '"', '\'':
		p.call.tolerances |= toolcall.MissingOpener
		m.beginString(c)
		return i + 1
	case ',', '}', ']':
		m.empty()
		return i
	}
	m.beginText(p)
	return i
}

// empty makes the value of a key without one an empty string.
func (m *gemma) empty() {
	if !m.plain() {
		m.emit(`""`)
	}
	m.valueDone()
}

// push opens a container.
func (m *gemma) push(p *Parser, in string, i int) int {
	if len(m.stack) >= p.opts.Limits.Depth {
		return p.argumentsFail(in, i, toolcall.Rejected, toolcall.ReasonTooDeep)
	}
	if len(m.stack) > 0 {
		m.emit(in[i : i+1])
	}
	m.stack = append(m.stack, gemmaLevel{kind: in[i]})
	m.phase, m.comma = gemmaItem, false
	return i + 1
}

// pop closes the container that the bracket in[i] belongs to, and those in it.
func (m *gemma) pop(p *Parser, in string, i int) int {
	level := m.levelOf(in[i], len(m.stack))
	if level < 0 { // it closes nothing
		p.call.tolerances |= toolcall.MissingOpener
		m.phase = gemmaComma
		return i + 1
	}
	if level < len(m.stack)-1 {
		p.call.tolerances |= toolcall.MissingCloser
	}
	for len(m.stack) > level {
		m.closeTop()
	}
	if level > 0 {
		return i + 1
	}
	m.end()
	return p.argumentsDone(in, i+1)
}

// levelOf is the innermost container below depth that the bracket c closes; -1
// where there is none.
func (m *gemma) levelOf(c byte, depth int) int {
	for depth--; depth >= 0; depth-- {
		if m.stack[depth].kind == c-2 { // { and }, [ and ] are two apart
			return depth
		}
	}
	return -1
}

// closeTop closes the innermost container.
func (m *gemma) closeTop() {
	top := m.top()
	m.stack = m.stack[:len(m.stack)-1]
	switch {
	case len(m.stack) == 0:
		if m.out != nil {
			m.close()
		}
		return
	case top == '{':
		m.emit("}")
	default:
		m.emit("]")
	}
	m.valueDone()
}

// valueDone is after a value.
func (m *gemma) valueDone() {
	if len(m.stack) == 1 {
		m.close()
	}
	m.phase = gemmaComma
}

// afterValue reads what follows a value.
func (m *gemma) afterValue(p *Parser, in string, i int) int {
	switch c := in[i]; {
	case c == ',':
		m.phase, m.comma = gemmaItem, true
		return i + 1
	case c == '}' || c == ']':
		return m.pop(p, in, i)
	case m.top() == '{' && (isNameStart(c) || c == '"' || c == '\''):
		p.call.tolerances |= toolcall.MissingComma
		m.phase = gemmaItem
		return i
	}
	return m.fail(p, in, i)
}

func (m *gemma) fail(p *Parser, in string, i int) int {
	return p.argumentsFail(in, i, toolcall.Malformed, toolcall.ReasonInvalidJSON)
}

func (m *gemma) top() byte { return m.stack[len(m.stack)-1].kind }

// plain reports whether a string that begins now is the content of a file tool.
func (m *gemma) plain() bool { return m.content }

func (m *gemma) emit(s string) {
	if m.out != nil {
		m.out.Add(s)
	}
}

// put writes in[a:b] as content of a string.
func (m *gemma) put(in string, a, b int) {
	switch {
	case m.out == nil || a >= b:
	case m.plain():
		m.out.Pass(in, a, b)
	default:
		escapeInto(m.out, in, a, b)
	}
}

func (m *gemma) finish(p *Parser) bool {
	switch m.phase {
	case gemmaPast: // the call's closer is there, the value's is not
		m.endString()
		m.closeAll(p)
		return true
	case gemmaAfter:
		return m.finishAfter(p)
	}
	return false
}

func (m *gemma) steady(*Parser) (smoothKind, *byteSet) {
	switch {
	case m.phase != gemmaString || m.quote != 0 || !m.argWriter.steady():
		return 0, nil
	case m.plain():
		return smoothPlain, m.form.steady
	}
	return smoothString, m.form.steady
}
