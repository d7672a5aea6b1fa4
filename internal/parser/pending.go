package parser

import "github.com/toolparse/toolparse/internal/lex"

// These offsets describe what the parser knows. All of them count bytes of the stream,
// except mark, which is an offset in the input at hand (in).
//
//	     base()             cand              at(i)       limit()
//	       v                 v                  v            v
//	-------+-----------------+------------------+------------+----
//	events |     certain     |    candidate     |  not read  |
//	-------+-----------------+------------------+------------+----
//	       |<------------- pending ------------>|
//	       |<- held (copied) ->|<- in[mark:i] ->|
//
// The parser keeps the following invariants.
//
//  1. The pending bytes are held, followed by in[mark:i]. Every byte of the stream is in the
//     raw of exactly one event, or pending, or not read: only take and takeTo move pending
//     bytes to an event, and the fast path (smooth) runs only while nothing is pending.
//  2. While deadline is not 0, a candidate (in text) or a look (inside a call) is open, and
//     the bytes from cand on must not become part of an event. Pending bytes before cand are
//     certain: endInput may emit them.
//  3. run cuts the input at limit, so that a decision that is forced there (expire) happens
//     at the same byte, however the stream is cut.
//  4. Going back (readAgain) reads pending bytes again, and no others. If they were
//     held, they are read as an input of their own, nested in the current one. work counts
//     every byte that is read again; since the deadlines are bounded, so is work per byte.

// pending is the bytes that were read but belong to no event yet: held, followed by in[mark:],
// where in is the input at hand.
type pending struct {
	held []byte
	mark int
	off  int64 // stream offset of in[0]
	// cand is the stream offset at which the candidate, or the look inside a call, begins.
	// The pending bytes before it are certain.
	cand int64
	// deadline is the stream offset at which the candidate must be decided; 0 if there is
	// none.
	deadline int64

	work   int64      // bytes read again or looked back at; TestLinear limits it
	memory *lex.Arena // of raws and deltas that are no part of one chunk; nil until the first candidate
}

// reset forgets the stream, and keeps the memory.
func (p *pending) reset() { *p = pending{held: p.held[:0], memory: p.memory} }

// at returns the stream offset of in[i].
func (p *pending) at(i int) int64 { return p.off + int64(i) }

// looking reports whether a candidate or a look is open.
func (p *pending) looking() bool { return p.deadline != 0 }

// base returns the stream offset of the first pending byte.
func (p *pending) base() int64 { return p.off + int64(p.mark-len(p.held)) }

// take removes the pending bytes up to in[i], and returns them as the raw of an event. It
// copies only if some of them are held.
func (p *pending) take(in string, i int) string {
	raw := in[p.mark:i]
	if len(p.held) > 0 {
		raw = p.memory.Join(p.held, raw)
		p.held = p.held[:0]
	}
	p.mark = i
	return raw
}

// takeTo is take for the pending bytes before the stream offset end.
func (p *pending) takeTo(in string, end int64) string {
	n, h := int(max(0, end-p.base())), len(p.held)
	if n >= h {
		return p.take(in, p.mark+n-h)
	}
	raw := p.memory.Join(p.held[:n], "")
	p.held = append(p.held[:0], p.held[n:]...)
	return raw
}

// isHeld reports whether the pending byte at the stream offset at is in held. That is so
// for bytes of earlier inputs and, during a rewind, for kept bytes of the current one.
func (p *pending) isHeld(at int64) bool { return at < p.at(p.mark) }

// pendingFrom returns the pending bytes from the stream offset from up to in[i].
func (p *pending) pendingFrom(in string, i int, from int64) string {
	if p.isHeld(from) {
		return p.memory.Join(p.held[from-p.base():], in[p.mark:i])
	}
	return in[from-p.off : i]
}

// hold keeps the pending bytes of in, which has been read completely.
func (p *pending) hold(in string) {
	if p.mark < len(in) {
		p.held = append(p.held, in[p.mark:]...)
	}
	p.mark, p.off = 0, p.at(len(in))
}

// rewind closes the candidate and goes back from in[i] to the pending stream offset to. It
// returns the offset at which the caller must continue.
func (p *Parser) rewind(in string, i int, to int64) int {
	p.deadline = 0
	return p.back(in, i, to)
}

// back is rewind for a candidate that remains open.
func (p *Parser) back(in string, i int, to int64) int { return p.readAgain(in, i, to, nil) }

// readAgain goes back from in[i] to the pending stream offset to, where the marker of e ended if
// that is not nil, and continues after the marker. It returns where the caller must continue.
func (p *Parser) readAgain(in string, i int, to int64, e *entry) int {
	p.reread(i, to)
	from := func(in string, i int) int {
		if e == nil {
			return i
		}
		return p.matched(e, in, i)
	}
	if !p.isHeld(to) {
		return from(in, int(to-p.off))
	}
	// The bytes came with earlier inputs: read them as a nested input.
	keep := int(to - p.base())
	again := p.memory.Join(p.held[keep:], in[p.mark:i])
	p.held = p.held[:keep]
	if keep == 0 && p.call != nil && p.call.started {
		p.line = p.call.line
	}
	off := p.off
	p.off, p.mark = to, 0
	p.forget()
	p.run(again, from(again, 0))
	p.off, p.mark = off, i
	p.forget()
	return i
}

// reread counts the bytes from the stream offset to up to in[i] as work.
func (p *pending) reread(i int, to int64) { p.work += p.at(i) - to + rereadWork }

// rereadWork is the fixed cost of going back, in bytes.
const rereadWork = 4
