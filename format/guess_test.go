package format_test

import (
	"testing"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
)

// The wire of a body is told by members of its own, whatever is beside them.
func TestGuess(t *testing.T) {
	for from, kinds := range plain {
		for kind, bodies := range kinds {
			if kind == format.KindStream { // which TestSniff is about
				continue
			}
			for _, body := range bodies {
				got, err := format.Guess([]byte(body), kind)
				if err != nil || got != from {
					t.Errorf("%s %s: %s, %v\n%s", from, kind, got, err, body)
				}
			}
		}
	}
	for list, want := range map[string]format.Wire{
		`[{"type":"function","function":{"name":"f"}}]`:    format.OpenAI,
		`[{"type":"function","name":"f","parameters":{}}]`: format.Responses,
		`[{"name":"f","input_schema":{"type":"object"}}]`:  format.Anthropic,
		`[{"functionDeclarations":[{"name":"f"}]}]`:        format.Gemini,
		`{"functionDeclarations":{"name":"f"}}`:            format.Gemini,
		`[{"type":"namespace","name":"n","tools":[]}]`:     format.Responses,
	} {
		if got, err := format.Guess([]byte(list), format.KindTools); err != nil || got != want {
			t.Errorf("%s: %s, %v", list, got, err)
		}
	}
	for _, body := range []string{`{}`, `[]`, `7`, `{"a":1}`} {
		if wire, err := format.Guess([]byte(body), format.KindRequest); err == nil {
			t.Errorf("%s is %s", body, wire)
		}
	}
}

// Gemini takes an object for a list of one, and a request gets the model that it
// is to be sent to.
func TestSingleObjectsAndModel(t *testing.T) {
	const body = `{"contents":{"role":"user","parts":{"text":"hi"}},"tools":{"functionDeclarations":{"name":"f","parameters":{"type":"object","properties":{"a":{"type":"string"}}}}}}`
	out, _, err := format.Translate([]byte(body), format.Auto, format.OpenAI, format.KindRequest, chat.Options{Model: "gpt"})
	const want = `{"model":"gpt","messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{"a":{"type":"string"}}}}}]}`
	if err != nil || string(out) != want {
		t.Errorf("%v: %s", err, out)
	}
}
