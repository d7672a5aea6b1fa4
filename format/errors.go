package format

import (
	"fmt"
	"io"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/frame"
	"github.com/toolparse/toolparse/toolcall"
)

// SyntaxError reports an event that is not what its wire calls for: broken
// JSON, a value of the wrong type, a body of another format. Its fields are the
// Wire, the number of the Event (from 1), the byte Offset in the stream, the
// Field (the path of the value, "" for broken JSON), and Err, the reason.
type SyntaxError = frame.SyntaxError

// TooLargeError reports an event that is larger than Options.MaxEventBytes.
type TooLargeError = frame.TooLargeError

// ErrUnfinished is the reason of a SyntaxError where a body is an answer that its
// provider is still working on, as one made in the background.
var ErrUnfinished = chat.ErrUnfinished

// TruncatedError reports that the input ended before the wire's own end
// marker: the connection broke, or the server gave up without a word. It
// matches io.ErrUnexpectedEOF.
type TruncatedError struct {
	Wire   Wire
	Events int   // how many events came whole
	Offset int64 // how many bytes came
}

// Error returns what is missing and how far the input went.
func (e *TruncatedError) Error() string {
	return fmt.Sprintf("%s stream ends before %s, after event %d, byte %d", e.Wire, e.Wire.endMarker(), e.Events, e.Offset)
}

// Unwrap returns io.ErrUnexpectedEOF.
func (e *TruncatedError) Unwrap() error { return io.ErrUnexpectedEOF }

// RestartError reports that the provider began its message anew when some of a
// call was written, which cannot be taken back. The translation ends there.
type RestartError struct {
	Wire   Wire
	Event  int   // that began the message anew
	Offset int64 // where it begins
}

// Error returns what happened and where.
func (e *RestartError) Error() string {
	return fmt.Sprintf("%s stream: the provider restarted its message after a call had begun, at event %d, byte %d", e.Wire, e.Event, e.Offset)
}

// HTMLError is the reason of a SyntaxError where the body is an HTML page, as
// gateways send them when they fail.
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

// RequestError reports that Auto found a request to a provider, which is no answer:
// the calls in its history were made before.
type RequestError struct{ Wire Wire }

// Error returns whose request it is.
func (e *RequestError) Error() string {
	return fmt.Sprintf("the body is a request of the wire format %s, not an answer", e.Wire)
}

// PlainTextError is the reason of a SyntaxError where the body is neither events
// nor JSON, such as the text of a model.
type PlainTextError struct {
	Beginning string // the beginning of the body
}

// Error returns how the body begins.
func (e *PlainTextError) Error() string {
	return fmt.Sprintf("the body is neither events nor JSON; it begins %q", e.Beginning)
}

// ReportedError is an error that the provider reported inside its stream.
type ReportedError struct {
	Code    string // or the error's type; "" where there is none
	Message string
}

// Error returns what the provider said.
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

// Reported returns the error that a delta reports, or nil where it is another.
func Reported(d toolcall.Delta) *ReportedError {
	if d.Kind != toolcall.DeltaError {
		return nil
	}
	return &ReportedError{Code: d.Name, Message: d.Text}
}
