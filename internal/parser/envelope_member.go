package parser

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/toolcall"
)

// idKeys are the members that may contain the provider's call id.
var idKeys = []string{"id", "call_id", "tool_call_id"}

// otherArgs are keys that models use for the arguments regardless of their dialect: those
// of other dialects, wires and frameworks. After a marker they count if their value is an
// object and the tool has no such parameter.
var otherArgs = []string{
	"arguments", "parameters", "args", "params", "input", "inputs", "argument", "parameter", "kwargs", "action_input",
	"tool_arguments", "tool_parameters", "tool_args", "tool_params", "tool_input", "function_arguments", "function_parameters", "function_args",
}

// callTypes are the values of the member type that merely say that an object is a call.
var callTypes = []string{"function", "tool", "call", "tool_call", "tool_use", "function_call"}

// classify returns what a member of a call may be.
func (p *Parser) classify(key []byte) (kind keyKind) {
	e := &p.envelope
	d, s := e.dialect, &e.spec
	if d.Head.Form == dialect.HeadKey && s.name == "" {
		s.name, e.data = string(key), false
		return keyArgs
	}
	has := func(keys []string, k keyKind) {
		for i, name := range keys {
			if name == string(key) {
				if kind |= k; k == keyName {
					e.place = i
				}
			}
		}
	}
	has(d.Head.Name, keyName)
	has(d.Head.Wrap, keyWrap)
	has(d.Args.Keys, keyArgs)
	has(idKeys, keyID)
	if len(e.frames) == 1 {
		has(d.Head.Lists, keyList)
		has(d.Head.Bare, keyBareList)
	}
	if kind == 0 && e.namesCalls() && (s.name == "" || !p.tools[s.name].Declares(string(key))) {
		has(otherArgs, keyOther)
	}
	if d.Head.Form == dialect.HeadKey && len(e.frames) == s.depth && kind == 0 && p.tools.knows(string(key)) {
		kind, s.next = keyNext, string(key)
	}
	e.data = kind&keyID == 0 && len(e.frames) >= s.depth
	e.again = kind&keyArgs != 0
	switch string(key) {
	case "description", "input_schema", "inputSchema", "parametersJsonSchema":
		s.described, e.data = true, false
	case "parameters":
		kind |= keySchema
	case "type":
		kind |= keyType
	case "index":
		e.data = false
	}
	return kind
}

// nextMemberCall ends a call whose name is a key, because the next member of the same
// object is an object and therefore another call.
func (p *Parser) nextMemberCall(in string) {
	to, s := p.cand, p.envelope.spec
	p.endEnvelopeCall(in, to)
	p.envelope.spec = spec{name: s.next, begin: to, depth: s.depth}
	p.stage, p.cand, p.deadline = &p.envelope, to, to+int64(p.opts.Limits.HeldBytes)
}

// namesCalls reports whether the context identifies the objects of the envelope as calls: a
// marker, or a list for calls.
func (e *envelope) namesCalls() bool { return e.framed || slices.Contains(e.frames, frameBare) }

// skipsPart records that a non-empty part of the current member was skipped.
func (e *envelope) skipsPart() {
	if !e.data {
		return
	}
	s := &e.spec
	e.data, s.more = false, true
	if s.dropped |= toolcall.UnknownMember; e.again {
		s.dropped = s.dropped&^toolcall.UnknownMember | toolcall.DuplicateArgument
	}
	s.object = s.object || len(e.frames) > 0 && e.frames[len(e.frames)-1] == frameSkip
}

// judgeMembers decides how other members of its object affect the call. If the call has no
// arguments, or empty ones beside another object, those members may be the arguments: the
// call must not run.
func (p *Parser) judgeMembers() {
	e := &p.envelope
	s, c := &e.spec, p.call
	c.tolerances |= e.scanner.Tolerances
	e.scanner.Tolerances = 0
	switch given := s.from != 0 && !s.other; {
	case !s.more:
	case c.some, given && !s.object && !e.again, given && p.declares(c.name) && !c.schema.Closed(): // the tool has no parameters
		c.tolerances |= s.dropped
	case c.status == 0:
		c.status, c.reason = toolcall.Malformed, toolcall.ReasonUnreadArgument
	}
	s.more = false
}

// callOfMembers makes the call of an object that ends before in[i] and has no arguments
// under a known key. Other members may be the arguments. It returns false if the object is
// not a call.
func (p *Parser) callOfMembers(in string, i int) bool {
	e := &p.envelope
	s := &e.spec
	if s.more || s.described {
		object := p.pendingFrom(in, i, s.begin)
		p.work += int64(len(object))
		if text := p.argumentsIn(object); text != "" {
			return p.callWith(in, i, text)
		}
	}
	if s.described || e.framed && e.dialect.Args.Required {
		return false
	}
	c := p.envelopeCall(in)
	if !s.more {
		c.out.Add("{}")
	}
	p.startWhole(c, in, i)
	return true
}

// argumentsIn finds the arguments in the object of a call whose name is known: under a key
// of other dialects, or, if the tool declares all other members, those members.
func (p *Parser) argumentsIn(object string) (text string) {
	e := &p.envelope
	s := &e.spec
	schema := p.tools[s.name]
	var declared []headerMember
	others := 0
	for _, m := range decodeMembers(object) {
		switch {
		case slices.Contains(e.dialect.Head.Name, m.name) && m.text() == s.name:
		case schema.Declares(m.name):
			declared = append(declared, m)
		case text == "" && m.holdsArguments():
			text = m.value
		case m.isData():
			others++
		}
	}
	switch {
	case text != "":
		s.other, s.more = true, others+len(declared) > 0
	case len(declared) > 0 && others == 0:
		e.scanner.Tolerances |= toolcall.MissingWrapper
		s.more = false
		text = "{" + memberList(declared) + "}"
	}
	return text
}

// holdsArguments reports whether the member contains arguments under a key of other
// dialects.
func (m headerMember) holdsArguments() bool {
	return slices.Contains(otherArgs, m.name) && strings.HasPrefix(lex.TrimBlanks(m.text()), "{")
}

// isData reports whether an undeclared member may be an argument.
func (m headerMember) isData() bool {
	n := len(m.value)
	switch {
	case n == 0, m.value == "null", m.value == `""`:
		return false
	case m.value[n-1] == '}', m.value[n-1] == ']':
		return lex.TrimBlanks(m.value[1:n-1]) != ""
	case m.name == "type":
		return !slices.Contains(callTypes, m.text())
	}
	return m.name != "description" && m.name != "index" && !slices.Contains(idKeys, m.name)
}
