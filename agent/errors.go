package agent

import (
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

// Category is what kind of error something is; it decides what happens next.
type Category uint8

// The categories, and what each leads to.
const (
	Validation Category = iota + 1 // the model is asked to correct the call
	Execution                      // told to the model
	Timeout                        // told to the model; a request, or a repeatable tool, is tried again before
	Permission                     // told to the model
	NotFound                       // told to the model
	Resource                       // told to the model
	Network                        // tried again, then told or the end of the run
	Quota                          // tried again later, then told or the end of the run
	Fatal                          // ends the run
)

var categoryNames = []string{
	"", "ValidationError", "ExecutionError", "TimeoutError", "PermissionError", "NotFoundError",
	"ResourceError", "NetworkError", "QuotaError", "FatalError",
}

// String returns the category's name, such as "TimeoutError".
func (c Category) String() string { return nameOf(categoryNames, int(c)) }

// MarshalText implements [encoding.TextMarshaler]; it never fails.
func (c Category) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler], and fails on other words.
func (c *Category) UnmarshalText(text []byte) error {
	return readName(c, categoryNames, "category", text)
}

// The codes of errors that the loop makes itself.
const (
	CodeTimeout     = "TIMEOUT"
	CodeParse       = "PARSE"        // the call is broken
	CodeCut         = "CUT"          // the call was cut off
	CodeInvalid     = "INVALID"      // the arguments do not fit the schema
	CodeUnknown     = "UNKNOWN_TOOL" // there is no such tool, or it may not be called now
	CodeDenied      = "DENIED"       // by the policy or the user
	CodeApproval    = "APPROVAL"     // a person has to allow it, and none was asked
	CodeNotRun      = "NOT_RUN"      // the turn ended before
	CodeLimit       = "LIMIT"        // too many calls
	CodeLoop        = "LOOP"         // the same call again and again
	CodeCancelled   = "CANCELLED"
	CodeInterrupted = "INTERRUPTED" // the process ended while the tool ran
	CodePanic       = "PANIC"
)

// Error is what went wrong with a call or with a request to a provider.
type Error struct {
	Category Category       `json:"type"`
	Message  string         `json:"message"`
	Code     string         `json:"code,omitempty"`
	Details  map[string]any `json:"details,omitempty"`
	// Action is what the model can do about it; by the category where it is "".
	Action string `json:"action,omitempty"`

	Status     int           `json:"status,omitempty"` // of HTTP, from a provider
	RetryAfter time.Duration `json:"-"`                // as the provider asks
	cause      error
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.cause }

// Type returns the error in the words of a [ToolResult.Structured]: not_found,
// validation_failed, permission_denied, io_error, parse_error or internal_error.
func (e *Error) Type() string {
	if e.Code == CodeParse || e.Code == CodeCut {
		return "parse_error"
	}
	switch e.Category {
	case Validation:
		return "validation_failed"
	case Permission:
		return "permission_denied"
	case NotFound:
		return "not_found"
	case Resource, Network:
		return "io_error"
	}
	return "internal_error"
}

// action is what to do about the error.
func (e *Error) action() string {
	if e.Action != "" {
		return e.Action
	}
	switch e.Category {
	case Validation:
		return "Correct the arguments and send the whole call again."
	case Execution:
		return "Check the arguments, or try another way."
	case Timeout:
		return "Break the work into smaller steps, or allow more time."
	case Permission:
		return "Do not try this again. Find another way, or say what you would need."
	case NotFound:
		return "Check that the name exists before you use it."
	case Resource:
		return "Check what is there, and adapt."
	case Network, Quota:
		return "Try again later, or go on without it."
	}
	return "Stop here and say what happened."
}

// ForModel words the error for the model: what failed, and what to do next.
func (e *Error) ForModel() string {
	switch e.Code {
	case CodeParse, CodeCut, CodeInvalid, CodeUnknown: // package adapter has said what to do
		return "Error: " + e.Message
	}
	return "Error: " + e.Message + "\n" + e.action()
}

// Failure returns an error of a category, in the words of fmt.
func Failure(c Category, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Category: c, Message: err.Error(), cause: errors.Unwrap(err)}
}

// Categorize returns an error as an *[Error]: itself where it is one, else by what it
// wraps. Every error has exactly one category.
func Categorize(err error) *Error {
	if own, ok := errors.AsType[*Error](err); ok {
		return own
	}
	e := &Error{Category: Execution, Message: err.Error(), cause: err}
	var network net.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		e.Category, e.Code = Timeout, CodeTimeout
	case errors.Is(err, context.Canceled):
		e.Code = CodeCancelled
	case errors.Is(err, fs.ErrNotExist):
		e.Category = NotFound
	case errors.Is(err, fs.ErrPermission):
		e.Category = Permission
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, fs.ErrExist):
		e.Category = Resource
	case errors.As(err, &network) && network.Timeout():
		e.Category, e.Code = Timeout, CodeTimeout
	case errors.As(err, &network), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET):
		e.Category = Network
	}
	if _, ok := errors.AsType[*json.SyntaxError](err); ok {
		e.Category = Validation
	}
	return e
}

// UnexpectedFinishError reports an answer that ended for a reason that no loop can go on
// from, such as the limit of its length. What came is in the session.
type UnexpectedFinishError struct{ Finish chat.Finish }

// Error returns the reason.
func (e *UnexpectedFinishError) Error() string {
	switch e.Finish.Reason {
	case chat.FinishLength:
		return "the answer was cut off at the limit for its length"
	case chat.FinishContentFilter:
		return "the provider's filter stopped the answer"
	case chat.FinishRefusal:
		return "the model declined to answer"
	}
	return fmt.Sprintf("the answer ended with %q", e.Finish.Word)
}

// StreamEndedError reports an answer whose stream broke off. What had come is in the
// session.
type StreamEndedError struct{ cause error }

// Error returns the cause.
func (e *StreamEndedError) Error() string { return "the answer broke off: " + e.cause.Error() }

// Unwrap returns the cause.
func (e *StreamEndedError) Unwrap() error { return e.cause }

// LoopError reports a model that did not get any further.
type LoopError struct{ Repetition string }

// Error says what it repeated.
func (e *LoopError) Error() string { return "the model goes in circles: " + e.Repetition }
