package format

import (
	"bytes"
	"errors"

	"github.com/toolparse/toolparse/format/frame"
	"github.com/toolparse/toolparse/format/internal/payload"
)

// telling are members by which the requests, and the tools, of the wires are told
// apart: at a path, where [] is any element of a list. The first that is there
// decides. What no member tells is read as Chat Completions, of which the others
// are variants.
var telling = map[Kind][]struct {
	path []string
	wire Wire
}{
	KindRequest: {
		{[]string{"contents"}, Gemini},
		{[]string{"input"}, Responses},
		{[]string{"previous_response_id"}, Responses},
		{[]string{"tools", "[]", "input_schema"}, Anthropic},
		{[]string{"messages", "[]", "content", "[]", "tool_use_id"}, Anthropic},
		{[]string{"messages", "[]", "content", "[]", "input"}, Anthropic},
		{[]string{"messages", "[]", "content", "[]", "source"}, Anthropic},
		{[]string{"system"}, Anthropic},
		{[]string{"stop_sequences"}, Anthropic},
		{[]string{"thinking"}, Anthropic},
		{[]string{"output_config"}, Anthropic},
		{[]string{"anthropic_version"}, Anthropic},
		{[]string{"options"}, Ollama},
		{[]string{"think"}, Ollama},
		{[]string{"keep_alive"}, Ollama},
		{[]string{"format"}, Ollama},
		{[]string{"messages", "[]", "tool_name"}, Ollama},
		{[]string{"messages", "[]", "images"}, Ollama},
		{[]string{"messages"}, OpenAI},
	},
	KindTools: {
		{[]string{"[]", "functionDeclarations"}, Gemini},
		{[]string{"[]", "function_declarations"}, Gemini},
		{[]string{"functionDeclarations"}, Gemini},
		{[]string{"[]", "input_schema"}, Anthropic},
		{[]string{"[]", "function"}, OpenAI},
		{[]string{"[]", "custom"}, OpenAI},
		{[]string{"[]", "type"}, Responses},
	},
}

var errUnknownBody = errors.New("the wire format cannot be detected")

// Guess tells the wire of a body by members that only that wire has. Requests and
// lists of tools that several wires write so are those of Chat Completions. A body
// that is nobody's is an error.
func Guess(body []byte, kind Kind) (Wire, error) {
	if kind == KindResponse || kind == KindStream {
		wire, err := NewStream(bytes.NewReader(body), Options{}).Wire()
		if err == nil && wire == Text {
			err = errUnknownBody
		}
		return wire, err
	}
	v, err := new(payload.Reader).Open(frame.Event{Framing: frame.JSON, Number: 1, Data: body})
	if err != nil {
		return "", err
	}
	for _, row := range telling[kind] {
		if hasPath(v, row.path) {
			return row.wire, nil
		}
	}
	return "", errUnknownBody
}

// hasPath reports whether there is a value at a path.
func hasPath(v payload.Value, path []string) bool {
	if len(path) == 0 {
		return v.IsSet()
	}
	if path[0] != "[]" {
		return hasPath(v.Get(path[0]), path[1:])
	}
	for item := range v.Items() {
		if hasPath(item, path[1:]) {
			return true
		}
	}
	return false
}
