package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"syscall"
	"time"

	"github.com/toolparse/toolparse/format/chat"
)

// Category is the kind of an error. It decides what the agent does about it.
type Category string

// The categories, each with its consequence.
const (
	Validation Category = "ValidationError" // the model is asked to correct the call
	Execution  Category = "ExecutionError"  // reported to the model
	Timeout    Category = "TimeoutError"    // reported to the model, after repeating a request or a repeatable tool
	Permission Category = "PermissionError" // reported to the model
	NotFound   Category = "NotFoundError"   // reported to the model
	Resource   Category = "ResourceError"   // reported to the model
	Network    Category = "NetworkError"    // repeated; then reported to the model, or the run ends
	Quota      Category = "QuotaError"      // repeated later; then reported to the model, or the run ends
	Fatal      Category = "FatalError"      // ends the run
)

// The codes of the agent's own errors; see [Error.Code].
const (
	codeTimeout     = "TIMEOUT"
	codeParse       = "PARSE"
	codeCut         = "CUT"
	codeInvalid     = "INVALID"
	codeUnknown     = "UNKNOWN_TOOL"
	codeDenied      = "DENIED"
	codeNotRun      = "NOT_RUN"
	codeLimit       = "LIMIT"
	codeLoop        = "LOOP"
	codeCancelled   = "CANCELLED"
	codeInterrupted = "INTERRUPTED"
	codePanic       = "PANIC"
	codeFinish      = "FINISH"
	codeBrokenOff   = "BROKEN_OFF"
)

// Error is the error of a call, of a request to a provider, or of a run.
type Error struct {
	Category Category `json:"type"`
	Message  string   `json:"message"`
	// Code tells errors of one category apart. A tool may use any. Those of the agent are,
	// for a call that ran: TIMEOUT, PANIC, CANCELLED, and INTERRUPTED (the process ended
	// while it ran); for one that did not run: PARSE (it is broken), CUT (it was cut off),
	// INVALID (it does not fit the schema), UNKNOWN_TOOL (the tool does not exist, or may not
	// be called now), DENIED, NOT_RUN (the turn ended before), LIMIT (too many calls), and
	// LOOP (the model repeats itself); for a run: LOOP, FINISH (an answer ended in a way
	// after which the loop cannot continue), and BROKEN_OFF (its stream did).
	Code    string         `json:"code,omitempty"`
	Details map[string]any `json:"details,omitempty"`
	// Action says what the model can do about it; "" means the advice for the category.
	Action string `json:"action,omitempty"`

	Status     int           `json:"status,omitempty"` // HTTP status, from a provider
	RetryAfter time.Duration `json:"-"`                // as the provider requests
	cause      error
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.cause }

// told says how errors of each category are told: by the error_type of a structured result,
// and by what the model can do about them.
var told = map[Category]struct{ word, advice string }{
	Validation: {"validation_failed", "Correct the arguments and send the whole call again."},
	Execution:  {"internal_error", "Check the arguments, or try another way."},
	Timeout:    {"internal_error", "Break the work into smaller steps, or allow more time."},
	Permission: {"permission_denied", "Do not try this again. Find another way, or say what you would need."},
	NotFound:   {"not_found", "Check that the name exists before you use it."},
	Resource:   {"io_error", "Check what is there, and adapt."},
	Network:    {"io_error", "Try again later, or go on without it."},
	Quota:      {"internal_error", "Try again later, or go on without it."},
	Fatal:      {"internal_error", "Stop here and say what happened."},
}

// structuredType returns the error_type of a structured result.
func (e *Error) structuredType() string {
	if e.Code == codeParse || e.Code == codeCut {
		return "parse_error"
	}
	return cmp.Or(told[e.Category].word, told[Fatal].word)
}

// action returns what to do about the error.
func (e *Error) action() string {
	return cmp.Or(e.Action, told[e.Category].advice, told[Fatal].advice)
}

// forModel words the error for the model: what failed, and what to do next.
func (e *Error) forModel() string {
	switch e.Code {
	case codeParse, codeCut, codeInvalid, codeUnknown: // package adapter has worded what to do
		return "Error: " + e.Message
	}
	return "Error: " + e.Message + "\n" + e.action()
}

// Failure returns an error of a category, with a message formatted like [fmt.Sprintf].
func Failure(c Category, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Category: c, Message: err.Error(), cause: errors.Unwrap(err)}
}

// Categorize returns err as an *[Error]: err itself if it is one, or else one whose
// category follows from the errors that err wraps.
func Categorize(err error) *Error {
	if typed, ok := errors.AsType[*Error](err); ok {
		return typed
	}
	e := &Error{Category: Execution, Message: err.Error(), cause: err}
	var network net.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		e.Category, e.Code = Timeout, codeTimeout
	case errors.Is(err, context.Canceled):
		e.Code = codeCancelled
	case errors.Is(err, fs.ErrNotExist):
		e.Category = NotFound
	case errors.Is(err, fs.ErrPermission):
		e.Category = Permission
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, fs.ErrExist):
		e.Category = Resource
	case errors.As(err, &network) && network.Timeout():
		e.Category, e.Code = Timeout, codeTimeout
	case errors.As(err, &network), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET):
		e.Category = Network
	}
	if _, ok := errors.AsType[*json.SyntaxError](err); ok {
		e.Category = Validation
	}
	return e
}

// finishError returns the error of an answer after whose end the loop cannot continue, such
// as the token limit.
func finishError(finish chat.Finish) *Error {
	e := &Error{Category: Execution, Code: codeFinish, Message: fmt.Sprintf("the answer ended with %q", finish.Word)}
	switch finish.Reason {
	case chat.FinishLength:
		e.Message = "the answer was cut off at its token limit"
	case chat.FinishContentFilter:
		e.Message = "the provider's filter stopped the answer"
	case chat.FinishRefusal:
		e.Message = "the model declined to answer"
	}
	return e
}

// brokenOff returns the error of an answer whose stream broke off.
func brokenOff(err error) *Error {
	return &Error{Category: Categorize(err).Category, Code: codeBrokenOff, Message: "the answer broke off: " + err.Error(), cause: err}
}

// loopError returns the error of a model that repeats itself without progress.
func loopError(what string) *Error {
	return &Error{Category: Execution, Code: codeLoop, Message: "the model goes in circles: " + what}
}
