package tags

import (
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/internal/syntax"
)

// BeginLookahead starts after the opening tag of a call.
func (m *machine) BeginLookahead(f *syntax.Form, s *schema.Schema, _ bool) {
	m.form, m.tool = f, s
	m.look.Reset()
}

// ReadLookahead reads the token after the tag. The tag is prose unless the token can begin the
// call's body, or is its closer.
func (m *machine) ReadLookahead(in string, i int) (syntax.Verdict, int) {
	if m.look.IsAtStart() && strings.HasPrefix(in[i:], wrapperOpen) {
		return syntax.Begins, i
	}
	tok, i := m.look.Read(in, i)
	switch {
	case tok == lex.TokenMore:
		return syntax.Unsure, i
	case m.mayFollow(tok):
		return syntax.Begins, i
	}
	return syntax.Differs, i
}

// mayFollow reports whether the token after an opening tag makes the tag a call.
func (m *machine) mayFollow(tok lex.Token) bool {
	call := &m.form.Frame.Call
	switch tok {
	case lex.TokenOpen:
		switch {
		case m.look.Is(dialect.WrapperTag), m.look.Is(dialect.ArgTag):
			return true
		case m.look.Is(call.Open[1:]):
			return false
		}
		return !m.tool.Closed() || m.tool.Declares(string(m.look.Name))
	case lex.TokenClose:
		return m.look.Is(strings.TrimPrefix(call.Close, "</"))
	}
	return tok == lex.TokenComment || tok == lex.TokenBrace
}
