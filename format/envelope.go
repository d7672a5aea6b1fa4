package format

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format/internal/rawjson"
	"github.com/toolparse/toolparse/internal/jsonstream"
)

// classify returns the wire of an event, given as a JSON object, by the envelope that
// each wire puts around a model's output. It returns "" if the object is of no known
// wire. A call that a model wrote as JSON, such as {"name":"x","arguments":{}}, has no
// envelope.
func classify(v rawjson.Value) Wire {
	e := envelopeOf(v)
	return e.wire()
}

// envelopeOf collects the members that distinguish wires.
func envelopeOf(v rawjson.Value) envelope {
	e := envelope{onlyError: true}
	for key, member := range v.Fields() {
		e.note(string(key), member)
	}
	return e
}

func (e *envelope) wire() Wire {
	kind := string(e.kind.Raw)
	switch {
	case e.kind.Kind == rawjson.String && wireOfType(kind) != "":
		return wireOfType(kind)
	case wireOfObject(string(e.object.Raw)) != "":
		return wireOfObject(string(e.object.Raw))
	case e.realtime && isRealtime(kind):
		return Responses
	case e.isChat():
		return OpenAI
	case e.isGemini():
		return Gemini
	case e.message.Kind == rawjson.Object && e.done.Kind == rawjson.Bool && e.model.Kind == rawjson.String:
		return Ollama
	case e.response.Kind == rawjson.String && e.done.Kind == rawjson.Bool && e.model.Kind == rawjson.String: // /api/generate
		return Ollama
	case kind == "message" && e.content.Kind == rawjson.Array && (e.role.IsSet() || e.model.IsSet()):
		return Anthropic
	case e.isResponse():
		return Responses
	case kind == "error" && e.sequence.Kind == rawjson.Number, kind == "error" && e.message.Kind == rawjson.String && e.onlyError:
		return Responses
	case kind == "error" && e.failure.Kind == rawjson.Object:
		return Anthropic
	case e.failure.Kind == rawjson.Object && e.failure.Get("status").Kind == rawjson.String:
		return Gemini
	case e.failure.Kind == rawjson.Object && e.failure.Get("message").Kind == rawjson.String:
		return OpenAI
	case e.object.Is("error") && e.message.Kind == rawjson.String:
		return OpenAI
	}
	return ""
}

// isBareError reports whether v contains only an error text. That is an error of
// Ollama's, if nothing follows; but a model may begin its text so.
func isBareError(v rawjson.Value) bool {
	name, failure, ok := v.Only()
	return ok && name == "error" && failure.Kind == rawjson.String && !failure.Is("")
}

// envelope holds the members of an object that distinguish wires.
type envelope struct {
	kind, object, choices, candidates, feedback, usage, message, done, model, content, role, sequence, failure,
	output, status, response rawjson.Value

	identified bool // has id, created or usage next to choices
	versioned  bool // has modelVersion or responseId next to usageMetadata
	realtime   bool // has event_id
	onlyError  bool // has only the members of an error event of Responses
}

func (e *envelope) note(key string, v rawjson.Value) {
	switch key {
	case "type", "code", "message", "param", "sequence_number":
	default:
		e.onlyError = false
	}
	switch key {
	case "type":
		e.kind = v
	case "object":
		e.object = v
	case "choices":
		e.choices = v
	case "candidates":
		e.candidates = v
	case "promptFeedback", "prompt_feedback":
		e.feedback = v
	case "usageMetadata", "usage_metadata":
		e.usage = v
	case "output":
		e.output = v
	case "status":
		e.status = v
	case "message":
		e.message = v
	case "response":
		e.response = v
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
	case "event_id":
		e.realtime = true
	case "error":
		e.failure = v
	case "id", "created", "usage":
		e.identified = true
	case "modelVersion", "model_version", "responseId", "response_id":
		e.versioned = true
	}
}

// isAnthropicTurn reports whether v is an Anthropic message with a call, as in a history.
func isAnthropicTurn(v rawjson.Value) bool {
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

// isChat reports whether choices are those of Chat Completions. They may be empty, as in
// Azure's first chunk.
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
	return e.choices.Kind == rawjson.Array && e.identified
}

// isResponse reports whether output is that of a Responses body that does not say so
// itself.
func (e *envelope) isResponse() bool {
	for item := range e.output.Items() {
		return item.Get("type").Kind == rawjson.String && e.status.Kind == rawjson.String && e.model.Kind == rawjson.String
	}
	return false
}

// isGemini reports whether this is Gemini's envelope, with or without candidates.
func (e *envelope) isGemini() bool {
	for candidate := range e.candidates.Items() {
		for key := range candidate.Fields() {
			switch string(key) {
			case "content", "finishReason", "finish_reason", "safetyRatings", "safety_ratings":
				return true
			}
		}
		return false
	}
	return e.feedback.Kind == rawjson.Object || e.usage.Kind == rawjson.Object && e.versioned
}

// wireOfType returns the wire with this type of event, or "".
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

// wireOfObject returns the wire whose objects have this name, or "".
func wireOfObject(object string) Wire {
	switch object {
	case "chat.completion", "chat.completion.chunk", "text_completion":
		return OpenAI
	case "response":
		return Responses
	}
	return ""
}

// outline is what is known about an incomplete object: its members, and the first token
// of their values, or the colon before them.
type outline struct {
	kind, object string // the values of "type" and "object"
	begins       map[string]jsonstream.Kind
	elements     map[string]jsonstream.Kind // the first token of the first element of each list
}

// How values begin.
const (
	object = jsonstream.ObjectStart
	list   = jsonstream.ArrayStart
	text   = jsonstream.StringStart
)

// outlineKeys are the members that an outline records.
var outlineKeys = [...]string{
	"choices", "candidates", "promptFeedback", "prompt_feedback", "usageMetadata", "usage_metadata", "message", "done", "model",
	"created_at", "content", "role", "response", "sequence_number", "name", "output", "status", "stop_reason",
}

// member records a member whose value begins with a token or, with first, is a list whose
// first element does.
func (o *outline) member(key string, token jsonstream.Kind, first bool) {
	if !slices.Contains(outlineKeys[:], key) {
		return
	}
	if o.begins == nil {
		o.begins, o.elements = map[string]jsonstream.Kind{}, map[string]jsonstream.Kind{}
	}
	if first {
		o.elements[key] = token
	} else {
		o.begins[key] = token
	}
}

// word records a member's string value. If that decides, it returns the wire, or Text.
func (o *outline) word(key, value string) (wire Wire, ok bool) {
	switch key {
	case "type":
		o.kind = value
		switch value {
		case "function", "function_call", "tool_call", "tool_use":
			return Text, true
		}
		wire = wireOfType(value)
	case "object":
		o.object = value
		wire = wireOfObject(value)
	}
	return wire, wire != ""
}

// isCall reports whether a further key shows that the object is a call that a model wrote
// as text. No envelope has these keys, or a name with arguments.
func (o *outline) isCall(key string) bool {
	switch key {
	case "tool_calls", "tool_call", "function", "functionCall", "function_call", "tool", "tool_name":
		return true
	case "arguments", "parameters", "args", "input":
		return o.begins["name"] == text && o.kind == ""
	}
	return false
}

// wire returns the most likely wire of the object, or "".
func (o *outline) wire() Wire {
	has := func(key string) bool { return o.begins[key] != jsonstream.More }
	switch {
	case o.elements["choices"] == object || o.begins["choices"] == list && has("model"):
		return OpenAI
	case o.elements["candidates"] == object, o.begins["promptFeedback"] == object, o.begins["usageMetadata"] == object,
		o.begins["prompt_feedback"] == object, o.begins["usage_metadata"] == object:
		return Gemini
	case o.kind == "message" && (has("content") || has("role")), o.begins["content"] == list && has("role") && has("model"):
		return Anthropic
	case o.begins["message"] == object && (has("model") || has("created_at") || has("done")),
		o.begins["response"] == text && has("model") && (has("created_at") || has("done")):
		return Ollama
	case o.begins["response"] == object && has("sequence_number"), o.elements["output"] == object && has("status"):
		return Responses
	case o.object == "error" && has("message"):
		return OpenAI
	}
	return ""
}
