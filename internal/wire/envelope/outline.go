package envelope

import (
	"slices"

	"github.com/toolparse/toolparse/internal/jsonstream"
)

// Sign is a member at the top of an incomplete object, by which its wire is guessed. Only
// Member is required.
type Sign struct {
	Member string
	Form   Form   // how its value begins
	Word   string // its value, for "type" and "object"
}

// Form is how the value of a member begins.
type Form uint8

// The forms of values. The value of a member in AnyForm may not have begun.
const (
	AnyForm Form = iota
	Object
	List
	Objects // a list whose first element is an object
	Text
)

// Beginning is a set of signs that together mark the beginning of an answer.
type Beginning []Sign

// Outline is what is known about an incomplete object: its members, and the first token
// of their values, or the colon before them.
type Outline struct {
	words    map[string]string // the values of "type" and "object"
	begins   map[string]jsonstream.Kind
	elements map[string]jsonstream.Kind // the first token of the first element of each list
}

// Add records a member whose value begins with a token or, with first, is a list whose
// first element does. Members that no sign has, and calls do not have, are the caller's to
// leave out, because an object may have any number of them.
func (o *Outline) Add(key string, token jsonstream.Kind, first bool) {
	if o.begins == nil {
		o.begins, o.elements = map[string]jsonstream.Kind{}, map[string]jsonstream.Kind{}
	}
	if first {
		o.elements[key] = token
	} else {
		o.begins[key] = token
	}
}

// AddWord records the value of "type" or "object".
func (o *Outline) AddWord(key, value string) {
	if o.words == nil {
		o.words = map[string]string{}
	}
	o.words[key] = value
}

// BeginsLike reports whether the object has all signs of one of the beginnings.
func (o *Outline) BeginsLike(beginnings []Beginning) bool {
	return slices.ContainsFunc(beginnings, func(signs Beginning) bool {
		return !slices.ContainsFunc(signs, func(s Sign) bool { return !o.has(s) })
	})
}

func (o *Outline) has(s Sign) bool {
	if s.Word != "" {
		return o.words[s.Member] == s.Word
	}
	switch s.Form {
	case Object:
		return o.begins[s.Member] == jsonstream.ObjectStart
	case List:
		return o.begins[s.Member] == jsonstream.ArrayStart
	case Objects:
		return o.elements[s.Member] == jsonstream.ObjectStart
	case Text:
		return o.begins[s.Member] == jsonstream.StringStart
	}
	return o.begins[s.Member] != jsonstream.More
}

// IsCall reports whether a further key shows that the object is a call that a model wrote
// as text. No envelope has these keys, or a name with arguments.
func (o *Outline) IsCall(key string) bool {
	switch key {
	case "tool_calls", "tool_call", "function", "functionCall", "function_call", "tool", "tool_name":
		return true
	case "arguments", "parameters", "args", "input":
		return o.has(Sign{Member: "name", Form: Text}) && o.words["type"] == ""
	}
	return false
}
