// Package fieldpath finds the values of a JSON record by a path that a user gives.
//
// A path has gjson's syntax: names of members and indexes of lists, separated by dots
// ("messages.0.content"), "#" for each element of a list ("choices.#.text"), and queries
// ("messages.#(role==\"assistant\")#.content").
package fieldpath

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/toolparse/toolparse/internal/bytescan"
	"github.com/toolparse/toolparse/internal/jsonindex"
	"github.com/toolparse/toolparse/internal/strictjson"
)

// Value is a value of a record. It is valid as long as the bytes of the record.
type Value struct {
	Path string // its path; that of a list's element includes the index
	jsonindex.Value
}

var (
	errNotUTF8 = errors.New("the record is not UTF-8")
	errNotJSON = errors.New("the record is not JSON")
	errTooDeep = fmt.Errorf("the record is nested more than %d deep", strictjson.MaxDepth)
	errObject  = errors.New("the record is not a JSON object")
)

// Read returns the value of a record, with ix as its index. It returns an error if the
// record is not one JSON object in UTF-8.
func Read(record []byte, ix *jsonindex.Index) (Value, error) {
	if !bytescan.IsUTF8(record) {
		return Value{}, errNotUTF8
	}
	v, ok := ix.Read(record)
	switch {
	case !ok:
		var scan strictjson.Scanner
		if scan.Check(record) != nil && scan.Depth() == strictjson.MaxDepth {
			return Value{}, errTooDeep
		}
		return Value{}, errNotJSON
	case v.Kind != jsonindex.Object:
		return Value{}, errObject
	}
	return Value{"", v}, nil
}

// Find returns the value at a path of a record that is valid JSON. It fails if there is
// none.
func Find(record []byte, path string) (Value, error) {
	found := gjson.GetBytes(record, path)
	if !found.Exists() {
		return Value{}, fmt.Errorf("the record has no field %q", path)
	}
	v := Root([]byte(found.Raw))
	if v.Path = path; v.Kind == jsonindex.Absent { // a count has no JSON
		v.Kind = jsonindex.Number
	}
	return v, nil
}

// Items returns the elements of a list, or the value itself if it is not a list.
func (v Value) Items() []Value {
	if v.Kind != jsonindex.Array {
		return []Value{v}
	}
	var items []Value
	for item := range v.Value.Items() {
		items = append(items, Value{join(v.Path, strconv.Itoa(len(items))), item})
	}
	return items
}

// Root returns the value of a whole record, or of any other JSON. It is absent if that is not
// valid.
func Root(json []byte) Value {
	v, _ := new(jsonindex.Index).Read(json)
	return Value{"", v}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// Members yields the members of an object in their order. It yields nothing for other
// values.
func (v Value) Members(yield func(key string, member Value) bool) {
	for key, member := range v.Fields() {
		if name := string(key); !yield(name, v.Child(name, member)) {
			return
		}
	}
}

// Child returns a member of v with its path.
func (v Value) Child(name string, member jsonindex.Value) Value {
	return Value{join(v.Path, gjson.Escape(name)), member}
}

// Member returns the member of an object with a name (not a path), or the zero Value.
// Of two members with the name it returns the last, as encoding/json does.
func (v Value) Member(name string) Value {
	member := v.Get(name)
	if member.Kind == jsonindex.Absent {
		return Value{}
	}
	return v.Child(name, member)
}
