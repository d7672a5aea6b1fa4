package parser

import "github.com/toolparse/toolparse/toolcall"

// pyRest is where the rest of broken arguments is read, up to the end of the call.
type pyRest struct {
	depth int  // parentheses that are open
	quote byte // around the string at hand; 0: none
	skip  bool // after a backslash in it
	ends  []pattern
	match matcher
}

// fail is where the arguments break, before in[i].
func (m *python) fail(p *Parser, i int) int {
	return m.failWith(p, i, toolcall.Malformed, toolcall.ReasonInvalidJSON)
}

// failWith is fail with a status and a reason.
func (m *python) failWith(p *Parser, i int, status toolcall.Status, reason toolcall.Reason) int {
	p.call.status, p.call.reason = status, reason
	p.deadline = 0
	r := &m.rest
	r.depth, r.quote, r.skip = 1, 0, false
	for k := range m.stack {
		if m.stack[k].closer() == ')' {
			r.depth++
		}
	}
	if r.ends = r.ends[:0]; !isBareMarker(p.frame.form.leave) {
		r.ends = append(r.ends, p.frame.form.leave)
	}
	m.phase = pyBroken
	return i
}

// readBroken reads the rest of broken arguments: up to the parenthesis that
// closes the call, the end of the line where no marker is around it, or the
// section's closer.
func (m *python) readBroken(p *Parser, in string, i int) int {
	r := &m.rest
	if m.phase == pyBrokenEnd {
		switch which, next := r.match.match(in, i); which {
		case matchMore:
			return next
		case matchNone:
			return m.expire(p, in, next)
		default:
			to := p.cand
			p.argumentsEnd(to)
			return p.rewind(in, next, to)
		}
	}
	for ; i < len(in); i++ {
		c := in[i]
		if len(r.ends) > 0 && c == r.ends[0][0] {
			p.lookCloser(i)
			r.match.reset(r.ends)
			m.phase = pyBrokenEnd
			return i
		}
		if c == m.signs.end && r.quote == 0 && r.depth == 1 || c == '\n' && p.frame.form.bare {
			p.argumentsEnd(p.at(i))
			return i
		}
		r.take(c)
	}
	return i
}

// take takes one byte that does not end the call.
func (r *pyRest) take(c byte) {
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
