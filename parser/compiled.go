package parser

import (
	"iter"
	"slices"
	"sync"

	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/toolcall"
)

// Compiled is what the parsers of many streams share: the schemas of the tools, and
// the markers of the dialects. Make one with [Compile] and keep it: its parsers
// cost next to nothing, however many tools there are. It does not change, and is
// safe for concurrent use; only the parsers of one that has [Options.Notes] share
// these, and must not run at the same time: see [Compiled.WithNotes].
type Compiled struct {
	opts Options
	*program
}

// program is what is compiled of options, whatever their notes.
type program struct {
	tools    tools
	initials [256]bool // of the tools' names
	outside  *grammar  // what can begin in text

	mu sync.RWMutex
	// grammars are those that only some streams come to. Their keys are made of the
	// dialects' own markers, so that there are only so many.
	grammars map[grammarKey]*grammar
	unread   func() *Compiled // for Unread
}

// grammarKey is what a grammar is for that only some streams come to.
type grammarKey struct {
	dialect *Dialect // that the stream turned out to be in; nil: it is not known
	reasons bool     // it is for inside, and not for text
	inside  inside
	// The markers of the call that told the dialect, as far as they matter.
	opener, leave lex.Pattern
}

// Compile readies options for any number of streams. It fails on a tool whose
// parameters are no JSON Schema, with the tool's place and name, and on a dialect
// that is not valid. opts.Dialects and opts.Tools must not be changed afterwards.
func Compile(opts Options) (*Compiled, error) {
	declared, err := schema.CompileTools(opts.Tools)
	if err != nil {
		return nil, err
	}
	return compileWith(opts, declared)
}

// compileWith is Compile with the schemas of the tools.
func compileWith(opts Options, declared tools) (*Compiled, error) {
	for _, d := range opts.Dialects {
		if err := d.check(); err != nil {
			return nil, err
		}
	}
	opts.Limits = opts.Limits.withDefaults()
	if len(opts.Dialects) == 0 {
		opts.Dialects = []*Dialect{apiToolCall}
	}
	c := &Compiled{opts, &program{tools: declared, initials: declared.initials(), grammars: map[grammarKey]*grammar{}}}
	c.outside = grammarOf(opts.Dialects, &c.opts)
	c.unread = sync.OnceValue(func() *Compiled { return compileUnread(opts, declared) })
	return c, nil
}

// WithDialects returns c for other dialects. The schemas of the tools are not
// compiled again.
func (c *Compiled) WithDialects(dialects ...*Dialect) (*Compiled, error) {
	opts := c.opts
	opts.Dialects = dialects
	return compileWith(opts, c.tools)
}

// WithNotes returns c with other [Options.Notes], for one stream. It compiles
// nothing.
func (c *Compiled) WithNotes(notes *[]Note) *Compiled {
	own := *c
	own.opts.Notes = notes
	return &own
}

// WithSpecial returns c with other [Options.Special], for one stream. It compiles
// nothing.
func (c *Compiled) WithSpecial(ranges []Range) *Compiled {
	own := *c
	own.opts.Special = ranges
	return &own
}

// Schemas are the parameters of the tools by name; nil where none were declared.
// They are for package adapter, which validates against what the parser typed by.
func (c *Compiled) Schemas() map[string]*schema.Schema { return c.tools }

// New returns a parser for one stream.
func (c *Compiled) New() *Parser {
	p := &Parser{compiled: c}
	p.ready()
	return p
}

// Events is [Events] with the options that c was compiled of.
func (c *Compiled) Events(deltas iter.Seq2[toolcall.Delta, error]) iter.Seq2[toolcall.Event, error] {
	return func(yield func(toolcall.Event, error) bool) { c.events(deltas, yield) }
}

// NewUnread is [NewUnread] for a stream that a parser of c reads.
func (c *Compiled) NewUnread() *Unread {
	return &Unread{opts: &c.opts, compiled: c.unread, left: maxDetected}
}

// inside is the grammar inside reasoning of a stream that has turned out to be in
// the dialect; nil where that is not known.
func (c *Compiled) inside(of inside, d *Dialect) *grammar {
	dialects := c.opts.Dialects
	if d != nil {
		dialects = []*Dialect{d}
	}
	if of.wire && c.opts.CallsInReasoning && !slices.ContainsFunc(dialects, (*Dialect).writesCalls) {
		dialects = autoDialects() // the text holds no calls, so no dialect was named
	}
	if calls := c.opts.CallsInReasoning; isAuto(dialects, &c.opts) {
		if g := autoInsides()[autoInside{of, calls}]; g != nil {
			return g()
		}
	}
	return c.grammar(grammarKey{dialect: d, reasons: true, inside: of}, func() *grammar {
		return insideOf(of, c.opts.Dialects, dialects, &c.opts)
	})
}

// settled is the grammar of text in a stream that has turned out to be in the
// dialect d, by a call in form; nil where something else told it.
func (c *Compiled) settled(d *Dialect, by *form) *grammar {
	key := grammarKey{dialect: d}
	if by != nil {
		key.opener, key.leave = by.opener, by.leave
	}
	return c.grammar(key, func() *grammar {
		g := compile([]*Dialect{d}, &c.opts)
		if by != nil {
			g.addOrphans(by, c.opts.Dialects)
		}
		return g
	})
}

// grammar returns the grammar for key, which is made where it is not there yet.
func (c *Compiled) grammar(key grammarKey, make func() *grammar) *grammar {
	c.mu.RLock()
	g := c.grammars[key]
	c.mu.RUnlock()
	if g != nil {
		return g
	}
	made := make() // without the lock: two streams may make the same
	c.mu.Lock()
	defer c.mu.Unlock()
	if g := c.grammars[key]; g != nil {
		return g
	}
	c.grammars[key] = made
	return made
}

// New returns a parser for one stream: [Compile] and [Compiled.New] at once, for
// options that are used once.
func New(opts Options) (*Parser, error) {
	c, err := Compile(opts)
	if err != nil {
		return nil, err
	}
	return c.New(), nil
}

// Reset makes p ready for another stream, as if it were new. It keeps what memory
// it has.
func (p *Parser) Reset() {
	if p.callReader != nil {
		p.callReader.reset()
	}
	*p = Parser{
		compiled: p.compiled, held: p.held[:0],
		callReader: p.callReader, spare: p.spare, recents: p.recents, args: p.args, machines: p.machines,
		heading: heading{match: p.heading.match, word: p.heading.word[:0]},
	}
	p.ready()
}

// ready makes p, which has read nothing, stand at the beginning of a stream.
func (p *Parser) ready() {
	c := p.compiled
	p.opts, p.tools, p.outside = &c.opts, c.tools, c.outside
	p.ids = newIDSource(c.opts.IDPrefix, c.opts.RandomIDs)
	p.line, p.fresh = lineBlank, true
	if c.opts.StartInReasoning {
		p.startInReasoning()
	} else if len(p.outside.openings) > 0 {
		p.beginOpened(0)
	} else if len(p.outside.strays) > 0 {
		p.state = stateStray
	}
	p.prefilled()
}
