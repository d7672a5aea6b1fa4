package parser

import (
	"iter"
	"sync"

	"github.com/toolparse/toolparse/internal/dialect"
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
	shared   *grammars // of all streams in these dialects
	own      grammars  // those that depend on the tools, or recover calls

	unread func() *Compiled // for Unread
	spare  sync.Pool        // of *reader, for borrow
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
	c := &Compiled{opts: opts, program: &program{dialects: dialects, tools: declared, initials: declared.initials(), shared: sharedGrammars(dialects)}}
	c.outside = c.text()
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

// NewUnread returns an Unread for a stream that a parser of c reads.
func (c *Compiled) NewUnread() *Unread {
	u := new(Unread)
	u.Reset(c)
	return u
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
	p.pending.reset()
	p.output, p.parserState = output{}, parserState{}
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
	p.stage, p.line, p.fresh = inText{}, lineBlank, true
	if c.lends {
		p.lent.Lend()
	}
	if c.opts.StartInReasoning {
		p.startInReasoning()
	} else if len(p.outside.openings) > 0 {
		p.beginOpened(0)
	} else if len(p.outside.strays) > 0 {
		p.strays, p.stage = p.outside.strays, inStray{}
	}
	p.prefilled()
}
