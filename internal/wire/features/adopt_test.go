package features

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format/chat"
)

func TestAdopt(t *testing.T) {
	x := func(wire, in, name, value string) chat.Extra {
		return chat.Extra{Wire: wire, In: in, Name: name, Value: []byte(value)}
	}
	spelling := chat.Extra{Wire: "openai", Name: "max_tokens", Spelling: true}
	for _, tt := range []struct {
		name, wire string
		in, want   chat.Extras
	}{
		{"nothing foreign", "openai", chat.Extras{x("openai", "", "seed", "1"), spelling}, chat.Extras{x("openai", "", "seed", "1"), spelling}},
		{"one's own stays", "openai", chat.Extras{x("ollama", "options", "seed", "2"), x("openai", "", "seed", "1")}, chat.Extras{x("openai", "", "seed", "1"), x("ollama", "options", "seed", "2")}},
		{
			"an object of one's own, too", "responses", chat.Extras{x("openai", "", "verbosity", `"low"`), x("responses", "", "text", "{}")},
			chat.Extras{x("responses", "", "text", "{}"), x("openai", "", "verbosity", `"low"`)},
		},
		{"the first of two", "ollama", chat.Extras{x("openai", "", "seed", "1"), x("openai", "", "seed", "2")}, chat.Extras{x("ollama", "options", "seed", "1"), x("openai", "", "seed", "2")}},
		{"nothing said", "ollama", chat.Extras{x("openai", "", "seed", "null")}, chat.Extras{x("openai", "", "seed", "null")}},
		{"either spelling of Gemini's", "ollama", chat.Extras{x("gemini", "generationConfig", "top_k", "5")}, chat.Extras{x("ollama", "options", "top_k", "5")}},
		{"no object", "openai", chat.Extras{x("responses", "", "text", `"x"`)}, chat.Extras{x("responses", "", "text", `"x"`)}},
		{"another kind of format", "ollama", chat.Extras{x("responses", "", "text", `{"format":7}`)}, chat.Extras{x("responses", "text", "format", "7")}},
		{"a value of another type", "responses", chat.Extras{x("openai", "", "reasoning_effort", "5")}, chat.Extras{x("openai", "", "reasoning_effort", "5")}},
		{"with the switch that it needs", "openai", chat.Extras{x("responses", "", "top_logprobs", "2")}, chat.Extras{x("openai", "", "top_logprobs", "2"), x("openai", "", "logprobs", "true")}},
		{
			"with a switch of its own", "gemini", chat.Extras{x("openai", "", "top_logprobs", "2"), x("openai", "", "logprobs", "true")},
			chat.Extras{x("gemini", "generationConfig", "logprobs", "2"), x("gemini", "generationConfig", "responseLogprobs", "true")},
		},
		{"spellings stay", "ollama", chat.Extras{spelling, x("openai", "", "seed", "1")}, chat.Extras{spelling, x("ollama", "options", "seed", "1")}},
	} {
		if diff := cmp.Diff(tt.want, (&Log{Wire: tt.wire}).ConvertRequest(tt.in)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
