package yaml

import (
	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// quotedText reads a quoted string, whose lines are folded.
type quotedText struct {
	quote    byte
	escape   lex.Escape
	escaping bool   // in an escape
	gap      []byte // blanks that may end a line
	limit    int    // maximum length of gap, in bytes
	breaks   int    // line breaks that have not been written yet
	fresh    bool   // in the leading blanks of a line
	started  bool   // part of the string has been written
	inner    bool   // it contains an unescaped quote
	carriage bool   // a carriage return that continues the line has been read, and nothing since
	used     toolcall.Tolerances
}

// quotedEnd says where quotedText stops reading.
type quotedEnd uint8

const (
	quotedMore   quotedEnd = iota // at the end of the input
	quotedQuote                   // at a quote
	quotedBroken                  // at a line break after an unescaped quote
)

// reset prepares q for another string.
func (q *quotedText) reset(quote byte, limit int) {
	*q = quotedText{quote: quote, limit: limit, gap: q.gap[:0], escape: q.escape}
	q.escape.Set, q.escape.High = lex.EscapesYAML, 0
}

// read writes the string to v up to a quote, and returns where it stops.
func (q *quotedText) read(in string, i int, v *syntax.Value) (int, quotedEnd) {
	for i < len(in) {
		c, carriage := in[i], q.carriage
		q.carriage = false
		switch {
		case q.escaping:
			i = q.readEscape(in, i, v)
			continue
		case c == '\n' && carriage:
			i++
			continue
		case c == '\n' && q.inner:
			return i, quotedBroken
		case c == '\n':
			q.gap, q.fresh = q.gap[:0], true
			q.breaks++
			i++
			continue
		case lex.IsBlank(c):
			if !q.fresh {
				if q.gap = append(q.gap, c); len(q.gap) > q.limit {
					q.flush(v)
				}
			}
			i++
			continue
		}
		q.flush(v)
		if n := q.sameInJSON(in, i, v); n > i {
			v.Out.Pass(in, i, n)
			q.started, i = true, n
			continue
		}
		if c == '\\' && q.quote == '"' {
			q.escape.Begin()
			q.escaping = true
			i++
			continue
		}
		q.put(v, q.escape.Flush())
		if c == q.quote {
			return i, quotedQuote
		}
		n := i + 1
		for n < len(in) && in[n] != q.quote && in[n] != '\\' && !lex.IsBlank(in[n]) {
			n++
		}
		v.Add(in, i, n)
		q.started = true
		i = n
	}
	return i, quotedMore
}

// sameInJSON returns the offset up to which JSON writes in[i:] in the same way, if the string
// becomes one of JSON. Blanks at the end may belong to a line break.
func (q *quotedText) sameInJSON(in string, i int, v *syntax.Value) int {
	if kind, _ := v.PassThrough(quotedStops); kind != syntax.PassString || q.quote != '"' || q.escape.High != 0 {
		return i
	}
	n := jsonstream.QuotedEnd(in, i, '"')
	for n > i && in[n-1] == ' ' {
		n--
	}
	return n
}

func (q *quotedText) put(v *syntax.Value, text string) {
	v.Add(text, 0, len(text))
	q.started = q.started || text != ""
}

// flush writes the line breaks and blanks that precede more of the string.
func (q *quotedText) flush(v *syntax.Value) {
	if q.breaks > 0 || len(q.gap) > 0 {
		q.put(v, q.escape.Flush())
		q.put(v, foldBreaks(q.breaks))
		q.put(v, string(q.gap))
		q.breaks, q.gap = 0, q.gap[:0]
	}
	q.fresh = false
}

// readEscape reads an escape in a double-quoted string.
func (q *quotedText) readEscape(in string, i int, v *syntax.Value) int {
	if c := in[i]; (c == '\n' || c == '\r') && q.escape.Begun() { // the line continues in the next one
		q.fresh, q.escaping, q.carriage = true, false, c == '\r'
		return i + 1
	}
	text, next, verdict := q.escape.Read(in, i)
	q.put(v, text)
	if verdict == lex.EscapeWrong {
		q.used |= toolcall.InvalidEscape
	}
	q.escaping = verdict == lex.EscapeMore
	return next
}

// readQuoted reads a quoted string.
func (m *machine) readQuoted(h syntax.Host, in string, i int) int {
	if m.phase == atQuote {
		return m.afterQuoteMark(h, in, i)
	}
	i, end := m.quoted.read(in, i, &m.value)
	m.Call.Tolerate(m.quoted.used)
	switch end {
	case quotedBroken:
		return m.fails(h, in, i)
	case quotedQuote:
		m.phase = atQuote
		h.Look(i)
		return i + 1
	}
	return i
}

// afterQuoteMark reads the byte after a quote in a quoted string.
func (m *machine) afterQuoteMark(h syntax.Host, in string, i int) int {
	switch c, q := in[i], m.quoted.quote; {
	case c == '\'' && q == c: // two quotes stand for one
		h.Decide()
		m.quoted.put(&m.value, "'")
		m.phase = inContent
		return i + 1
	case c == '"' && q == c && !m.quoted.started: // three quotes, as in Python: the text is kept as it is
		h.Decide()
		m.kind = rawText
		m.Call.Tolerate(toolcall.TextBetween)
		m.put(`"""`)
		m.phase = inContent
		return i + 1
	}
	m.phase = afterQuote
	return i
}

// readAfterQuote reads what follows a quote that may end a string. It does at the end of
// the line or the call.
func (m *machine) readAfterQuote(h syntax.Host, in string, i int) int {
	q := &m.quoted
	for ; i < len(in); i++ {
		c := in[i]
		switch {
		case c == '\n', c == '#' && len(q.gap) > 0:
			h.Decide()
			m.endOpen()
			if c == '#' {
				m.phase = inComment
				return i
			}
			return m.nextLine(h, i+1)
		case lex.IsBlank(c):
			q.gap = append(q.gap, c)
			continue
		case c == '<':
			m.lookInline(h, i)
			return i
		}
		// The quote is part of the string.
		q.inner = true
		m.Call.Tolerate(toolcall.InvalidEscape)
		h.Decide()
		q.put(&m.value, string(q.quote)+string(q.gap))
		q.gap = q.gap[:0]
		m.phase = inContent
		return i
	}
	return i
}
