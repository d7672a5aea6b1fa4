package parser

import (
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/schema"
)

// tools maps the names of the declared tools to their schemas. It is nil if none were
// declared.
type tools map[string]*schema.Schema

// knows reports whether name may be called: it is declared, or no tools are.
func (t tools) knows(name string) bool {
	_, ok := t[name]
	return ok || t == nil
}

// declares reports whether name is a declared tool.
func (t tools) declares(name string) bool {
	_, ok := t[name]
	return ok
}

// tool returns the schema of a tool, and whether it is declared. A call asks for the same tool
// several times.
func (p *Parser) tool(name string) (s *schema.Schema, declared bool) {
	if a := &p.asked; name == "" || name != a.name {
		a.name = name
		a.schema, a.declared = p.tools[name]
	}
	return p.asked.schema, p.asked.declared
}

// declares reports whether name is a declared tool.
func (p *Parser) declares(name string) bool {
	_, declared := p.tool(name)
	return declared
}

// askedTool is the tool that Parser.tool was last asked for.
type askedTool struct {
	name     string
	schema   *schema.Schema
	declared bool
}

// initials returns the first bytes of the declared tools' names.
func (t tools) initials() (set [256]bool) {
	for name := range t {
		if name != "" {
			set[name[0]] = true
		}
	}
	return set
}

// mayCall reports whether a call of d may be one of the tool name. In a bare syntax, which
// has no marker of its own, only declared tools count. If no tools are declared, any name
// does, unless the dialect was not requested by name.
func (p *Parser) mayCall(d *compiledDialect, name string, bare bool) bool {
	switch {
	case lex.TrimBlanks(name) == "":
		return false
	case p.declares(name):
		return true
	case d.foreign || bare && p.tools != nil:
	case bare && p.outside.dialect == nil && d.Head.Form == dialect.HeadLiteral: // the dialect is unknown
		return p.frame.first && d.Args.Form == dialect.ArgsPython
	default:
		return true
	}
	p.rejectRule = ruleUndeclared
	return false
}
