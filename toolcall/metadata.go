package toolcall

import (
	"encoding/json"
	"iter"
	"strings"
)

// Metadata decodes the metadata of a SegmentStart or SegmentEnd, such as the
// path of a file segment or a provider's call_id. Numbers are [json.Number].
// It returns nil where there is none, or where Payload is no JSON object. Every
// call decodes anew: the map is the caller's.
func (e Event) Metadata() map[string]any {
	if e.Type == SegmentContent || e.Payload == "" {
		return nil
	}
	dec := json.NewDecoder(strings.NewReader(e.Payload))
	dec.UseNumber()
	var m map[string]any
	if dec.Decode(&m) != nil {
		return nil
	}
	return m
}

// metadataArguments is the metadata member that holds the arguments whose names
// have another meaning among the metadata.
const metadataArguments = "arguments"

// ReservedMetadata reports whether a metadata member of that name describes the
// segment, and is no argument of its call.
func ReservedMetadata(name string) bool {
	switch name {
	case "tool_name", "call_id", "unknown_tool", "status", "reason", "tolerances", metadataArguments:
		return true
	}
	return false
}

// Parameters yields the arguments, as JSON, that the metadata of a SegmentStart
// or SegmentEnd hold, in their order. With the content, which is that of the
// [Origin.ContentParameter], those of the start and of the end are all arguments
// of the call. Arguments of a reserved name (see [ReservedMetadata]) are members
// of the metadata's "arguments". The metadata of a tool_call are no arguments.
func (e Event) Parameters() iter.Seq2[string, json.RawMessage] {
	return func(yield func(string, json.RawMessage) bool) {
		if e.Type == SegmentContent || e.Payload == "" {
			return
		}
		parameters(e.Payload, false, yield)
	}
}

// parameters yields the members of an object, and reports whether it may go on.
// Nested, it is that of the reserved names.
func parameters(object string, nested bool, yield func(string, json.RawMessage) bool) bool {
	dec := json.NewDecoder(strings.NewReader(object))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return true
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return true
		}
		name, _ := key.(string)
		var value json.RawMessage
		if dec.Decode(&value) != nil {
			return true
		}
		switch {
		case !nested && name == metadataArguments:
			if !parameters(string(value), true, yield) {
				return false
			}
		case nested || !ReservedMetadata(name):
			if !yield(name, value) {
				return false
			}
		}
	}
	return true
}
