package gemma

import (
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// lookahead reads what follows a possible end of a value, to check whether the open
// containers can continue that way.
type lookahead struct {
	phase aheadPhase
	depth int  // of the open containers at this point
	comma bool // a comma was read last
	space bool // blanks follow the comma, which the models' template never writes
	odd   bool // the key is no name
	key   []byte
}

type aheadPhase uint8

const (
	aheadAfter  aheadPhase = iota // after a value
	aheadItem                     // after a comma in an object
	aheadKey                      // in a bare key
	aheadMark                     // at a marker; depth and comma tell where
	aheadClosed                   // after the outermost bracket
)

// lookAfter begins to read ahead. If the value ends, reading continues at the stream offset
// end.
func (m *machine) lookAfter(end int64) {
	if m.phase != atEnd {
		m.then = m.phase
	}
	m.end, m.mark = end, 0
	m.phase = afterEnd
	m.ahead = lookahead{depth: len(m.stack), key: m.ahead.key[:0]}
}

// readAfter reads ahead until it is certain whether the value ends.
func (m *machine) readAfter(h syntax.Host, in string, i int) int {
	a := &m.ahead
	for i < len(in) {
		if a.phase == aheadMark {
			which, next := m.match.Match(in, i)
			if which == lex.MatchMore {
				return next
			}
			if m.markFollows(which) {
				return m.ends(h, in, next)
			}
			return m.noEnd(h, in, next)
		}
		c := in[i]
		if lex.IsBlank(c) && a.phase != aheadKey {
			a.space = a.space || a.phase == aheadItem
			i++
			continue
		}
		follows, sure := m.follows(c)
		switch {
		case sure && follows:
			return m.ends(h, in, i)
		case sure:
			return m.noEnd(h, in, i)
		case a.phase != aheadMark:
			i++
		}
	}
	return i
}

// noEnd makes the quote of a string, or what may end a bare text, content.
func (m *machine) noEnd(h syntax.Host, in string, i int) int {
	if m.then == inString {
		m.stray.Add()
	}
	return m.isContent(h, in, i)
}

// follows takes one byte. As soon as sure is true, follows tells whether the value ends.
func (m *machine) follows(c byte) (follows, sure bool) {
	a := &m.ahead
	if a.phase != aheadKey && m.begins(c) {
		a.phase = aheadMark
		m.match.Reset(m.form.marks)
		return false, false
	}
	switch a.phase {
	case aheadAfter:
		return m.followsValue(c)
	case aheadItem:
		switch {
		case c == '}' || c == '"' || c == '\'' || c == ')' && m.round:
			return true, true
		case endsKey(c), c == ':':
			return false, true
		}
		a.phase, a.odd = aheadKey, !lex.IsNameStart(c)
		a.key = append(a.key, c)
		return false, false
	case aheadKey:
		switch {
		case m.assigns(c):
			return m.followsKey(), true
		case endsKey(c), m.begins(c), len(a.key) > lex.MaxName:
			return false, true
		case lex.IsBlank(c):
		case !lex.IsName(c) && c != '$', lex.IsBlank(a.key[len(a.key)-1]):
			if a.odd = true; !a.comma {
				return false, true
			}
		}
		a.key = append(a.key, c)
		return false, false
	}
	// After the outermost bracket the call is over, unless the value is a text that
	// contains such brackets.
	return !m.isBlock(), true
}

// followsValue takes the first byte after a value.
func (m *machine) followsValue(c byte) (follows, sure bool) {
	a := &m.ahead
	top := m.stack[a.depth-1].kind
	switch {
	case c == ',' && top == '[':
		return true, true
	case c == ',':
		a.phase, a.comma = aheadItem, true
		return false, false
	case m.closes(c):
		level := m.levelOf(c, a.depth)
		if level < 0 {
			return false, true
		}
		if a.depth = level; level == 0 {
			a.phase = aheadClosed
		}
		return false, false
	case m.then == inString && top == '{' && lex.IsNameStart(c):
		a.phase = aheadKey
		a.key = append(a.key, c)
		return false, false
	}
	return false, true
}

// followsKey reports whether a key at this point ends the value. After a text without
// quotes the tool must declare the key, if it declares any. A key that is no name, which
// might be prose, must be declared or written as the models' template writes it: after a
// value in quotes or a literal, and directly after the comma.
func (m *machine) followsKey() bool {
	a, s := &m.ahead, m.Schema()
	declared := len(m.stack) == 1 && s.Declares(lex.TrimBlanks(string(a.key)))
	if a.odd {
		return declared || !a.space && (m.then == inString || m.isScalar())
	}
	return declared || m.then == inString || m.value.Undecided() || len(m.stack) > 1 || !s.Closed()
}

// endsKey reports whether c cannot be in a bare key.
func endsKey(c byte) bool { return c == ',' || c == '{' || c == '}' || c == '[' || c == ']' }

// markFollows reports whether marker number which, or something that is not a marker, ends
// the value.
func (m *machine) markFollows(which int) bool {
	a := &m.ahead
	switch {
	case which > 0:
		return true
	case which == 0: // the quote of a key, or of a string inside the value
		return a.depth > 0 && a.comma
	}
	return a.depth == 0 && !m.isBlock()
}

// isBlock reports whether the value is an unquoted text of several lines.
func (m *machine) isBlock() bool { return m.then == inText && m.lines }

// ends ends the value and continues after it.
func (m *machine) ends(h syntax.Host, in string, i int) int {
	m.endValue(h)
	return h.Rewind(in, i, m.end)
}

// endValue ends the value that was read past.
func (m *machine) endValue(h syntax.Host) {
	if m.then == inString {
		m.endString()
		return
	}
	if m.end > h.From() { // a quote ends it, but none began it
		m.Call.Tolerate(toolcall.MissingOpener)
		if m.value.Undecided() {
			m.value.BeginString()
		}
	}
	m.endText()
}

// finishAfter handles the end of the stream after a possible end of a value. It reports
// whether the arguments are complete.
func (m *machine) finishAfter(h syntax.Host) bool {
	a := &m.ahead
	if a.depth > 0 {
		if m.then == inString {
			m.endValue(h)
		}
		return false
	}
	m.endValue(h)
	for len(m.stack) > 0 {
		m.closeTop()
	}
	m.End()
	return true
}
