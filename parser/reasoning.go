package parser

import "github.com/toolparse/toolparse"

// startInReasoning makes the stream begin inside reasoning, which any of the
// dialects' closers ends. A model that repeats the opener is forgiven.
func (p *Parser) startInReasoning() {
	p.reasoning, p.state = startingIn(p.opts.Dialects, p.opts.Dialects, &p.opts), stateReasoning
}

// startingIn is the grammar inside reasoning that the stream began in: any of closed
// ends it, and what else may stand in it is that of dialects.
func startingIn(closed, dialects []*Dialect, opts *Options) *grammar {
	g := newGrammar()
	for _, d := range closed {
		if d.Channels.exist() {
			continue
		}
		for _, pair := range d.Reasoning {
			g.addCloser(pair)
			g.add(pair.Open, false, &entry{kind: entryReasoning, marker: pair.Open, dialect: d, reasoning: pair})
		}
	}
	for _, d := range dialects {
		switch {
		case d.Channels.exist():
			g.addInside(newChannelForm(d), opts)
		case opts.CallsInReasoning || d.CallsInReasoning || d.CallsEndReasoning:
			g.addOpeners(d)
		}
	}
	return g
}

// settleDialect makes d the stream's dialect, where that was to be found out. From
// here on nothing of another counts, save for calls that are recovered.
func (p *Parser) settleDialect(d *Dialect) {
	if p.outside.dialect != nil {
		return
	}
	p.outside = compile([]*Dialect{d}, &p.opts)
	if p.reasoning != nil && p.reasoning.dialect == nil { // it may have what others have
		p.reasoning = startingIn(p.opts.Dialects, []*Dialect{d}, &p.opts)
	}
}

// insideOf is the grammar inside reasoning that e opened.
func (p *Parser) insideOf(e *entry) *grammar {
	g := p.insides[e]
	if g == nil {
		if p.insides == nil {
			p.insides = map[*entry]*grammar{}
		}
		g = insideOf(e.dialect, e.reasoning, &p.opts)
		p.insides[e] = g
	}
	return g
}

// inReasoning reads reasoning up to what may be its closer.
func (p *Parser) inReasoning(in string, i int) int {
	j := p.jump.find(p.reasoning, in, i)
	if j < len(in) {
		return p.begin(in, j)
	}
	return j
}

// reasoningOpens begins reasoning after an opener, which must begin its line.
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
	p.startOpen(toolparse.SegmentReasoning, p.take(in, i))
	p.reasoning, p.state = p.insideOf(e), stateReasoning
	p.between, p.deadline = false, 0
	return i
}

// reasoningEnds ends reasoning after its closer.
func (p *Parser) reasoningEnds(in string, i int) int {
	p.flushReasoning(in, p.cand)
	if p.open.kind == "" {
		p.startOpen(toolparse.SegmentReasoning, "")
	}
	p.endOpen(toolparse.Complete, toolparse.ReasonNone, p.take(in, i))
	p.reasoning, p.state = nil, stateText
	p.deadline = 0
	if c := p.outside.channels; c != nil {
		p.messageEnded(c)
		p.between, p.swallow = true, p.at(i)
	}
	return i
}

// flushReasoning makes what is pending before the stream offset end reasoning.
// At the very beginning blanks wait: an opener may follow.
func (p *Parser) flushReasoning(in string, end int64) {
	if end <= p.base() {
		return
	}
	if p.open.kind == "" {
		if end <= int64(p.opts.Limits.BlankBytes) && p.pendingBlank(in, end) && !p.closed {
			return
		}
		p.startOpen(toolparse.SegmentReasoning, "")
	}
	p.emitOpen(p.takeTo(in, end))
}

// pendingBlank reports whether what is pending before the stream offset end is blank.
func (p *Parser) pendingBlank(in string, end int64) bool {
	n := int(end - p.base())
	p.work += int64(n)
	from := max(0, min(n, int(p.swallow-p.base()))) // noise is no text
	h := min(n, len(p.held))
	if from < h {
		return skipBlanks(string(p.held[from:h]), 0) == h-from && skipBlanks(in[p.mark:p.mark+n-h], 0) == n-h
	}
	return skipBlanks(in[p.mark+from-h:p.mark+n-h], 0) == n-from
}
