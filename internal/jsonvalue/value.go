// Package jsonvalue is the JSON value of this module wherever more matters than what
// encoding/json keeps: the order of members, numbers to their last digit, and the bytes
// of the document. It parses strictly and compares as JSON Schema does.
package jsonvalue

import (
	"strconv"
	"strings"
)

// Kind is the JSON type of a value. The zero Kind is that of no value.
type Kind uint8

// The kinds.
const (
	None Kind = iota // a nil *Value
	Null
	Bool
	Number
	String
	Array
	Object
)

var kindNames = [...]string{"nothing", "null", "boolean", "number", "string", "array", "object"}

// String returns the name that JSON Schema has for the type.
func (k Kind) String() string { return kindNames[k] }

// Value is one JSON value. A nil *Value is the value of a member that is absent; the
// methods that only read accept it. A parsed Value must not be changed, and is then
// safe for concurrent use.
type Value struct {
	Kind Kind
	Text string   // of a string, decoded; of null, a boolean or a number, as written
	Raw  string   // the JSON as it was written; "" for an array or object that was built
	Keys []string // the names of an object's members, in their order, each once
	List []*Value // the elements of an array, or the members that Keys name

	Start int // the byte of the document that Raw begins at

	names *names // what few objects need to know of their keys
}

// names is what is known of the keys of an object beside their text.
type names struct {
	raw   []string       // as written, quotes included; nil where quotes around each key are enough
	index map[string]int // where each key stands, for objects with manyKeys
}

// known is v.names, made where there are none.
func (v *Value) known() *names {
	if v.names == nil {
		v.names = &names{}
	}
	return v.names
}

// manyKeys is from how many keys on an object has an index.
const manyKeys = 12

// End is the byte of the document behind the value.
func (v *Value) End() int { return v.Start + len(v.Raw) }

// Is reports whether the value is there and of that kind.
func (v *Value) Is(k Kind) bool { return v != nil && v.Kind == k }

// IsTrue reports whether the value is true.
func (v *Value) IsTrue() bool { return v.Is(Bool) && v.Text == "true" }

// IsFalse reports whether the value is false.
func (v *Value) IsFalse() bool { return v.Is(Bool) && v.Text == "false" }

// Get returns a member of an object, and nil where there is none.
func (v *Value) Get(key string) *Value {
	if i := v.find(key); i >= 0 {
		return v.List[i]
	}
	return nil
}

// Has reports whether the value is an object with this member.
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

// Elements returns the elements of an array, and nothing for another value.
func (v *Value) Elements() []*Value {
	if v.Is(Array) {
		return v.List
	}
	return nil
}

// RawKey returns the name of the i-th member as it was written, with its quotes.
func (v *Value) RawKey(i int) string {
	if v.names != nil && v.names.raw != nil {
		return v.names.raw[i]
	}
	return Quote(v.Keys[i])
}

// NewString returns a string.
func NewString(s string) *Value { return &Value{Kind: String, Text: s, Raw: Quote(s)} }

// NewBool returns a boolean.
func NewBool(b bool) *Value {
	text := strconv.FormatBool(b)
	return &Value{Kind: Bool, Text: text, Raw: text}
}

// NewArray returns an array of values.
func NewArray(list ...*Value) *Value { return &Value{Kind: Array, List: list} }

// NewObject returns an object without members; see [Value.Set].
func NewObject() *Value { return &Value{Kind: Object} }

// Set gives an object that was built one more member, or a member that it has another
// value, and returns the object.
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

// String returns v as JSON without blanks.
func (v *Value) String() string {
	if v == nil {
		return ""
	}
	return string(Compact.Append(nil, v))
}

// Integer returns a whole number of at most limit, which is what a larger one counts
// as; it is false for any other value. A number in quotes is one too: the protobuf JSON
// of Gemini writes them so.
func (v *Value) Integer(limit int) (int, bool) {
	d, ok := v.Decimal()
	if !ok || !d.IsInteger() {
		return 0, false
	}
	if d.Compare(decimalOf(limit)) > 0 {
		return limit, true
	}
	if d.Compare(decimalOf(-limit)) < 0 {
		return -limit, true
	}
	n, err := strconv.Atoi("0" + d.digits + strings.Repeat("0", int(d.exp)))
	if d.negative {
		n = -n
	}
	return n, err == nil
}

// Decimal returns the value of a number, or of a string that holds nothing else.
func (v *Value) Decimal() (Decimal, bool) {
	if v.Is(Number) || v.Is(String) && IsNumber(v.Text) {
		return ParseDecimal(v.Text), true
	}
	return Decimal{}, false
}
