package conform

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// closeJSON completes JSON that is cut or broken somewhere. It keeps the valid part, an
// unfinished string up to its last whole character, and the longest valid part of a
// number. It drops a member without a value, and closes what is open. Text without any
// value gives {}.
func closeJSON(text string) string {
	c := closer{in: text}
	for c.value() && c.next() {
	}
	for i := len(c.open) - 1; i >= 0; i-- {
		c.out.WriteByte(c.open[i] + 2) // in ASCII, '}' and ']' are two after their openers
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
	open    []byte // open '{' and '['
	pending string // comma and key before the next value, if one comes
}

// value reads the next value, or its opener, and reports whether it was valid.
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

// next moves to the next value, past commas, keys and closers. It returns false at the
// end and where the text is invalid.
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
		if last := c.out.String()[c.out.Len()-1]; last != '{' && last != '[' { // after a value
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

// stringEnd returns the length of the JSON string with which s begins (whole), or of its
// valid beginning.
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

// escapeEnd returns the length of the escape with which s begins, or 0 if it is invalid
// or cut.
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
		return 0 // the other half of the pair may be cut off
	}
	return 6
}
