package toolcall

import "encoding/json"

// ToolDefinition is a tool that a model may call. Parameters are compiled when
// a parser or an adapter is made, and never changed.
type ToolDefinition struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"` // JSON Schema of the arguments; empty: anything goes
}
