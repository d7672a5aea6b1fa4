package python

import (
	"strings"

	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax"
)

// pyAfter is the position of a look past a quote that may end a string.
type pyAfter uint8

const (
	pyAfterQuote  pyAfter = iota // blanks after the quote
	pyAfterComma                 // a comma between arguments
	pyAfterName                  // the comma and part of a key
	pyAfterKey                   // the comma, a key and blanks
	pyAfterItem                  // a comma in a container
	pyAfterWord                  // that comma and part of a word
	pyAfterCloser                // the closer of a container
	pyAfterCall                  // the closer of the call
)

// pyVerdict says whether a quote ends its string.
type pyVerdict uint8

const (
	pyUnsure pyVerdict = iota
	pyEnds
	pyContent
)

// ends returns pyEnds if so is true, and pyContent otherwise.
func ends(so bool) pyVerdict {
	if so {
		return pyEnds
	}
	return pyContent
}

// beginLook begins a look past quotes that may end the string; at is the stream offset
// after them.
func (m *machine) beginLook(at int64) {
	m.str.ends = at
	m.phase, m.after, m.wide = pyLook, pyAfterQuote, false
}

// look reads the bytes after quotes that may end a string. The quotes do if those bytes may
// follow a value. The bytes are then read again.
func (m *machine) look(h syntax.Host, in string, i int) int {
	for ; i < len(in); i++ {
		switch m.follows(in[i]) {
		case pyEnds:
			m.phase = pyNext
			return h.Rewind(in, i, m.str.ends)
		case pyContent:
			return m.isContent(h, in, i)
		}
	}
	return i
}

// follows takes one byte of the look.
func (m *machine) follows(c byte) pyVerdict {
	switch m.after {
	case pyAfterName:
		return m.followsName(c)
	case pyAfterWord:
		return m.followsWord(c)
	}
	if lex.IsBlank(c) {
		m.wide = m.wide || c == '\n'
		return pyUnsure
	}
	switch m.after {
	case pyAfterQuote:
		return m.followsQuote(c)
	case pyAfterComma:
		if c == '-' && m.signs.options {
			return pyUnsure
		}
		if !lex.IsNameStart(c) {
			return ends(c == m.signs.end)
		}
		m.word, m.after = append(m.word[:0], c), pyAfterName
	case pyAfterKey:
		return ends(c == '=' || m.signs.options)
	case pyAfterItem:
		return m.followsItem(c)
	case pyAfterCloser:
		return ends(c == ',' || c == ')' || c == ']' || c == '}' || c == '-' && m.signs.options)
	case pyAfterCall:
		return ends(m.followsCall(c))
	}
	return pyUnsure
}

// followsQuote takes the first non-blank byte after a quote.
func (m *machine) followsQuote(c byte) pyVerdict {
	f := m.top()
	next := pyAfterQuote
	switch {
	case c == '"' || c == '\'':
		return ends(!m.str.stray) // adjacent strings
	case f == nil && (c == ',' || c == '-' && m.signs.options):
		next = pyAfterComma
	case f == nil && c == m.signs.end:
		next = pyAfterCall
	case f == nil:
		return pyContent
	case c == ':' && m.atKey():
		return pyEnds
	case f.kind == pyDict && !f.value:
		return pyContent
	case c == ',':
		next = pyAfterItem
	case c == f.closer():
		next = pyAfterCloser
	default:
		return pyContent
	}
	m.after, m.wide = next, false
	return pyUnsure
}

// followsName takes a byte of a key, or the byte after it.
func (m *machine) followsName(c byte) pyVerdict {
	switch {
	case c == '=':
		return pyEnds
	case lex.IsBlank(c):
		m.after = pyAfterKey
	case !lex.IsName(c) || c == ':' || len(m.word) >= lex.MaxName:
		return pyContent
	default:
		m.word = append(m.word, c)
	}
	return pyUnsure
}

// followsItem takes the first byte of a possible element.
func (m *machine) followsItem(c byte) pyVerdict {
	if lex.IsNameStart(c) {
		m.word, m.after = append(m.word[:0], c), pyAfterWord
		return pyUnsure
	}
	switch c {
	case '"', '\'', '[', '{', '(', '-', '+', '.':
		return pyEnds
	}
	return ends(c >= '0' && c <= '9' || c == m.top().closer())
}

// followsWord takes a byte of an element that is a word, or the byte after it.
func (m *machine) followsWord(c byte) pyVerdict {
	if isPyWord(c) {
		if m.word = append(m.word, c); len(m.word) > lex.MaxName {
			return pyContent
		}
		return pyUnsure
	}
	return ends(isPyLiteral(m.word, c) || c == ':' && m.top().kind == pyDict)
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
