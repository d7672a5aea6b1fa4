package provider

import (
	"encoding/json"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format/chat"
)

// vendor describes the vendor of a wire format, beyond what package format knows.
type vendor struct {
	base    string   // the vendor's own server
	keyName string   // environment variable with the key; "" if none is needed
	extras  []member // members to add to every request
}

type member struct{ name, value string }

var vendors = map[toolparse.Wire]vendor{
	toolparse.OpenAI: {base: "https://api.openai.com/v1", keyName: "OPENAI_API_KEY"},
	toolparse.Responses: {
		base: "https://api.openai.com/v1", keyName: "OPENAI_API_KEY",
		// Store nothing on the server, and return the encrypted reasoning instead.
		extras: []member{{"store", "false"}, {"include", `["reasoning.encrypted_content"]`}},
	},
	toolparse.Anthropic: {base: "https://api.anthropic.com", keyName: "ANTHROPIC_API_KEY"},
	toolparse.Gemini:    {base: "https://generativelanguage.googleapis.com", keyName: "GEMINI_API_KEY"},
	toolparse.Ollama:    {base: "http://127.0.0.1:11434"},
}

// addExtras returns a request with the members that its wire format needs.
func addExtras(w toolparse.Wire, request *toolparse.Request) *toolparse.Request {
	out := *request
	out.Extras = append(chat.Extras(nil), request.Extras...)
	for _, m := range vendors[w].extras {
		if out.Extras.Get(string(w), "", m.name) == nil {
			out.Extras = append(out.Extras, chat.Extra{Wire: string(w), Name: m.name, Value: json.RawMessage(m.value)})
		}
	}
	return &out
}
