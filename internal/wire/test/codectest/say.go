package codectest

import (
	"encoding/json"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/toolcall"
)

// User makes a message of the user.
func User(parts ...chat.Part) chat.Message { return chat.Message{Role: chat.User, Parts: parts} }

// Assistant makes a message of the model.
func Assistant(parts ...chat.Part) chat.Message {
	return chat.Message{Role: chat.Assistant, Parts: parts}
}

// Results makes a message of results.
func Results(parts ...chat.Part) chat.Message {
	return chat.Message{Role: chat.ToolRole, Parts: parts}
}

// Result makes a message with the result of one call.
func Result(id string, parts ...chat.Part) chat.Message {
	return Results(chat.ResultPart(id, parts...))
}

// History makes a request that has only messages.
func History(messages ...chat.Message) chat.Request { return chat.Request{Messages: messages} }

// Tool makes a tool with a schema.
func Tool(name, schema string) chat.Tool {
	return chat.Tool{ToolDefinition: toolcall.ToolDefinition{Name: name, Parameters: json.RawMessage(schema)}}
}

// Strict makes a strict tool with a schema.
func Strict(name, schema string) chat.Tool {
	tool := Tool(name, schema)
	tool.Strict = chat.On
	return tool
}

// Failed marks the results of a message as errors.
func Failed(m chat.Message) chat.Message {
	for _, p := range m.Parts {
		p.Result.IsError = true
	}
	return m
}
