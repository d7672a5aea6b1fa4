// Package pairs reads arguments that are written as keys and values between literal
// markers: <parameter=K>V</parameter>, <arg_key>K</arg_key><arg_value>V</arg_value>,
// or a tag with the key as an attribute.
package pairs

import (
	"bytes"
	"strings"

	"github.com/toolparse/toolparse/dialect"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// Syntax is that of arguments between markers.
var Syntax = syntax.Syntax{
	New:     func(limits syntax.Limits) syntax.Machine { return &machine{limits: limits} },
	Compile: func(f *syntax.Form) any { return compile(f) },
	First:   first,
	Fault:   fault,
	Write:   write,
	About:   About,
}

// About says how each argument is written, in package nested, too.
func About(a *dialect.Args, code func(string) string) (written, typed string) {
	written = "each argument as " + code(a.KeyMark.Open) + " key " + code(a.KeyMark.Close)
	if a.ValueMark.Open != "" {
		written += " " + code(a.ValueMark.Open)
	}
	return written + " value " + code(a.ValueMark.Close), syntax.TypedBySchema(a, code)
}

// machine reads arguments between markers. A value's text streams; its closer counts
// only where what may follow it does.
type machine struct {
	syntax.Writer
	limits syntax.Limits
	args   *dialect.Args
	form   *compiled
	tag    lex.Tag
	phase  phase
	match  lex.Matcher
	value  syntax.Value
	key    []byte
	kind   []byte              // the type that the value's markers give, or a key or an entity in it
	own    int64               // stream offset after the value's closer, while looking past it; of what may end a key
	used   toolcall.Tolerances // what was tolerated if that closes
	line   bool                // in a value: only blanks stand before this place in its line
	passed bool                // text between pairs has been passed over
	slash  bool                // after a backslash that may be an escaped newline of the layout
	cdata  lex.Literal
	wraps  wrapState
}

type phase uint8

const (
	pairsBetween   phase = iota // between pairs
	pairsKey                    // in a key
	pairsKeyEnd                 // at what may end it
	pairsTag                    // in a tag that has the key as an attribute
	pairsAfterKey               // after a key, at what may follow
	pairsType                   // in a type
	pairsTypeEnd                // at what may end it
	pairsValue                  // in a value
	pairsEnd                    // at what may end it
	pairsAfter                  // after its closer, at what must follow
	pairsUpper                  // after a closer of the call that stands in it
	pairsInner                  // in a key that stands in it
	pairsInnerEnd               // at what may end that
	pairsInnerOpen              // after it, at the opener of another value
	pairsInnerTag               // in a tag that stands in it and has a key as an attribute
	pairsEntity                 // in what may be an entity
	pairsCDATA                  // in a CDATA section
)

func (m *machine) Begin(h syntax.Host, c syntax.Call, f *syntax.Form) {
	m.Writer.Begin(c)
	m.wraps, m.passed = wrapsNothing, false
	m.args, m.form = &f.Args, f.Compiled.(*compiled)
	m.toBetween(h)
}

// to begins a phase in which one of the patterns is looked for.
func (m *machine) to(phase phase, patterns []lex.Pattern) {
	m.phase, m.slash = phase, false
	m.match.Reset(patterns)
}

func (m *machine) toBetween(h syntax.Host) {
	h.Decide()
	m.to(pairsBetween, m.form.stray)
}

func (m *machine) Read(h syntax.Host, in string, i int) int {
	switch m.phase {
	case pairsKey:
		return m.readKey(h, in, i, &m.key, m.form.keyEnds, pairsKeyEnd)
	case pairsType:
		return m.readKey(h, in, i, &m.kind, m.form.typeClose, pairsTypeEnd)
	case pairsInner:
		return m.readKey(h, in, i, &m.kind, m.form.keyClose, pairsInnerEnd)
	case pairsTag:
		return m.readTag(h, in, i)
	case pairsInnerTag:
		return m.readInnerTag(h, in, i)
	case pairsValue:
		return m.readValue(h, in, i)
	case pairsEntity:
		return m.readEntity(h, in, i)
	case pairsCDATA:
		return m.readCDATA(in, i)
	}
	if m.match.Untouched() {
		var on bool
		if i, on = m.skipLayout(h, in, i); !on {
			return i
		}
		if !h.Looking() {
			h.Look(i)
		}
	}
	which, next := m.match.Match(in, i)
	switch {
	case which == lex.MatchMore:
		return next
	case which == lex.MatchNone:
		return m.Expire(h, in, next)
	}
	switch m.phase {
	case pairsBetween:
		return m.betweenEnds(h, in, next, which)
	case pairsKeyEnd:
		switch n := len(m.form.keyClose); {
		case which < n:
			return m.keyEnds(h, in, next)
		case which < n+len(m.form.valueOpen) && len(lex.TrimBlanks(string(m.key))) > 0: // its closer is missing
			m.Call.Tolerate(toolcall.MissingCloser)
			m.beginValue(h)
			return next
		}
		if bytes.IndexByte(m.key, '<') < 0 { // no more than a key
			m.phase = pairsBetween
		}
		return m.keyBreaks(h, in, next)
	case pairsAfterKey:
		return m.afterKey(h, in, next, which)
	case pairsTypeEnd:
		h.Decide()
		m.to(pairsAfterKey, m.form.afterKey[m.form.opens:])
	case pairsEnd:
		return m.valueMayEnd(h, in, next, which)
	case pairsAfter:
		m.Call.Tolerate(m.used)
		return m.endValue(h, in, next, m.own)
	case pairsUpper, pairsInnerOpen:
		m.lacksCloser()
		return m.endValue(h, in, next, h.From())
	case pairsInnerEnd:
		return m.innerEnds(h, in, next)
	}
	return next
}

// skipLayout is skipBlanks for the layout between markers, where newlines may be
// escaped. on is false where there is nothing to look at yet.
func (m *machine) skipLayout(h syntax.Host, in string, i int) (next int, on bool) {
	for {
		if m.slash {
			if i == len(in) {
				return i, false
			}
			m.slash = false
			if in[i] != 'n' {
				return m.Expire(h, in, i), false
			}
			m.Call.Tolerate(toolcall.TextBetween)
			if i++; m.phase != pairsAfter {
				h.Decide()
			}
		}
		if i = lex.SkipBlanks(in, i); i == len(in) {
			return i, false
		}
		if in[i] != '\\' || !m.args.Escaped || m.phase != pairsBetween && m.phase != pairsAfterKey && m.phase != pairsAfter {
			return i, true
		}
		if !h.Looking() {
			h.Look(i)
		}
		m.slash = true
		i++
	}
}

// expire decides that what is looked at is no markup.
func (m *machine) Expire(h syntax.Host, in string, i int) int {
	switch m.phase {
	case pairsAfterKey:
		return m.noOpener(h, in, i)
	case pairsKeyEnd:
		text := h.Pending(in, i, m.own)
		if len(m.key)+len(text) <= lex.MaxName && !strings.ContainsAny(text, "\r\n") { // it was but a part of the key
			m.key = append(m.key, text...)
			m.phase = pairsKey
			return i
		}
	case pairsEnd, pairsAfter, pairsUpper, pairsInner, pairsInnerEnd, pairsInnerOpen, pairsInnerTag, pairsEntity:
		return m.isContent(h, in, i)
	}
	return m.keyBreaks(h, in, i)
}

// keyBreaks passes over what was looked at, or over a key that never ends: with it an
// argument is lost, and the call is broken.
func (m *machine) keyBreaks(h syntax.Host, in string, i int) int {
	if m.passed = true; m.phase != pairsBetween {
		m.Call.Break(toolcall.Malformed, toolcall.ReasonUnreadArgument)
	}
	m.Call.Tolerate(toolcall.TextBetween)
	m.toBetween(h)
	return h.Rewind(in, i, h.From()+1)
}

// betweenEnds is after a key's opener, or at the end of the arguments.
func (m *machine) betweenEnds(h syntax.Host, in string, i, which int) int {
	switch {
	case which >= len(m.form.between): // a value without a key
		m.Call.Break(toolcall.Malformed, toolcall.ReasonUnreadArgument)
		m.toBetween(h)
		return i
	case which > m.form.voids:
		return m.finishArgs(h, in, i)
	case which > 0:
		m.Call.Tolerate(toolcall.MissingKey)
		m.toBetween(h)
		return i
	}
	a := m.args
	m.key, m.kind = m.key[:0], m.kind[:0]
	if a.Key == "" {
		m.phase = pairsKey
		return i
	}
	m.phase = pairsTag
	m.tag.Reset()
	m.tag.EndWith(m.form.tagEnd)
	return i
}

// finishArgs ends the arguments before what is looked at.
func (m *machine) finishArgs(h syntax.Host, in string, i int) int {
	if m.passed && m.Key == "" { // that may be all of them
		m.Call.Break(toolcall.Malformed, toolcall.ReasonUnreadArgument)
	}
	m.End()
	to := h.From()
	h.End(to)
	return h.Rewind(in, i, to)
}

// readKey reads a key, or a type, up to what may end it.
func (m *machine) readKey(h syntax.Host, in string, i int, key *[]byte, ends []lex.Pattern, then phase) int {
	stop := byte('\n')
	if len(ends) > 0 {
		stop = ends[0][0]
	}
	for ; i < len(in); i++ {
		switch c := in[i]; {
		case c == stop && len(ends) == 0 && then == pairsKeyEnd: // the end of the line ends a key
			return m.keyEnds(h, in, i)
		case c == stop && len(ends) == 0:
			return m.innerEnds(h, in, i)
		case c == stop:
			m.own = h.At(i)
			m.to(then, ends)
			return i
		case c == '\n' && then == pairsKeyEnd && len(*key) > 0: // its closer may be on the next line
			m.own = h.At(i)
			m.to(then, ends)
			return i
		case c == '\n', c == '<', len(*key) > lex.MaxName:
			return m.Expire(h, in, i)
		}
		*key = append(*key, in[i])
	}
	return i
}

// readTag reads a tag that has the key as an attribute.
func (m *machine) readTag(h syntax.Host, in string, i int) int {
	verdict, i := m.tag.Read(in, i)
	switch verdict {
	case lex.TagMore:
		return i
	case lex.TagBroken:
		return m.Expire(h, in, i)
	}
	key, ok := m.tag.Attr(m.args.Key)
	if !ok || key == "" {
		return m.Expire(h, in, i)
	}
	if m.tag.Unquoted {
		m.Call.Tolerate(toolcall.UnquotedAttribute)
	}
	m.key = append(m.key, key...)
	if kind, ok := m.tag.Attr(m.args.Type); ok {
		m.kind = append(m.kind, kind...)
	}
	if m.tag.SelfClose {
		m.beginValue(h)
		return m.endValue(h, in, i, h.At(i))
	}
	return m.keyEnds(h, in, i)
}

// keyEnds is after a key.
func (m *machine) keyEnds(h syntax.Host, in string, i int) int {
	if len(m.form.valueOpen) == 0 {
		m.beginValue(h)
		return i
	}
	h.Decide()
	m.own = h.At(i)
	m.to(pairsAfterKey, m.form.afterKey)
	return i
}

// afterKey is after what may follow a key.
func (m *machine) afterKey(h syntax.Host, in string, i, which int) int {
	if m.match.Patterns() < len(m.form.afterKey) {
		which += m.form.opens
	}
	switch {
	case which < m.form.opens:
		m.phase = pairsType
		return i
	case which == m.form.opens:
		m.beginValue(h)
		return i
	}
	// Another key, or the end: this one has no value.
	m.Call.Tolerate(toolcall.MissingKey)
	to := h.From()
	if m.own > to {
		to = m.own
	}
	m.toBetween(h)
	return h.Rewind(in, i, to)
}

// noOpener is where a value lacks its opener: it begins with what stands there.
func (m *machine) noOpener(h syntax.Host, in string, i int) int {
	m.Call.Tolerate(toolcall.MissingOpener)
	to := h.From()
	m.beginValue(h)
	return h.Rewind(in, i, to)
}

// beginValue begins the value of the key that has been read.
func (m *machine) beginValue(h syntax.Host) {
	a := m.args
	key := m.name(m.key)
	s := m.openMember(key, a)
	m.Writer.Value(&m.value, s, a.LayoutOf(key), m.limits.Blanks)
	if a.Quoted {
		m.value.MayBeQuoted()
	}
	m.value.Skip = m.form.skip
	if len(m.form.valueOpen) > 0 && a.LayoutOf(key) == "" { // the markers are those of a value on their line
		m.value.MayLackCloser()
	}
	h.Decide()
	m.phase, m.line = pairsValue, true
}

// name is the key in text. Quotes around it are not part of it, unless the tool says so.
func (m *machine) name(text []byte) string {
	key := lex.TrimBlanks(m.Name(text))
	if inner, ok := lex.Unquoted(key); ok && !m.Schema().Declares(key) {
		return inner
	}
	return key
}

// lacksCloser is where the value's own closer is missing. The layout before it is none
// of its content, either.
func (m *machine) lacksCloser() {
	m.Call.Tolerate(toolcall.MissingCloser)
	m.value.LacksCloser()
}

// readValue reads a value's text up to what may end it.
func (m *machine) readValue(h syntax.Host, in string, i int) int {
	n := i
	if len(m.form.stops) == 1 {
		if n = strings.IndexByte(in[i:], m.form.stops[0]); n < 0 {
			n = len(in)
		} else {
			n += i
		}
	} else {
		for n < len(in) && strings.IndexByte(m.form.stops, in[n]) < 0 {
			n++
		}
	}
	m.add(in, i, n)
	switch {
	case n == len(in):
	case in[n] == '&' && m.form.stops[0] == '&':
		h.LookWithin(n, lex.MaxEntity+1)
		m.phase, m.kind = pairsEntity, m.kind[:0]
	default:
		h.Look(n)
		m.to(pairsEnd, m.form.ends)
	}
	return n
}

// add takes in[a:b] as the next run of the value's text.
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
	for ; i < len(in); i++ {
		c := in[i]
		switch {
		case len(m.kind) == 0, lex.IsEntityByte(c) && len(m.kind) < lex.MaxEntity:
			m.kind = append(m.kind, c)
			continue
		case c == ';':
			if text, ok := lex.Entity(string(m.kind) + ";"); ok {
				m.value.AddText(text)
				h.Decide()
				m.phase, m.line = pairsValue, false
				return i + 1
			}
		}
		return m.isContent(h, in, i)
	}
	return i
}

// readCDATA reads a CDATA section, in which nothing closes but its end.
func (m *machine) readCDATA(in string, i int) int {
	v := &m.value
	if m.cdata.N == 0 {
		n := strings.IndexByte(in[i:], ']')
		if n < 0 {
			n = len(in) - i
		}
		v.AddText(in[i : i+n])
		if i += n; i == len(in) {
			return i
		}
	}
	next, done, ok := m.cdata.Match(in, i)
	switch {
	case done:
		m.phase, m.line = pairsValue, false
	case ok:
	case m.cdata.N == 2 && in[next] == ']': // one more bracket: the first is content
		v.AddText("]")
		return next + 1
	default:
		v.AddText(lex.CDATAClose[:m.cdata.N])
		m.cdata.N = 0
	}
	return next
}

// valueMayEnd is after what may end a value.
func (m *machine) valueMayEnd(h syntax.Host, in string, i, which int) int {
	switch m.form.kinds[which] {
	case endCloser:
		m.own, m.used = h.At(i), 0
		m.to(pairsAfter, m.form.between)
	case endOther:
		m.own, m.used = h.At(i), toolcall.MissingCloser
		m.to(pairsAfter, m.form.between)
	case endCDATA:
		m.phase, m.cdata = pairsCDATA, lex.Literal{Text: lex.CDATAClose}
		m.value.AddText("")
		h.Decide()
	case endKey:
		return m.innerKey(h, in, i)
	case endUpper: // so it is where the section's closer follows, or nothing
		m.to(pairsUpper, m.form.upper)
	case endSection:
		m.to(pairsUpper, nil)
	}
	return i
}

// innerKey is after the opener of a key that stands in a value. Where the markers
// of a value begin without one of its own, that may be content, too, unless it
// begins a line.
func (m *machine) innerKey(h syntax.Host, in string, i int) int {
	if len(m.form.valueOpen) == 0 && !m.line {
		return m.isContent(h, in, i)
	}
	m.kind = m.kind[:0]
	if a := m.args; a.Key != "" {
		m.phase = pairsInnerTag
		m.tag.Reset()
		m.tag.EndWith(m.form.tagEnd)
		return i
	}
	m.phase = pairsInner
	return i
}

// readInnerTag reads a tag with a key as an attribute that stands in a value.
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

// innerEnds is after a key that stands in a value. It begins another pair where
// the opener of a value follows.
func (m *machine) innerEnds(h syntax.Host, in string, i int) int {
	if len(m.form.valueOpen) > 0 {
		m.to(pairsInnerOpen, m.form.valueOpen)
		return i
	}
	key := m.name(m.kind)
	if !m.Schema().Declares(key) || m.Writer.Has(key) {
		return m.isContent(h, in, i)
	}
	m.lacksCloser()
	return m.endValue(h, in, i, h.From())
}

// isContent makes what is looked at content from its first byte on; what follows
// that is read again.
func (m *machine) isContent(h syntax.Host, in string, i int) int {
	m.phase = pairsValue
	from := h.From()
	if h.IsHeld(from) {
		rest := h.Pending(in, i, from)
		if !strings.ContainsAny(rest[1:], m.form.stops) { // no need to read it again
			m.add(rest, 0, len(rest))
			h.Decide()
			return i
		}
		m.add(rest, 0, 1)
		return h.Rewind(in, i, from+1)
	}
	at := int(from - h.At(0))
	m.add(in, at, at+1)
	return h.Rewind(in, i, from+1)
}

// endValue ends the open value and goes back to the stream offset to, where
// what follows it begins.
func (m *machine) endValue(h syntax.Host, in string, i int, to int64) int {
	m.closeMember()
	m.toBetween(h)
	return h.Rewind(in, i, to)
}

func (m *machine) Finish(h syntax.Host) bool {
	switch m.phase {
	case pairsAfter: // the value's own closer is there, the call's is not
		m.Call.Tolerate(m.used)
		m.closeMember()
	case pairsUpper: // the call's closer is there, the value's is not
		m.value.LacksCloser()
		m.closeMember()
		m.End()
		return true
	}
	return false
}

func (m *machine) Steady() (syntax.Smooth, *syntax.Stops) {
	if m.phase != pairsValue || m.line || !m.Writer.Steady() {
		return 0, nil
	}
	return m.value.Steady(m.form.steady)
}
