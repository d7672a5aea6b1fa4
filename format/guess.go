package format

import (
	"cmp"
	"errors"

	"github.com/toolparse/toolparse/format/internal/frame"
	"github.com/toolparse/toolparse/format/internal/rawjson"
)

// telling lists members that distinguish the wires of requests and tool lists: each is a
// path, in which [] means any element of a list. The first member that exists decides.
// Without any, the wire is Chat Completions, of which the others are variants.
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

// Guess returns the wire of a body by members that only this wire has. It takes requests
// and tool lists that several wires write in the same way for Chat Completions. It
// returns an error for a body of no known wire.
func Guess(body []byte, kind Kind) (Wire, error) {
	if kind == KindResponse || kind == KindStream {
		v := sniffWhole(body)
		if v.err == nil && v.wire == Text {
			v.err = cmp.Or(foreignBody(body), errUnknownBody)
		}
		return v.wire, v.err
	}
	v, err := new(rawjson.Reader).Open(frame.Event{Framing: frame.JSON, Number: 1, Data: body})
	if err != nil {
		return "", err
	}
	if tools := v.Get("tools"); kind == KindTools && tools.IsSet() { // in a request
		v = tools
	}
	if wire := told(v, kind); wire != "" {
		return wire, nil
	}
	return "", errUnknownBody
}

// told returns the wire that a distinctive member shows, or "".
func told(v rawjson.Value, kind Kind) Wire {
	for _, row := range telling[kind] {
		if hasPath(v, row.path) {
			return row.wire
		}
	}
	return ""
}

// IsPlain reports whether a whole input is plain text, so that a [Stream] with Auto would
// read it as such.
func IsPlain(input string) bool {
	v := sniffWhole(input)
	return v.wire == Text && v.err == nil
}

// sniffWhole determines the kind of a whole input, nearly always from its beginning.
func sniffWhole[Bytes ~[]byte | ~string](input Bytes) verdict {
	s := sniffer{max: frame.DefaultMaxEventBytes}
	for size := 64; len(input) > 0; size = min(2*size, defaultChunk) {
		piece := input[:min(len(input), size)]
		input = input[len(piece):]
		if v, ok := s.add([]byte(piece)); ok {
			return v
		}
	}
	return s.end()
}

// requestOf returns the wire if a JSON object is a request, or "". It requires the
// members that every request of the wire has, because a model may answer with some of the
// others.
func requestOf(v rawjson.Value) Wire {
	if !isRequest(v) {
		return ""
	}
	return told(v, KindRequest)
}

func isRequest(v rawjson.Value) bool {
	if v.Get("model").Kind == rawjson.String {
		input := v.Get("input")
		switch {
		case input.Kind == rawjson.String:
			for _, setting := range []string{"instructions", "tools", "stream", "store", "max_output_tokens", "previous_response_id"} {
				if v.Get(setting).IsSet() {
					return true
				}
			}
			return v.Len() == 2
		case rawjson.First(input).Get("type").Kind == rawjson.String, rawjson.First(input).Get("role").Kind == rawjson.String:
			return true
		}
	}
	message := rawjson.First(v.Get("messages"))
	return hasPath(v, []string{"contents", "[]", "parts"}) || hasPath(v, []string{"contents", "parts"}) ||
		message.Get("role").Kind == rawjson.String && (message.Get("content").IsSet() || message.Get("tool_calls").IsSet() || v.Get("model").IsSet())
}

// hasPath reports whether there is a value at a path.
func hasPath(v rawjson.Value, path []string) bool {
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
