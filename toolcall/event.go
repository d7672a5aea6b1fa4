package toolcall

import "github.com/toolparse/toolparse/internal/callmeta"

// EventType is the type of an [Event].
type EventType uint8

// The event types. A segment is one start, any number of contents, and one end.
const (
	SegmentStart EventType = iota + 1
	SegmentContent
	SegmentEnd
)

var eventTypeNames = [...]string{SegmentStart: "SEGMENT_START", SegmentContent: "SEGMENT_CONTENT", SegmentEnd: "SEGMENT_END"}

// String returns the type's name in output, such as "SEGMENT_START".
func (t EventType) String() string { return nameOf(eventTypeNames[:], int(t), "EventType") }

// MarshalText implements [encoding.TextMarshaler]. It returns String and never fails.
func (t EventType) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// Event is one step in the life of a segment. It is a flat value, comparable with ==.
// Its strings do not alias mutable memory, so it is safe to keep.
type Event struct {
	Type       EventType
	Status     Status     // SegmentEnd: how the segment ended
	Reason     Reason     // SegmentEnd: why it is not Complete
	Tolerances Tolerances // SegmentEnd: what the parser tolerated

	Segment SegmentType
	ID      string // id of the segment, and of the invocation of a call
	Name    string // SegmentStart of a call: the tool's name

	// Payload is the delta of a SegmentContent; see [Event.Delta]. On SegmentStart
	// and SegmentEnd it is the metadata as one JSON object, or ""; see
	// [Event.Metadata].
	Payload string

	// Origin records how a call was written; see [Event.Dialect] and
	// [Event.ContentParameter]. It is set on the call's SegmentStart.
	Origin callmeta.Origin

	// Raw is the part of the input that this event accounts for. The Raws of a stream,
	// joined, are its text. Events of a provider's own tool-call deltas have none.
	Raw string
}

// Delta returns the content of a SegmentContent, and "" for other types.
func (e Event) Delta() string {
	if e.Type != SegmentContent {
		return ""
	}
	return e.Payload
}

// Dialect returns, of the start of a call, the name of its dialect: "native" for a
// provider's own call, and "" if it is unknown.
func (e Event) Dialect() string { return e.Origin.Dialect() }

// ContentParameter returns, of the start of a call, the name of the parameter whose value
// is the segment's content, such as "command" for run_bash. It returns "" if the content is
// all arguments as JSON, as in a tool_call.
func (e Event) ContentParameter() string { return e.Origin.ContentParameter() }
