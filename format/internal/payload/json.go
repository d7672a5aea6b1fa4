package payload

import (
	"encoding/json"

	"github.com/toolparse/toolparse/toolcall"
)

// JSON returns a copy of the value as it stands in the data, nil where it is
// absent.
func (v Value) JSON() json.RawMessage {
	switch v.Kind {
	case Absent:
		return nil
	case String:
		out := make([]byte, 0, len(v.Raw)+2)
		out = append(out, '"')
		out = append(out, v.Raw...)
		return append(out, '"')
	}
	return append(json.RawMessage(nil), v.Raw...)
}

// WholeArguments returns a call's arguments as one text: a string decoded, any other
// value as it stands, and "{}" for nothing.
func (t *Texts) WholeArguments(v Value) string {
	c := Channel{Kind: toolcall.DeltaToolCall, Index: toolcall.NoIndex}
	text, _ := t.Arguments(c, v)
	text += t.Rest(c)
	for i := range len(text) {
		if c := text[i]; c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return text
		}
	}
	return "{}"
}
