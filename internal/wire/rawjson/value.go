package rawjson

import (
	"bytes"

	"github.com/toolparse/toolparse/internal/jsonindex"
	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// Value is a value in the data of an event, valid as long as those.
type Value = jsonindex.Value

// Kind is the JSON type of a value.
type Kind = jsonindex.Kind

// The kinds. A missing field is Absent.
const (
	Absent = jsonindex.Absent
	Null   = jsonindex.Null
	Bool   = jsonindex.Bool
	Number = jsonindex.Number
	String = jsonindex.String
	Array  = jsonindex.Array
	Object = jsonindex.Object
)

// First returns the first element of a non-empty array, and otherwise v.
func First(v Value) Value {
	// The compiler inlines methods of an alias elsewhere only if they are used here, too:
	// without this loop, those over items in other packages need memory.
	for first := range v.Items() {
		return first
	}
	return v
}

// HasMoreValues reports whether data, which may be invalid JSON, have more than max values:
// members of objects, elements of lists, and these themselves. It counts an empty object or
// list twice.
func HasMoreValues(data []byte, max int) bool {
	n := 0
	for _, c := range [...]string{",", "{", "["} {
		n += bytes.Count(data, []byte(c))
	}
	if n <= max { // even with those in strings
		return false
	}
	n = 0
	for at := 0; at < len(data) && n <= max; at++ {
		switch data[at] {
		case '"':
			at = jsonvalue.StringEnd(data, at+1)
		case ',', '{', '[':
			n++
		}
	}
	return n > max
}
