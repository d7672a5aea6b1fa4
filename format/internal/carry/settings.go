package carry

import (
	"encoding/json"
	"strings"
)

// setting is a member that several wires have, and that means the same there.
type setting struct {
	paths map[string]string // by the wire; a wire without one has no such setting
	// convert makes the value of one wire that of another; nil: it is the same.
	convert func(from, to string, value json.RawMessage) (json.RawMessage, bool)
}

// settings are the members of a kind of object that wires share, though the
// canonical chat has no field for them.
type settings []setting

func same(paths ...string) setting { return setting{paths: byWire(paths)} }

// byWire takes "wire:path" apart. The wire of a path may be several: "a,b:path".
func byWire(paths []string) map[string]string {
	m := map[string]string{}
	for _, p := range paths {
		wires, path, _ := strings.Cut(p, ":")
		for wire := range strings.SplitSeq(wires, ",") {
			m[wire] = path
		}
	}
	return m
}

// Nothing writes to these.
var (
	ofRequest = settings{
		same("openai,responses:user", "anthropic:metadata.user_id"),
		same("openai,responses:metadata"),
		same("openai,responses:store"),
		same("openai,responses:service_tier"),
		same("openai,responses:safety_identifier"),
		same("openai,responses:prompt_cache_key"),
		same("openai,responses:prompt_cache_retention"),
		same("openai,responses:stream_options.include_obfuscation"),
		same("openai:reasoning_effort", "responses:reasoning.effort"),
		same("openai:verbosity", "responses:text.verbosity"),
		same("openai:logprobs", "gemini:generationConfig.responseLogprobs"),
		same("openai,responses:top_logprobs", "gemini:generationConfig.logprobs"),
		same("openai:n", "gemini:generationConfig.candidateCount"),
		same("openai:seed", "gemini:generationConfig.seed", "ollama:options.seed"),
		same("openai:presence_penalty", "gemini:generationConfig.presencePenalty", "ollama:options.presence_penalty"),
		same("openai:frequency_penalty", "gemini:generationConfig.frequencyPenalty", "ollama:options.frequency_penalty"),
		same("anthropic:top_k", "gemini:generationConfig.topK", "ollama:options.top_k"),
		{byWire([]string{"openai:response_format", "responses:text.format", "ollama:format"}), convertAnswerFormat},
	}
	ofImage      = settings{same("openai:image_url.detail", "responses:detail")}
	ofCustomTool = settings{{byWire([]string{"openai:custom.format", "responses:format"}), convertGrammar}}
)

// inExtras are the objects whose members stand apart in chat.Extras, by their
// wire. A member of any other object is inside of the value of that.
var inExtras = [...]struct{ wire, in string }{
	{"openai", "stream_options"}, {"openai", "image_url"}, {"openai", "custom"}, {"gemini", "generationConfig"}, {"ollama", "options"},
}

func standsApart(wire, in string) bool {
	for _, e := range inExtras {
		if e.wire == wire && e.in == in {
			return true
		}
	}
	return false
}
