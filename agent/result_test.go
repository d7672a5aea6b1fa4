package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/agent"
)

var (
	at   = time.UnixMilli(1705680000000)
	code = 0
)

// The JSON of results, for audits and for models.
func TestResultJSON(t *testing.T) {
	tests := []struct {
		name         string
		result       agent.ToolResult
		record       string
		structured   string
		errorAsModel string
	}{
		{
			"success",
			agent.ToolResult{CallID: "a", Name: "bash", Result: agent.Result{Output: "ok", ExitCode: &code, Changes: []agent.StateChange{{Type: "FileCreated", Path: "x"}}}, Ran: true, Duration: 1523 * time.Millisecond, At: at},
			`{"tool_call_id":"a","name":"bash","success":true,"output":"ok","error":null,"exit_code":0,"execution_time_ms":1523,"state_changes":[{"type":"FileCreated","path":"x"}],"ran":true,"timestamp":"2024-01-19T16:00:00Z"}`,
			`{"success":true,"data":"ok","error_message":null,"error_type":"none","metadata":{"execution_time_ms":1523,"data_size_bytes":2,"timestamp":1705680000000}}`,
			"",
		},
		{
			"failure",
			agent.ToolResult{CallID: "a", Name: "bash", Ran: true, Duration: 30 * time.Second, At: at, Err: &agent.Error{
				Category: agent.Timeout, Code: "TIMEOUT", Message: "Command timed out after 30 seconds", Details: map[string]any{"timeout_seconds": 30.0},
			}},
			`{"tool_call_id":"a","name":"bash","success":false,"output":"","error":{"type":"TimeoutError","message":"Command timed out after 30 seconds","code":"TIMEOUT","details":{"timeout_seconds":30}},"exit_code":null,"execution_time_ms":30000,"state_changes":[],"recoverable":true,"suggested_action":"Break the work into smaller steps, or allow more time.","ran":true,"timestamp":"2024-01-19T16:00:00Z"}`,
			`{"success":false,"data":null,"error_message":"Error: Command timed out after 30 seconds\nBreak the work into smaller steps, or allow more time.","error_type":"internal_error","metadata":{"execution_time_ms":30000,"data_size_bytes":0,"timestamp":1705680000000}}`,
			"",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			record, err := json.Marshal(test.result)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.record, string(record)); diff != "" {
				t.Error(diff)
			}
			structured := test.result.Structured()
			if diff := cmp.Diff(test.structured, string(structured)); diff != "" {
				t.Error(diff)
			}
			var again agent.ToolResult
			if err := json.Unmarshal(record, &again); err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(again)
			if err != nil || string(text) != string(record) {
				t.Errorf("read again: %s, %v", text, err)
			}
		})
	}
}

// Every kind of change can be read back from its JSON.
func TestStateChangeJSON(t *testing.T) {
	two := 2
	list := []agent.StateChange{
		{Type: "FileCreated", Path: "p"}, {Type: "FileModified", Path: "p"}, {Type: "FileDeleted", Path: "p"}, {Type: "DirectoryCreated", Path: "p"},
		{Type: "ProcessStarted", PID: 7, Command: "ls"}, {Type: "ProcessTerminated", PID: 7, ExitCode: &two}, {Type: "EnvVarSet", Key: "K", Value: "V"},
	}
	text, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	var again []agent.StateChange
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(list, again); diff != "" {
		t.Error(diff)
	}
}

// Every error has one category, one error_type of the five-member form, and advice.
func TestCategories(t *testing.T) {
	tests := []struct {
		err      error
		category agent.Category
		word     string
	}{
		{&agent.Error{Category: agent.Validation, Message: "m"}, agent.Validation, "validation_failed"},
		{fmt.Errorf("f: %w", &agent.Error{Category: agent.Fatal, Message: "m"}), agent.Fatal, "internal_error"},
		{&agent.Error{Category: agent.Validation, Code: "PARSE", Message: "m"}, agent.Validation, "parse_error"},
		{fmt.Errorf("open: %w", fs.ErrNotExist), agent.NotFound, "not_found"},
		{fs.ErrPermission, agent.Permission, "permission_denied"},
		{fs.ErrExist, agent.Resource, "io_error"},
		{context.DeadlineExceeded, agent.Timeout, "internal_error"},
		{&net.OpError{Op: "dial", Err: errors.New("refused")}, agent.Network, "io_error"},
		{&agent.Error{Category: agent.Quota, Message: "m"}, agent.Quota, "internal_error"},
		{errors.New("anything"), agent.Execution, "internal_error"},
	}
	for _, test := range tests {
		e := agent.Categorize(test.err)
		if e.Category != test.category || e.Type() != test.word {
			t.Errorf("%v: %s, %s; want %s, %s", test.err, e.Category, e.Type(), test.category, test.word)
		}
		if words := e.ForModel(); !strings.HasPrefix(words, "Error: ") || test.word != "parse_error" && strings.Count(words, "\n") < 1 {
			t.Errorf("%v does not say what to do: %s", test.err, words)
		}
	}
}

// Display shows people the tool, its outcome and its duration, which the model never
// sees.
func TestDisplay(t *testing.T) {
	tests := map[string]agent.ToolResult{
		"[Tool: ls] SUCCESS\na.txt\nExecution Time: 5ms": {Name: "ls", Result: agent.Result{Output: "a.txt"}, Ran: true, Duration: 5 * time.Millisecond},
		"[Tool: ls] NOT RUN\nError: no\nFind another way.\nExecution Time: 0ms": {
			Name: "ls", Err: &agent.Error{Category: agent.Permission, Message: "no", Action: "Find another way."},
		},
		"[Tool: ls] FAILED\nError: no\nStop.\nOutput until then:\na\nExecution Time: 0ms": {
			Name: "ls", Ran: true, Result: agent.Result{Output: "a"}, Err: &agent.Error{Category: agent.Execution, Message: "no", Action: "Stop."},
		},
		"[Tool: ls] PENDING\n(no output)\nExecution Time: 0ms": {Name: "ls", Pending: true},
	}
	for want, result := range tests {
		if diff := cmp.Diff(want, result.Display()); diff != "" {
			t.Error(diff)
		}
	}
}

// The calls of one answer as one record.
func TestTurnRecord(t *testing.T) {
	s := agent.NewSession()
	err := json.Unmarshal([]byte(`{"turn":{"calls":[
		{"invocation":{"id":"c1","name":"read","arguments":{}},"result":{"output":"a"}},
		{"invocation":{"id":"c2","name":"read","arguments":null},"result":{"error":{"type":"ExecutionError","message":"no","action":"Stop."}}},
		{"invocation":{"id":"c3","name":"write","arguments":{}}}]}}`), s)
	if err != nil {
		t.Fatal(err)
	}
	got := s.Record()
	const want = `{"assistant_message":{"role":"assistant","tool_calls":[{"id":"c1","name":"read","arguments":{}},{"id":"c2","name":"read","arguments":null},{"id":"c3","name":"write","arguments":{}}]},` +
		`"tool_results":[{"tool_call_id":"c1","success":true,"output":"a"},{"tool_call_id":"c2","success":false,"output":"Error: no\nStop."}]}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}
