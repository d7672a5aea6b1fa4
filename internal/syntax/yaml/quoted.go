package yaml

import (
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// readQuoted reads a quoted string.
func (m *machine) readQuoted(h syntax.Host, in string, i int) int {
	t := &m.text
	if m.phase == yamlQuote {
		return m.afterQuoteMark(h, in, i)
	}
	if m.phase == yamlEscape {
		return m.readEscape(h, in, i)
	}
	for i < len(in) {
		c := in[i]
		switch {
		case c == '\n':
			if t.inner {
				return m.fails(h, in, i)
			}
			t.gap, t.fresh = t.gap[:0], true
			t.breaks++
			i++
			continue
		case lex.IsBlank(c):
			if !t.fresh {
				if t.gap = append(t.gap, c); len(t.gap) > m.limits.Blanks {
					m.flushQuoted()
				}
			}
			i++
			continue
		}
		m.flushQuoted()
		switch {
		case c == m.quote:
			m.phase = yamlQuote
			h.Look(i)
			return i + 1
		case c == '\\' && m.quote == '"':
			m.escape.Begin()
			m.phase = yamlEscape
			return i + 1
		}
		m.put(m.escape.Flush())
		n := i + 1
		for n < len(in) && in[n] != m.quote && in[n] != '\\' && !lex.IsBlank(in[n]) {
			n++
		}
		m.putPart(in, i, n)
		i = n
	}
	return i
}

// flushQuoted writes the newlines and blanks that precede more of the string.
func (m *machine) flushQuoted() {
	t := &m.text
	if t.breaks > 0 || len(t.gap) > 0 {
		m.put(m.escape.Flush())
	}
	m.put(yamlBreaks(t.breaks))
	m.put(string(t.gap))
	t.breaks, t.gap, t.fresh = 0, t.gap[:0], false
}

// readEscape reads an escape in a double-quoted string.
func (m *machine) readEscape(h syntax.Host, in string, i int) int {
	for ; i < len(in); i++ {
		if c := in[i]; c == '\n' && m.escape.Begun() { // the line continues in the next one
			m.text.fresh, m.phase = true, yamlContent
			return i + 1
		}
		text, verdict := m.escape.Add(in[i])
		m.put(text)
		switch verdict {
		case lex.EscapeMore:
			continue
		case lex.EscapeDone:
			i++
		case lex.EscapeWrong:
			m.Call.Tolerate(toolcall.InvalidEscape)
		}
		m.phase = yamlContent
		break
	}
	return i
}

// afterQuoteMark reads the byte after a quote in a quoted string.
func (m *machine) afterQuoteMark(h syntax.Host, in string, i int) int {
	switch c := in[i]; {
	case c == '\'' && m.quote == '\'': // two quotes stand for one
		h.Decide()
		m.put("'")
		m.phase = yamlContent
		return i + 1
	case c == '"' && m.quote == '"' && !m.text.begun: // three quotes, as in Python: the text is kept as it is
		h.Decide()
		m.kind = yamlRaw
		m.Call.Tolerate(toolcall.TextBetween)
		m.put(`"""`)
		m.phase = yamlContent
		return i + 1
	}
	m.phase = yamlAfterQuote
	m.text.gap = m.text.gap[:0]
	return i
}

// readAfterQuote reads what follows a quote that may end a string. It does at the end of
// the line or the call.
func (m *machine) readAfterQuote(h syntax.Host, in string, i int) int {
	t := &m.text
	for ; i < len(in); i++ {
		c := in[i]
		switch {
		case c == '\n', c == '#' && len(t.gap) > 0:
			h.Decide()
			m.put(m.escape.Flush())
			m.endOpen(h)
			if c == '#' {
				m.phase = yamlSkip
				return i
			}
			return m.nextLine(h, i+1)
		case lex.IsBlank(c):
			t.gap = append(t.gap, c)
			continue
		case c == '<':
			m.lookInline(h, i)
			return i
		}
		// The quote is part of the string.
		t.inner = true
		m.Call.Tolerate(toolcall.InvalidEscape)
		h.Decide()
		m.put(string(m.quote) + string(t.gap))
		t.gap = t.gap[:0]
		m.phase = yamlContent
		return i
	}
	return i
}
