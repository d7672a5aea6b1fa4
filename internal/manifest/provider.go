package manifest

import (
	"fmt"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
)

// Providers returns the providers that [ForProvider] knows.
func Providers() []string {
	return []string{"openai", "mistral", "deepseek", "grok", "gemini", "anthropic"}
}

// ForProvider returns the dialect that a manifest teaches to a provider's models: XML for
// Anthropic, JSON in the provider's own shape for OpenAI, Gemini and others, and plain
// JSON for an unknown provider.
//
// If override is not "", it is a value of TOOLPARSE_STREAM_PARSER and decides: xml, json
// (the provider's profile), sentinel, api_tool_call, or any dialect's name.
func ForProvider(provider, override string) (*dialect.Dialect, error) {
	name := override
	switch lower := strings.ToLower(provider); {
	case name != "":
	case lower == "anthropic", lower == "claude":
		name = "xml"
	default:
		name = "json"
	}
	if provider == "" { // no profile of all profiles: one of them must be taught
		provider = "default"
	}
	dialects, err := dialect.Named(name, provider)
	if err != nil {
		return nil, err
	}
	if len(dialects) != 1 {
		return nil, fmt.Errorf("%q means several dialects; a manifest teaches one", name)
	}
	return dialects[0], nil
}
