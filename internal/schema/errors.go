package schema

import (
	"errors"
	"fmt"
	"net/url"
	"slices"

	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// The reasons why a schema cannot be read.
var (
	ErrNotASchema = errors.New("a schema must be an object or a boolean")
	ErrKeyword    = errors.New("the keyword's value has the wrong type")
	ErrReference  = errors.New("$ref points to nothing in the schema")
	ErrTooLarge   = errors.New("the schema is too large")
	ErrCircle     = errors.New("the schema refers only to itself")
)

// Error says where and why a schema cannot be read.
type Error struct {
	Path string // JSON pointer into the schema, "" for the schema itself
	Err  error
}

func (e *Error) Error() string {
	if e.Path == "" {
		return "schema: " + e.Err.Error()
	}
	return "schema: at " + e.Path + ": " + e.Err.Error()
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

// refError is ErrReference with the reference.
type refError struct{ ref string }

func (e *refError) Error() string {
	return fmt.Sprintf("%v: %q", ErrReference, e.ref)
}

func (e *refError) Unwrap() error { return ErrReference }

// percentDecode decodes a URI fragment. It returns malformed fragments unchanged.
func percentDecode(s string) string {
	if decoded, err := url.PathUnescape(s); err == nil {
		return decoded
	}
	return s
}

// place is a position in a schema: a member of another place. The nil place is the root.
// The pointer is only built for errors, so that long names cost nothing.
type place struct {
	up   *place
	name string
}

func (p *place) member(name string) *place { return &place{up: p, name: name} }

// pointer returns the place as a JSON pointer.
func (p *place) pointer() string {
	var names []string
	for ; p != nil; p = p.up {
		names = append(names, p.name)
	}
	slices.Reverse(names)
	return jsonvalue.JoinPointer("", names...)
}

func (p *place) fail(err error) error { return &Error{Path: p.pointer(), Err: err} }
