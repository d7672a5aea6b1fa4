package python

import (
	"strings"

	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/internal/syntax"
)

// pyFirst reads ahead after the opening parenthesis of a call, to check whether arguments
// begin there: none at all, or a key with a value.
//
// A list in brackets may also be the text of a Markdown link: [f(a=1)](url). In that case
// pyFirst reads on over words and strings until the bytes after the list decide. It skips
// this check if the list begins a line and the tool declares the key, so that real calls
// stream.
type pyFirst struct {
	at    pyAhead
	word  []byte
	keys  *schema.Schema // of the tool, if the list begins a line
	links bool           // the list may be the text of a link
	sure  bool           // it is a call, unless it is the text of a link
	quote byte           // of the current string
	slash bool           // after a backslash in that string
	count int            // bytes read since sure was set
}

type pyAhead uint8

const (
	pyAheadKey    pyAhead = iota // before a key
	pyAheadName                  // in a key
	pyAheadEquals                // after a key
	pyAheadValue                 // after the equals sign
	pyAheadWord                  // in a value that is a word
	pyAheadText                  // in a string value
	pyAheadAfter                 // after a value
	pyAheadCall                  // after the call
	pyAheadList                  // after the list
	pyAheadLabel                 // in a possible link label
)

// maxLink is how many bytes pyFirst reads to distinguish a call from the text of a link. It
// is small because these bytes are held back.
const maxLink = 64

// maxHyphens is how many hyphens may precede the name of an option.
const maxHyphens = 2

// take takes one byte.
func (f *pyFirst) take(c byte, bare bool, signs signs) pyVerdict {
	verdict := f.next(c, bare, signs)
	if !f.sure {
		return verdict
	}
	if f.count++; f.count > maxLink || verdict == pyContent && f.at < pyAheadCall {
		return pyEnds // a call, although its other arguments may be broken
	}
	return verdict
}

// skipText skips plain text in a string, as far as a link's text may extend.
func (f *pyFirst) skipText(in string, i int) int {
	if f.at != pyAheadText || f.slash {
		return i
	}
	text := in[i:min(len(in), i+maxLink-f.count)]
	if n := strings.IndexByte(text, f.quote); n >= 0 {
		text = text[:n]
	}
	if n := strings.IndexByte(text, '\\'); n >= 0 {
		text = text[:n]
	}
	f.count += len(text)
	return i + len(text)
}

// next is take regardless of sure. In a bare syntax a word must be a literal, and the next
// argument or the end must follow; anything else is code or prose.
func (f *pyFirst) next(c byte, bare bool, signs signs) pyVerdict {
	switch f.at {
	case pyAheadCall, pyAheadList, pyAheadLabel:
		return f.followsList(c)
	case pyAheadText:
		switch {
		case f.slash || c == '\\':
			f.slash = !f.slash
		case c == f.quote:
			f.at = pyAheadAfter
		}
		return pyUnsure
	case pyAheadName, pyAheadWord:
		if isPyWord(c) && len(f.word) < lex.MaxName {
			f.word = append(f.word, c)
			return pyUnsure
		}
		switch {
		case f.at == pyAheadName:
			f.at = pyAheadEquals
			f.links = f.links && (f.keys == nil || !f.keys.Declares(string(f.word)))
		case !isPyLiteral(f.word, c):
			return pyContent
		case c == '"' || c == '\'':
			return pyEnds
		default:
			f.at = pyAheadAfter
		}
	}
	if lex.IsBlank(c) {
		return pyUnsure
	}
	if f.at == pyAheadEquals && signs.options {
		f.at = pyAheadValue
	}
	switch f.at {
	case pyAheadKey:
		if c == '-' && signs.options && len(f.word) < maxHyphens {
			f.word = append(f.word, c)
			return pyUnsure
		}
		if !lex.IsNameStart(c) {
			return f.callEnds(c == signs.end)
		}
		f.at, f.word = pyAheadName, append(f.word[:0], c)
	case pyAheadEquals:
		if c != '=' {
			return pyContent
		}
		f.at = pyAheadValue
	case pyAheadValue:
		if isPyWord(c) && bare {
			f.at, f.word = pyAheadWord, append(f.word[:0], c)
			return pyUnsure
		}
		if f.links && (c == '"' || c == '\'') {
			f.at, f.quote, f.sure = pyAheadText, c, true
			return pyUnsure
		}
		return ends(isPyWord(c) || c == '"' || c == '\'' || c == '[' || c == '{' || c == '(')
	case pyAheadAfter:
		if c == ',' && f.links {
			f.at, f.sure = pyAheadKey, true
			return pyUnsure
		}
		if c == ',' {
			return pyEnds
		}
		return f.callEnds(c == signs.end)
	}
	return pyUnsure
}

// callEnds handles a byte that must end the call; so reports that it does.
func (f *pyFirst) callEnds(so bool) pyVerdict {
	if !so || !f.links {
		return ends(so)
	}
	f.at, f.sure = pyAheadCall, true
	return pyUnsure
}

// followsList takes a byte after the call, and distinguishes a list of calls from a link:
// [f()](url) or [f()][label].
func (f *pyFirst) followsList(c byte) pyVerdict {
	switch f.at {
	case pyAheadCall:
		f.at = pyAheadList
		return unsureIf(c == ']')
	case pyAheadList:
		if c == '(' {
			return pyContent
		}
		f.at = pyAheadLabel
		return unsureIf(c == '[')
	}
	switch c {
	case ']':
		return pyContent
	case '(', '"', '{', '[', '\n':
		return pyEnds // another list
	}
	return pyUnsure
}

// unsureIf returns pyUnsure if so is true. Otherwise a call begins.
func unsureIf(so bool) pyVerdict {
	if so {
		return pyUnsure
	}
	return pyEnds
}

// BeginLookahead starts after the opening parenthesis.
func (m *machine) BeginLookahead(f *syntax.Form, s *schema.Schema, amid bool) {
	m.form, m.signs = f, f.Compiled.(signs)
	m.first = pyFirst{word: m.first.word[:0], links: f.Bare && f.Leave == "]"}
	if !amid {
		m.first.keys = s
	}
}

// ReadLookahead reads the bytes after the parenthesis. The name before it is a tool's only if
// they can be arguments.
func (m *machine) ReadLookahead(in string, i int) (syntax.Verdict, int) {
	for ; i < len(in); i++ {
		if i = m.first.skipText(in, i); i == len(in) {
			break
		}
		switch m.first.take(in[i], m.form.Bare, m.signs) {
		case pyEnds:
			return syntax.Begins, i
		case pyContent:
			return syntax.Differs, i
		}
	}
	return syntax.Unsure, i
}

// LookaheadEnds reports whether the bytes read are a call, even if the stream cut it off.
func (m *machine) LookaheadEnds() bool { return m.first.sure }
