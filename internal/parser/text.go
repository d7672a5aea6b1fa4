package parser

import (
	"sort"
	"strings"

	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// text is what the parser knows about the text outside of calls.
type text struct {
	line    lineStart // what precedes the first byte of the input at hand in its line
	between bool      // only blanks have followed the last call
	fresh   bool      // the stream had only blanks and reasoning so far
	lined   linePlace // a place in the input at hand whose lineStart is known

	outside   *grammar // what can begin in text
	reasoning *grammar // what can end the current reasoning; nil outside reasoning
	strays    []string // closers of reasoning that are markup in inStray
	jump      jumper   // in text and reasoning
	codeJump  jumper   // in code

	// Stream offsets.
	deadTick   int64 // after a backtick that begins no call
	noiseEnd   int64 // after pending noise
	sectionEnd int64 // after a section's closer, where no call without a marker may begin
}

// candidacy is what is known about the candidate besides its own stage.
type candidacy struct {
	rejectRule     string // the rule that rejected it, if known (for notes)
	alternative    *entry // the next interpretation of its marker
	alternativeEnd int64  // stream offset after that marker
}

// inText is the stage outside of calls and reasoning.
type inText struct{ opaque }

// read reads plain text up to the next byte that can begin something.
func (inText) read(p *Parser, in string, i int) int {
	if p.fresh || p.between {
		return p.textStart(in, i)
	}
	return p.textFrom(in, p.jump.find(p.outside, in, i))
}

func (inText) expire(p *Parser, _ string, i int) int {
	p.between = false
	return i
}

func (inText) end(*Parser) bool { return false }

func (inText) passes(p *Parser) (syntax.PassAs, *syntax.Stops) { return p.smooth.passText(p.outside) }

// textFrom reads text from in[i] on, where something may begin.
func (p *Parser) textFrom(in string, i int) int {
	for i < len(in) {
		if p.outside.beginsMarker(in, i) {
			if k := p.candidate(in, i); k >= 0 {
				return k
			}
		}
		next := i + 1
		if p.isTick(in[i]) {
			if next = p.pastCode(in, i); next == 0 {
				return p.ticks(in, i)
			}
		}
		i = p.jump.find(p.outside, in, next)
	}
	return i
}

// textStart reads text at the beginning of the stream, or after a call.
func (p *Parser) textStart(in string, i int) int {
	sure := max(p.base(), p.noiseEnd) + int64(p.opts.Limits.BlankBytes) // from there on, blanks after a call are text
	if s := p.outside.start; s != nil {
		n := lex.SkipBlanks(in, i)
		if p.between && p.at(n) >= sure {
			p.between, p.deadline = false, 0
		}
		if n < len(in) && lex.IsNameStart(in[n]) && (p.between || p.pendingBlank(in, p.at(n))) {
			p.begin(in, n)
			p.marker.short, p.marker.shortEnd = s, p.at(n)
			return n
		}
	}
	if p.fresh && p.outside.bare != nil {
		p.followList(in, lex.SkipBlanks(in, i))
	}
	j := p.findStart(in, i)
	if p.between {
		if k := p.skipBetween(in, i); k < j || j < len(in) && p.at(j) >= sure {
			p.between, p.deadline = false, 0
		} else if p.deadline == 0 {
			p.cand, p.deadline = max(p.base(), p.noiseEnd), sure
		}
	}
	if j == len(in) {
		return j
	}
	if p.outside.beginsMarker(in, j) {
		if k := p.candidate(in, j); k >= 0 {
			return k
		}
	}
	p.between, p.deadline = false, 0
	if p.isTick(in[j]) {
		return p.ticks(in, j)
	}
	p.fresh = false
	return j + 1
}

// findStart finds the first byte of text that can begin something. At the beginning and after a
// call, that is often the first one after some blanks.
func (p *Parser) findStart(in string, i int) int {
	for k := i; k < len(in); k++ {
		if p.outside.begins(in, k) {
			return k
		}
		if !lex.IsBlank(in[k]) {
			break
		}
	}
	return p.jump.find(p.outside, in, i)
}

// isTick reports whether c, which begins no call where the scan of text stopped, begins code.
func (p *Parser) isTick(c byte) bool {
	return p.outside.first[c] == anyGroup || c == '`' && !p.opts.CallsInCode
}

// candidate begins a candidate at in[i], where the scan stopped, and returns the offset up to
// which it has followed the trie. If that shows that no marker begins there, candidate returns
// a negative number instead: most brackets in text need no stage of their own.
func (p *Parser) candidate(in string, i int) int {
	if p.at(i)+1 == p.deadTick {
		return -1
	}
	g, node, k := p.grammar(), int32(0), i
	for k < len(in) {
		next := g.next(node, in[k])
		if next == 0 {
			p.work += int64(k - i)
			return -1
		}
		if g.nodes[next].entry != nil && !p.areOut(g.nodes[next].entry, in, k+1) {
			break
		}
		node = next
		k++
		if rest := g.nodes[node].rest; rest != "" && strings.HasPrefix(in[k:], rest) {
			node += int32(len(rest)) - 1 // marker reads the last byte
			k += len(rest) - 1
			break
		}
	}
	p.begin(in, i)
	p.marker.node = node
	return k
}

// areOut reports whether the bytes in[i:] after a marker rule out all of its interpretations.
func (p *Parser) areOut(e *entry, in string, i int) bool {
	for e != nil && p.isOut(e, in, i) {
		e = e.next
	}
	return e == nil
}

// begin begins a candidate at in[i], the first byte of a marker.
func (p *Parser) begin(in string, i int) int {
	p.look(i, p.opts.Limits.HeldBytes)
	p.code.line = p.lineAt(in, i)
	p.stage, p.marker, p.alternative = &p.marker, inMarker{}, nil
	return i
}

// grammar returns the grammar of the current context.
func (p *Parser) grammar() *grammar {
	if p.reasoning != nil {
		return p.reasoning
	}
	return p.outside
}

// inMarker is the stage in a marker.
type inMarker struct {
	candidate
	node     int32  // position in the trie
	short    *entry // the longest complete marker so far, if a longer one is possible
	shortEnd int64  // stream offset after short
}

// read follows the trie.
func (m *inMarker) read(p *Parser, in string, i int) int {
	g := p.grammar()
	for ; i < len(in); i++ {
		m.node = g.next(m.node, in[i])
		if m.node == 0 {
			return p.shorter(in, i)
		}
		n := &g.nodes[m.node]
		if n.rest != "" && strings.HasPrefix(in[i+1:], n.rest) {
			i += len(n.rest)
			m.node += int32(len(n.rest))
			n = &g.nodes[m.node]
		}
		switch {
		case n.entry == nil || !n.entry.fold && !p.exact(in, i+1, n.entry.marker):
			if len(n.edges) == 0 {
				return p.shorter(in, i+1)
			}
		case len(n.edges) > 0: // a longer marker is possible
			m.short, m.shortEnd = n.entry, p.at(i+1)
		default:
			return p.matched(n.entry, in, i+1)
		}
	}
	return i
}

func (m *inMarker) end(p *Parser) bool {
	p.shorter("", 0)
	return true
}

// shorter handles a candidate that no longer marker continues. If a shorter one was
// complete, the candidate is that marker; otherwise it is text.
func (p *Parser) shorter(in string, i int) int {
	e := p.marker.short
	if e == nil {
		return p.reject(in, i)
	}
	p.marker.short = nil
	return p.readAgain(in, i, p.marker.shortEnd, e)
}

// exact reports whether the candidate, which ends before in[i], equals marker exactly.
func (p *Parser) exact(in string, i int, marker string) bool {
	line := in[p.mark:i]
	if len(line) >= len(marker) {
		return line[len(line)-len(marker):] == marker
	}
	n := len(marker) - len(line) // number of its bytes that came with earlier inputs
	return string(p.held[len(p.held)-n:]) == marker[:n] && line == marker[n:]
}

// matched acts on a marker that ends before in[i].
func (p *Parser) matched(e *entry, in string, i int) int {
	if p.opts.Special != nil && e.isMarker() && !p.isSpecial(i) {
		p.alternative, p.marker.short = nil, nil
		return p.reject(in, i)
	}
	for e.next != nil && (p.isOut(e, in, i) || p.isBroken(e)) {
		e = e.next
	}
	if p.alternative, p.alternativeEnd = e.next, p.at(i); p.alternative == nil {
		p.alternative, p.marker.short = p.marker.short, nil
		p.alternativeEnd = p.marker.shortEnd
	}
	if p.isOut(e, in, i) || p.isBroken(e) || e.begins() && p.inOtherJSON(in) {
		return p.reject(in, i)
	}
	switch e.kind {
	case entryNoise:
		return p.noise(e, in, i)
	case entryHeader:
		return p.beginHeading(e, in, i)
	case entryFrame:
		if e.at != "" && !p.inPlace(e, in) || e.form.bare && p.cand == p.sectionEnd && p.cand > 0 {
			return p.reject(in, i)
		}
		return p.beginFrame(e, in, i)
	case entryReasoning:
		return p.reasoningOpens(e, in, i)
	case entryReasoningEnd:
		return p.reasoningEnds(in, i)
	case entryMember:
		if !p.inSection() || p.frame.form.whole != e.form.whole {
			return p.reject(in, i)
		}
		p.frame.form, p.frame.entered = e.form, false
		p.beginFramedEnvelope(in)
		return p.envelopeFirst(e.marker, in, i)
	}
	p.beginEnvelope(e.dialect, in)
	return p.envelopeFirst(e.marker, in, i)
}

// begins reports whether e begins a call.
func (e *entry) begins() bool {
	return e.kind == entryBare || e.kind == entryFrame || e.kind == entryMember
}

// isMarker reports whether e is a real marker, and not the first byte of a call without
// one.
func (e *entry) isMarker() bool {
	return e.kind != entryBare && e.kind != entryMember && !e.named && (e.form == nil || !e.form.bare)
}

// isSpecial reports whether a byte of the candidate, which ends before in[i], was part of a
// special token.
func (p *Parser) isSpecial(i int) bool {
	start, end := p.inStream(p.cand), p.inStream(p.at(i))
	ranges := p.opts.Special
	next := sort.Search(len(ranges), func(k int) bool { return ranges[k].End > start })
	return next < len(ranges) && ranges[next].Start < end
}

// isOut reports whether the bytes in[i:] after a marker rule out e, before any work is done
// for it. It is an optimisation: what it misses is noticed later.
func (p *Parser) isOut(e *entry, in string, i int) bool {
	if i == len(in) {
		return false
	}
	switch e.kind {
	case entryBare:
		return !lex.IsBlank(in[i]) && strings.IndexByte(e.follow, in[i]) < 0
	case entryMember:
		return !p.inSection() || p.frame.form.whole != e.form.whole
	case entryFrame:
		if p.opts.Notes != nil || !e.form.bare || !e.form.plain || e.named || e.form.Head.Prefix != "" || len(e.marker) < len(e.opening.Patterns[0]) {
			return false
		}
		if i = lex.SkipBlanks(in, i); i == len(in) {
			return false
		}
		if p.tools == nil {
			return !lex.IsNameStart(in[i]) && !e.form.stops[in[i]]
		}
		return !p.compiled.initials[in[i]]
	}
	return false
}

// bareCounts reports whether a candidate without a marker may be a call. If the dialect is
// one of many, there must be other evidence: the tools are known, the candidate begins the
// message, or an envelope says that it is a call.
func (p *Parser) bareCounts(d *compiledDialect, in string) bool {
	return p.countsAnywhere(d) || p.fresh && (p.reasoning != nil || p.pendingBlank(in, p.cand)) || p.inJSONText(in)
}

// countsAnywhere reports whether a candidate without a marker may be a call at any place.
func (p *Parser) countsAnywhere(d *compiledDialect) bool {
	return p.outside.dialect != nil && !d.foreign || p.tools != nil
}

// flushText emits the pending bytes before the stream offset end as text.
func (p *Parser) flushText(in string, end int64) {
	if end <= p.base() {
		return
	}
	if p.noiseEnd > p.base() {
		if end <= p.noiseEnd {
			return // the noise goes with what follows
		}
		p.startOpen(toolcall.SegmentText, p.takeTo(in, p.noiseEnd))
	}
	p.scanList(in, end)
	p.emitText(p.takeTo(in, end))
}

// emitText adds run to the open text segment, and opens one if necessary.
func (p *Parser) emitText(run string) {
	if p.open.kind != toolcall.SegmentText {
		p.startOpen(toolcall.SegmentText, "")
	}
	p.emitOpen(run)
	if p.fresh && lex.SkipBlanks(run, 0) < len(run) {
		p.fresh = false
	}
}
