package parser

import (
	"cmp"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// compileRunOn computes what shows that a JSON string lacks its closing quote and runs on into
// the next call: the closer of its own call, the head of the next one in any form, and the first
// key after that. A sound string contains no such quotes.
func (f *form) compileRunOn(forms []*form) {
	f.stringStops, f.runsOnAt = syntax.LooseStops, f.closing
	if f.closing == "" || f.sealed { // its strings are not loose
		f.stringStops, f.runsOnAt = syntax.JSONStops, f.closer.Literal()
	}
	if f.Args.Form != dialect.ArgsJSON || len(f.runsOnAt) < 2 || strings.ContainsAny(f.runsOnAt, `"\`) {
		return
	}
	next := f.nextCalls()
	for _, other := range forms {
		next = append(next, other.nextCalls()...)
	}
	var list []lex.Pattern
	for _, p := range next {
		list = append(list, cmp.Or(f.closer, f.leave).Then(p))
		if f.closer != "" && f.leave != "" { // the next section
			list = append(list, f.closer.Then(f.leave).Then(p))
		}
	}
	if list = unique(list); len(list) == 0 {
		return
	}
	f.runsOn = lex.NewSet(list[:min(len(list), lex.MaxPatterns)]...)
	stops := *f.stringStops
	stops[f.runsOnAt[0]] |= syntax.SoftMark
	f.stringStops = &stops
}

// unique removes repeated patterns from list.
func unique(list []lex.Pattern) []lex.Pattern {
	var found []lex.Pattern
	for _, p := range list {
		if !slices.Contains(found, p) {
			found = append(found, p)
		}
	}
	return found
}

// nextCalls returns how a call in this form begins, up to its first key; nil if that is not
// JSON after a marker.
func (f *form) nextCalls() []lex.Pattern {
	if f.Args.Form != dialect.ArgsJSON {
		return nil
	}
	key := lex.Pattern("{" + lex.OptBlanks + `"` + lex.NameByte + lex.AnyName + `"` + lex.OptBlanks + ":")
	var list []lex.Pattern
	if f.inJSON() || f.Head.Form == dialect.HeadHeader {
		for _, opener := range f.openers() {
			list = append(list, opener.Then(key))
			if f.Head.Array {
				list = append(list, opener.Then("[").Then(key))
			}
		}
		return list
	}
	for _, head := range f.heads() {
		if strings.HasSuffix(string(head), `"`) {
			continue // arguments in a string
		}
		head = lex.Pattern(strings.TrimSuffix(string(head), "{")) // which the key has, too
		list = append(list, head.Then(key))
	}
	return list
}

// openers returns what a call may begin with, also after the header of a message.
func (f *form) openers() []lex.Pattern {
	list := slices.Compact([]lex.Pattern{f.opener, f.enter.Then(f.opener)})
	for _, open := range f.Channels.Open {
		if slices.Contains(f.Channels.Calls, f.Frame.Call.Open) && !slices.Contains(f.Channels.Message, open) {
			list = append(list, lex.NewPattern(open).Then(lex.NameByte+lex.AnyName).Then(f.opener))
		}
	}
	return slices.DeleteFunc(list, func(p lex.Pattern) bool { return p == "" })
}

// beginRunOn begins to look at the closer before in[i], which is in a JSON string.
func (p *Parser) beginRunOn(in string, i int) int {
	f := &p.frame
	p.cand = p.at(i) - int64(len(f.form.runsOnAt))
	p.deadline = p.cand + int64(p.closerLimit())
	p.stage = frameRunOn{}
	f.match.Reset(f.form.runsOn)
	return p.back(in, i, p.cand)
}

// frameRunOn is the stage at such a closer and what follows it.
type frameRunOn struct{ inTail }

func (frameRunOn) expire(p *Parser, in string, i int) int { return p.stringGoesOn(in, i) }

func (frameRunOn) read(p *Parser, in string, i int) int {
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
	p.stage = p.args
	p.args.keepCloser()
	return p.rewind(in, i, p.cand+int64(len(p.frame.form.runsOnAt)))
}

// keepCloser makes a closer in a string content.
func (a *jsonArgs) keepCloser() { a.token(a.Value.KeepCloser()) }
