package conform

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// closeJSON returns the JSON value that text, JSON that may stop anywhere or
// break, stands for as far as it goes: what is sound up to there is kept, an
// unfinished string up to its last whole character, an unfinished number up to
// its last digit that makes one; a member without a value is dropped, and what
// is open is closed. Text without any value gives {}.
func closeJSON(text string) string {
	c := closer{in: text}
	for c.value() && c.next() {
	}
	for i := len(c.open) - 1; i >= 0; i-- {
		c.out.WriteByte(c.open[i] + 2) // in ASCII both closers stand two after their openers
	}
	if c.out.Len() == 0 {
		return "{}"
	}
	return c.out.String()
}

// number matches the longest JSON number at the beginning of a text.
var number = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?`)

type closer struct {
	in      string
	at      int
	out     strings.Builder
	open    []byte // '{' and '[' still to be closed
	pending string // what goes before the next value, if one comes: comma and key
}

// value reads the value that is due, or the opener of one, and reports whether
// it was sound.
func (c *closer) value() bool {
	c.blanks()
	if c.at == len(c.in) {
		return false
	}
	rest := c.in[c.at:]
	switch rest[0] {
	case '{', '[':
		c.emit(rest[:1])
		c.open = append(c.open, rest[0])
		return true
	case '"':
		n, whole := stringEnd(rest)
		if whole {
			c.emit(rest[:n])
		} else {
			c.emit(rest[:n] + `"`)
		}
		return whole
	}
	for _, word := range []string{"true", "false", "null"} {
		if strings.HasPrefix(rest, word) {
			c.emit(word)
			return true
		}
	}
	n := number.FindString(rest)
	if n != "" {
		c.emit(n)
	}
	return n != ""
}

// next moves to where the next value is due: past commas, keys and the closers
// of what ends here. It reports false at the end, and where the text breaks.
func (c *closer) next() bool {
	for len(c.open) > 0 {
		c.blanks()
		if c.at == len(c.in) {
			return false
		}
		top := c.open[len(c.open)-1]
		b := c.in[c.at]
		if b == top+2 {
			c.at++
			c.out.WriteByte(b)
			c.open = c.open[:len(c.open)-1]
			continue
		}
		comma := ""
		if last := c.out.String()[c.out.Len()-1]; last != '{' && last != '[' { // a value went before
			if b != ',' {
				return false
			}
			c.at++
			comma = ","
		}
		if top == '[' {
			c.pending = comma
			return true
		}
		return c.key(comma)
	}
	return false
}

func (c *closer) key(comma string) bool {
	c.blanks()
	rest := c.in[c.at:]
	if rest == "" || rest[0] != '"' {
		return false
	}
	n, whole := stringEnd(rest)
	if !whole {
		return false
	}
	c.at += n
	c.blanks()
	if c.at == len(c.in) || c.in[c.at] != ':' {
		return false
	}
	c.at++
	c.pending = comma + rest[:n] + ":"
	return true
}

func (c *closer) emit(s string) {
	c.out.WriteString(c.pending)
	c.out.WriteString(s)
	c.at += len(s)
	c.pending = ""
}

func (c *closer) blanks() {
	for c.at < len(c.in) && strings.IndexByte(" \t\r\n", c.in[c.at]) >= 0 {
		c.at++
	}
}

// stringEnd returns how many bytes of s, which begins with a quote, are a JSON
// string (whole), or the beginning of one up to its last sound character.
func stringEnd(s string) (n int, whole bool) {
	for n = 1; n < len(s); {
		switch b := s[n]; {
		case b == '"':
			return n + 1, true
		case b < ' ':
			return n, false
		case b == '\\':
			k := escapeEnd(s[n:])
			if k == 0 {
				return n, false
			}
			n += k
		default:
			r, k := utf8.DecodeRuneInString(s[n:])
			if r == utf8.RuneError && k == 1 && !utf8.FullRuneInString(s[n:]) {
				return n, false
			}
			n += k
		}
	}
	return n, false
}

// escapeEnd returns the length of the escape that s begins with, and 0 where
// it is unsound or cut.
func escapeEnd(s string) int {
	if len(s) < 2 {
		return 0
	}
	if s[1] != 'u' {
		if strings.IndexByte(`"\/bfnrt`, s[1]) < 0 {
			return 0
		}
		return 2
	}
	if len(s) < 6 || strings.Trim(s[2:6], "0123456789abcdefABCDEF") != "" {
		return 0
	}
	high := s[2]|0x20 == 'd' && strings.IndexByte("89abAB", s[3]) >= 0
	if high && len(s) < 12 && strings.HasPrefix(`\u`, s[6:min(8, len(s))]) {
		return 0 // the other half of the pair may have been on the way
	}
	return 6
}
