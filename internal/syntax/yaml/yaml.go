// Package yaml reads arguments that are written as a block mapping of YAML.
package yaml

import (
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// Syntax is the syntax of a block mapping.
var Syntax = syntax.Syntax{
	New: func(limits syntax.Limits) syntax.Machine { return &machine{limits: limits} },
	Fault: func(f *dialect.Form) (field, wrong string) {
		if f.Frame.Call.Close == "" {
			return "frame.call.close", "is empty"
		}
		return "", ""
	},
	Write:   write,
	Grammar: grammar,
	About: func(*dialect.Args, func(string) string) (written, typed string) {
		return "the arguments as YAML", "by the tool's schema, else YAML's own."
	},
}

// machine reads a mapping line by line. Block scalars, quoted strings and the first line of
// plain scalars stream; arrays, maps and flow values are held until their lines are
// complete, and treeReader converts them. Other features of YAML (anchors, tags, complex
// keys) are read as text. A line that is neither indented nor a key turns the open value
// into raw text.
//
// Each line begins with a look (nextLine): indentation, then possibly a key. As soon as the
// kind of the line is certain, keyFound, otherLine or contentLine ends the look. line holds
// the bytes of the line that are undecided so far.
type machine struct {
	syntax.Writer
	limits syntax.Limits
	form   *syntax.Form
	ahead  lookahead
	phase  phase
	kind   valueKind
	base   int // indentation of the keys; -1: unknown
	schema *schema.Schema

	line   []byte // the undecided bytes of the line
	indent int    // length of its leading blanks
	head   keyScan
	match  lex.Matcher

	value  syntax.Value
	core   string // a plain text that may not be a string
	open   bool   // core is still undecided
	text   textState
	block  blockText
	quoted quotedText
	hold   []byte // the part of a plain text, or of held lines, that waits for its end
	whole  bool   // the open value is all arguments
	closes bool   // the closer occurred in a line, which must end after it
}

type phase uint8

const (
	atStart        phase = iota // before the first line
	inIndent                    // in the leading blanks of a line
	inLine                      // in a line that may begin a member
	inDashes                    // after a dash that begins a line
	atCloser                    // at the call's closer at the beginning of a line
	inComment                   // in a comment
	afterKey                    // after a key's colon
	inHeader                    // in the header of a block scalar
	inContent                   // in the text of a value
	atQuote                     // after a quote inside a quoted string
	afterQuote                  // after a quoted string
	atInlineCloser              // at the call's closer inside a line
)

// valueKind is the kind of the open value.
type valueKind uint8

const (
	noValue      valueKind = iota // no value is open
	pending                       // a key without a value so far
	plainText                     // plain text
	blockScalar                   // a block scalar
	rawText                       // raw text that is not YAML
	heldLines                     // an array, a map, or a flow value
	quotedString                  // a quoted string
)

func (m *machine) Begin(h syntax.Host, c syntax.Call, f *syntax.Form) {
	m.Writer.Begin(c)
	m.form = f
	m.phase, m.kind, m.base, m.closes, m.whole = atStart, noValue, -1, false, false
	m.line = m.line[:0]
}

func (m *machine) Read(h syntax.Host, in string, i int) int {
	switch m.phase {
	case atStart:
		return m.start(h, in, i)
	case inIndent:
		return m.readIndent(h, in, i)
	case inLine, inDashes:
		return m.readLine(h, in, i)
	case atCloser, atInlineCloser:
		return m.readCloser(h, in, i)
	case inComment:
		for i < len(in) && in[i] != '\n' {
			i++
		}
		if i < len(in) {
			i = m.nextLine(h, i+1)
		}
		return i
	case afterKey:
		return m.readAfterKey(h, in, i)
	case inHeader:
		return m.readHeader(h, in, i)
	case afterQuote:
		return m.readAfterQuote(h, in, i)
	}
	return m.readContent(h, in, i)
}

// start reads up to the first line. A { there begins one object with all arguments: JSON,
// whose strings stream, or a flow map.
func (m *machine) start(h syntax.Host, in string, i int) int {
	for ; i < len(in); i++ {
		c := in[i]
		switch {
		case lex.IsBlank(c) && c == '\n' && !h.Looking():
			m.line = m.line[:0]
		case lex.IsBlank(c):
			m.line = append(m.line, c)
		case h.Looking() && (c == '"' || c == '}'):
			m.Call.Tolerate(toolcall.JSONBody)
			to := h.From()
			h.JSON()
			return h.Rewind(in, i, to)
		case h.Looking():
			h.Decide()
			m.begin(heldLines)
			m.whole, m.phase = true, inContent
			m.hold = append(append(m.hold, '{'), m.line...)
			return i
		case c == '{':
			h.Look(i)
			m.line = m.line[:0]
		default: // the blanks before it are indentation
			blanks := m.line
			i = m.nextLine(h, i)
			m.line = blanks
			return i
		}
	}
	return i
}

// nextLine begins an undecided line at in[i].
func (m *machine) nextLine(h syntax.Host, i int) int {
	h.Look(i)
	m.line, m.indent, m.phase = m.line[:0], 0, inIndent
	return i
}

// readIndent reads the leading blanks of a line.
func (m *machine) readIndent(h syntax.Host, in string, i int) int {
	from := i
	for i < len(in) && (in[i] == ' ' || in[i] == '\t' || in[i] == '\r') {
		i++
	}
	if i > from {
		m.line = append(m.line, in[from:i]...)
	}
	if i == len(in) {
		return i
	}
	m.indent = len(m.line)
	if in[i] == '\n' {
		m.blankLine()
		return m.nextLine(h, i+1)
	}
	if !m.mayBegin(in[i]) {
		return m.contentLine(h, i)
	}
	m.head.reset()
	m.phase = inLine
	switch c := in[i]; {
	case c == '<':
		m.phase = atCloser
		m.match.Reset(m.form.After)
	case c == '#' && m.kind != blockScalar && m.kind != rawText:
		h.Decide()
		m.phase = inComment
	case c == '-':
		m.line = append(m.line, c)
		m.phase = inDashes
		return i + 1
	default:
		return m.readLine(h, in, i)
	}
	return i
}

// mayBegin reports whether a line whose first non-blank byte is c may be anything other
// than more of the open value.
func (m *machine) mayBegin(c byte) bool {
	inner := m.indent > m.base && m.base >= 0
	if m.whole {
		return c == '<'
	}
	switch m.kind {
	case plainText, rawText:
		return !inner
	case blockScalar:
		return !inner && (m.block.indent < 0 || m.text.unindented || m.indent < m.block.indent)
	case heldLines:
		return !inner && c != ']' && c != '}'
	case pending:
		return !inner || c != '"' && c != '\'' && c != '[' && c != '{' && c != '|' && c != '>'
	}
	return true
}

// readLine reads the beginning of a line until it is certain what the line is.
func (m *machine) readLine(h syntax.Host, in string, i int) int {
	if m.phase == inDashes {
		return m.afterDash(h, in, i)
	}
	name := m.head.takeName(in, i)
	m.line = append(m.line, in[i:name]...)
	for i = name; i < len(in); i++ {
		switch m.head.take(in[i]) {
		case syntax.Begins:
			return m.keyFound(h, in, i)
		case syntax.Differs:
			return m.otherLine(h, in, i)
		}
		m.line = append(m.line, in[i])
	}
	return i
}

// afterDash reads the byte after the dashes that begin a line.
func (m *machine) afterDash(h syntax.Host, in string, i int) int {
	c := in[i]
	switch {
	case lex.IsBlank(c) && (m.kind == pending || m.kind == heldLines):
		return m.contentLine(h, i)
	case c == '-' && len(m.line)-m.indent < 3:
		m.line = append(m.line, c)
		return i + 1
	case lex.IsBlank(c) && m.kind == noValue && len(m.line)-m.indent == 3: // ---
		h.Decide()
		m.phase = inComment
		return i
	}
	return m.otherLine(h, in, i)
}

// keyFound handles a key and its colon.
func (m *machine) keyFound(h syntax.Host, in string, i int) int {
	key := m.Name(m.head.key)
	if m.kind == pending && m.indent > m.base && m.base >= 0 {
		return m.contentLine(h, i)
	}
	if !m.isKey(key) {
		return m.otherLine(h, in, i)
	}
	if !m.endOpen() {
		return m.fails(h, in, i)
	}
	h.Decide()
	m.base, m.kind, m.phase = m.indent, pending, afterKey
	m.line = m.line[:0]
	m.Writer.Open(key)
	m.schema = m.Schema().Property(key)
	return m.readAfterKey(h, in, i)
}

// isKey reports whether the text before a colon is a key. If the open value may continue,
// the text must look like one.
func (m *machine) isKey(key string) bool {
	s := m.Schema()
	switch {
	case key == "":
		return false
	case s.Declares(key), m.kind == noValue, m.kind == pending:
		return true
	case m.kind == rawText, m.kind == blockScalar && m.text.unindented:
		return !s.Closed() && isName(key)
	}
	return isName(key)
}

func isName(key string) bool {
	for k := range len(key) {
		if c := key[k]; !lex.IsName(c) && c != '$' && c != '/' {
			return false
		}
	}
	return true
}

// otherLine handles a line that is not a member.
func (m *machine) otherLine(h syntax.Host, in string, i int) int {
	inner := m.indent > m.base && m.base >= 0
	if m.indent == 0 && i < len(in) && in[i] == '\n' && lex.TrimBlanks(string(m.line)) == "..." { // the end of a document
		if !m.endOpen() {
			return m.fails(h, in, i)
		}
		h.Decide()
		m.phase = inComment
		return i
	}
	switch m.kind {
	case noValue:
		return h.Fail(in, i, toolcall.Malformed, toolcall.ReasonNotAnObject)
	case pending:
		if !inner {
			m.begin(rawText)
		}
	case plainText:
		if !inner {
			m.toRaw()
		}
	case blockScalar:
		m.text.unindented = true
	}
	return m.contentLine(h, i)
}

// contentLine makes the current line, of which the bytes before in[i] have been read, part
// of the open value.
func (m *machine) contentLine(h syntax.Host, i int) int {
	h.Decide()
	m.phase = inContent
	if m.kind == pending {
		if c := m.line; len(c) > m.indent && c[m.indent] != '-' && m.head.at == keyNone {
			m.begin(plainText)
			m.line = m.line[m.indent:]
		} else {
			m.begin(heldLines)
		}
	}
	switch {
	case m.kind == blockScalar:
		m.block.beginLine(&m.value, m.line, m.indent)
	case m.kind == plainText && !m.waits():
		text := lex.TrimBlanks(string(m.line))
		m.put(text)
		m.text.gap = append(m.text.gap, m.line[len(text):]...)
	case m.kind == plainText, m.kind == heldLines:
		m.hold = append(m.hold, m.line...)
	default:
		m.put(string(m.line))
	}
	m.line = m.line[:0]
	return i
}

// blankLine handles the end of a line of blanks.
func (m *machine) blankLine() {
	switch m.kind {
	case blockScalar:
		m.block.blankLine(&m.value, m.line)
	case plainText, heldLines:
		m.hold = append(append(m.hold, m.line...), '\n')
	case rawText:
		m.put(string(m.line) + "\n")
	}
}

// lookInline begins a look at a possible closer of the call inside a line, at in[i].
func (m *machine) lookInline(h syntax.Host, i int) {
	h.Look(i)
	m.phase, m.closes = atInlineCloser, false
	m.match.Reset(m.form.After)
}

// readCloser reads a possible closer of the call.
func (m *machine) readCloser(h syntax.Host, in string, i int) int {
	if !m.closes {
		which, next := m.match.Match(in, i)
		switch {
		case which == lex.MatchMore:
			return next
		case which == lex.MatchNone:
			return m.noCloser(h, in, next)
		case m.phase == atCloser:
			return m.finishArgs(h, in, next)
		}
		m.closes = true
		i = next
	}
	for ; i < len(in); i++ {
		if in[i] == '\n' {
			return m.finishArgs(h, in, i)
		}
		if !lex.IsBlank(in[i]) {
			return m.noCloser(h, in, i)
		}
	}
	return i
}

// noCloser handles pending bytes that turn out not to be the closer.
func (m *machine) noCloser(h syntax.Host, in string, i int) int {
	inline := m.phase == atInlineCloser
	m.closes = false
	if inline {
		m.phase = inContent
		if m.kind == quotedString {
			return m.fails(h, in, i)
		}
		if m.kind == heldLines {
			m.hold = append(m.hold, '<')
		} else {
			m.putPlain(m.waits(), "<", 0, 1)
		}
		return h.Rewind(in, i, h.From()+1)
	}
	// The line is of another kind. Only its < has been read.
	m.line = append(m.line, '<')
	to := h.From() + int64(len(m.line))
	h.Decide()
	if m.kind == noValue {
		return m.otherLine(h, in, i)
	}
	m.head.at = keyNone
	m.otherLine(h, in, i)
	return h.Rewind(in, i, to)
}

// finishArgs ends the arguments before the pending bytes.
func (m *machine) finishArgs(h syntax.Host, in string, i int) int {
	if !m.endOpen() {
		to := h.From()
		m.fails(h, in, i)
		return h.Rewind(in, i, to)
	}
	return m.EndBefore(h, in, i)
}

// fails ends the call because its arguments are invalid, with the status and reason in
// m.text.
func (m *machine) fails(h syntax.Host, in string, i int) int {
	status, reason := m.text.status, m.text.reason
	if status == 0 {
		status, reason = toolcall.Malformed, toolcall.ReasonInvalidJSON
	}
	return h.Fail(in, i, status, reason)
}

func (m *machine) Expire(h syntax.Host, in string, i int) int {
	switch {
	case m.phase == atCloser, m.phase == atInlineCloser:
		return m.noCloser(h, in, i)
	case m.kind == noValue, m.kind == pending:
		return m.fails(h, in, i)
	}
	return m.contentLine(h, i)
}

func (m *machine) Finish(h syntax.Host) bool {
	if m.phase != atInlineCloser || !m.closes || !m.endOpen() {
		return false
	}
	m.End()
	return true
}

func (m *machine) PassThrough() (syntax.PassAs, *syntax.Stops) {
	q := &m.quoted
	if m.phase != inContent || m.open || !m.Direct() {
		return 0, nil
	}
	switch {
	case m.kind == blockScalar && !m.text.cr:
		return m.value.PassThrough(lineStops)
	case m.kind == quotedString && q.quote == '"' && q.started && !q.fresh && !q.escaping && q.breaks == 0 && len(q.gap) == 0 && q.escape.High == 0:
		kind, stops := m.value.PassThrough(quotedStops)
		if kind == syntax.PassString { // the escapes are those of JSON
			kind = syntax.PassJSON
		}
		return kind, stops
	}
	return 0, nil
}

// The stops inside the lines of a block, and inside double quotes, where blanks may end a
// line.
var (
	lineStops   = syntax.NewStops("", false)
	quotedStops = func() *syntax.Stops {
		s := *syntax.JSONStops
		s[' '] = syntax.SoftLast
		return &s
	}()
)
