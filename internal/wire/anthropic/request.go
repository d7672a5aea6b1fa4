package anthropic

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/wireio"
)

// request reads a request. The system prompt becomes the first message.
func (r *reading) request(root rawjson.Value, req *chat.Request) {
	keep := r.Keeper()
	var system chat.Message
	root = r.Object(root)
	tools := func(v rawjson.Value) { req.Tools = r.Remember(v, "tools", r.tools) }
	r.Members(root, "", nil, "", "tools", tools) // the tools identify the calls in the history
	r.Members(root, "", &keep, "", "tools", nil, "model", &req.Model, "temperature", &req.Temperature, "top_p", &req.TopP,
		"system", func(v rawjson.Value) { system = chat.Message{Role: chat.System, Parts: r.content(v, "system")} },
		"messages", func(v rawjson.Value) {
			req.Messages = nil
			for m := range r.Array(v, "messages").Items() {
				req.Messages = r.message(req.Messages, r.Object(m, "messages[]"))
			}
		},
		"tool_choice", func(v rawjson.Value) { r.toolChoice(req, v) },
		"max_tokens", wireio.Limit(&req.MaxTokens),
		"stop_sequences", func(v rawjson.Value) { req.Stop = r.TextList(v, "stop_sequences") },
		"stream", func(v rawjson.Value) {
			if req.Stream = r.Bool(v, "stream"); !req.Stream && v.IsSet() {
				keep.NoteName("stream")
			}
		})
	r.RequirePrompt(root, "messages")
	if len(system.Parts) > 0 {
		req.Messages = append([]chat.Message{system}, req.Messages...)
	}
	r.load(req)
	req.StreamUsage = req.Stream // every stream has it
	req.Extras = keep.Extras
}

// request writes a request.
func (w *writing) request(req *chat.Request) {
	w.fitThinking(req)
	w.Object()
	if w.Text("model", req.Model); req.Model == "" {
		w.Log.Add(features.Model, "model", "left out: the choice names no tool")
	}
	w.maxTokens(req)
	w.system(req.Messages)
	w.Key("messages")
	w.messages(req.Messages)
	w.offer(req)
	w.temperature(req.Temperature)
	w.Decimal("top_p", req.TopP)
	w.stop(req.Stop)
	if req.Stream || wire.UsesName(req.Extras, Wire, "stream") {
		w.KeyBool("stream", req.Stream)
	}
	w.EndWith(req.Extras, "")
	w.Log.ReportExtras("", req.Extras)
}

// leastThinking is the least budget for thinking that the vendor accepts, in tokens.
const leastThinking = 1024

// fitThinking changes what the vendor does not accept together with thinking, if another
// wire asked for that: a budget that is not below the limit of tokens, a tool that must be
// called, and settings of sampling. req is a copy.
func (w *writing) fitThinking(req *chat.Request) {
	thinking, err := rawjson.Parse(req.Extras.Get(Wire, "", "thinking"))
	if err != nil || thinking.Kind != rawjson.Object || thinking.Get("type").Is("disabled") || w.IsGiven("thinking") {
		return
	}
	drop := func(name, why string) {
		w.Log.AddFor(why, name, "left out")
		req.Extras = slices.DeleteFunc(slices.Clone(req.Extras), func(x chat.Extra) bool { return x.Wire == Wire && x.In == "" && x.Name == name })
	}
	budget, _ := thinking.Get("budget_tokens").Int()
	switch mode := req.ToolChoice.Mode; {
	case len(req.Tools) > 0 && (mode == chat.ChoiceRequired || mode == chat.ChoiceOne):
		drop("thinking", "the vendor allows no thinking if a call is required")
		return
	case budget == 0:
	case req.MaxTokens <= 0:
		w.thinks = budget
	case req.MaxTokens <= leastThinking:
		drop("thinking", "the limit of tokens leaves no room for it")
		return
	case budget >= req.MaxTokens:
		budget = max(leastThinking, req.MaxTokens/2)
		w.Log.AddFor("it must be below the limit of tokens", "thinking.budget_tokens", strconv.Itoa(budget)+" stands for it")
		req.Extras = slices.Clone(req.Extras)
		for i := range req.Extras {
			if x := &req.Extras[i]; x.Wire == Wire && x.In == "" && x.Name == "thinking" {
				x.Value = features.ThinkingOf(budget)
			}
		}
	}
	const why = "the vendor does not accept it together with thinking"
	if t, err := req.Temperature.Float64(); err == nil && t != 1 {
		w.Log.AddFor(why, "temperature", "left out")
		req.Temperature = ""
	}
	if p, err := req.TopP.Float64(); err == nil && p < 0.95 {
		w.Log.AddFor(why, "top_p", "left out")
		req.TopP = ""
	}
	if req.Extras.Get(Wire, "", "top_k") != nil {
		drop("top_k", why)
	}
}

func (w *writing) maxTokens(req *chat.Request) {
	limit := req.MaxTokens
	if limit <= 0 {
		if req.Extras.Get(Wire, "", "max_tokens") != nil {
			return
		}
		limit = defaultMaxTokens + w.thinks
		w.Log.Add(features.NoTokenLimit, "max_tokens", "a limit of "+strconv.Itoa(limit)+" tokens is set")
	}
	w.Number("max_tokens", limit)
}

func (w *writing) temperature(n json.Number) {
	if t, err := strconv.ParseFloat(string(n), 64); err == nil && t > 1 && json.Valid([]byte(n)) {
		w.Log.Add(features.Temperature, "temperature", string(n)+" becomes 1")
		n = "1"
	}
	w.Decimal("temperature", n)
}

// stop writes the stop sequences, except blank ones, which the wire rejects.
func (w *writing) stop(stop []string) {
	var kept []string
	for i, s := range stop {
		if strings.TrimSpace(s) == "" {
			w.Log.Add(features.Stop, wireio.At("stop", i), "left out: it is blank")
			continue
		}
		kept = append(kept, s)
	}
	w.Strings("stop_sequences", kept)
}
