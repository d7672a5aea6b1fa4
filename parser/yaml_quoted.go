package parser

import "github.com/toolparse/toolparse/toolcall"

// readQuoted reads on in a quoted string.
func (m *yaml) readQuoted(p *Parser, in string, i int) int {
	t := &m.text
	if m.phase == yamlQuote {
		return m.afterQuoteMark(p, in, i)
	}
	if m.phase == yamlEscape {
		return m.readEscape(p, in, i)
	}
	for i < len(in) {
		c := in[i]
		switch {
		case c == '\n':
			if t.inner {
				return m.fails(p, in, i)
			}
			t.gap, t.fresh = t.gap[:0], true
			t.breaks++
			i++
			continue
		case isBlank(c):
			if !t.fresh {
				if t.gap = append(t.gap, c); len(t.gap) > p.opts.Limits.BlankBytes {
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
			p.lookCloser(i)
			return i + 1
		case c == '\\' && m.quote == '"':
			m.escape.begin()
			m.phase = yamlEscape
			return i + 1
		}
		m.put(m.escape.flush())
		n := i + 1
		for n < len(in) && in[n] != m.quote && in[n] != '\\' && !isBlank(in[n]) {
			n++
		}
		m.putPart(in, i, n)
		i = n
	}
	return i
}

// flushQuoted writes the newlines and blanks before more of the string.
func (m *yaml) flushQuoted() {
	t := &m.text
	if t.breaks > 0 || len(t.gap) > 0 {
		m.put(m.escape.flush())
	}
	m.put(yamlBreaks(t.breaks))
	m.put(string(t.gap))
	t.breaks, t.gap, t.fresh = 0, t.gap[:0], false
}

// readEscape reads an escape in a string in double quotes.
func (m *yaml) readEscape(p *Parser, in string, i int) int {
	for ; i < len(in); i++ {
		if c := in[i]; c == '\n' && len(m.escape.seen) == 1 { // the line goes on in the next
			m.text.fresh, m.phase = true, yamlContent
			return i + 1
		}
		text, verdict := m.escape.add(in[i])
		m.put(text)
		switch verdict {
		case escapeMore:
			continue
		case escapeDone:
			i++
		case escapeWrong:
			p.call.tolerances |= toolcall.InvalidEscape
		}
		m.phase = yamlContent
		break
	}
	return i
}

// afterQuoteMark is after a quote in a quoted string.
func (m *yaml) afterQuoteMark(p *Parser, in string, i int) int {
	switch c := in[i]; {
	case c == '\'' && m.quote == '\'': // two stand for one
		p.deadline = 0
		m.put("'")
		m.phase = yamlContent
		return i + 1
	case c == '"' && m.quote == '"' && !m.text.begun: // three, as in Python: text as it is
		p.deadline = 0
		m.kind = yamlRaw
		m.call.tolerances |= toolcall.TextBetween
		m.put(`"""`)
		m.phase = yamlContent
		return i + 1
	}
	m.phase = yamlAfterQuote
	m.text.gap = m.text.gap[:0]
	return i
}

// readAfterQuote reads what follows a quote that may end a string. It does where
// the line ends, or the call.
func (m *yaml) readAfterQuote(p *Parser, in string, i int) int {
	t := &m.text
	for ; i < len(in); i++ {
		c := in[i]
		switch {
		case c == '\n', c == '#' && len(t.gap) > 0:
			p.deadline = 0
			m.put(m.escape.flush())
			m.endOpen(p)
			if c == '#' {
				m.phase = yamlSkip
				return i
			}
			return m.nextLine(p, i+1)
		case isBlank(c):
			t.gap = append(t.gap, c)
			continue
		case c == '<':
			m.lookInline(p, i)
			return i
		}
		// It stands in the string.
		t.inner = true
		p.call.tolerances |= toolcall.InvalidEscape
		p.deadline = 0
		m.put(string(m.quote) + string(t.gap))
		t.gap = t.gap[:0]
		m.phase = yamlContent
		return i
	}
	return i
}
