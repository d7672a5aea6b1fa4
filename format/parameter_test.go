package format_test

import (
	"testing"

	"github.com/toolparse/toolparse/format"
)

// Gemini documents fewer names of parameters than others; other names are reported.
func TestParameterNamesThatGeminiMayRefuse(t *testing.T) {
	const (
		body  = `[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{"user-id":{"type":"string"},"é":{"type":"string"},"ok_1":{"type":"object","properties":{"1st":{"type":"string"}}}}}}}]`
		maybe = ": the wire supports a part of JSON Schema; kept, but the server may refuse the name: it allows at most 64 letters, digits and _, and no digit first"
		at    = "tools[0].parameters.properties."
	)
	for _, w := range []translated{
		{format.Gemini, `"user-id":{"type":"STRING"}`, "", []string{at + "user-id" + maybe, at + "é" + maybe, at + "ok_1.properties.1st" + maybe}},
		{format.OpenAI, `"user-id"`, "", nil},
	} {
		t.Run(string(w.to), func(t *testing.T) { w.check(t, format.OpenAI, format.KindTools, body) })
	}
}
