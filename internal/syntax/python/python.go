// Package python reads arguments that are written as keyword arguments of Python with
// literal values.
package python

import (
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// Syntax is the syntax of keyword arguments.
var Syntax = syntax.Syntax{
	New: func(limits syntax.Limits) syntax.Machine {
		return &machine{limits: limits, str: stringState{escape: lex.Escape{Set: lex.EscapesPython}}}
	},
	Compile: func(f *syntax.Form) any {
		s := signs{end: ')', options: f.Args.KeyMark.Open != ""}
		if f.Closer != "" {
			s.end = f.Closer[0]
		}
		var ends []lex.Pattern
		for k, p := range f.After.Patterns {
			if f.Kinds[k] != syntax.AfterCloser && len(p.Literal()) > 2 {
				ends = append(ends, p)
			}
		}
		if token, ok := strings.CutPrefix(f.Frame.Section.Close, "]"); ok && len(token) > 2 { // the call was cut before the bracket
			ends = append(ends, lex.NewPattern(token))
		}
		s.broken = lex.NewSet(ends...)
		return s
	},
	Sure:    true,
	Write:   write,
	Grammar: grammar,
	About: func(*dialect.Args, func(string) string) (written, typed string) {
		return "the arguments as Python's keyword arguments", "those of the literals."
	},
}

// signs describes the punctuation around the arguments.
type signs struct {
	end     byte     // closes the call
	broken  *lex.Set // distinctive markers that end broken arguments: the section's closer, the next call
	options bool     // --key value separated by blanks, instead of key=value separated by commas
}

// machine reads keyword arguments. Strings stream as they arrive; a number is written once
// it is complete.
//
// Two things cannot be decided on the spot:
//
//   - What a container is. { opens a set or a dict, and ( a tuple or a group; the byte
//     after the first element decides. Until then JSON goes to hold instead of Out, and
//     unset counts the undecided containers. When unset drops to 0, hold is released.
//   - Whether a quote ends its string, since models forget to escape quotes. The machine
//     looks past the quote (inLook): the quote ends the string if what follows it may
//     follow a value. Valid Python is read as Python reads it.
type machine struct {
	syntax.Writer
	limits syntax.Limits
	phase  phase
	word   []byte      // a name, a number or another word, as far as it has been read
	stack  []container // the open containers
	unset  int         // how many of them are undecided
	hold   []byte      // the JSON that is held meanwhile
	str    stringState
	after  lookPhase // position of the look past a string
	wide   bool      // the blanks there include a newline
	first  lookahead
	rest   brokenRest
	form   *syntax.Form
	signs  signs
}

type phase uint8

const (
	beforeKey    phase = iota // before a key, or the end
	inName                    // in a key
	beforeEquals              // after a key
	beforeValue               // before a value
	inWord                    // in a word
	inQuote                   // after the first quote of a string
	inQuotes                  // after the second one, where a third may follow
	inText                    // in a string
	inEscape                  // in an escape
	inRun                     // in a run of quotes that may end a triple-quoted string
	inLook                    // after a quote, at what must follow for the quote to end the string
	afterValue                // after a value
	inBroken                  // in the rest of broken arguments
	atBrokenEnd               // at a possible end of broken arguments
)

// containerKind is the type of a container.
type containerKind uint8

const (
	list  containerKind = iota // [a, b]
	tuple                      // (a, b)
	set                        // {a, b}
	dict                       // {a: b}
	group                      // (a)
	brace                      // a set or a dict, undecided
	paren                      // a tuple or a group, undecided
)

// container is an open container.
type container struct {
	kind  containerKind
	count int  // elements that have begun
	value bool // in a dict: the current position is a value
	bare  bool // in a brace: its first element is a word, which can only be a key
	at    int  // where its JSON begins in hold, while the kind is undecided
}

func (m *machine) Begin(h syntax.Host, c syntax.Call, f *syntax.Form) {
	m.Writer.Begin(c)
	m.phase, m.form, m.signs = beforeKey, f, f.Compiled.(signs)
	m.word, m.stack, m.hold, m.unset = m.word[:0], m.stack[:0], m.hold[:0], 0
	m.str = stringState{escape: m.str.escape}
	m.str.escape.High = 0
	h.Decide()
}

func (m *machine) Read(h syntax.Host, in string, i int) int {
	switch m.phase {
	case inName, inWord:
		return m.readWord(h, in, i)
	case inQuote, inQuotes:
		return m.readQuotes(h, in, i)
	case inText:
		return m.readText(h, in, i)
	case inEscape:
		return m.readEscape(in, i)
	case inRun:
		return m.readRun(h, in, i)
	case inLook:
		return m.look(h, in, i)
	case inBroken, atBrokenEnd:
		return m.readBroken(h, in, i)
	}
	if i = lex.SkipBlanks(in, i); i == len(in) {
		return i
	}
	switch m.phase {
	case beforeKey:
		return m.readKey(h, in, i)
	case beforeEquals:
		sign := 1
		switch {
		case m.signs.options:
			sign = 0
		case in[i] != '=':
			return m.fail(h, i)
		}
		m.Writer.Open(m.Name(m.word))
		m.phase = beforeValue
		return i + sign
	case beforeValue:
		return m.readValue(h, in, i)
	}
	return m.next(h, in, i)
}

// readKey reads the first byte of a key, or the end of the arguments.
func (m *machine) readKey(h syntax.Host, in string, i int) int {
	switch c := in[i]; {
	case c == m.signs.end:
		return m.finishArgs(h, i)
	case c == '-' && m.signs.options:
		return i + 1
	case !lex.IsNameStart(c):
		return m.fail(h, i)
	}
	if next := m.readPlainKey(in, i); next > 0 {
		return next
	}
	m.word, m.phase = m.word[:0], inName
	return i
}

// finishArgs ends the arguments before in[i], which closes the call.
func (m *machine) finishArgs(h syntax.Host, i int) int {
	m.End()
	h.End(h.At(i))
	return i
}

// maxWord limits a word, in bytes. No sensible number is longer.
const maxWord = 4 << 10

// readWord reads a key, or a value that is a word.
func (m *machine) readWord(h syntax.Host, in string, i int) int {
	j, most := i, maxWord
	if m.phase == inName {
		most = lex.MaxName
	}
	for j < len(in) && isWordByte(in[j]) && (in[j] != '+' || m.phase == inWord) {
		j++
	}
	if room := most - len(m.word); j-i > room {
		return m.fail(h, i+room)
	}
	m.word = append(m.word, in[i:j]...)
	switch {
	case j == len(in):
		return j
	case m.phase == inName:
		m.phase = beforeEquals
		return j
	case in[j] == '"' || in[j] == '\'':
		if m.str.raw = isRawPrefix(m.word); !m.str.raw && !isPlainPrefix(m.word) {
			return m.fail(h, j)
		}
		return m.openString(in, j)
	}
	return m.wordEnds(h, j)
}

// isWordByte reports whether c may occur in a key, a number or another word.
func isWordByte(c byte) bool { return lex.KeyBytes[c] || c == '+' }

// wordEnds writes the word that ended before in[i].
func (m *machine) wordEnds(h syntax.Host, i int) int {
	json, used, ok := scalar(m.word)
	f := m.top()
	switch {
	case ok && f != nil && f.kind == dict && !f.value && json[0] != '"':
		json = quoted(json) // a key
	case !ok && m.atKey() && isName(m.word):
		json, used = quoted(string(m.word)), toolcall.UnquotedKey
		f.bare = f.kind == brace
	case !ok:
		return m.fail(h, i)
	}
	m.Call.Tolerate(used)
	m.add(json)
	m.phase = afterValue
	return i
}

// readValue reads the first byte of a value, or a closing bracket.
func (m *machine) readValue(h syntax.Host, in string, i int) int {
	c := in[i]
	f := m.top()
	if f != nil && !f.value && c == f.closer() {
		return m.closeContainer(h, i)
	}
	switch {
	case c == '"', c == '\'':
		m.beginElement()
		m.str.raw = false
		return m.openString(in, i)
	case c == '[', c == '{', c == '(':
		return m.openContainer(h, in, i)
	case isWordByte(c):
		m.beginElement()
		m.word, m.phase = m.word[:0], inWord
		return i
	}
	return m.fail(h, i)
}

// next reads the byte after a value.
func (m *machine) next(h syntax.Host, in string, i int) int {
	c := in[i]
	if m.str.opened {
		if (c == '"' || c == '\'') && !m.str.stray.Any() { // adjacent strings are one
			m.str.raw = false
			return m.openString(in, i)
		}
		m.endString()
	}
	f := m.top()
	switch {
	case f == nil && c == ',':
		m.Writer.Close()
		m.phase = beforeKey
	case f == nil && c == m.signs.end:
		m.Writer.Close()
		return m.finishArgs(h, i)
	case f == nil && c == '-' && m.signs.options:
		m.Writer.Close()
		m.phase = beforeKey
	case f == nil && lex.IsNameStart(c):
		m.Call.Tolerate(toolcall.MissingComma)
		m.Writer.Close()
		m.phase = beforeKey
		return i
	case f == nil:
		return m.fail(h, i)
	case c == ',':
		if !m.settle(f, c) {
			return m.fail(h, i)
		}
		f.value, m.phase = false, beforeValue
	case c == ':':
		if !m.settle(f, c) {
			return m.fail(h, i)
		}
		m.add(":")
		f.value, m.phase = true, beforeValue
	case c == f.closer() && (f.kind != dict || f.value):
		return m.closeContainer(h, i)
	default:
		return m.fail(h, i)
	}
	return i + 1
}

func (m *machine) PassThrough() (syntax.PassAs, *syntax.Stops) {
	s := &m.str
	switch {
	case m.phase != inText || s.escape.High != 0 || s.stray.Sign || m.unset != 0 || !m.Direct():
		return 0, nil
	case s.quote == '\'' && !m.Content:
		return syntax.PassString, singleQuoteStops
	case s.quote == '\'':
		return syntax.PassPlain, singleQuoteStops
	case s.raw || m.Content:
		return syntax.PassPlain, doubleQuoteStops
	}
	return syntax.PassJSON, doubleQuoteStops
}

// Expire decides that the pending bytes are content or, in broken arguments, do not end
// them.
func (m *machine) Expire(h syntax.Host, in string, i int) int {
	if m.phase == atBrokenEnd {
		m.phase = inBroken
		return h.Rewind(in, i, h.From()+1)
	}
	return m.isContent(h, in, i)
}

// Finish ends the arguments at the end of the stream. A quote that may end a string does:
// the call may be complete but for its closer.
func (m *machine) Finish(h syntax.Host) bool {
	switch m.phase {
	case inLook:
		m.phase = afterValue
		h.Decide()
		h.Rewind("", 0, m.str.ends) // this may end the arguments
	case inBroken, atBrokenEnd:
		return true
	}
	return false
}

// The stops inside a string in either quotes. The machine must know whether an equals sign
// precedes a quote.
var (
	singleQuoteStops = stringStops(`'\`)
	doubleQuoteStops = stringStops(`"\`)
)

func stringStops(stops string) *syntax.Stops {
	s := syntax.NewStops(stops, false)
	s['='] = syntax.SoftLast
	return s
}
