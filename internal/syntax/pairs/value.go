package pairs

import (
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// beginReadValue begins the value of the key that was just read.
func (m *machine) beginReadValue(h syntax.Host) {
	key := m.name(m.key)
	m.beginValue(h, key, m.openMember(key, string(m.kind), m.args))
}

// beginValue begins the value of the open member, with schema s.
func (m *machine) beginValue(h syntax.Host, key string, s *schema.Schema) {
	a := m.args
	m.Writer.Value(&m.value, s, a.LayoutOf(key), m.limits.Blanks)
	if a.QuotesStrings() {
		m.value.MayBeQuoted()
	}
	m.value.Skip = m.form.skip
	if m.form.valueOpen != nil && a.LayoutOf(key) == "" { // the markers enclose a value on its own line
		m.value.MayLackCloser()
	}
	h.Decide()
	m.phase, m.line, m.quoted = inValue, true, false
}

// name returns the key in text, without quotes unless the tool declares the key with them.
func (m *machine) name(text []byte) string { return m.bare(m.Name(text)) }

// bare is name for a string. Quotes around more than the bytes of a name stay, unless the tool
// declares what they enclose.
func (m *machine) bare(text string) string {
	key := lex.TrimBlanks(text)
	inner, name := lex.Unquoted(key)
	if (name || m.Schema().Declares(inner)) && !m.Schema().Declares(key) {
		return inner
	}
	return key
}

// lacksCloser records that the value's own closer is missing. Layout before it is not
// content either. If the value has that closer in its text, it probably ended there, and
// what follows is not content: the call ends as malformed.
func (m *machine) lacksCloser() {
	m.Call.Tolerate(toolcall.MissingCloser)
	m.value.LacksCloser()
	if m.quoted {
		m.Call.Break(toolcall.Malformed, toolcall.ReasonUnreadArgument)
	}
}

// readValue reads a value's text up to a possible end.
func (m *machine) readValue(h syntax.Host, in string, i int) int {
	n := m.form.findStop(in, i)
	m.add(in, i, n)
	switch {
	case n == len(in):
	case in[n] == '&' && m.form.stops[0] == '&':
		h.LookWithin(n, lex.MaxEntity+1)
		m.phase = inEntity
		m.entity.Reset()
	default:
		h.Look(n)
		if m.to(atEnd, m.form.ends); m.value.IsScalar() {
			m.to(atEnd, m.form.cutEnds)
		}
	}
	return n
}

// add adds in[a:b] to the value's text.
func (m *machine) add(in string, a, b int) {
	m.value.Add(in, a, b)
	n := b
	for n > a && (in[n-1] == ' ' || in[n-1] == '\t') {
		n--
	}
	if n > a {
		m.line = in[n-1] == '\n' || in[n-1] == '\r'
	}
}

// readEntity reads what may be an entity.
func (m *machine) readEntity(h syntax.Host, in string, i int) int {
	text, next, more := m.entity.Read(in, i)
	switch {
	case more:
		return next
	case text == "":
		return m.isContent(h, in, next)
	}
	m.value.AddText(text)
	h.Decide()
	m.phase, m.line = inValue, false
	return next
}

// readCDATA reads a CDATA section. Only its own closer ends it.
func (m *machine) readCDATA(in string, i int) int {
	next, done := lex.ReadCDATA(&m.cdata, in, i, m.value.AddText)
	if done {
		m.phase, m.line = inValue, false
	}
	return next
}

// valueMayEnd handles a pattern of form.ends inside a value.
func (m *machine) valueMayEnd(h syntax.Host, in string, i, which int) int {
	switch m.form.kinds[which] {
	case endCloser:
		m.used = 0
		m.to(afterCloser, m.form.between)
	case endOther:
		m.used = toolcall.MissingCloser
		m.to(afterCloser, m.form.between)
	case endCDATA:
		m.phase, m.cdata = inCDATA, lex.Literal{Text: lex.CDATAClose}
		m.value.AddText("")
		h.Decide()
	case endKey:
		return m.innerKey(h, in, i)
	case endNext: // it does, if a name on a line of its own follows, and what follows that
		m.phase, m.kind = inNextName, m.kind[:0]
	case endUpper: // it does, if the section's closer, the next call or the end of the stream follows
		m.to(afterUpper, m.form.upper)
	case endHead:
		return m.isCut(h, in, i)
	case endSection: // it does, if another section with a call or the end of the stream follows
		m.to(afterUpper, m.form.renew)
	}
	return i
}

// innerKey handles the opener of a key inside a value. If values have no opener of their
// own, such an opener may also be content, unless it begins a line or
// the dialect says that no value contains it.
func (m *machine) innerKey(h syntax.Host, in string, i int) int {
	if m.form.valueOpen == nil && !m.line && !m.args.Marked {
		return m.isContent(h, in, i)
	}
	m.kind = m.kind[:0]
	if a := m.args; a.Key != "" {
		m.phase = inInnerTag
		m.tag.Reset()
		m.tag.EndWith(m.form.tagEnd)
		return i
	}
	m.phase = inInnerKey
	return i
}

// readInnerTag reads a tag with a key as an attribute, inside a value.
func (m *machine) readInnerTag(h syntax.Host, in string, i int) int {
	verdict, i := m.tag.Read(in, i)
	switch verdict {
	case lex.TagMore:
		return i
	case lex.TagBroken:
		return m.isContent(h, in, i)
	}
	key, ok := m.tag.Attr(m.args.Key)
	if !ok {
		return m.isContent(h, in, i)
	}
	m.kind = append(m.kind, key...)
	return m.innerEnds(h, in, i)
}

// innerEnds handles the end of a key inside a value. The key begins another pair if the
// opener of a value follows.
func (m *machine) innerEnds(h syntax.Host, in string, i int) int {
	if m.form.valueOpen != nil {
		m.to(afterInnerKey, m.form.valueOpen)
		return i
	}
	key := m.name(m.kind)
	if !m.args.Marked && !m.Schema().Declares(key) || m.Writer.HasMember(key) {
		return m.isContent(h, in, i)
	}
	m.lacksCloser()
	return m.endValue(h, in, i, h.From())
}

// readNextName reads what may be the name of another call, inside a value.
func (m *machine) readNextName(h syntax.Host, in string, i int) int {
	for ; i < len(in); i++ {
		switch c := in[i]; {
		case (c == '\n' || c == '\r') && len(m.kind) > 0:
			m.to(afterNextName, m.form.afterName)
			return i
		case lex.IsBlank(c), c == '<', len(m.kind) > lex.MaxName:
			return m.isContent(h, in, i)
		}
		m.kind = append(m.kind, in[i])
	}
	return i
}

// isCut ends the arguments inside a value, because the next call begins with the pending bytes.
func (m *machine) isCut(h syntax.Host, in string, i int) int {
	m.lacksCloser()
	m.Call.Break(toolcall.Malformed, toolcall.ReasonUnreadArgument)
	m.closeMember(m.value.End())
	return m.EndBefore(h, in, i)
}

// isContent makes the first pending byte content.
func (m *machine) isContent(h syntax.Host, in string, i int) int {
	if m.used == 0 && (m.phase == afterCloser || m.phase == inBareKey || m.phase == atBareEnd) {
		m.quoted = true
	}
	m.phase = inValue
	return syntax.NotMarkup(h, in, i, m.form.stops, m.add)
}

// endValue ends the open value and rewinds to the stream offset to, where reading
// continues.
func (m *machine) endValue(h syntax.Host, in string, i int, to int64) int {
	m.closeMember(m.value.End())
	m.toBetween(h)
	return h.Rewind(in, i, to)
}
