package gemini

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/internal/wire/wireio"
)

// request reads a request. The system instruction becomes the first message.
func (r *reading) request(root rawjson.Value, req *chat.Request) {
	keep := r.Keeper()
	var system rawjson.Value
	r.Members(r.Object(root), "", &keep, "", "model", &req.Model, "systemInstruction", &system, // some clients and proxies repeat the model
		"contents", func(v rawjson.Value) {
			req.Messages = nil
			for content := range list(&r.Reader, v, "contents").Items() {
				req.Messages = wireio.SplitResults(req.Messages, r.message(r.Object(content, "contents[]"), "contents[]"))
			}
		},
		"tools", func(v rawjson.Value) { req.Tools = r.Remember(v, "tools", r.tools) },
		"toolConfig", func(v rawjson.Value) { req.ToolChoice = r.toolConfig(r.Object(v, "toolConfig")) },
		inConfig, func(v rawjson.Value) { r.config(req, &keep, r.Object(v, inConfig)) })
	if req.Model != "" {
		keep.NoteName("model")
	}
	r.RequirePrompt(root, "contents")
	if m := r.system(system); len(m.Parts) > 0 {
		req.Messages = append([]chat.Message{m}, req.Messages...)
	}
	req.Extras = keep.Extras
}

// inConfig is the path of the extras of generationConfig.
const inConfig = "generationConfig"

// oneCandidate is the path of the number of answers, if that is 1, the default.
const oneCandidate = "candidateCount"

func (r *reading) config(req *chat.Request, keep *unknown.Keeper, v rawjson.Value) {
	r.Members(v, inConfig, keep, inConfig, "temperature", &req.Temperature, "topP", &req.TopP,
		"maxOutputTokens", func(v rawjson.Value) bool {
			n, ok := v.Int()
			req.MaxTokens = max(n, 0)
			return ok && n > 0
		},
		oneCandidate, func(key []byte, v rawjson.Value) {
			if v.Kind == rawjson.Number && string(v.Raw) == "1" { // the default
				keep.NoteName(oneCandidate)
			} else {
				keep.Keep(inConfig, key, v)
			}
		},
		"stopSequences", func(v rawjson.Value) { req.Stop = r.TextList(v, "generationConfig.stopSequences") })
}

// request writes a request.
func (w *writing) request(req *chat.Request) {
	w.model, w.ownModel = req.Model, wire.UsesName(req.Extras, Wire, "model")
	w.Object()
	switch {
	case req.Model == "":
	case w.ownModel:
		w.Text("model", req.Model)
	default:
		w.Log.Add(features.Model, "model")
	}
	if req.Stream {
		w.Log.Add(features.StreamFlag, "stream")
	}
	w.system(req.Messages)
	w.Key("contents")
	w.contents(req.Messages)
	if w.SendsAnyTool(req.Tools) {
		w.Key("tools")
		w.tools(req.Tools)
	}
	w.toolConfig(req)
	w.config(req)
	w.EndWith(req.Extras, "")
	w.Log.ReportExtras("", req.Extras)
}

// maxStops is the number of stop sequences that the wire accepts.
const maxStops = 5

// config writes generationConfig, unless it would be empty.
func (w *writing) config(req *chat.Request) {
	one := wire.UsesName(req.Extras, Wire, oneCandidate)
	if req.Temperature == "" && req.TopP == "" && req.MaxTokens <= 0 && len(req.Stop) == 0 && !one && !w.HasExtras(req.Extras, inConfig) {
		return
	}
	w.KeyObject("generationConfig")
	w.Decimal("temperature", req.Temperature)
	w.Decimal("topP", req.TopP)
	w.Number("maxOutputTokens", max(req.MaxTokens, 0))
	if one {
		w.Number(oneCandidate, 1)
	}
	w.Strings("stopSequences", req.Stop[:min(len(req.Stop), maxStops)])
	for i := maxStops; i < len(req.Stop); i++ {
		w.Log.Add(features.Stop, wireio.At("stop", i), "left out")
	}
	w.EndWith(req.Extras, inConfig)
}
