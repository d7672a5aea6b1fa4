// Package fieldpath finds the values of a JSON record by a path that a user gives.
//
// A path has gjson's syntax: names of members and indexes of lists, separated by dots
// ("messages.0.content"), "#" for each element of a list ("choices.#.text"), and queries
// ("messages.#(role==\"assistant\")#.content").
package fieldpath

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/toolparse/toolparse/internal/strictjson"
)

// Kind is the type of a JSON value.
type Kind uint8

// The kinds of value. Numbers and booleans are Scalar.
const (
	Null Kind = iota
	Scalar
	String
	Object
	Array
)

var kindNames = [...]string{"null", "a number or boolean", "a string", "an object", "a list"}

// String returns the kind in words, with an article.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// Value is a value of a record.
type Value struct {
	Path string // its path; that of a list's element includes the index
	Kind Kind
	Raw  string // its JSON
	Text string // the decoded text of a String
}

var (
	errNotUTF8 = errors.New("the record is not UTF-8")
	errNotJSON = errors.New("the record is not JSON")
	errTooDeep = fmt.Errorf("the record is nested more than %d deep", strictjson.MaxDepth)
	errObject  = errors.New("the record is not a JSON object")
)

// Check returns an error if a record is not one JSON object in UTF-8. The other
// functions require records that pass.
func Check(record []byte) error {
	var scan strictjson.Scanner
	switch {
	case !utf8.Valid(record):
		return errNotUTF8
	case scan.Check(record) == nil:
	case scan.Depth() == strictjson.MaxDepth:
		return errTooDeep
	default:
		return errNotJSON
	}
	if bytes.TrimLeft(record, " \t\r\n")[0] != '{' {
		return errObject
	}
	return nil
}

// Find returns the value at a path. It fails if there is none.
func Find(record, path string) (Value, error) {
	found := gjson.Get(record, path)
	if !found.Exists() {
		return Value{}, fmt.Errorf("the record has no field %q", path)
	}
	return valueOf(path, found), nil
}

// Items returns the elements of a list, or the value itself if it is not a list.
func (v Value) Items() []Value {
	if v.Kind != Array {
		return []Value{v}
	}
	var items []Value
	gjson.Parse(v.Raw).ForEach(func(_, item gjson.Result) bool {
		items = append(items, valueOf(join(v.Path, strconv.Itoa(len(items))), item))
		return true
	})
	return items
}

// Root returns the value of a whole record, or of any other JSON.
func Root(json string) Value { return valueOf("", gjson.Parse(json)) }

// IsValid reports whether text is one JSON value.
func IsValid(text string) bool { return strictjson.Valid([]byte(text)) }

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// Members yields the members of an object in their order. It yields nothing for other
// values.
func (v Value) Members(yield func(key string, member Value) bool) {
	if v.Kind != Object {
		return
	}
	gjson.Parse(v.Raw).ForEach(func(key, member gjson.Result) bool {
		return yield(key.Str, valueOf(join(v.Path, gjson.Escape(key.Str)), member))
	})
}

// Member returns the member of an object with a name (not a path), or the zero Value.
// Of two members with the name it returns the last, as encoding/json does.
func (v Value) Member(name string) Value {
	var member Value
	for key, m := range v.Members {
		if key == name {
			member = m
		}
	}
	return member
}

// IsSet reports whether there is a value other than null.
func (v Value) IsSet() bool { return v.Kind != Null }

func valueOf(path string, r gjson.Result) Value {
	v := Value{Path: path, Raw: r.Raw, Kind: Scalar}
	switch {
	case r.Type == gjson.String:
		v.Kind, v.Text = String, r.Str
	case r.Type == gjson.Null:
		v.Kind = Null
	case r.IsObject():
		v.Kind = Object
	case r.IsArray():
		v.Kind = Array
	}
	return v
}
