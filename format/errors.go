package format

import (
	"fmt"
	"io"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/toolcall"
)

// SyntaxError means that an event does not conform to its wire: broken JSON, a value of
// the wrong type, a body of another format. Its fields are the Wire, the number of the
// Event (from 1), the byte Offset in the stream, the Field (the path of the value, "" for
// broken JSON), and Err, the reason.
type SyntaxError = frame.SyntaxError

// TooLargeError means that an event is larger than Options.MaxEventBytes.
type TooLargeError = frame.TooLargeError

// ErrUnfinished is the reason in a SyntaxError if the provider is still working on the
// answer, for example in the background.
var ErrUnfinished = chat.ErrUnfinished

// TruncatedError means that the input ended before the wire's end marker: the connection
// broke, or the server gave up. It matches io.ErrUnexpectedEOF.
type TruncatedError struct {
	Wire   Wire
	Events int   // complete events
	Offset int64 // bytes read
}

// Error returns what is missing and how far the input went.
func (e *TruncatedError) Error() string {
	return fmt.Sprintf("%s stream ends before %s, after event %d, byte %d", e.Wire, e.Wire.endMarker(), e.Events, e.Offset)
}

// Unwrap returns io.ErrUnexpectedEOF.
func (e *TruncatedError) Unwrap() error { return io.ErrUnexpectedEOF }

// RestartError means that the provider restarted its message after a part of a call had
// been written, which cannot be undone. It ends the translation.
type RestartError struct {
	Wire   Wire
	Event  int   // the event that restarted the message
	Offset int64 // where it begins
}

// Error returns what happened and where.
func (e *RestartError) Error() string {
	return fmt.Sprintf("%s stream: the provider restarted its message after a call had begun, at event %d, byte %d", e.Wire, e.Event, e.Offset)
}

// HTMLError is the reason in a SyntaxError if the body is an HTML page, such as the error
// page of a gateway.
type HTMLError struct {
	Summary string // the page's title, or the beginning of its text
}

// Error returns what the page says.
func (e *HTMLError) Error() string {
	if e.Summary == "" {
		return "the body is an HTML page"
	}
	return fmt.Sprintf("the body is an HTML page: %q", e.Summary)
}

// RequestError means that Auto found a request to a provider instead of an answer. The
// calls in its history are not new.
type RequestError struct{ Wire Wire }

// Error names the wire of the request.
func (e *RequestError) Error() string {
	return fmt.Sprintf("the body is a request of the wire format %s, not an answer", e.Wire)
}

// PlainTextError is the reason in a SyntaxError if the body is neither events nor JSON,
// such as a model's plain text.
type PlainTextError struct {
	Beginning string // the beginning of the body
}

// Error quotes the beginning of the body.
func (e *PlainTextError) Error() string {
	return fmt.Sprintf("the body is neither events nor JSON; it begins %q", e.Beginning)
}

// ReportedError is an error that the provider reported in its stream.
type ReportedError struct {
	Code    string // or the type of the error; may be ""
	Message string
}

// Error returns the provider's code and message.
func (e *ReportedError) Error() string {
	text := "the provider reported an error"
	if e.Code != "" {
		text += " (" + e.Code + ")"
	}
	if e.Message != "" {
		text += ": " + e.Message
	}
	return text
}

// Reported returns the error that a delta reports, or nil if it reports none.
func Reported(d toolcall.Delta) *ReportedError {
	if d.Kind != toolcall.DeltaError {
		return nil
	}
	return &ReportedError{Code: d.Name, Message: d.Text}
}
