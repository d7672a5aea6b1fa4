package parser

import (
	"bytes"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/lex"
)

// Two dialects may write the same markers but differ in how they write values: in the line
// of the markers or on lines of their own, with or without a type beside the name. While
// the dialect is unknown, the first key reveals which one it is.

// onLines reports whether f writes values on lines of their own.
func (f *form) onLines() bool { return strings.HasSuffix(f.Args.KeyMark.Close, "\n") }

// keyEnd returns the end of a key without the layout after it.
func (f *form) keyEnd() string { return strings.TrimSpace(f.Args.KeyMark.Close) }

// keyTells reports whether the candidate may be a call of another dialect as well, so that
// the first key decides.
func (p *Parser) keyTells() bool {
	f := p.frame.form
	if p.outside.dialect != nil || f.Args.Form != dialect.ArgsPairs || len(f.keyEnd()) != 1 {
		return false
	}
	return p.other(func(o *form) bool {
		return o.Args.Type != f.Args.Type || o.Args.Key == "" && o.onLines() != f.onLines()
	})
}

// other reports whether another interpretation of the candidate's marker is a call with the
// same markers around keys, in a form that ok accepts.
func (p *Parser) other(ok func(*form) bool) bool {
	f := p.frame.form
	for e := p.alternative; e != nil; e = e.next {
		o := e.form
		if o == nil || o.opener != f.opener || o.Args.Form != f.Args.Form || o.Args.KeyMark.Open != f.Args.KeyMark.Open || o.Args.Key != f.Args.Key {
			continue
		}
		if ok(o) && (o.enter == "" || p.tools == nil || p.declares(p.frame.tool)) {
			return true
		}
	}
	return false
}

// frameKey is the stage in the first key, if that reveals the dialect.
type frameKey struct{ inHead }

func (frameKey) expire(p *Parser, in string, i int) int { return p.openNamed(in, i) }

func (frameKey) end(p *Parser) bool { return p.endHead(true) }

func (frameKey) read(p *Parser, in string, i int) int {
	f := &p.frame
	n := strings.IndexAny(in[i:], f.form.keyEnd()+"\n")
	if n < 0 {
		n = len(in) - i
	}
	f.key = append(f.key, in[i:i+n]...)
	switch i += n; {
	case len(f.key) > lex.MaxName || i < len(in) && in[i] == '\n':
		return p.openCallAt(in, i)
	case i == len(in):
		return i
	}
	p.stage = frameKeyEnd{}
	return i + 1
}

// frameKeyEnd is the stage after that key. If the current form does not fit but another one
// does, the candidate is left to that one.
type frameKeyEnd struct{ frameKey }

func (frameKeyEnd) read(p *Parser, in string, i int) int {
	f := &p.frame
	lines := in[i] == '\n' || in[i] == '\r'
	typed := func(o *form) bool { return o.Args.Type != "" && bytes.Contains(f.key, []byte(" "+o.Args.Type+"=")) }
	isTyped := typed(f.form) || p.other(typed)
	fits := func(o *form) bool {
		switch {
		case o.Args.Key == "":
			return o.onLines() == lines
		case isTyped:
			return typed(o)
		}
		return o.Args.Type == ""
	}
	if !fits(f.form) && p.other(fits) {
		return p.reject(in, i)
	}
	return p.openCallAt(in, i)
}
