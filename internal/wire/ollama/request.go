package ollama

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/internal/wire/wireio"
)

// request reads a request.
func (r *reading) request(root rawjson.Value, req *chat.Request) {
	req.Stream = true
	keep := r.Keeper()
	r.Members(r.Object(root), "", &keep, "", "model", &req.Model,
		"messages", func(v rawjson.Value) {
			req.Messages = nil
			for m := range r.Array(v, "messages").Items() {
				req.Messages = append(req.Messages, r.message(r.Object(m, "messages[]"), "messages[]"))
			}
		},
		"tools", func(v rawjson.Value) { req.Tools = r.Remember(v, "tools", r.tools) },
		"stream", func(v rawjson.Value) bool {
			req.Stream = v.Kind != rawjson.Bool || v.IsTrue()
			return v.Kind == rawjson.Bool
		},
		"options", func(v rawjson.Value) { r.options(req, &keep, r.Object(v, "options")) },
		"format", func(v rawjson.Value) bool { return v.Is("") }, // some clients write it for no value
		"keep_alive", wireio.UnlessNull, "think", wireio.UnlessNull)
	r.RequirePrompt(root, "messages", "model") // a request with only a model loads it
	req.StreamUsage = req.Stream
	req.Extras = keep.Extras
}

// request writes a request.
func (w *writing) request(req *chat.Request) {
	w.Log.ReportExtras("", req.Extras)
	w.Object()
	if req.Model == "" {
		w.Log.Add(features.Model, "model", "empty: the request names no model")
	}
	w.KeyString("model", req.Model)
	w.Key("messages")
	w.messages(req.Messages)
	w.offer(req)
	w.options(req)
	w.KeyBool("stream", req.Stream)
	w.EndWith(req.Extras, "")
}

// messages writes a history.
func (w *writing) messages(messages []chat.Message) {
	linked := w.Link(messages)
	for i, m := range messages {
		w.generated.Add(m.Parts, linked[i].Parts)
	}
	w.Array()
	for i, m := range wireio.JoinTurns(linked) {
		w.message(m, wireio.At("messages", i))
	}
	w.EndArray()
}

// inOptions is the object with most settings.
const inOptions = "options"

// noLimit is the num_predict that means no limit.
const noLimit = -1

func (r *reading) options(req *chat.Request, keep *unknown.Keeper, v rawjson.Value) {
	r.Members(v, inOptions, keep, inOptions, "temperature", &req.Temperature, "top_p", &req.TopP,
		"num_predict", func(v rawjson.Value) bool {
			if n, _ := v.Int(); v.Kind == rawjson.Number && n == noLimit { // the default
				keep.NoteName("num_predict")
				return true
			}
			return wireio.Limit(&req.MaxTokens)(v)
		},
		"stop", func(v rawjson.Value) (ok bool) {
			req.Stop, ok = r.Stop(v)
			return ok
		})
}

func (w *writing) options(req *chat.Request) {
	w.parallel(req.ParallelCalls)
	limit := req.MaxTokens
	if limit == 0 && wire.UsesName(req.Extras, Wire, "num_predict") {
		limit = noLimit
	}
	if req.Temperature == "" && req.TopP == "" && limit == 0 && len(req.Stop) == 0 && !w.HasExtras(req.Extras, inOptions) {
		return
	}
	w.KeyObject(inOptions)
	w.Decimal("temperature", req.Temperature)
	w.Decimal("top_p", req.TopP)
	w.Number("num_predict", limit)
	w.Strings("stop", req.Stop)
	w.EndWith(req.Extras, inOptions)
}

func (w *writing) parallel(s chat.Switch) {
	if s == chat.Off {
		w.Log.Add(features.ParallelCalls, "parallel_calls")
	}
}
