package ollama

import (
	"github.com/toolparse/toolparse/internal/wire/envelope"
	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
)

// Marks recognises Ollama's chat, and its /api/generate.
var Marks = envelope.Marks{
	Answer: func(e *envelope.Envelope) bool {
		said := e.Message.Kind == rawjson.Object || e.Response.Kind == rawjson.String
		return said && e.Done.Kind == rawjson.Bool && e.Model.Kind == rawjson.String
	},
	BareError: frame.JSON, // if nothing follows; but a model may begin its text like this
	Begins: []envelope.Beginning{
		{{Member: "message", Form: envelope.Object}, {Member: "model"}},
		{{Member: "message", Form: envelope.Object}, {Member: "created_at"}},
		{{Member: "message", Form: envelope.Object}, {Member: "done"}},
		{{Member: "response", Form: envelope.Text}, {Member: "model"}, {Member: "created_at"}},
		{{Member: "response", Form: envelope.Text}, {Member: "model"}, {Member: "done"}},
	},
	Requests: [][]string{
		{"options"}, {"think"}, {"keep_alive"}, {"format"}, {"messages", "[]", "tool_name"}, {"messages", "[]", "images"},
	},
}
