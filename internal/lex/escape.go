package lex

import "unicode/utf8"

// Escape decodes backslash escapes in a quoted string, one byte at a time. It knows the
// escapes of JSON and, if All is set, also those of YAML.
//
// A \u escape for a high surrogate produces nothing by itself: it waits in High for the low
// surrogate. Whoever meets anything else next must write [Escape.Flush] first.
type Escape struct {
	All    bool
	seen   []byte // the bytes of the escape so far
	digits int    // hexadecimal digits that are still missing
	r      rune
	High   rune // a high surrogate that waits for its low surrogate; 0 if none does
}

// EscapeVerdict is the state of an escape after one more byte.
type EscapeVerdict uint8

const (
	EscapeMore  EscapeVerdict = iota // the escape needs more bytes
	EscapeDone                       // the byte completed the escape
	EscapeWrong                      // not an escape: its bytes so far are text, and the caller reads this byte again
)

// Begin starts an escape. The caller has just read its backslash.
func (e *Escape) Begin() {
	e.seen, e.digits, e.r = append(e.seen[:0], '\\'), 0, 0
}

// Begun reports whether only the backslash has been read.
func (e *Escape) Begun() bool { return len(e.seen) == 1 }

// Add takes the next byte of the escape. It returns the text that the caller must write
// now, which is empty for EscapeMore.
func (e *Escape) Add(c byte) (string, EscapeVerdict) {
	if len(e.seen) == 1 {
		return e.letter(c)
	}
	if !IsHexDigit(c) {
		return e.Flush() + string(e.seen), EscapeWrong
	}
	e.seen = append(e.seen, c)
	e.r = e.r<<4 | hexDigit(c)
	if e.digits--; e.digits > 0 {
		return "", EscapeMore
	}
	return e.end(), EscapeDone
}

// letter takes the byte after the backslash.
func (e *Escape) letter(c byte) (string, EscapeVerdict) {
	switch {
	case c == 'u':
		e.digits = 4
	case c == 'x' && e.All:
		e.digits = 2
	case c == 'U' && e.All:
		e.digits = 8
	default:
		text := escapeOf(c, e.All)
		if text == "" {
			return e.Flush() + `\`, EscapeWrong
		}
		return e.Flush() + text, EscapeDone
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

// escapeOf returns the character that a backslash followed by c stands for, or "" if that
// is not an escape. all adds the escapes of YAML.
func escapeOf(c byte, all bool) string {
	switch c {
	case '"', '\\', '/', '\'':
		return string(rune(c))
	case 'b':
		return "\b"
	case 'f':
		return "\f"
	case 'n':
		return "\n"
	case 'r':
		return "\r"
	case 't':
		return "\t"
	}
	if !all {
		return ""
	}
	switch c {
	case '0':
		return "\x00"
	case 'a':
		return "\a"
	case 'v':
		return "\v"
	case 'e':
		return "\x1b"
	case ' ':
		return " "
	case '\t':
		return "\t"
	case 'N':
		return "\u0085"
	case '_':
		return "\u00a0"
	case 'L':
		return "\u2028"
	case 'P':
		return "\u2029"
	}
	return ""
}

// IsHexDigit reports whether c is a hexadecimal digit, in either case.
func IsHexDigit(c byte) bool {
	return c >= '0' && c <= '9' || Lower(c) >= 'a' && Lower(c) <= 'f'
}

func hexDigit(c byte) rune {
	if c <= '9' {
		return rune(c - '0')
	}
	return rune(Lower(c)-'a') + 10
}
