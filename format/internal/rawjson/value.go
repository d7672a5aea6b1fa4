package rawjson

import (
	"bytes"
	"encoding/json"
	"iter"
	"strconv"
)

// Kind is the JSON type of a value.
type Kind uint8

// The kinds. A field that is not there is Absent.
const (
	Absent Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

var kindNames = [...]string{"nothing", "null", "a boolean", "a number", "a string", "an array", "an object"}

// String returns the kind with its article.
func (k Kind) String() string { return kindNames[k] }

// Value is one value inside the data of an event, valid as long as those.
type Value struct {
	Kind  Kind
	plain bool // a string that certainly has no escapes
	// Raw are the value's own bytes; of a string those between its quotes,
	// escapes and all.
	Raw []byte
	// At is the index of Raw in the event's data.
	At int

	index *index // of a container in the event's data, with its entry; nil: it has none yet
	entry int32
}

// IsSet reports whether the value is there and not null.
func (v Value) IsSet() bool { return v.Kind > Null }

// IsZero reports whether the value says nothing: it is absent, or the zero of its
// type, or holds nothing but such values. Servers whose types have no optional
// members send these for members that are not there.
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

// Is reports whether the value is the string s, which must need no escape.
func (v Value) Is(s string) bool { return v.Kind == String && string(v.Raw) == s }

// Int returns a whole number, also one written as a string, as some servers
// do with indices.
func (v Value) Int() (int, bool) {
	if v.Kind != Number && v.Kind != String || len(v.Raw) > 20 {
		return 0, false
	}
	n, err := strconv.Atoi(string(v.Raw))
	return n, err == nil
}

// Fields yields the members of an object in their order, and nothing for
// values of another kind. A key is valid until the next step.
func (v Value) Fields() iter.Seq2[[]byte, Value] {
	return func(yield func([]byte, Value) bool) {
		if v.Kind != Object {
			return
		}
		w := v.inside()
		for w.token(',') == '"' {
			name := w.value('"')
			member := w.value(w.token(':'))
			key := name.Raw
			if !name.plain && bytes.IndexByte(key, '\\') >= 0 {
				key = []byte(new(Texts).Whole(name))
			}
			if !yield(key, member) {
				return
			}
		}
	}
}

// Items yields the elements of an array, and nothing for values of another
// kind.
func (v Value) Items() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if v.Kind != Array {
			return
		}
		w := v.inside()
		for c := w.token(','); c != 0 && c != ']'; c = w.token(',') {
			if !yield(w.value(c)) {
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

// Len returns how many members or elements the value has.
func (v Value) Len() (n int) {
	for range v.Fields() {
		n++
	}
	for range v.Items() {
		n++
	}
	return n
}

// Only returns the one member that an object has; ok is false where it has another number.
func (v Value) Only() (name string, member Value, ok bool) {
	n := 0
	for key, m := range v.Fields() {
		n++
		name, member = string(key), m
	}
	return name, member, n == 1
}

// Get returns the member of an object with this key, the last where there are
// several. To read more than two of them, range over Fields.
func (v Value) Get(key string) Value {
	var found Value
	for k, member := range v.Fields() {
		if string(k) == key {
			found = member
		}
	}
	return found
}

// valueOf returns the one value that valid JSON is.
func valueOf(data []byte, ix *index) Value {
	ix.read(data)
	w := walk{raw: data, index: ix}
	return w.value(w.token(0))
}

// JSON returns a copy of the value as it stands in the data, nil where it is
// absent.
func (v Value) JSON() json.RawMessage {
	switch v.Kind {
	case Absent:
		return nil
	case String:
		out := make([]byte, 0, len(v.Raw)+2)
		out = append(out, '"')
		out = append(out, v.Raw...)
		return append(out, '"')
	}
	return append(json.RawMessage(nil), v.Raw...)
}
