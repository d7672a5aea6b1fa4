package toolcall

// Status is how a segment ended.
type Status uint8

// Every segment ends in one of these ways. Only a complete call may run.
const (
	Complete   Status = iota + 1
	Incomplete        // the stream ended inside it
	Malformed         // its syntax broke
	Rejected          // a limit or a policy ended it
)

var statusNames = [...]string{Complete: "complete", Incomplete: "incomplete", Malformed: "malformed", Rejected: "rejected"}

// String returns the status in lower case.
func (s Status) String() string { return nameOf(statusNames[:], int(s), "Status") }

// MarshalText implements [encoding.TextMarshaler]: it is String, and never fails.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
