package python

import (
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// brokenRest reads the rest of broken arguments, up to the end of the call.
type brokenRest struct {
	depth int  // open parentheses
	quote byte // of the current string; 0: none
	skip  bool // after a backslash in that string
	match lex.Matcher
}

// fail ends the arguments as malformed before in[i].
func (m *machine) fail(h syntax.Host, i int) int {
	return m.failWith(h, i, toolcall.Malformed, toolcall.ReasonInvalidJSON)
}

// failWith is fail with another status and reason.
func (m *machine) failWith(h syntax.Host, i int, status toolcall.Status, reason toolcall.Reason) int {
	m.Call.Break(status, reason)
	h.Decide()
	r := &m.rest
	r.depth, r.quote, r.skip = 1, 0, false
	for k := range m.stack {
		if m.stack[k].closer() == ')' {
			r.depth++
		}
	}
	m.phase = inBroken
	return i
}

// readBroken reads the rest of broken arguments: up to the parenthesis that closes the
// call, the section's closer, the next section, or, in a bare syntax, the end of the line.
func (m *machine) readBroken(h syntax.Host, in string, i int) int {
	r := &m.rest
	if m.phase == atBrokenEnd {
		switch which, next := r.match.Match(in, i); which {
		case lex.MatchMore:
			return next
		case lex.MatchNone:
			return m.Expire(h, in, next)
		default:
			to := h.From()
			h.End(to)
			return h.Rewind(in, next, to)
		}
	}
	for ; i < len(in); i++ {
		c := in[i]
		if m.signs.endBroken(c) {
			h.Look(i)
			r.match.Reset(m.signs.broken)
			m.phase = atBrokenEnd
			return i
		}
		if c == m.signs.end && r.quote == 0 && r.depth == 1 || c == '\n' && m.form.Bare {
			h.End(h.At(i))
			return i
		}
		r.take(c)
	}
	return i
}

// endBroken reports whether a marker that ends broken arguments may begin with c.
func (s *signs) endBroken(c byte) bool {
	for _, p := range s.broken.Patterns {
		if p[0] == c {
			return true
		}
	}
	return false
}

// take handles one byte that does not end the call.
func (r *brokenRest) take(c byte) {
	switch {
	case r.skip:
		r.skip = false
	case r.quote != 0:
		r.skip = c == '\\'
		if c == r.quote || c == '\n' {
			r.quote = 0
		}
	case c == '"' || c == '\'':
		r.quote = c
	case c == '(':
		r.depth++
	case c == ')':
		r.depth--
	}
}
