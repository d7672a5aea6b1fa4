package gemini_test

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/gemini"
	"github.com/toolparse/toolparse/internal/wire/test/codectest"
	"github.com/toolparse/toolparse/toolcall"
)

var (
	texts = codectest.Texts( // some of which look like results
		`{"a":1}`, `{"output":"x"}`, `{"error":"x"}`, `{"error":{"a":1}}`, `{"output":{}}`, `{"output":"x","a":1}`,
		"[1]", " {} ", "null", "5", `"x"`, `{"a":1}x`, `{"INVALID_JSON":"{"}`,
	)
	genText   = texts.Draw
	genExtras = codectest.Unknown{Wire: gemini.Wire, Null: true}.Draw
)

func genMedia(t *rapid.T) chat.Part {
	return rapid.SampledFrom([]chat.Part{
		{Kind: chat.PartImage, Media: &chat.Media{Type: "image/png", Data: "AAAA"}},
		{Kind: chat.PartImage, Media: &chat.Media{Type: "image/webp", URL: "https://example.com/a"}},
		{Kind: chat.PartFile, Media: &chat.Media{Type: "application/pdf", Data: "BBBB"}},
		{Kind: chat.PartFile, Media: &chat.Media{Type: "video/mp4", URL: "gs://a/b"}},
		{Kind: chat.PartFile, Media: &chat.Media{URL: "gs://a/b"}},
	}).Draw(t, "media")
}

func genUser(t *rapid.T) chat.Message {
	m := chat.Message{Role: chat.User, Extras: genExtras(t)}
	for range rapid.IntRange(1, 3).Draw(t, "parts") {
		p := chat.TextPart("")
		if rapid.IntRange(0, 2).Draw(t, "part") == 0 {
			p = genMedia(t)
			in := "inlineData"
			if p.Media.URL != "" {
				in = "fileData"
			}
			p.Extras = genExtras(t, in)
		} else {
			p.Text, p.Extras = genText(t, "text"), genExtras(t)
		}
		m.Parts = append(m.Parts, p)
	}
	return m
}

// genModel draws what the model says. In an answer, all arguments are JSON.
func genModel(t *rapid.T, turn int, answer bool) chat.Message {
	m := chat.Message{Role: chat.Assistant, Extras: genExtras(t)}
	odd := []string{`{"INVALID_JSON":"{}"}`}
	if !answer {
		odd = append(odd, `{"cut":"of`, `x`)
	}
	for i := range rapid.IntRange(1, 4).Draw(t, "parts") {
		p := chat.Part{Extras: genExtras(t)}
		switch rapid.IntRange(0, 3).Draw(t, "part") {
		case 0:
			p.Kind, p.Text = chat.PartReasoning, genText(t, "reasoning")
		case 1:
			p.Kind, p.Text = chat.PartText, genText(t, "text")
		default:
			p = chat.CallPart("call "+codectest.Letters(turn, i), rapid.StringMatching(`[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}`).Draw(t, "name"), codectest.Arguments(t, odd...))
			p.Extras = genExtras(t, "functionCall")
		}
		if rapid.IntRange(0, 2).Draw(t, "signed") == 0 {
			p.Signature, p.SignedBy = "c2ln", "gemini"
		}
		m.Parts = append(m.Parts, p)
	}
	return m
}

func genResult(t *rapid.T, call *chat.Call) chat.Message {
	p := chat.ResultPart(call.ID)
	p.Result.Name = call.Name
	p.Result.IsError = rapid.Bool().Draw(t, "error")
	if rapid.Bool().Draw(t, "text") {
		p.Result.Parts = append(p.Result.Parts, chat.TextPart(genText(t, "result")))
	}
	if rapid.IntRange(0, 3).Draw(t, "media") == 0 {
		p.Result.Parts = append(p.Result.Parts, genMedia(t))
	}
	p.Extras = genExtras(t, "functionResponse")
	return chat.Message{Role: chat.ToolRole, Parts: []chat.Part{p}}
}

var schemas = []string{
	"",
	`{"type":"object","properties":{"z":{"type":"string"},"a":{"type":["integer","null"],"minimum":0}},"required":["z"]}`,
	`{"type":"object","description":"d","properties":{"é":{"type":"array","items":{"anyOf":[{"type":"string","enum":["x","y"]},{"type":"number"}]}}}}`,
}

func genRequest(t *rapid.T) *chat.Request {
	req := codectest.Settings(t)
	req.Stop = codectest.Stops(t, texts)
	if req.Extras = genExtras(t, "generationConfig"); rapid.Bool().Draw(t, "model") {
		req.Model = "gemini-3"
		req.Extras = append(req.Extras, chat.Extra{Wire: "gemini", Name: "model", Spelling: true})
	}
	req.Tools = codectest.Tools(t, schemas, func(tool *chat.Tool) { tool.Extras = genExtras(t) })
	if len(req.Tools) > 0 {
		req.ToolChoice = codectest.Choice(t, chat.ToolChoice{Mode: chat.ChoiceAuto, Tools: []string{"tool_a"}})
		req.ToolChoice.Extras = genExtras(t, "functionCallingConfig")
	}
	if rapid.Bool().Draw(t, "hosted") {
		req.Tools = append(req.Tools, chat.Tool{ToolDefinition: toolcall.ToolDefinition{Name: "googleSearch"}, Hosted: true, Extras: chat.Extras{{Wire: "gemini", Name: "googleSearch", Value: json.RawMessage("{}")}}})
	}
	if rapid.Bool().Draw(t, "system") {
		req.Messages = append(req.Messages, chat.Message{Role: chat.System, Parts: []chat.Part{chat.TextPart(genText(t, "system"))}, Extras: genExtras(t)})
	}
	for turn := range rapid.IntRange(0, 4).Draw(t, "turns") {
		req.Messages = append(req.Messages, genUser(t))
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
	res := &wire.Response{
		Meta:   chat.Meta{Wire: "gemini", ID: genText(t, "id"), Model: "m", Created: int64(codectest.Count(t, "created"))},
		Extras: genExtras(t, "usageMetadata"),
	}
	res.Usage = wire.WithTotal(chat.Usage{
		Input: 1 + codectest.Count(t, "input"), Output: rapid.IntRange(5, 9).Draw(t, "output"),
		CachedInput: codectest.Count(t, "cached"), Reasoning: rapid.IntRange(0, 5).Draw(t, "reasoning"),
	})
	for i := range rapid.IntRange(1, 3).Draw(t, "choices") {
		c := wire.Choice{Message: genModel(t, i, true), Extras: genExtras(t)}
		c.Finish = wire.WithCalls(wire.ReadFinish("gemini", codectest.OneOf(t, "finish", "STOP", "MAX_TOKENS", "SAFETY", "OTHER", "MALFORMED_FUNCTION_CALL")), c.Message.HasCalls())
		res.Choices = append(res.Choices, c)
	}
	return res
}

func TestRequestRoundTrip(t *testing.T) {
	codectest.RoundTrip(t, genRequest, codec.EncodeRequest, codec.DecodeRequest, codectest.AnyLoss, codectest.JSON, codectest.Unspelled)
}

func TestResponseRoundTrip(t *testing.T) {
	codectest.RoundTrip(t, genResponse, codec.EncodeResponse, codec.DecodeResponse, nil, codectest.JSON, codectest.Unspelled)
}
