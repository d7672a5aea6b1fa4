package lex

import (
	"unicode/utf8"

	"github.com/toolparse/toolparse/internal/strictjson"
)

// Escape decodes backslash escapes in a quoted string, as the input arrives.
//
// A \u escape for a high surrogate produces nothing by itself: it waits in High for the low
// surrogate. Whoever meets anything else next must write [Escape.Flush] first.
type Escape struct {
	Set    EscapeSet
	seen   []byte // the bytes of the escape so far
	digits int    // digits that are still missing
	octal  bool   // they are octal, and may be missing
	r      rune
	High   rune // a high surrogate that waits for its low surrogate; 0 if none does
}

// EscapeSet says which escapes there are.
type EscapeSet uint8

// The sets. Each has the escapes for quotes, backslashes and control characters, and \u.
const (
	EscapesJSON EscapeSet = iota
	EscapesYAML
	EscapesPython
)

// EscapeVerdict is the state of an escape after the bytes that were read.
type EscapeVerdict uint8

const (
	EscapeMore  EscapeVerdict = iota // the escape needs more bytes
	EscapeDone                       // it is complete
	EscapeWrong                      // not an escape: its bytes are text, as far as they were read
)

// Begin starts an escape. The caller has just read its backslash.
func (e *Escape) Begin() {
	e.seen, e.digits, e.octal, e.r = append(e.seen[:0], '\\'), 0, false, 0
}

// Begun reports whether only the backslash has been read.
func (e *Escape) Begun() bool { return len(e.seen) == 1 }

// Raw returns the bytes of the escape that have been read.
func (e *Escape) Raw() []byte { return e.seen }

// Read consumes the escape from in[i] on. It returns the text that the caller must write
// now, which is empty for EscapeMore, and the offset of the first byte that it did not use.
func (e *Escape) Read(in string, i int) (text string, next int, verdict EscapeVerdict) {
	for ; i < len(in); i++ {
		c := in[i]
		switch {
		case e.Begun():
			text, verdict = e.letter(c)
		case e.octal && (c < '0' || c > '7'):
			return e.end(), i, EscapeDone
		case !strictjson.IsHex(c), e.Set == EscapesPython && e.digits == 1 && e.with(c) > utf8.MaxRune:
			return e.Flush() + string(e.seen), i, EscapeWrong
		default:
			e.seen, e.r = append(e.seen, c), rune(e.with(c))
			if e.digits--; e.digits == 0 {
				text, verdict = e.end(), EscapeDone
			}
		}
		switch verdict {
		case EscapeDone:
			return text, i + 1, verdict
		case EscapeWrong:
			return text, i, verdict
		}
	}
	return "", i, EscapeMore
}

// with returns the number so far with the digit c.
func (e *Escape) with(c byte) uint32 {
	if e.octal {
		return uint32(e.r)<<3 | uint32(strictjson.HexDigit(c))
	}
	return uint32(e.r)<<4 | uint32(strictjson.HexDigit(c))
}

// letter takes the byte after the backslash.
func (e *Escape) letter(c byte) (string, EscapeVerdict) {
	all := e.Set != EscapesJSON
	switch {
	case c == 'u':
		e.digits = 4
	case c == 'x' && all:
		e.digits = 2
	case c == 'U' && all:
		e.digits = 8
	case c >= '0' && c <= '7' && e.Set == EscapesPython:
		e.digits, e.octal, e.r = 2, true, strictjson.HexDigit(c)
	default:
		text, verdict := escapes[e.Set][c], EscapeDone
		if text == "" {
			text, verdict = `\`, EscapeWrong
		} else {
			e.seen = append(e.seen, c)
		}
		if e.High != 0 {
			text = e.Flush() + text
		}
		return text, verdict
	}
	e.seen = append(e.seen, c)
	return "", EscapeMore
}

// end returns the text of a numeric escape, after its last digit.
func (e *Escape) end() string {
	high := e.High
	e.High = 0
	switch {
	case high != 0 && e.r >= 0xDC00 && e.r < 0xE000:
		return string((high-0xD800)<<10 | (e.r - 0xDC00) + 0x10000)
	case e.r >= 0xD800 && e.r < 0xDC00:
		e.High = e.r
		if high == 0 {
			return ""
		}
		return string(utf8.RuneError)
	case high != 0:
		return string(utf8.RuneError) + string(e.r)
	}
	return string(e.r)
}

// Flush returns the replacement character if a high surrogate is still waiting for its
// other half, and "" otherwise. Callers write it before anything that is not an escape.
func (e *Escape) Flush() string {
	if e.High == 0 {
		return ""
	}
	e.High = 0
	return string(utf8.RuneError)
}

// escapes maps the byte after a backslash to what both stand for, for each [EscapeSet].
var escapes = func() (table [EscapesPython + 1][256]string) {
	add := func(letters, means string, sets ...EscapeSet) {
		for i := range len(letters) {
			for _, set := range sets {
				table[set][letters[i]] = means[i : i+1]
			}
		}
	}
	add(`"\'bfnrt`, "\"\\'\b\f\n\r\t", EscapesJSON, EscapesYAML, EscapesPython)
	add("/", "/", EscapesJSON, EscapesYAML)
	add("av", "\a\v", EscapesYAML, EscapesPython)
	add("0e \t", "\x00\x1b \t", EscapesYAML)
	yaml := &table[EscapesYAML]
	yaml['N'], yaml['_'], yaml['L'], yaml['P'] = "\u0085", "\u00a0", "\u2028", "\u2029"
	return table
}()
