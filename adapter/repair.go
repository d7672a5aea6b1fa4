package adapter

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/toolcall"
)

// maxDepth bounds how deep arguments may be nested.
const maxDepth = 128

// The reasons why [Repair] fails.
var (
	ErrInvalidJSON = errors.New("invalid JSON")                        // cannot be repaired
	ErrCut         = errors.New("the JSON is cut off")                 // in a string, a number or a literal, or before a value
	ErrTooDeep     = errors.New("the JSON is nested too deep")         // more than 128 levels
	ErrNotAnObject = errors.New("the arguments are not a JSON object") // other JSON, or nothing
	ErrTrailing    = errors.New("unexpected data after the object")    // more than blanks
)

// RepairError says where and why a text cannot be repaired.
type RepairError struct {
	Offset int   // offset in bytes
	Err    error // one of the errors above
}

func (e *RepairError) Error() string { return fmt.Sprintf("byte %d: %v", e.Offset, e.Err) }

// Unwrap returns the cause.
func (e *RepairError) Unwrap() error { return e.Err }

// Repair turns a text that is almost a JSON object into valid JSON. It repairs trailing
// and missing commas, single quotes, Python literals, non-finite numbers (which become
// strings), raw control characters and unknown escapes in strings, unquoted keys, and
// missing closing brackets at the end. It returns the object and the repairs. If
// nothing needs repair, the object is the text without the blanks around it.
//
// Repair does not guess: a text that ends inside a string, a number or a literal is an
// error, and so is anything else that is not JSON. Errors are *[RepairError]. Repair
// takes time linear in the text.
func Repair(text string) (json.RawMessage, toolcall.Tolerances, error) {
	fail := func(offset int, err error) (json.RawMessage, toolcall.Tolerances, error) {
		return nil, 0, &RepairError{Offset: offset, Err: err}
	}
	const blanks = " \t\r\n"
	end := len(strings.TrimRight(text, blanks))
	begin := len(text) - len(strings.TrimLeft(text, blanks))
	if begin >= end || text[begin] != '{' {
		return fail(min(begin, end), ErrNotAnObject)
	}
	var out jsonstream.Out
	scan := jsonstream.Scanner{Out: &out, MaxDepth: maxDepth, Quiet: true}
	for at := begin; at < end; {
		kind, next := scan.Next(text[:end], at)
		switch {
		case kind == jsonstream.Invalid && errors.Is(scan.Err, jsonstream.ErrDepth):
			return fail(next, ErrTooDeep)
		case kind == jsonstream.Invalid:
			return fail(next, ErrInvalidJSON)
		case kind == jsonstream.More && next < end:
			return fail(next, ErrTrailing)
		}
		at = next
	}
	if !scan.Close() {
		return fail(end, ErrCut)
	}
	return json.RawMessage(out.Take()), scan.Tolerances, nil
}
