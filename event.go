package toolparse

import (
	"encoding/json"
	"fmt"
)

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

// MarshalText implements [encoding.TextMarshaler].
func (t EventType) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// SegmentType is the meaning of a run of output. Dialects with tags of their
// own for a tool may add types beyond the ones named here.
type SegmentType string

// The segment types of the founding design.
const (
	SegmentText      SegmentType = "text"
	SegmentReasoning SegmentType = "reasoning"
	SegmentRefusal   SegmentType = "refusal"    // what a provider's wire keeps apart as the model's refusal
	SegmentToolCall  SegmentType = "tool_call"  // content: the arguments, as one JSON object
	SegmentWriteFile SegmentType = "write_file" // content: the file, decoded
	SegmentEditFile  SegmentType = "edit_file"  // content: the patch, decoded
	SegmentRunBash   SegmentType = "run_bash"   // content: the command, decoded
)

// IsCall reports whether a segment of this type is a tool call, whatever its
// surface: everything but text, reasoning and refusals is.
func (t SegmentType) IsCall() bool {
	switch t {
	case SegmentText, SegmentReasoning, SegmentRefusal, "":
		return false
	}
	return true
}

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

// Metadata decodes the metadata of a SegmentStart or SegmentEnd, such as the
// path of a file segment or a provider's call_id. Numbers are [json.Number].
// It returns nil where there is none.
func (e Event) Metadata() map[string]any {
	if e.Type == SegmentContent || e.Payload == "" {
		return nil
	}
	return decodeObject(e.Payload)
}

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

// MarshalText implements [encoding.TextMarshaler].
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

func nameOf(names []string, i int, kind string) string {
	if i >= 0 && i < len(names) && names[i] != "" {
		return names[i]
	}
	return fmt.Sprintf("%s(%d)", kind, i)
}

func decodeObject(text string) map[string]any {
	dec := json.NewDecoder(newStringReader(text))
	dec.UseNumber()
	var m map[string]any
	if dec.Decode(&m) != nil {
		return nil
	}
	return m
}
