// Package gemma reads arguments in Gemma's literal syntax: {k:<|"|>text<|"|>,n:42,
// o:{a:true},l:[1,2]}. Keys are bare, strings are enclosed in markers, and everything else
// is JSON.
package gemma

import (
	"slices"

	"github.com/toolparse/toolparse/internal/bytescan"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// Syntax is the syntax of Gemma's literals.
var Syntax = syntax.Syntax{
	New:     func(limits syntax.Limits) syntax.Machine { return &machine{limits: limits} },
	Compile: func(f *syntax.Form) any { return compile(f) },
	First:   func(*dialect.Args) []lex.Pattern { return []lex.Pattern{"{", "("} },
	Fault: func(f *dialect.Form) (field, wrong string) {
		if f.Args.Quote == "" {
			return "args.quote", "is empty"
		}
		return "", ""
	},
	Write:   write,
	Grammar: grammar,
	About: func(*dialect.Args, func(string) string) (written, typed string) {
		return "the arguments in Gemma's literals", "those of the literals."
	},
}

// machine reads Gemma's literals. It also reads strings in plain quotes, bare text, and
// arguments in parentheses, f(k=1) or f(k:1), which the models write by mistake. The text of a string streams. Since a string may
// contain anything, its end counts only if the enclosing containers can continue after it:
// lookahead checks that during a look.
type machine struct {
	syntax.Writer
	limits syntax.Limits
	form   *compiled
	phase  phase
	match  lex.Matcher
	then   phase // where atMark, atEnd and afterEnd return to: the phase in which they began
	stack  []container
	key    []byte
	comma  bool // a comma precedes what comes next
	round  bool // the arguments are in parentheses

	quote  byte // of the open string; 0: the dialect's own quote
	escape lex.Escape
	value  syntax.Value // of a bare text
	lead   []byte       // blanks before the value
	lines  bool         // the bare text contains a newline
	quoted bool         // the string has a marker of a call in its text
	stray  syntax.StrayQuotes
	ahead  lookahead
	mark   int64 // stream offset after brackets in a string
	end    int64 // stream offset after a possible end of a value
}

type phase uint8

const (
	atStart     phase = iota // before the object
	beforeItem               // before a key or an element
	inKey                    // in a bare key
	inQuotedKey              // in a quoted key
	atKeyEnd                 // at a possible end of a key in the dialect's quotes
	beforeColon              // after a key
	beforeValue              // before a value
	afterValue               // after a value
	atMark                   // at a marker between keys and values
	inString                 // in a string
	inEscape                 // in an escape
	inText                   // in a bare text
	inBrackets               // in brackets in a string, which may be those that close the call
	atEnd                    // at a marker in a string or a bare text
	afterCloser              // after the call's closer in a string
	afterEnd                 // after a possible end of a value
)

// compiled is what the machine needs of a form.
type compiled struct {
	marks     *lex.Set         // the quote, then what ends the call
	next      int              // index in marks of the first opener of a next call
	past      *lex.Set         // what may follow the call's closer if a string lacks its own
	stops     [256]bool        // the bytes that matter in a string
	names     lex.Bytes        // the bytes of keys that begin no marker
	stopTable *syntax.Stops    // stops, for the fast path
	finder    *bytescan.Finder // of stops, if they are a few ASCII bytes
}

func compile(f *syntax.Form) *compiled {
	c := &compiled{}
	c.marks = lex.NewSet(append(lex.NewPatterns(f.Args.Quote), f.After.Patterns...)...)
	c.next = len(c.marks.Patterns)
	if k := slices.Index(f.Kinds, syntax.AfterNext); k >= 0 {
		c.next -= len(f.After.Patterns) - k
	}
	var past []lex.Pattern
	for _, p := range lex.NewPatterns(f.Noise...) {
		if !slices.Contains(f.After.Patterns, p) && len(past) < lex.MaxPatterns {
			past = append(past, p) // neither opener nor closer: a string may quote those
		}
	}
	c.past = lex.NewSet(past...)
	for _, p := range c.marks.Patterns {
		c.stops[p[0]] = true
	}
	c.stops['}'], c.stops[']'] = true, true
	c.stopTable = syntax.NewStops("", true)
	c.stopTable[':'] = syntax.SoftLast
	var stops []byte
	for b, stop := range c.stops {
		c.names[b] = lex.KeyBytes[b] && !stop
		if stop {
			c.stopTable[b] = syntax.Stop
			stops = append(stops, byte(b))
		}
	}
	if len(stops) <= bytescan.MaxFind {
		c.finder = bytescan.NewFinder(stops...)
	}
	return c
}

func (m *machine) Begin(h syntax.Host, c syntax.Call, f *syntax.Form) {
	m.Writer.Begin(c)
	m.form = f.Compiled.(*compiled)
	m.stack, m.phase, m.comma, m.round = m.stack[:0], atStart, false, false
}

func (m *machine) Read(h syntax.Host, in string, i int) int {
	switch m.phase {
	case inKey:
		return m.readKey(h, in, i)
	case inQuotedKey:
		return m.readQuoted(h, in, i)
	case inString:
		return m.readString(h, in, i)
	case inEscape:
		return m.readEscape(in, i)
	case inText:
		return m.readText(h, in, i)
	case inBrackets:
		return m.readRun(h, in, i)
	case atMark, atKeyEnd, atEnd, afterCloser:
		return m.readMark(h, in, i)
	case afterEnd:
		return m.readAfter(h, in, i)
	}
	return m.readStructure(h, in, i)
}

// readStructure reads the input between keys and values.
func (m *machine) readStructure(h syntax.Host, in string, i int) int {
	from := i
	if i = lex.SkipBlanks(in, i); m.phase == beforeValue && len(m.lead) < m.limits.Blanks {
		m.lead = append(m.lead, in[from:i]...)
	}
	if i == len(in) {
		return i
	}
	c := in[i]
	switch {
	case m.phase == atStart && c == '(':
		m.round = true
		m.Call.Tolerate(toolcall.MissingOpener)
		return m.push(h, in, i)
	case m.phase == atStart && c == '{':
		return m.push(h, in, i)
	case m.phase == atStart:
		m.End()
		return h.Done(in, i)
	case m.begins(c) && c != '{' && c != '[':
		h.Look(i)
		m.then, m.phase = m.phase, atMark
		m.match.Reset(m.form.marks)
		return i
	}
	switch m.phase {
	case beforeItem:
		return m.item(h, in, i)
	case beforeColon:
		if !m.assigns(c) {
			return m.fail(h, in, i)
		}
		m.beginReadMember()
		return i + 1
	case beforeValue:
		return m.beginValue(h, in, i)
	}
	return m.afterValue(h, in, i)
}

// begins reports whether a marker may begin with c.
func (m *machine) begins(c byte) bool { return m.form.stops[c] && c != '}' && c != ']' }

// assigns reports whether c separates a key from its value.
func (m *machine) assigns(c byte) bool {
	return c == ':' || c == '=' && m.round && len(m.stack) == 1
}

// closes reports whether c is a closing bracket.
func (m *machine) closes(c byte) bool {
	return c == '}' || c == ']' || c == ')' && m.round
}

// item handles in[i], the first byte of a key or an element.
func (m *machine) item(h syntax.Host, in string, i int) int {
	switch c := in[i]; {
	case m.closes(c):
		if m.comma {
			m.Call.Tolerate(toolcall.TrailingComma)
		}
		return m.pop(h, in, i)
	case c == ',':
		m.Call.Tolerate(toolcall.TrailingComma)
		return i + 1
	case m.top() == '[':
		m.phase, m.lead = beforeValue, m.lead[:0]
		return i
	case c == '"' || c == '\'':
		m.key, m.quote, m.phase = m.key[:0], c, inQuotedKey
		m.Call.Tolerate(toolcall.MissingOpener)
		return i + 1
	case c == '{' || c == '[' || c == ':':
		return m.fail(h, in, i)
	}
	if next := m.readPlainKey(in, i); next > 0 {
		return next
	}
	m.key, m.phase = m.key[:0], inKey
	return i
}

// readKey reads a bare key.
func (m *machine) readKey(h syntax.Host, in string, i int) int {
	for ; i < len(in); i++ {
		switch c := in[i]; {
		case m.assigns(c):
			m.beginReadMember()
			return i + 1
		case endsKey(c), m.begins(c), len(m.key) > lex.MaxName:
			return m.fail(h, in, i)
		}
		m.key = append(m.key, in[i])
	}
	return i
}

// readQuoted reads a quoted key.
func (m *machine) readQuoted(h syntax.Host, in string, i int) int {
	for ; i < len(in); i++ {
		switch c := in[i]; {
		case m.quote != 0 && c == m.quote:
			m.phase = beforeColon
			return i + 1
		case m.quote == 0 && m.begins(c):
			h.Look(i)
			m.phase = atKeyEnd
			m.match.Reset(m.form.marks)
			return i
		case len(m.key) > lex.MaxName:
			return m.fail(h, in, i)
		}
		m.key = append(m.key, in[i])
	}
	return i
}

// readMark reads a possible marker.
func (m *machine) readMark(h syntax.Host, in string, i int) int {
	if m.phase == afterCloser && m.match.IsAtStart() {
		if i = lex.SkipBlanks(in, i); i == len(in) {
			return i
		}
	}
	which, next := m.match.Match(in, i)
	switch which {
	case lex.MatchMore:
		return next
	case lex.MatchNone:
		return m.noMark(h, in, next)
	}
	switch m.phase {
	case afterCloser:
		m.lacksQuote()
		m.then = afterValue
		return m.closesEarly(h, in, next)
	case atKeyEnd:
		if which > 0 {
			return m.fail(h, in, next)
		}
		h.Decide()
		m.phase = beforeColon
		return next
	case atEnd:
		return m.endsAt(h, in, next, which)
	}
	if which > 0 {
		if which >= m.form.next && len(m.stack) == 1 && m.stack[0].count == 0 { // an opener written twice
			m.Call.Break(toolcall.Malformed, toolcall.ReasonUnreadArgument)
		}
		return m.closesEarly(h, in, next)
	}
	return m.quoteOpens(h, in, next)
}

// noMark handles pending bytes that turn out not to be a marker.
func (m *machine) noMark(h syntax.Host, in string, i int) int {
	switch m.phase {
	case atEnd, afterCloser:
		m.quoted = m.quoted || m.phase == afterCloser
		return m.isContent(h, in, i)
	case atKeyEnd:
		m.key = append(m.key, h.Pending(in, i, h.From())[0])
		m.phase = inQuotedKey
		return h.Rewind(in, i, h.From()+1)
	}
	if m.then == beforeValue || m.then == beforeItem && m.top() == '[' { // text that begins like a marker
		m.beginText()
		m.mark = 0
		return m.isContent(h, in, i)
	}
	return m.fail(h, in, i)
}

// quoteOpens handles the dialect's quote between keys and values.
func (m *machine) quoteOpens(h syntax.Host, in string, i int) int {
	h.Decide()
	switch {
	case m.then == beforeColon:
		return m.fail(h, in, i)
	case m.then == afterValue:
		m.Call.Tolerate(toolcall.MissingComma)
	}
	if m.then != beforeValue && m.top() == '{' {
		m.key, m.quote, m.phase = m.key[:0], 0, inQuotedKey
		return i
	}
	m.beginString(0)
	return i
}

// closesEarly ends the arguments at the call's closer, which precedes their own.
func (m *machine) closesEarly(h syntax.Host, in string, i int) int {
	switch m.then {
	case beforeColon:
		return m.fail(h, in, i)
	case beforeValue:
		m.empty()
	}
	m.closeAll()
	return m.EndBefore(h, in, i)
}

// beginValue begins the value whose first byte is in[i].
func (m *machine) beginValue(h syntax.Host, in string, i int) int {
	switch c := in[i]; {
	case c == '{' || c == '[':
		m.beginElement()
		return m.push(h, in, i)
	case c == '"' || c == '\'':
		m.Call.Tolerate(toolcall.MissingOpener)
		m.beginString(c)
		return i + 1
	case c == ',' || m.closes(c):
		m.empty()
		return i
	}
	m.beginText()
	return i
}

// afterValue reads what follows a value.
func (m *machine) afterValue(h syntax.Host, in string, i int) int {
	switch c := in[i]; {
	case c == ',':
		m.phase, m.comma = beforeItem, true
		return i + 1
	case m.closes(c):
		return m.pop(h, in, i)
	case m.top() == '{' && (lex.IsNameStart(c) || c == '"' || c == '\''):
		m.Call.Tolerate(toolcall.MissingComma)
		m.phase = beforeItem
		return i
	}
	return m.fail(h, in, i)
}

func (m *machine) fail(h syntax.Host, in string, i int) int {
	return h.Fail(in, i, toolcall.Malformed, toolcall.ReasonInvalidJSON)
}

// put writes in[a:b] as content of a string.
func (m *machine) put(in string, a, b int) {
	if a >= b {
		return
	}
	m.stray.Sign = in[b-1] == ':'
	m.Text(in, a, b)
}

func (m *machine) Finish(h syntax.Host) bool {
	switch m.phase {
	case afterCloser: // the call's closer is present, the value's is not
		m.lacksQuote()
		m.closeAll()
		m.End()
		return true
	case afterEnd:
		return m.finishAfter(h)
	}
	return false
}

func (m *machine) PassThrough() (syntax.PassAs, *syntax.Stops) {
	switch {
	case m.phase != inString || m.quote != 0 || m.stray.Sign || !m.Direct():
		return 0, nil
	case m.Content:
		return syntax.PassPlain, m.form.stopTable
	}
	return syntax.PassString, m.form.stopTable
}
