package anthropic

import (
	"github.com/toolparse/toolparse/internal/wire/envelope"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
)

// Marks recognises Messages.
var Marks = envelope.Marks{
	Types: []string{
		"message_start", "message_delta", "message_stop", "content_block_start", "content_block_delta", "content_block_stop", "ping",
	},
	Answer: func(e *envelope.Envelope) bool {
		return e.Type.Is("message") && e.Content.Kind == rawjson.Array && (e.Role.IsSet() || e.Model.IsSet())
	},
	Failure: func(e *envelope.Envelope) bool { return e.Type.Is("error") && e.Failure.Kind == rawjson.Object },
	Turn:    isTurn,
	Begins: []envelope.Beginning{
		{{Member: "type", Word: "message"}, {Member: "content"}},
		{{Member: "type", Word: "message"}, {Member: "role"}},
		{{Member: "content", Form: envelope.List}, {Member: "role"}, {Member: "model"}},
	},
	Requests: [][]string{
		{"tools", "[]", "input_schema"}, {"messages", "[]", "content", "[]", "tool_use_id"}, {"messages", "[]", "content", "[]", "input"},
		{"messages", "[]", "content", "[]", "source"}, {"system"}, {"stop_sequences"}, {"thinking"}, {"output_config"}, {"anthropic_version"},
	},
	IsTool: func(v rawjson.Value) bool { return v.Get("input_schema").IsSet() },
}

// isTurn reports whether v is a message with a call, as in a history.
func isTurn(v rawjson.Value) bool {
	if v.Get("type").IsSet() || !v.Get("role").Is("assistant") {
		return false
	}
	for block := range v.Get("content").Items() {
		if block.Get("type").Is("tool_use") {
			return true
		}
	}
	return false
}
