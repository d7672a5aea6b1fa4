package parser

import (
	"cmp"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/dialect"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// compileRunOn computes what shows that a JSON string lacks its closing quote and runs on into
// the next call: the closer of its own call, the head of the next one, and the first key after
// that. A sound string contains no such quotes.
func (f *form) compileRunOn() {
	f.stringStops = syntax.LooseStops
	if f.Args.Form != dialect.ArgsJSON || f.closing == "" {
		return
	}
	key := lex.Pattern("{" + lex.OptBlanks + `"` + lex.NameByte + lex.AnyName + `"` + lex.OptBlanks + ":")
	var list []lex.Pattern
	if f.inJSON() {
		for _, opener := range f.openers() {
			list = append(list, opener.Then(key))
			if f.Head.Array {
				list = append(list, opener.Then("[").Then(key))
			}
		}
	} else {
		for _, head := range f.heads() {
			if strings.HasSuffix(string(head), `"`) {
				continue // arguments in a string
			}
			head = lex.Pattern(strings.TrimSuffix(string(head), "{")) // which the key has, too
			list = append(list, head.Then(key))
		}
	}
	for k, p := range list {
		list[k] = cmp.Or(f.closer, f.leave).Then(p)
	}
	if f.closer != "" && f.leave != "" { // the next section
		for _, p := range list {
			list = append(list, f.closer.Then(f.leave)+p[len(f.closer):])
		}
	}
	if len(list) == 0 || len(list) > lex.MaxPatterns {
		return
	}
	f.runsOn = lex.NewSet(list...)
	stops := *syntax.LooseStops
	stops[f.closing[0]] |= syntax.SoftMark
	f.stringStops = &stops
}

// openers returns what a call may begin with.
func (f *form) openers() []lex.Pattern {
	list := slices.Compact([]lex.Pattern{f.opener, f.enter.Then(f.opener)})
	return slices.DeleteFunc(list, func(p lex.Pattern) bool { return p == "" })
}

// beginRunOn begins to look at the closer before in[i], which is in a JSON string.
func (p *Parser) beginRunOn(in string, i int) int {
	f := &p.frame
	p.cand = p.at(i) - int64(len(f.form.closing))
	p.deadline = p.cand + int64(p.closerLimit())
	p.state, f.phase = stateFrame, frameRunOn
	f.match.Reset(f.form.runsOn)
	return p.back(in, i, p.cand)
}

// frameRunOn reads such a closer and what follows it.
func (p *Parser) frameRunOn(in string, i int) int {
	switch which, next := p.frame.match.Match(in, i); which {
	case lex.MatchMore:
		return next
	case lex.MatchNone:
		return p.stringGoesOn(in, next)
	default:
		p.envelope.dialect = nil
		p.argumentsFail(in, next, toolcall.Malformed, toolcall.ReasonInvalidJSON)
		return p.rewind(in, next, p.cand)
	}
}

// stringGoesOn makes the closer content of the string.
func (p *Parser) stringGoesOn(in string, i int) int {
	p.state = stateJSON
	p.args.keepCloser()
	return p.rewind(in, i, p.cand+int64(len(p.frame.form.closing)))
}

// keepCloser makes a closer in a string content.
func (a *jsonArgs) keepCloser() { a.token(a.Value.KeepCloser()) }
