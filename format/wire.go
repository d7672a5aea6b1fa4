package format

import "github.com/toolparse/toolparse/internal/wire/all"

// Wire is the name of a provider's format.
type Wire string

// The wires.
const (
	Auto      Wire = all.Auto // detect the wire
	Text      Wire = all.Text // no wire: plain text
	OpenAI    Wire = "openai"
	Responses Wire = "responses"
	Anthropic Wire = "anthropic"
	Gemini    Wire = "gemini"
	Ollama    Wire = "ollama"
)

// Wires returns the wires in a fixed order, without Auto and Text.
func Wires() []Wire {
	names := make([]Wire, len(all.Wires))
	for i, w := range all.Wires {
		names[i] = Wire(w.Name)
	}
	return names
}

// ParseWire returns the wire with this name; "" means Auto. The error for any other name
// lists the valid ones.
func ParseWire(name string) (Wire, error) {
	if name == "" {
		return Auto, nil
	}
	if err := all.Check(name); err != nil {
		return "", err
	}
	return Wire(name), nil
}
