package openai

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/wireio"
)

// request reads a request. It reads the legacy functions and function_call as tools
// and calls.
func (r *reading) request(root rawjson.Value, req *chat.Request) {
	keep := r.Keeper()
	limit := func(key []byte, v rawjson.Value) {
		n, ok := v.Int()
		switch {
		case !v.IsSet():
		case !ok || n <= 0 || v.Kind != rawjson.Number || req.MaxTokens != 0 && req.MaxTokens != n:
			keep.Keep("", key, v)
		default:
			req.MaxTokens = n
			if string(key) == "max_tokens" {
				keep.NoteName("max_tokens")
			}
		}
	}
	choice := func(v rawjson.Value) { req.ToolChoice = r.toolChoice(v) }
	r.Members(r.Object(root), "", &keep, "", "model", &req.Model, "parallel_tool_calls", &req.ParallelCalls, "stream", &req.Stream,
		"temperature", &req.Temperature, "top_p", &req.TopP, "max_tokens", limit, "max_completion_tokens", limit,
		"tool_choice", choice, "function_call", choice,
		"messages", func(v rawjson.Value) {
			req.Messages = nil
			for m := range r.Array(v, "messages").Items() {
				req.Messages = append(req.Messages, r.message(r.Object(m, "messages[]"), "messages[]"))
			}
		},
		"tools", func(v rawjson.Value) {
			if tools := r.Remember(v, "tools", r.tools); req.Tools == nil {
				req.Tools = tools
			} else {
				req.Tools = append(req.Tools, tools...)
			}
		},
		"functions", func(v rawjson.Value) {
			for f := range r.Array(v, "functions").Items() {
				inner := r.Keeper()
				tool := r.function(r.Object(f, "functions[]"), "function", "functions[]", &inner)
				tool.Extras = inner.Extras
				req.Tools = append(req.Tools, tool)
			}
		},
		"stop", func(key []byte, v rawjson.Value) {
			var ok bool
			if req.Stop, ok = r.Stop(v); !ok {
				r.Array(v, "stop")
				keep.KeepSet("", key, v)
			} else if v.Kind == rawjson.String {
				keep.NoteName(oneStop)
			}
		},
		inStream, func(v rawjson.Value) {
			r.Members(r.Object(v, inStream), inStream, &keep, inStream, "include_usage", &req.StreamUsage)
		})
	r.RequirePrompt(root, "messages")
	req.Extras = keep.Extras
}

// inStream is the object with the options of a stream.
const inStream = "stream_options"

// oneStop marks that stop is one string instead of a list.
const oneStop = "stop"

// request writes a request.
func (w *writing) request(req *chat.Request) {
	w.Object()
	if req.Model == "" {
		w.Log.Add(features.Model, "model", "left out: the choice names no tool")
	}
	w.Text("model", req.Model)
	w.Key("messages")
	w.messages(req.Messages)
	if w.SendsAnyTool(req.Tools) {
		w.Key("tools")
		w.tools(req.Tools)
	}
	choice, some := w.Choice(req, w.SendsTool)
	w.toolChoice(choice)
	if parallel := w.ParallelCalls(req, some); parallel != chat.Unset {
		w.KeyBool("parallel_tool_calls", parallel == chat.On)
	}
	limit := "max_completion_tokens"
	if wire.UsesName(req.Extras, Wire, "max_tokens") {
		limit = "max_tokens"
	}
	w.Number(limit, req.MaxTokens)
	w.Decimal("temperature", req.Temperature)
	w.Decimal("top_p", req.TopP)
	w.stop(req)
	w.stream(req)
	w.EndWith(req.Extras, "")
	w.Log.ReportExtras("", req.Extras)
}

// vendorStops is the number of stop sequences that the vendor accepts. Other servers take more.
const vendorStops = 4

func (w *writing) stop(req *chat.Request) {
	most := len(req.Stop)
	if w.VendorOnly {
		most = min(most, vendorStops)
	}
	if most == 1 && wire.UsesName(req.Extras, Wire, oneStop) {
		w.KeyString("stop", req.Stop[0])
		return
	}
	w.Strings("stop", req.Stop[:most])
	for i := most; i < len(req.Stop); i++ {
		w.Log.Add(features.Stop, wireio.At("stop", i), "left out")
	}
}

func (w *writing) stream(req *chat.Request) {
	if req.Stream {
		w.KeyBool("stream", true)
	}
	if !req.StreamUsage && !w.HasExtras(req.Extras, inStream) {
		return
	}
	w.KeyObject(inStream)
	if req.StreamUsage {
		w.KeyBool("include_usage", true)
	}
	w.EndWith(req.Extras, inStream)
}
