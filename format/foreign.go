package format

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/toolparse/toolparse/internal/wire/envelope"
	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
)

// ForeignError is the reason in a SyntaxError if a stream begins with an event of another
// wire than the one in the options.
type ForeignError struct{ Wire Wire }

// Error names the wire of the event.
func (e *ForeignError) Error() string { return fmt.Sprintf("the event belongs to the wire %s", e.Wire) }

// checkWire returns an error for an event of another wire. The first event of any wire
// decides. Errors and keep-alives do not count, because gateways send those of one wire
// in streams of another. A body that is a gateway's own error becomes one of the wire.
func (s *Stream) checkWire(e frame.Event) (frame.Event, error) {
	if s.known || s.count > 0 || e.IsDone() {
		return e, nil
	}
	v, ok := e.Indexed()
	if !ok {
		var err error
		if v, err = new(rawjson.Reader).Open(e); err != nil {
			return e, nil // the decoder reports it with its place
		}
	}
	v = rawjson.First(v)
	marks := &s.dec.envelope
	marks.Read(v)
	if marks.Failure.IsSet() || marks.Type.Is("error") || marks.Type.Is("ping") {
		return e, nil
	}
	if e.IsBody() || marks.Object.Is("error") { // the latter is vLLM's, also as an event
		if data := marks.AsError(); data != nil {
			e.Data = data
			return e, nil
		}
	}
	switch wire := wireOf(marks); wire {
	case "":
		if api := foreignOf(v); api != nil && e.IsBody() {
			return e, &SyntaxError{Wire: string(s.wire), Event: e.Number, Offset: e.Offset, Err: api.error()}
		}
	case s.wire:
		s.known = true
	default:
		return e, &SyntaxError{Wire: string(s.wire), Event: e.Number, Offset: e.Offset, Err: &ForeignError{wire}}
	}
	return e, nil
}

// foreignAPI is an API whose answers are in none of the [Wires].
type foreignAPI struct {
	name string
	use  string // what to do instead

	paths [][]string // of members in its bodies or events; [] matches any element of a list
	types []string   // of its events, as "type" or "event_type"; a final dot or hyphen makes it a prefix
	words []string   // values of the member "object"
	lines []string   // beginnings of lines in its stream that are not JSON
}

// foreignAPIs are the known ones. The table is read-only.
var foreignAPIs = [...]foreignAPI{
	{
		name: "Amazon Bedrock's Converse API", use: "pass the answer of InvokeModel, or of Bedrock's OpenAI-compatible endpoint",
		paths: [][]string{
			{"output", "message", "content"}, {"contentBlockStart", "contentBlockIndex"}, {"contentBlockDelta", "delta"},
			{"contentBlockStop", "contentBlockIndex"}, {"messageStart", "role"}, {"messageStop", "stopReason"},
		},
	},
	{
		name: "Amazon Bedrock's event stream", use: "pass what its bytes hold, decoded from base64: the events of the model's own provider",
		paths: [][]string{{"chunk", "bytes"}},
	},
	{
		name: "Mistral's Conversations API", use: "ask /v1/chat/completions instead, which is the wire format openai",
		types: []string{"conversation.response.", "message.output.", "function.call.", "agent.handoff.", "tool.execution."},
		words: []string{"conversation.response"},
	},
	{
		name: "Gemini's Live API", use: "ask generateContent or streamGenerateContent instead, which are the wire format gemini",
		paths: [][]string{
			{"setupComplete"}, {"serverContent"}, {"toolCall", "functionCalls"}, {"toolCallCancellation", "ids"},
			{"server_content"}, {"tool_call", "function_calls"},
		},
	},
	{
		name: "Gemini's Interactions API", use: "ask generateContent or streamGenerateContent instead, which are the wire format gemini",
		types: []string{"interaction.", "step.start", "step.delta", "step.stop"},
		words: []string{"interaction"},
	},
	{
		name: "Google's Code Assist", use: "pass what its member response holds, which is the wire format gemini",
		paths: [][]string{{"response", "candidates", "[]", "content"}},
	},
	{
		name: "DashScope's own API", use: "ask its OpenAI-compatible endpoint instead, which is the wire format openai",
		paths: [][]string{{"output", "choices", "[]", "message"}},
	},
	{
		name: "Vercel's AI SDK", use: "pass the provider's own answer, from before the SDK reads it",
		types: []string{"tool-input-", "tool-output-", "start-step", "finish-step"},
		paths: [][]string{{"toolCallId"}},
		lines: []string{`f:{"messageId"`, `9:{"toolCallId"`, `b:{"toolCallId"`, `d:{"finishReason"`, `e:{"finishReason"`},
	},
	{
		name: "the AG-UI protocol", use: "pass the provider's own answer, from before the agent reads it",
		types: []string{"TOOL_CALL_START", "TOOL_CALL_ARGS", "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "RUN_STARTED"},
	},
	{
		name: "Cohere's Chat API", use: "ask its OpenAI-compatible endpoint instead, which is the wire format openai",
		types: []string{"tool-call-start", "tool-call-delta", "tool-plan-delta", "content-delta", "message-end"},
		paths: [][]string{{"message", "tool_plan"}, {"message", "citations"}},
	},
	{
		name: "OpenAI's Assistants API", use: "ask /v1/responses or /v1/chat/completions instead",
		words: []string{"thread.run", "thread.message.delta", "thread.run.step.delta"},
	},
}

// maxForeign limits the events that are inspected.
const maxForeign = 64

// ForeignAPI names the API of a body or stream that is in no known wire format, and says
// what to use instead. Both are "" if the API is unknown. It inspects only the first
// events.
func ForeignAPI(body []byte) (name, use string) {
	if api := foreignLine(bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\ufeff")))); api != nil {
		return api.name, api.use
	}
	seen := 0
	for v, err := range valuesIn(body) {
		v = rawjson.First(v)
		if seen++; seen > maxForeign || err == nil && classify(v) != "" {
			break
		}
		if api := foreignOf(v); err == nil && api != nil {
			return api.name, api.use
		}
	}
	return "", ""
}

// foreignBody returns the error for a body of such an API, or nil.
func foreignBody(head []byte) error {
	if name, use := ForeignAPI(head); name != "" {
		return (&foreignAPI{name: name, use: use}).error()
	}
	return nil
}

func (api *foreignAPI) error() error {
	return fmt.Errorf("the body is an answer of %s, which is in no wire format; %s", api.name, api.use)
}

// foreignOf returns the API of an object, or nil.
func foreignOf(v rawjson.Value) *foreignAPI {
	kind, object := v.Get("type"), v.Get("object")
	if !kind.IsSet() {
		kind = v.Get("event_type")
	}
	for i := range foreignAPIs {
		api := &foreignAPIs[i]
		for _, word := range api.types {
			several := strings.HasSuffix(word, ".") || strings.HasSuffix(word, "-")
			if kind.Is(word) || several && kind.Kind == rawjson.String && strings.HasPrefix(string(kind.Raw), word) {
				return api
			}
		}
		for _, word := range api.words {
			if object.Is(word) {
				return api
			}
		}
		for _, path := range api.paths {
			if envelope.HasPath(v, path) {
				return api
			}
		}
	}
	return nil
}

// foreignLine returns the API of a stream by its first lines, or nil.
func foreignLine(body []byte) *foreignAPI {
	for range maxForeign {
		line, rest, _ := bytes.Cut(body, []byte("\n"))
		for i := range foreignAPIs {
			for _, begin := range foreignAPIs[i].lines {
				if bytes.HasPrefix(line, []byte(begin)) {
					return &foreignAPIs[i]
				}
			}
		}
		body = rest
	}
	return nil
}
