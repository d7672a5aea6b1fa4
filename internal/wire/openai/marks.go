package openai

import (
	"github.com/toolparse/toolparse/internal/wire/envelope"
	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
)

// Marks recognises Chat Completions.
var Marks = envelope.Marks{
	Objects:   []string{"chat.completion", "chat.completion.chunk", "text_completion"},
	Answer:    hasChoices,
	Failure:   isFailure,
	BareError: frame.SSE,
	Begins: []envelope.Beginning{
		{{Member: "choices", Form: envelope.Objects}},
		{{Member: "choices", Form: envelope.List}, {Member: "model"}},
		{{Member: "object", Word: "error"}, {Member: "message"}},
	},
	IsRequest: func(v rawjson.Value) bool {
		message := rawjson.First(v.Get("messages"))
		return message.Get("role").Kind == rawjson.String && (message.Get("content").IsSet() || message.Get("tool_calls").IsSet() || v.Get("model").IsSet())
	},
	Requests: [][]string{{"messages"}},
	IsTool:   func(v rawjson.Value) bool { return v.Get("function").IsSet() || v.Get("custom").IsSet() },
}

// hasChoices reports whether the choices are those of Chat Completions. They may be empty, as
// in Azure's first chunk.
func hasChoices(e *envelope.Envelope) bool {
	for choice := range e.Choices.Items() {
		for key := range choice.Fields() {
			switch string(key) {
			case "delta", "message", "finish_reason":
				return true
			}
		}
		return false
	}
	return e.Choices.Kind == rawjson.Array && e.Identified
}

func isFailure(e *envelope.Envelope) bool {
	if e.Failure.Kind == rawjson.Object && e.Failure.Get("message").Kind == rawjson.String || e.Object.Is("error") && e.Message.Kind == rawjson.String {
		return true
	}
	_, ok := baseFailure(new(rawjson.Texts), e.Whole.Get(inBase))
	return ok
}
