package python

import (
	"github.com/toolparse/toolparse/internal/bytescan"
	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// stringState is the current string: one literal, or several adjacent ones.
type stringState struct {
	quote  byte
	triple bool
	raw    bool // backslashes are literal
	opened bool // the opening quote has been written, the closing one has not
	stray  syntax.StrayQuotes
	run    int // inRun: number of quotes
	escape lex.Escape
	ends   int64 // inLook: stream offset after the quotes that may end the string
}

// The bytes that end a run of text in a string, with one quote or three of each kind. A
// newline inside single quotes is a fault.
var (
	doubleStops       = bytescan.NewFinder('"', '\\', '\n')
	singleStops       = bytescan.NewFinder('\'', '\\', '\n')
	tripleDoubleStops = bytescan.NewFinder('"', '\\')
	tripleSingleStops = bytescan.NewFinder('\'', '\\')
)

// stops finds the next byte of a string that may not be text.
func (s *stringState) stops() *bytescan.Finder {
	switch {
	case s.quote == '"' && s.triple:
		return tripleDoubleStops
	case s.quote == '"':
		return doubleStops
	case s.triple:
		return tripleSingleStops
	}
	return singleStops
}

// openString begins a literal at its first quote.
func (m *machine) openString(in string, i int) int {
	s := &m.str
	if !s.opened {
		s.opened, s.stray = true, syntax.StrayQuotes{}
		if m.top() == nil {
			m.BeginText()
		}
		if !m.Content {
			m.add(`"`)
		}
	}
	s.quote, s.triple, s.stray.Sign = in[i], false, false
	m.phase = inQuote
	return i + 1
}

// readQuotes reads the byte after the first or second quote: three quotes open a
// triple-quoted string, two are an empty one.
func (m *machine) readQuotes(h syntax.Host, in string, i int) int {
	s := &m.str
	switch {
	case m.phase == inQuote && in[i] != s.quote:
		m.phase = inText
		return i
	case m.phase == inQuote:
		h.Look(i)
		m.phase = inQuotes
		return i + 1
	case in[i] == s.quote:
		h.Decide()
		s.triple, m.phase = true, inText
		return i + 1
	}
	m.beginLook(h.From() + 1)
	return i
}

// readText reads a string up to a possible end or an escape.
func (m *machine) readText(h syntax.Host, in string, i int) int {
	s := &m.str
	if m.Out != nil && m.unset == 0 && !m.Content && !s.raw && s.escape.High == 0 {
		// JSON writes this part in the same way.
		from := i
		i = jsonstream.QuotedEnd(in, from, s.quote)
		if m.Out.Pass(in, from, i); i > from {
			s.stray.Sign = in[i-1] == '='
		}
	}
	stops := s.stops()
	n := stops.Find(in, i)
	for n < len(in) && in[n] == '\n' {
		m.Call.Tolerate(toolcall.ControlCharacter)
		n = stops.Find(in, n+1)
	}
	m.text(in, i, n)
	switch {
	case n == len(in):
		return n
	case in[n] == '\\':
		s.escape.Begin()
		m.phase = inEscape
		return n + 1
	}
	if next := m.readPlainEnd(in, n+1); next > 0 {
		return next
	}
	h.Look(n)
	if s.triple {
		s.run, m.phase = 0, inRun
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
		m.phase = inText
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
	m.str.stray.Add()
	m.phase = inText
	m.addQuotes(1)
	return h.Rewind(in, i, h.From()+1)
}

// readEscape reads what follows a backslash.
func (m *machine) readEscape(in string, i int) int {
	s := &m.str
	switch {
	case s.raw:
		m.text(`\`, 0, 1)
		m.text(in, i, i+1)
		m.phase = inText
		return i + 1
	case in[i] == '\n' && s.escape.Begun(): // the line continues in the next one
		m.phase = inText
		return i + 1
	}
	text, next, verdict := s.escape.Read(in, i)
	m.put(text, 0, len(text))
	if verdict == lex.EscapeWrong { // Python keeps the backslash
		m.Call.Tolerate(toolcall.InvalidEscape)
	}
	if verdict != lex.EscapeMore {
		m.phase = inText
	}
	return next
}

// endString writes the closing quote.
func (m *machine) endString() {
	if m.str.stray.Swallow() {
		m.Call.Break(toolcall.Malformed, toolcall.ReasonInvalidJSON)
	}
	if m.str.escape.High != 0 {
		m.flush()
	}
	if m.str.opened = false; !m.Content {
		m.add(`"`)
	}
}

// flush writes the replacement character for half a surrogate pair.
func (m *machine) flush() {
	text := m.str.escape.Flush()
	m.put(text, 0, len(text))
}

// text adds in[a:b], which is no escape, to the string.
func (m *machine) text(in string, a, b int) {
	if a == b {
		return
	}
	if m.str.escape.High != 0 {
		m.flush()
	}
	m.put(in, a, b)
}

// put writes in[a:b] as content of the string.
func (m *machine) put(in string, a, b int) {
	if a == b {
		return
	}
	if m.str.stray.Sign = in[b-1] == '='; m.unset > 0 {
		m.holdText(in[a:b])
	} else {
		m.Text(in, a, b)
	}
}

// holdText is text for a string inside an undecided container.
func (m *machine) holdText(s string) {
	m.hold = jsonvalue.AppendPart(m.hold, s)
	if len(m.hold) > maxUndecidedElement {
		m.decideAll()
	}
}
