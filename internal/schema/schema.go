// Package schema reads the JSON Schema of a tool's parameters as far as tool
// calling needs it: which types a value may have, how text converts to them,
// and how arguments break them.
package schema

import "encoding/json"

// Schema is one compiled (sub)schema. A nil *Schema allows everything; every
// method accepts it. A Schema is immutable and safe for concurrent use.
type Schema struct{}

// Compile reads a schema. Empty input gives nil: anything goes.
func Compile(raw json.RawMessage) (*Schema, error) { return nil, nil }

// Property returns the schema of an object's member, and nil where it
// declares none.
func (s *Schema) Property(name string) *Schema { return nil }

// Declares reports whether the schema names this property.
func (s *Schema) Declares(name string) bool { return false }

// Items returns the schema of an array's elements, and nil where it has none.
func (s *Schema) Items() *Schema { return nil }

// MayConvert reports whether a text that begins with prefix might still become
// another type than a string. It is false for good once it is false, so that a
// value may stream as a string from there on. A nil Schema is a string: false.
func (s *Schema) MayConvert(prefix string) bool { return false }

// AllowsContainer reports whether the value may be an object or an array.
func (s *Schema) AllowsContainer() (object, array bool) { return false, false }

// Convert turns text, a whole value as a tag dialect writes it, into JSON of the
// first type allowed that it fits, in the order null, integer, number,
// boolean, object, array, string. fits is false where no allowed type did,
// and the JSON then is a string.
func (s *Schema) Convert(text string) (value string, fits bool) { return "", true }
