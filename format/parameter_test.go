package format_test

import (
	"testing"

	"github.com/toolparse/toolparse/format"
)

// Gemini documents fewer names of parameters than others: those are told.
func TestParameterNamesThatGeminiMayRefuse(t *testing.T) {
	const (
		body  = `[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{"user-id":{"type":"string"},"é":{"type":"string"},"ok_1":{"type":"object","properties":{"1st":{"type":"string"}}}}}}}]`
		maybe = ": a part of JSON Schema is known; kept, though the server may refuse its name: letters, digits and _, at most 64, and no digit first"
		at    = "tools[0].parameters.properties."
	)
	for _, w := range []translated{
		{format.Gemini, `"user-id":{"type":"STRING"}`, "", []string{at + "user-id" + maybe, at + "é" + maybe, at + "ok_1.properties.1st" + maybe}},
		{format.OpenAI, `"user-id"`, "", nil},
	} {
		t.Run(string(w.to), func(t *testing.T) { w.check(t, format.OpenAI, format.KindTools, body) })
	}
}
