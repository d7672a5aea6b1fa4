// Package pairs reads arguments that are written as keys and values between literal
// markers: <parameter=K>V</parameter>, <arg_key>K</arg_key><arg_value>V</arg_value>,
// or a tag with the key as an attribute.
package pairs

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// Syntax is the syntax of arguments between markers.
var Syntax = syntax.Syntax{
	New:     func(limits syntax.Limits) syntax.Machine { return &machine{limits: limits} },
	Compile: func(f *syntax.Form) any { return compile(f) },
	First:   first,
	Fault:   fault,
	Write:   write,
	Grammar: grammar,
	About:   About,
}

// About describes how each argument is written. Package nested uses it, too.
func About(a *dialect.Args, code func(string) string) (written, typed string) {
	written = "each argument as " + code(a.KeyMark.Open) + " key " + code(a.KeyMark.Close)
	if a.ValueMark.Open != "" {
		written += " " + code(a.ValueMark.Open)
	}
	return written + " value " + code(a.ValueMark.Close), syntax.TypedBySchema(a, code)
}

// machine reads arguments between literal markers. The text of a value streams.
//
// The text is not escaped and may quote any marker, so a closer alone does not end a value:
//
//	between -> key -> afterKey -> [type] -> value -> end -> after -> between
//	                                          ^       |      |
//	                                          +-------+------+  isContent
//
// In the phase value the machine passes text on. At a byte that may begin an end
// (form.ends) it looks: phase end matches the marker itself, and phase after (or upper, or
// one of the inner phases) requires a structural token next. If that fails, isContent turns
// the first byte into content and the rest is read again, in the phase value. The token after
// a closer is also the next one between values, and not read again.
type machine struct {
	syntax.Writer
	limits  syntax.Limits
	args    *dialect.Args
	form    *compiled
	tag     lex.Tag
	phase   phase
	match   lex.Matcher
	begin   int64 // stream offset of the marker that is matched
	value   syntax.Value
	key     []byte
	kind    []byte              // the written type of the value; also a key inside the value
	keyEnd  int64               // stream offset of what may end a key, during a look
	used    toolcall.Tolerances // what is tolerated if that closer counts
	line    bool                // in a value: only blanks precede this place in its line
	passed  bool                // some text between pairs was skipped
	quoted  bool                // the value has its own closer in its text
	slash   bool                // after a backslash that may begin an escaped newline of the layout
	entity  lex.EntityReader
	cdata   lex.Literal
	wraps   wrapState
	wrapper string // the parameter that wraps all arguments, while wrapsOpen
}

type phase uint8

const (
	between       phase = iota // between pairs
	inKey                      // in a key
	atKeyEnd                   // at a possible end of the key
	inTag                      // in a tag with the key as an attribute
	afterKey                   // after a key
	inType                     // in a type
	atTypeEnd                  // at a possible end of the type
	inValue                    // in a value
	atEnd                      // at a possible end of the value
	afterCloser                // after the value's closer: a structural token must follow
	afterUpper                 // in a value, after a closer of the call or the section
	inNextName                 // in a value, in the name of another call
	afterNextName              // in a value, after that name
	inInnerKey                 // in a value, inside a key
	atInnerEnd                 // in a value, at a possible end of that key
	afterInnerKey              // in a value, after that key, where the opener of another value must follow
	inInnerTag                 // in a value, inside a tag with a key as an attribute
	inBareKey                  // after the value's closer, in what may be a key without its opener
	atBareEnd                  // at a possible end of that key
	inEntity                   // in a value, inside a possible entity
	inCDATA                    // in a value, inside a CDATA section
)

func (m *machine) Begin(h syntax.Host, c syntax.Call, f *syntax.Form) {
	m.Writer.Begin(c)
	m.wraps, m.passed = wrapsNothing, false
	m.args, m.form = &f.Args, f.Compiled.(*compiled)
	m.toBetween(h)
}

// to enters a phase that looks for one of the patterns.
func (m *machine) to(phase phase, patterns *lex.Set) {
	m.phase, m.slash = phase, false
	m.match.Reset(patterns)
}

func (m *machine) toBetween(h syntax.Host) {
	h.Decide()
	m.to(between, m.form.misplaced)
}

func (m *machine) Read(h syntax.Host, in string, i int) int {
	switch m.phase {
	case inKey:
		return m.readKey(h, in, i, &m.key, m.form.keyEnds, atKeyEnd)
	case inType:
		return m.readKey(h, in, i, &m.kind, m.form.typeClose, atTypeEnd)
	case inInnerKey:
		return m.readKey(h, in, i, &m.kind, m.form.keyClose, atInnerEnd)
	case inTag:
		return m.readTag(h, in, i)
	case inBareKey:
		return m.readKey(h, in, i, &m.kind, m.form.keyClose, atBareEnd)
	case inInnerTag:
		return m.readInnerTag(h, in, i)
	case inNextName:
		return m.readNextName(h, in, i)
	case inValue:
		return m.readValue(h, in, i)
	case inEntity:
		return m.readEntity(h, in, i)
	case inCDATA:
		return m.readCDATA(in, i)
	}
	if m.match.IsAtStart() {
		if m.phase == between && !h.Looking() {
			var done bool
			if i, done = m.readPlain(h, in, i); done {
				return i
			}
		}
		var ready bool
		if i, ready = m.skipLayout(h, in, i); !ready {
			return i
		}
		if !h.Looking() {
			h.Look(i)
		}
		m.begin = h.At(i)
		if m.phase == between && m.Key == "" && !m.passed && m.form.bareKey && lex.IsName(in[i]) { // after the name
			m.Call.Tolerate(toolcall.MissingOpener)
			m.phase, m.key, m.kind = inKey, m.key[:0], m.kind[:0]
			return i
		}
		if c := in[i]; c != '<' && m.phase == afterCloser && m.form.bareKey && (lex.IsName(c) || c >= utf8.RuneSelf) {
			m.phase, m.kind = inBareKey, m.kind[:0]
			return i
		}
	}
	which, next := m.match.Match(in, i)
	switch {
	case which == lex.MatchMore:
		return next
	case which == lex.MatchNone:
		if m.phase == atEnd && m.form.open != "" && h.Pending(in, next, m.begin) == m.form.open { // the closer lacks its >
			m.used = toolcall.MissingCloser
			m.to(afterCloser, m.form.between)
			return next
		}
		return m.Expire(h, in, next)
	}
	switch m.phase {
	case between:
		return m.betweenEnds(h, in, next, which)
	case atKeyEnd:
		switch {
		case which == 0:
			return m.keyEnds(h, next)
		case which == 1 && m.form.valueOpen != nil && len(lex.TrimBlanks(string(m.key))) > 0: // the key's closer is missing
			m.Call.Tolerate(toolcall.MissingCloser)
			m.beginReadValue(h)
			return next
		}
		if bytes.IndexByte(m.key, '<') < 0 { // nothing but a key
			m.phase = between
		}
		return m.keyBreaks(h, in, next)
	case afterKey:
		return m.afterKey(h, in, next, which)
	case atTypeEnd:
		h.Decide()
		m.to(afterKey, m.form.afterType)
	case atEnd:
		return m.valueMayEnd(h, in, next, which)
	case afterCloser:
		m.Call.Tolerate(m.used)
		m.closeMember(m.value.End())
		m.phase = between
		h.LookFrom(m.begin)
		return m.betweenEnds(h, in, next, which) // form.stray begins with form.between
	case afterUpper, afterInnerKey, afterNextName:
		m.lacksCloser()
		return m.endValue(h, in, next, h.From())
	case atInnerEnd:
		return m.innerEnds(h, in, next)
	case atBareEnd:
		return m.bareKeyEnds(h, next)
	}
	return next
}

// skipLayout skips the blanks between markers, where newlines may be escaped. ready is
// false if there is nothing to match yet.
func (m *machine) skipLayout(h syntax.Host, in string, i int) (next int, ready bool) {
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
			if i++; m.phase != afterCloser {
				h.Decide()
			}
		}
		if i = lex.SkipBlanks(in, i); i == len(in) {
			return i, false
		}
		if in[i] != '\\' || !m.args.Escaped || m.phase != between && m.phase != afterKey && m.phase != afterCloser {
			return i, true
		}
		if !h.Looking() {
			h.Look(i)
		}
		m.slash = true
		i++
	}
}

// Expire decides that the pending bytes are not markup.
func (m *machine) Expire(h syntax.Host, in string, i int) int {
	switch m.phase {
	case afterKey:
		return m.noOpener(h, in, i)
	case atKeyEnd:
		text := h.Pending(in, i, m.keyEnd)
		if len(m.key)+len(text) <= lex.MaxName && !strings.ContainsAny(text, "\r\n") { // they belong to the key
			m.key = append(m.key, text...)
			m.phase = inKey
			return i
		}
	case atEnd, afterCloser, inBareKey, atBareEnd, afterUpper, afterNextName, inInnerKey, atInnerEnd, afterInnerKey, inInnerTag, inEntity:
		return m.isContent(h, in, i)
	}
	return m.keyBreaks(h, in, i)
}

// keyBreaks skips the pending bytes, or a key that never ends. In the latter case an
// argument is lost, so the call will end as malformed.
func (m *machine) keyBreaks(h syntax.Host, in string, i int) int {
	if m.passed = true; m.phase != between {
		m.Call.Break(toolcall.Malformed, toolcall.ReasonUnreadArgument)
	}
	m.Call.Tolerate(toolcall.TextBetween)
	m.toBetween(h)
	return h.Rewind(in, i, h.From()+1)
}

// betweenEnds handles a pattern of form.stray between two pairs.
func (m *machine) betweenEnds(h syntax.Host, in string, i, which int) int {
	switch {
	case which >= len(m.form.between.Patterns): // a value without a key
		m.Call.Break(toolcall.Malformed, toolcall.ReasonUnreadArgument)
		m.toBetween(h)
		return i
	case which > m.form.voids:
		return m.finishArgs(h, in, i, which)
	case which > 0:
		m.Call.Tolerate(toolcall.MissingKey)
		m.toBetween(h)
		return i
	}
	if looked := m.limits.Lookable(in, int(h.From()-h.At(0))); i < len(looked) {
		if key, kind, from := m.form.plainKey(looked, i); from > 0 {
			m.beginValue(h, key, m.openMember(key, kind, m.args))
			return from
		}
	}
	a := m.args
	m.key, m.kind = m.key[:0], m.kind[:0]
	if a.Key == "" {
		m.phase = inKey
		return i
	}
	m.phase = inTag
	m.tag.Reset()
	m.tag.EndWith(m.form.tagEnd)
	return i
}

// finishArgs ends the arguments before the pending bytes, a pattern of form.between. A call
// without arguments needs its closer: its opener may have been written twice, or its
// arguments may be missing.
func (m *machine) finishArgs(h syntax.Host, in string, i, which int) int {
	if m.Key == "" && (m.passed || which >= m.form.next) {
		m.Call.Break(toolcall.Malformed, toolcall.ReasonUnreadArgument)
	}
	return m.EndBefore(h, in, i)
}

// readKey reads a key or a type up to a possible end.
func (m *machine) readKey(h syntax.Host, in string, i int, key *[]byte, ends *lex.Set, then phase) int {
	stop := byte('\n')
	if ends != nil {
		stop = ends.Patterns[0][0]
	}
	for ; i < len(in); i++ {
		switch c := in[i]; {
		case c == stop && ends == nil && then == atKeyEnd: // the line break ends the key
			return m.keyEnds(h, i)
		case c == stop && ends == nil:
			return m.innerEnds(h, in, i)
		case c == stop:
			m.keyEnd = h.At(i)
			m.to(then, ends)
			return i
		case c == '\n' && then == atKeyEnd && lex.SkipBlanks(string(*key), 0) == len(*key) && ends != nil: // layout before the key
			*key = (*key)[:0]
			continue
		case c == '\n' && then == atKeyEnd && len(*key) > 0: // the closer may be on the next line
			m.keyEnd = h.At(i)
			m.to(then, ends)
			return i
		case c == '\n', c == '<', len(*key) > lex.MaxName:
			return m.Expire(h, in, i)
		}
		*key = append(*key, in[i])
	}
	return i
}

// readTag reads a tag with the key as an attribute.
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
		m.beginReadValue(h)
		return m.endValue(h, in, i, h.At(i))
	}
	return m.keyEnds(h, i)
}

// bareKeyEnds ends the open value before the closer of a key whose opener is missing.
func (m *machine) bareKeyEnds(h syntax.Host, i int) int {
	m.Call.Tolerate(m.used | toolcall.MissingOpener)
	m.closeMember(m.value.End())
	m.key, m.kind = append(m.key[:0], m.kind...), m.kind[:0]
	return m.keyEnds(h, i)
}

// keyEnds runs after a key.
func (m *machine) keyEnds(h syntax.Host, i int) int {
	if m.form.valueOpen == nil {
		m.beginReadValue(h)
		return i
	}
	h.Decide()
	m.keyEnd = h.At(i)
	m.to(afterKey, m.form.afterKey)
	return i
}

// afterKey handles a pattern of form.afterKey.
func (m *machine) afterKey(h syntax.Host, in string, i, which int) int {
	if m.match.Patterns() < len(m.form.afterKey.Patterns) {
		which += m.form.opens
	}
	switch {
	case which < m.form.opens:
		m.phase = inType
		return i
	case which == m.form.opens:
		m.beginReadValue(h)
		return i
	case m.form.keyClose != nil && which == len(m.form.afterKey.Patterns)-1: // the key's closer, twice
		m.Call.Tolerate(toolcall.TextBetween)
		h.Decide()
		m.keyEnd = h.At(i)
		m.to(afterKey, m.form.afterKey)
		return i
	}
	// Another key or the end follows: this key has no value.
	m.Call.Tolerate(toolcall.MissingKey)
	to := h.From()
	if m.keyEnd > to {
		to = m.keyEnd
	}
	m.toBetween(h)
	return h.Rewind(in, i, to)
}

// noOpener begins a value whose opener is missing.
func (m *machine) noOpener(h syntax.Host, in string, i int) int {
	m.Call.Tolerate(toolcall.MissingOpener)
	to := h.From()
	m.beginReadValue(h)
	return h.Rewind(in, i, to)
}

func (m *machine) Finish(h syntax.Host) bool {
	switch m.phase {
	case afterCloser: // the value's own closer is present, the call's is not
		m.Call.Tolerate(m.used)
		m.closeMember(m.value.End())
		if m.form.stop && (m.match.IsAtStart() || m.match.Matched(0) < 0) { // else another key may begin
			m.End()
			return true
		}
	case afterUpper: // the call's closer is present, the value's is not
		m.lacksCloser()
		m.closeMember(m.value.End())
		m.End()
		return true
	}
	return false
}

func (m *machine) PassThrough() (syntax.PassAs, *syntax.Stops) {
	if m.phase != inValue || m.line || !m.Direct() {
		return 0, nil
	}
	return m.value.PassThrough(m.form.stopTable)
}
