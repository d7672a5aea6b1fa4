package main

import (
	"errors"
	"fmt"

	"github.com/toolparse/toolparse/format"
)

const hintUnfinished = "ask the provider for it again once it is completed"

// describeInput describes the error of an input: the file, the place, what is wrong,
// and what to try.
func describeInput(name string, err error) string {
	name = showName(name)
	at := func(offset int64, event int, what, hint string) string {
		return fmt.Sprintf("%s: byte %d (event %d): %s; %s", name, offset, event, what, hint)
	}
	if e, ok := errors.AsType[*format.TruncatedError](err); ok {
		return at(e.Offset, e.Events, fmt.Sprintf("the %s stream stops before its end marker", e.Wire),
			"the connection or the file may be truncated; everything before was parsed")
	}
	if e, ok := errors.AsType[*format.TooLargeError](err); ok {
		return at(e.Offset, e.Event, fmt.Sprintf("an event of more than %d bytes", e.Limit),
			"if the event is valid, raise --max-event-bytes")
	}
	if e, ok := errors.AsType[*format.SyntaxError](err); ok {
		what, hint := e.Err.Error(), "if it is another wire format, name it with -w; for plain text use -w text"
		if e.Field != "" {
			what = e.Field + ": " + what
		}
		if _, ok := errors.AsType[*format.HTMLError](err); ok {
			hint = "the server or a proxy answered with an error page"
		}
		if _, ok := errors.AsType[*format.PlainTextError](err); ok {
			hint = "if it is a model's plain text, leave out -w or use -w text"
		}
		if errors.Is(err, format.ErrUnfinished) {
			hint = hintUnfinished
		}
		return at(e.Offset, e.Event, what, hint)
	}
	if e, ok := errors.AsType[*format.RequestError](err); ok {
		return fmt.Sprintf("%s: %v; pass the provider's answer; to convert a request use translate --kind request, if a model wrote it use -w text", name, e)
	}
	if e, ok := errors.AsType[*foreignError](err); ok {
		return fmt.Sprintf("%s: %v", name, e)
	}
	if e, ok := errors.AsType[*fieldError](err); ok {
		return fmt.Sprintf("%s: %v", name, e)
	}
	if e, ok := errors.AsType[*readError](err); ok {
		if e.offset == 0 {
			return fmt.Sprintf("%s: %v", name, e.err)
		}
		return fmt.Sprintf("%s: byte %d: %v", name, e.offset, e.err)
	}
	return fmt.Sprintf("%s: %v", name, err)
}
