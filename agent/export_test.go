package agent

import "encoding/json"

// For the tests of package agent_test.
var (
	ErrNotAsked   = errNotAsked
	ErrNotWaiting = errNotWaiting
)

const (
	CallAsking  = callAsking
	CallReady   = callReady
	CallWaiting = callWaiting
)

func (r *ToolResult) Structured() json.RawMessage { return r.structured() }
func (e *Error) Type() string                     { return e.structuredType() }
func (e *Error) ForModel() string                 { return e.forModel() }
