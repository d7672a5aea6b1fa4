package parser

import (
	"iter"
	"slices"
	"sync"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/toolcall"
)

// Compiled holds what the parsers of many streams share: the schemas of the tools and the
// markers of the dialects. Make one with [Compile] and keep it: a parser made from it costs
// next to nothing, whatever the number of tools. It is immutable and safe for concurrent
// use, with one exception: if [Options.Notes] is set, its parsers share the notes and must
// not run concurrently; see [Compiled.WithNotes].
type Compiled struct {
	opts  Options
	lends bool // see WithLentContent
	*program
}

// program is the part of Compiled that does not depend on the notes.
type program struct {
	dialects []*compiledDialect
	tools    tools
	initials [256]bool // the first bytes of the tools' names
	outside  *grammar  // what can begin in text
	auto     bool      // see isAuto

	mu sync.RWMutex
	// grammars caches grammars that only some streams need. The keys consist of the
	// dialects' own markers, so their number is bounded.
	grammars map[grammarKey]*grammar
	unread   func() *Compiled // for NewUnread

	spare sync.Pool // of *reader, for borrow
}

// grammarKey identifies a grammar that only some streams need.
type grammarKey struct {
	dialect *compiledDialect // the dialect that the stream turned out to use; nil if it is unknown
	reasons bool             // the grammar is for reasoning (inside), not for text
	inside  inside
	// The markers of the call that revealed the dialect, as far as they matter.
	opener, leave lex.Pattern
}

// Compile prepares options for any number of streams. The error names the index and the
// name of a tool whose parameters are not a JSON Schema, or says what is wrong with a
// dialect. Callers must not change opts.Dialects and opts.Tools afterwards.
func Compile(opts Options) (*Compiled, error) {
	declared := opts.Schemas
	if declared == nil {
		var err error
		if declared, err = schema.CompileTools(opts.Tools); err != nil {
			return nil, err
		}
	}
	return compileWith(opts, declared)
}

// compileWith is Compile with compiled schemas of the tools.
func compileWith(opts Options, declared tools) (*Compiled, error) {
	dialects, err := compileDialects(opts.Dialects)
	if err != nil {
		return nil, err
	}
	if len(dialects) == 0 {
		dialects = []*compiledDialect{compiledRows()[dialect.Default()]}
	}
	opts.Limits = withDefaults(opts.Limits)
	c := &Compiled{opts: opts, program: &program{dialects: dialects, tools: declared, initials: declared.initials(), grammars: map[grammarKey]*grammar{}}}
	c.outside, c.auto = grammarOf(dialects, &c.opts), isAuto(dialects, &c.opts)
	c.unread = sync.OnceValue(func() *Compiled { return compileUnread(opts, declared) })
	return c, nil
}

// WithDialects returns c with other dialects. It does not compile the tools' schemas again.
func (c *Compiled) WithDialects(dialects ...*dialect.Dialect) (*Compiled, error) {
	opts := c.opts
	opts.Dialects = dialects
	return compileWith(opts, c.tools)
}

// WithNotes returns c with other [Options.Notes], for one stream. It compiles nothing.
func (c *Compiled) WithNotes(notes *[]toolcall.Note) *Compiled {
	copied := *c
	copied.opts.Notes = notes
	return &copied
}

// WithLentContent returns c for one stream whose consumer copies the content of calls, so that
// the payloads of these events need to be valid only until the end of the stream. It compiles
// nothing.
func (c *Compiled) WithLentContent() *Compiled {
	copied := *c
	copied.lends = true
	return &copied
}

// WithSpecial returns c with other [Options.Special], for one stream. It compiles nothing.
func (c *Compiled) WithSpecial(ranges []toolcall.Range) *Compiled {
	copied := *c
	copied.opts.Special = ranges
	return &copied
}

// Schemas returns the compiled parameters of the tools by name, or nil if no tools were
// declared. They need not be compiled again for the same tools.
func (c *Compiled) Schemas() map[string]*schema.Schema { return c.tools }

// New returns a parser for one stream.
func (c *Compiled) New() *Parser {
	p := &Parser{compiled: c}
	p.ready()
	return p
}

// borrow returns a reader of one stream that passes the events to yield, if possible one that
// has been given back. Give it back once the stream has ended.
func (c *Compiled) borrow(yield func(toolcall.Event, error) bool) *reader {
	r, ok := c.spare.Get().(*reader)
	if ok {
		r.compiled = c
		r.Reset()
	} else {
		r = &reader{Parser: c.New()}
		r.add = r.delta
	}
	r.yield = yield
	return r
}

// After a stream of more bytes, or with room for more events at once, the memory is not kept.
const (
	maxSpare       = 1 << 20
	maxSpareEvents = 256
)

// giveBack makes the memory of r available to other streams.
func (c *Compiled) giveBack(r *reader) {
	if r.off > maxSpare || cap(r.events) > maxSpareEvents {
		return
	}
	clear(r.events[:cap(r.events)]) // which would keep their strings
	r.dropDuplicates()
	*r = reader{Parser: r.Parser, events: r.events, add: r.add}
	c.spare.Put(r)
}

// Events is [Events] with the options of c.
func (c *Compiled) Events(deltas iter.Seq2[toolcall.Delta, error]) iter.Seq2[toolcall.Event, error] {
	return func(yield func(toolcall.Event, error) bool) { c.events(deltas, yield) }
}

// NewUnread is [NewUnread] for a stream that a parser of c reads.
func (c *Compiled) NewUnread() *Unread {
	u := new(Unread)
	u.Reset(c)
	return u
}

// inside returns the grammar inside reasoning. d is the dialect that the stream turned out
// to use, or nil.
func (c *Compiled) inside(of inside, d *compiledDialect) *grammar {
	dialects, auto := c.dialects, c.auto
	if d != nil {
		dialects, auto = []*compiledDialect{d}, false
	}
	if of.wire && c.opts.CallsInReasoning && !slices.ContainsFunc(dialects, (*compiledDialect).writesCalls) {
		dialects, auto = autoDialects(), !c.opts.Recover // the text contains no calls, so no dialect was named
	}
	if calls := c.opts.CallsInReasoning; auto {
		if g := autoInsides()[autoInside{of, calls}]; g != nil {
			return g()
		}
	}
	return c.grammar(grammarKey{dialect: d, reasons: true, inside: of}, func() *grammar {
		return insideOf(of, c.dialects, dialects, &c.opts)
	})
}

// settled returns the grammar of text in a stream that turned out to use the dialect d. by
// is the form of the call that revealed the dialect, or nil if something else did.
func (c *Compiled) settled(d *compiledDialect, by *form) *grammar {
	key := grammarKey{dialect: d}
	if by != nil {
		key.opener, key.leave = by.opener, by.leave
	}
	return c.grammar(key, func() *grammar {
		g := compile([]*compiledDialect{d}, &c.opts)
		if by != nil {
			g.addOrphans(by, c.dialects)
		}
		return g
	})
}

// grammar returns the grammar for key, and makes it on first use.
func (c *Compiled) grammar(key grammarKey, make func() *grammar) *grammar {
	c.mu.RLock()
	g := c.grammars[key]
	c.mu.RUnlock()
	if g != nil {
		return g
	}
	fresh := make() // without the lock: two streams may make the same grammar
	c.mu.Lock()
	defer c.mu.Unlock()
	if g := c.grammars[key]; g != nil {
		return g
	}
	c.grammars[key] = fresh
	return fresh
}

// New returns a parser for one stream. It is short for [Compile] and [Compiled.New], for
// options that are used once.
func New(opts Options) (*Parser, error) {
	c, err := Compile(opts)
	if err != nil {
		return nil, err
	}
	return c.New(), nil
}

// Reset prepares p for another stream, as if it were new. It keeps the memory.
func (p *Parser) Reset() {
	if p.callReader != nil {
		p.callReader.reset()
	}
	p.dropDuplicates()
	p.held = p.held[:0]
	p.parserState = parserState{}
	p.heading.reset()
	p.ready()
}

// dropDuplicates keeps the memory of what compared the calls of a stream that has ended.
func (p *Parser) dropDuplicates() {
	if p.duplicates != nil {
		p.duplicates.reset()
		p.duplicates, p.spareDuplicates = nil, p.duplicates
	}
}

// ready puts p, which has read nothing, at the beginning of a stream.
func (p *Parser) ready() {
	c := p.compiled
	p.opts, p.tools, p.outside = &c.opts, c.tools, c.outside
	p.ids = newIDSource(c.opts.IDPrefix, c.opts.RandomIDs)
	p.line, p.fresh = lineBlank, true
	if c.lends {
		p.lent.Lend()
	}
	if c.opts.StartInReasoning {
		p.startInReasoning()
	} else if len(p.outside.openings) > 0 {
		p.beginOpened(0)
	} else if len(p.outside.strays) > 0 {
		p.strays, p.state = p.outside.strays, stateStray
	}
	p.prefilled()
}
