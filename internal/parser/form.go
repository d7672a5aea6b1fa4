package parser

import (
	"cmp"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/internal/syntax/all"
	"github.com/toolparse/toolparse/internal/syntax/raw"
)

// form is a compiled Form of a dialect: its markers as patterns, and what may follow what.
type form struct {
	*compiledDialect // with this form as its only one

	opener   lex.Pattern // of a call
	closer   lex.Pattern // of the call; "" if there is none
	enter    lex.Pattern // of the section; "" if there is none
	leave    lex.Pattern // closes the section
	headEnd  lex.Pattern // ends the head
	opening  *lex.Set    // the opener, to be matched
	entering *lex.Set    // the section's opener and the call's
	closing  string      // the constant prefix of the marker after the arguments; "" if content could be mistaken for it

	bare   bool     // no marker identifies a call: only declared tools count
	names  *lex.Set // what may end a literal name; ends says what each is
	ends   []nameEnd
	stops  [256]bool // the first bytes of names
	blank  bool      // the end of the line ends the name
	plain  bool      // a literal name is an identifier of a programming language
	noName string    // the blanks that the name of an undeclared tool must not contain
	id     *lex.Set  // what ends an id
	lead   *lex.Set  // what ends an id that precedes the name; nil if none does
	firsts *lex.Set  // what may follow the head; nil: anything
	after  *lex.Set  // what may follow the arguments; kinds says what each is
	kinds  []syntax.After
	next   *lex.Set // what may follow a call in a section; nexts says what each is
	nexts  []syntax.After

	// takes: attributes beside the name are arguments. sealed: only its closer ends a call,
	// whatever precedes it. file is the tool that a tag is named after.
	takes, sealed bool
	file          *fileTool

	// runsOn is the closer of a call in JSON, which begins with runsOnAt, and the beginning of the
	// next call: in a string, they show that its closing quote is missing. nil: nothing does.
	// stringStops are the stops in such strings.
	runsOn      *lex.Set
	runsOnAt    string
	stringStops *syntax.Stops

	keys    []string // the names of the members of a JSON call, if they are known
	perName bool     // the closer contains the tool's name
	base    *form    // the form that forName derived this one from
	tool    string   // the tool's name that this form is for

	syntax *syntax.Syntax // of the arguments; nil: JSON
	args   *syntax.Form   // what the machine for the arguments needs
}

// nameEnd says what a pattern that ends a literal name is.
type nameEnd uint8

const (
	nameEnds nameEnd = iota // the end of the head
	nameID                  // the separator before an id
	nameBody                // the beginning of the arguments, or what follows them
	nameKey                 // the closer of a key: the name is before the key
	nameNone                // the section's closer: the section contains no call
)

// isMarked reports whether a call begins with punctuation.
func (f *form) isMarked() bool {
	copied := dialect.Form{Frame: f.Frame, Head: f.Head}
	return copied.Marked()
}

// isBareJSON reports whether a call is a JSON object without a marker around it.
func (f *form) isBareJSON() bool { return f.inJSON() && f.opener == "" && f.enter == "" }

// newForm compiles one form of d.
func newForm(d *compiledDialect, from dialect.Form) *form {
	copied := *d.Dialect
	copied.Frame, copied.Head, copied.Args, copied.Also = from.Frame, from.Head, from.Args, nil
	f := &form{
		compiledDialect: &compiledDialect{Dialect: &copied, origin: d.origin, foreign: d.foreign, whole: d},
		opener:          lex.NewPattern(from.Frame.Call.Open), closer: lex.NewPattern(from.Frame.Call.Close),
		enter: lex.NewPattern(from.Frame.Section.Open), leave: lex.NewPattern(from.Frame.Section.Close),
		headEnd: lex.NewPattern(from.Head.End),
	}
	if text := cmp.Or(f.closer, f.leave).Literal(); len(text) > 2 && !strings.ContainsAny(text, "\"\\") {
		f.closing = text
	}
	if f.Head.Form != dialect.HeadHeader { // after a header there is JSON or content
		f.syntax = all.Of(&f.Args)
	}
	f.opening, f.entering = lex.NewSet(f.opener), lex.NewSet(f.enter.Then(f.opener))
	if f.opener != "" && f.leave != "" && isToken(f.enter) {
		f.entering = lex.NewSet(f.enter.Then(f.opener), f.enter.Then(f.leave))
	}
	if f.isBareJSON() {
		return f
	}
	if f.Head.Form == dialect.HeadEnvelope {
		f.keys = slices.Concat(f.Head.Name, f.Head.Wrap, f.Args.Keys, idKeys, []string{"type"})
	}
	f.takes = f.Head.Form == dialect.HeadAttribute && f.syntax != nil && f.syntax.Attributes
	f.sealed = f.takes || f.Head.Form == dialect.HeadHeader
	f.bare = from.Frame.Bare || !f.sealed && isBareMarker(f.opener) && isBareMarker(f.enter)
	var firsts []lex.Pattern
	if f.perName = strings.Contains(from.Frame.Call.Close, lex.NamePlace); !f.perName {
		firsts = f.argsFirst()
	}
	f.compileNames(firsts)
	f.compileAfter()
	if len(firsts) > 0 { // a call may have no arguments
		firsts = append(firsts, f.after.Patterns...)
		if end := f.keyCloser(); end != "" {
			firsts = append(firsts, lex.NameByte+lex.AnyName+lex.OptBlanks+end)
		}
		f.firsts = lex.NewSet(firsts...)
	}
	f.compileArgs()
	return f
}

// compileArgs compiles what the machine for the arguments needs.
func (f *form) compileArgs() {
	f.args = &syntax.Form{
		Form: &dialect.Form{Frame: f.Frame, Head: f.Head, Args: f.Args}, Noise: f.Noise, Bare: f.bare,
		Closer: f.closer, Enter: f.enter, Leave: f.leave, After: f.after, Kinds: f.kinds, Heads: f.heads(),
	}
	if f.syntax != nil && f.syntax.Compile != nil {
		f.args.Compiled = f.syntax.Compile(f.args)
	}
}

// newFileTagForm returns the form of a tag that is named after its tool.
func newFileTagForm(d *compiledDialect, tool *fileTool) *form {
	f := newForm(d, dialect.Form{
		Frame: dialect.Frame{Call: dialect.Pair{Open: "<" + tool.Tag, Close: "</" + tool.Tag}},
		Head:  dialect.Head{Form: dialect.HeadAttribute},
		Args:  dialect.Args{Form: dialect.ArgsRaw, Param: tool.Content},
	})
	f.file, f.syntax, f.sealed, f.bare = tool, &raw.Content, true, false
	return f
}

// forName returns f for calls of one tool. known caches the results.
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
	named := newForm(base.whole, dialect.Form{Frame: frame, Head: base.Head, Args: base.Args})
	named.base, named.tool = base, tool
	named.compileRunOn(base.whole.compiled())
	known.list[known.next%len(known.list)] = named
	known.next++
	return named
}

// namedForms caches the last few forms for a tool's name.
type namedForms struct {
	list [4]*form
	next int
}

// isToken reports whether a marker looks like a special token, which prose does not mention.
func isToken(p lex.Pattern) bool { return strings.ContainsAny(string(p), "|｜") }

// isBareMarker reports whether an opener is too short to distinguish a call from prose.
func isBareMarker(p lex.Pattern) bool { return p.Fixed() < 3 }

// argsFirst returns what arguments may begin with; nil: anything.
func (f *form) argsFirst() []lex.Pattern {
	switch {
	case f.Args.Form == dialect.ArgsJSON:
		return []lex.Pattern{"{", `"`}
	case f.syntax == nil || f.syntax.First == nil:
		return nil
	}
	return f.syntax.First(&f.Args)
}

// keyCloser returns the closer of a key if it shows, after a name, that the key lacks its
// opener, or "".
func (f *form) keyCloser() lex.Pattern {
	if a := &f.Args; f.headEnd != "" || f.bare || a.Form != dialect.ArgsPairs || a.Nested || a.Key != "" || a.ValueMark.Open == "" {
		return ""
	}
	return lex.NewPattern(f.Args.KeyMark.Close)
}

// compileNames computes what ends a literal name. firsts is what arguments begin with.
func (f *form) compileNames(firsts []lex.Pattern) {
	if f.Head.Form != dialect.HeadLiteral {
		return
	}
	var names []lex.Pattern
	add := func(end nameEnd, list ...lex.Pattern) {
		for _, p := range list {
			if p != "" {
				names, f.ends = append(names, p), append(f.ends, end)
				f.stops[p[0]] = f.stops[p[0]] || lex.Lower(p[0]) < 'a' || lex.Lower(p[0]) > 'z' // a letter belongs to the name
			}
		}
	}
	// In a tag with a marker of its own, the name may contain spaces.
	if f.noName = " \t\r\n"; f.inTag() && !f.bare && !isBareMarker(f.opener+f.enter) {
		f.noName = "\t\r\n"
	}
	if f.plain = f.bare || f.Args.Form == dialect.ArgsPython; f.plain && !f.bare {
		add(nameNone, f.leave)
	}
	end := f.headEnd
	f.blank = end == "" && f.Head.End != ""
	f.stops[' '] = f.blank && f.Head.End == " "
	add(nameEnds, end)
	if end != "" && f.Head.End[0] == '\n' { // the end of the line ends the name
		f.stops[end[0]] = false
	}
	if f.Head.Lead != "" {
		f.lead = lex.NewSet(lex.NewPattern(f.Head.Lead))
	}
	add(nameID, lex.NewPattern(f.Head.ID))
	if f.Head.ID != "" {
		f.id = lex.NewSet(end)
	}
	add(nameBody, firsts...)
	if len(firsts) > 0 {
		add(nameBody, f.closer, f.leave)
		add(nameKey, f.keyCloser())
	}
	f.names = lex.NewSet(names...)
}

// compileAfter computes what may follow the arguments and the call.
func (f *form) compileAfter() {
	var after, next []lex.Pattern
	defer func() { f.after, f.next = lex.NewSet(after...), lex.NewSet(next...) }()
	add := func(list *[]lex.Pattern, kinds *[]syntax.After, kind syntax.After, p lex.Pattern) {
		if p != "" {
			*list, *kinds = append(*list, p), append(*kinds, kind)
		}
	}
	add(&after, &f.kinds, syntax.AfterCloser, f.closer)
	if f.sealed {
		return
	}
	for _, closer := range f.Frame.Closers {
		add(&after, &f.kinds, syntax.AfterCloser, lex.NewPattern(closer))
	}
	add(&after, &f.kinds, syntax.AfterSection, f.leave)
	if headerForms(f.Dialect) > 0 {
		for _, open := range f.Channels.Open {
			add(&after, &f.kinds, syntax.AfterNext, lex.NewPattern(open))
		}
	}
	add(&next, &f.nexts, syntax.AfterSection, f.leave)
	if f.bare {
		return
	}
	for _, p := range []lex.Pattern{f.opener, f.enter} {
		add(&after, &f.kinds, syntax.AfterNext, p)
		add(&next, &f.nexts, syntax.AfterNext, p)
	}
}

// heads returns the beginnings of calls, up to after the name. It returns nil if no marker
// identifies a call, or if the name is not next to its opener.
func (f *form) heads() []lex.Pattern {
	if f.bare || f.opener+f.enter == "" {
		return nil
	}
	var names []lex.Pattern
	switch f.Head.Form {
	case dialect.HeadAttribute:
		for _, attribute := range f.Head.Name {
			names = append(names, lex.SomeBlanks+lex.NewPattern(attribute+" ="))
		}
	case dialect.HeadLiteral:
		ends := []lex.Pattern{f.headEnd}
		if f.headEnd == "" {
			ends = append(f.argsFirst(), f.closer)
		}
		for _, end := range slices.DeleteFunc(ends, func(p lex.Pattern) bool { return p == "" }) {
			name := lex.Pattern(lex.NameByte + lex.AnyName)
			if lead := lex.NewPattern(f.Head.Lead); lead != "" {
				name = name.Then(lead).Then(name)
			}
			names = append(names, lex.OptBlanks+name.Then(end))
		}
	}
	var list []lex.Pattern
	for _, name := range names {
		for _, opener := range f.openers() {
			list = append(list, opener+name)
		}
	}
	return list
}

// isSeparator reports whether c may occur between two calls, besides blanks.
func (f *form) isSeparator(c byte) bool {
	for i := range len(f.Frame.Separators) {
		if f.Frame.Separators[i] == c {
			return true
		}
	}
	return false
}
