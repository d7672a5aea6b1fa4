package anthropic

import (
	"cmp"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/internal/wire/wireio"
	"github.com/toolparse/toolparse/toolcall"
)

// response reads a whole answer.
func (r *reading) response(root rawjson.Value, res *wire.Response) {
	keep := r.Keeper()
	keep.Skip = isNull
	choice := wire.Choice{Message: chat.Message{Role: chat.Assistant}}
	found := false
	var reason rawjson.Value
	r.Members(r.Object(root), "", &keep, "", "type", nil, "role", nil, "id", &res.ID, "model", &res.Model, "stop_reason", wireio.TextMember(&reason),
		"content", func(v rawjson.Value) {
			found = true
			choice.Message.Parts = r.Content(r.Array(v, "content"), "content", r.part)
		},
		"usage", func(v rawjson.Value) { res.Usage = r.usage(r.Object(v, "usage"), &keep) },
		"error", func(v rawjson.Value) {
			if v.IsSet() {
				d := r.Texts.Error(v)
				res.Error = &wire.Error{Code: cmp.Or(r.Texts.Name(v.Get("type")), d.Name), Message: d.Text}
				keep.Rest("error", v, "type", "message")
			}
		})
	if !found && res.Error == nil {
		r.Missing(root, "content")
	}
	choice.Finish = r.Finish(r.Texts.Name(reason))
	if parts := choice.Message.Parts; wire.IsCut(choice.Finish.Reason) && len(parts) > 0 && parts[len(parts)-1].Kind == chat.PartCall {
		r.NoteCut(parts) // otherwise another block came after the call
	}
	choice.Finish = wire.WithCalls(choice.Finish, choice.Message.HasCalls())
	if found || res.Error == nil {
		res.Choices = []wire.Choice{choice}
	}
	res.Extras = keep.Extras
}

// response writes a whole answer.
func (w *writing) response(res *wire.Response) {
	w.answer = true
	res = w.Answer(res, true)
	w.Log.ReportExtras("", res.Extras)
	w.Object()
	if res.Error != nil {
		if len(res.Choices) > 0 {
			w.Log.Add(features.Choices, "choices", "left out: the error replaces them")
		}
		w.failure(*res.Error, res.Extras, res.Wire == Wire, "error.code")
		w.EndWith(res.Extras, "")
		return
	}
	w.head(res.Meta)
	w.Key("content")
	var finish chat.Finish
	if len(res.Choices) == 0 {
		w.Raw([]byte("[]"))
	} else {
		choice := w.Restore(res)[0]
		w.Log.ReportExtras("choices[0]", choice.Extras)
		w.Log.ReportExtras("choices[0].message", choice.Message.Extras)
		if blocks := w.blocks(nil, wireio.Locate(choice.Message.Parts, "choices[0].message.parts"), inAssistant); len(blocks) > 0 {
			w.content(blocks)
		} else {
			w.Raw([]byte("[]"))
		}
		finish = wire.WithCalls(choice.Finish, choice.Message.HasCalls())
		w.seemsCut(choice.Message.Parts, finish)
	}
	if len(res.Choices) > 1 {
		w.Log.Add(features.Choices, "choices")
	}
	w.KeyOrNull("stop_reason", w.finishWord("choices[0].finish", finish))
	if res.Extras.Get(Wire, "", "stop_sequence") == nil {
		w.KeyNull("stop_sequence")
	}
	w.Key("usage")
	w.usage(res.Usage, res.Extras)
	if res.Created != 0 {
		w.Log.Add(features.Created, "created")
	}
	w.EndWith(res.Extras, "")
}

// seemsCut reports a complete call without arguments that looks the same as one cut
// before its arguments began: the last one of a truncated answer.
func (w *writing) seemsCut(parts []chat.Part, finish chat.Finish) {
	last := len(parts) - 1
	if last < 0 || parts[last].Kind != chat.PartCall || parts[last].Call.Cut || !wire.IsCut(finish.Reason) {
		return
	}
	if arguments := parts[last].Call.Arguments; isEmpty(rawjson.Value{Kind: rawjson.Object, Raw: []byte(arguments)}) {
		w.Log.Add(features.BrokenArguments, wireio.At("choices[0].message.parts", last)+".call.arguments", "there are none, and so the call counts as incomplete in an answer that was cut")
	}
}

// head writes the beginning of a message. Clients expect an id; a generated one is
// reported.
func (w *writing) head(m chat.Meta) {
	if m.ID == "" {
		m.ID = "msg_" + strings.TrimPrefix(wire.MakeID(wire.Seed(m, 0), 0, m.Model), "call_")
		w.Log.AddOnce(features.ResponseID, "id", m.ID+" is made up")
	}
	w.KeyString("id", m.ID)
	w.Text("type", "message")
	w.Text("role", string(chat.Assistant))
	w.KeyString("model", m.Model)
}

// defaultError is the type of an error without one.
const defaultError = "api_error"

// failure writes the members of an error, for a body or an event. sameWire means that it is of
// this wire; the code of another provider's error, at field, is replaced by the type with
// the same meaning.
func (w *writing) failure(e wire.Error, x chat.Extras, sameWire bool, field string) {
	if code := e.Code; code == "" || !sameWire || code == wireio.StreamError {
		e.Code = wireio.ErrorWord(wireio.ErrorOf(0, code).Anthropic, code)
		if e.Code != code && code != wireio.StreamError {
			w.Log.AddOnce(features.Failure, field, e.Code+" stands for it")
		}
	}
	w.Text("type", "error")
	w.KeyObject("error")
	w.Text("type", e.Code)
	w.KeyString("message", e.Message)
	w.EndWith(x, "error")
}

// finishNames are the words for finish reasons.
var finishNames = features.FinishWords{
	chat.FinishStop: "end_turn", chat.FinishToolCalls: "tool_use", chat.FinishPause: "pause_turn", chat.FinishContentFilter: "refusal",
	chat.FinishRefusal: "refusal", chat.FinishLength: "max_tokens", chat.FinishError: "max_tokens", chat.FinishOther: "max_tokens",
}

// finishWord returns the wire's word for a reason; see features.FinishWords.
func (w *writing) finishWord(field string, f chat.Finish) string {
	sameWire := f.Wire == Wire && f.Word != ""
	switch f.Reason {
	case chat.FinishUnset, chat.FinishToolCalls:
		sameWire = false
	case chat.FinishStop:
		sameWire = sameWire && f.Word == "stop_sequence"
	}
	if sameWire {
		return f.Word
	}
	return finishNames.Of(&w.Log, field, f)
}

// counts are the counts of tokens on this wire, where the input does not include tokens
// that were read from the cache or written to it.
type counts struct {
	input, cached, written, output, reasoning int
}

// read reads a usage. It keeps counts that are missing, because the events of a stream
// send and repeat them piece by piece. It passes members that are not counts to other,
// with their object: "" or inDetails.
func (c *counts) read(r *wireio.Reader, v rawjson.Value, other func(in string, key []byte, v rawjson.Value)) {
	count := func(n *int) func([]byte, rawjson.Value) {
		return func(key []byte, v rawjson.Value) {
			if v.IsSet() {
				*n = r.Tokens(v, "usage.", string(key))
			}
		}
	}
	r.Each(v, "usage", func(key []byte, v rawjson.Value) { other("", key, v) },
		"input_tokens", count(&c.input), "cache_read_input_tokens", count(&c.cached), "cache_creation_input_tokens", count(&c.written),
		"output_tokens", count(&c.output),
		"output_tokens_details", func(v rawjson.Value) {
			for key, member := range r.Object(v, "usage"+inDetails).Fields() {
				if string(key) != "thinking_tokens" {
					other(inDetails, key, member)
				} else if member.IsSet() {
					c.reasoning = r.Tokens(member, "usage"+inDetails, ".thinking_tokens")
				}
			}
		})
}

// usage reads the usage at a path in a stream.
func (d *Decoder) usage(dst []toolcall.Delta, in string, v rawjson.Value) []toolcall.Delta {
	d.counts.read(&d.Reader, v, func(inner string, key []byte, member rawjson.Value) {
		dst = d.extras.Set(dst, 0, in+inner, key, member)
	})
	return dst
}

// usage reads the usage of a whole answer.
func (r *reading) usage(v rawjson.Value, keep *unknown.Keeper) chat.Usage {
	var c counts
	c.read(&r.Reader, v, func(in string, key []byte, member rawjson.Value) {
		keep.KeepSet("usage"+in, key, member)
	})
	if c.reasoning == 0 && v.Get(inDetails[1:]).IsSet() && !unknown.Has(keep.Extras, Wire, "usage"+inDetails) {
		keep.NoteName("usage" + inDetails)
	}
	return c.usage()
}

func (c counts) usage() chat.Usage {
	return wire.WithTotal(chat.Usage{
		Input: c.input + c.cached + c.written, Output: c.output,
		CachedInput: c.cached, CacheWrite: c.written, Reasoning: c.reasoning,
	})
}

// usage writes a usage as an object. Like the vendor, it always writes the counts of
// the cache.
func (w *writing) usage(u chat.Usage, x chat.Extras) {
	w.Object()
	w.KeyInt("input_tokens", int64(max(u.Input-u.CachedInput-u.CacheWrite, 0)))
	w.KeyInt("cache_creation_input_tokens", int64(u.CacheWrite))
	w.KeyInt("cache_read_input_tokens", int64(u.CachedInput))
	w.KeyInt("output_tokens", int64(u.Output))
	const details = "usage" + inDetails
	if u.Reasoning > 0 || w.HasExtras(x, details) || wire.UsesName(x, Wire, details) {
		w.KeyObject("output_tokens_details")
		w.KeyInt("thinking_tokens", int64(u.Reasoning))
		w.EndWith(x, details)
	}
	w.EndWith(x, "usage")
}
