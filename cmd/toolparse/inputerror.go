package main

import (
	"errors"
	"fmt"

	"github.com/toolparse/toolparse/format"
)

// hints are the hints in messages about inputs that name a command's own flags.
type hints struct{ tooLarge, wire, plainText, request, binary string }

var (
	parseHints = hints{
		tooLarge:  "; if the event is valid, raise --max-event-bytes",
		wire:      "; if it is another wire format, name it with -w; for plain text use -w text",
		plainText: "; if it is a model's plain text, leave out -w or use -w text",
		request:   "pass the provider's answer; to convert a request use translate --kind request, if a model wrote it use -w text",
		binary:    "; -w text accepts any bytes",
	}
	translateHints = hints{
		wire:      "; if it is another wire format, name it with --from",
		plainText: "; if it is a model's plain text, use parse -o WIRE",
		request:   "use --kind request",
	}
)

// describe describes the error of an input: the file, the place, what is wrong, and what
// to try.
func (h hints) describe(name string, err error) string {
	name = showName(name)
	at := func(offset int64, event int, what, hint string) string {
		return fmt.Sprintf("%s: byte %d (event %d): %s%s", name, offset, event, what, hint)
	}
	if e, ok := errors.AsType[*format.TruncatedError](err); ok {
		return at(e.Offset, e.Events, fmt.Sprintf("the %s stream stops before its end marker", e.Wire),
			"; the connection or the file may be truncated; everything before was parsed")
	}
	if e, ok := errors.AsType[*format.TooLargeError](err); ok {
		return at(e.Offset, e.Event, fmt.Sprintf("an event of more than %d bytes", e.Limit), h.tooLarge)
	}
	if e, ok := errors.AsType[*format.SyntaxError](err); ok {
		what, hint := e.Err.Error(), h.wire
		if e.Field != "" {
			what = e.Field + ": " + what
		}
		if _, ok := errors.AsType[*format.HTMLError](err); ok {
			hint = "; the server or a proxy answered with an error page"
		}
		if _, ok := errors.AsType[*format.PlainTextError](err); ok {
			hint = h.plainText
		}
		if errors.Is(err, format.ErrUnfinished) {
			hint = "; ask the provider for it again once it is completed"
		}
		return at(e.Offset, e.Event, what, hint)
	}
	if e, ok := errors.AsType[*format.RequestError](err); ok {
		return fmt.Sprintf("%s: %v; %s", name, e, h.request)
	}
	// The user needs only the error of the input, without what the readers above it add.
	if e, ok := errors.AsType[*foreignError](err); ok {
		if err = e; e.binary {
			return fmt.Sprintf("%s: %v%s", name, err, h.binary)
		}
	} else if e, ok := errors.AsType[*readError](err); ok {
		err = e
	}
	return fmt.Sprintf("%s: %v", name, err)
}
