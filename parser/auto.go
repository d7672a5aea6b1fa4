package parser

import (
	"slices"
	"strings"
	"sync"
)

// autoDialects are the dialects that a stream may turn out to be written in, in the
// order in which they are tried where several share a marker: the founding
// strategies, with their JSON profiles all at once, then the others. Those whose calls
// begin with a letter are not among them: they would make every word a candidate.
var autoDialects = sync.OnceValue(func() []*Dialect {
	list := []*Dialect{xmlTags, sentinel, jsonAny}
	for _, d := range table {
		if !slices.Contains(foundingTable, d) && d.isMarked() {
			list = append(list, d)
		}
	}
	return list
})

// isMarked reports whether the calls of d begin with a mark.
func (d *Dialect) isMarked() bool {
	forms := d.compileForms()
	return len(forms) > 0 && forms[0].isMarked()
}

// isMarked reports whether a call begins with a mark, which prose is sparing with.
func (f *form) isMarked() bool {
	first := f.enter + f.opener
	if first == "" {
		return f.Head.Form != HeadLiteral
	}
	return !isName(first[0])
}

// surface is what tells a form from others where the dialect is to be found out:
// of two that are alike the first counts.
func (f *form) surface() string {
	a := &f.Args
	parts := []string{
		string(f.enter), string(f.opener), string(f.Head.Form), f.Head.End, f.Head.ID, string(f.Frame.At), string(a.Form),
		a.KeyMark.Open, a.ValueMark.Open, strings.Join(f.Head.Name, "|"), strings.Join(a.Keys, "|"),
	}
	return strings.Join(parts, "\x00")
}

// autoGrammar is the grammar of the dialects of auto, autoCodeGrammar with calls in
// code. They are the same for all streams that ask for nothing else.
var (
	autoGrammar     = sync.OnceValue(func() *grammar { return compile(autoDialects(), &Options{}) })
	autoCodeGrammar = sync.OnceValue(func() *grammar { return compile(autoDialects(), &Options{CallsInCode: true}) })
)

// grammarOf makes the grammar of text for a stream.
func grammarOf(dialects []*Dialect, opts *Options) *grammar {
	switch {
	case opts.Recover || !slices.Equal(dialects, autoDialects()):
		return compile(dialects, opts)
	case opts.CallsInCode:
		return autoCodeGrammar()
	}
	return autoGrammar()
}
