package toolcall

// Status says how a segment ended.
type Status uint8

// The statuses. Only a Complete call may be run.
const (
	Complete   Status = iota + 1
	Incomplete        // the stream ended inside it
	Malformed         // its syntax broke
	Rejected          // it exceeded a limit or broke a policy
)

var statusNames = [...]string{Complete: "complete", Incomplete: "incomplete", Malformed: "malformed", Rejected: "rejected"}

// String returns the status in lower case.
func (s Status) String() string { return nameOf(statusNames[:], int(s), "Status") }

// MarshalText implements [encoding.TextMarshaler]. It returns String and never fails.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Reason says why a segment did not end normally.
type Reason uint8

// The reasons, grouped by status.
const (
	ReasonNone Reason = iota

	// Incomplete.
	ReasonEndOfStream // the input ended inside the segment
	ReasonTruncated   // the provider reported that it cut the output (length, filter)

	// Malformed.
	ReasonInvalidJSON        // the arguments are not JSON and cannot be repaired
	ReasonNotAnObject        // the arguments are JSON, but not an object
	ReasonNoName             // a native call ended without a name
	ReasonUnreadArgument     // a part that may be an argument could not be read
	ReasonMissingContent     // a file or shell call without path, content or command
	ReasonArgumentsDiffer    // the provider's final arguments or name contradict the streamed ones
	ReasonToleranceForbidden // the call needed a tolerance in strict mode

	// Rejected.
	ReasonCallTooLarge // Limits.CallBytes
	ReasonTooDeep      // Limits.Depth
	ReasonTooManyCalls // Limits.Calls
	ReasonTooMuchHeld  // Limits.HeldBytes: a key or value that cannot stream is too long
	ReasonStreamError  // the provider reported an error in the stream
	ReasonRestarted    // the provider abandoned the message and began it anew
	ReasonDuplicate    // the answer already made the same call, natively or in its text
)

var reasonNames = [...]string{
	ReasonNone:               "none",
	ReasonEndOfStream:        "end_of_stream",
	ReasonTruncated:          "truncated_by_provider",
	ReasonInvalidJSON:        "invalid_json",
	ReasonNotAnObject:        "arguments_not_an_object",
	ReasonNoName:             "no_name",
	ReasonUnreadArgument:     "unread_argument",
	ReasonMissingContent:     "missing_content",
	ReasonArgumentsDiffer:    "arguments_differ",
	ReasonToleranceForbidden: "tolerance_forbidden",
	ReasonCallTooLarge:       "call_too_large",
	ReasonTooDeep:            "nested_too_deep",
	ReasonTooManyCalls:       "too_many_calls",
	ReasonTooMuchHeld:        "too_much_held",
	ReasonStreamError:        "stream_error",
	ReasonRestarted:          "message_restarted",
	ReasonDuplicate:          "duplicate_call",
}

// String returns the reason's name in output, such as "end_of_stream".
func (r Reason) String() string { return nameOf(reasonNames[:], int(r), "Reason") }

// MarshalText implements [encoding.TextMarshaler]. It returns String and never fails.
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// Limits bound what hostile input can make a parser hold or emit. Fields of zero or less
// mean the defaults. A call that exceeds CallBytes, Depth or Calls, or a value beyond
// HeldBytes that cannot stream, ends as [Rejected] with the reason. Anything that exceeds
// HeldBytes or BlankBytes before it is certain to be a call is text.
type Limits struct {
	CallBytes  int // bytes of one call, as written; default 64 MiB
	HeldBytes  int // bytes that are held back until their meaning is certain; default 4 MiB
	BlankBytes int // bytes of white space held back between markers; default 64 KiB
	Depth      int // nesting inside a call; default 128
	Calls      int // calls in one stream; default 10,000
}

// Range is a range of bytes in a text: from offset Start up to, but excluding, End.
type Range struct{ Start, End int64 }
