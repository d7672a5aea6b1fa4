package parser

import (
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/schema"
)

// tools are the declared tools, by name. A nil map means that none were.
type tools map[string]*schema.Schema

// knows reports whether name may be called: it is declared, or nothing is.
func (t tools) knows(name string) bool {
	_, ok := t[name]
	return ok || t == nil
}

// declares reports whether name is one of the declared tools.
func (t tools) declares(name string) bool {
	_, ok := t[name]
	return ok
}

// initials are the bytes that names of declared tools begin with.
func (t tools) initials() (set [256]bool) {
	for name := range t {
		if name != "" {
			set[name[0]] = true
		}
	}
	return set
}

// isNameless reports whether a name is none: it is empty, or blanks alone.
func isNameless(name string) bool { return lex.SkipBlanks(name, 0) == len(name) }

// mayCall reports whether a call of d may be one of the tool name. In a bare
// syntax, which has no marker of its own, only declared tools are called, and
// where nothing is declared, any, unless the dialect was not asked for by name.
func (p *Parser) mayCall(d *Dialect, name string, bare bool) bool {
	switch {
	case isNameless(name):
		return false
	case p.tools.declares(name):
		return true
	case d.foreign || bare && p.tools != nil:
	case bare && p.outside.dialect == nil && d.Head.Form == HeadLiteral: // the dialect is to be found out
		return p.frame.first && d.Args.Form == ArgsPython
	default:
		return true
	}
	p.rejectRule = ruleUndeclared
	return false
}

// formOf is the form of the call of d that has become sure.
func (p *Parser) formOf(d *Dialect) *form {
	if f := p.frame.form; p.state == stateFrame && f != nil && f.whole == d {
		return f
	}
	if forms := d.compiled(); len(forms) > 0 {
		return forms[0]
	}
	return nil
}
