// Package jsonindex reads the fields of JSON without building a tree. One pass over the
// bytes checks them and notes where each string and container ends, so that a walk passes
// any of them in one step, at any level and as often as it likes.
//
// Names of members are case-sensitive, and the last of several equal ones counts.
package jsonindex

import (
	"bytes"
	"encoding/json"
	"iter"
	"strconv"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/strictjson"
)

// Kind is the JSON type of a value.
type Kind = jsonvalue.Kind

// The kinds. A missing field is Absent.
const (
	Absent = jsonvalue.Absent
	Null   = jsonvalue.Null
	Bool   = jsonvalue.Bool
	Number = jsonvalue.Number
	String = jsonvalue.String
	Array  = jsonvalue.Array
	Object = jsonvalue.Object
)

// Value is a value in data, valid as long as those.
type Value struct {
	Kind  Kind
	plain bool  // a string that certainly has no escapes
	entry int32 // of a container in the index, or of the decoded text of a string
	// Raw is the value as in the data; of a string, the text between the quotes with its
	// escapes.
	Raw []byte
	// At is the index of Raw in the data.
	At int

	index *Index // of the data, for containers and for strings; nil if they are small
}

// IsSet reports whether the value exists and is not null.
func (v Value) IsSet() bool { return v.Kind > Null }

// IsZero reports whether the value is absent, the zero of its type, or contains only such
// values. Servers whose types have no optional members send these instead of leaving
// members out.
func (v Value) IsZero() bool {
	switch v.Kind {
	case String:
		return len(v.Raw) == 0
	case Bool:
		return v.Raw[0] == 'f'
	case Number:
		return string(v.Raw) == "0"
	case Object, Array:
		for _, member := range v.Fields() {
			if !member.IsZero() {
				return false
			}
		}
		for item := range v.Items() {
			if !item.IsZero() {
				return false
			}
		}
	}
	return true
}

// IsTrue reports whether the value is true.
func (v Value) IsTrue() bool { return v.Kind == Bool && v.Raw[0] == 't' }

// Is reports whether the value is the string s, which must not need escapes.
func (v Value) Is(s string) bool { return v.Kind == String && string(v.Raw) == s }

// Int returns a whole number, which may be written as a string, as some servers do with
// indices.
func (v Value) Int() (int, bool) {
	if v.Kind != Number && v.Kind != String || len(v.Raw) > 20 {
		return 0, false
	}
	if n, ok := smallCount(v.Raw); ok { // as nearly all are
		return n, true
	}
	n, err := strconv.Atoi(string(v.Raw))
	return n, err == nil
}

// smallCount returns a number of one to nine digits.
func smallCount(digits []byte) (n int, ok bool) {
	if len(digits)-1 > 8 {
		return 0, false
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int(c-'0')
	}
	return n, len(digits) > 0
}

// Fields yields the members of an object in order, and nothing for other kinds. A key is
// valid until the next step.
func (v Value) Fields() iter.Seq2[[]byte, Value] {
	return func(yield func([]byte, Value) bool) {
		w := v.walk(Object)
		for {
			key, ok := w.key(&v)
			if !ok || !yield(key, w.read(&v)) {
				return
			}
		}
	}
}

// Items yields the elements of an array, and nothing for other kinds.
func (v Value) Items() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		w := v.walk(Array)
		for {
			item, ok := w.item(&v)
			if !ok || !yield(item) {
				return
			}
		}
	}
}

// IsEmpty reports whether the value has no members or elements.
func (v Value) IsEmpty() bool {
	for range v.Fields() {
		return false
	}
	for range v.Items() {
		return false
	}
	return true
}

// Len returns the number of members or elements.
func (v Value) Len() (n int) {
	for range v.Fields() {
		n++
	}
	for range v.Items() {
		n++
	}
	return n
}

// Only returns the only member of an object. ok is false if it has none or several.
func (v Value) Only() (name string, member Value, ok bool) {
	n := 0
	for key, m := range v.Fields() {
		n++
		name, member = string(key), m
	}
	return name, member, n == 1
}

// Get returns the member of an object with this key, the last one if there are several.
// To read more than two members, range over Fields.
func (v Value) Get(key string) Value {
	var found Value
	w := v.walk(Object)
	for {
		name, ok := w.key(&v)
		switch {
		case !ok:
			return found
		case string(name) == key:
			found = w.read(&v)
		default:
			w.skip(&v)
		}
	}
}

// Small returns the value of valid JSON without an index, whose walks look for the ends of
// values themselves. That is faster for data of less than about [MinIndexed] bytes.
func Small(data []byte) Value {
	begin := strictjson.SkipBlanks(data, 0)
	all := Value{Raw: data}
	if data[begin] == '{' || data[begin] == '[' { // which is all there is
		end := len(data)
		for strictjson.IsBlank(data[end-1]) {
			end--
		}
		kind := Object
		if data[begin] == '[' {
			kind = Array
		}
		return Value{Kind: kind, Raw: data[begin:end], At: begin}
	}
	w := walk{at: begin}
	return w.read(&all)
}

// MinIndexed is the size in bytes from which an index saves time.
const MinIndexed = 1 << 10

// HasEscapes reports whether a string has escapes, so that Raw is not its text.
func (v Value) HasEscapes() bool { return !v.plain && bytes.IndexByte(v.Raw, '\\') >= 0 }

// IsIndexed reports whether v is a container with an index.
func (v Value) IsIndexed() bool { return v.Kind >= Array && v.index != nil }

// JSON returns a copy of the value as in the data, or nil if it is absent.
func (v Value) JSON() json.RawMessage {
	if v.Kind == Absent {
		return nil
	}
	return v.AppendJSON(make([]byte, 0, len(v.Raw)+len(`""`)))
}

// AppendJSON appends the value as in the data.
func (v Value) AppendJSON(dst []byte) []byte {
	if v.Kind == String {
		return append(append(append(dst, '"'), v.Raw...), '"')
	}
	return append(dst, v.Raw...)
}
