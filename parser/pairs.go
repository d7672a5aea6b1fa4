package parser

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/toolcall"
)

// pairs reads arguments that are written as keys and values between literal
// markers: <parameter=K>V</parameter>, <arg_key>K</arg_key><arg_value>V</arg_value>,
// or a tag with the key as an attribute. A value's text streams; its closer
// counts only where what may follow it does.
type pairs struct {
	argWriter
	form  *pairsForm
	phase pairsPhase
	match matcher
	value value
	key   []byte
	kind  []byte              // the type that the value's markers give, or a key or an entity in it
	own   int64               // stream offset after the value's closer, while looking past it; of what may end a key
	used  toolcall.Tolerances // what was tolerated if that closes
	line  bool                // in a value: only blanks stand before this place in its line
	slash bool                // after a backslash that may be an escaped newline of the layout
	cdata literal
	wraps wrapState
}

type pairsPhase uint8

const (
	pairsBetween   pairsPhase = iota // between pairs
	pairsKey                         // in a key
	pairsKeyEnd                      // at what may end it
	pairsTag                         // in a tag that has the key as an attribute
	pairsAfterKey                    // after a key, at what may follow
	pairsType                        // in a type
	pairsTypeEnd                     // at what may end it
	pairsValue                       // in a value
	pairsEnd                         // at what may end it
	pairsAfter                       // after its closer, at what must follow
	pairsUpper                       // after a closer of the call that stands in it
	pairsInner                       // in a key that stands in it
	pairsInnerEnd                    // at what may end that
	pairsInnerOpen                   // after it, at the opener of another value
	pairsInnerTag                    // in a tag that stands in it and has a key as an attribute
	pairsEntity                      // in what may be an entity
	pairsCDATA                       // in a CDATA section
)

// pairsForm is what pairs needs of a form, compiled.
type pairsForm struct {
	keyOpen, keyClose     []pattern
	keyEnds               []pattern // keyClose, then what no key holds
	typeClose             []pattern
	valueOpen, valueClose []pattern
	between               []pattern // keyOpen, void, and what may follow the arguments
	voids                 int       // how many of between are void
	afterKey              []pattern // typeOpen, valueOpen, then between
	opens                 int       // how many of afterKey are typeOpen
	ends                  []pattern // what may end a value
	kinds                 []valueEnd
	upper                 []pattern // the section's closer
	stops                 string    // the first bytes of ends
	steady                *byteSet  // the same
	skip                  string    // the blanks that the marker before a value ends with
}

// valueEnd is what a pattern that may end a value is.
type valueEnd uint8

const (
	endCloser  valueEnd = iota // the value's closer
	endKey                     // the opener of another key
	endUpper                   // the call's closer
	endSection                 // the section's
	endOther                   // another spelling of the closer
	endCDATA                   // no end: the opener of a CDATA section
)

func (f *form) compilePairs() *pairsForm {
	a := &f.Args
	c := &pairsForm{
		keyOpen: newPatterns(a.KeyMark.Open), keyClose: newPatterns(a.KeyMark.Close),
		typeClose: newPatterns(a.TypeMark.Close),
		valueOpen: newPatterns(a.ValueMark.Open), valueClose: newPatterns(a.ValueMark.Close),
	}
	voids := a.void()
	c.voids = len(voids)
	c.between = slices.Concat(c.keyOpen, voids, f.after)
	types := newPatterns(a.TypeMark.Open)
	c.opens = len(types)
	c.afterKey = append(append(append(c.afterKey, types...), c.valueOpen...), c.between...)
	if len(c.keyClose) > 0 {
		c.keyEnds = slices.Concat(c.keyClose, c.valueOpen, c.between)
	}
	c.mayEnd(endCloser, c.valueClose...)
	c.mayEnd(endKey, c.keyOpen...)
	for k, p := range f.after {
		switch f.kinds[k] { // the opener of another call ends no value: it may be quoted
		case afterCloser:
			c.mayEnd(endUpper, p)
		case afterSection:
			c.mayEnd(endSection, p)
		}
	}
	c.mayEnd(endOther, newPatterns(a.Closers...)...)
	if a.Entities {
		c.mayEnd(endCDATA, cdataOpen)
		c.stops = "&"
	}
	if f.leave != "" && !f.bare {
		c.upper = []pattern{f.leave}
	}
	for _, p := range c.ends {
		if strings.IndexByte(c.stops, p[0]) < 0 {
			c.stops += string(p[0])
		}
	}
	c.steady = newStops(c.stops, true)
	if before := a.ValueMark.Open; a.Layout == "" {
		if before == "" {
			before = a.KeyMark.Close
		}
		c.skip = before[len(strings.TrimRight(before, " \t\r\n")):]
	}
	return c
}

// mayEnd adds patterns to those that may end a value.
func (c *pairsForm) mayEnd(kind valueEnd, list ...pattern) {
	for _, p := range list {
		c.ends, c.kinds = append(c.ends, p), append(c.kinds, kind)
	}
}

func (m *pairs) begin(p *Parser) {
	m.argWriter.begin(p.call)
	m.wraps = wrapsNothing
	f := p.frame.form
	m.form = f.pairs
	m.toBetween(p)
}

// to begins a phase in which one of the patterns is looked for.
func (m *pairs) to(phase pairsPhase, patterns []pattern) {
	m.phase, m.slash = phase, false
	m.match.reset(patterns)
}

func (m *pairs) toBetween(p *Parser) {
	p.deadline = 0
	m.to(pairsBetween, m.form.between)
}

func (m *pairs) read(p *Parser, in string, i int) int {
	switch m.phase {
	case pairsKey:
		return m.readKey(p, in, i, &m.key, m.form.keyEnds, pairsKeyEnd)
	case pairsType:
		return m.readKey(p, in, i, &m.kind, m.form.typeClose, pairsTypeEnd)
	case pairsInner:
		return m.readKey(p, in, i, &m.kind, m.form.keyClose, pairsInnerEnd)
	case pairsTag:
		return m.readTag(p, in, i)
	case pairsInnerTag:
		return m.readInnerTag(p, in, i)
	case pairsValue:
		return m.readValue(p, in, i)
	case pairsEntity:
		return m.readEntity(p, in, i)
	case pairsCDATA:
		return m.readCDATA(in, i)
	}
	if m.match.untouched() {
		var on bool
		if i, on = m.skipLayout(p, in, i); !on {
			return i
		}
		if !p.looking() {
			p.lookCloser(i)
		}
	}
	which, next := m.match.match(in, i)
	switch {
	case which == matchMore:
		return next
	case which == matchNone:
		return m.expire(p, in, next)
	}
	switch m.phase {
	case pairsBetween:
		return m.betweenEnds(p, in, next, which)
	case pairsKeyEnd:
		if which > 0 {
			return m.keyBreaks(p, in, next)
		}
		return m.keyEnds(p, in, next)
	case pairsAfterKey:
		return m.afterKey(p, in, next, which)
	case pairsTypeEnd:
		p.deadline = 0
		m.to(pairsAfterKey, m.form.afterKey[m.form.opens:])
	case pairsEnd:
		return m.valueMayEnd(p, in, next, which)
	case pairsAfter:
		p.call.tolerances |= m.used
		return m.endValue(p, in, next, m.own)
	case pairsUpper, pairsInnerOpen:
		p.call.tolerances |= toolcall.MissingCloser
		return m.endValue(p, in, next, p.cand)
	case pairsInnerEnd:
		return m.innerEnds(p, in, next)
	}
	return next
}

// skipLayout is skipBlanks for the layout between markers, where newlines may be
// escaped. on is false where there is nothing to look at yet.
func (m *pairs) skipLayout(p *Parser, in string, i int) (next int, on bool) {
	for {
		if m.slash {
			if i == len(in) {
				return i, false
			}
			m.slash = false
			if in[i] != 'n' {
				return m.expire(p, in, i), false
			}
			p.call.tolerances |= toolcall.TextBetween
			if i++; m.phase != pairsAfter {
				p.deadline = 0
			}
		}
		if i = skipBlanks(in, i); i == len(in) {
			return i, false
		}
		if in[i] != '\\' || !p.frame.form.Args.Escaped || m.phase != pairsBetween && m.phase != pairsAfterKey && m.phase != pairsAfter {
			return i, true
		}
		if !p.looking() {
			p.lookCloser(i)
		}
		m.slash = true
		i++
	}
}

// expire decides that what is looked at is no markup.
func (m *pairs) expire(p *Parser, in string, i int) int {
	switch m.phase {
	case pairsAfterKey:
		return m.noOpener(p, in, i)
	case pairsKeyEnd:
		text := p.pendingFrom(in, i, m.own)
		if len(m.key)+len(text) <= maxName && !strings.ContainsAny(text, "\r\n") { // it was but a part of the key
			m.key = append(m.key, text...)
			m.phase = pairsKey
			return i
		}
	case pairsEnd, pairsAfter, pairsUpper, pairsInner, pairsInnerEnd, pairsInnerOpen, pairsInnerTag, pairsEntity:
		return m.isContent(p, in, i)
	}
	return m.keyBreaks(p, in, i)
}

// keyBreaks passes over what was looked at, or over a key that never ends.
func (m *pairs) keyBreaks(p *Parser, in string, i int) int {
	p.call.tolerances |= toolcall.TextBetween
	m.toBetween(p)
	return p.rewind(in, i, p.cand+1)
}

// betweenEnds is after a key's opener, or at the end of the arguments.
func (m *pairs) betweenEnds(p *Parser, in string, i, which int) int {
	switch {
	case which > m.form.voids:
		return m.finishArgs(p, in, i)
	case which > 0:
		p.call.tolerances |= toolcall.MissingKey
		m.toBetween(p)
		return i
	}
	a := &p.frame.form.Args
	m.key, m.kind = m.key[:0], m.kind[:0]
	if a.Key == "" {
		m.phase = pairsKey
		return i
	}
	m.phase = pairsTag
	p.tag.reset(p.frame.form.Dialect, nil)
	p.tag.endWith(a.KeyMark.Close)
	return i
}

// finishArgs ends the arguments before what is looked at.
func (m *pairs) finishArgs(p *Parser, in string, i int) int {
	m.end()
	to := p.cand
	p.argumentsEnd(to)
	return p.rewind(in, i, to)
}

// readKey reads a key, or a type, up to what may end it.
func (m *pairs) readKey(p *Parser, in string, i int, key *[]byte, ends []pattern, then pairsPhase) int {
	stop := byte('\n')
	if len(ends) > 0 {
		stop = ends[0][0]
	}
	for ; i < len(in); i++ {
		switch c := in[i]; {
		case c == stop && len(ends) == 0 && then == pairsKeyEnd: // the end of the line ends a key
			return m.keyEnds(p, in, i)
		case c == stop && len(ends) == 0:
			return m.innerEnds(p, in, i)
		case c == stop:
			m.own = p.at(i)
			m.to(then, ends)
			return i
		case c == '\n', c == '<', len(*key) > maxName:
			return m.expire(p, in, i)
		}
		*key = append(*key, in[i])
	}
	return i
}

// readTag reads a tag that has the key as an attribute.
func (m *pairs) readTag(p *Parser, in string, i int) int {
	verdict, i := p.tag.read(in, i)
	switch verdict {
	case tagMore:
		return i
	case tagBroken:
		return m.expire(p, in, i)
	}
	key, ok := p.tag.attr(p.frame.form.Args.Key)
	if !ok || key == "" {
		return m.expire(p, in, i)
	}
	if p.tag.unquoted {
		p.call.tolerances |= toolcall.UnquotedAttribute
	}
	m.key = append(m.key, key...)
	if kind, ok := p.tag.attr(p.frame.form.Args.Type); ok {
		m.kind = append(m.kind, kind...)
	}
	if p.tag.selfClose {
		m.beginValue(p)
		return m.endValue(p, in, i, p.at(i))
	}
	return m.keyEnds(p, in, i)
}

// keyEnds is after a key.
func (m *pairs) keyEnds(p *Parser, in string, i int) int {
	if len(m.form.valueOpen) == 0 {
		m.beginValue(p)
		return i
	}
	m.own, p.deadline = p.at(i), 0
	m.to(pairsAfterKey, m.form.afterKey)
	return i
}

// afterKey is after what may follow a key.
func (m *pairs) afterKey(p *Parser, in string, i, which int) int {
	if len(m.match.patterns) < len(m.form.afterKey) {
		which += m.form.opens
	}
	switch {
	case which < m.form.opens:
		m.phase = pairsType
		return i
	case which == m.form.opens:
		m.beginValue(p)
		return i
	}
	// Another key, or the end: this one has no value.
	p.call.tolerances |= toolcall.MissingKey
	to := p.cand
	if m.own > to {
		to = m.own
	}
	m.toBetween(p)
	return p.rewind(in, i, to)
}

// noOpener is where a value lacks its opener: it begins with what stands there.
func (m *pairs) noOpener(p *Parser, in string, i int) int {
	p.call.tolerances |= toolcall.MissingOpener
	to := p.cand
	m.beginValue(p)
	return p.rewind(in, i, to)
}

// beginValue begins the value of the key that has been read.
func (m *pairs) beginValue(p *Parser) {
	a := &p.frame.form.Args
	s := m.openMember(trimBlanks(string(m.key)), a)
	m.valueOf(&m.value, s, a.layoutOf(trimBlanks(string(m.key))), p.opts.Limits.BlankBytes)
	if a.Quoted {
		m.value.quote = quoteMaybe
	}
	m.value.skip = m.form.skip
	m.phase, m.line, p.deadline = pairsValue, true, 0
}

// readValue reads a value's text up to what may end it.
func (m *pairs) readValue(p *Parser, in string, i int) int {
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
		p.look(n, maxEntity+1)
		m.phase, m.kind = pairsEntity, m.kind[:0]
	default:
		p.lookCloser(n)
		m.to(pairsEnd, m.form.ends)
	}
	return n
}

// add takes in[a:b] as the next run of the value's text.
func (m *pairs) add(in string, a, b int) {
	m.value.add(in, a, b)
	n := b
	for n > a && (in[n-1] == ' ' || in[n-1] == '\t') {
		n--
	}
	if n > a {
		m.line = in[n-1] == '\n' || in[n-1] == '\r'
	}
}

// readEntity reads what may be an entity.
func (m *pairs) readEntity(p *Parser, in string, i int) int {
	for ; i < len(in); i++ {
		c := in[i]
		switch {
		case len(m.kind) == 0, isEntityByte(c) && len(m.kind) < maxEntity:
			m.kind = append(m.kind, c)
			continue
		case c == ';':
			if text, ok := entity(string(m.kind) + ";"); ok {
				m.value.addText(text)
				m.phase, m.line, p.deadline = pairsValue, false, 0
				return i + 1
			}
		}
		return m.isContent(p, in, i)
	}
	return i
}

// readCDATA reads a CDATA section, in which nothing closes but its end.
func (m *pairs) readCDATA(in string, i int) int {
	v := &m.value
	if m.cdata.n == 0 {
		n := strings.IndexByte(in[i:], ']')
		if n < 0 {
			n = len(in) - i
		}
		v.addText(in[i : i+n])
		if i += n; i == len(in) {
			return i
		}
	}
	next, done, ok := m.cdata.match(in, i)
	switch {
	case done:
		m.phase, m.line = pairsValue, false
	case ok:
	case m.cdata.n == 2 && in[next] == ']': // one more bracket: the first is content
		v.addText("]")
		return next + 1
	default:
		v.addText(cdataClose[:m.cdata.n])
		m.cdata.n = 0
	}
	return next
}

// valueMayEnd is after what may end a value.
func (m *pairs) valueMayEnd(p *Parser, in string, i, which int) int {
	switch m.form.kinds[which] {
	case endCloser:
		m.own, m.used = p.at(i), 0
		m.to(pairsAfter, m.form.between)
	case endOther:
		m.own, m.used = p.at(i), toolcall.MissingCloser
		m.to(pairsAfter, m.form.between)
	case endCDATA:
		m.phase, m.cdata = pairsCDATA, literal{text: cdataClose}
		m.value.addText("")
		p.deadline = 0
	case endKey:
		return m.innerKey(p, in, i)
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
func (m *pairs) innerKey(p *Parser, in string, i int) int {
	if len(m.form.valueOpen) == 0 && !m.line {
		return m.isContent(p, in, i)
	}
	m.kind = m.kind[:0]
	if a := &p.frame.form.Args; a.Key != "" {
		m.phase = pairsInnerTag
		p.tag.reset(p.frame.form.Dialect, nil)
		p.tag.endWith(a.KeyMark.Close)
		return i
	}
	m.phase = pairsInner
	return i
}

// readInnerTag reads a tag with a key as an attribute that stands in a value.
func (m *pairs) readInnerTag(p *Parser, in string, i int) int {
	verdict, i := p.tag.read(in, i)
	switch verdict {
	case tagMore:
		return i
	case tagBroken:
		return m.isContent(p, in, i)
	}
	key, ok := p.tag.attr(p.frame.form.Args.Key)
	if !ok {
		return m.isContent(p, in, i)
	}
	m.kind = append(m.kind, key...)
	return m.innerEnds(p, in, i)
}

// innerEnds is after a key that stands in a value. It begins another pair where
// the opener of a value follows.
func (m *pairs) innerEnds(p *Parser, in string, i int) int {
	if len(m.form.valueOpen) > 0 {
		m.to(pairsInnerOpen, m.form.valueOpen)
		return i
	}
	key := trimBlanks(string(m.kind))
	if !p.call.schema.Declares(key) || m.names.has(key) {
		return m.isContent(p, in, i)
	}
	p.call.tolerances |= toolcall.MissingCloser
	return m.endValue(p, in, i, p.cand)
}

// isContent makes what is looked at content from its first byte on; what follows
// that is read again.
func (m *pairs) isContent(p *Parser, in string, i int) int {
	m.phase = pairsValue
	from := p.cand
	if p.isHeld(from) {
		rest := string(p.held[from-p.base():]) + in[p.mark:i]
		if !strings.ContainsAny(rest[1:], m.form.stops) { // no need to read it again
			m.add(rest, 0, len(rest))
			p.deadline = 0
			return i
		}
		m.add(rest, 0, 1)
		return p.rewind(in, i, from+1)
	}
	at := int(from - p.off)
	m.add(in, at, at+1)
	return p.rewind(in, i, from+1)
}

// endValue ends the open value and goes back to the stream offset to, where
// what follows it begins.
func (m *pairs) endValue(p *Parser, in string, i int, to int64) int {
	m.closeMember(p)
	m.toBetween(p)
	return p.rewind(in, i, to)
}

func (m *pairs) finish(p *Parser) bool {
	switch m.phase {
	case pairsAfter: // the value's own closer is there, the call's is not
		p.call.tolerances |= m.used
		m.closeMember(p)
	case pairsUpper: // the call's closer is there, the value's is not
		m.closeMember(p)
		m.end()
		return true
	}
	return false
}

func (m *pairs) steady(*Parser) (smoothKind, *byteSet) {
	if m.phase != pairsValue || m.line || !m.argWriter.steady() {
		return 0, nil
	}
	return m.value.steady(m.form.steady)
}
