// Package envelope says by which members each wire's bodies and events are recognised. A
// call that a model wrote as JSON, such as {"name":"x","arguments":{}}, has no envelope.
package envelope

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
)

// Marks are the members by which a wire is recognised. Package format asks the wires in
// turn, and the first one that recognises an object counts. All members are optional.
type Marks struct {
	// Types are the values of "type" that only events of this wire have. A final dot makes
	// one a prefix.
	Types []string
	// Objects are the values of "object" that only this wire has.
	Objects []string
	// Answer reports whether an object is an answer of the wire or an event of one, and
	// Failure whether it is an error.
	Answer, Failure func(*Envelope) bool
	// Turn reports whether an object is an assistant message with a call, as in a history.
	Turn func(rawjson.Value) bool
	// BareError is the framing in which an object with only an error text is an error of
	// this wire.
	BareError frame.Framing
	// Begins are the ways in which an answer may begin, for one that ends too early.
	Begins []Beginning

	// IsRequest reports whether an object has the members that every request of this wire
	// has. A model may answer with some of the others.
	IsRequest func(rawjson.Value) bool
	// Requests are the paths of members that, of all requests, only those of this wire
	// have. [] stands for any element of a list.
	Requests [][]string
	// IsTool reports whether an element of a list of tools has the form of this wire. With
	// OneTool, a list may be one such element without the list.
	IsTool  func(rawjson.Value) bool
	OneTool bool
}

// HasWord reports whether the member "type" or "object" with this value identifies the wire.
func (m *Marks) HasWord(member, value string) bool {
	if member == "object" {
		return slices.Contains(m.Objects, value)
	}
	return member == "type" && slices.ContainsFunc(m.Types, func(t string) bool {
		return value == t || strings.HasSuffix(t, ".") && strings.HasPrefix(value, t)
	})
}

// HasSign reports whether a sign in m.Begins is about this member.
func (m *Marks) HasSign(member string) bool {
	return slices.ContainsFunc(m.Begins, func(signs Beginning) bool {
		return slices.ContainsFunc(signs, func(s Sign) bool { return s.Member == member })
	})
}

// HasPath reports whether there is a value at a path, in which [] stands for any element of
// a list.
func HasPath(v rawjson.Value, path []string) bool {
	if len(path) == 0 {
		return v.IsSet()
	}
	if path[0] != "[]" {
		return HasPath(v.Get(path[0]), path[1:])
	}
	for item := range v.Items() {
		if HasPath(item, path[1:]) {
			return true
		}
	}
	return false
}
