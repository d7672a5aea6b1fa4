package format_test

import (
	"testing"

	"github.com/toolparse/toolparse/format"
)

// Only one wire has both the number and the code of an error; the others have the code.
func TestErrorNumberIsKeptOrTold(t *testing.T) {
	const body = `{"error":{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED"}}`
	told := []string{"error.code: it is specific to the other wire; left out"}
	for _, w := range []translated{
		{format.OpenAI, `"code":"RESOURCE_EXHAUSTED"`, "429", told},
		{format.Responses, `"code":"RESOURCE_EXHAUSTED"`, "429", told},
		{format.Anthropic, `"type":"rate_limit_error"`, "429", append(told[:1:1], "error.code: an error has a type; rate_limit_error stands for it")},
		{format.Ollama, `{"error":"m"}`, "429", append(told[:1:1], "error.code: an error is a text only; only its message")},
		{format.Gemini, `"code":429`, "", nil},
	} {
		t.Run(string(w.to), func(t *testing.T) { w.check(t, format.Gemini, format.KindResponse, body) })
	}
}
