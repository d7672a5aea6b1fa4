// Package strictjson recognises JSON as RFC 8259 has it, byte by byte: a
// value is known to be over at its last byte, and broken JSON at its first bad
// one. It builds nothing and copies nothing.
//
// It accepts what [encoding/json.Valid] accepts.
package strictjson

import (
	"fmt"

	"github.com/toolparse/toolparse/internal/bytescan"
)

// MaxDepth is the nesting at which the scanner gives up, that of encoding/json.
const MaxDepth = 10_000

// Scanner recognises one JSON value that arrives in pieces. Its zero value is
// ready. It takes constant time a byte, and one bit of memory a level.
type Scanner struct {
	// MaxDepth is the nesting limit; 0 means the constant of this name, the largest one.
	MaxDepth int

	state state
	lit   string   // rest of the literal that is being matched
	hex   uint8    // digits of \uXXXX that are still missing
	depth int      // open arrays and objects
	kinds uint64   // one bit a level, of the first 64: set for an object
	deep  []uint64 // those of the levels below them; len(deep)*64 >= depth-64
}

type state uint8

const (
	beforeValue      state = iota
	beforeFirstValue       // after '[': a value or ']'
	beforeFirstKey         // after '{': a key or '}'
	beforeKey              // after ',' in an object
	beforeColon
	afterValue // inside a container: ',' or its end
	inString
	inKey
	inStringEscape
	inKeyEscape
	inStringHex
	inKeyHex
	inLiteral
	beforeNumber
	afterMinus
	inZero // a number that may go on with a fraction or an exponent only
	inInteger
	afterPoint
	inFraction
	afterExponent     // after 'e'
	afterExponentSign // after 'e' and a sign
	inExponent
	over // the value has ended
)

// Error tells where and why bytes are no JSON.
type Error struct {
	At      int    // index of the first bad byte in the piece that was scanned
	Want    string // what could have stood there
	Got     byte
	TooDeep bool // it opens one level too many
}

func wrong(at int, want string, got byte) error { return &Error{At: at, Want: want, Got: got} }

// Error returns the reason without the place.
func (e *Error) Error() string {
	return fmt.Sprintf("invalid JSON: expected %[2]s, got %[1]q", rune(e.Got), e.Want)
}

// Reset makes the scanner ready for another value. It keeps its memory.
func (s *Scanner) Reset() {
	*s = Scanner{MaxDepth: s.MaxDepth, deep: s.deep[:0]}
}

// Scan reads on in p. It returns how many bytes it took and whether the value
// ended with them; blanks before the value belong to it, those after do not.
// A number at the top level ends only with the byte after it, which is not
// taken. Scan returns an *Error at the first byte that breaks the value.
func (s *Scanner) Scan(p []byte) (n int, done bool, err error) {
	for i := 0; i < len(p); i++ {
		c := p[i]
		switch s.state {
		case inString, inKey:
			i = bytescan.PlainEnd(p, i)
			for i+1 < len(p) && p[i] == '\\' && bytescan.Meaning(p[i+1]) != 0 {
				i = bytescan.PlainEnd(p, i+2)
			}
			if i == len(p) {
				return i, false, nil
			}
			switch c = p[i]; {
			case c == '\\':
				s.state += inStringEscape - inString
			case c != '"':
				return i, false, wrong(i, "the rest of a string", c)
			case s.state == inKey:
				s.state = beforeColon
				// What nearly always follows is taken at once.
				if i+2 < len(p) && p[i+1] == ':' && p[i+2] == '"' {
					s.state = inString
					i += 2
				}
			default:
				s.value()
				if i+2 < len(p) && p[i+1] == ',' && p[i+2] == '"' && s.state == afterValue {
					i += 2
					if s.state = inString; s.inObject() {
						s.state = inKey
					}
				}
			}

		case beforeValue, beforeFirstValue:
			if blank[c] {
				continue
			}
			if c == ']' && s.state == beforeFirstValue {
				s.pop()
				break
			}
			if err := s.begin(c, i); err != nil {
				return i, false, err
			}

		case afterValue:
			if blank[c] {
				continue
			}
			object := s.inObject()
			switch {
			case c == ',' && object:
				s.state = beforeKey
			case c == ',':
				s.state = beforeValue
			case c == '}' && object, c == ']' && !object:
				s.pop()
			case object:
				return i, false, wrong(i, "a comma or the end of an object", c)
			default:
				return i, false, wrong(i, "a comma or the end of an array", c)
			}

		case beforeFirstKey, beforeKey:
			switch {
			case blank[c]:
				continue
			case c == '"':
				s.state = inKey
			case c == '}' && s.state == beforeFirstKey:
				s.pop()
			default:
				return i, false, wrong(i, "a key", c)
			}

		case beforeColon:
			if blank[c] {
				continue
			}
			if c != ':' {
				return i, false, wrong(i, "a colon", c)
			}
			s.state = beforeValue

		case inStringEscape, inKeyEscape:
			back := s.state - (inStringEscape - inString)
			switch {
			case bytescan.Meaning(c) != 0:
				s.state = back
			case c == 'u':
				s.state += inStringHex - inStringEscape
				s.hex = 4
			default:
				return i, false, wrong(i, "an escape", c)
			}

		case inStringHex, inKeyHex:
			if !IsHex(c) {
				return i, false, wrong(i, "a hexadecimal digit", c)
			}
			if s.hex--; s.hex == 0 {
				s.state -= inStringHex - inString
			}

		case inLiteral:
			if c != s.lit[0] {
				return i, false, wrong(i, "a literal", c)
			}
			if s.lit = s.lit[1:]; s.lit == "" {
				s.value()
			}

		case over:
			return i, true, nil

		default:
			if next := s.state.after(c); next != 0 {
				s.state = next
				continue
			}
			if !s.state.isNumber() {
				return i, false, wrong(i, "a digit", c)
			}
			// The number is over, and c is what comes after it.
			if s.value(); s.state == over {
				return i, true, nil
			}
			i--
		}
		if s.state == over {
			return i + 1, true, nil
		}
	}
	return len(p), s.state == over, nil
}

// Whole reports whether the value may end here: it has, or it is a number
// that needs no further byte.
func (s *Scanner) Whole() bool {
	return s.state == over || s.state.isNumber() && s.depth == 0
}

// Depth returns how many arrays and objects are open.
func (s *Scanner) Depth() int { return s.depth }

// Check returns nil when data is one JSON value with nothing but blanks
// around it, else an *Error. It uses and resets s, so that it does not
// allocate.
func (s *Scanner) Check(data []byte) error {
	s.Reset()
	n, _, err := s.Scan(data)
	if err != nil {
		return err
	}
	if !s.Whole() {
		return errCut
	}
	for i := n; i < len(data); i++ {
		if !blank[data[i]] {
			return wrong(i, "the end", data[i])
		}
	}
	return nil
}

// begin takes the first byte of a value.
func (s *Scanner) begin(c byte, at int) error {
	switch {
	case c == '"':
		s.state = inString
	case c == '{':
		s.state = beforeFirstKey
		return s.push(c, at)
	case c == '[':
		s.state = beforeFirstValue
		return s.push(c, at)
	case words[c] != "":
		s.state, s.lit = inLiteral, words[c][1:]
	default:
		if s.state = beforeNumber.after(c); s.state == 0 {
			return wrong(at, "a value", c)
		}
	}
	return nil
}

// value notes that a value has ended.
func (s *Scanner) value() {
	if s.state = afterValue; s.depth == 0 {
		s.state = over
	}
}

func (s *Scanner) push(c byte, at int) error {
	limit := s.MaxDepth
	if limit == 0 {
		limit = MaxDepth
	}
	if s.depth == limit {
		return &Error{at, fmt.Sprintf("a value nested at most %d deep", limit), c, true}
	}
	if s.depth/64 > len(s.deep) {
		s.deep = append(s.deep, 0)
	}
	kinds, bit := s.level(s.depth)
	if *kinds &^= bit; c == '{' {
		*kinds |= bit
	}
	s.depth++
	return nil
}

// level returns the word that holds the bit of a level, and the bit.
func (s *Scanner) level(depth int) (kinds *uint64, bit uint64) {
	bit = 1 << uint(depth%64)
	if depth < 64 {
		return &s.kinds, bit
	}
	return &s.deep[depth/64-1], bit
}

func (s *Scanner) pop() {
	s.depth--
	s.value()
}

func (s *Scanner) inObject() bool {
	kinds, bit := s.level(s.depth - 1)
	return *kinds&bit != 0
}
