package python

import (
	"strings"

	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/internal/syntax"
)

// lookahead reads ahead after the opening parenthesis of a call, to check whether arguments
// begin there: none at all, or a key with a value.
//
// A list in brackets may also be the text of a Markdown link: [f(a=1)](url). In that case
// lookahead reads on over words and strings until the bytes after the list decide. It skips
// this check if the list begins a line and the tool declares the key, so that real calls
// stream.
type lookahead struct {
	at    aheadPhase
	word  []byte
	keys  *schema.Schema // of the tool, if the list begins a line
	links bool           // the list may be the text of a link
	sure  bool           // it is a call, unless it is the text of a link
	quote byte           // of the current string
	slash bool           // after a backslash in that string
	count int            // bytes read since sure was set
}

type aheadPhase uint8

const (
	aheadKey    aheadPhase = iota // before a key
	aheadName                     // in a key
	aheadEquals                   // after a key
	aheadValue                    // after the equals sign
	aheadWord                     // in a value that is a word
	aheadText                     // in a string value
	aheadAfter                    // after a value
	aheadCall                     // after the call
	aheadList                     // after the list
	aheadLabel                    // in a possible link label
)

// maxLink is how many bytes lookahead reads to distinguish a call from the text of a link. It
// is small because these bytes are held back.
const maxLink = 64

// maxHyphens is how many hyphens may precede the name of an option.
const maxHyphens = 2

// take takes one byte.
func (f *lookahead) take(c byte, bare bool, signs signs) verdict {
	verdict := f.next(c, bare, signs)
	if !f.sure {
		return verdict
	}
	if f.count++; f.count > maxLink || verdict == content && f.at < aheadCall {
		return ended // a call, although its other arguments may be broken
	}
	return verdict
}

// skipText skips plain text in a string, as far as a link's text may extend.
func (f *lookahead) skipText(in string, i int) int {
	if f.at != aheadText || f.slash {
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
func (f *lookahead) next(c byte, bare bool, signs signs) verdict {
	switch f.at {
	case aheadCall, aheadList, aheadLabel:
		return f.followsList(c)
	case aheadText:
		switch {
		case f.slash || c == '\\':
			f.slash = !f.slash
		case c == f.quote:
			f.at = aheadAfter
		}
		return unsure
	case aheadName, aheadWord:
		if isWordByte(c) && len(f.word) < lex.MaxName {
			f.word = append(f.word, c)
			return unsure
		}
		switch {
		case f.at == aheadName:
			f.at = aheadEquals
			f.links = f.links && (f.keys == nil || !f.keys.Declares(string(f.word)))
		case !isLiteral(f.word, c):
			return content
		case c == '"' || c == '\'':
			return ended
		default:
			f.at = aheadAfter
		}
	}
	if lex.IsBlank(c) {
		return unsure
	}
	if f.at == aheadEquals && signs.options {
		f.at = aheadValue
	}
	switch f.at {
	case aheadKey:
		if c == '-' && signs.options && len(f.word) < maxHyphens {
			f.word = append(f.word, c)
			return unsure
		}
		if !lex.IsNameStart(c) {
			return f.callEnds(c == signs.end)
		}
		f.at, f.word = aheadName, append(f.word[:0], c)
	case aheadEquals:
		if c != '=' {
			return content
		}
		f.at = aheadValue
	case aheadValue:
		if isWordByte(c) && bare {
			f.at, f.word = aheadWord, append(f.word[:0], c)
			return unsure
		}
		if f.links && (c == '"' || c == '\'') {
			f.at, f.quote, f.sure = aheadText, c, true
			return unsure
		}
		return ends(isWordByte(c) || c == '"' || c == '\'' || c == '[' || c == '{' || c == '(')
	case aheadAfter:
		if c == ',' && f.links {
			f.at, f.sure = aheadKey, true
			return unsure
		}
		if c == ',' {
			return ended
		}
		return f.callEnds(c == signs.end)
	}
	return unsure
}

// callEnds handles a byte that must end the call; so reports that it does.
func (f *lookahead) callEnds(so bool) verdict {
	if !so || !f.links {
		return ends(so)
	}
	f.at, f.sure = aheadCall, true
	return unsure
}

// followsList takes a byte after the call, and distinguishes a list of calls from a link:
// [f()](url) or [f()][label].
func (f *lookahead) followsList(c byte) verdict {
	switch f.at {
	case aheadCall:
		f.at = aheadList
		return unsureIf(c == ']')
	case aheadList:
		if c == '(' {
			return content
		}
		f.at = aheadLabel
		return unsureIf(c == '[')
	}
	switch c {
	case ']':
		return content
	case '(', '"', '{', '[', '\n':
		return ended // another list
	}
	return unsure
}

// unsureIf returns unsure if so is true. Otherwise a call begins.
func unsureIf(so bool) verdict {
	if so {
		return unsure
	}
	return ended
}

// BeginLookahead starts after the opening parenthesis.
func (m *machine) BeginLookahead(f *syntax.Form, s *schema.Schema, amid bool) {
	m.form, m.signs = f, f.Compiled.(signs)
	m.first = lookahead{word: m.first.word[:0], links: f.Bare && f.Leave == "]"}
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
		case ended:
			return syntax.Begins, i
		case content:
			return syntax.Differs, i
		}
	}
	return syntax.Unsure, i
}

// LookaheadEnds reports whether the bytes read are a call, even if the stream cut it off.
func (m *machine) LookaheadEnds() bool { return m.first.sure }
