package jsonstream

import (
	"errors"
	"fmt"
	"strings"

	"github.com/toolparse/toolparse/toolcall"
)

// The reasons why [Repair] fails, beside the Err of a [Scanner].
var (
	ErrCut      = errors.New("the JSON is cut off")             // in a string, a number or a literal, or before a value
	ErrTrailing = errors.New("unexpected data after the value") // more than blanks
)

// RepairError says where and why a text cannot be repaired.
type RepairError struct {
	Offset int // offset in bytes
	Err    error
}

func (e *RepairError) Error() string { return fmt.Sprintf("byte %d: %v", e.Offset, e.Err) }

// Unwrap returns the cause.
func (e *RepairError) Unwrap() error { return e.Err }

// Repair turns a text that is almost one JSON value into valid JSON. It repairs trailing and
// missing commas, single quotes, Python literals, non-finite numbers (which become strings),
// raw control characters and unknown escapes in strings, unquoted keys, and missing closing
// brackets at the end. It returns the value and the repairs. If nothing needs repair, the
// value is the text without the blanks around it.
//
// Repair does not guess: a text that ends inside a string, a number or a literal is an
// error, and so is anything else that is not JSON. Errors are *[RepairError]. It takes time
// linear in the text.
func Repair(text string, maxDepth int) (json string, used toolcall.Tolerances, err error) {
	const blanks = " \t\r\n"
	end := len(strings.TrimRight(text, blanks))
	var out Out
	scan := Scanner{Out: &out, MaxDepth: maxDepth, Quiet: true}
	for at := len(text) - len(strings.TrimLeft(text, blanks)); at < end; {
		kind, next := scan.Next(text[:end], at)
		switch {
		case kind == Invalid:
			return "", 0, &RepairError{next, scan.Err}
		case kind == More && next < end:
			return "", 0, &RepairError{next, ErrTrailing}
		}
		at = next
	}
	if !scan.Close() {
		return "", 0, &RepairError{end, ErrCut}
	}
	return out.Take(), scan.Tolerances, nil
}
