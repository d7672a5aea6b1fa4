package payload

import (
	"iter"
	"strconv"

	"github.com/toolparse/toolparse/format/internal/strictjson"
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
	Kind Kind
	// Raw are the value's own bytes; of a string those between its quotes,
	// escapes and all.
	Raw []byte
	// At is the index of Raw in the event's data.
	At int
}

// IsSet reports whether the value is there and not null.
func (v Value) IsSet() bool { return v.Kind > Null }

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
// values of another kind. A key is valid as long as the value.
func (v Value) Fields() iter.Seq2[[]byte, Value] {
	return func(yield func([]byte, Value) bool) {
		if v.Kind != Object {
			return
		}
		w := walk{v.Raw, 1}
		for w.next() {
			key := w.key()
			if !w.next() || !yield(key, w.value(v.At)) {
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
		w := walk{v.Raw, 1}
		for w.next() {
			if !yield(w.value(v.At)) {
				return
			}
		}
	}
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

// valueOf returns the one value that valid JSON is, an absent one where there
// is nothing but blanks. at is the place of data.
func valueOf(data []byte, at int) Value {
	w := walk{data, 0}
	if !w.next() {
		return Value{}
	}
	kind := Object
	switch data[w.i] {
	case '[':
		kind = Array
	case '{':
	default:
		return w.value(at)
	}
	end := len(data) // nothing but blanks is behind it
	for end > w.i && strictjson.IsBlank(data[end-1]) {
		end--
	}
	return Value{kind, data[w.i:end], at + w.i}
}
