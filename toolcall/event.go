package toolcall

// EventType tells the three events in the life of a segment apart.
type EventType uint8

// The life of a segment: one start, any number of contents, one end.
const (
	SegmentStart EventType = iota + 1
	SegmentContent
	SegmentEnd
)

var eventTypeNames = [...]string{SegmentStart: "SEGMENT_START", SegmentContent: "SEGMENT_CONTENT", SegmentEnd: "SEGMENT_END"}

// String returns the type's name on the wire, such as "SEGMENT_START".
func (t EventType) String() string { return nameOf(eventTypeNames[:], int(t), "EventType") }

// MarshalText implements [encoding.TextMarshaler]: it is String, and never fails.
func (t EventType) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// Event is one step in the life of a segment. It is a flat value, comparable
// with ==; its strings never alias memory that the caller may change, so it
// may be kept.
type Event struct {
	Type       EventType
	Status     Status     // SegmentEnd: how the segment ended
	Reason     Reason     // SegmentEnd: why, unless it simply is complete
	Tolerances Tolerances // SegmentEnd: what the parser put up with

	Segment SegmentType
	ID      string // segment id; of a call also the id of its invocation
	Name    string // SegmentStart of a call: the tool's name

	// Payload is the delta of a SegmentContent. On SegmentStart and
	// SegmentEnd it is the metadata, as the text of one JSON object, or empty
	// where there is none; see [Event.Delta] and [Event.Metadata].
	Payload string

	// Origin, on the SegmentStart of a call, says how the call was written.
	Origin Origin

	// Raw is the input that this event accounts for, byte for byte. Over a
	// whole stream the raws, joined, are the input of the text dialects.
	// Events that stem from a provider's own tool-call deltas have none.
	Raw string
}

// Delta returns the content that a SegmentContent adds, and "" for other types.
func (e Event) Delta() string {
	if e.Type != SegmentContent {
		return ""
	}
	return e.Payload
}
