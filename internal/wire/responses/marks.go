package responses

import (
	"strings"

	"github.com/toolparse/toolparse/internal/wire/envelope"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
)

// Marks recognises Responses.
var Marks = envelope.Marks{
	Types:   []string{"response."},
	Objects: []string{"response"},
	Answer:  func(e *envelope.Envelope) bool { return e.Realtime && isRealtime(string(e.Type.Raw)) || isBody(e) },
	Failure: func(e *envelope.Envelope) bool {
		return e.Type.Is("error") && (e.Sequence.Kind == rawjson.Number || e.Message.Kind == rawjson.String && e.OnlyError)
	},
	Begins: []envelope.Beginning{
		{{Member: "response", Form: envelope.Object}, {Member: "sequence_number"}},
		{{Member: "output", Form: envelope.Objects}, {Member: "status"}},
	},
	IsRequest: isRequest,
	Requests:  [][]string{{"input"}, {"previous_response_id"}},
	IsTool: func(v rawjson.Value) bool { // a tool of Chat Completions has an object besides its type
		return v.Get("type").IsSet() && !v.Get("function").IsSet() && !v.Get("custom").IsSet()
	},
}

// isBody reports whether the output is that of a body that does not say what it is.
func isBody(e *envelope.Envelope) bool {
	for item := range e.Output.Items() {
		return item.Get("type").Kind == rawjson.String && e.Status.Kind == rawjson.String && e.Model.Kind == rawjson.String
	}
	return false
}

// isRealtime reports whether OpenAI's Realtime API has this type of event, and Responses
// does not.
func isRealtime(kind string) bool {
	group, _, _ := strings.Cut(kind, ".")
	switch group {
	case "session", "conversation", "input_audio_buffer", "output_audio_buffer", "rate_limits":
		return true
	}
	return false
}

func isRequest(v rawjson.Value) bool {
	if v.Get("model").Kind != rawjson.String {
		return false
	}
	input := v.Get("input")
	if input.Kind == rawjson.String {
		for _, setting := range []string{"instructions", "tools", "stream", "store", "max_output_tokens", "previous_response_id"} {
			if v.Get(setting).IsSet() {
				return true
			}
		}
		return v.Len() == 2
	}
	first := rawjson.First(input)
	return first.Get("type").Kind == rawjson.String || first.Get("role").Kind == rawjson.String
}
