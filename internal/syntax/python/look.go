package python

import (
	"strings"

	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax"
)

// lookPhase is the position of a look past a quote that may end a string.
type lookPhase uint8

const (
	lookQuote  lookPhase = iota // blanks after the quote
	lookComma                   // a comma between arguments
	lookName                    // the comma and part of a key
	lookKey                     // the comma, a key and blanks
	lookBare                    // part of a key without a comma
	lookItem                    // a comma in a container
	lookWord                    // that comma and part of a word
	lookCloser                  // the closer of a container
	lookCall                    // the closer of the call
)

// verdict says whether a quote ends its string.
type verdict uint8

const (
	unsure verdict = iota
	ended
	content
)

// ends returns ended if so is true, and content otherwise.
func ends(so bool) verdict {
	if so {
		return ended
	}
	return content
}

// beginLook begins a look past quotes that may end the string; at is the stream offset
// after them.
func (m *machine) beginLook(at int64) {
	m.str.ends = at
	m.phase, m.after, m.wide = inLook, lookQuote, false
}

// look reads the bytes after quotes that may end a string. The quotes do if those bytes may
// follow a value. The bytes are then read again.
func (m *machine) look(h syntax.Host, in string, i int) int {
	for ; i < len(in); i++ {
		switch m.follows(in[i]) {
		case ended:
			m.phase = afterValue
			return h.Rewind(in, i, m.str.ends)
		case content:
			return m.isContent(h, in, i)
		}
	}
	return i
}

// follows takes one byte of the look.
func (m *machine) follows(c byte) verdict {
	switch m.after {
	case lookName, lookBare:
		return m.followsName(c)
	case lookWord:
		return m.followsWord(c)
	}
	if lex.IsBlank(c) {
		m.wide = m.wide || c == '\n'
		return unsure
	}
	switch m.after {
	case lookQuote:
		return m.followsQuote(c)
	case lookComma:
		if c == '-' && m.signs.options {
			return unsure
		}
		if !lex.IsNameStart(c) {
			return ends(c == m.signs.end)
		}
		m.word, m.after = append(m.word[:0], c), lookName
	case lookKey:
		return ends(c == '=' || m.signs.options)
	case lookItem:
		return m.followsItem(c)
	case lookCloser:
		return ends(c == ',' || c == ')' || c == ']' || c == '}' || c == '-' && m.signs.options)
	case lookCall:
		return ends(m.followsCall(c))
	}
	return unsure
}

// followsQuote takes the first non-blank byte after a quote.
func (m *machine) followsQuote(c byte) verdict {
	f := m.top()
	next := lookQuote
	switch {
	case c == '"' || c == '\'':
		return ends(!m.str.stray.Any()) // adjacent strings
	case f == nil && (c == ',' || c == '-' && m.signs.options):
		next = lookComma
	case f == nil && c == m.signs.end:
		next = lookCall
	case f == nil && lex.IsNameStart(c):
		m.word, next = append(m.word[:0], c), lookBare
	case f == nil:
		return content
	case c == ':' && m.atKey():
		return ended
	case f.kind == dict && !f.value:
		return content
	case c == ',':
		next = lookItem
	case c == f.closer():
		next = lookCloser
	default:
		return content
	}
	m.after, m.wide = next, false
	return unsure
}

// followsName takes a byte of a key, or the byte after it. A key without a comma must be
// declared.
func (m *machine) followsName(c byte) verdict {
	switch {
	case c == '=':
		return ends(m.after == lookName || m.Schema().Declares(string(m.word)))
	case m.after == lookBare && lex.IsBlank(c):
		return content
	case lex.IsBlank(c):
		m.after = lookKey
	case !lex.IsName(c) || c == ':' || len(m.word) >= lex.MaxName:
		return content
	default:
		m.word = append(m.word, c)
	}
	return unsure
}

// followsItem takes the first byte of a possible element.
func (m *machine) followsItem(c byte) verdict {
	if lex.IsNameStart(c) {
		m.word, m.after = append(m.word[:0], c), lookWord
		return unsure
	}
	switch c {
	case '"', '\'', '[', '{', '(', '-', '+', '.':
		return ended
	}
	return ends(c >= '0' && c <= '9' || c == m.top().closer())
}

// followsWord takes a byte of an element that is a word, or the byte after it.
func (m *machine) followsWord(c byte) verdict {
	if isWordByte(c) {
		if m.word = append(m.word, c); len(m.word) > lex.MaxName {
			return content
		}
		return unsure
	}
	return ends(isLiteral(m.word, c) || c == ':' && m.top().kind == dict)
}

// followsCall reports whether c may follow a call, after blanks.
func (m *machine) followsCall(c byte) bool {
	f := m.form
	switch {
	case strings.IndexByte(f.Frame.Separators, c) >= 0, len(f.Closer) > 1 && c == f.Closer[1]:
		return true
	case f.Leave == "":
		return m.wide || c == '`' || c == '<' || c == ';' || c == ','
	}
	return c == f.Leave[0] || !f.Bare && c == f.Enter[0] || m.wide && lex.IsNameStart(c)
}
