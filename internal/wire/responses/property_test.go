package responses_test

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/jsonout"
	"github.com/toolparse/toolparse/internal/wire/responses"
	"github.com/toolparse/toolparse/internal/wire/test/codectest"
)

var (
	texts     = codectest.Texts()
	genText   = texts.Draw
	genExtras = codectest.Unknown{Wire: responses.Wire, Null: true}.Draw
)

func ownExtra(in, name, value string) chat.Extra {
	return chat.Extra{Wire: "responses", In: in, Name: name, Value: json.RawMessage(value)}
}

func spelled(name string) chat.Extra {
	return chat.Extra{Wire: "responses", Name: name, Spelling: true}
}

func genParts(t *rapid.T) []chat.Part {
	var parts []chat.Part
	for range rapid.IntRange(0, 3).Draw(t, "parts") {
		switch rapid.IntRange(0, 4).Draw(t, "part") {
		case 0:
			parts = append(parts, chat.Part{Kind: chat.PartImage, Media: rapid.SampledFrom([]*chat.Media{{Type: "image/png", Data: "AAAA"}, {URL: "https://example.com/a"}, {ID: "file-1", StoredBy: "responses"}}).Draw(t, "image"), Extras: genExtras(t)})
		case 1:
			parts = append(parts, chat.Part{Kind: chat.PartFile, Media: rapid.SampledFrom([]*chat.Media{{Type: "text/plain", Data: "AAAA", Name: "n"}, {URL: "https://example.com/a"}, {ID: "file-1", Name: "é", StoredBy: "responses"}}).Draw(t, "file"), Extras: genExtras(t)})
		case 2:
			parts = append(parts, chat.Part{Extras: chat.Extras{ownExtra("", "type", `"input_novel"`), ownExtra("", "x", "1")}})
		default:
			parts = append(parts, chat.Part{Kind: chat.PartText, Text: genText(t, "text"), Extras: genExtras(t)})
		}
	}
	return parts
}

// genSaid draws what stands in message items of the model: a part that begins
// an item says so.
func genSaid(t *rapid.T, follows bool) []chat.Part {
	var parts []chat.Part
	for range rapid.IntRange(1, 2).Draw(t, "items") {
		first := chat.Part{Kind: chat.PartText, Text: genText(t, "text")}
		if rapid.IntRange(0, 4).Draw(t, "refusal") == 0 {
			first.Kind = chat.PartRefusal
		}
		switch {
		case rapid.Bool().Draw(t, "id"):
			first.Extras = append(first.Extras, ownExtra("item", "id", `"msg_1"`))
			if rapid.Bool().Draw(t, "phase") {
				first.Extras = append(first.Extras, ownExtra("item", "phase", `"commentary"`))
			}
		case follows || len(parts) > 0:
			first.Extras = append(first.Extras, spelled("item"))
		}
		first.Extras = append(first.Extras, genExtras(t)...)
		parts = append(parts, first)
		if rapid.Bool().Draw(t, "more") {
			parts = append(parts, chat.Part{Kind: chat.PartText, Text: genText(t, "text"), Extras: genExtras(t)})
		}
	}
	return parts
}

func genReasoning(t *rapid.T, answer bool) []chat.Part {
	encrypted := rapid.SampledFrom([]string{"", "gAAA"}).Draw(t, "encrypted")
	signer := ""
	if encrypted != "" {
		signer = "responses"
	}
	var x chat.Extras
	if answer || encrypted != "" || rapid.Bool().Draw(t, "id") {
		x = append(x, ownExtra("", "id", `"rs_1"`))
	}
	x = append(x, genExtras(t)...)
	switch rapid.IntRange(0, 2).Draw(t, "reasoning") {
	case 0:
		return []chat.Part{{Kind: chat.PartReasoning, Redacted: encrypted, SignedBy: signer, Extras: append(x, spelled("reasoning"))}}
	case 1:
		return []chat.Part{
			{Kind: chat.PartReasoning, Text: genText(t, "summary"), Extras: append(x, spelled("summary"))},
			{Kind: chat.PartReasoning, Text: genText(t, "content"), Signature: encrypted, SignedBy: signer, Extras: chat.Extras{spelled("content"), spelled("part")}},
		}
	}
	return []chat.Part{{Kind: chat.PartReasoning, Text: genText(t, "summary"), Signature: encrypted, SignedBy: signer, Extras: append(x, spelled("summary"))}}
}

func genAssistant(t *rapid.T, turn int, answer bool) chat.Message {
	m := chat.Message{Role: chat.Assistant}
	for i := range rapid.IntRange(1, 4).Draw(t, "outputs") {
		switch rapid.IntRange(0, 4).Draw(t, "output") {
		case 0:
			m.Parts = append(m.Parts, genReasoning(t, answer)...)
		case 1:
			m.Parts = append(m.Parts, chat.Part{Extras: chat.Extras{ownExtra("item", "type", `"web_search_call"`), ownExtra("item", "id", `"ws_1"`)}})
		case 2:
			n := len(m.Parts)
			follows := n > 0 && (m.Parts[n-1].Kind == chat.PartText || m.Parts[n-1].Kind == chat.PartRefusal)
			m.Parts = append(m.Parts, genSaid(t, follows)...)
		default:
			p := chat.CallPart("call_"+codectest.Letters(turn, i), rapid.StringMatching(`[a-zA-Z0-9_-]{1,64}`).Draw(t, "name"), codectest.Arguments(t, `{"cut":"of`, `[1]`))
			if p.Call.Custom = rapid.IntRange(0, 3).Draw(t, "custom") == 0; p.Call.Custom {
				input, _ := json.Marshal(genText(t, "input"))
				p.Call.Arguments = `{"input":` + string(jsonout.OneLine(input)) + `}` // escaped as encoders do it
			}
			if answer || rapid.Bool().Draw(t, "id") {
				p.Extras = append(p.Extras, ownExtra("", "id", `"fc_1"`))
			}
			p.Extras = append(p.Extras, genExtras(t)...)
			m.Parts = append(m.Parts, p)
		}
	}
	return m
}

func genRequest(t *rapid.T) *chat.Request {
	req := codectest.Settings(t)
	req.Model = genText(t, "model")
	req.ParallelCalls = codectest.Switch(t, "parallel")
	req.Stream = rapid.Bool().Draw(t, "stream")
	req.StreamUsage = req.Stream
	req.Extras = genExtras(t)
	req.Tools = genTools(t)
	if req.ToolChoice = codectest.Choice(t); len(req.ToolChoice.Tools) > 0 {
		req.ToolChoice.Extras = genExtras(t)
	}
	if rapid.Bool().Draw(t, "instructions") {
		req.Messages = append(req.Messages, chat.Message{Role: chat.System, Parts: []chat.Part{chat.TextPart(genText(t, "text"))}, Extras: chat.Extras{spelled("instructions")}})
	}
	for turn := range rapid.IntRange(0, 5).Draw(t, "messages") {
		if n := len(req.Messages); n > 0 && req.Messages[n-1].Role == chat.Assistant || rapid.Bool().Draw(t, "user") {
			role := rapid.SampledFrom([]chat.Role{chat.User, chat.System, chat.Developer}).Draw(t, "role")
			req.Messages = append(req.Messages, chat.Message{Role: role, Parts: genParts(t), Extras: genExtras(t)})
			continue
		}
		m := genAssistant(t, turn, false)
		req.Messages = append(req.Messages, m)
		for _, p := range m.Parts {
			if p.Kind == chat.PartCall {
				r := chat.ResultPart(p.Call.ID, genParts(t)...)
				r.Result.IsError = rapid.Bool().Draw(t, "error")
				if r.Extras = genExtras(t); p.Call.Custom {
					r.Extras = append(r.Extras, spelled("custom"))
				}
				req.Messages = append(req.Messages, chat.Message{Role: chat.ToolRole, Parts: []chat.Part{r}})
			}
		}
	}
	return req
}

func genTools(t *rapid.T) []chat.Tool {
	schemas := []string{"", `{"type":"object","properties":{"z":{},"a":{"$ref":"#/$defs/q"}}}`}
	return codectest.Tools(t, schemas, func(tool *chat.Tool) {
		tool.Extras = genExtras(t)
		if tool.Custom = rapid.IntRange(0, 3).Draw(t, "custom") == 0; tool.Custom {
			tool.Parameters = wire.CustomParameters()
		} else {
			tool.Strict = codectest.Switch(t, "strict")
			tool.Extras = append(tool.Extras, spelled("strict"))
		}
	})
}

func genResponse(t *rapid.T) *wire.Response {
	res := &wire.Response{
		Meta:   chat.Meta{Wire: "responses", ID: genText(t, "id"), Model: "m", Created: int64(codectest.Count(t, "created")), Usage: codectest.Usage(t)},
		Extras: genExtras(t, "usage", "usage.input_tokens_details"),
	}
	for i := 0; i < len(res.Extras); i++ {
		if res.Extras[i].In == "" && string(res.Extras[i].Value) == "null" { // says nothing in an answer
			res.Extras[i].Value = json.RawMessage("0")
		}
	}
	message := genAssistant(t, 0, true)
	for i := range message.Parts {
		p := &message.Parts[i]
		said := p.Kind == chat.PartText || p.Kind == chat.PartRefusal
		begins := said && (i == 0 || wire.UsesName(p.Extras, "responses", "item") || message.Parts[i-1].Kind != chat.PartText && message.Parts[i-1].Kind != chat.PartRefusal)
		if begins && p.Extras.Get("responses", "item", "id") == nil { // an id would be made
			p.Extras = append(chat.Extras{ownExtra("item", "id", `"msg_1"`)}, deleteSpelling(p.Extras)...)
		}
		if p.Kind == chat.PartCall {
			p.Extras = append(p.Extras, ownExtra("", "status", `"incomplete"`))
			p.Call.Cut = p.Call.Custom
		}
	}
	finish := wire.ReadFinish("responses", codectest.OneOf(t, "finish", "completed", "max_output_tokens", "content_filter", "incomplete", "cancelled"))
	res.Choices = []wire.Choice{{Message: message, Finish: wire.WithCalls(finish, message.HasCalls())}}
	return res
}

func deleteSpelling(x chat.Extras) chat.Extras {
	var out chat.Extras
	for _, e := range x {
		if !e.Spelling {
			out = append(out, e)
		}
	}
	return out
}

func TestRequestRoundTrip(t *testing.T) {
	errorMarks := func(req *chat.Request, losses []chat.Loss) bool {
		failed := 0
		for _, m := range req.Messages {
			for _, p := range m.Parts {
				if p.Kind == chat.PartResult && p.Result.IsError {
					failed++
				}
			}
		}
		return len(losses) == failed
	}
	codectest.RoundTrip(t, genRequest, codec.EncodeRequest, codec.DecodeRequest, errorMarks, codectest.JSON, codectest.Unordered)
}

func TestToolsRoundTrip(t *testing.T) {
	codectest.RoundTrip(t, genTools, codec.EncodeTools, codec.DecodeTools, nil, codectest.JSON, codectest.Unordered)
}

func TestResponseRoundTrip(t *testing.T) {
	codectest.RoundTrip(t, genResponse, codec.EncodeResponse, codec.DecodeResponse, nil, codectest.JSON, codectest.Unordered)
}

func FuzzRequest(f *testing.F) {
	again := func(t *testing.T, first, second *chat.Request) {
		if codec.WriteRequest(t, second, wire.Options{}); len(second.Messages) > len(first.Messages) {
			t.Fatalf("%+v becomes %+v", first, second)
		}
	}
	codectest.Fuzz(f, codec.DecodeRequest, codec.EncodeRequest, again, requests...)
}

func FuzzResponse(f *testing.F) {
	codectest.Fuzz(f, codec.DecodeResponse, codec.EncodeResponse, nil, bodies...)
}

func FuzzTools(f *testing.F) {
	codectest.Fuzz(f, codec.DecodeTools, codec.EncodeTools, nil,
		`[{"type":"function","name":"f","parameters":null,"strict":1},{"type":"custom","name":"g"},{"type":"mcp"},{}]`)
}
