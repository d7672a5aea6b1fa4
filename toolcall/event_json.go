package toolcall

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/toolparse/toolparse/internal/printable"
)

// eventJSON is the JSON form of an event; see MarshalJSON.
type eventJSON struct {
	Type      EventType   `json:"type"`
	ID        string      `json:"segment_id"`
	Segment   SegmentType `json:"segment_type,omitempty"`
	Payload   any         `json:"payload"`
	Raw       *string     `json:"raw,omitempty"`
	RawBase64 string      `json:"raw_base64,omitempty"`
}

// MarshalJSON encodes the event on one line:
//
//	{"type":"SEGMENT_CONTENT","segment_id":"seg_1","segment_type":"text","payload":{"delta":"Hi"},"raw":"Hi"}
//
// The metadata of a start or an end becomes payload.metadata. That of a start includes
// the tool's name as "tool_name"; that of an end includes "status" and, if set,
// "reason" and "tolerances". The start of a call also has payload.dialect and, if its
// content is the value of one parameter, payload.content_parameter. Raw bytes that are
// not UTF-8 become raw_base64. MarshalJSON fails if the metadata is not valid JSON.
func (e Event) MarshalJSON() ([]byte, error) {
	out := eventJSON{Type: e.Type, ID: e.ID, Segment: e.Segment, Payload: struct{}{}}
	if utf8.ValidString(e.Raw) {
		out.Raw = &e.Raw
	} else {
		out.RawBase64 = base64.StdEncoding.EncodeToString([]byte(e.Raw))
	}
	switch e.Type {
	case SegmentContent:
		out.Payload = struct {
			Delta string `json:"delta"`
		}{e.Payload}
	default:
		payload := struct {
			Metadata         json.RawMessage `json:"metadata,omitempty"`
			Dialect          string          `json:"dialect,omitempty"`
			ContentParameter string          `json:"content_parameter,omitempty"`
		}{Dialect: e.Dialect(), ContentParameter: e.ContentParameter()}
		if meta := e.metadataJSON(); len(meta) > 2 {
			payload.Metadata = meta
		}
		out.Payload = payload
	}
	return marshalPlain(out)
}

// metadataJSON joins the metadata in the event's fields with the metadata in Payload.
func (e Event) metadataJSON() json.RawMessage {
	fixed := struct {
		ToolName   string   `json:"tool_name,omitempty"`
		Status     string   `json:"status,omitempty"`
		Reason     string   `json:"reason,omitempty"`
		Tolerances []string `json:"tolerances,omitempty"`
	}{ToolName: e.Name, Tolerances: e.Tolerances.Names()}
	if e.Type == SegmentEnd {
		fixed.Status = e.Status.String()
		if e.Reason != ReasonNone {
			fixed.Reason = e.Reason.String()
		}
	}
	head, err := marshalPlain(fixed)
	if err != nil || e.Payload == "" || e.Payload == "{}" {
		return head
	}
	if string(head) == "{}" {
		return json.RawMessage(e.Payload)
	}
	joined := append(head[:len(head)-1:len(head)-1], ',')
	return append(joined, strings.TrimPrefix(e.Payload, "{")...)
}

// marshalPlain encodes v without HTML escapes, so that markup stays readable, and with
// the characters escaped that package printable escapes. Invalid UTF-8, which raw JSON
// may contain, becomes U+FFFD.
func marshalPlain(v any) ([]byte, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return printable.JSON([]byte(strings.ToValidUTF8(strings.TrimSuffix(b.String(), "\n"), "\uFFFD"))), nil
}
