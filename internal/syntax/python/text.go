package python

import (
	"unicode/utf16"
	"unicode/utf8"

	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// pyString is the current string: one literal, or several adjacent ones.
type pyString struct {
	quote  byte
	triple bool
	raw    bool   // backslashes are literal
	begun  bool   // the opening quote has been written, the closing one has not
	stray  bool   // it contains a quote that should have been escaped
	run    int    // pyRun: number of quotes
	escape []byte // pyEscape: the bytes of the escape so far, without the backslash
	high   rune   // a high surrogate that waits for its other half; 0 if none does
	ends   int64  // pyLook: stream offset after the quotes that may end the string
}

// openString begins a literal at its first quote.
func (m *machine) openString(in string, i int) int {
	s := &m.str
	if !s.begun {
		s.begun, s.stray = true, false
		if m.top() == nil {
			m.BeginText()
		}
		if !m.isContentText() {
			m.add(`"`)
		}
	}
	s.quote, s.triple = in[i], false
	m.phase = pyQuote
	return i + 1
}

// isContentText reports whether a string here is the content of a file tool, which streams
// without escaping.
func (m *machine) isContentText() bool { return m.Content }

// readQuotes reads the byte after the first or second quote: three quotes open a
// triple-quoted string, two are an empty one.
func (m *machine) readQuotes(h syntax.Host, in string, i int) int {
	s := &m.str
	switch {
	case m.phase == pyQuote && in[i] != s.quote:
		m.phase = pyText
		return i
	case m.phase == pyQuote:
		h.Look(i)
		m.phase = pyQuotes
		return i + 1
	case in[i] == s.quote:
		h.Decide()
		s.triple, m.phase = true, pyText
		return i + 1
	}
	m.beginLook(h.From() + 1)
	return i
}

// readText reads a string up to a possible end or an escape.
func (m *machine) readText(h syntax.Host, in string, i int) int {
	s := &m.str
	n := i
	for n < len(in) && in[n] != s.quote && in[n] != '\\' {
		if in[n] == '\n' && !s.triple {
			m.Call.Tolerate(toolcall.ControlCharacter)
		}
		n++
	}
	m.text(in, i, n)
	switch {
	case n == len(in):
		return n
	case in[n] == '\\':
		s.escape, m.phase = s.escape[:0], pyEscape
		return n + 1
	}
	h.Look(n)
	if s.triple {
		s.run, m.phase = 0, pyRun
		return n
	}
	m.beginLook(h.At(n + 1))
	return n + 1
}

// readRun reads a run of quotes in a triple-quoted string. The last three of them may end
// the string.
func (m *machine) readRun(h syntax.Host, in string, i int) int {
	s := &m.str
	for ; i < len(in) && in[i] == s.quote; i++ {
		if s.run++; s.run > 3 {
			m.Call.Tolerate(toolcall.UnescapedQuote)
			m.addQuotes(1)
			h.Look(i - 2)
		}
	}
	switch {
	case i == len(in):
		return i
	case s.run < 3:
		m.addQuotes(s.run)
		h.Decide()
		m.phase = pyText
		return i
	}
	m.beginLook(h.At(i))
	return i
}

// addQuotes makes n of the string's own quotes content.
func (m *machine) addQuotes(n int) {
	quotes := `""`
	if m.str.quote == '\'' {
		quotes = `''`
	}
	m.text(quotes, 0, n)
}

// isContent makes the pending quote content. The bytes after it are read again.
func (m *machine) isContent(h syntax.Host, in string, i int) int {
	m.Call.Tolerate(toolcall.UnescapedQuote)
	m.str.stray, m.phase = true, pyText
	m.addQuotes(1)
	return h.Rewind(in, i, h.From()+1)
}

// readEscape reads a byte after a backslash.
func (m *machine) readEscape(h syntax.Host, in string, i int) int {
	s := &m.str
	c := in[i]
	if s.raw {
		m.text(`\`, 0, 1)
		m.text(in, i, i+1)
		m.phase = pyText
		return i + 1
	}
	if len(s.escape) == 0 {
		return m.beginEscape(h, in, i)
	}
	digits, base := 2, rune(16)
	switch s.escape[0] {
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	case 'x':
	default:
		digits, base = 2, 8 // after the first digit
	}
	if d := digit(c); d < 0 || rune(d) >= base {
		return m.endEscape(h, i, base)
	}
	if s.escape = append(s.escape, c); len(s.escape) == digits+1 {
		return m.endEscape(h, i+1, base)
	}
	return i + 1
}

// beginEscape reads the first byte after a backslash.
func (m *machine) beginEscape(h syntax.Host, in string, i int) int {
	m.phase = pyText
	switch c := in[i]; {
	case c == '\n': // a line continuation
	case c == 'x', c == 'u', c == 'U', c >= '0' && c <= '7':
		m.str.escape = append(m.str.escape, c)
		m.phase = pyEscape
	case pyEscapes[c] != "":
		m.text(pyEscapes[c], 0, 1)
	default: // Python keeps the backslash
		m.Call.Tolerate(toolcall.InvalidEscape)
		m.text(`\`, 0, 1)
		m.text(in, i, i+1)
	}
	return i + 1
}

// endEscape writes the character of a numeric escape.
func (m *machine) endEscape(h syntax.Host, i int, base rune) int {
	s := &m.str
	m.phase = pyText
	digits := s.escape
	if base == 16 {
		digits = digits[1:]
	}
	r := rune(0)
	for _, c := range digits {
		if r = r*base + rune(digit(c)); r > utf8.MaxRune {
			break
		}
	}
	whole := base == 8 || len(s.escape) == 3 && s.escape[0] == 'x' || len(s.escape) == 5 && s.escape[0] == 'u' || len(s.escape) == 9
	if !whole || r > utf8.MaxRune {
		m.Call.Tolerate(toolcall.InvalidEscape)
		text := `\` + string(s.escape)
		m.text(text, 0, len(text))
		return i
	}
	m.addRune(r)
	return i
}

// addRune adds a character or a surrogate.
func (m *machine) addRune(r rune) {
	s := &m.str
	switch {
	case s.high != 0 && r >= 0xdc00 && r < 0xe000:
		r, s.high = utf16.DecodeRune(s.high, r), 0
	case r >= 0xd800 && r < 0xdc00:
		m.endHigh()
		s.high = r
		return
	}
	text := string(r) // U+FFFD for a lone surrogate
	m.text(text, 0, len(text))
}

// endHigh writes the replacement character for a high surrogate without its other half.
func (m *machine) endHigh() {
	if m.str.high != 0 {
		m.str.high = 0
		const text = string(utf8.RuneError)
		m.text(text, 0, len(text))
	}
}

// endString writes the closing quote.
func (m *machine) endString() {
	m.endHigh()
	if m.str.begun = false; !m.isContentText() {
		m.add(`"`)
	}
}

// text adds in[a:b] to the string.
func (m *machine) text(in string, a, b int) {
	if a == b {
		return
	}
	m.endHigh()
	switch {
	case m.unset > 0:
		m.holdText(in[a:b])
	case m.Out == nil:
	case m.isContentText():
		m.Out.Pass(in, a, b)
	default:
		syntax.EscapeInto(m.Out, in, a, b)
	}
}

// holdText is text for a string inside an undecided container.
func (m *machine) holdText(s string) {
	for s != "" {
		n := jsonstream.PlainLen(s)
		m.hold = append(m.hold, s[:n]...)
		if s = s[n:]; s != "" {
			m.hold = append(m.hold, jsonstream.Escape(s[0])...)
			s = s[1:]
		}
	}
	if len(m.hold) > maxUndecidedElement {
		m.decideAll()
	}
}

// pyEscapes maps the letter of an escape to what it stands for.
var pyEscapes = [256]string{
	'\\': `\`, '\'': `'`, '"': `"`, 'n': "\n", 't': "\t", 'r': "\r", 'b': "\b", 'f': "\f", 'a': "\a", 'v': "\v",
}

// digit returns the value of a digit in any base up to 16, or -1.
func digit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
