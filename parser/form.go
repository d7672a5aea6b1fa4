package parser

import (
	"slices"
	"strings"
	"sync"

	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/internal/syntax/all"
	"github.com/toolparse/toolparse/internal/syntax/raw"
)

// form is a Form of a dialect as the parser uses it: its markers compiled, and
// what may follow what worked out.
type form struct {
	*Dialect // with this form as its only one

	opener  lex.Pattern // of a call
	closer  lex.Pattern // of it; "" where it has none
	enter   lex.Pattern // the opener of a section; "" where there is none
	leave   lex.Pattern // the closer of it
	headEnd lex.Pattern // the end of the head

	bare   bool          // no marker tells a call: only declared tools are called
	names  []lex.Pattern // what may end a literal name; see nameEnd
	ends   []nameEnd
	stops  [256]bool     // the first bytes of names
	blank  bool          // the end of the line ends the name
	plain  bool          // a literal name is one of a programming language
	id     []lex.Pattern // what ends an id
	lead   []lex.Pattern // what ends an id that comes before the name
	firsts []lex.Pattern // what may follow the head; nil: anything
	after  []lex.Pattern // what may follow the arguments; see syntax.After
	kinds  []syntax.After
	next   []lex.Pattern // what may follow a call in a section
	nexts  []syntax.After

	// takes: attributes beside the name are arguments. sealed: nothing ends a call but
	// its closer, whatever stands before that. file is the tool that a tag is named like.
	takes, sealed bool
	file          *fileTool

	keys    []string // of the members of a call in JSON, where these are known
	perName bool     // its closer has the tool's name in it
	base    *form    // what forName made this one of
	tool    string   // the name that this one is for

	syntax *syntax.Syntax // of its arguments; nil: JSON
	args   *syntax.Form   // what the machine for them needs
}

// nameEnd is what a pattern that ends a literal name is.
type nameEnd uint8

const (
	nameEnds nameEnd = iota // the head's end
	nameID                  // what stands before an id
	nameBody                // the arguments, or what follows them
	nameNone                // the section's closer: there is no call in it
)

// isBareJSON reports whether a call is a JSON object with no marker around it.
func (f *form) isBareJSON() bool { return f.inJSON() && f.opener == "" && f.enter == "" }

// tableForms are the compiled forms of the table's dialects.
var tableForms = sync.OnceValue(func() map[*Dialect][]*form {
	compiled := make(map[*Dialect][]*form, len(table))
	for _, d := range table {
		compiled[d] = d.compileForms()
	}
	return compiled
})

// isRow reports whether d is one of the table, which tests hold to be valid.
func (d *Dialect) isRow() bool {
	_, ok := tableForms()[d]
	return ok
}

// firstUse is what is found out about a dialect when it is used first.
type firstUse struct {
	of    *Dialect // a copy of it is another dialect
	forms func() ([]*form, error)
}

// compileOnce lets d, which stays where it is, be checked and compiled once, when it
// is used first.
func (d *Dialect) compileOnce() {
	d.first = &firstUse{of: d, forms: sync.OnceValues(func() ([]*form, error) {
		if err := d.validate(); err != nil {
			return nil, err
		}
		return d.compileForms(), nil
	})}
}

// check returns what is wrong with d.
func (d *Dialect) check() error {
	switch {
	case d != nil && d.isRow():
		return nil
	case d != nil && d.first != nil && d.first.of == d:
		_, err := d.first.forms()
		return err
	}
	return d.validate()
}

// compiled returns the compiled forms of d, which must be valid.
func (d *Dialect) compiled() []*form {
	if list, ok := tableForms()[d]; ok {
		return list
	}
	if d.foreign {
		return foreignForms()[d]
	}
	if d.first != nil && d.first.of == d {
		forms, _ := d.first.forms()
		return forms
	}
	return d.compileForms()
}

// compileForms compiles the forms of d.
func (d *Dialect) compileForms() []*form {
	var list []*form
	for _, f := range d.forms() {
		list = append(list, newForm(d, f))
	}
	return list
}

func newForm(d *Dialect, from Form) *form {
	own := *d
	own.Frame, own.Head, own.Args, own.Also, own.whole = from.Frame, from.Head, from.Args, nil, d
	f := &form{
		Dialect: &own,
		opener:  lex.NewPattern(from.Frame.Call.Open), closer: lex.NewPattern(from.Frame.Call.Close),
		enter: lex.NewPattern(from.Frame.Section.Open), leave: lex.NewPattern(from.Frame.Section.Close),
		headEnd: lex.NewPattern(from.Head.End),
	}
	if f.Head.Form != HeadHeader { // behind which JSON stands, or the content
		f.syntax = all.Of(&f.Args)
	}
	if f.isBareJSON() {
		return f
	}
	if f.Head.Form == HeadEnvelope {
		f.keys = slices.Concat(f.Head.Name, f.Head.Wrap, f.Args.Keys, idKeys, []string{"type"})
	}
	f.takes = f.Head.Form == HeadAttribute && f.syntax != nil && f.syntax.Takes
	f.sealed = f.takes || f.Head.Form == HeadHeader
	f.bare = from.Frame.Bare || !f.sealed && isBareMarker(f.opener) && isBareMarker(f.enter)
	if f.perName = strings.Contains(from.Frame.Call.Close, lex.NamePlace); !f.perName {
		f.firsts = f.argsFirst()
	}
	f.compileNames()
	f.compileAfter()
	if len(f.firsts) > 0 { // a call may have no arguments
		f.firsts = append(f.firsts, f.after...)
	}
	f.compileArgs()
	return f
}

// compileArgs compiles what the machine for the arguments needs.
func (f *form) compileArgs() {
	f.args = &syntax.Form{
		Form: &Form{Frame: f.Frame, Head: f.Head, Args: f.Args}, Noise: f.Noise, Bare: f.bare,
		Closer: f.closer, Enter: f.enter, Leave: f.leave, After: f.after, Kinds: f.kinds,
	}
	if f.syntax != nil && f.syntax.Compile != nil {
		f.args.Compiled = f.syntax.Compile(f.args)
	}
}

// tableShorthands are those of the table's dialects.
var tableShorthands = sync.OnceValue(func() map[*Dialect][]*form {
	compiled := map[*Dialect][]*form{}
	for _, d := range table {
		compiled[d] = d.compileShorthands()
	}
	return compiled
})

// compiledShorthands are the tags of d that are named like their tools.
func (d *Dialect) compiledShorthands() []*form {
	if d.isRow() {
		return tableShorthands()[d]
	}
	return d.compileShorthands()
}

func (d *Dialect) compileShorthands() []*form {
	var list []*form
	for i := range d.Shorthands {
		list = append(list, newShorthandForm(d, &d.Shorthands[i]))
	}
	return list
}

// newShorthandForm is the form of a tag that is named like its tool.
func newShorthandForm(d *Dialect, s *Shorthand) *form {
	f := newForm(d, Form{
		Frame: Frame{Call: Pair{Open: "<" + s.Tag, Close: "</" + s.Tag}, Fold: d.Frame.Fold},
		Head:  Head{Form: HeadAttribute},
		Args:  Args{Form: ArgsRaw, Param: s.Content},
	})
	f.file, f.syntax, f.sealed, f.bare = shorthandTool(s), &raw.Content, true, false
	return f
}

// forName is f for a call of one tool. It keeps what it makes in known.
func (f *form) forName(tool string, known *namedForms) *form {
	base := f
	if f.base != nil {
		base = f.base
	}
	if !base.perName {
		return f
	}
	for _, named := range known.list {
		if named != nil && named.base == base && named.tool == tool {
			return named
		}
	}
	frame := base.Frame
	frame.Call.Close = strings.ReplaceAll(frame.Call.Close, lex.NamePlace, tool)
	named := newForm(base.whole, Form{Frame: frame, Head: base.Head, Args: base.Args})
	named.base, named.tool = base, tool
	known.list[known.next%len(known.list)] = named
	known.next++
	return named
}

// namedForms are the last few forms that were made for one tool's name.
type namedForms struct {
	list [4]*form
	next int
}

// isBareMarker reports whether an opener is too short to tell a call from prose.
func isBareMarker(p lex.Pattern) bool { return len(p.Literal()) < 3 }

// argsFirst is what arguments may begin with; nil: anything.
func (f *form) argsFirst() []lex.Pattern {
	switch {
	case f.Args.Form == ArgsJSON:
		return []lex.Pattern{"{", `"`}
	case f.syntax == nil || f.syntax.First == nil:
		return nil
	}
	return f.syntax.First(&f.Args)
}

// compileNames works out what ends a literal name.
func (f *form) compileNames() {
	if f.Head.Form != HeadLiteral {
		return
	}
	add := func(end nameEnd, list ...lex.Pattern) {
		for _, p := range list {
			if p != "" {
				f.names, f.ends = append(f.names, p), append(f.ends, end)
				f.stops[p[0]] = f.stops[p[0]] || lex.Lower(p[0]) < 'a' || lex.Lower(p[0]) > 'z' // a letter is the name's own
			}
		}
	}
	if f.plain = f.bare || f.Args.Form == ArgsPython; f.plain && !f.bare {
		add(nameNone, f.leave)
	}
	end := f.headEnd
	f.blank = end == "" && f.Head.End != ""
	f.stops[' '] = f.blank && f.Head.End == " "
	add(nameEnds, end)
	if end != "" && f.Head.End[0] == '\n' { // the end of the line stops the name
		f.stops[end[0]] = false
	}
	f.lead = lex.NewPatterns(f.Head.Lead)
	add(nameID, lex.NewPattern(f.Head.ID))
	if f.Head.ID != "" {
		f.id = []lex.Pattern{end}
	}
	add(nameBody, f.firsts...)
	if len(f.firsts) > 0 {
		add(nameBody, f.closer, f.leave)
	}
}

// compileAfter works out what may follow the arguments and the call.
func (f *form) compileAfter() {
	add := func(list *[]lex.Pattern, kinds *[]syntax.After, kind syntax.After, p lex.Pattern) {
		if p != "" {
			*list, *kinds = append(*list, p), append(*kinds, kind)
		}
	}
	add(&f.after, &f.kinds, syntax.AfterCloser, f.closer)
	if f.sealed {
		return
	}
	for _, closer := range f.Frame.Closers {
		add(&f.after, &f.kinds, syntax.AfterCloser, lex.NewPattern(closer))
	}
	add(&f.after, &f.kinds, syntax.AfterSection, f.leave)
	if f.Channels.forms() > 0 {
		for _, open := range f.Channels.Open {
			add(&f.after, &f.kinds, syntax.AfterNext, lex.NewPattern(open))
		}
	}
	add(&f.next, &f.nexts, syntax.AfterSection, f.leave)
	if f.bare {
		return
	}
	for _, p := range []lex.Pattern{f.opener, f.enter} {
		add(&f.after, &f.kinds, syntax.AfterNext, p)
		add(&f.next, &f.nexts, syntax.AfterNext, p)
	}
}

// isSeparator reports whether c may stand between two calls, beside blanks.
func (f *form) isSeparator(c byte) bool {
	for i := range len(f.Frame.Separators) {
		if f.Frame.Separators[i] == c {
			return true
		}
	}
	return false
}
