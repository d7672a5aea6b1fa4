package parser

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// inside identifies the reasoning that a grammar is for: reasoning that a marker has opened,
// or that its wire separates, or, for the zero value, that the stream began in.
type inside struct {
	pair dialect.Reasoning
	wire bool
}

// startInReasoning makes the stream begin inside reasoning, which any closer of the
// dialects ends. A model may repeat the opener.
func (p *Parser) startInReasoning() {
	p.reasoning, p.stage = p.insideOf(inside{}), inReasoning{}
}

// insideOf returns the grammar inside reasoning: what ends it, and the calls that count in
// it. asked lists the dialects that were requested, and dialects those that the stream may
// use.
func insideOf(of inside, asked, dialects []*compiledDialect, opts *Options) *grammar {
	g := newGrammar()
	g.inside, g.tools = of, opts.Tools
	if len(dialects) == 1 {
		g.dialect = dialects[0]
	} else {
		g.surfaces, g.owners = map[string]bool{}, ownersOf(dialects)
	}
	begins := of == inside{}
	switch {
	case begins:
		for _, d := range asked {
			if hasChannels(d.Dialect) {
				continue
			}
			for _, pair := range d.Reasoning {
				g.addCloser(pair)
				for _, m := range lineEnds(pair.Open) {
					g.add(m, false, &entry{kind: entryReasoning, marker: m, dialect: d, reasoning: pair})
				}
			}
		}
	case !of.wire:
		g.addCloser(of.pair)
		for _, d := range dialects {
			g.addOtherClosers(of.pair, d.Reasoning)
		}
	}
	counts := func(d *compiledDialect) bool {
		return opts.CallsInReasoning || d.CallsInReasoning || d.CallsEndReasoning
	}
	g.shared = map[lex.Pattern]bool{}
	var count []*compiledDialect
	for _, d := range dialects {
		if counts(d) {
			count = append(count, d)
			continue
		}
		for _, f := range d.compiled() { // what may occur in reasoning of d is no reliable sign of a call
			g.shared[f.opener] = true
		}
	}
	for _, d := range dialects {
		switch {
		case begins && hasChannels(d.Dialect):
			g.addInside(newChannelForm(d), opts)
		case counts(d):
			g.addOpeners(d)
		}
	}
	if opts.Recover {
		g.addForeign(count)
	}
	return g
}

// addOtherClosers adds the closers that a dialect's pairs list beside pair for the same opener.
func (g *grammar) addOtherClosers(pair dialect.Reasoning, pairs []dialect.Reasoning) {
	if !slices.Contains(pairs, pair) {
		return
	}
	for _, other := range pairs {
		if other.Open == pair.Open && !slices.Contains(g.strays, other.Close) {
			g.addCloser(other)
		}
	}
}

// insideOf returns the grammar inside reasoning of this stream.
func (p *Parser) insideOf(of inside) *grammar {
	last := &p.lastInside
	if last.grammar == nil || last.dialect != p.outside.dialect || last.inside != of {
		*last = lastInside{of, p.outside.dialect, p.compiled.inside(of, p.outside.dialect)}
	}
	return last.grammar
}

// lastInside is the last result of insideOf.
type lastInside struct {
	inside  inside
	dialect *compiledDialect
	grammar *grammar
}

// settleDialect records that the stream uses d, if its dialect was unknown. From here on
// other dialects no longer count, except for recovered calls. form is the form of the call
// that revealed the dialect, or nil if something else did.
func (p *Parser) settleDialect(d *compiledDialect, form *form) {
	if p.outside.dialect != nil {
		return
	}
	p.outside = p.compiled.settled(d, form)
	if p.reasoning != nil && p.reasoning.dialect == nil { // it may contain markers of other dialects
		p.reasoning = p.insideOf(p.reasoning.inside)
	}
}

// inReasoning is the stage in reasoning.
type inReasoning struct{ candidate }

// read reads reasoning up to a possible closer.
func (inReasoning) read(p *Parser, in string, i int) int {
	for {
		j := p.jump.find(p.reasoning, in, i)
		if j == len(in) {
			return j
		}
		if k := p.candidate(in, j); k >= 0 {
			return k
		}
		i = j + 1
	}
}

func (inReasoning) end(*Parser) bool { return false }

func (inReasoning) passes(p *Parser) (syntax.PassAs, *syntax.Stops) {
	return p.smooth.passText(p.reasoning)
}

// reasoningOpens begins reasoning after its opener, which must begin its line.
func (p *Parser) reasoningOpens(e *entry, in string, i int) int {
	if p.reasoning != nil { // the stream began in reasoning
		if p.open.kind != "" || p.cand > int64(p.opts.Limits.BlankBytes) || !p.pendingBlank(in, p.cand) {
			return p.reject(in, i)
		}
	} else if e.lineStart && p.code.line != lineBlank {
		return p.reject(in, i)
	} else {
		p.flushText(in, p.cand)
	}
	p.startOpen(toolcall.SegmentReasoning, p.take(in, i))
	p.reasoning, p.stage = p.insideOf(inside{pair: e.reasoning}), inReasoning{}
	p.strays, p.between, p.deadline = nil, false, 0
	return i
}

// reasoningEnds ends reasoning after its closer.
func (p *Parser) reasoningEnds(in string, i int) int {
	p.flushReasoning(in, p.cand)
	if p.open.kind == "" {
		p.startOpen(toolcall.SegmentReasoning, "")
	}
	p.endOpen(toolcall.Complete, toolcall.ReasonNone, p.take(in, i))
	p.reasoning, p.stage = nil, inText{}
	p.deadline = 0
	if c := p.outside.channels; c != nil {
		p.messageEnded(c)
		p.between, p.noiseEnd = true, p.at(i)
		p.expectHeader()
	}
	return i
}

// flushReasoning emits the pending bytes before the stream offset end as reasoning. Blanks
// at the very beginning wait, because an opener may follow.
func (p *Parser) flushReasoning(in string, end int64) {
	if end <= p.base() {
		return
	}
	if p.open.kind == "" {
		if end <= int64(p.opts.Limits.BlankBytes) && p.pendingBlank(in, end) && !p.closed && p.wire == "" {
			return
		}
		p.startOpen(toolcall.SegmentReasoning, "")
	}
	p.scanList(in, end)
	p.emitOpen(p.takeTo(in, end))
}

// pendingBlank reports whether the pending bytes before the stream offset end are blank.
func (p *Parser) pendingBlank(in string, end int64) bool {
	n := int(end - p.base())
	from := max(0, min(n, int(p.noiseEnd-p.base()))) // noise is not text
	h := min(n, len(p.held))
	if from < h {
		return p.isBlank(string(p.held[from:h])) && p.isBlank(in[p.mark:p.mark+n-h])
	}
	return p.isBlank(in[p.mark+from-h : p.mark+n-h])
}

// isBlank reports whether text, which was read before, is blank. It counts the work.
func (p *Parser) isBlank(text string) bool {
	n := lex.SkipBlanks(text, 0)
	p.work += int64(n)
	return n == len(text)
}

// inStray is the stage at the beginning of the stream, or after a call that ended reasoning,
// until what follows cannot be a closer of reasoning. Such a closer is not text: the prompt
// may have opened the reasoning, or the call came before its closer.
type inStray struct{ candidate }

func (inStray) expire(p *Parser, in string, i int) int { return p.noStray(in, i) }

func (inStray) end(p *Parser) bool {
	if !p.looking() {
		return false
	}
	p.noStray("", 0)
	return true
}

func (inStray) read(p *Parser, in string, i int) int {
	if !p.looking() {
		if i = lex.SkipBlanks(in, i); i == len(in) {
			return i
		}
		p.look(i, closerBytes)
		p.code.line = p.lineAt(in, i)
	}
	text := p.pendingFrom(in, len(in), p.cand)
	for _, closer := range p.strays {
		switch {
		case strings.HasPrefix(text, closer):
			p.stage, p.strays = inText{}, nil
			return p.noise(&entry{}, in, int(p.cand-p.off)+len(closer))
		case strings.HasPrefix(closer, text):
			return len(in)
		}
	}
	return p.noStray(in, len(in))
}

// noStray continues in text at the candidate, which is no closer of reasoning.
func (p *Parser) noStray(in string, i int) int {
	p.stage = inText{}
	if p.calls == 0 { // only at the very beginning
		p.strays = nil
	}
	if p.isHeld(p.cand) {
		p.line = p.code.line
	}
	return p.rewind(in, i, p.cand)
}
