// Package jsonvalue is the JSON value that this module uses wherever the order of members,
// exact numbers or the bytes of the document matter, none of which encoding/json keeps. It
// parses strictly and compares values as JSON Schema does.
package jsonvalue

import (
	"strconv"
	"strings"
)

// Kind is the JSON type of a value. The zero Kind means that there is no value.
type Kind uint8

// The kinds.
const (
	Absent Kind = iota // of a nil *Value, and of a missing member
	Null
	Bool
	Number
	String
	Array
	Object
)

var (
	kindNames   = [...]string{"nothing", "null", "boolean", "number", "string", "array", "object"}
	kindPhrases = [...]string{"nothing", "null", "a boolean", "a number", "a string", "an array", "an object"}
)

// String returns the name of the type in JSON Schema.
func (k Kind) String() string { return kindNames[k] }

// Phrase returns the name of the type with its article, for messages.
func (k Kind) Phrase() string { return kindPhrases[k] }

// Value is one JSON value. A nil *Value is an absent one, which all methods that only read
// accept. Callers must not change a parsed Value, which is therefore safe for concurrent
// use.
type Value struct {
	Kind Kind
	Text string   // a string, decoded; null, a boolean or a number, as written
	Raw  string   // the JSON as written; "" for an array or an object that [NewArray] or [NewObject] made
	Keys []string // the names of an object's members, in order, without repetition
	List []*Value // the elements of an array, or the values of the members in Keys

	Start int // byte offset of Raw in the document

	names *names // rarely needed facts about Keys; mostly nil
}

// names holds what few objects need beside the text of their keys.
type names struct {
	raw   []string       // the keys as written, with quotes; nil if Quote restores them all
	index map[string]int // the index of each key, for objects with at least manyKeys
}

// known returns v.names, and allocates it if it is nil.
func (v *Value) known() *names {
	if v.names == nil {
		v.names = &names{}
	}
	return v.names
}

// manyKeys is the number of keys from which on an object has an index.
const manyKeys = 12

// End returns the byte offset in the document after the value.
func (v *Value) End() int { return v.Start + len(v.Raw) }

// Is reports whether v is present and of kind k.
func (v *Value) Is(k Kind) bool { return v != nil && v.Kind == k }

// IsTrue reports whether the value is true.
func (v *Value) IsTrue() bool { return v.Is(Bool) && v.Text == "true" }

// IsFalse reports whether the value is false.
func (v *Value) IsFalse() bool { return v.Is(Bool) && v.Text == "false" }

// Get returns the member with this name, or nil.
func (v *Value) Get(key string) *Value {
	if i := v.find(key); i >= 0 {
		return v.List[i]
	}
	return nil
}

// Has reports whether v is an object with this member.
func (v *Value) Has(key string) bool { return v.find(key) >= 0 }

func (v *Value) find(key string) int {
	if v == nil || len(v.Keys) == 0 {
		return -1
	}
	if v.names != nil && v.names.index != nil {
		if i, ok := v.names.index[key]; ok {
			return i
		}
		return -1
	}
	for i, k := range v.Keys {
		if k == key {
			return i
		}
	}
	return -1
}

// Elements returns the elements of an array, and nil for any other value.
func (v *Value) Elements() []*Value {
	if v.Is(Array) {
		return v.List
	}
	return nil
}

// PartName returns the name of member i of an object, or the index i in an array as text.
func (v *Value) PartName(i int) string {
	if v.Kind == Object {
		return v.Keys[i]
	}
	return strconv.Itoa(i)
}

// RawKey returns the name of member i as written, with its quotes.
func (v *Value) RawKey(i int) string {
	if v.names != nil && v.names.raw != nil {
		return v.names.raw[i]
	}
	return Quote(v.Keys[i])
}

// NewString returns a string value.
func NewString(s string) *Value { return &Value{Kind: String, Text: s, Raw: Quote(s)} }

// NewBool returns a boolean value.
func NewBool(b bool) *Value {
	text := strconv.FormatBool(b)
	return &Value{Kind: Bool, Text: text, Raw: text}
}

// NewArray returns an array of values.
func NewArray(list ...*Value) *Value { return &Value{Kind: Array, List: list} }

// NewObject returns an empty object; see [Value.Set].
func NewObject() *Value { return &Value{Kind: Object} }

// Set adds or replaces a member of an object that [NewObject] made, and returns the object.
func (v *Value) Set(key string, member *Value) *Value {
	if i := v.find(key); i >= 0 {
		v.List[i] = member
		return v
	}
	v.Keys, v.List = append(v.Keys, key), append(v.List, member)
	switch {
	case v.names != nil && v.names.index != nil:
		v.names.index[key] = len(v.Keys) - 1
	case len(v.Keys) >= manyKeys:
		v.makeIndex()
	}
	return v
}

func (v *Value) makeIndex() {
	index := make(map[string]int, 2*len(v.Keys))
	for i, key := range v.Keys {
		index[key] = i
	}
	v.known().index = index
}

// String returns v as compact JSON.
func (v *Value) String() string {
	if v == nil {
		return ""
	}
	return string(Compact.Append(nil, v))
}

// Integer returns a whole number, clamped to ±limit. It returns false for any other value.
// A number in quotes counts, too, because the protobuf JSON of Gemini writes integers so.
func (v *Value) Integer(limit int) (int, bool) {
	d, ok := v.Decimal()
	if !ok || !d.IsInteger() {
		return 0, false
	}
	n := int64(limit)
	if size := int64(len(d.digits)) + d.exp; size <= 18 { // which an int64 can express
		n, _ = strconv.ParseInt("0"+d.digits+strings.Repeat("0", int(d.exp)), 10, 64)
	}
	if n = min(n, int64(limit)); d.negative {
		n = -n
	}
	return int(n), true
}

// Decimal returns the value of a number, or of a string that contains only a number.
func (v *Value) Decimal() (Decimal, bool) {
	if v.Is(Number) || v.Is(String) && IsNumber(v.Text) {
		return ParseDecimal(v.Text), true
	}
	return Decimal{}, false
}
