package agent

import (
	"encoding/json"
	"time"
)

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

// SetGrace sets the time for a tool to return after its context has ended.
func (a *Agent) SetGrace(d time.Duration) { a.grace = d }
