package parser

import (
	"errors"
	"sync"

	"github.com/toolparse/toolparse/internal/callmeta"
	"github.com/toolparse/toolparse/internal/dialect"
)

// compiledDialect is a dialect as parsers read it. Parsers share it: those of a [Compiled],
// and for a built-in dialect all. Each part is made on first use.
type compiledDialect struct {
	*dialect.Dialect
	origin callmeta.Origin // of its calls whose content is the arguments

	row     bool             // it is built in
	foreign bool             // only read to recover calls of declared tools
	whole   *compiledDialect // the dialect that this is one form of, if it is

	compiling, shortening       sync.Once
	compiledForms, compiledTags []*form

	outside [4]struct { // grammars of text, by Options.CallsInCode and Options.CallsInReasoning
		sync.Once
		grammar *grammar
	}
}

func newDialect(d *dialect.Dialect) *compiledDialect {
	return &compiledDialect{Dialect: d, origin: callmeta.NewOrigin(d.Name, "")}
}

// compiledRows returns the built-in dialects. Tests ensure that those are valid.
var compiledRows = sync.OnceValue(func() map[*dialect.Dialect]*compiledDialect {
	rows := map[*dialect.Dialect]*compiledDialect{}
	for _, d := range dialect.All() {
		rows[d] = newDialect(d)
		rows[d].row = true
	}
	return rows
})

// compileDialects returns dialects as parsers read them, or says what is wrong with one.
func compileDialects(dialects []*dialect.Dialect) ([]*compiledDialect, error) {
	list := make([]*compiledDialect, len(dialects))
	for i, d := range dialects {
		if d == nil {
			return nil, errors.New("a dialect is nil")
		}
		if list[i] = compiledRows()[d]; list[i] != nil {
			continue
		}
		if err := validate(d); err != nil {
			return nil, err
		}
		list[i] = newDialect(d)
	}
	return list, nil
}

// compiledRow returns the built-in dialect with a name, or nil.
func compiledRow(name string) *compiledDialect {
	named, err := dialect.Named(name, "")
	if err != nil {
		return nil
	}
	return compiledRows()[named[0]]
}

// compiled returns the forms in which d writes a call.
func (d *compiledDialect) compiled() []*form {
	d.compiling.Do(func() {
		for _, f := range d.Forms() {
			d.compiledForms = append(d.compiledForms, newForm(d, f))
		}
		for _, f := range d.compiledForms {
			f.compileRunOn(d.compiledForms)
		}
	})
	return d.compiledForms
}

// compiledShorthands returns the tags of d that are named after their tools.
func (d *compiledDialect) compiledShorthands() []*form {
	d.shortening.Do(func() {
		for i := range d.Shorthands {
			d.compiledTags = append(d.compiledTags, newShorthandForm(d, &d.Shorthands[i]))
		}
	})
	return d.compiledTags
}

// grammar returns the grammar of text in which d is the only dialect, and no option recovers
// the calls of others. Streams share it unless calls begin with the tools' names.
func (d *compiledDialect) grammar(opts *Options) *grammar {
	k := 0
	if opts.CallsInCode {
		k |= 1
	}
	if opts.CallsInReasoning {
		k |= 2
	}
	shared := &d.outside[k]
	shared.Do(func() {
		shared.grammar = compile([]*compiledDialect{d}, &Options{CallsInCode: opts.CallsInCode, CallsInReasoning: opts.CallsInReasoning})
	})
	if shared.grammar.named && len(opts.Tools) > 0 {
		return compile([]*compiledDialect{d}, opts)
	}
	return shared.grammar
}

// writesCalls reports whether d has a syntax for calls.
func (d *compiledDialect) writesCalls() bool { return !d.Native() }

// hasChannels reports whether the messages of d begin with headers.
func hasChannels(d *dialect.Dialect) bool { return len(d.Channels.Open) > 0 }

// headerForms returns how many of the forms of d are calls that begin with a header.
func headerForms(d *dialect.Dialect) int {
	if d.Channels.Addressed {
		return 1 + d.Channels.Bodies
	}
	return len(d.Channels.Calls)
}
