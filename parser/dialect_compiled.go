package parser

import "sync"

// compiledDialect holds what all parsers of a dialect share. Each part is made on first use.
type compiledDialect struct {
	of  *Dialect // the dialect itself: a copy of it needs a compiledDialect of its own
	row bool     // of is in the table, whose dialects tests ensure to be valid

	checking, compiling, shortening sync.Once

	invalid           error
	forms, shorthands []*form

	outside [4]struct { // grammars of text, by Options.CallsInCode and Options.CallsInReasoning
		sync.Once
		made *grammar
	}
}

// Dialects of the table, and copies of them, are compiled on first use.
func init() {
	for _, d := range table {
		d.compileOnce()
		d.shared.row = true
	}
}

// compileOnce makes d, which must not be moved, be checked and compiled only once, on first
// use.
func (d *Dialect) compileOnce() { d.shared = &compiledDialect{of: d} }

// sharing returns what the parsers of d share, or nil if each of them compiles d.
func (d *Dialect) sharing() *compiledDialect {
	if d.shared == nil || d.shared.of != d {
		return nil
	}
	return d.shared
}

// isRow reports whether d is in the table.
func (d *Dialect) isRow() bool { return d != nil && d.sharing() != nil && d.shared.row }

// check returns an error if d is invalid.
func (d *Dialect) check() error {
	switch {
	case d.isRow():
		return nil
	case d == nil || d.sharing() == nil:
		return d.validate()
	}
	s := d.shared
	s.checking.Do(func() { s.invalid = d.validate() })
	return s.invalid
}

// compiled returns the compiled forms of d, which must be valid.
func (d *Dialect) compiled() []*form {
	s := d.sharing()
	if s == nil {
		return d.compileForms()
	}
	s.compiling.Do(func() { s.forms = d.compileForms() })
	return s.forms
}

// compiledShorthands returns the tags of d that are named after their tools.
func (d *Dialect) compiledShorthands() []*form {
	s := d.sharing()
	if s == nil {
		return d.compileShorthands()
	}
	s.shortening.Do(func() { s.shorthands = d.compileShorthands() })
	return s.shorthands
}

// grammar returns the grammar of text in which d is the only dialect, and no option recovers
// the calls of others. Streams share it unless calls begin with the tools' names.
func (d *Dialect) grammar(opts *Options) *grammar {
	s := d.sharing()
	if s == nil {
		return compile([]*Dialect{d}, opts)
	}
	k := 0
	if opts.CallsInCode {
		k |= 1
	}
	if opts.CallsInReasoning {
		k |= 2
	}
	shared := &s.outside[k]
	shared.Do(func() {
		shared.made = compile([]*Dialect{d}, &Options{CallsInCode: opts.CallsInCode, CallsInReasoning: opts.CallsInReasoning})
	})
	if shared.made.named && len(opts.Tools) > 0 {
		return compile([]*Dialect{d}, opts)
	}
	return shared.made
}
