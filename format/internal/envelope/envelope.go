package envelope

import (
	"slices"

	"github.com/toolparse/toolparse/format/internal/rawjson"
	"github.com/toolparse/toolparse/internal/jsonstream"
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

// Outline is what is known about an incomplete object: its members, and the first token
// of their values, or the colon before them.
type Outline struct {
	Type, Object string // the values of "type" and "object"
	begins       map[string]jsonstream.Kind
	elements     map[string]jsonstream.Kind // the first token of the first element of each list
}

// outlined are the members that an outline records.
var outlined = [...]string{
	"choices", "candidates", "promptFeedback", "prompt_feedback", "usageMetadata", "usage_metadata", "message", "done", "model",
	"created_at", "content", "role", "response", "sequence_number", "name", "output", "status", "stop_reason",
}

// Add records a member whose value begins with a token or, with first, is a list whose
// first element does.
func (o *Outline) Add(key string, token jsonstream.Kind, first bool) {
	if !slices.Contains(outlined[:], key) {
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

// Has reports whether the object has a member. HasObject, HasList and HasText also say how
// its value begins, and HasObjects that it is a list of objects.
func (o *Outline) Has(key string) bool        { return o.begins[key] != jsonstream.More }
func (o *Outline) HasObject(key string) bool  { return o.begins[key] == jsonstream.ObjectStart }
func (o *Outline) HasList(key string) bool    { return o.begins[key] == jsonstream.ArrayStart }
func (o *Outline) HasText(key string) bool    { return o.begins[key] == jsonstream.StringStart }
func (o *Outline) HasObjects(key string) bool { return o.elements[key] == jsonstream.ObjectStart }

// IsCall reports whether a further key shows that the object is a call that a model wrote
// as text. No envelope has these keys, or a name with arguments.
func (o *Outline) IsCall(key string) bool {
	switch key {
	case "tool_calls", "tool_call", "function", "functionCall", "function_call", "tool", "tool_name":
		return true
	case "arguments", "parameters", "args", "input":
		return o.HasText("name") && o.Type == ""
	}
	return false
}
