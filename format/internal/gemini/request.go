package gemini

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/features"
	"github.com/toolparse/toolparse/format/internal/rawjson"
	"github.com/toolparse/toolparse/format/internal/unknown"
	"github.com/toolparse/toolparse/format/internal/wireio"
)

// DecodeRequest reads a request. The system instruction is its first message.
func (Codec) DecodeRequest(body []byte) (*chat.Request, error) {
	r := newReading()
	root, err := r.Body(body)
	if err != nil {
		return nil, err
	}
	req := new(chat.Request)
	keep := r.Keeper()
	var system rawjson.Value
	for key, v := range r.Object(root).Fields() {
		switch camel(key) {
		case "model": // some clients and proxies repeat it
			if req.Model = r.Text(v, "model"); req.Model != "" {
				keep.Spell("model")
			}
		case "systemInstruction":
			system = v
		case "contents":
			req.Messages = nil
			for content := range r.list(v, "contents").Items() {
				req.Messages = r.content(req.Messages, r.Object(content, "contents[]"))
			}
		case "tools":
			req.Tools = r.tools(v, "tools")
		case "toolConfig":
			req.ToolChoice = r.toolConfig(r.Object(v, "toolConfig"))
		case "generationConfig":
			for key, member := range r.Object(v, "generationConfig").Fields() {
				r.configField(req, &keep, key, member)
			}
		default:
			keep.Keep("", key, v)
		}
	}
	r.RequirePrompt(root, "contents")
	if m := r.system(system); len(m.Parts) > 0 {
		req.Messages = append([]chat.Message{m}, req.Messages...)
	}
	req.Extras = keep.Extras
	return req, r.Failure()
}

// inConfig is where the extras of generationConfig stand.
const inConfig = "generationConfig"

// oneCandidate is where a request says that it wants one answer, as all do that
// say nothing.
const oneCandidate = "candidateCount"

func (r *reading) configField(req *chat.Request, keep *unknown.Keeper, key []byte, v rawjson.Value) {
	switch camel(key) {
	case "temperature":
		req.Temperature = wireio.NumberOf(keep, inConfig, key, v)
	case "topP":
		req.TopP = wireio.NumberOf(keep, inConfig, key, v)
	case "maxOutputTokens":
		if n, ok := v.Int(); ok && n > 0 {
			req.MaxTokens = n
		} else if v.IsSet() {
			keep.Keep(inConfig, key, v)
		}
	case oneCandidate:
		if v.Kind == rawjson.Number && string(v.Raw) == "1" { // which goes without saying
			keep.Spell(oneCandidate)
			break
		}
		keep.Keep(inConfig, key, v)
	case "stopSequences":
		req.Stop = r.TextList(v, "generationConfig.stopSequences")
	default:
		keep.Keep(inConfig, key, v)
	}
}

// EncodeRequest writes a request.
func (Codec) EncodeRequest(req *chat.Request, opts chat.Options) ([]byte, []chat.Loss, error) {
	w := newWriting(opts)
	req = w.Request(req)
	w.model, w.ownModel = req.Model, req.Extras.Spells(Wire, "model")
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
	if w.SendsAny(req.Tools) {
		w.Key("tools")
		w.tools(req.Tools)
	}
	w.toolConfig(req)
	w.config(req)
	w.Extras(req.Extras, "")
	w.EndObject()
	w.Log.Extras("", req.Extras)
	return w.Out, w.Log.Losses, nil
}

// maxStops is how many stop sequences the wire takes.
const maxStops = 5

// config writes generationConfig, unless there is nothing in it.
func (w *writing) config(req *chat.Request) {
	one := req.Extras.Spells(Wire, oneCandidate)
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
	w.Extras(req.Extras, inConfig)
	w.EndObject()
}
