package features

import (
	"testing"

	"github.com/toolparse/toolparse/toolcall"
)

// What a wire says whatever it was asked is no loss elsewhere; anything else is.
func TestGoesWithoutSaying(t *testing.T) {
	for _, tt := range []struct {
		wire, path, value string
		want              bool
	}{
		{"responses", "response.temperature", "1.0", true},
		{"responses", "temperature", "0.5", false},
		{"responses", "response.text", `{ "format": {"type":"text"}, "verbosity": "medium" }`, true},
		{"responses", "response.text", `{"format":{"type":"json_object"}}`, false},
		{"responses", "response.tool_usage", `{"web_search":{"num_requests":0}}`, true},
		{"responses", "response.tool_usage", `{"web_search":{"num_requests":1}}`, false},
		{"responses", "response.usage.cost", "0.1", false},
		{"responses", "item.id", `"msg_1"`, true},
		{"responses", "item.phase", `"commentary"`, false},
		{"anthropic", "message_start.message.usage.cache_creation", `{"ephemeral_5m_input_tokens":0}`, true},
		{"anthropic", "usage.service_tier", `"standard"`, true},
		{"anthropic", "usage.service_tier", `"priority"`, false},
		{"anthropic", "message_delta.usage.server_tool_use", `{"web_search_requests":1}`, false},
		{"anthropic", "service_tier", `"standard"`, false},
		{"openai", "temperature", "1", false},
	} {
		l := Log{Wire: "ollama"}
		l.ReportForeign(tt.wire, toolcall.Delta{Kind: toolcall.DeltaExtra, Name: tt.path, Text: tt.value})
		if got := len(l.Losses) == 0; got != tt.want {
			t.Errorf("%s %s of %s: %v", tt.path, tt.value, tt.wire, got)
		}
	}
}
