package parser

import (
	"strings"
	"sync"
)

// form is a Form of a dialect as the parser uses it: its markers compiled, and
// what may follow what worked out.
type form struct {
	*Dialect // with this form as its only one

	opener pattern // of a call
	closer pattern // of it; "" where it has none
	enter  pattern // the opener of a section; "" where there is none
	leave  pattern // the closer of it

	bare   bool      // no marker tells a call: only declared tools are called
	names  []pattern // what may end a literal name; see nameEnd
	ends   []nameEnd
	stops  [256]bool // the first bytes of names
	blank  bool      // the end of the line ends the name
	plain  bool      // a literal name is one of a programming language
	id     []pattern // what ends an id
	lead   []pattern // what ends an id that comes before the name
	firsts []pattern // what may follow the head; nil: anything
	after  []pattern // what may follow the arguments; see afterCall
	kinds  []afterCall
	next   []pattern // what may follow a call in a section
	nexts  []afterCall

	perName bool   // its closer has the tool's name in it
	base    *form  // what forName made this one of
	tool    string // the name that this one is for

	pairs  *pairsForm  // what the machine for its arguments needs, where it is that
	gemma  *gemmaForm  // the same
	nested *nestedForm // the same
	python pythonForm  // the same
}

// pythonForm is what python needs of a form.
type pythonForm struct {
	end     byte // closes the call
	options bool // --key value, with blanks between, for key=value, with commas
}

// nameEnd is what a pattern that ends a literal name is.
type nameEnd uint8

const (
	nameEnds nameEnd = iota // the head's end
	nameID                  // what stands before an id
	nameBody                // the arguments, or what follows them
	nameNone                // the section's closer: there is no call in it
)

// afterCall is what a pattern after the arguments is.
type afterCall uint8

const (
	afterCloser  afterCall = iota // the call's closer
	afterSection                  // the section's
	afterNext                     // what the next call begins with
)

// isFramed reports whether a form is read by the machine for frames. The
// founding syntaxes with a lexer of their own, and bare JSON, are not.
func (f *Form) isFramed() bool {
	switch f.Head.Form {
	case HeadHeader:
		return false
	case HeadAttribute:
		return f.Args.Form != ArgsTags
	case HeadEnvelope, HeadKey:
		return f.Frame.Call.Open != "" || f.Frame.Section.Open != ""
	}
	return true
}

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

// compiled returns the compiled forms of d.
func (d *Dialect) compiled() []*form {
	if list, ok := tableForms()[d]; ok {
		return list
	}
	if d.foreign {
		return foreignForms()[d]
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
		opener:  newPattern(from.Frame.Call.Open), closer: newPattern(from.Frame.Call.Close),
		enter: newPattern(from.Frame.Section.Open), leave: newPattern(from.Frame.Section.Close),
	}
	if !from.isFramed() {
		return f
	}
	f.bare = from.Frame.Bare || isBareMarker(f.opener) && isBareMarker(f.enter)
	if f.perName = strings.Contains(from.Frame.Call.Close, namePlace); !f.perName {
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
	switch f.Args.Form {
	case ArgsPairs:
		if f.Args.Nested {
			f.nested = f.compileNested()
		} else {
			f.pairs = f.compilePairs()
		}
	case ArgsGemma:
		f.gemma = f.compileGemma()
	case ArgsPython:
		f.python = pythonForm{end: ')', options: f.Args.KeyMark.Open != ""}
		if f.closer != "" {
			f.python.end = f.closer[0]
		}
	}
}

// forName is f for a call of one tool. last is what it returned before, which may
// be for the same.
func (f *form) forName(tool string, last *form) *form {
	base := f
	if f.base != nil {
		base = f.base
	}
	if !base.perName {
		return f
	}
	if last != nil && last.base == base && last.tool == tool {
		return last
	}
	frame := base.Frame
	frame.Call.Close = strings.ReplaceAll(frame.Call.Close, namePlace, tool)
	named := newForm(base.whole, Form{frame, base.Head, base.Args})
	named.base, named.tool = base, tool
	return named
}

// isBareMarker reports whether an opener is too short to tell a call from prose.
func isBareMarker(p pattern) bool { return len(p.literal()) < 3 }

// argsFirst is what arguments may begin with; nil: anything.
func (f *form) argsFirst() []pattern {
	switch f.Args.Form {
	case ArgsJSON:
		return []pattern{"{", `"`}
	case ArgsGemma:
		return []pattern{"{"}
	case ArgsPairs:
		return f.Args.keyFirst()
	}
	return nil
}

// keyFirst is what the first key may begin with.
func (a *Args) keyFirst() []pattern {
	open := newPattern(a.KeyMark.Open)
	switch {
	case a.Nested:
		return []pattern{open + nameByte}
	case a.Key != "":
		list := []pattern{newPattern(a.KeyMark.Open + " " + a.Key + " =")}
		if a.Type != "" {
			list = append(list, newPattern(a.KeyMark.Open+" "+a.Type+" ="))
		}
		return list
	}
	return append([]pattern{open}, append(a.void(), a.nameless()...)...)
}

// void is a key's tag without a key, closed at once: <parameter/>.
func (a *Args) void() []pattern {
	if name, ok := strings.CutSuffix(a.KeyMark.Open, "="); ok {
		return newPatterns(name + " />")
	}
	return nil
}

// nameless is the tag of a key that lacks it: <parameter>.
func (a *Args) nameless() []pattern {
	if name, ok := strings.CutSuffix(a.KeyMark.Open, "="); ok {
		return newPatterns(name + " >")
	}
	return nil
}

// compileNames works out what ends a literal name.
func (f *form) compileNames() {
	if f.Head.Form != HeadLiteral {
		return
	}
	add := func(end nameEnd, list ...pattern) {
		for _, p := range list {
			if p != "" {
				f.names, f.ends = append(f.names, p), append(f.ends, end)
				f.stops[p[0]] = f.stops[p[0]] || lower(p[0]) < 'a' || lower(p[0]) > 'z' // a letter is the name's own
			}
		}
	}
	if f.plain = f.bare || f.Args.Form == ArgsPython; f.plain && !f.bare {
		add(nameNone, f.leave)
	}
	end := newPattern(f.Head.End)
	f.blank = end == "" && f.Head.End != ""
	f.stops[' '] = f.blank && f.Head.End == " "
	add(nameEnds, end)
	if end != "" && f.Head.End[0] == '\n' { // the end of the line stops the name
		f.stops[end[0]] = false
	}
	f.lead = newPatterns(f.Head.Lead)
	add(nameID, newPattern(f.Head.ID))
	if f.Head.ID != "" {
		f.id = []pattern{end}
	}
	add(nameBody, f.firsts...)
	if len(f.firsts) > 0 {
		add(nameBody, f.closer, f.leave)
	}
}

// compileAfter works out what may follow the arguments and the call.
func (f *form) compileAfter() {
	add := func(list *[]pattern, kinds *[]afterCall, kind afterCall, p pattern) {
		if p != "" {
			*list, *kinds = append(*list, p), append(*kinds, kind)
		}
	}
	add(&f.after, &f.kinds, afterCloser, f.closer)
	for _, closer := range f.Frame.Closers {
		add(&f.after, &f.kinds, afterCloser, newPattern(closer))
	}
	add(&f.after, &f.kinds, afterSection, f.leave)
	if f.Channels.forms() > 0 {
		for _, open := range f.Channels.Open {
			add(&f.after, &f.kinds, afterNext, newPattern(open))
		}
	}
	add(&f.next, &f.nexts, afterSection, f.leave)
	if f.bare {
		return
	}
	for _, p := range []pattern{f.opener, f.enter} {
		add(&f.after, &f.kinds, afterNext, p)
		add(&f.next, &f.nexts, afterNext, p)
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
