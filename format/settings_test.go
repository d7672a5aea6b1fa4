package format

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/internal/wire/test/wiretest"
)

// A setting with the same meaning on two wires is translated in both directions without a
// report.
func TestSettingsAreCarried(t *testing.T) {
	for _, tt := range []struct {
		name string
		of   map[Wire]string // members of a request, by wire
	}{
		{"those of one vendor", map[Wire]string{
			OpenAI:    `"user":"u","metadata":{"a":"b"},"store":false,"service_tier":"flex","prompt_cache_key":"k","safety_identifier":"s","prompt_cache_retention":"24h"`,
			Responses: `"user":"u","metadata":{"a":"b"},"store":false,"service_tier":"flex","prompt_cache_key":"k","safety_identifier":"s","prompt_cache_retention":"24h"`,
		}},
		{"effort and verbosity", map[Wire]string{
			OpenAI:    `"reasoning_effort":"high","verbosity":"low"`,
			Responses: `"reasoning":{"effort":"high"},"text":{"verbosity":"low"}`,
		}},
		{"effort", map[Wire]string{
			OpenAI:    `"reasoning_effort":"high"`,
			Responses: `"reasoning":{"effort":"high"}`,
			Anthropic: `"output_config":{"effort":"high"}`,
			Gemini:    `"generationConfig":{"thinkingConfig":{"thinkingLevel":"HIGH"}}`,
			Ollama:    `"think":"high"`,
		}},
		{"no thinking", map[Wire]string{
			OpenAI:    `"reasoning_effort":"none"`,
			Responses: `"reasoning":{"effort":"none"}`,
			Anthropic: `"thinking":{"type":"disabled"}`,
			Gemini:    `"generationConfig":{"thinkingConfig":{"thinkingBudget":0}}`,
			Ollama:    `"think":false`,
		}},
		{"thinking as the model likes", map[Wire]string{
			Anthropic: `"thinking":{"type":"adaptive"}`,
			Gemini:    `"generationConfig":{"thinkingConfig":{"thinkingBudget":-1}}`,
			Ollama:    `"think":true`,
		}},
		{"a budget of thinking", map[Wire]string{
			Anthropic: `"thinking":{"type":"enabled","budget_tokens":2000}`,
			Gemini:    `"generationConfig":{"thinkingConfig":{"thinkingBudget":2000}}`,
		}},
		{"two of one object", map[Wire]string{
			OpenAI:    `"verbosity":"low","response_format":{"type":"json_object"}`,
			Responses: `"text":{"verbosity":"low","format":{"type":"json_object"}}`,
		}},
		{"the user", map[Wire]string{OpenAI: `"user":"u"`, Responses: `"user":"u"`, Anthropic: `"metadata":{"user_id":"u"}`}},
		{"sampling", map[Wire]string{
			OpenAI: `"seed":7,"presence_penalty":0.50,"frequency_penalty":1`,
			Gemini: `"generationConfig":{"seed":7,"presencePenalty":0.50,"frequencyPenalty":1}`,
			Ollama: `"options":{"seed":7,"presence_penalty":0.50,"frequency_penalty":1}`,
		}},
		{"top_k", map[Wire]string{Anthropic: `"top_k":5`, Gemini: `"generationConfig":{"topK":5}`, Ollama: `"options":{"top_k":5}`}},
		{"choices", map[Wire]string{OpenAI: `"n":2,"logprobs":true,"top_logprobs":3`, Gemini: `"generationConfig":{"candidateCount":2,"responseLogprobs":true,"logprobs":3}`}},
		{"the schema of an answer", map[Wire]string{
			OpenAI:    `"response_format":{"type":"json_schema","json_schema":{"name":"answer","schema":{"type":"string"}}}`,
			Responses: `"text":{"format":{"type":"json_schema","name":"answer","schema":{"type":"string"}}}`,
			Ollama:    `"format":{"type":"string"}`,
			Anthropic: `"output_config":{"format":{"type":"json_schema","schema":{"type":"string"}}}`,
			Gemini:    `"generationConfig":{"responseMimeType":"application/json","responseJsonSchema":{"type":"string"}}`,
		}},
		{"any JSON", map[Wire]string{OpenAI: `"response_format":{"type":"json_object"}`, Responses: `"text":{"format":{"type":"json_object"}}`, Ollama: `"format":"json"`, Gemini: `"generationConfig":{"responseMimeType":"application/json"}`}},
		{"the grammar of a custom tool", map[Wire]string{
			OpenAI:    `"tools":[{"type":"custom","custom":{"name":"g","format":{"type":"grammar","grammar":{"syntax":"lark","definition":"start: \"a\""}}}}]`,
			Responses: `"tools":[{"type":"custom","name":"g","format":{"type":"grammar","syntax":"lark","definition":"start: \"a\""}}]`,
		}},
	} {
		for from, members := range tt.of {
			for to, want := range tt.of {
				out, losses := translateRequest(t, from, to, members)
				for _, l := range losses {
					if strings.HasPrefix(l.Field, "model") || l.Field == "stream" || l.Field == "max_tokens" {
						continue // members that these wires have in every request
					}
					t.Errorf("%s: %s to %s: %v", tt.name, from, to, l)
				}
				same, _ := translateRequest(t, to, to, want)
				if diff := cmp.Diff(leavesOf(t, same), leavesOf(t, out)); diff != "" {
					t.Errorf("%s: %s to %s (-want +got):\n%s", tt.name, from, to, diff)
				}
			}
		}
	}
}

// If a wire lacks a value, it gets the nearest one, with a report.
func TestNearestSettings(t *testing.T) {
	for _, tt := range []struct {
		from, to            Wire
		members, want, lost string
	}{
		{OpenAI, Gemini, `"reasoning_effort":"xhigh"`, `"thinkingConfig":{"thinkingLevel":"HIGH"}`, "high stands for it"},
		{OpenAI, Anthropic, `"reasoning_effort":"minimal"`, `"output_config":{"effort":"low"}`, "low stands for it"},
		{Anthropic, Ollama, `"output_config":{"effort":"xhigh"}`, `"think":"high"`, "high stands for it"},
		{Anthropic, OpenAI, `"thinking":{"type":"enabled","budget_tokens":10000}`, `"reasoning_effort":"medium"`, "medium stands for it"},
		{Anthropic, Ollama, `"thinking":{"type":"enabled","budget_tokens":10000}`, `"think":true`, "true stands for it"},
		{Gemini, Anthropic, `"generationConfig":{"thinkingConfig":{"thinkingBudget":200}}`, `"budget_tokens":1024`, "1024 stands for it"},
		{Anthropic, Responses, `"thinking":{"type":"adaptive"},"output_config":{"effort":"max"}`, `"reasoning":{"effort":"max"}`, ""},
		{Anthropic, Gemini, `"thinking":{"type":"adaptive"},"output_config":{"effort":"high"}`, `"thinkingConfig":{"thinkingLevel":"HIGH"}`, ""},
		{Anthropic, Gemini, `"output_config":{"effort":"high"},"thinking":{"type":"enabled","budget_tokens":5000}`, `"thinkingConfig":{"thinkingLevel":"HIGH"}`, "generationConfig.thinkingConfig.thinkingLevel stands for it"},
		{
			OpenAI, Anthropic, `"response_format":{"type":"json_schema","json_schema":{"name":"n","strict":true,"schema":{"type":"object","properties":{"a":{"type":"integer","minimum":1}}}}}`,
			`"schema":{"type":"object","properties":{"a":{"type":"integer","description":"minimum: 1"}},"additionalProperties":false}`, "a schema in which other keywords are part of descriptions stands for it",
		},
		{
			Ollama, Anthropic, `"format":{"type":"object"}`, `"schema":{"type":"object"}`,
			"the same schema, which the server may refuse (in schema: an object with any properties is not supported), stands for it",
		},
		{Anthropic, Anthropic, `"output_config":{"format":{"type":"json_schema","schema":{"type":"integer","minimum":1}}}`, `"schema":{"type":"integer","minimum":1}`, ""},
		{Gemini, OpenAI, `"generationConfig":{"responseMimeType":"application/json","responseSchema":{"type":"STRING"}}`, `"schema":{"type":"string"}`, ""},
		{Gemini, OpenAI, `"generationConfig":{"thinking_config":{"thinking_budget":0}}`, `"reasoning_effort":"none"`, ""},
	} {
		out, losses := translateRequest(t, tt.from, tt.to, tt.members)
		var said []string
		for _, l := range losses {
			if l.Field != "model" && l.Field != "max_tokens" {
				said = append(said, l.Action)
			}
		}
		if !strings.Contains(out, tt.want) || strings.Join(said, "|") != tt.lost {
			t.Errorf("%s to %s: %s: losses %v\n%s", tt.from, tt.to, tt.members, losses, out)
		}
	}
}

// The description of an answer's format goes into the schema where there is nothing next
// to that.
func TestDescriptionOfAnswerFormat(t *testing.T) {
	const members = `"response_format":{"type":"json_schema","json_schema":{"name":"n","description":"d","schema":{"type":"string"%s}}}`
	for _, to := range []Wire{Anthropic, Gemini, Ollama} {
		for own, want := range map[string]string{"": `{"type":"string","description":"d"}`, `,"description":"e"`: `{"type":"string","description":"e"}`} {
			out, _ := translateRequest(t, OpenAI, to, fmt.Sprintf(members, own))
			if !strings.Contains(out, want) {
				t.Errorf("%s: %s is missing\n%s", to, want, out)
			}
		}
	}
}

func TestImageDetailIsCarried(t *testing.T) {
	const chatImage, item = `{"type":"image_url","image_url":{"url":"https://example.com/a.png","detail":"low"}}`, `{"type":"input_image","image_url":"https://example.com/a.png","detail":"low"}`
	for _, tt := range []struct {
		from, to Wire
		in, want string
	}{
		{OpenAI, Responses, `{"model":"m","messages":[{"role":"user","content":[` + chatImage + `]}]}`, item},
		{Responses, OpenAI, `{"model":"m","input":[{"role":"user","content":[` + item + `]}]}`, chatImage},
	} {
		out, losses, err := Translate([]byte(tt.in), tt.from, tt.to, KindRequest, TranslateOptions{})
		if err != nil || len(losses) > 0 || !strings.Contains(string(out), tt.want) {
			t.Errorf("%s: %v, %v\n%s", tt.in, err, losses, out)
		}
	}
}

// Members next to a setting that is carried are reported by their own names, and a wire's
// own settings are not overwritten.
func TestSettingsThatAreNotCarried(t *testing.T) {
	for _, tt := range []struct {
		from, to      Wire
		members, lost string
	}{
		{Responses, OpenAI, `"reasoning":{"effort":"high","summary":"auto"}`, "reasoning.summary"},
		{Anthropic, OpenAI, `"metadata":{"user_id":"u","x":1}`, "metadata.x"},
		{OpenAI, Anthropic, `"response_format":{"type":"json_object"}`, "response_format"},
		{Gemini, Ollama, `"generationConfig":{"thinkingConfig":{"includeThoughts":true}}`, "generationConfig.thinkingConfig.includeThoughts"},
		{OpenAI, Ollama, `"response_format":{"type":"novel"}`, "response_format"},
		{OpenAI, Responses, `"response_format":{"type":"json_schema"}`, "response_format"},
		{OpenAI, Responses, `"seed":1`, "seed"},
		{Ollama, OpenAI, `"format":"novel"`, "format"},
	} {
		_, losses := translateRequest(t, tt.from, tt.to, tt.members)
		found := 0
		for _, l := range losses {
			if l.Field == tt.lost {
				found++
			}
		}
		if found != 1 {
			t.Errorf("%s to %s: %s: losses %v", tt.from, tt.to, tt.members, losses)
		}
	}
}

func translateRequest(t *testing.T, from, to Wire, members string) (string, []chat.Loss) {
	t.Helper()
	head := map[Wire]string{
		OpenAI: `"model":"m","messages":[]`, Responses: `"model":"m","input":[]`, Anthropic: `"model":"m","max_tokens":9,"messages":[]`,
		Gemini: `"contents":[]`, Ollama: `"model":"m","stream":false,"messages":[]`,
	}
	out, losses, err := Translate([]byte("{"+head[from]+","+members+"}"), from, to, KindRequest, TranslateOptions{})
	if err != nil {
		t.Fatalf("%s to %s: %v", from, to, err)
	}
	return string(out), losses
}

// leavesOf returns the members of a request, except those of every request.
func leavesOf(t *testing.T, body string) map[string]int {
	t.Helper()
	leaves := wiretest.Leaves(t, frame.JSON, []byte(body))
	for leaf := range leaves {
		switch path, _, _ := strings.Cut(leaf, " "); path {
		case "model", "stream", "max_tokens", "max_completion_tokens", "max_output_tokens", "generationConfig.maxOutputTokens", "options.num_predict":
			delete(leaves, leaf)
		}
	}
	return leaves
}
