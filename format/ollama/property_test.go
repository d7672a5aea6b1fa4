package ollama_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format/chat"
)

// genText draws texts with what JSON must escape, never empty, and such as do
// not look like the mark of an error.
func genText(t *rapid.T, label string) string {
	return rapid.OneOf(rapid.StringN(1, 12, -1), rapid.SampledFrom([]string{
		`"`, "\\", "a\nb\r", "é😀", "\x00\x1f\x7f", "{}", "[tool_error]", "null",
	})).Draw(t, label)
}

func genExtras(t *rapid.T, in ...string) chat.Extras {
	var x chat.Extras
	for _, in := range append(in, "") {
		if rapid.IntRange(0, 3).Draw(t, "extra") == 0 {
			x = append(x, chat.Extra{Wire: "ollama", In: in, Name: "x_unknown", Value: json.RawMessage(rapid.SampledFrom([]string{"null", "1.50", `{"a":[1,"b"]}`, `"é\n"`, "10000000000000001"}).Draw(t, "value"))})
		}
	}
	return x
}

func genImages(t *rapid.T) (parts []chat.Part) {
	for range max(rapid.IntRange(-2, 2).Draw(t, "images"), 0) {
		parts = append(parts, chat.Part{Kind: chat.PartImage, Media: rapid.SampledFrom([]*chat.Media{
			{Data: "AAAA"}, {Type: "image/png", Data: "iVBORw0KGgo="}, {Type: "image/jpeg", Data: "/9j/AA=="},
		}).Draw(t, "image")})
	}
	return parts
}

func genSays(t *rapid.T, role chat.Role) chat.Message {
	m := chat.Message{Role: role, Extras: genExtras(t)}
	if rapid.Bool().Draw(t, "text") {
		m.Parts = append(m.Parts, chat.TextPart(genText(t, "text")))
	}
	m.Parts = append(m.Parts, genImages(t)...)
	return m
}

// genModel draws what the model says. In an answer, all arguments are JSON.
func genModel(t *rapid.T, turn int, answer bool) chat.Message {
	m := chat.Message{Role: chat.Assistant, Extras: genExtras(t)}
	if rapid.Bool().Draw(t, "thinks") {
		m.Parts = append(m.Parts, chat.Part{Kind: chat.PartReasoning, Text: genText(t, "thinking")})
	}
	m.Parts = append(m.Parts, genSays(t, chat.Assistant).Parts...)
	arguments := []string{"{}", `{"a": 10000000000000001}`, `{"a":"b\n\"\u00e9"}`, `{"INVALID_JSON":"{}"}`}
	if !answer {
		arguments = append(arguments, `{"cut":"of`, "no\nJSON")
	}
	ids := rapid.Bool().Draw(t, "ids")
	for i := range rapid.IntRange(0, 3).Draw(t, "calls") {
		id := ""
		if ids {
			id = "call " + string(rune('a'+turn)) + string(rune('a'+i))
		}
		p := chat.CallPart(id, genText(t, "name"), rapid.SampledFrom(arguments).Draw(t, "arguments"))
		p.Extras = genExtras(t, "function")
		m.Parts = append(m.Parts, p)
	}
	return m
}

func genResult(t *rapid.T, call *chat.Call) chat.Message {
	r := &chat.Result{CallID: call.ID, Name: call.Name, IsError: rapid.Bool().Draw(t, "error")}
	r.Parts = genSays(t, "").Parts
	m := chat.Message{Role: chat.ToolRole, Parts: []chat.Part{{Kind: chat.PartResult, Result: r}}, Extras: genExtras(t)}
	if r.IsError {
		m.Extras = append(m.Extras, chat.Extra{Wire: "ollama", Name: "[tool_error] ", Spelling: true})
	}
	return m
}

func genTool(t *rapid.T, name string) chat.Tool {
	return chat.Tool{ToolDefinition: toolparse.ToolDefinition{
		Name: name, Description: rapid.SampledFrom([]string{"", "d é"}).Draw(t, "description"),
		Parameters: json.RawMessage(rapid.SampledFrom([]string{
			`{}`, `{"type":"object","properties":{"z":{"type":"string"},"a":{"type":["integer","null"],"minimum":0}},"required":["z"]}`,
			`{"type":"object","properties":{"é":{"type":"array","items":{"anyOf":[true,{"enum":["x",5]}]}}},"additionalProperties":false}`,
		}).Draw(t, "schema")),
	}, Extras: genExtras(t, "function")}
}

func genRequest(t *rapid.T) *chat.Request {
	req := &chat.Request{
		Model:       rapid.SampledFrom([]string{"", "m:8b"}).Draw(t, "model"),
		Temperature: rapid.SampledFrom([]json.Number{"", "0", "0.70", "1e-1"}).Draw(t, "temperature"),
		TopP:        rapid.SampledFrom([]json.Number{"", "0.95"}).Draw(t, "top_p"),
		MaxTokens:   rapid.IntRange(0, 9).Draw(t, "max_tokens"),
		Stream:      rapid.Bool().Draw(t, "stream"),
		Extras:      genExtras(t, "options"),
	}
	req.StreamUsage = req.Stream
	for range rapid.IntRange(0, 2).Draw(t, "stops") {
		req.Stop = append(req.Stop, genText(t, "stop"))
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "tools") {
		req.Tools = append(req.Tools, genTool(t, "tool "+string(rune('a'+i))))
	}
	if rapid.Bool().Draw(t, "system") {
		req.Messages = append(req.Messages, genSays(t, chat.System))
	}
	for turn := range rapid.IntRange(0, 4).Draw(t, "turns") {
		req.Messages = append(req.Messages, genSays(t, chat.User))
		m := genModel(t, turn, false)
		req.Messages = append(req.Messages, m)
		for _, p := range m.Parts {
			if p.Kind == chat.PartCall {
				req.Messages = append(req.Messages, genResult(t, p.Call))
			}
		}
	}
	return req
}

func TestRequestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := genRequest(t)
		body, losses, err := codec.EncodeRequest(want, chat.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !json.Valid(body) {
			t.Fatalf("no JSON: %s", body)
		}
		got, err := codec.DecodeRequest(body)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, same()); diff != "" {
			t.Fatalf("%s\nlosses %v\n(-want +got):\n%s", body, losses, diff)
		}
	})
}

func TestResponseRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := &chat.Response{Meta: chat.Meta{Wire: "ollama", Model: "m", Created: int64(rapid.IntRange(1, 9).Draw(t, "created"))}, Extras: genExtras(t)}
		want.Usage = chat.Usage{Input: rapid.IntRange(0, 9).Draw(t, "input"), Output: rapid.IntRange(0, 9).Draw(t, "output")}.Settle()
		c := chat.Choice{Message: genModel(t, 0, true)}
		c.Finish = chat.ReadFinish("ollama", rapid.SampledFrom([]string{"stop", "length", "load", "new"}).Draw(t, "finish")).With(c.Message.HasCalls())
		want.Choices = []chat.Choice{c}
		body, losses, err := codec.EncodeResponse(want, chat.Options{})
		if err != nil || len(losses) > 0 {
			t.Fatal(err, losses)
		}
		got, err := codec.DecodeResponse(body)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, same()); diff != "" {
			t.Fatalf("%s\n(-want +got):\n%s", body, diff)
		}
	})
}
