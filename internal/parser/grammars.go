package parser

import (
	"slices"
	"sync"

	"github.com/toolparse/toolparse/internal/lex"
)

// grammars caches the grammars of streams that may use the same dialects. Its keys consist of
// options and of the dialects' own markers, so their number is bounded.
type grammars struct {
	mu   sync.RWMutex
	made map[grammarKey]*grammar
}

// grammarKey is what a grammar depends on beside the dialects of the stream.
type grammarKey struct {
	callsInCode, callsInReasoning bool // the options

	dialect *compiledDialect // the dialect that the stream turned out to use; nil if it is unknown
	reasons bool             // the grammar is for reasoning (inside), not for text
	inside  inside
	// The markers of the call that revealed the dialect, as far as they matter.
	opener, leave lex.Pattern
}

// get returns the grammar for key, and makes it on first use.
func (s *grammars) get(key grammarKey, make func() *grammar) *grammar {
	s.mu.RLock()
	g := s.made[key]
	s.mu.RUnlock()
	if g != nil {
		return g
	}
	fresh := make() // without the lock: two streams may make the same grammar
	s.mu.Lock()
	defer s.mu.Unlock()
	if g := s.made[key]; g != nil {
		return g
	}
	if s.made == nil {
		s.made = map[grammarKey]*grammar{}
	}
	s.made[key] = fresh
	return fresh
}

// The grammars of streams in auto.
var autoGrammars grammars

// autoGrammar is the grammar of text in auto.
var autoGrammar = sync.OnceValue(func() *grammar {
	return autoGrammars.get(grammarKey{}, func() *grammar { return compile(autoDialects(), &Options{}) })
})

// sharedGrammars returns the cache of all streams in these dialects.
func sharedGrammars(dialects []*compiledDialect) *grammars {
	switch {
	case len(dialects) == 1:
		return &dialects[0].grammars
	case slices.Equal(dialects, autoDialects()):
		return &autoGrammars
	}
	return new(grammars)
}

// grammar returns the grammar for key, and makes it on first use. It is of the given dialects.
// Streams with other tools share it, unless the names of the tools are markers in it.
func (c *Compiled) grammar(key grammarKey, of []*compiledDialect, make func(*Options) *grammar) *grammar {
	cache, opts := c.shared, &Options{CallsInCode: c.opts.CallsInCode, CallsInReasoning: c.opts.CallsInReasoning}
	if c.opts.Recover || len(of) == 1 && len(c.opts.Tools) > 0 && of[0].namesTools() {
		cache, opts = &c.own, &c.opts
	}
	key.callsInCode, key.callsInReasoning = opts.CallsInCode, opts.CallsInReasoning
	return cache.get(key, func() *grammar { return make(opts) })
}

// text returns the grammar of text.
func (c *Compiled) text() *grammar {
	return c.grammar(grammarKey{}, c.dialects, func(opts *Options) *grammar { return compile(c.dialects, opts) })
}

// inside returns the grammar inside reasoning. d is the dialect that the stream turned out
// to use, or nil.
func (c *Compiled) inside(of inside, d *compiledDialect) *grammar {
	dialects := c.dialects
	if d != nil {
		dialects = []*compiledDialect{d}
	}
	if of.wire && c.opts.CallsInReasoning && !slices.ContainsFunc(dialects, (*compiledDialect).writesCalls) {
		dialects = autoDialects() // the text contains no calls, so no dialect was named
	}
	return c.grammar(grammarKey{dialect: d, reasons: true, inside: of}, dialects, func(opts *Options) *grammar {
		return insideOf(of, c.dialects, dialects, opts)
	})
}

// settled returns the grammar of text in a stream that turned out to use the dialect d. by
// is the form of the call that revealed the dialect, or nil if something else did.
func (c *Compiled) settled(d *compiledDialect, by *form) *grammar {
	key := grammarKey{dialect: d}
	if by != nil {
		key.opener, key.leave = by.opener, by.leave
	}
	of := []*compiledDialect{d}
	return c.grammar(key, of, func(opts *Options) *grammar {
		g := compile(of, opts)
		if by != nil {
			g.addOrphans(by, c.dialects)
		}
		return g
	})
}
