package openai

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/features"
	"github.com/toolparse/toolparse/format/internal/rawjson"
	"github.com/toolparse/toolparse/format/internal/unknown"
	"github.com/toolparse/toolparse/format/internal/wireio"
)

// DecodeRequest reads a request. The legacy functions and function_call are
// read as the tools and calls that they are.
func (Codec) DecodeRequest(body []byte) (*chat.Request, error) {
	r := newReading()
	root, err := r.Body(body)
	if err != nil {
		return nil, err
	}
	req := new(chat.Request)
	keep := r.Keeper()
	for key, v := range r.Object(root).Fields() {
		r.requestField(req, &keep, key, v)
	}
	r.RequirePrompt(root, "messages")
	req.Extras = keep.Extras
	return req, r.Failure()
}

func (r *reading) requestField(req *chat.Request, keep *unknown.Keeper, key []byte, v rawjson.Value) {
	switch string(key) {
	case "model":
		req.Model = r.Text(v, "model")
	case "messages":
		req.Messages = nil
		for m := range r.Array(v, "messages").Items() {
			req.Messages = append(req.Messages, r.message(r.Object(m, "messages[]"), "messages[]"))
		}
	case "tools":
		req.Tools = append(req.Tools, r.tools(v, "tools")...)
	case "functions":
		for f := range r.Array(v, "functions").Items() {
			inner := r.Keeper()
			tool := r.function(r.Object(f, "functions[]"), "function", "functions[]", &inner)
			tool.Extras = inner.Extras
			req.Tools = append(req.Tools, tool)
		}
	case "tool_choice", "function_call":
		req.ToolChoice = r.toolChoice(v)
	case "parallel_tool_calls":
		if on := r.Bool(v, "parallel_tool_calls"); v.IsSet() {
			req.ParallelCalls = chat.SwitchOf(on)
		}
	case "max_tokens", "max_completion_tokens":
		n, ok := v.Int()
		switch {
		case !v.IsSet():
		case !ok || n <= 0 || v.Kind != rawjson.Number || req.MaxTokens != 0 && req.MaxTokens != n:
			keep.Keep("", key, v)
		default:
			req.MaxTokens = n
			if string(key) == "max_tokens" {
				keep.Spell("max_tokens")
			}
		}
	case "stop":
		req.Stop = r.stop(v, keep)
	case "stream":
		req.Stream = r.Bool(v, "stream")
	case "stream_options":
		v = r.Object(v, "stream_options")
		req.StreamUsage = r.Bool(v.Get("include_usage"), "stream_options.include_usage")
		keep.Rest("stream_options", v, "include_usage")
	case "temperature":
		req.Temperature = wireio.NumberOf(keep, "", key, v)
	case "top_p":
		req.TopP = wireio.NumberOf(keep, "", key, v)
	default:
		keep.Keep("", key, v)
	}
}

// oneStop tells that stop is one string, not a list.
const oneStop = "stop"

func (r *reading) stop(v rawjson.Value, keep *unknown.Keeper) []string {
	if v.Kind == rawjson.String {
		keep.Spell(oneStop)
		return []string{r.Texts.Whole(v)}
	}
	var stop []string
	for s := range r.Array(v, "stop").Items() {
		if s.Kind != rawjson.String {
			keep.Keep("", []byte("stop"), v)
			return nil
		}
		stop = append(stop, r.Texts.Whole(s))
	}
	return stop
}

// EncodeRequest writes a request.
func (Codec) EncodeRequest(req *chat.Request, opts chat.Options) ([]byte, []chat.Loss, error) {
	w := newWriting(opts)
	req = w.Request(req)
	for _, tool := range req.Tools {
		if tool.Custom {
			w.custom[tool.Name] = true
		}
	}
	w.Object()
	if req.Model == "" {
		w.Log.Add(features.Model, "model", "left out: the choice names no tool")
	}
	w.Text("model", req.Model)
	w.Key("messages")
	w.messages(req.Messages)
	if w.SendsAny(req.Tools) {
		w.Key("tools")
		w.tools(req.Tools)
	}
	choice, some := w.Choice(req, w.Sends)
	w.toolChoice(choice)
	if parallel := w.Parallel(req, some); parallel != chat.Unset {
		w.KeyBool("parallel_tool_calls", parallel == chat.On)
	}
	limit := "max_completion_tokens"
	if req.Extras.Spells(Wire, "max_tokens") {
		limit = "max_tokens"
	}
	w.Number(limit, req.MaxTokens)
	w.Decimal("temperature", req.Temperature)
	w.Decimal("top_p", req.TopP)
	if len(req.Stop) == 1 && req.Extras.Spells(Wire, oneStop) {
		w.KeyString("stop", req.Stop[0])
	} else {
		w.Strings("stop", req.Stop)
	}
	w.stream(req)
	w.Extras(req.Extras, "")
	w.EndObject()
	w.Log.Extras("", req.Extras)
	return w.Out, w.Log.Losses, nil
}

func (w *writing) stream(req *chat.Request) {
	if req.Stream {
		w.KeyBool("stream", true)
	}
	if !req.StreamUsage && !w.HasExtras(req.Extras, "stream_options") {
		return
	}
	w.KeyObject("stream_options")
	if req.StreamUsage {
		w.KeyBool("include_usage", true)
	}
	w.Extras(req.Extras, "stream_options")
	w.EndObject()
}
