package toolcall

import "encoding/json"

// ToolDefinition is a tool that a model may call.
type ToolDefinition struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"` // JSON Schema of the arguments; empty allows anything; never modified
}

// ToolInvocation is one call that a model made, however it was written. Incomplete,
// malformed and rejected calls are invocations too: check [ToolInvocation.Runnable]
// before running one.
type ToolInvocation struct {
	ID        string          `json:"id"`        // id of the call's segment
	CallID    string          `json:"call_id"`   // the provider's own id, to send back with the result; may be empty or repeated
	Name      string          `json:"name"`      // name of the tool
	Arguments json.RawMessage `json:"arguments"` // one JSON object if Status is Complete, else the part that arrived

	Status     Status     `json:"status"`
	Reason     Reason     `json:"reason"`
	Tolerances Tolerances `json:"tolerances"`

	Dialect string `json:"dialect"` // dialect of the call; "native" for a provider's own call; "" if unknown
	// Start and End are the byte offsets of the call in the parsed text, End
	// exclusive. Both are 0 for a provider's own call, which has no place in text.
	Start int64 `json:"start"`
	End   int64 `json:"end"`

	// Unknown is set if tools were declared, but none with this name.
	Unknown bool `json:"unknown"`
	// Problems lists how the arguments violate the tool's schema.
	Problems []Problem `json:"problems"`
	// Unchecked lists the schema rules that could not be checked, each with the JSON
	// pointer of its value: "/p: the pattern ^(a)\1$ could not be checked: ...".
	// If a rule guards something, write it in another way, or set
	// adapter.Options.Strict, which turns each of them into a problem.
	Unchecked []string `json:"unchecked"`
}

// Runnable reports whether the call may be run: it is complete, its tool is declared
// (or no tools were), and its arguments fit the schema as far as that could be
// checked; see Unchecked.
func (t ToolInvocation) Runnable() bool {
	return t.Status == Complete && !t.Unknown && len(t.Problems) == 0
}

// Problem is one violation of a schema, worded for the model that wrote the arguments.
type Problem struct {
	Path    string `json:"path"`    // JSON pointer of the value; "" for the whole arguments
	Rule    string `json:"rule"`    // the schema keyword: "type", "required", "enum", ...
	Message string `json:"message"` // what was expected, what was found, what to do
}

// Error returns the path, if there is one, and the message.
func (p Problem) Error() string {
	if p.Path == "" {
		return p.Message
	}
	return p.Path + ": " + p.Message
}
