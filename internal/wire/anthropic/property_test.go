package anthropic_test

import (
	"encoding/json"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/anthropic"
	"github.com/toolparse/toolparse/internal/wire/test/codectest"
	"github.com/toolparse/toolparse/toolcall"
)

var (
	texts     = codectest.NotBlank(codectest.Texts())
	genText   = texts.Draw
	genExtras = codectest.Unknown{Wire: anthropic.Wire}.Draw
)

func genMedia(t *rapid.T) chat.Part {
	if rapid.Bool().Draw(t, "image") {
		m := rapid.SampledFrom([]chat.Media{{Type: "image/png", Data: "AAAA"}, {URL: "https://example.com/a?b&c"}, {ID: "file_1", StoredBy: "anthropic"}}).Draw(t, "media")
		return chat.Part{Kind: chat.PartImage, Media: &m, Extras: genExtras(t, "source")}
	}
	m := rapid.SampledFrom([]chat.Media{{Type: "application/pdf", Data: "BBBB", Name: "é.pdf"}, {Type: "text/plain", Data: "dMOp"}, {URL: "u"}, {ID: "file_2", Name: "n", StoredBy: "anthropic"}}).Draw(t, "media")
	return chat.Part{Kind: chat.PartFile, Media: &m, Extras: genExtras(t, "source")}
}

func genOther(kind string) chat.Part {
	return chat.Part{Kind: chat.PartOther, Extras: chat.Extras{
		{Wire: "anthropic", Name: "type", Value: json.RawMessage(`"` + kind + `"`)},
		{Wire: "anthropic", Name: "content", Value: json.RawMessage(`[{"type":"text","text":"x"}]`)},
	}}
}

func genParts(t *rapid.T, least int) []chat.Part {
	var parts []chat.Part
	for range rapid.IntRange(least, 3).Draw(t, "parts") {
		switch rapid.IntRange(0, 3).Draw(t, "part") {
		case 0:
			parts = append(parts, genMedia(t))
		case 1:
			parts = append(parts, genOther("search_result"))
		default:
			parts = append(parts, chat.Part{Kind: chat.PartText, Text: genText(t, "text"), Extras: genExtras(t)})
		}
	}
	return parts
}

func genAssistant(t *rapid.T, turn int) chat.Message {
	m := assistant()
	for i := range rapid.IntRange(1, 5).Draw(t, "parts") {
		var p chat.Part
		switch rapid.IntRange(0, 6).Draw(t, "part") {
		case 0:
			p = chat.Part{Kind: chat.PartReasoning, Text: rapid.SampledFrom([]string{"", "hm"}).Draw(t, "thinking"), Signature: genText(t, "signature"), SignedBy: "anthropic", Extras: genExtras(t)}
		case 1:
			p = chat.Part{Kind: chat.PartReasoning, Redacted: genText(t, "data"), SignedBy: "anthropic", Extras: genExtras(t)}
		case 2:
			p = genOther("server_tool_use")
		case 3, 4:
			arguments := codectest.Arguments(t, `{"cut":"of`, "no\nJSON", `{"INVALID_JSON":"{}"}`)
			p = chat.CallPart("call-"+codectest.Letters(turn, i), rapid.StringMatching(`[a-zA-Z0-9_-]{1,128}`).Draw(t, "name"), arguments)
			p.Extras = genExtras(t)
		default:
			p = chat.Part{Kind: chat.PartText, Text: genText(t, "text"), Extras: genExtras(t)}
		}
		m.Parts = append(m.Parts, p)
	}
	return m
}

func genTools(t *rapid.T) []chat.Tool {
	schemas := []string{`{"type":"object"}`, `{"type":"object","properties":{"z":{},"a":{"$ref":"#/$defs/q","anyOf":[{}]}}}`}
	return codectest.Tools(t, schemas, func(one *chat.Tool) {
		if rapid.IntRange(0, 3).Draw(t, "hosted") == 0 {
			*one = chat.Tool{ToolDefinition: toolcall.ToolDefinition{Name: "web_search"}, Hosted: true, Extras: chat.Extras{
				{Wire: "anthropic", Name: "type", Value: json.RawMessage(`"web_search_1"`)}, {Wire: "anthropic", Name: "name", Value: json.RawMessage(`"web_search"`)},
			}}
			return
		}
		one.Extras = genExtras(t)
		if one.Strict = codectest.Switch(t, "strict"); one.Strict == chat.On {
			one.Extras = append(one.Extras, chat.Extra{Wire: "anthropic", Name: "strict", Spelling: true})
		}
	})
}

func genRequest(t *rapid.T) *chat.Request {
	req := codectest.Settings(t)
	req.Model, req.MaxTokens = genText(t, "model"), 1+req.MaxTokens
	req.Stream = rapid.Bool().Draw(t, "stream")
	req.StreamUsage = req.Stream
	req.Tools = genTools(t)
	req.Extras = genExtras(t)
	req.Stop = codectest.Stops(t, texts)
	if len(req.Tools) > 0 {
		req.ToolChoice.Mode = codectest.OneOf(t, "mode", chat.ChoiceUnset, chat.ChoiceAuto, chat.ChoiceNone, chat.ChoiceRequired, chat.ChoiceOne)
		if req.ToolChoice.Mode != chat.ChoiceUnset {
			req.ToolChoice.Extras = genExtras(t)
		}
		if req.ToolChoice.Mode == chat.ChoiceOne {
			req.ToolChoice.Tools = []string{"tool_a"}
		}
		if req.ToolChoice.Mode != chat.ChoiceNone && req.ToolChoice.Mode != chat.ChoiceUnset {
			req.ParallelCalls = codectest.Switch(t, "parallel")
		}
	}
	if rapid.Bool().Draw(t, "system") {
		req.Messages = append(req.Messages, chat.Message{Role: chat.System, Parts: []chat.Part{{Kind: chat.PartText, Text: genText(t, "system"), Extras: genExtras(t)}}})
	}
	for turn := range rapid.IntRange(0, 5).Draw(t, "messages") {
		if rapid.Bool().Draw(t, "user") {
			req.Messages = append(req.Messages, chat.Message{Role: chat.User, Parts: genParts(t, 1), Extras: genExtras(t)})
			continue
		}
		m := genAssistant(t, turn)
		m.Extras = genExtras(t)
		req.Messages = append(req.Messages, m)
		extras := genExtras(t)
		for _, p := range m.Parts {
			if p.Kind != chat.PartCall {
				continue
			}
			r := result(p.Call.ID, genParts(t, 0)...)
			r.Parts[0].Result.IsError = rapid.Bool().Draw(t, "error")
			r.Parts[0].Extras = genExtras(t)
			r.Extras, extras = extras, nil
			req.Messages = append(req.Messages, r)
		}
	}
	return req
}

func genResponse(t *rapid.T) *wire.Response {
	m := genAssistant(t, 0)
	for _, p := range m.Parts {
		if p.Kind == chat.PartCall && !json.Valid([]byte(p.Call.Arguments)) {
			p.Call.Arguments = "{}" // an answer leaves out what is broken
		}
	}
	res := &wire.Response{
		Meta:    chat.Meta{Wire: "anthropic", ID: genText(t, "id"), Model: "m"},
		Choices: []wire.Choice{{Message: m, Finish: wire.WithCalls(wire.ReadFinish("anthropic", codectest.OneOf(t, "finish", "end_turn", "stop_sequence", "max_tokens", "refusal", "pause_turn", "novel")), m.HasCalls())}},
		Extras:  genExtras(t, "usage", "usage.output_tokens_details"),
	}
	if f := &res.Choices[0].Finish; f.Reason == chat.FinishToolCalls {
		f.Word = "tool_use"
	}
	if n := len(m.Parts); n > 0 && m.Parts[n-1].Kind == chat.PartCall && wire.IsCut(res.Choices[0].Finish.Reason) {
		if call := m.Parts[n-1].Call; call.Arguments == "" || call.Arguments == "{}" {
			call.Arguments, call.Cut = "", true
		}
	}
	count := func(name string) int { return codectest.Count(t, name) }
	res.Usage = chat.Usage{Output: count("output"), CachedInput: count("cached"), CacheWrite: count("write"), Reasoning: count("reasoning")}
	res.Usage.Input = count("input") + res.Usage.CachedInput + res.Usage.CacheWrite
	res.Usage = wire.WithTotal(res.Usage)
	return res
}

func TestRequestRoundTrip(t *testing.T) {
	only := func(_ *chat.Request, losses []chat.Loss) bool {
		return !slices.ContainsFunc(losses, func(l chat.Loss) bool { return l.Reason != "the input must be an object" })
	}
	codectest.RoundTrip(t, genRequest, codec.EncodeRequest, codec.DecodeRequest, only, codectest.JSON, codectest.Grouped)
}

func TestResponseRoundTrip(t *testing.T) {
	codectest.RoundTrip(t, genResponse, codec.EncodeResponse, codec.DecodeResponse, codectest.AnyLoss, codectest.JSON, codectest.Grouped)
}

func TestToolsRoundTrip(t *testing.T) {
	codectest.RoundTrip(t, genTools, codec.EncodeTools, codec.DecodeTools, nil, codectest.JSON, codectest.Grouped)
}

func FuzzRequest(f *testing.F) {
	codectest.Fuzz(f, codec.DecodeRequest, codec.EncodeRequest, nil, requests...)
}

func FuzzResponse(f *testing.F) {
	codectest.Fuzz(f, codec.DecodeResponse, codec.EncodeResponse, nil,
		`{"type":"message","content":[{"type":"thinking","thinking":"t","signature":"s"},{"type":"tool_use","id":"b","name":"f","input":{}}],"stop_reason":"max_tokens","usage":{"input_tokens":1,"output_tokens_details":{"thinking_tokens":1}}}`,
		`{"type":"error","error":{"type":"t","message":"m"}}`)
}

func FuzzTools(f *testing.F) {
	again := func(t *testing.T, first, second []chat.Tool) {
		out, losses := codec.WriteTools(t, second, wire.Options{})
		if losses = slices.DeleteFunc(losses, codectest.IsRepeatedTool); len(losses) > 0 && len(first) == len(second) {
			t.Fatalf("%+v becomes %s: %v", second, out, losses)
		}
	}
	codectest.Fuzz(f, codec.DecodeTools, codec.EncodeTools, again,
		`[{"name":"f","description":"d","input_schema":{"anyOf":[{"$ref":"#/$defs/a"},{"type":"object","properties":{"b":{}}}],"$defs":{"a":{"allOf":[{},{"required":["c"]}]}}},"strict":true},{"type":"bash_20250124","name":"bash"}]`)
}
