package toolcall

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
)

// UnmarshalText implements [encoding.TextUnmarshaler]. It fails on text that
// MarshalText does not write.
func (t *EventType) UnmarshalText(text []byte) error {
	i, err := valueOf(eventTypeNames[:], text, "event type")
	*t = EventType(i)
	return err
}

// UnmarshalText implements [encoding.TextUnmarshaler]. It fails on text that
// MarshalText does not write.
func (s *Status) UnmarshalText(text []byte) error {
	i, err := valueOf(statusNames[:], text, "status")
	*s = Status(i)
	return err
}

// UnmarshalText implements [encoding.TextUnmarshaler]. It fails on text that
// MarshalText does not write.
func (r *Reason) UnmarshalText(text []byte) error {
	i, err := valueOf(reasonNames[:], text, "reason")
	*r = Reason(i)
	return err
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
		out.Origin = NewOrigin(p.Dialect, p.ContentParameter)
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
func (e *Event) readMetadata(object json.RawMessage) error {
	dec := json.NewDecoder(bytes.NewReader(object))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return fmt.Errorf("expected an object, got %.20s", object)
	}
	var rest []byte
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return err
		}
		var into any
		switch {
		case key == "tool_name" && e.Type == SegmentStart:
			into = &e.Name
		case key == "status" && e.Type == SegmentEnd:
			into = &e.Status
		case key == "reason" && e.Type == SegmentEnd:
			into = &e.Reason
		case key == "tolerances":
			into = &e.Tolerances
		default:
			name, err := marshalPlain(key)
			if err != nil {
				return err
			}
			rest = append(append(append(append(rest, ','), name...), ':'), value...)
			continue
		}
		if err := json.Unmarshal(value, into); err != nil {
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
	var in struct {
		ID           string          `json:"id"`
		CallID       string          `json:"call_id"`
		Name         string          `json:"name"`
		Arguments    json.RawMessage `json:"arguments"`
		RawArguments string          `json:"raw_arguments"`
		Status       Status          `json:"status"`
		Reason       Reason          `json:"reason"`
		Tolerances   Tolerances      `json:"tolerances"`
		Unknown      bool            `json:"unknown"`
		Problems     []Problem       `json:"problems"`
		Unchecked    []string        `json:"unchecked"`
		Dialect      string          `json:"dialect"`
		Start        *int64          `json:"start"`
		End          *int64          `json:"end"`
	}
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	*t = ToolInvocation{
		ID: in.ID, CallID: in.CallID, Name: in.Name, Arguments: in.Arguments, Status: in.Status, Reason: in.Reason,
		Tolerances: in.Tolerances, Unknown: in.Unknown, Problems: in.Problems, Unchecked: in.Unchecked, Dialect: in.Dialect,
	}
	if bytes.Equal(in.Arguments, []byte("null")) {
		t.Arguments = json.RawMessage(in.RawArguments)
	}
	if in.Start != nil && in.End != nil {
		t.Start, t.End = *in.Start, *in.End
	}
	return nil
}
