package tools_test

import (
	"strings"
	"testing"

	"github.com/toolparse/toolparse/agent"
)

// A command returns its output and exit code. One that takes too long ends together with
// the processes that it has started.
func TestBash(t *testing.T) {
	w := within(t, nil)
	result, err := w.use("bash", args{"command": "echo out; echo err >&2; pwd"})
	if err != nil || *result.ExitCode != 0 || !strings.HasPrefix(result.Output, "out\nerr\n") {
		t.Errorf("%+v, %v", result, err)
	}
	result, err = w.use("bash", args{"command": "echo so far; exit 3"})
	if agent.Categorize(err).Category != agent.Execution || *result.ExitCode != 3 || result.Output != "so far\n" {
		t.Errorf("%+v, %v", result, err)
	}
	_, err = w.use("bash", args{"command": "kill -9 $$"})
	if e := agent.Categorize(err); e.Category != agent.Execution || !strings.Contains(e.Message, "killed") {
		t.Errorf("ended by a signal: %v", err)
	}
	if _, err = w.use("bash", args{"command": "a\x00b"}); agent.Categorize(err).Category != agent.Validation {
		t.Errorf("a zero byte: %v", err)
	}
	result, err = w.use("bash", args{"command": "echo so far; sleep 60 & sleep 60", "timeout_seconds": 1})
	if agent.Categorize(err).Category != agent.Timeout || result.Output != "so far\n" {
		t.Errorf("%+v, %v", result, err)
	}
}

// A command does not inherit the user's keys.
func TestBashSecrets(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sesame")
	t.Setenv("Github_Token", "sesame")
	t.Setenv("PLAIN", "shown")
	result, err := within(t, nil).use("bash", args{"command": "env"})
	if err != nil || strings.Contains(result.Output, "sesame") || !strings.Contains(result.Output, "PLAIN=shown") {
		t.Errorf("%+v, %v", result, err)
	}
}

// The answer and its confidence are the result of the run.
func TestSubmit(t *testing.T) {
	result, err := within(t, nil).use("submit", args{"answer": "42", "confidence": 0.5})
	if err != nil || result.Output != "42" || result.Metadata["confidence"] != 0.5 {
		t.Errorf("%+v, %v", result, err)
	}
}
