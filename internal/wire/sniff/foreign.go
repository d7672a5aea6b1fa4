package sniff

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/toolparse/toolparse/internal/wire/envelope"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
)

// API is one whose answers are in no wire format.
type API struct {
	Name string
	Use  string // what to do instead

	paths [][]string // of members in its bodies or events; [] matches any element of a list
	types []string   // of its events, as "type" or "event_type"; a final dot or hyphen makes it a prefix
	words []string   // values of the member "object"
	lines []string   // beginnings of lines in its stream that are not JSON
}

// foreignAPIs are the known ones. The table is read-only.
var foreignAPIs = [...]API{
	{
		Name: "Amazon Bedrock's Converse API", Use: "pass the answer of InvokeModel, or of Bedrock's OpenAI-compatible endpoint",
		paths: [][]string{
			{"output", "message", "content"}, {"contentBlockStart", "contentBlockIndex"}, {"contentBlockDelta", "delta"},
			{"contentBlockStop", "contentBlockIndex"}, {"messageStart", "role"}, {"messageStop", "stopReason"},
		},
	},
	{
		Name: "Amazon Bedrock's event stream", Use: "pass what its bytes hold, decoded from base64: the events of the model's own provider",
		paths: [][]string{{"chunk", "bytes"}},
	},
	{
		Name: "Mistral's Conversations API", Use: "ask /v1/chat/completions instead, which is the wire format openai",
		types: []string{"conversation.response.", "message.output.", "function.call.", "agent.handoff.", "tool.execution."},
		words: []string{"conversation.response"},
	},
	{
		Name: "Gemini's Live API", Use: "ask generateContent or streamGenerateContent instead, which are the wire format gemini",
		paths: [][]string{
			{"setupComplete"}, {"serverContent"}, {"toolCall", "functionCalls"}, {"toolCallCancellation", "ids"},
			{"server_content"}, {"tool_call", "function_calls"},
		},
	},
	{
		Name: "Gemini's Interactions API", Use: "ask generateContent or streamGenerateContent instead, which are the wire format gemini",
		types: []string{"interaction.", "step.start", "step.delta", "step.stop"},
		words: []string{"interaction"},
	},
	{
		Name: "Google's Code Assist", Use: "pass what its member response holds, which is the wire format gemini",
		paths: [][]string{{"response", "candidates", "[]", "content"}},
	},
	{
		Name: "DashScope's own API", Use: "ask its OpenAI-compatible endpoint instead, which is the wire format openai",
		paths: [][]string{{"output", "choices", "[]", "message"}},
	},
	{
		Name: "Vercel's AI SDK", Use: "pass the provider's own answer, from before the SDK reads it",
		types: []string{"tool-input-", "tool-output-", "start-step", "finish-step"},
		paths: [][]string{{"toolCallId"}},
		lines: []string{`f:{"messageId"`, `9:{"toolCallId"`, `b:{"toolCallId"`, `d:{"finishReason"`, `e:{"finishReason"`},
	},
	{
		Name: "the AG-UI protocol", Use: "pass the provider's own answer, from before the agent reads it",
		types: []string{"TOOL_CALL_START", "TOOL_CALL_ARGS", "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "RUN_STARTED"},
	},
	{
		Name: "Cohere's Chat API", Use: "ask its OpenAI-compatible endpoint instead, which is the wire format openai",
		types: []string{"tool-call-start", "tool-call-delta", "tool-plan-delta", "content-delta", "message-end"},
		paths: [][]string{{"message", "tool_plan"}, {"message", "citations"}},
	},
	{
		Name: "OpenAI's Assistants API", Use: "ask /v1/responses or /v1/chat/completions instead",
		words: []string{"thread.run", "thread.message.delta", "thread.run.step.delta"},
	},
}

// maxForeign limits the events that are inspected.
const maxForeign = 64

// Foreign returns the API of a body or stream that is in no known wire format, or nil. It
// inspects only the first events.
func Foreign(body []byte) *API {
	if api := foreignLine(bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\ufeff")))); api != nil {
		return api
	}
	seen := 0
	for v, err := range valuesIn(body) {
		v = rawjson.First(v)
		if seen++; seen > maxForeign || err == nil && classify(v) != "" {
			break
		}
		if api := ForeignOf(v); err == nil && api != nil {
			return api
		}
	}
	return nil
}

// Err returns the error for an answer of the API. It is nil for none.
func (api *API) Err() error {
	if api == nil {
		return nil
	}
	return fmt.Errorf("the body is an answer of %s, which is in no wire format; %s", api.Name, api.Use)
}

// ForeignOf returns the API of an object, or nil.
func ForeignOf(v rawjson.Value) *API {
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
func foreignLine(body []byte) *API {
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
