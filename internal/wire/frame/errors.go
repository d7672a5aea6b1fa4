package frame

import "fmt"

// TooLargeError means that an event is larger than the limit.
type TooLargeError struct {
	Limit  int   // the limit, in bytes
	Event  int   // the event's number, from 1
	Offset int64 // of its data in the input
}

// Error returns the limit and the place.
func (e *TooLargeError) Error() string {
	return fmt.Sprintf("event %d (at byte %d) is larger than %d bytes", e.Event, e.Offset, e.Limit)
}

// SyntaxError means that the data of an event do not conform to its wire.
type SyntaxError struct {
	Wire   string // the wire format, if known
	Event  int    // the event's number, from 1
	Offset int64  // of the first bad byte in the input; with several data lines, too small by the length of the "data:" between them
	Field  string // path of the bad value, such as "choices[].delta"; "" if the JSON is broken
	Err    error  // what is wrong
}

// Error returns what is wrong and where.
func (e *SyntaxError) Error() string {
	s := fmt.Sprintf("event %d, byte %d: ", e.Event, e.Offset)
	if e.Wire != "" {
		s = e.Wire + " " + s
	}
	if e.Field != "" {
		s += e.Field + ": "
	}
	return s + e.Err.Error()
}

// Unwrap returns the reason.
func (e *SyntaxError) Unwrap() error { return e.Err }
