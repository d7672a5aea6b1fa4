package toolcall

import (
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/toolparse/toolparse/internal/callmeta"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/strictjson"
)

// UnmarshalText implements [encoding.TextUnmarshaler]. It fails on text that
// MarshalText does not write.
func (t *EventType) UnmarshalText(text []byte) error {
	return decodeName(t, eventTypeNames[:], text, "event type")
}

// UnmarshalText implements [encoding.TextUnmarshaler]. It fails on text that
// MarshalText does not write.
func (s *Status) UnmarshalText(text []byte) error {
	return decodeName(s, statusNames[:], text, "status")
}

// UnmarshalText implements [encoding.TextUnmarshaler]. It fails on text that
// MarshalText does not write.
func (r *Reason) UnmarshalText(text []byte) error {
	return decodeName(r, reasonNames[:], text, "reason")
}

// UnmarshalJSON decodes a list of names. It fails on an unknown name.
func (t *Tolerances) UnmarshalJSON(text []byte) error {
	var names []string
	if err := json.Unmarshal(text, &names); err != nil {
		return err
	}
	*t = 0
	for _, name := range names {
		i, err := valueOf(toleranceNames[:], []byte(name), "tolerance")
		if err != nil {
			return err
		}
		*t |= 1 << i
	}
	return nil
}

// UnmarshalJSON decodes what MarshalJSON writes. The result equals the original event,
// except that characters which MarshalJSON escapes in metadata stay escaped in Payload.
func (e *Event) UnmarshalJSON(text []byte) error {
	var in struct {
		eventJSON
		Payload struct {
			Delta            string          `json:"delta"`
			Metadata         json.RawMessage `json:"metadata"`
			Dialect          string          `json:"dialect"`
			ContentParameter string          `json:"content_parameter"`
		} `json:"payload"`
	}
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	out := Event{Type: in.Type, ID: in.ID, Segment: in.Segment, Payload: in.Payload.Delta}
	if in.Raw != nil {
		out.Raw = *in.Raw
	}
	if in.RawBase64 != "" {
		raw, err := base64.StdEncoding.DecodeString(in.RawBase64)
		if err != nil {
			return fmt.Errorf("toolcall: raw_base64: %w", err)
		}
		out.Raw = string(raw)
	}
	if p := in.Payload; p.Dialect != "" || p.ContentParameter != "" {
		out.Origin = callmeta.NewOrigin(p.Dialect, p.ContentParameter)
	}
	if out.Type != SegmentContent && len(in.Payload.Metadata) > 0 {
		if err := out.readMetadata(in.Payload.Metadata); err != nil {
			return fmt.Errorf("toolcall: payload.metadata: %w", err)
		}
	}
	*e = out
	return nil
}

// readMetadata reads the metadata of a start or an end. Members that have a field in
// Event go there; the others become Payload, verbatim.
func (e *Event) readMetadata(text json.RawMessage) error {
	object, err := jsonvalue.Options{MaxDepth: strictjson.MaxDepth}.Parse(string(text))
	if err != nil {
		return err
	}
	if !object.Is(jsonvalue.Object) {
		return fmt.Errorf("expected an object, got %.20s", text)
	}
	var rest []byte
	for i, name := range object.Keys {
		value := object.List[i].Raw
		var into any
		switch {
		case name == "tool_name" && e.Type == SegmentStart:
			into = &e.Name
		case name == "status" && e.Type == SegmentEnd:
			into = &e.Status
		case name == "reason" && e.Type == SegmentEnd:
			into = &e.Reason
		case name == "tolerances":
			into = &e.Tolerances
		default:
			rest = append(append(append(append(rest, ','), object.RawKey(i)...), ':'), value...)
			continue
		}
		if err := json.Unmarshal([]byte(value), into); err != nil {
			return err
		}
	}
	if len(rest) > 0 {
		rest[0] = '{'
		e.Payload = string(append(rest, '}'))
	}
	return nil
}

// UnmarshalJSON decodes what MarshalJSON writes.
func (t *ToolInvocation) UnmarshalJSON(text []byte) error {
	type plain ToolInvocation // without methods
	var in struct {
		plain
		RawArguments string `json:"raw_arguments"`
	}
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	*t = ToolInvocation(in.plain)
	if string(in.Arguments) == "null" {
		t.Arguments = json.RawMessage(in.RawArguments)
	}
	return nil
}
