package text

import (
	"fmt"
	"strings"

	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// Error says why something cannot be written in a dialect.
type Error struct {
	Dialect  string
	Tool     string // "" if the error is not in a call
	Argument string // "" if the error is not in an argument
	Reason   string // in words

	// Read is the reason with which the parser would end the call, or 0 if the end of the
	// call is not the problem.
	Read toolcall.Reason
}

// Error returns the dialect, the place and the reason.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "dialect %s", e.Dialect)
	if e.Tool != "" {
		fmt.Fprintf(&b, ", tool %q", e.Tool)
	}
	if e.Argument != "" {
		fmt.Fprintf(&b, ", argument %q", e.Argument)
	}
	return b.String() + ": " + e.Reason
}

// fault is the reason of an Error whose place is not known yet.
type fault = syntax.Reason

// badEnd is the fault of a call that the parser would not read as complete.
type badEnd struct {
	fault
	reason toolcall.Reason
}
