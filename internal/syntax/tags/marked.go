package tags

import (
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax"
)

// readMarker reads the blanks before a file's content and the start marker, if any.
func (m *machine) readMarker(h syntax.Host, in string, i int) int {
	markers := m.Call.Markers()
	if markers[0] == "" {
		m.phase = inValue
		return h.Rewind(in, i, m.start)
	}
	if m.ending.N == 0 {
		if i = lex.SkipBlanks(in, i); i == len(in) {
			return i
		}
		m.ending = lex.Literal{Text: markers[0]}
	}
	next, done, ok := m.ending.Match(in, i)
	switch {
	case !ok:
		m.ending = lex.Literal{}
		return m.Expire(h, in, next)
	case done:
		m.ending = lex.Literal{}
		h.Decide()
		m.phase, m.marked = inMarked, true
		m.value.Lead, m.value.Trail = syntax.LeadOpen, false
	}
	return next
}

// readMarked reads content between markers.
func (m *machine) readMarked(h syntax.Host, in string, i int) int {
	marker := m.Call.Markers()[1]
	n := lex.IndexPrefix(in[i:], marker)
	m.value.Add(in, i, i+n)
	if i += n; i < len(in) {
		h.Look(i)
		m.phase, m.ending = atMarkedEnd, lex.Literal{Text: marker}
	}
	return i
}

// readMarkedEnd reads a possible end marker. It counts if the value's closer follows.
func (m *machine) readMarkedEnd(h syntax.Host, in string, i int) int {
	next, done, ok := m.ending.Match(in, i)
	if !ok {
		return m.Expire(h, in, next)
	}
	if done {
		m.ending = lex.Literal{}
		m.look.Reset()
		m.phase = atCloser
	}
	return next
}
