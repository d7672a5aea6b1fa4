package envelope

import (
	"slices"

	"github.com/toolparse/toolparse/internal/wire/rawjson"
)

// Envelope holds the members of a whole object by which wires are recognised. Whole has
// the others.
type Envelope struct {
	Whole rawjson.Value

	Type, Object, Choices, Candidates, Feedback, Usage, Message, Done, Model, Content, Role, Sequence, Failure,
	Output, Status, Response rawjson.Value

	Identified bool // has id, created, usage or model
	Versioned  bool // has modelVersion or responseId
	Realtime   bool // has event_id
	OnlyError  bool // has only members that an error event may have

	answers bool   // has a member of a wire's answers
	failure string // the member that tells what failed, if the object is a gateway's error
}

// Of collects the members of an object.
func Of(v rawjson.Value) Envelope {
	var e Envelope
	e.Read(v)
	return e
}

// Read makes e the envelope of an object.
func (e *Envelope) Read(v rawjson.Value) {
	*e = Envelope{Whole: v, OnlyError: true}
	for key, member := range v.Fields() {
		e.note(string(key), member)
	}
}

func (e *Envelope) note(key string, v rawjson.Value) {
	switch key {
	case "type", "code", "message", "param", "sequence_number":
	default:
		e.OnlyError = false
	}
	switch key {
	case "choices", "candidates", "content", "done", "error", "model", "output", "response", "role":
		e.answers = true
	case "message", "Message", "msg", "error_msg", "detail", "errors":
		if v.Kind == rawjson.String && len(v.Raw) > 0 || v.Kind == rawjson.Array {
			e.failure = key
		}
	}
	switch key {
	case "type":
		e.Type = v
	case "object":
		e.Object = v
	case "choices":
		e.Choices = v
	case "candidates":
		e.Candidates = v
	case "promptFeedback", "prompt_feedback":
		e.Feedback = v
	case "usageMetadata", "usage_metadata":
		e.Usage = v
	case "output":
		e.Output = v
	case "status":
		e.Status = v
	case "message":
		e.Message = v
	case "response":
		e.Response = v
	case "done":
		e.Done = v
	case "model":
		e.Model, e.Identified = v, true
	case "content":
		e.Content = v
	case "role":
		e.Role = v
	case "sequence_number":
		e.Sequence = v
	case "event_id":
		e.Realtime = true
	case "error":
		e.Failure = v
	case "id", "created", "usage":
		e.Identified = true
	case "modelVersion", "model_version", "responseId", "response_id":
		e.Versioned = true
	}
}

// IsBareError reports whether v contains only an error text.
func IsBareError(v rawjson.Value) bool {
	name, failure, ok := v.Only()
	return ok && name == "error" && failure.Kind == rawjson.String && !failure.Is("")
}

// AsError returns the error of a gateway, in the form that all wires read, or nil for any
// other object. What stands before a provider writes errors in its own form: many gateways
// {"message":"..."}, FastAPI {"detail":"..."}, Cloudflare {"errors":[...]}.
func (e *Envelope) AsError() []byte {
	if e.failure == "" || e.answers {
		return nil
	}
	failure := e.Whole.JSON()
	if name, detail, ok := e.Whole.Only(); ok && name == "detail" {
		failure = detail.JSON()
	}
	return slices.Concat([]byte(`{"error":`), failure, []byte("}"))
}
