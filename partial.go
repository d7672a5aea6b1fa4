package toolparse

import (
	"bytes"
	"encoding/json"

	"github.com/toolparse/toolparse/internal/printable"
)

// partialObject reads the text of one JSON object in pieces, and can close the part
// that has arrived to a valid object at any moment. It reads each byte once. Text that
// is not JSON, such as that of a malformed call, gives {}.
//
//	{"a":[1,2],"b":"x\u00      text
//	{"a":[1,2],"b":"x          text[:safe], while in a string
//	                 "}        what closes it
type partialObject struct {
	text  []byte
	read  int    // of text
	start int    // of the object
	safe  int    // text[start:safe], closed, is a value
	open  []byte // closers of the open containers, innermost last
	in    partialState
	key   bool // the string is a key
	begun bool // the object has begun
	skip  int  // hexadecimal digits of an escape that are still missing
	code  rune // value of the escape's digits so far
	pair  bool // the previous escape was the first half of a surrogate pair
}

// partialState says what the next byte belongs to.
type partialState uint8

const (
	partialBetween partialState = iota // structure and blanks
	partialString
	partialEscape // after a backslash
	partialScalar // a number or a literal
)

// add reads the next piece of the text.
func (p *partialObject) add(piece string) {
	p.text = append(p.text, piece...)
	for ; p.read < len(p.text); p.read++ {
		p.next(p.text[p.read])
	}
}

func (p *partialObject) next(c byte) {
	switch p.in {
	case partialString:
		p.inString(c)
		return
	case partialEscape:
		p.inEscape(c)
		return
	case partialScalar:
		if !endsScalar(c) {
			return
		}
		p.safe, p.in = p.read, partialBetween
	}
	if p.begun && len(p.open) == 0 {
		return // after the object
	}
	switch c {
	case '{', '[':
		if !p.begun {
			if c != '{' {
				return
			}
			p.begun, p.start = true, p.read
		}
		p.open = append(p.open, c+2) // in ASCII, '}' and ']' are two after their openers
		p.key, p.safe = c == '{', p.read+1
	case '}', ']':
		if len(p.open) > 0 {
			p.open = p.open[:len(p.open)-1]
			p.safe = p.read + 1
		}
	case ',':
		p.key = len(p.open) > 0 && p.open[len(p.open)-1] == '}'
	case ':':
		p.key = false
	case '"':
		p.in, p.pair = partialString, false
		if !p.key && p.begun {
			p.safe = p.read + 1
		}
	case ' ', '\t', '\n', '\r':
	default:
		if !p.key {
			p.in = partialScalar
		}
	}
}

func endsScalar(c byte) bool { return bytes.IndexByte([]byte(",]} \t\n\r"), c) >= 0 }

func (p *partialObject) inString(c byte) {
	switch {
	case c == '\\':
		p.in = partialEscape
	case c == '"':
		p.in = partialBetween
		p.stringSafe()
	default:
		p.pair = false
		p.stringSafe()
	}
}

// stringSafe records that a value may end after the current byte.
func (p *partialObject) stringSafe() {
	if !p.key && p.begun {
		p.safe = p.read + 1
	}
}

// inEscape reads a byte of an escape. The first half of a surrogate pair is not safe
// without the second.
func (p *partialObject) inEscape(c byte) {
	switch {
	case p.skip > 0:
		p.code = p.code<<4 | hexDigit(c)
		if p.skip--; p.skip > 0 {
			return
		}
		p.in = partialString
		if p.pair = !p.pair && p.code >= 0xd800 && p.code < 0xdc00; !p.pair {
			p.stringSafe()
		}
	case c == 'u':
		p.skip, p.code = 4, 0
	default:
		p.in, p.pair = partialString, false
		p.stringSafe()
	}
}

func hexDigit(c byte) rune {
	switch {
	case c >= '0' && c <= '9':
		return rune(c - '0')
	case c >= 'a' && c <= 'f':
		return rune(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return rune(c-'A') + 10
	}
	return 0
}

// value returns the object so far, closed. It includes the arrived part of a string,
// but numbers and literals only when they are whole.
func (p *partialObject) value() json.RawMessage {
	if !p.begun {
		return json.RawMessage("{}")
	}
	safe := p.text[p.start:p.safe]
	inString := p.in == partialString || p.in == partialEscape
	if inString && !p.key {
		safe = safe[:len(safe)-printable.CutTail(safe)]
	}
	out := make([]byte, 0, len(safe)+1+len(p.open))
	out = append(out, safe...)
	if inString && !p.key {
		out = append(out, '"')
	}
	for i := len(p.open) - 1; i >= 0; i-- {
		out = append(out, p.open[i])
	}
	if !json.Valid(out) {
		return json.RawMessage("{}")
	}
	return out
}
