package toolcall

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
)

// valueOf returns the place of a name in names, as its Marshal method writes it.
func valueOf(names []string, text []byte, kind string) (int, error) {
	for i, name := range names {
		if name != "" && name == string(text) {
			return i, nil
		}
	}
	return 0, fmt.Errorf("toolcall: unknown %s %q", kind, text)
}

// UnmarshalText implements [encoding.TextUnmarshaler]: it takes what MarshalText
// writes, and fails on other text.
func (t *EventType) UnmarshalText(text []byte) error {
	i, err := valueOf(eventTypeNames[:], text, "event type")
	*t = EventType(i)
	return err
}

// UnmarshalText implements [encoding.TextUnmarshaler]: it takes what MarshalText
// writes, and fails on other text.
func (s *Status) UnmarshalText(text []byte) error {
	i, err := valueOf(statusNames[:], text, "status")
	*s = Status(i)
	return err
}

// UnmarshalText implements [encoding.TextUnmarshaler]: it takes what MarshalText
// writes, and fails on other text.
func (r *Reason) UnmarshalText(text []byte) error {
	i, err := valueOf(reasonNames[:], text, "reason")
	*r = Reason(i)
	return err
}

// UnmarshalJSON takes the list of names that MarshalJSON writes, and fails on a
// name that is no tolerance's.
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

// UnmarshalJSON reads what MarshalJSON writes: the event is the same again, but
// that characters which are escaped on output are escaped in its Payload, too.
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

// readMetadata reads the metadata of a start or an end: the fixed ones are fields,
// the others are Payload, verbatim.
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

// UnmarshalJSON reads what MarshalJSON writes.
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
