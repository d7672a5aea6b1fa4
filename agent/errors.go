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

// The codes of the agent's own errors.
const (
	CodeTimeout     = "TIMEOUT"
	CodeParse       = "PARSE"        // the call is broken
	CodeCut         = "CUT"          // the call was cut off
	CodeInvalid     = "INVALID"      // the arguments do not fit the schema
	CodeUnknown     = "UNKNOWN_TOOL" // the tool does not exist, or may not be called now
	CodeDenied      = "DENIED"       // by the policy or the user
	CodeApproval    = "APPROVAL"     // the call needs a person's permission, and nobody was asked
	CodeNotRun      = "NOT_RUN"      // the turn ended before the call could run
	CodeLimit       = "LIMIT"        // too many calls
	CodeLoop        = "LOOP"         // the model repeats the same calls
	CodeCancelled   = "CANCELLED"
	CodeInterrupted = "INTERRUPTED" // the process ended while the tool ran
	CodePanic       = "PANIC"
)

// Error is the error of a call, or of a request to a provider.
type Error struct {
	Category Category       `json:"type"`
	Message  string         `json:"message"`
	Code     string         `json:"code,omitempty"`
	Details  map[string]any `json:"details,omitempty"`
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

// Type returns the error_type of a [ToolResult.Structured]: not_found, validation_failed,
// permission_denied, io_error, parse_error or internal_error.
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

// action returns what to do about the error.
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
	case CodeParse, CodeCut, CodeInvalid, CodeUnknown: // package adapter has worded what to do
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

// UnexpectedFinishError reports that an answer ended for a reason after which the loop
// cannot continue, such as the token limit. The session contains what came of the answer.
type UnexpectedFinishError struct{ Finish chat.Finish }

// Error returns the reason.
func (e *UnexpectedFinishError) Error() string {
	switch e.Finish.Reason {
	case chat.FinishLength:
		return "the answer was cut off at its token limit"
	case chat.FinishContentFilter:
		return "the provider's filter stopped the answer"
	case chat.FinishRefusal:
		return "the model declined to answer"
	}
	return fmt.Sprintf("the answer ended with %q", e.Finish.Word)
}

// StreamEndedError reports that the stream of an answer broke off. The session contains
// what came of the answer.
type StreamEndedError struct{ cause error }

// Error returns the cause.
func (e *StreamEndedError) Error() string { return "the answer broke off: " + e.cause.Error() }

// Unwrap returns the cause.
func (e *StreamEndedError) Unwrap() error { return e.cause }

// LoopError reports that the model repeats itself without progress.
type LoopError struct{ Repetition string }

// Error says what the model repeats.
func (e *LoopError) Error() string { return "the model goes in circles: " + e.Repetition }
