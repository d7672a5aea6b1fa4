package format

import (
	"strings"

	"github.com/toolparse/toolparse/format/internal/payload"
)

// classify tells whose event a JSON object is, by the envelope that each wire
// puts around what a model wrote, or "" where it is nobody's. A call that a
// model wrote as JSON, such as {"name":"x","arguments":{}}, has none.
func classify(v payload.Value) Wire {
	var e envelope
	for key, member := range v.Fields() {
		e.note(string(key), member)
	}
	kind := string(e.kind.Raw)
	switch {
	case e.kind.Kind == payload.String && wireOfType(kind) != "":
		return wireOfType(kind)
	case wireOfObject(string(e.object.Raw)) != "":
		return wireOfObject(string(e.object.Raw))
	case e.isChat():
		return OpenAI
	case e.isGemini():
		return Gemini
	case e.message.Kind == payload.Object && e.done.Kind == payload.Bool && e.model.Kind == payload.String:
		return Ollama
	case kind == "message" && e.content.Kind == payload.Array && e.role.IsSet():
		return Anthropic
	case kind == "error" && e.sequence.Kind == payload.Number:
		return Responses
	case kind == "error" && e.failure.Kind == payload.Object:
		return Anthropic
	case e.failure.Kind == payload.Object && e.failure.Get("status").Kind == payload.String:
		return Gemini
	case e.failure.Kind == payload.Object && e.failure.Get("message").Kind == payload.String:
		return OpenAI
	case e.object.Is("error") && e.message.Kind == payload.String:
		return OpenAI
	}
	return ""
}

// envelope holds the members of an object by which wires are told apart.
type envelope struct {
	kind, object, choices, candidates, feedback, usage, message, done, model, content, role, sequence, failure payload.Value

	identified bool // id, created or usage, beside choices
	versioned  bool // modelVersion or responseId, beside usageMetadata
}

func (e *envelope) note(key string, v payload.Value) {
	switch key {
	case "type":
		e.kind = v
	case "object":
		e.object = v
	case "choices":
		e.choices = v
	case "candidates":
		e.candidates = v
	case "promptFeedback":
		e.feedback = v
	case "usageMetadata":
		e.usage = v
	case "message":
		e.message = v
	case "done":
		e.done = v
	case "model":
		e.model, e.identified = v, true
	case "content":
		e.content = v
	case "role":
		e.role = v
	case "sequence_number":
		e.sequence = v
	case "error":
		e.failure = v
	case "id", "created", "usage":
		e.identified = true
	case "modelVersion", "responseId":
		e.versioned = true
	}
}

// isChat reports whether choices are those of Chat Completions. Azure's first
// chunk has none.
func (e *envelope) isChat() bool {
	for choice := range e.choices.Items() {
		for key := range choice.Fields() {
			switch string(key) {
			case "delta", "message", "finish_reason":
				return true
			}
		}
		return false
	}
	return e.choices.Kind == payload.Array && e.identified
}

// isGemini reports whether candidates, or what comes without any, are Gemini's.
func (e *envelope) isGemini() bool {
	for candidate := range e.candidates.Items() {
		for key := range candidate.Fields() {
			switch string(key) {
			case "content", "finishReason", "safetyRatings":
				return true
			}
		}
		return false
	}
	return e.feedback.Kind == payload.Object || e.usage.Kind == payload.Object && e.versioned
}

// wireOfType returns the wire that has events of this type, or "".
func wireOfType(kind string) Wire {
	switch kind {
	case "message_start", "message_delta", "message_stop",
		"content_block_start", "content_block_delta", "content_block_stop", "ping":
		return Anthropic
	}
	if strings.HasPrefix(kind, "response.") {
		return Responses
	}
	return ""
}

// wireOfObject returns the wire that has objects of this name, or "".
func wireOfObject(object string) Wire {
	switch object {
	case "chat.completion", "chat.completion.chunk":
		return OpenAI
	case "response":
		return Responses
	}
	return ""
}

// envelopeKey returns the bytes with which the value of a member may begin
// that an envelope has, and "" for a key that no envelope has. likely is the
// wire that an object with such a member is of, as far as that can be said
// before the object is whole.
func envelopeKey(key string) (starts string, likely Wire) {
	const number = "-0123456789"
	switch key {
	case "choices":
		return "[", OpenAI
	case "candidates":
		return "[", Gemini
	case "promptFeedback", "usageMetadata":
		return "{", Gemini
	case "response":
		return "{", Responses
	case "object", "type",
		"id", "model", "role", "provider", "service_tier", "system_fingerprint", "status", "stop_reason", "stop_sequence",
		"item_id", "obfuscation", "modelVersion", "responseId", "createTime", "done_reason":
		return `"`, ""
	case "created", "completed_at", "index", "output_index", "content_index", "summary_index", "sequence_number":
		return number, ""
	case "created_at":
		return `"` + number, ""
	case "prompt_filter_results", "output", "content":
		return "[", ""
	case "message":
		return "{", Ollama // Anthropic's says its type first
	case "usage", "x_groq", "timings", "delta", "content_block", "item", "part", "error":
		return "{", ""
	case "done", "background":
		return "tf", ""
	}
	return "", ""
}
