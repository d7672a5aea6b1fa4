package features

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/toolparse/toolparse/internal/wire/rawjson"
)

// setting is a member with the same meaning on several wires.
type setting struct {
	kind  rawjson.Kind      // of its value; Absent: any
	paths map[string]string // by wire; other wires have no such setting
	// needs are the paths of switches that the setting requires, by wire, and needed are
	// their values; "" means true.
	needs  map[string]string
	needed string
	// convert converts a value from one wire to another; nil if the values are the same.
	convert conversion
	// weak means that another setting of the source may say the same and more.
	weak bool
	// excluded are the paths of settings that a wire does not accept together with this
	// one. Their values in implied say the same.
	excluded map[string]string
	implied  string
}

// conversion converts a value from one wire to another. It returns no value if the result
// is the default there. note describes a value that is only similar.
type conversion func(from, to string, value json.RawMessage) (converted json.RawMessage, note string, ok bool)

// settings are the shared members of one kind of object that have no field in the
// canonical chat.
type settings []setting

func same(kind rawjson.Kind, paths ...string) setting {
	return setting{kind: kind, paths: byWire(paths)}
}

// needing returns the setting with the switches that it requires.
func (s setting) needing(paths ...string) setting {
	s.needs = byWire(paths)
	return s
}

// byWire parses "wire:path". Several wires can share a path: "a,b:path".
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

// These tables are read-only.
var (
	ofRequest = settings{
		same(rawjson.String, "openai,responses:user", "anthropic:metadata.user_id"),
		same(rawjson.Object, "openai,responses:metadata"),
		same(rawjson.Bool, "openai,responses:store"),
		same(rawjson.String, "openai,responses:service_tier"),
		same(rawjson.String, "openai,responses:safety_identifier"),
		same(rawjson.String, "openai,responses:prompt_cache_key"),
		same(rawjson.String, "openai,responses:prompt_cache_retention"),
		same(rawjson.Bool, "openai,responses:stream_options.include_obfuscation"),
		{
			paths: byWire([]string{
				"openai:reasoning_effort", "responses:reasoning.effort", "anthropic:output_config.effort",
				"gemini:generationConfig.thinkingConfig.thinkingLevel", "ollama:think",
			}),
			convert: convertEffort,
		},
		{
			paths: byWire([]string{
				"openai:reasoning_effort", "responses:reasoning.effort", "anthropic:thinking",
				"gemini:generationConfig.thinkingConfig.thinkingBudget", "ollama:think",
			}),
			convert: convertThinking, weak: true,
			excluded: byWire([]string{"gemini:generationConfig.thinkingConfig.thinkingLevel"}), implied: strconv.Itoa(anyThinking),
		},
		same(rawjson.String, "openai:verbosity", "responses:text.verbosity"),
		same(rawjson.Bool, "openai:logprobs", "gemini:generationConfig.responseLogprobs"),
		same(rawjson.Number, "openai,responses:top_logprobs", "gemini:generationConfig.logprobs").
			needing("openai:logprobs", "gemini:generationConfig.responseLogprobs"),
		same(rawjson.Number, "openai:n", "gemini:generationConfig.candidateCount"),
		same(rawjson.Number, "openai:seed", "gemini:generationConfig.seed", "ollama:options.seed"),
		same(rawjson.Number, "openai:presence_penalty", "gemini:generationConfig.presencePenalty", "ollama:options.presence_penalty"),
		same(rawjson.Number, "openai:frequency_penalty", "gemini:generationConfig.frequencyPenalty", "ollama:options.frequency_penalty"),
		same(rawjson.Number, "anthropic:top_k", "gemini:generationConfig.topK", "ollama:options.top_k"),
		{
			paths: byWire([]string{
				"openai:response_format", "responses:text.format", "anthropic:output_config.format",
				"gemini:generationConfig.responseJsonSchema", "ollama:format",
			}),
			convert: convertAnswerFormat,
			needs:   byWire([]string{"gemini:generationConfig.responseMimeType"}), needed: `"application/json"`,
		},
		{
			paths: byWire([]string{
				"openai:response_format", "responses:text.format", "anthropic:output_config.format",
				"gemini:generationConfig.responseSchema", "ollama:format",
			}),
			convert: fromGeminiSchema,
		},
		{
			paths: byWire([]string{
				"openai:response_format", "responses:text.format", "anthropic:output_config.format",
				"gemini:generationConfig.responseMimeType", "ollama:format",
			}),
			convert: convertAnswerType, weak: true,
		},
	}
	ofImage      = settings{same(rawjson.String, "openai:image_url.detail", "responses:detail")}
	ofCustomTool = settings{{paths: byWire([]string{"openai:custom.format", "responses:format"}), convert: convertGrammar}}
)

// HasAnswerSchema reports whether requests of a wire can specify a schema for the answer.
func HasAnswerSchema(wire string) bool { return wireOf(wire).answer.write != nil }

// standsApart reports whether the members of an object are separate entries in
// chat.Extras, instead of a part of the object's value.
func standsApart(wire, in string) bool { return slices.Contains(wireOf(wire).apart, in) }
