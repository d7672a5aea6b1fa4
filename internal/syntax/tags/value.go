package tags

import (
	"github.com/toolparse/toolparse/internal/bytescan"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// beginValue begins the value of a parameter, a member, or, with an empty key, an element.
func (m *machine) beginValue(key string) {
	top := m.top()
	m.phase = atStart
	var s *schema.Schema
	switch {
	case len(m.frames) == 1:
		m.Open(key)
		s = m.Schema().Property(key)
		if m.Out != nil && m.Call.IsContent(key) {
			m.beginContent()
			return
		}
	case !top.array && !top.names.Add(key):
		m.Call.Tolerate(toolcall.DuplicateArgument)
		m.drop()
		return
	default:
		s = m.separate(key)
	}
	m.reset(s)
	if m.Out == nil {
		m.drop()
		return
	}
	object, array := containers(s)
	m.value.Whole = (object || array) && !s.Untyped()
	if !object && !array {
		m.phase = inValue
		if s.IsText() {
			m.value.BeginString()
		}
	}
}

// reset prepares m.value for a value with schema s and the layout of tags.
func (m *machine) reset(s *schema.Schema) {
	m.value.Reset(syntax.Typed, m.Out, s, m.limits.Blanks)
	m.value.Lead, m.value.Trail = syntax.LeadOpen, true
}

// drop begins a value that is discarded.
func (m *machine) drop() {
	m.reset(nil)
	m.value.Sink, m.phase = syntax.Drop, inValue
}

// beginContent begins the value of an argument that is, or may be, the content of a file
// tool's segment: a text with the layout of a file or a command.
func (m *machine) beginContent() {
	m.BeginText()
	m.reset(nil)
	m.phase, m.value.Trail = atMarker, m.Call.IsCommand()
	if m.Content {
		m.value.Sink = syntax.Plain
	} else {
		m.value.BeginString()
	}
}

// containers reports which containers a value may be if it is written as nested tags.
func containers(s *schema.Schema) (object, array bool) {
	if s.Untyped() {
		return true, true
	}
	return s.AllowsContainer()
}

// readStart reads the blanks and the first token of a value, and decides whether the value
// is a container of nested tags.
func (m *machine) readStart(h syntax.Host, in string, i int) int {
	tok, j := m.look.Read(in, i)
	if tok == lex.TokenMore {
		return j
	}
	if tok == lex.TokenOpen {
		object, array := containers(m.value.Schema)
		isItem, isArg := m.look.Is(dialect.ItemTag), m.look.Is(dialect.ArgTag)
		named := !m.value.Schema.Untyped() && !m.value.Schema.AllowsString()
		if array && isItem || object && (isArg || named && !isItem) {
			if m.openFrame(array && isItem); len(m.frames) > m.limits.Depth {
				return h.Close(in, j, h.From(), toolcall.Rejected, toolcall.ReasonTooDeep)
			}
			return h.Rewind(in, j, h.From())
		}
	}
	if m.value.Whole {
		m.value.Whole = startsContainer(in, j, tok)
	}
	m.phase = inValue
	if !m.value.Whole && m.value.Schema.IsText() {
		m.value.BeginString()
	}
	return h.Rewind(in, j, m.start)
}

// startsContainer reports whether a value's first token, or the byte in[i] instead of one,
// begins a JSON object or array.
func startsContainer(in string, i int, tok lex.Token) bool {
	return tok == lex.TokenBrace || tok == lex.TokenOther && i < len(in) && in[i] == '['
}

// readValue reads a value's text up to a possible end.
func (m *machine) readValue(h syntax.Host, in string, i int) int {
	start, ends := i, tags
	if m.args.Entities {
		ends = tagsAndEntities
	}
	for i = ends.Find(in, i); i < len(in) && plainValue(in, i) && !m.value.IsScalar(); {
		i = ends.Find(in, i+1)
	}
	if i < len(in) && in[i] == '<' {
		if next := m.readPlainCloser(h, in, start, i); next > 0 {
			return next
		}
	}
	m.value.Add(in, start, i)
	switch {
	case i == len(in):
	case in[i] == '&':
		m.entity.Reset()
		if text, next, _ := m.entity.Read(m.limits.Lookable(in, i), i); text != "" {
			m.value.AddText(text)
			return next
		}
		h.LookWithin(i, lex.MaxEntity+1)
		m.phase = inEntity
		m.entity.Reset()
	default:
		h.Look(i)
		m.look.Reset()
		m.look.ClosersOnly = !m.value.IsScalar()
		m.phase = atCloser
	}
	return i
}

// What may end a run of a value's text.
var (
	tags            = bytescan.NewFinder('<')
	tagsAndEntities = bytescan.NewFinder('<', '&')
)

// plainValue reports whether the byte after the < or & at in[i] is enough to be sure that
// it is content.
func plainValue(in string, i int) bool {
	switch {
	case i+1 == len(in):
		return false
	case in[i] == '<':
		return in[i+1] != '/' && in[i+1] != '!'
	}
	return !lex.IsEntityByte(in[i+1])
}

// readEntity reads a possible entity.
func (m *machine) readEntity(h syntax.Host, in string, i int) int {
	text, next, more := m.entity.Read(in, i)
	switch {
	case more:
		return next
	case text == "":
		return m.Expire(h, in, next)
	}
	m.value.AddText(text)
	h.Decide()
	m.phase = inValue
	return next
}

// readCDATA reads a CDATA section. Only its own closer ends it.
func (m *machine) readCDATA(in string, i int) int {
	next, done := lex.ReadCDATA(&m.cdata, in, i, m.value.AddText)
	if done {
		m.phase = inValue
	}
	return next
}

// readCloser reads a possible closer of the value, or the opener of a CDATA section.
func (m *machine) readCloser(h syntax.Host, in string, i int) int {
	tok, j := m.look.Read(in, i)
	switch tok {
	case lex.TokenMore:
		return j
	case lex.TokenCDATA:
		if m.args.Entities && !m.marked {
			m.phase, m.cdata = inCDATA, lex.Literal{Text: lex.CDATAClose}
			m.value.AddText("")
			h.Decide()
			return j
		}
	case lex.TokenOpen:
		if m.look.Is(m.call) {
			return m.isCut(h, in, j)
		}
	case lex.TokenClose:
		m.closerEnd = 0
		if m.look.Is(m.closer) {
			m.closerEnd = h.At(j)
		} else if k, ok := m.closes(); ok {
			m.upper = k
		} else {
			break
		}
		m.look.Reset()
		m.phase = afterCloser
		return j
	}
	return m.Expire(h, in, j)
}

// readAfter reads the token after a closing tag inside a value. The tag closes the value
// only if that token may follow it.
func (m *machine) readAfter(h syntax.Host, in string, i int) int {
	tok, j := m.look.Read(in, i)
	if tok == lex.TokenMore {
		return j
	}
	k, closes := 0, false
	if tok == lex.TokenClose {
		k, closes = m.closes()
	}
	if m.closerEnd == 0 {
		// Two closing tags of outer levels in a row end the value, too.
		if closes && k < m.upper {
			m.Call.Tolerate(toolcall.MissingCloser)
			m.endValue()
			return h.Rewind(in, j, h.From())
		}
		return m.Expire(h, in, j)
	}
	if closes || tok == lex.TokenComment || tok == lex.TokenOpen && (m.opensNext() || m.look.Is(m.call) && m.value.IsScalar()) {
		h.LookFrom(m.closerEnd + int64(m.look.Blanks))
		m.endValue()
		return m.betweenEnds(h, in, j, tok)
	}
	return m.Expire(h, in, j)
}

// opensNext reports whether the opening tag just read may follow a value of the innermost
// container.
func (m *machine) opensNext() bool {
	top := m.top()
	if top.array {
		return m.look.Is(dialect.ItemTag)
	}
	return m.look.Is(dialect.ArgTag) || top.named != "" && (!top.schema.Closed() || top.schema.Declares(string(m.look.Name)))
}

// endValue ends the open value.
func (m *machine) endValue() { m.endValueWith("", 0, 0) }

// endValueWith ends the open value, whose last run is in[a:b].
func (m *machine) endValueWith(in string, a, b int) {
	if m.value.Undecided() && m.value.Schema.Untyped() {
		m.value.BeginString()
	}
	m.Call.Tolerate(m.value.AddLast(in, a, b))
	m.endMember()
	m.phase, m.marked = between, false
}

// endMember ends the open member, unless that is still inside a container.
func (m *machine) endMember() {
	if len(m.frames) == 1 {
		m.Close()
	}
}
