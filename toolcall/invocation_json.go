package toolcall

import "encoding/json"

// invocationJSON is an invocation's form in output; see MarshalJSON.
type invocationJSON struct {
	ID           string          `json:"id"`
	CallID       string          `json:"call_id,omitempty"`
	Name         string          `json:"name"`
	Arguments    json.RawMessage `json:"arguments"`
	RawArguments string          `json:"raw_arguments,omitempty"`
	Status       Status          `json:"status"`
	Reason       string          `json:"reason,omitempty"`
	Tolerances   []string        `json:"tolerances,omitempty"`
	Unknown      bool            `json:"unknown,omitempty"`
	Problems     []Problem       `json:"problems,omitempty"`
	Unchecked    []string        `json:"unchecked,omitempty"`
	Dialect      string          `json:"dialect,omitempty"`
	Start        *int64          `json:"start,omitempty"`
	End          *int64          `json:"end,omitempty"`
}

// MarshalJSON renders the invocation as one line of output:
//
//	{"id":"seg_2","name":"add","arguments":{"a":1},"status":"complete"}
//
// with call_id, reason, tolerances, unknown, problems, unchecked, dialect, start
// and end where there are any.
// Arguments that are no JSON, as those of a call cut short, come as the string
// raw_arguments beside "arguments":null. It never fails.
func (t ToolInvocation) MarshalJSON() ([]byte, error) {
	out := invocationJSON{
		ID: t.ID, CallID: t.CallID, Name: t.Name, Arguments: t.Arguments, Status: t.Status,
		Tolerances: t.Tolerances.Names(), Unknown: t.Unknown, Problems: t.Problems, Unchecked: t.Unchecked,
		Dialect: t.Dialect,
	}
	if t.End > 0 {
		out.Start, out.End = &t.Start, &t.End
	}
	if !json.Valid(t.Arguments) {
		out.Arguments, out.RawArguments = json.RawMessage("null"), string(t.Arguments)
	}
	if t.Reason != ReasonNone {
		out.Reason = t.Reason.String()
	}
	return marshalPlain(out)
}
