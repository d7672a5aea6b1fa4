package format_test

import (
	"strings"
	"testing"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
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

// What stands before a provider writes its errors in a form of its own, whatever the wire.
func TestGatewayErrors(t *testing.T) {
	for _, tt := range []struct{ body, code, message string }{
		{`{"message":"no Route matched"}`, "", "no Route matched"},
		{`{"statusCode":401,"message":"m"}`, "", "m"},
		{`{"code":"InvalidApiKey","message":"m","request_id":"r"}`, "InvalidApiKey", "m"},
		{`{"object":"error","message":"m","type":"BadRequestError","code":400}`, "BadRequestError", "m"},
		{`{"detail":"Not Found"}`, "", "Not Found"},
		{`{"detail":[{"msg":"field required"}]}`, "", `[{"msg":"field required"}]`},
		{`{"title":"t","status":400,"detail":"m"}`, "", `{"title":"t","status":400,"detail":"m"}`},
		{`{"Message":"m"}`, "", `{"Message":"m"}`},
		{`{"status":"error","msg":"m"}`, "error", `{"status":"error","msg":"m"}`},
		{`{"error_code":336,"error_msg":"m"}`, "", `{"error_code":336,"error_msg":"m"}`},
		{`{"success":false,"errors":[{"message":"m"}],"result":null}`, "", `{"success":false,"errors":[{"message":"m"}],"result":null}`},
	} {
		for _, name := range format.Wires() {
			deltas, err := collect(strings.NewReader(tt.body), format.Options{Wire: name})
			if err != nil || len(deltas) == 0 {
				t.Errorf("%s: %s: stream: %v", name, tt.body, err)
			} else if got := wire.Reported(deltas[len(deltas)-1]); got == nil || got.Code != tt.code || got.Message != tt.message {
				t.Errorf("%s: %s: stream: %v", name, tt.body, got)
			}
			codec, err := all.CodecOf(name)
			if err != nil {
				t.Fatal(err)
			}
			if res, err := codec.DecodeResponse([]byte(tt.body)); err != nil || res.Error == nil || res.Error.Message != tt.message {
				t.Errorf("%s: %s: response: %v", name, tt.body, err)
			}
		}
	}
}
