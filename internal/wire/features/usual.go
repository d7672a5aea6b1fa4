package features

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// isDefault reports whether a wire's own member is meaningless to others, because it has
// the default value, or only structures an answer.
func isDefault(wire, path, value string) bool {
	defaults := wireOf(wire).isDefault
	return defaults != nil && defaults(path, value)
}

func isUsualOfAnthropic(path, value string) bool {
	if strings.HasSuffix("."+path, ".toolset_name") || strings.HasPrefix(path, "search_result.") { // the name of the call, or the text, contains it
		return true
	}
	_, name, ok := strings.Cut("."+path, ".usage.") // in an answer, or in the head or end of a stream
	return ok && (parse(json.RawMessage(value)).IsZero() || slices.Contains(anthropicUsual[name], value))
}

func isUsualOfResponses(path, value string) bool {
	if slices.Contains(responsesForms[:], path) || strings.HasPrefix(path, "call[].") || strings.HasPrefix(path, "event.response.shell_call_command.") {
		return true
	}
	name := strings.TrimPrefix(path, "response.")
	if name == "tool_usage" || strings.HasPrefix(name, "usage.") {
		return parse(json.RawMessage(value)).IsZero()
	}
	return isUsual(responsesUsual, name, value)
}

// isUsual reports whether a member has one of the values in a table.
func isUsual(table map[string][]string, name, value string) bool {
	defaults, ok := table[name]
	if !ok {
		return false
	}
	var short bytes.Buffer
	return json.Compact(&short, []byte(value)) == nil && slices.Contains(defaults, short.String())
}

// responsesForms structure an answer in Responses: items and parts, with ids for its own
// server, and a call's name, which it repeats.
var responsesForms = [...]string{
	"namespace", "item.namespace", // the beginning of the name
	"id", "status", "item.id", "item.status", "item.type", "item.content[].type", "item.summary[].type",
}

// responsesUsual are the settings that answers contain although nobody set them.
var responsesUsual = map[string][]string{
	"background":             {"false"},
	"environment":            {`{"type":"local"}`}, // of a shell call
	"execution":              {`"client"`},         // of a tool search
	"frequency_penalty":      {"0", "0.0"},
	"presence_penalty":       {"0", "0.0"},
	"prompt_cache_retention": {`"in_memory"`},
	"reasoning":              {"{}", `{"effort":null}`, `{"effort":null,"summary":null}`},
	"service_tier":           {`"auto"`, `"default"`},
	"store":                  {"true"},
	"temperature":            {"1", "1.0"},
	"text":                   {"{}", `{"format":{"type":"text"}}`, `{"format":{"type":"text"},"verbosity":null}`, `{"format":{"type":"text"},"verbosity":"medium"}`},
	"top_logprobs":           {"0"},
	"top_p":                  {"1", "1.0"},
	"truncation":             {`"disabled"`},
}

// anthropicUsual are the values in a usage if the request set nothing special.
var anthropicUsual = map[string][]string{
	"inference_geo": {`"not_available"`},
	"service_tier":  {`"standard"`},
}

// openaiUsual are the defaults of Chat Completions, which answers repeat.
var openaiUsual = map[string][]string{
	"frequency_penalty": {"0", "0.0"},
	"presence_penalty":  {"0", "0.0"},
	"n":                 {"1"},
	"logprobs":          {"false"},
	"logit_bias":        {"{}"},
	"modalities":        {`["text"]`},
	"response_format":   {`{"type":"text"}`},
	"service_tier":      {`"auto"`, `"default"`},
	"image_url.detail":  {`"auto"`},
	"top_logprobs":      {"0"},
	"verbosity":         {`"medium"`},
}

// isMinor reports whether a loss is unavoidable and hardly noticeable.
func isMinor(f Feature, field string) bool {
	switch f {
	case Created, ResponseID, CacheUsage, CacheWriteUsage, ReasoningUsage, Namespace:
		return true
	case ForeignExtra:
		return slices.Contains(minorExtras[:], field[strings.LastIndexByte(field, '.')+1:])
	}
	return false
}

// minorExtras are members with which servers describe themselves.
var minorExtras = [...]string{
	"system_fingerprint", "service_tier", "inference_geo", "timings", "provider", "native_finish_reason", "obfuscation", "x_groq",
	"total_duration", "load_duration", "prompt_eval_duration", "eval_duration", "completed_at", "billing", "avgLogprobs",
	"promptTokensDetails", "candidatesTokensDetails", "cacheTokensDetails", "trafficType",
}
