package ollama

import (
	"github.com/toolparse/toolparse/format/internal/envelope"
	"github.com/toolparse/toolparse/format/internal/frame"
	"github.com/toolparse/toolparse/format/internal/rawjson"
)

// Marks recognises Ollama's chat, and its /api/generate.
var Marks = envelope.Marks{
	Answer: func(e *envelope.Envelope) bool {
		said := e.Message.Kind == rawjson.Object || e.Response.Kind == rawjson.String
		return said && e.Done.Kind == rawjson.Bool && e.Model.Kind == rawjson.String
	},
	BareError: frame.JSON, // if nothing follows; but a model may begin its text like this
	Begins: func(o *envelope.Outline) bool {
		return o.HasObject("message") && (o.Has("model") || o.Has("created_at") || o.Has("done")) ||
			o.HasText("response") && o.Has("model") && (o.Has("created_at") || o.Has("done"))
	},
	Requests: [][]string{
		{"options"}, {"think"}, {"keep_alive"}, {"format"}, {"messages", "[]", "tool_name"}, {"messages", "[]", "images"},
	},
}
