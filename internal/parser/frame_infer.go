package parser

import (
	"slices"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/jsonstream"
)

// infers reports whether the name that was read is only the id of a call, and the
// arguments, an object whose brace is in[i-1], may reveal the tool.
func (p *Parser) infers(in string, i int) bool {
	f := &p.frame
	return f.form.Head.Index != "" && f.form.Args.Form == dialect.ArgsJSON && in[i-1] == '{' &&
		f.nameless
}

// beginInfer begins to read the arguments ahead until their keys reveal the tool.
func (p *Parser) beginInfer(in string, i int) int {
	f := &p.frame
	f.callID = f.tool
	f.may = f.may[:0]
	for name := range p.tools {
		f.may = append(f.may, name)
	}
	if len(f.may) == 1 {
		return p.inferred(in, i)
	}
	f.peek.MaxDepth = p.opts.Limits.Depth
	f.peek.Reset()
	f.peek.Next(in[i-1:i], 0)
	p.stage = frameInfer{}
	return i
}

// frameInfer is the stage in such arguments.
type frameInfer struct{ inHead }

func (frameInfer) expire(p *Parser, in string, i int) int { return p.openNamed(in, i) }

func (frameInfer) read(p *Parser, in string, i int) int {
	f := &p.frame
	for {
		kind, next := f.peek.Next(in, i)
		i = next
		switch {
		case kind == jsonstream.Key && f.peek.Depth() == 1:
			key := string(f.peek.Text())
			f.may = slices.DeleteFunc(f.may, func(name string) bool { return !p.tools[name].Declares(key) })
			if len(f.may) < 2 {
				return p.inferred(in, i)
			}
		case kind == jsonstream.Invalid, f.peek.Done():
			return p.inferred(in, i)
		case kind == jsonstream.More:
			return i
		}
	}
}

// inferred begins the call if exactly one tool may be meant. Otherwise it rejects the
// candidate.
func (p *Parser) inferred(in string, i int) int {
	if f := &p.frame; len(f.may) == 1 {
		f.tool = f.may[0]
	} else {
		p.rejectRule = ruleNameless
		return p.reject(in, i)
	}
	return p.openNamed(in, i)
}
