package parser

import (
	"fmt"
	"slices"
	"strings"
)

// Dialects returns the table, in a fixed order. The values are shared: they
// must not be changed.
func Dialects() []*Dialect { return slices.Clone(table) }

var table = []*Dialect{xmlTags, sentinel, jsonAny, jsonOpenAI, jsonGemini, jsonDefault, apiToolCall}

// Named returns the dialects that name stands for: one, by its name or an
// alias, in any case; "auto", those that a stream may turn out to be written
// in, in the order in which they are tried; or "json", the profile of provider
// ("openai", "gemini", ...), which is all profiles at once where the provider
// is not known. An unknown name is an error that lists the nearest ones.
func Named(name, provider string) ([]*Dialect, error) {
	switch key := strings.ToLower(strings.TrimSpace(name)); key {
	case "auto":
		return []*Dialect{xmlTags, sentinel, jsonAny}, nil
	case "json":
		return []*Dialect{jsonProfile(provider)}, nil
	default:
		for _, d := range table {
			if d.Name == key || slices.Contains(d.Aliases, key) {
				return []*Dialect{d}, nil
			}
		}
	}
	return nil, &UnknownDialectError{Name: name}
}

// jsonProfile is the JSON dialect that a provider's models are taught.
func jsonProfile(provider string) *Dialect {
	switch strings.ToLower(provider) {
	case "":
		return jsonAny
	case "openai", "responses", "mistral", "deepseek", "xai", "grok":
		return jsonOpenAI
	case "gemini", "google":
		return jsonGemini
	}
	return jsonDefault
}

// UnknownDialectError says that a name is no dialect's.
type UnknownDialectError struct{ Name string }

func (e *UnknownDialectError) Error() string {
	names := []string{"auto"}
	for _, d := range table {
		names = append(names, d.Name)
	}
	return fmt.Sprintf("unknown dialect %q: known are %s", e.Name, strings.Join(names, ", "))
}
