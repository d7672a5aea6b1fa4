package agent

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/toolparse/toolparse/format/chat"
)

// ToolResult is the outcome of a call, whether it ran or not.
type ToolResult struct {
	CallID  string
	Name    string
	Result         // what the tool returned, its output cut to the limit
	Err     *Error // nil if the tool succeeded
	Pending bool   // the client runs the call, and has not returned its result

	Ran      bool // the tool was started
	Duration time.Duration
	At       time.Time // when it ended
}

// Success reports whether the tool succeeded.
func (r *ToolResult) Success() bool { return r.Err == nil && !r.Pending }

// record is the JSON form of a result.
type record struct {
	CallID          string          `json:"tool_call_id"`
	Name            string          `json:"name"`
	Success         bool            `json:"success"`
	Output          string          `json:"output"`
	Parts           []chat.Part     `json:"parts,omitempty"`
	Error           *Error          `json:"error"`
	ExitCode        *int            `json:"exit_code"`
	ExecutionTime   int64           `json:"execution_time_ms"`
	StateChanges    []StateChange   `json:"state_changes"`
	Metadata        json.RawMessage `json:"metadata,omitempty"`
	Recoverable     *bool           `json:"recoverable,omitempty"`
	SuggestedAction string          `json:"suggested_action,omitempty"`
	Pending         bool            `json:"pending,omitempty"`
	Ran             bool            `json:"ran"`
	At              time.Time       `json:"timestamp"`
}

// MarshalJSON renders the result with the members tool_call_id, name, success, output,
// error, exit_code, execution_time_ms, state_changes, ran and timestamp, and, unless
// empty, parts, metadata, recoverable, suggested_action and pending.
func (r ToolResult) MarshalJSON() ([]byte, error) {
	out := record{
		CallID: r.CallID, Name: r.Name, Success: r.Success(), Output: r.Output, Parts: r.Parts, Error: r.Err, ExitCode: r.ExitCode,
		ExecutionTime: r.Duration.Milliseconds(), StateChanges: r.Changes, Pending: r.Pending, Ran: r.Ran, At: r.At.UTC(),
	}
	if out.StateChanges == nil {
		out.StateChanges = []StateChange{}
	}
	if len(r.Metadata) > 0 {
		metadata, err := json.Marshal(r.Metadata)
		if err != nil {
			return nil, err
		}
		out.Metadata = metadata
	}
	if r.Err != nil {
		out.Recoverable, out.SuggestedAction = new(r.Err.Category != Fatal), r.Err.action()
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads the output of MarshalJSON.
func (r *ToolResult) UnmarshalJSON(text []byte) error {
	var in record
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	*r = ToolResult{
		CallID: in.CallID, Name: in.Name, Result: Result{Output: in.Output, Parts: in.Parts, ExitCode: in.ExitCode}, Err: in.Error,
		Pending: in.Pending, Duration: time.Duration(in.ExecutionTime) * time.Millisecond, Ran: in.Ran, At: in.At,
	}
	if len(in.StateChanges) > 0 {
		r.Changes = in.StateChanges
	}
	if len(in.Metadata) > 0 {
		return json.Unmarshal(in.Metadata, &r.Metadata)
	}
	return nil
}

// structuredResult is a result in the five members that some models are trained on.
type structuredResult struct {
	Success      bool    `json:"success"`
	Data         *string `json:"data"`
	ErrorMessage *string `json:"error_message"`
	ErrorType    string  `json:"error_type"`
	Metadata     struct {
		ExecutionTimeMS int64 `json:"execution_time_ms"`
		DataSizeBytes   int   `json:"data_size_bytes"`
		Timestamp       int64 `json:"timestamp"` // Unix milliseconds
	} `json:"metadata"`
}

// structured returns the result in the five members. The data of a failure are null.
func (r *ToolResult) structured() json.RawMessage {
	out := structuredResult{Success: r.Success(), ErrorType: "none"}
	out.Metadata.ExecutionTimeMS, out.Metadata.Timestamp = r.Duration.Milliseconds(), r.At.UnixMilli()
	if r.Err != nil {
		out.ErrorMessage, out.ErrorType = new(r.ForModel()), r.Err.structuredType()
	} else {
		out.Data, out.Metadata.DataSizeBytes = &r.Output, len(r.Output)
	}
	return mustMarshal(out)
}

// mustMarshal renders texts and numbers, which cannot fail.
func mustMarshal(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

// ForModel returns the text for the model: first the error with its advice, then the
// output.
func (r *ToolResult) ForModel() string {
	var b strings.Builder
	if r.Err != nil {
		b.WriteString(r.Err.forModel())
		if r.Output != "" {
			b.WriteString("\nOutput until then:\n")
		}
	}
	b.WriteString(r.Output)
	if r.ExitCode != nil && (*r.ExitCode != 0 || r.Output == "") {
		fmt.Fprintf(&b, "\n(exit code %d)", *r.ExitCode)
	}
	if b.Len() == 0 && len(r.Parts) == 0 {
		return "(no output)"
	}
	return strings.TrimPrefix(b.String(), "\n")
}

// message returns the result as a message of the conversation.
func (r *ToolResult) message(structured bool) chat.Message {
	text := r.ForModel()
	if structured {
		text = string(r.structured())
	}
	var parts []chat.Part
	if text != "" {
		parts = append(parts, chat.TextPart(text))
	}
	return chat.Message{Role: chat.ToolRole, Parts: []chat.Part{{Kind: chat.PartResult, Result: &chat.Result{
		CallID: r.CallID, Name: r.Name, Parts: append(parts, r.Parts...), IsError: r.Err != nil,
	}}}}
}

// Record returns the calls of the last answer and their results so far, in order, as JSON,
// until all calls have their results:
//
//	{"assistant_message":{"role":"assistant","tool_calls":[{"id":..,"name":..,"arguments":{..}}]},
//	 "tool_results":[{"tool_call_id":..,"success":..,"output":..}]}
//
// Broken arguments are null. Outputs are as the model gets them.
func (s *Session) Record() json.RawMessage {
	type call struct {
		ID        string          `json:"id"`
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}
	type result struct {
		CallID  string `json:"tool_call_id"`
		Success bool   `json:"success"`
		Output  string `json:"output"`
	}
	var out struct {
		Assistant struct {
			Role  chat.Role `json:"role"`
			Calls []call    `json:"tool_calls"`
		} `json:"assistant_message"`
		Results []result `json:"tool_results"`
	}
	out.Assistant.Role, out.Assistant.Calls, out.Results = chat.Assistant, []call{}, []result{}
	var calls []*callState
	if s.Turn != nil {
		calls = s.Turn.Calls
	}
	for _, c := range calls {
		entry := call{ID: c.Invocation.ID, Name: c.Invocation.Name}
		if json.Valid(c.Invocation.Arguments) {
			entry.Arguments = c.Invocation.Arguments
		}
		out.Assistant.Calls = append(out.Assistant.Calls, entry)
		if c.Result != nil {
			out.Results = append(out.Results, result{c.Invocation.ID, c.Result.Success(), c.Result.ForModel()})
		}
	}
	return mustMarshal(out)
}

// Display returns a short text for people. It is never sent to a model.
func (r *ToolResult) Display() string {
	status := "SUCCESS"
	switch {
	case r.Pending:
		status = "PENDING"
	case r.Err != nil && !r.Ran:
		status = "NOT RUN"
	case r.Err != nil:
		status = "FAILED"
	}
	return fmt.Sprintf("[Tool: %s] %s\n%s\nExecution Time: %dms", r.Name, status, r.ForModel(), r.Duration.Milliseconds())
}

// StateChange is something that a tool changed outside the session.
type StateChange struct {
	// Type is FileCreated, FileModified, FileDeleted or DirectoryCreated (with Path),
	// ProcessStarted (with PID and Command), ProcessTerminated (with PID and ExitCode), or
	// EnvVarSet (with Key and Value).
	Type     string `json:"type"`
	Path     string `json:"path,omitempty"`
	PID      int    `json:"pid,omitempty"`
	Command  string `json:"command,omitempty"`
	ExitCode *int   `json:"exit_code,omitempty"`
	Key      string `json:"key,omitempty"`
	Value    string `json:"value,omitempty"`
}
