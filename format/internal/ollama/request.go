package ollama

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/features"
	"github.com/toolparse/toolparse/format/internal/rawjson"
	"github.com/toolparse/toolparse/format/internal/wireio"
)

// DecodeRequest reads a request.
func (Codec) DecodeRequest(body []byte) (*chat.Request, error) {
	r := newReading()
	root, err := r.Body(body)
	if err != nil {
		return nil, err
	}
	req := &chat.Request{Stream: true}
	keep := r.Keeper()
	r.Members(r.Object(root), "", &keep, "", "model", &req.Model,
		"messages", func(v rawjson.Value) {
			req.Messages = nil
			for m := range r.Array(v, "messages").Items() {
				req.Messages = append(req.Messages, r.message(r.Object(m, "messages[]"), "messages[]"))
			}
		},
		"tools", func(v rawjson.Value) { req.Tools = r.tools(v, "tools") },
		"stream", func(v rawjson.Value) {
			if v.Kind == rawjson.Bool {
				req.Stream = v.IsTrue()
			} else {
				keep.KeepSet("", []byte("stream"), v)
			}
		},
		"options", func(v rawjson.Value) { r.options(req, &keep, r.Object(v, "options")) },
		"format", func(v rawjson.Value) {
			if !v.Is("") { // as clients write that there is none
				keep.KeepSet("", []byte("format"), v)
			}
		},
		"keep_alive", func(v rawjson.Value) { keep.KeepSet("", []byte("keep_alive"), v) },
		"think", func(v rawjson.Value) { keep.KeepSet("", []byte("think"), v) })
	r.RequirePrompt(root, "messages", "model") // which alone is only loaded
	req.StreamUsage = req.Stream
	req.Extras = keep.Extras
	return req, r.Failure()
}

// EncodeRequest writes a request.
func (Codec) EncodeRequest(req *chat.Request, opts chat.Options) ([]byte, []chat.Loss, error) {
	w := newWriting(opts)
	req = w.Request(req)
	w.Log.Extras("", req.Extras)
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
	w.Extras(req.Extras, "")
	w.EndObject()
	return w.Out, w.Log.Losses, nil
}

// messages writes a history.
func (w *writing) messages(messages []chat.Message) {
	linked := w.Link(messages)
	for i, m := range messages {
		w.made.Add(m.Parts, linked[i].Parts)
	}
	w.Array()
	for i, m := range wireio.JoinTurns(linked) {
		w.message(m, wireio.At("messages", i))
	}
	w.EndArray()
}
