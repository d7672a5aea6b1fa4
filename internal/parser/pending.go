package parser

// base returns the stream offset of the first pending byte.
func (p *Parser) base() int64 { return p.off + int64(p.mark-len(p.held)) }

// take removes the pending bytes up to in[i], and returns them as the raw of an event. It
// copies only if some of them are held.
func (p *Parser) take(in string, i int) string {
	raw := in[p.mark:i]
	if len(p.held) > 0 {
		raw = p.memory.Join(p.held, raw)
		p.held = p.held[:0]
	}
	p.mark = i
	return raw
}

// takeTo is take for the pending bytes before the stream offset end.
func (p *Parser) takeTo(in string, end int64) string {
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
func (p *Parser) isHeld(at int64) bool { return at < p.at(p.mark) }

// pendingFrom returns the pending bytes from the stream offset from up to in[i].
func (p *Parser) pendingFrom(in string, i int, from int64) string {
	if p.isHeld(from) {
		return p.memory.Join(p.held[from-p.base():], in[p.mark:i])
	}
	return in[from-p.off : i]
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
func (p *Parser) reread(i int, to int64) { p.work += p.at(i) - to + rereadWork }

// rereadWork is the fixed cost of going back, in bytes.
const rereadWork = 4
