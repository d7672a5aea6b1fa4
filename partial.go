package toolparse

import (
	"bytes"
	"encoding/json"

	"github.com/toolparse/toolparse/internal/utf8cut"
)

// partialObject follows the text of one JSON object while it comes, so that the
// part that has come can be closed to a value at any moment. It reads each byte
// once. Text that is no JSON, as that of a malformed call may be, gives {}.
//
//	{"a":[1,2],"b":"x\u00      text
//	{"a":[1,2],"b":"x          text[:safe], while in a string
//	                 "}        what closes it
type partialObject struct {
	text  []byte
	read  int    // of text
	start int    // of the object
	safe  int    // text[start:safe], closed, is a value
	open  []byte // the closers of the containers that are open, innermost last
	in    partialState
	key   bool // the string is a key
	begun bool // the object has begun
	skip  int  // hexadecimal digits of an escape that are still to come
	code  rune // of the escape, as far as it came
	pair  bool // the escape before was the first half of a surrogate pair
}

// partialState is what the next byte belongs to.
type partialState uint8

const (
	partialBetween partialState = iota // structure and blanks
	partialString
	partialEscape // behind a backslash
	partialScalar // a number or a literal
)

// add takes the next piece of the text.
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
		return // behind the object
	}
	switch c {
	case '{', '[':
		if !p.begun {
			if c != '{' {
				return
			}
			p.begun, p.start = true, p.read
		}
		p.open = append(p.open, c+2) // '}' and ']' stand two behind their openers
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

// stringSafe notes that a value may end behind the byte at hand.
func (p *partialObject) stringSafe() {
	if !p.key && p.begun {
		p.safe = p.read + 1
	}
}

// inEscape reads behind a backslash. A surrogate counts with its other half.
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

// value returns the object so far, closed: strings as far as they have come,
// numbers and literals once they are whole.
func (p *partialObject) value() json.RawMessage {
	if !p.begun {
		return json.RawMessage("{}")
	}
	safe := p.text[p.start:p.safe]
	inString := p.in == partialString || p.in == partialEscape
	if inString && !p.key {
		safe = safe[:len(safe)-utf8cut.Tail(safe)]
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
