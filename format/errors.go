package format

import (
	"fmt"
	"io"

	"github.com/toolparse/toolparse/internal/htmlpage"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/internal/wire/sniff"
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
var ErrUnfinished = wire.ErrUnfinished

// ForeignError is the reason in a SyntaxError if a stream begins with an event of another
// wire than the one in the options.
type ForeignError struct{ Wire Wire }

// Error names the wire of the event.
func (e *ForeignError) Error() string { return fmt.Sprintf("the event belongs to the wire %s", e.Wire) }

// TruncatedError means that the input ended before the wire's end marker: the connection
// broke, or the server gave up. It matches io.ErrUnexpectedEOF.
type TruncatedError struct {
	Wire   Wire
	Events int   // complete events
	Offset int64 // bytes read
}

// Error returns what is missing and how far the input went.
func (e *TruncatedError) Error() string {
	return fmt.Sprintf("%s stream ends before %s, after event %d, byte %d", e.Wire, e.end(), e.Events, e.Offset)
}

// end returns the name of the end of a stream.
func (e *TruncatedError) end() string {
	if w, err := all.Of(e.Wire); err == nil {
		return w.End
	}
	return "its end"
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

// PlainTextError is the reason in a SyntaxError if the body is neither events nor JSON,
// such as a model's plain text.
type PlainTextError struct {
	Beginning string // the beginning of the body
}

// Error quotes the beginning of the body.
func (e *PlainTextError) Error() string {
	return fmt.Sprintf("the body is neither events nor JSON; it begins %q", e.Beginning)
}

// HTMLError is the reason in a SyntaxError if the body is an HTML page, such as the error
// page of a gateway. Its Summary is the page's title, or the beginning of its text.
type HTMLError = htmlpage.Error

// RequestError means that Auto found a request to a provider instead of an answer. The
// calls in its history are not new. Its field Wire is that of the request.
type RequestError = sniff.RequestError

// ReportedError is an error that the provider reported in its stream: its Code, or the
// type of the error, which may be "", and its Message.
type ReportedError = wire.Error
