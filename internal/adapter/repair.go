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

// The reasons why [repair] fails.
var (
	errInvalidJSON = errors.New("invalid JSON")                        // cannot be repaired
	errCut         = errors.New("the JSON is cut off")                 // in a string, a number or a literal, or before a value
	errTooDeep     = errors.New("the JSON is nested too deep")         // more than 128 levels
	errNotAnObject = errors.New("the arguments are not a JSON object") // other JSON, or nothing
	errTrailing    = errors.New("unexpected data after the object")    // more than blanks
)

// repairError says where and why a text cannot be repaired.
type repairError struct {
	Offset int   // offset in bytes
	Err    error // one of the errors above
}

func (e *repairError) Error() string { return fmt.Sprintf("byte %d: %v", e.Offset, e.Err) }

// Unwrap returns the cause.
func (e *repairError) Unwrap() error { return e.Err }

// repair turns a text that is almost a JSON object into valid JSON. It repairs trailing
// and missing commas, single quotes, Python literals, non-finite numbers (which become
// strings), raw control characters and unknown escapes in strings, unquoted keys, and
// missing closing brackets at the end. It returns the object and the repairs. If
// nothing needs repair, the object is the text without the blanks around it.
//
// Repair does not guess: a text that ends inside a string, a number or a literal is an
// error, and so is anything else that is not JSON. Errors are *[repairError]. Repair
// takes time linear in the text.
func repair(text string) (json.RawMessage, toolcall.Tolerances, error) {
	fail := func(offset int, err error) (json.RawMessage, toolcall.Tolerances, error) {
		return nil, 0, &repairError{Offset: offset, Err: err}
	}
	const blanks = " \t\r\n"
	end := len(strings.TrimRight(text, blanks))
	begin := len(text) - len(strings.TrimLeft(text, blanks))
	if begin >= end || text[begin] != '{' {
		return fail(min(begin, end), errNotAnObject)
	}
	var out jsonstream.Out
	scan := jsonstream.Scanner{Out: &out, MaxDepth: maxDepth, Quiet: true}
	for at := begin; at < end; {
		kind, next := scan.Next(text[:end], at)
		switch {
		case kind == jsonstream.Invalid && errors.Is(scan.Err, jsonstream.ErrDepth):
			return fail(next, errTooDeep)
		case kind == jsonstream.Invalid:
			return fail(next, errInvalidJSON)
		case kind == jsonstream.More && next < end:
			return fail(next, errTrailing)
		}
		at = next
	}
	if !scan.Close() {
		return fail(end, errCut)
	}
	return json.RawMessage(out.Take()), scan.Tolerances, nil
}
