// Package schemaform converts the JSON Schema of tools to forms that some providers
// require, and records the changes.
package schemaform

import (
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// Change is one change of a schema.
type Change struct {
	Path   string // from the root, such as .properties.city.format
	Action string // what was done
}

const (
	maxSchemas = 5_000 // references that are followed
	maxNesting = 64
	maxChanges = 1_000
	maxNote    = 2_000 // bytes of a keyword that a description notes
)

// record collects changes.
type record struct {
	changes []Change
	seen    map[Change]bool
}

// add adds a change, unless it was already added.
func (r *record) add(path, done string) {
	c := Change{path, done}
	if len(r.changes) > maxChanges || r.seen[c] {
		return
	}
	if r.seen == nil {
		r.seen = map[Change]bool{}
	}
	r.seen[c] = true
	switch n := len(r.changes); {
	case n < maxChanges:
		r.changes = append(r.changes, c)
	case n == maxChanges:
		r.changes = append(r.changes, Change{"", "more rewrites than are listed"})
	}
}

// parse reads a schema.
func parse(text []byte) (*jsonvalue.Value, error) {
	return jsonvalue.Options{MaxDepth: maxNested}.Parse(string(text))
}

// maxNested limits the nesting of schemas that are rewritten.
const maxNested = 300

// types is a set of JSON types. The empty set means any.
type types uint8

const (
	isString types = 1 << iota
	isNumber
	isInteger
	isBoolean
	isObject
	isArray
	isNull
)

var typeNames = [...]string{"string", "number", "integer", "boolean", "object", "array", "null"}

// typeOf returns the type with this name, in either case, or none.
func typeOf(name string) types {
	for i, known := range typeNames {
		if strings.EqualFold(name, known) {
			return 1 << i
		}
	}
	return 0
}

// names returns the names of the types in the set.
func (t types) names() []string {
	var names []string
	for i, name := range typeNames {
		if t&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}
