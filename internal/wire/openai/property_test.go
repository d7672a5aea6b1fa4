package openai_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/openai"
	"github.com/toolparse/toolparse/internal/wire/test/codectest"
)

var (
	texts     = codectest.Texts()
	genText   = texts.Draw
	genExtras = codectest.Unknown{Wire: openai.Wire, Null: true}.Draw
)

func genParts(t *rapid.T) []chat.Part {
	n := rapid.IntRange(1, 3).Draw(t, "parts")
	var parts []chat.Part
	for range n {
		switch rapid.IntRange(0, 3).Draw(t, "part") {
		case 0:
			parts = append(parts, chat.Part{Kind: chat.PartImage, Media: &chat.Media{Type: "image/png", Data: "AAAA"}, Extras: genExtras(t, "image_url")})
		case 1:
			parts = append(parts, chat.Part{Kind: chat.PartFile, Media: &chat.Media{Name: genText(t, "name"), ID: "file-1", StoredBy: "openai"}, Extras: genExtras(t, "file")})
		default:
			parts = append(parts, chat.Part{Kind: chat.PartText, Text: genText(t, "text"), Extras: genExtras(t)})
		}
	}
	return parts
}

func genAssistant(t *rapid.T, turn int) chat.Message {
	m := chat.Message{Role: chat.Assistant, Extras: genExtras(t)}
	if rapid.Bool().Draw(t, "reasoning") {
		m.Parts = append(m.Parts, chat.Part{Kind: chat.PartReasoning, Text: genText(t, "reasoning")})
	}
	for range rapid.IntRange(0, 2).Draw(t, "texts") {
		m.Parts = append(m.Parts, chat.TextPart(genText(t, "text")))
	}
	if rapid.IntRange(0, 4).Draw(t, "refusal") == 0 {
		m.Parts = append(m.Parts, chat.Part{Kind: chat.PartRefusal, Text: genText(t, "refusal")})
	}
	for i := range rapid.IntRange(0, 2).Draw(t, "calls") {
		p := chat.CallPart("call_"+codectest.Letters(turn, i), rapid.StringMatching(`[a-zA-Z0-9_-]{1,64}`).Draw(t, "name"), codectest.Arguments(t, `{"cut":"of`, `[1]`))
		p.Extras = genExtras(t, "function")
		if rapid.IntRange(0, 3).Draw(t, "signed") == 0 {
			p.Signature, p.SignedBy = "sig", "gemini"
		}
		m.Parts = append(m.Parts, p)
	}
	return m
}

func genTools(t *rapid.T) []chat.Tool {
	schemas := []string{"", `{"type":"object","properties":{"z":{},"a":{"$ref":"#/$defs/q"}}}`}
	return codectest.Tools(t, schemas, func(tool *chat.Tool) {
		if tool.Custom = rapid.IntRange(0, 3).Draw(t, "custom") == 0; tool.Custom {
			tool.Parameters, tool.Extras = wire.CustomParameters(), genExtras(t, "custom")
			return
		}
		tool.Strict = codectest.Switch(t, "strict")
		tool.Extras = append(genExtras(t, "function"), chat.Extra{Wire: "openai", Name: "strict", Spelling: true})
	})
}

func genRequest(t *rapid.T) *chat.Request {
	req := codectest.Settings(t)
	req.Model = genText(t, "model")
	req.Stream, req.StreamUsage = rapid.Bool().Draw(t, "stream"), rapid.Bool().Draw(t, "usage")
	req.Extras = genExtras(t, "stream_options")
	req.Stop = codectest.Stops(t, texts)
	req.Tools = genTools(t)
	if len(req.Tools) > 0 {
		req.ToolChoice, req.ParallelCalls = codectest.Choice(t), codectest.Switch(t, "parallel")
	}
	for turn := range rapid.IntRange(0, 5).Draw(t, "messages") {
		switch rapid.IntRange(0, 2).Draw(t, "role") {
		case 0:
			req.Messages = append(req.Messages, chat.Message{Role: chat.User, Parts: genParts(t), Extras: genExtras(t)})
		case 1:
			req.Messages = append(req.Messages, chat.Message{Role: rapid.SampledFrom([]chat.Role{chat.System, chat.Developer}).Draw(t, "role"), Parts: []chat.Part{chat.TextPart(genText(t, "text"))}})
		default:
			m := genAssistant(t, turn)
			req.Messages = append(req.Messages, m)
			for _, p := range m.Parts {
				if p.Kind == chat.PartCall {
					r := chat.ResultPart(p.Call.ID, chat.TextPart(genText(t, "result")))
					r.Result.IsError = rapid.Bool().Draw(t, "error")
					x := genExtras(t)
					if r.Result.IsError { // in this wire's own words
						x = append(x, chat.Extra{Wire: "openai", Name: "tool_error", Spelling: true})
					}
					req.Messages = append(req.Messages, chat.Message{Role: chat.ToolRole, Parts: []chat.Part{r}, Extras: x})
				}
			}
		}
	}
	return req
}

func genResponse(t *rapid.T) *wire.Response {
	res := &wire.Response{
		Meta:   chat.Meta{Wire: "openai", ID: genText(t, "id"), Model: "m", Created: int64(codectest.Count(t, "created")), Usage: codectest.Usage(t)},
		Extras: genExtras(t, "usage", "usage.prompt_tokens_details"),
	}
	for i := range rapid.IntRange(1, 3).Draw(t, "choices") {
		c := wire.Choice{Message: genAssistant(t, i), Extras: genExtras(t)}
		c.Finish = wire.WithCalls(wire.ReadFinish("openai", codectest.OneOf(t, "finish", "stop", "length", "content_filter", "tool_calls", "odd")), c.Message.HasCalls())
		if c.Finish.Reason == chat.FinishStop {
			c.Finish.Word = "stop"
		} else if c.Finish.Reason == chat.FinishToolCalls {
			c.Finish.Word = "tool_calls"
		}
		res.Choices = append(res.Choices, c)
	}
	return res
}

func TestRequestRoundTrip(t *testing.T) {
	codectest.RoundTrip(t, genRequest, codec.EncodeRequest, codec.DecodeRequest, codectest.AnyLoss, codectest.JSON, codectest.Grouped)
}

func TestResponseRoundTrip(t *testing.T) {
	codectest.RoundTrip(t, genResponse, codec.EncodeResponse, codec.DecodeResponse, codectest.AnyLoss, codectest.JSON, codectest.Unordered)
}

func TestToolsRoundTrip(t *testing.T) {
	codectest.RoundTrip(t, genTools, codec.EncodeTools, codec.DecodeTools, nil, codectest.JSON, codectest.Grouped)
}

func FuzzRequest(f *testing.F) {
	codectest.Fuzz(f, codec.DecodeRequest, codec.EncodeRequest, nil, requests...)
}

func FuzzTools(f *testing.F) {
	codectest.Fuzz(f, codec.DecodeTools, codec.EncodeTools, nil,
		`[{"type":"function","function":{"name":"f","strict":true,"parameters":{"type":"object","properties":{}}}},{"type":"custom","custom":{"name":"g","format":{"type":"text"}}}]`,
		`[{"type":"web_search"}]`)
}

func FuzzResponse(f *testing.F) {
	codectest.Fuzz(f, codec.DecodeResponse, codec.EncodeResponse, nil,
		`{"id":"a","choices":[{"index":0,"message":{"role":"assistant","content":"x","tool_calls":[{"id":"b","function":{"name":"f","arguments":"{"}}]},"finish_reason":"length"}],"usage":{"prompt_tokens":1,"prompt_tokens_details":{"cached_tokens":1}}}`,
		`{"error":{"message":"m"}}`)
}
