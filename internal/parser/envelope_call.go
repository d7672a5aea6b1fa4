package parser

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/toolcall"
)

// spec collects what is known about the current call.
type spec struct {
	name      string
	id        string
	described bool                // it has members of a tool definition: a description, or a schema under another name
	args      argsSpec            // state of its arguments
	from, to  int64               // stream offsets of held arguments
	begin     int64               // stream offset of the object that contains the name
	depth     int                 // number of containers open inside the call's own object
	nameAt    int                 // index of the key that held the name
	next      string              // if the name is a key: the next key of the object
	other     bool                // the arguments are under a key of other dialects
	more      bool                // it has a member that may be an argument, or a second set of arguments
	object    bool                // such a member is an array or an object
	dropped   toolcall.Tolerances // the tolerance for such a member, if it does not matter
	firstKey  string              // first key of arguments that preceded the name
	elsewhere bool                // it has a member that is the name in another dialect being read
	called    bool
}

type argsSpec uint8

const (
	argsAbsent argsSpec = iota
	argsHeld            // pending, until the name arrives
	argsSchema          // pending, and they look like the schema of a definition
)

// peekMode says why arguments are read ahead.
type peekMode uint8

const (
	peekNot    peekMode = iota
	peekHold            // to hold them
	peekFirst           // to see their first member
	peekString          // to see what a string begins with
	peekSchema          // to hold what may be a schema
)

// schemaKeys are the keys that the schema in a tool definition may begin with.
var schemaKeys = []string{"type", "properties", "$schema", "required", "additionalProperties", "$defs", "description", "title"}

// envelopeArgs handles the first byte of the arguments.
func (p *Parser) envelopeArgs(in string, i int) int {
	e := &p.envelope
	s := &e.spec
	e.args = false
	if e.key&keyNext != 0 {
		if in[i] != '{' {
			return i
		}
		p.nextMemberCall(in)
	}
	if e.key&keyOther != 0 {
		if in[i] != '{' || s.name == "" {
			return i // decided at the end of the object
		}
		s.other = true
	}
	s.from = p.at(i)
	e.peek.Reset()
	e.peek.Closer = p.argsCloser(e.framed)
	e.peek.Loose, e.peek.Keys = e.peek.Closer != "", nil
	if e.peek.Loose {
		e.peek.Keys = p.frame.form.keys
	}
	p.deadline = p.heldLimit()
	c := in[i]
	switch {
	case c != '{' && c != '"' && c != '\'' && c != 'n' && c != 'N':
		if p.isMarkedCall() {
			return p.callAt(in, i) // malformed, but the next call of the list may be sound
		}
		return p.envelopeIsData(in, i)
	case s.name == "":
		if p.fails(holdArguments, s.from) || s.elsewhere {
			return p.envelopeIsData(in, i)
		}
		e.peekMode = peekHold
	case c == '{':
		e.peekMode = peekFirst
	default:
		e.peekMode = peekString
	}
	return i
}

// isMarkedCall reports whether the candidate is a call regardless of its arguments: it has
// a name and follows a marker.
func (p *Parser) isMarkedCall() bool {
	e := &p.envelope
	return e.spec.name != "" && e.framed && e.dialect.Head.Form == dialect.HeadEnvelope && (e.listDepth() > 0 || !p.frame.form.bare)
}

// envelopePeek reads arguments ahead.
func (p *Parser) envelopePeek(in string, i int) int {
	e := &p.envelope
	s := &e.spec
	for {
		if e.peekMode == peekFirst && e.peek.Depth() == 1 && e.peek.Between() && e.key&keySchema == 0 {
			if i = lex.SkipBlanks(in, i); i == len(in) {
				return i
			}
			if in[i] == '"' || in[i] == '\'' || in[i] == '}' {
				return p.callAt(in, i)
			}
		}
		if p.isEndless(&e.peek, in, i) {
			return p.envelopeFails(in, i)
		}
		kind, j := e.peek.Next(in, i)
		i = j
		switch kind {
		case jsonstream.More:
			if !e.peek.Done() {
				return i
			}
			return p.peeked(in, i)
		case jsonstream.Invalid:
			return p.envelopeFails(in, i)
		}
		switch e.peekMode {
		case peekHold:
			if kind == jsonstream.Key && e.peek.Depth() == 1 && s.firstKey == "" {
				s.firstKey = p.recent().String(e.peek.Text())
			}
		case peekFirst:
			switch kind {
			case jsonstream.Key:
				if e.peek.Tolerances&toolcall.UnquotedKey != 0 {
					continue // may be prose
				}
				key := p.recent().String(e.peek.Text())
				if !p.mayDefine(key) {
					return p.callAt(in, i)
				}
				s.firstKey = key
				if p.fails(holdArguments, s.from) {
					return p.envelopeIsData(in, i)
				}
				e.peekMode = peekSchema
			case jsonstream.ObjectEnd:
				if s.described && e.key&keySchema != 0 {
					return p.envelopeIsData(in, i)
				}
				return p.callAt(in, i)
			case jsonstream.Colon:
				return p.callAt(in, i)
			}
		case peekString:
			switch kind {
			case jsonstream.StringPart:
				k := lex.SkipBlanks(e.peek.Part, 0)
				if k == len(e.peek.Part) {
					continue
				}
				if e.peek.Part[k] != '{' && !p.isMarkedCall() {
					return p.envelopeIsData(in, i)
				}
				return p.callAt(in, i)
			case jsonstream.StringEnd: // empty
				return p.callAt(in, i)
			case jsonstream.Scalar:
				if string(e.peek.Text()) != "null" {
					return p.envelopeIsData(in, i)
				}
				return p.callAt(in, i)
			}
		}
		if e.peek.Done() {
			return p.peeked(in, i)
		}
	}
}

// giveUpEnvelope decides a candidate at the end of the stream. It is an incomplete call if
// its name is certain. After a marker, in a list that identifies calls, and after another
// call of the same list the name alone suffices; in a bare object the arguments must have
// begun.
func (p *Parser) giveUpEnvelope() {
	e := &p.envelope
	s := &e.spec
	marked := e.framed && (!p.frame.form.bare || e.args)
	switch {
	case s.name == "" || s.called || s.args != argsAbsent || e.scanner.HidesCloser() || e.peek.HidesCloser():
	case e.peekMode == peekFirst, e.peekMode == peekString, e.peekMode == peekSchema && !p.definesTool("", 0):
		p.callAt("", 0)
		return
	case e.peekMode == peekNot && !s.described && (marked || e.byList || slices.Contains(e.frames, frameBare)):
		p.envelopeCall("").body = p.at(0)
		p.beginJSON()
		return
	}
	p.envelopeFails("", 0)
}

// mayDefine reports whether an object under the current key, with this first key, may be
// the schema of a tool definition rather than arguments.
func (p *Parser) mayDefine(first string) bool {
	e := &p.envelope
	return e.key&keySchema != 0 && (e.spec.described || slices.Contains(schemaKeys, first)) && !p.tools[e.spec.name].Declares(first)
}

// peeked runs after arguments that were read ahead. They stay pending.
func (p *Parser) peeked(in string, i int) int {
	e := &p.envelope
	e.spec.to = p.at(i)
	e.spec.args = argsHeld
	if e.key&keySchema != 0 && (e.spec.described || slices.Contains(schemaKeys, e.spec.firstKey)) && p.definesTool(in, i) {
		e.spec.args = argsSchema
	}
	e.peekMode = peekNot
	e.scanner.Skip()
	return i
}

// definesTool reports whether the pending arguments, up to in[i], are the schema of a tool
// definition: an object with properties. Beside a description, an object whose members are
// all objects is one, too.
func (p *Parser) definesTool(in string, i int) bool {
	s := &p.envelope.spec
	members := decodeMembers(p.pendingFrom(in, i, s.from))
	all := s.described
	for _, m := range members {
		all = all && strings.HasPrefix(m.value, "{")
	}
	if all {
		return true
	}
	is := false
	for _, m := range members {
		switch m.name {
		case "type":
			if m.value != "" && !strings.Contains(strings.ToLower(m.value), `"object"`) {
				return false
			}
			is = is || m.value != ""
		case "properties":
			inner := decodeMembers(m.value)
			for _, p := range inner {
				if p.value != "" && p.value[0] != '{' && p.value != "true" && p.value != "false" {
					return false
				}
			}
			is = is || strings.HasPrefix(m.value, "{")
		case "$schema":
			is = true
		}
	}
	return is
}

// envelopeCall makes the call that spec describes.
func (p *Parser) envelopeCall(in string) *call {
	e := &p.envelope
	c := p.newEnvelopeCall()
	c.callID = e.spec.id
	e.spec.called = true
	p.beginEnvelopeCall(c, in)
	return c
}

// newEnvelopeCall returns the call that spec names, or a text if that name is not a tool but
// ends the model's work.
func (p *Parser) newEnvelopeCall() *call {
	e := &p.envelope
	c := p.newCall(e.spec.name)
	if e.spec.name == e.dialect.Head.Answer && !p.declares(e.spec.name) {
		c.name, c.segment, c.unknown, e.spec.id = "", toolcall.SegmentText, false, ""
	}
	return c
}

// beginEnvelopeCall is beginCall for a call in an envelope.
func (p *Parser) beginEnvelopeCall(c *call, in string) {
	e := &p.envelope
	if e.spec.other {
		c.tolerances |= toolcall.ArgumentsKey
	}
	if e.framed {
		if p.beginFramed(c, in); e.unopened {
			c.tolerances |= toolcall.MissingOpener
		}
		p.frame.entered, e.separators = false, ""
		return
	}
	p.beginCall(c, in, e.dialect, e.dialect.compiled()[0])
	e.separators = e.dialect.Frame.Separators
}

// callAt begins the call and rewinds to the beginning of its arguments.
func (p *Parser) callAt(in string, i int) int {
	e := &p.envelope
	from := e.spec.from
	c := p.envelopeCall(in)
	c.body = from
	e.peekMode = peekNot
	p.beginJSON()
	if p.calls > p.opts.Limits.Calls {
		e.dialect = nil
		p.endBare(in, from, toolcall.Rejected, toolcall.ReasonTooManyCalls)
	} else if c.ready() {
		p.startText(in)
	}
	return p.rewind(in, i, from)
}

// callHeld makes the call whose arguments are pending. It returns false if they are not
// valid arguments; then there is no call.
func (p *Parser) callHeld(in string, i int) bool {
	s := &p.envelope.spec
	base := p.base()
	pending := string(p.held) + in[p.mark:i]
	return p.callWith(in, i, pending[s.from-base:s.to-base])
}

// callWith makes the call with complete arguments, or returns false.
func (p *Parser) callWith(in string, i int, arguments string) bool {
	e := &p.envelope
	c := p.newEnvelopeCall()
	a := p.newJSONArgs(c)
	a.looseUpTo(p.argsCloser(e.framed))
	if progress, _ := a.readMore(arguments+" ", 0); progress != jsonstream.Finished && !a.Value.Done() { // the blank ends null
		if !a.Outer.Done() {
			return false
		}
		c.status, c.reason = a.Fault()
	}
	c.callID = e.spec.id
	e.spec.called = true
	p.beginEnvelopeCall(c, in)
	p.startWhole(c, in, i)
	return true
}

// startWhole starts a call whose arguments have arrived completely.
func (p *Parser) startWhole(c *call, in string, i int) {
	c.body = p.at(i)
	reason := toolcall.ReasonNone
	switch {
	case p.calls > p.opts.Limits.Calls:
		reason = toolcall.ReasonTooManyCalls
	case p.at(i) > c.begin+int64(p.opts.Limits.CallBytes):
		reason = toolcall.ReasonCallTooLarge
	}
	if reason != toolcall.ReasonNone {
		p.envelope.dialect = nil
		p.endBare(in, p.at(i), toolcall.Rejected, reason)
		return
	}
	if c.ready() {
		p.startText(in)
	}
	p.safe(i)
}

// envelopeArgsDone continues the envelope after arguments that jsonArgs has read.
func (p *Parser) envelopeArgsDone(in string, i int) int {
	p.envelope.scanner.Skip()
	p.stage = &p.envelope
	p.safe(i)
	return i
}

// endEnvelopeCall ends the current call, which is complete, at the stream offset to.
func (p *Parser) endEnvelopeCall(in string, to int64) {
	p.judgeMembers()
	p.endCall(in, to, toolcall.Complete, toolcall.ReasonNone)
}

// endEnvelopeBefore ends the current call, which is complete, before the look. What follows is
// read again.
func (p *Parser) endEnvelopeBefore(in string, i int) int {
	to := p.cand
	p.endEnvelopeCall(in, to)
	p.envelope.dialect = nil
	p.backToFence()
	return p.rewind(in, i, to)
}

// listDepth returns the number of containers down to the innermost list, or 0.
func (e *envelope) listDepth() int {
	n := len(e.frames)
	for n > 0 && e.frames[n-1] != frameList && e.frames[n-1] != frameBare {
		n--
	}
	return n
}

// quoteNext reports whether the next non-blank byte is a quote.
func quoteNext(in string, i int) bool {
	i = lex.SkipBlanks(in, i)
	return i < len(in) && in[i] == '"'
}
