package gemini

import (
	"github.com/toolparse/toolparse/internal/wire/envelope"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
)

// Marks recognises Gemini.
var Marks = envelope.Marks{
	Answer: hasCandidates,
	Failure: func(e *envelope.Envelope) bool {
		return e.Failure.Kind == rawjson.Object && e.Failure.Get("status").Kind == rawjson.String
	},
	Begins: []envelope.Beginning{
		{{Member: "candidates", Form: envelope.Objects}},
		{{Member: "promptFeedback", Form: envelope.Object}},
		{{Member: "prompt_feedback", Form: envelope.Object}},
		{{Member: "usageMetadata", Form: envelope.Object}},
		{{Member: "usage_metadata", Form: envelope.Object}},
	},
	IsRequest: func(v rawjson.Value) bool {
		return envelope.HasPath(v, []string{"contents", "[]", "parts"}) || envelope.HasPath(v, []string{"contents", "parts"})
	},
	Requests: [][]string{{"contents"}},
	IsTool: func(v rawjson.Value) bool {
		return v.Get("functionDeclarations").IsSet() || v.Get("function_declarations").IsSet()
	},
	OneTool: true,
}

// hasCandidates reports whether this is Gemini's envelope, with or without candidates.
func hasCandidates(e *envelope.Envelope) bool {
	for candidate := range e.Candidates.Items() {
		for key := range candidate.Fields() {
			switch string(key) {
			case "content", "finishReason", "finish_reason", "safetyRatings", "safety_ratings":
				return true
			}
		}
		return false
	}
	return e.Feedback.Kind == rawjson.Object || e.Usage.Kind == rawjson.Object && e.Versioned
}
