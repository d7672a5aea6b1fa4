package schema

import (
	"errors"
	"fmt"
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

// fault is an error at a part of a schema, before the place of that part is looked up.
type fault struct {
	at  *value
	err error
}

func (f *fault) Error() string { return f.err.Error() }

// wrong returns the fault of a keyword whose value has the wrong type.
func wrong(at *value, want string) error {
	return &fault{at, fmt.Errorf("%w: want %s", ErrKeyword, want)}
}

// locate turns a fault in the document root into an *[Error].
func locate(root *value, err error) error {
	f, ok := err.(*fault)
	if !ok {
		return err
	}
	pointer, _ := root.PointerTo(f.at)
	return &Error{Path: pointer, Err: f.err}
}
