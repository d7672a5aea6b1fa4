package parser

import (
	"sort"
	"strings"

	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/toolcall"
)

// text reads plain text up to the next byte that can begin something.
func (p *Parser) text(in string, i int) int {
	if p.fresh || p.between {
		return p.textStart(in, i)
	}
	return p.textFrom(in, p.jump.find(p.outside, in, i))
}

// textFrom is text from in[i] on, where something may begin.
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

// textStart is text at the beginning of the stream, or after a call.
func (p *Parser) textStart(in string, i int) int {
	sure := max(p.base(), p.noiseEnd) + int64(p.opts.Limits.BlankBytes) // from there on, blanks after a call are text
	if s := p.outside.start; s != nil {
		n := lex.SkipBlanks(in, i)
		if p.between && p.at(n) >= sure {
			p.between, p.deadline = false, 0
		}
		if n < len(in) && lex.IsNameStart(in[n]) && (p.between || p.pendingBlank(in, p.at(n))) {
			p.begin(in, n)
			p.short, p.shortEnd = s, p.at(n)
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
// a negative number instead: most brackets in text need no state of their own.
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
	p.node = node
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
	p.state, p.node, p.short, p.alternative = stateMarker, 0, nil, nil
	return i
}

// grammar returns the grammar of the current context.
func (p *Parser) grammar() *grammar {
	if p.reasoning != nil {
		return p.reasoning
	}
	return p.outside
}

// marker follows the trie.
func (p *Parser) marker(in string, i int) int {
	g := p.grammar()
	for ; i < len(in); i++ {
		p.node = g.next(p.node, in[i])
		if p.node == 0 {
			return p.shorter(in, i)
		}
		n := &g.nodes[p.node]
		if n.rest != "" && strings.HasPrefix(in[i+1:], n.rest) {
			i += len(n.rest)
			p.node += int32(len(n.rest))
			n = &g.nodes[p.node]
		}
		switch {
		case n.entry == nil || !n.entry.fold && !p.exact(in, i+1, n.entry.marker):
			if len(n.edges) == 0 {
				return p.shorter(in, i+1)
			}
		case len(n.edges) > 0: // a longer marker is possible
			p.short, p.shortEnd = n.entry, p.at(i+1)
		default:
			return p.matched(n.entry, in, i+1)
		}
	}
	return i
}

// shorter handles a candidate that no longer marker continues. If a shorter one was
// complete, the candidate is that marker; otherwise it is text.
func (p *Parser) shorter(in string, i int) int {
	e := p.short
	if e == nil {
		return p.reject(in, i)
	}
	p.short = nil
	return p.readAgain(in, i, p.shortEnd, e)
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
		p.alternative, p.short = nil, nil
		return p.reject(in, i)
	}
	for e.next != nil && (p.isOut(e, in, i) || p.isBroken(e)) {
		e = e.next
	}
	if p.alternative, p.alternativeEnd = e.next, p.at(i); p.alternative == nil {
		p.alternative, p.short = p.short, nil
		p.alternativeEnd = p.shortEnd
	}
	if p.isOut(e, in, i) || p.isBroken(e) {
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

// startOpen opens a segment of text or reasoning, and ends the previous one.
func (p *Parser) startOpen(kind toolcall.SegmentType, raw string) {
	p.endOpen(toolcall.Complete, toolcall.ReasonNone, "")
	p.open = segment{kind: kind, id: p.ids.next()}
	p.event(toolcall.SegmentStart, kind, p.open.id).Raw = raw
}

// emitOpen adds content to the open segment. Its raw is the content itself.
func (p *Parser) emitOpen(run string) {
	if joint := p.channel.joint; joint != "" {
		p.channel.joint = ""
		p.event(toolcall.SegmentContent, p.open.kind, p.open.id).Payload = joint
	}
	e := p.event(toolcall.SegmentContent, p.open.kind, p.open.id)
	e.Payload, e.Raw = run, run
	if p.channel.muted {
		e.Payload = ""
	}
}

// endOpen ends the open segment of text or reasoning, if any.
func (p *Parser) endOpen(status toolcall.Status, reason toolcall.Reason, raw string) {
	if p.open.kind == "" {
		return
	}
	e := p.event(toolcall.SegmentEnd, p.open.kind, p.open.id)
	e.Status, e.Reason, e.Raw = status, reason, raw
	p.open = segment{}
}

// event appends an event to the result of Feed, for the caller to fill in place: a copy
// would cost as much as everything else.
func (p *Parser) event(typ toolcall.EventType, kind toolcall.SegmentType, id string) *toolcall.Event {
	p.dst = append(p.dst, toolcall.Event{})
	e := &p.dst[len(p.dst)-1]
	e.Type, e.Segment, e.ID = typ, kind, id
	return e
}
