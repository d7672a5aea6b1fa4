package ollama_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/ollama"
	"github.com/toolparse/toolparse/internal/wire/test/codectest"
)

var (
	texts     = codectest.Texts("null")
	genText   = texts.Draw
	genExtras = codectest.Unknown{Wire: ollama.Wire, Null: true}.Draw
)

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
	odd := []string{`{"INVALID_JSON":"{}"}`}
	if !answer {
		odd = append(odd, `{"cut":"of`, "no\nJSON")
	}
	ids := rapid.Bool().Draw(t, "ids")
	for i := range rapid.IntRange(0, 3).Draw(t, "calls") {
		id := ""
		if ids {
			id = "call " + codectest.Letters(turn, i)
		}
		p := chat.CallPart(id, "f"+genText(t, "name"), codectest.Arguments(t, odd...))
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

var schemas = []string{
	`{}`, `{"type":"object","properties":{"z":{"type":"string"},"a":{"type":["integer","null"],"minimum":0}},"required":["z"]}`,
	`{"type":"object","properties":{"é":{"type":"array","items":{"anyOf":[true,{"enum":["x",5]}]}}},"additionalProperties":false}`,
}

func genRequest(t *rapid.T) *chat.Request {
	req := codectest.Settings(t)
	req.Model = codectest.OneOf(t, "model", "", "m:8b")
	req.Stream = rapid.Bool().Draw(t, "stream")
	req.StreamUsage = req.Stream
	req.Extras = genExtras(t, "options")
	req.Stop = codectest.Stops(t, texts)
	req.Tools = codectest.Tools(t, schemas, func(tool *chat.Tool) { tool.Extras = genExtras(t, "function") })
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

func genResponse(t *rapid.T) *wire.Response {
	res := &wire.Response{Meta: chat.Meta{Wire: "ollama", Model: "m", Created: 1 + int64(codectest.Count(t, "created"))}, Extras: genExtras(t)}
	res.Usage = wire.WithTotal(chat.Usage{Input: codectest.Count(t, "input"), Output: codectest.Count(t, "output")})
	c := wire.Choice{Message: genModel(t, 0, true)}
	c.Finish = wire.WithCalls(wire.ReadFinish("ollama", codectest.OneOf(t, "finish", "stop", "length", "load", "new")), c.Message.HasCalls())
	res.Choices = []wire.Choice{c}
	return res
}

func TestRequestRoundTrip(t *testing.T) {
	codectest.RoundTrip(t, genRequest, codec.EncodeRequest, codec.DecodeRequest, codectest.AnyLoss, same)
}

func TestResponseRoundTrip(t *testing.T) {
	codectest.RoundTrip(t, genResponse, codec.EncodeResponse, codec.DecodeResponse, nil, same)
}
