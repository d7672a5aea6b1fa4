package toolparse

import "encoding/json"

// ToolDefinition is a tool that a model may call.
type ToolDefinition struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"` // JSON Schema of the arguments; empty: anything goes
}

// ToolInvocation is one call that a model asked for.
type ToolInvocation struct {
	ID        string          // the id of the segment that it came from
	CallID    string          // the provider's own id, to be echoed with the result; may be empty or repeat
	Name      string          // the tool
	Arguments json.RawMessage // one JSON object when Status is Complete, else what had arrived of it

	Status     Status
	Reason     Reason
	Tolerances Tolerances

	// Unknown: tools were declared, and this is none of them.
	Unknown bool
	// Problems are the ways in which the arguments break the tool's schema.
	Problems []Problem
}

// Runnable reports whether the call may be run: it is complete, its tool is
// declared (or none were), and its arguments fit the schema.
func (t ToolInvocation) Runnable() bool {
	return t.Status == Complete && !t.Unknown && len(t.Problems) == 0
}

// Problem is one way in which arguments break their schema, worded for the
// model that wrote them.
type Problem struct {
	Path    string `json:"path"`    // JSON pointer of the value, "" for the arguments themselves
	Rule    string `json:"rule"`    // the schema keyword: "type", "required", "enum", ...
	Message string `json:"message"` // what was expected, what was there, what to do
}

// Error returns the message with its place.
func (p Problem) Error() string {
	if p.Path == "" {
		return p.Message
	}
	return p.Path + ": " + p.Message
}
