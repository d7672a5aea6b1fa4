package responses

import (
	"encoding/json"
	"errors"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
)

// request reads a request.
func (r *reading) request(root rawjson.Value, req *chat.Request) {
	keep := r.Keeper()
	var prompt string
	var list, stream rawjson.Value
	root = r.Object(root)
	tools := func(v rawjson.Value) { list, req.Tools = v, r.Remember(v, "tools", r.tools) }
	r.Members(root, "", nil, "", "tools", tools) // the tools identify the calls in the history
	r.Members(root, "", &keep, "", "tools", nil, "model", &req.Model, "parallel_tool_calls", &req.ParallelCalls,
		"instructions", func(key []byte, v rawjson.Value) {
			if v.Kind == rawjson.String {
				prompt = r.Texts.Whole(v)
			} else {
				keep.KeepSet("", key, v)
			}
		},
		"input", func(v rawjson.Value) { req.Messages = r.input(v, &keep) },
		"tool_choice", func(v rawjson.Value) { req.ToolChoice = r.toolChoice(v) },
		"max_output_tokens", func(key []byte, v rawjson.Value) {
			if req.MaxTokens = r.Count(v, "max_output_tokens"); req.MaxTokens == 0 {
				keep.KeepSet("", key, v)
			}
		},
		"stream", func(v rawjson.Value) { stream, req.Stream = v, r.Bool(v, "stream") },
		"temperature", func(v rawjson.Value) { req.Temperature = r.number(v, "temperature") },
		"top_p", func(v rawjson.Value) { req.TopP = r.number(v, "top_p") })
	if list.Kind == rawjson.Array && list.IsEmpty() {
		keep.NoteName(asNoTools)
	}
	if stream.IsSet() && !stream.IsTrue() {
		keep.NoteName(asNoStream)
	}
	r.RequirePrompt(root, "input", "prompt", "conversation", "previous_response_id")
	if prompt != "" {
		system := chat.Message{Role: chat.System, Parts: []chat.Part{chat.TextPart(prompt)}}
		system.Extras = append(system.Extras, spelling(asPrompt))
		req.Messages = append([]chat.Message{system}, req.Messages...)
	}
	req.StreamUsage = req.Stream
	req.Extras = keep.Extras
}

func spelling(name string) chat.Extra { return chat.Extra{Wire: Wire, Name: name, Spelling: true} }

var errNumber = errors.New("no number")

// number reads a number as written.
func (r *reading) number(v rawjson.Value, path string) json.Number {
	if v.IsSet() && v.Kind != rawjson.Number {
		r.Fail(v, errNumber, path)
	}
	if v.Kind != rawjson.Number {
		return ""
	}
	return json.Number(v.Raw)
}

// input reads the input: the user's text, or items.
func (r *reading) input(v rawjson.Value, keep *unknown.Keeper) []chat.Message {
	if v.Kind != rawjson.String {
		return r.history(v, "input")
	}
	keep.NoteName(asString)
	m := chat.Message{Role: chat.User}
	if text := r.Texts.Whole(v); text != "" {
		m.Parts = []chat.Part{chat.TextPart(text)}
	}
	return []chat.Message{m}
}

// request writes a request.
func (w *writing) request(req *chat.Request) {
	for _, member := range [...]string{"previous_response_id", "conversation", "prompt"} {
		w.state = w.state || len(req.Extras.Get(Wire, "", member)) > len("null")
	}
	w.Object()
	w.Text("model", req.Model)
	w.input(req)
	if w.SendsAnyTool(req.Tools) || wire.UsesName(req.Extras, Wire, asNoTools) {
		w.Key("tools")
		w.tools(req.Tools)
	}
	choice, parallel := req.ToolChoice, req.ParallelCalls
	if len(req.Tools) > 0 { // otherwise the server may have the tools, and accepts a choice without any
		var some bool
		choice, some = w.Choice(req, w.SendsTool)
		parallel = w.ParallelCalls(req, some)
	}
	w.toolChoice(choice)
	if parallel != chat.Unset {
		w.KeyBool("parallel_tool_calls", parallel == chat.On)
	}
	w.Number("max_output_tokens", req.MaxTokens)
	w.Decimal("temperature", req.Temperature)
	w.Decimal("top_p", req.TopP)
	if len(req.Stop) > 0 {
		w.Log.Add(features.Stop, "stop")
	}
	if req.Stream || wire.UsesName(req.Extras, Wire, asNoStream) {
		w.KeyBool("stream", req.Stream)
	}
	w.EndWith(req.Extras, "")
	w.Log.ReportExtras("", req.Extras)
}

// input writes the messages: the instructions, if the first one came from there, and the
// input.
func (w *writing) input(req *chat.Request) {
	messages := w.Link(req.Messages)
	skip := 0
	if len(messages) > 0 && wire.UsesName(messages[0].Extras, Wire, asPrompt) {
		if text, ok := w.plainText(messages[0]); ok && messages[0].Role == chat.System {
			w.Log.ReportExtras("messages[0]", messages[0].Extras)
			w.Text("instructions", text)
			skip = 1
		}
	}
	w.Key("input")
	if rest := messages[skip:]; wire.UsesName(req.Extras, Wire, asString) && len(rest) == 1 && rest[0].Role == chat.User {
		if text, ok := w.plainText(rest[0]); ok {
			w.String(text)
			return
		}
	}
	w.Array()
	w.history(messages, skip)
	w.EndArray()
}

// plainText returns the text of a message that has nothing else.
func (w *writing) plainText(m chat.Message) (text string, ok bool) {
	if w.HasExtras(m.Extras, "") || len(m.Parts) > 1 {
		return "", false
	}
	for _, p := range m.Parts {
		if p.Kind != chat.PartText || len(p.Extras) > 0 || p.Signature != "" {
			return "", false
		}
		text = p.Text
	}
	return text, true
}
