package format_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/internal/wire/sniff"
)

// The wire of a body is recognised by its own members, whatever the other members are.
func TestGuess(t *testing.T) {
	for from, kinds := range plain {
		for kind, bodies := range kinds {
			if kind == format.KindStream { // TestSniff covers streams
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
	for _, body := range []string{`{"type":"message"}`, `{"name":"f","input_schema":{}}`, `{"function":{}}`, `[]`, `[{}]`} {
		if wire, err := format.Guess([]byte(body), format.KindTools); err == nil {
			t.Errorf("the tools %s are %s", body, wire)
		}
	}
	for body, want := range map[string]format.Wire{ // members of several wires
		`{"choices":[{"delta":{}}],"usageMetadata":{},"modelVersion":"v"}`:                     format.OpenAI,
		`{"type":"error","error":{"message":"m","status":"s"}}`:                                format.Anthropic,
		`{"error":{"message":"m","status":"s"}}`:                                               format.Gemini,
		`{"message":{"content":"x"},"done":true,"model":"m","error":{"message":"m"},"role":1}`: format.Ollama,
	} {
		if got, err := format.Guess([]byte(body), format.KindStream); err != nil || got != want {
			t.Errorf("%s: %s, %v", body, got, err)
		}
	}
}

// Auto rejects the request of every wire, and names the wire.
func TestAutoRefusesRequests(t *testing.T) {
	for from, kinds := range plain {
		for _, body := range kinds[format.KindRequest] {
			for name, r := range map[string]io.Reader{"whole": strings.NewReader(body), "by the byte": iotest.OneByteReader(strings.NewReader(body))} {
				_, err := format.NewStream(r, format.Options{}).Wire()
				if request, ok := errors.AsType[*format.RequestError](err); !ok || format.Wire(request.Wire) != from {
					t.Errorf("%s, %s: %v\n%s", from, name, err, body)
				}
			}
			if wire, err := format.NewStream(strings.NewReader(body+" is a request."), format.Options{}).Wire(); err != nil || wire != format.Text {
				t.Errorf("%s, in prose: %s, %v", from, wire, err)
			}
		}
	}
}

// Gemini accepts an object as a list of one, and a request gets the model that it is sent
// to.
func TestSingleObjectsAndModel(t *testing.T) {
	const body = `{"contents":{"role":"user","parts":{"text":"hi"}},"tools":{"functionDeclarations":{"name":"f","parameters":{"type":"object","properties":{"a":{"type":"string"}}}}}}`
	out, _, err := format.Translate([]byte(body), format.Auto, format.OpenAI, format.KindRequest, format.TranslateOptions{Model: "gpt"})
	const want = `{"model":"gpt","messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{"a":{"type":"string"}}}}}]}`
	if err != nil || string(out) != want {
		t.Errorf("%v: %s", err, out)
	}
}

// IsForeignJSON accepts only whole bodies of JSON objects, or of events with them.
func TestIsForeignJSON(t *testing.T) {
	for body, want := range map[string]bool{
		`{"foo":1}`:                    true,
		"\ufeff {\n\"foo\": 1\n}\n":    true,
		"{\"foo\":1}\n{\"foo\":2}\n":   true,
		`[{"foo":1},{"foo":2}]`:        true,
		"event: x\ndata: {\"a\":1}":    true,
		"data: {\"a\":1}\n\n: c\n\n":   true,
		"data: {}\n\ndata: [DONE]\n\n": true,

		"":                           false,
		"hi":                         false,
		"7":                          false,
		"[1,2]":                      false,
		"[]":                         false,
		`{"foo":1`:                   false,
		`{"foo":1} and`:              false,
		`see {"foo":1}`:              false,
		"{\"foo\":1}\nThat is all.":  false,
		"data: {\"a\":1}\n\nand so":  false,
		"data: the plural of datum":  false,
		"event: a concert\nid: 7\n":  false,
		"data: [DONE]\n\n":           false,
		"data: {\"a\":1}\n\ndata: 1": false,
	} {
		if got := sniff.IsForeignJSON([]byte(body)); got != want {
			t.Errorf("%q: %t", body, got)
		}
	}
}
