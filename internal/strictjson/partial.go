package strictjson

import (
	"github.com/toolparse/toolparse/internal/bytescan"
	"github.com/toolparse/toolparse/internal/printable"
)

// Partial reads one JSON value in pieces, and can close the part that has arrived to a valid
// value at any moment. It reads each byte once, up to the first that is not JSON.
//
//	{"a":[1,2],"b":"x\u00      text
//	{"a":[1,2],"b":"x          text[:safe], while in a string
//	                 "}        what closes it
//
// The zero value is ready.
type Partial struct {
	text   []byte
	read   int // bytes of text
	scan   Scanner
	safe   int  // text[:safe], closed, is a value
	number int  // end of the longest complete number in the number that is being read; 0 if none
	half   bool // the string ends with the first half of a surrogate pair
	over   bool // the value has ended or broken
}

// Add adds the next piece of the text. The other methods read it.
func (p *Partial) Add(piece string) { p.text = append(p.text, piece...) }

func (p *Partial) readAll() {
	for p.read < len(p.text) && !p.over {
		at := p.read
		p.read++
		if p.scan.state == inString || p.scan.state == inKey {
			p.read = max(p.read, bytescan.PlainEnd(p.text, at))
		}
		p.step(at, p.read)
	}
}

// step reads text[at:to]: one byte, or plain content of a string.
func (p *Partial) step(at, to int) {
	was := p.scan.state
	n, done, err := p.scan.Scan(p.text[at:to])
	now := p.scan.state
	p.over = done || err != nil
	if was.isNumber() && (err != nil || !now.inNumber()) {
		p.safe = at
	}
	if n == 0 {
		return
	}
	switch now {
	case inString:
		p.half = was == inStringHex && CodeUnit(p.text[to-4:])&^0x3ff == 0xd800
		if !p.half {
			p.safe = to
		}
	case beforeFirstKey, beforeFirstValue, afterValue, over:
		if !blank[p.text[at]] {
			p.safe = to
		}
	case afterMinus:
		p.number = 0
	case inZero, inInteger, inFraction, inExponent:
		p.number = to
	}
}

// End says that no more text follows, so that the complete part of a number at the end
// counts.
func (p *Partial) End() {
	p.readAll()
	if p.scan.state.inNumber() && p.number > 0 {
		p.safe = p.number
	}
}

// Value returns the value so far, closed, or nil before it has begun. It includes the
// arrived part of a string, but numbers and literals only if they are whole. It copies
// the text.
func (p *Partial) Value() []byte {
	p.readAll()
	out := p.text[:p.safe]
	out = out[SkipBlanks(out, 0):]
	if len(out) == 0 {
		return nil
	}
	inText := p.scan.state == inString || p.scan.state == inStringEscape || p.scan.state == inStringHex
	if inText {
		out = out[:len(out)-printable.CutTail(out)]
	}
	out = append(make([]byte, 0, len(out)+1+p.scan.depth), out...)
	if inText {
		out = append(out, '"')
	}
	for level := p.scan.depth - 1; level >= 0; level-- {
		closer := byte(']')
		if kinds, bit := p.scan.level(level); *kinds&bit != 0 {
			closer = '}'
		}
		out = append(out, closer)
	}
	return out
}
