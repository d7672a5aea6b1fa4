package format

import (
	"errors"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/internal/wire/frame"
)

// A body without a prompt, or with another wire's prompt, is not a request; the error
// names what is missing, and the likely wire.
func TestRequestsThatAskNothing(t *testing.T) {
	members := map[Wire]string{OpenAI: "messages", Responses: "input", Anthropic: "messages", Gemini: "contents", Ollama: "messages"}
	bodies := map[string]string{
		"": "", " \n": "", "null": "", "{}": "", `{"messages":null,"input":null,"contents":null}`: "",
		`{"model":"m","messages":[]}`: "messages",
		`{"model":"m","input":"hi"}`:  "input",
		`{"model":"m","contents":[]}`: "contents",
	}
	for wire, member := range members {
		for body, has := range bodies {
			_, _, err := Translate([]byte(body), wire, OpenAI, KindRequest, TranslateOptions{})
			if has == member {
				if err != nil {
					t.Errorf("%s: %s: %v", wire, body, err)
				}
				continue
			}
			bad, ok := errors.AsType[*frame.SyntaxError](err)
			if !ok || bad.Field != member || !strings.Contains(err.Error(), "missing") || has != "" && !strings.Contains(err.Error(), has+" belongs to ") {
				t.Errorf("%s: %s: error %v", wire, body, err)
			}
		}
	}
}

// Members that clients may leave out because the server has them are not missing.
func TestRequestsThatAskOtherwise(t *testing.T) {
	for body, wire := range map[string]Wire{
		`{"model":"m"}`: Ollama, // only loads the model
		`{"model":"m","previous_response_id":"resp_1"}`: Responses,
		`{"prompt":{"id":"pmpt_1"}}`:                    Responses,
		`{"conversation":"conv_1"}`:                     Responses,
	} {
		if _, _, err := Translate([]byte(body), wire, wire, KindRequest, TranslateOptions{}); err != nil {
			t.Errorf("%s: %s: %v", wire, body, err)
		}
	}
}
