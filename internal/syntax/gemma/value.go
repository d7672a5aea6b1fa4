package gemma

import (
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// beginString begins a string after its quote; 0 stands for the dialect's own quote.
func (m *machine) beginString(quote byte) {
	m.beginElement()
	m.quote, m.escape.High, m.phase, m.quoted = quote, 0, inString, false
	m.stray = syntax.StrayQuotes{}
	if len(m.stack) == 1 {
		m.BeginText()
	}
	if !m.Content {
		m.Write(`"`)
	}
}

// readString reads a string up to a possible end.
func (m *machine) readString(h syntax.Host, in string, i int) int {
	n := m.findStop(in, i)
	if m.escape.High != 0 && (n > i || n < len(in) && in[n] != '\\') {
		m.addText(m.escape.Flush())
	}
	if m.put(in, i, n); n == len(in) {
		return n
	}
	switch c := in[n]; {
	case m.quote != 0 && c == '\\':
		m.escape.Begin()
		m.phase = inEscape
		return n + 1
	case m.quote != 0 && c == m.quote:
		h.Look(n)
		m.lookAfter(h.At(n + 1))
		return n + 1
	case c == '}' || c == ']':
		h.Look(n)
		m.phase = inBrackets
		return n
	case m.quote == 0:
		looked := m.limits.Lookable(in, n)
		if which, next := m.form.marks.Begins(looked, n); which == 0 {
			if next = m.readPlainEnd(looked, next, m.endString); next > 0 {
				return next
			}
		}
	}
	m.lookAt(h, n)
	return n
}

// findStop returns the offset of the next byte in a string that may end it or that is the
// beginning of an escape, or len(in).
func (m *machine) findStop(in string, i int) int {
	for {
		if m.quote == 0 && m.form.finder != nil {
			i = m.form.finder.Find(in, i)
		}
		for i < len(in) && !m.form.stops[in[i]] && (m.quote == 0 || in[i] != m.quote && in[i] != '\\') {
			i++
		}
		if i == len(in) || in[i] != '}' && in[i] != ']' {
			return i
		}
		// Brackets are content, unless a marker follows.
		looked := m.limits.Lookable(in, i)
		next := skipBrackets(looked, i)
		if next == len(looked) || m.begins(in[next]) {
			return i
		}
		i = next
	}
}

// skipBrackets returns the offset after the closing brackets and blanks at in[i].
func skipBrackets(in string, i int) int {
	for i < len(in) && (lex.IsBlank(in[i]) || in[i] == '}' || in[i] == ']') {
		i++
	}
	return i
}

// lookAt begins a look at a possible marker inside a value, at in[i].
func (m *machine) lookAt(h syntax.Host, i int) {
	h.Look(i)
	m.mark = h.From()
	m.then, m.phase = m.phase, atEnd
	m.match.Reset(m.form.marks)
}

// readEscape reads an escape in a plainly quoted string.
func (m *machine) readEscape(in string, i int) int {
	text, next, verdict := m.escape.Read(in, i)
	m.addText(text)
	if verdict == lex.EscapeWrong {
		m.Call.Tolerate(toolcall.InvalidEscape)
	}
	if verdict != lex.EscapeMore {
		m.phase = inString
	}
	return next
}

func (m *machine) addText(text string) { m.put(text, 0, len(text)) }

// endString ends a string.
func (m *machine) endString() {
	if m.stray.Swallow() {
		m.Call.Break(toolcall.Malformed, toolcall.ReasonUnreadArgument)
	}
	if !m.Content {
		m.Write(`"`)
	}
	m.valueDone()
}

// lacksQuote ends a string whose closing quote is missing. If the string has a marker of a
// call in its text, it probably ended there, and another call may be in it: this call ends
// as malformed.
func (m *machine) lacksQuote() {
	if m.quoted {
		m.Call.Break(toolcall.Malformed, toolcall.ReasonUnreadArgument)
	}
	m.endString()
}

// beginText begins a bare text.
func (m *machine) beginText() {
	m.beginElement()
	var property *schema.Schema
	if len(m.stack) == 1 {
		property = m.Schema().Property(m.Writer.Key)
	}
	s := schema.Any
	if len(m.stack) == 1 && m.Call.IsContent(m.Writer.Key) {
		s = nil // always a text, whatever it looks like
	}
	m.Writer.Value(&m.value, s, dialect.LayoutTrim, m.limits.Blanks)
	m.lines, m.value.None = false, true
	// A multi-line text for a string parameter keeps the blanks before it.
	if strings.IndexByte(string(m.lead), '\n') >= 0 && !property.Untyped() && property.IsText() {
		m.value.AddText(string(m.lead))
	}
	m.phase = inText
}

// readText reads a bare text up to a possible end.
func (m *machine) readText(h syntax.Host, in string, i int) int {
	n := i
	for n < len(in) && !m.form.stops[in[n]] && in[n] != ',' && (in[n] != ')' || !m.round) {
		m.lines = m.lines || in[n] == '\n'
		n++
	}
	m.value.Add(in, i, n)
	if n == len(in) {
		return n
	}
	switch c := in[n]; {
	case c == ',' && m.top() == '[', m.closes(c) && m.isScalar():
		m.endText()
		return n
	case c == ',' || m.closes(c):
		if c == ',' && m.value.Undecided() {
			if next := m.readPlainEnd(m.limits.Lookable(in, n), n, m.endText); next > 0 {
				return next
			}
		}
		h.Look(n)
		m.lookAfter(h.From())
		return n
	}
	m.lookAt(h, n)
	return n
}

// isScalar reports whether the bare text so far is a number, a boolean or null.
func (m *machine) isScalar() bool {
	if !m.value.Undecided() {
		return false
	}
	text := lex.TrimBlanks(m.value.Text())
	_, python := pythonLiteral(text)
	return python || text == "true" || text == "false" || text == "null" || jsonvalue.IsNumber(text)
}

// pythonLiteral returns the JSON of a literal in Python's notation.
func pythonLiteral(text string) (json string, ok bool) {
	switch text {
	case "None":
		return "null", true
	case "True":
		return "true", true
	case "False":
		return "false", true
	}
	if number, cut := strings.CutSuffix(text, "."); cut && jsonvalue.IsNumber(number) && lex.IsDigits(strings.TrimPrefix(number, "-")) {
		return number, true
	}
	return "", false
}

// endText ends a bare text.
func (m *machine) endText() {
	if m.isScalar() {
		text := lex.TrimBlanks(m.value.Text())
		if json, ok := pythonLiteral(text); ok {
			m.value.SetText(json)
			if text != "None" { // which Gemma 4's first templates write
				m.Call.Tolerate(toolcall.PythonLiteral)
			}
		}
	}
	m.Call.Tolerate(m.value.End())
	m.valueDone()
}

// readRun reads closing brackets in a string. They are content, unless they close the call
// because the string lacks its quote.
func (m *machine) readRun(h syntax.Host, in string, i int) int {
	if i = skipBrackets(in, i); i == len(in) {
		return i
	}
	m.mark = h.At(i)
	m.phase = inString
	if !m.begins(in[i]) {
		return m.isContent(h, in, i)
	}
	m.then, m.phase = inString, atEnd
	m.match.Reset(m.form.marks)
	return i
}

// endsAt handles marker number which inside a value.
func (m *machine) endsAt(h syntax.Host, in string, i, which int) int {
	switch {
	case which > 0 && m.then == inText:
		m.endText()
		m.then = afterValue
		return m.closesEarly(h, in, i)
	case which > 0:
		m.phase = afterCloser
		m.match.Reset(m.form.past)
	case m.mark > h.From() || m.then == inString && m.quote != 0:
		return m.isContent(h, in, i)
	default:
		m.lookAfter(h.At(i))
	}
	return i
}

// isContent makes pending bytes content: a run of brackets as a whole, otherwise the first
// byte. The rest is read again.
func (m *machine) isContent(h syntax.Host, in string, i int) int {
	if m.phase == inString || m.phase == inText {
		m.then = m.phase
	}
	m.phase = m.then
	to := max(m.mark, h.From()+1)
	i = max(i, int(to-h.At(0))) // where the first byte alone was enough to decide
	text := h.Pending(in, i, h.From())[:to-h.From()]
	m.lines = m.lines || strings.IndexByte(text, '\n') >= 0
	if m.then == inText {
		m.value.Add(text, 0, len(text))
	} else {
		m.addText(text)
	}
	return h.Rewind(in, i, to)
}

func (m *machine) Expire(h syntax.Host, in string, i int) int {
	switch m.phase {
	case inBrackets:
		m.mark, m.phase = h.At(i), inString
		return m.isContent(h, in, i)
	case afterEnd:
		return m.isContent(h, in, i)
	}
	return m.noMark(h, in, i)
}
