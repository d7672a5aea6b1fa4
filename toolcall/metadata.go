package toolcall

import (
	"encoding/json"
	"iter"
	"strings"

	"github.com/toolparse/toolparse/internal/callmeta"
)

// Metadata decodes the metadata of a SegmentStart or SegmentEnd, such as the path of a
// file segment or a provider's call_id. Numbers are [json.Number]. It returns nil if
// Payload is not a JSON object. Each call decodes again; the caller owns the map.
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

// Parameters yields the arguments that the metadata of a SegmentStart or SegmentEnd
// contains, as JSON and in their order. The parameters of the start and of the end and
// the content, which is the value of [Event.ContentParameter], are together all
// arguments of the call. Do not call it for a tool_call, whose content is all of its
// arguments.
func (e Event) Parameters() iter.Seq2[string, json.RawMessage] {
	return func(yield func(string, json.RawMessage) bool) {
		if e.Type == SegmentContent || e.Payload == "" {
			return
		}
		parameters(e.Payload, false, yield)
	}
}

// parameters yields the members of an object, and reports whether to continue. nested
// says that the object holds the arguments with reserved names.
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
		case !nested && name == callmeta.MetadataArguments:
			if !parameters(string(value), true, yield) {
				return false
			}
		case nested || !callmeta.IsReserved(name):
			if !yield(name, value) {
				return false
			}
		}
	}
	return true
}
