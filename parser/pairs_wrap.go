package parser

import (
	"slices"

	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/toolcall"
)

// wrapState is what pairs knows of a parameter that wraps all arguments.
type wrapState uint8

const (
	wrapsNothing wrapState = iota // none so far
	wrapsOpen                     // its value is being read
	wrapsAll                      // its members are the arguments
)

// openMember begins the member key, and returns the schema of its value. A
// wrapper's value waits until it is whole, since it may be no object.
func (m *pairs) openMember(key string, a *Args) *schema.Schema {
	c := m.call
	switch {
	case m.wraps == wrapsAll:
		c.tolerances |= toolcall.DuplicateArgument
		m.out, m.content, m.meta = nil, false, false
		return nil
	case m.count == 0 && slices.Contains(a.Unwrap, key) && c.schema.Closed() && !c.schema.Declares(key):
		m.wraps, m.out = wrapsOpen, &m.member
		return schema.Any
	}
	return m.open(key).Told(string(m.kind), a.Quoted)
}

// closeMember ends the open member and its value.
func (m *pairs) closeMember(p *Parser) {
	used := m.value.end()
	p.call.tolerances |= used
	if m.wraps != wrapsOpen {
		m.close()
		return
	}
	m.wraps = wrapsNothing
	text := m.member.Take()
	if text[0] != '{' {
		m.open(trimBlanks(string(m.key)))
		m.call.out.Add(text)
		m.close()
		return
	}
	m.wraps, m.call.tolerances = wrapsAll, m.call.tolerances|toolcall.JSONBody
	if inner := trimBlanks(text[1 : len(text)-1]); inner != "" {
		m.call.out.Add("{" + inner)
		m.count++
	}
}
