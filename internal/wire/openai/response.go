package openai

import (
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/multitool"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/wireio"
)

// response reads a whole answer: its choices, or an error instead.
func (r *reading) response(root rawjson.Value, res *wire.Response) {
	k := r.Keeper()
	var f fields
	r.Members(r.Object(root), "", &k, "", "object", &f.object, "model", &res.Model, "error", &f.failure, "detail", &f.detail,
		"id", func(v rawjson.Value) { res.ID = r.Texts.Whole(r.Label(v, "id")) },
		"created", func(v rawjson.Value) { res.Created = r.Time(v, "created") },
		"choices", func(v rawjson.Value) { f.choices, f.hasChoices = r.Array(v, "choices"), true },
		inUsage, func(v rawjson.Value) {
			res.Usage = readUsage(&r.Reader, r.Object(v, inUsage), keepIn(&k))
		},
		inBase, func(key []byte, v rawjson.Value) {
			f.base = v
			k.Keep("", key, v)
		},
		inGroq, func(key []byte, v rawjson.Value) { // Groq's own object
			if failure := r.Object(v, inGroq).Get("error"); failure.IsSet() {
				f.failure = failure
			}
			if usage := v.Get(inUsage); usage.Kind == rawjson.Object {
				res.Usage = readUsage(&r.Reader, usage, func(string, []byte, rawjson.Value) {})
			}
			k.Keep("", key, v)
		})
	failure := failureOf(root, &f, false)
	counted := root.Get(inUsage).Kind == rawjson.Object
	var indices []int
	for item := range f.choices.Items() {
		if item = r.Object(item, inChoice); !item.IsSet() {
			continue
		}
		choice, index := r.choice(item, len(indices), func(key []byte, v rawjson.Value) bool {
			switch string(key) {
			case inUsage:
				if v = r.Object(v, inChoice, ".usage"); v.Kind == rawjson.Object && !counted {
					res.Usage = readUsage(&r.Reader, v, keepIn(&k))
				}
				return true
			case inError:
				if !failure.IsSet() && isBroken(v) {
					failure = v
					return true
				}
			}
			return false
		})
		res.Choices, indices = append(res.Choices, choice), append(indices, index)
	}
	if e, ok := baseFailure(&r.Texts, f.base); ok {
		res.Error = &wire.Error{Code: e.Name, Message: e.Text}
	}
	switch {
	case failure.IsSet():
		d := r.Texts.Error(failure)
		res.Error = &wire.Error{Code: d.Name, Message: d.Text}
		if failure.At == root.At {
			k.Extras = nil
		}
		errorRest(failure, keepIn(&k))
	case !f.hasChoices:
		r.Missing(root, "choices")
	case f.detail.IsSet():
		k.Keep("", []byte("detail"), f.detail)
	}
	res.Extras = k.Extras
	wireio.SortByIndex(res.Choices, indices)
}

// choice reads a choice. own takes what concerns the answer, and reports whether it did.
func (r *reading) choice(v rawjson.Value, place int, own func([]byte, rawjson.Value) bool) (choice wire.Choice, index int) {
	keep := r.Keeper()
	index = place
	var message, text rawjson.Value
	answers := func(key []byte, v rawjson.Value) {
		if !own(key, v) {
			keep.Keep("", key, v)
		}
	}
	r.Members(v, inChoice, &keep, "", textOfChoice, &text, "message", &message, inUsage, answers, inError, answers,
		"index", func(v rawjson.Value) {
			if n, ok := r.Index(v, inChoice, ".index"); ok {
				index = n
			}
		},
		"finish_reason", func(v rawjson.Value) {
			choice.Finish = r.Finish(r.Texts.Name(r.String(v, inChoice, ".finish_reason")))
		})
	if lacksMessage(v, message, text) {
		r.Fault(wireio.At("choices", place)+".message", wireio.ErrMissing)
	}
	message = r.Object(message, inMessage)
	isCompletion := text.Kind == rawjson.String && !message.IsSet()
	if text.IsSet() && !isCompletion {
		keep.Keep("", []byte(textOfChoice), text)
	}
	choice.Message = r.message(message, inMessage)
	if isCompletion {
		choice.Message.Parts = []chat.Part{chat.TextPart(r.Texts.Whole(text))}
	}
	if choice.Message.Role == "" {
		choice.Message.Role = chat.Assistant
	}
	if wire.IsCut(choice.Finish.Reason) {
		r.NoteCut(choice.Message.Parts)
	}
	choice.Message.Parts = multitool.Expand(choice.Message.Parts)
	choice.Finish = wire.WithCalls(choice.Finish, choice.Message.HasCalls())
	choice.Extras = keep.Extras
	return choice, index
}

// response writes a whole answer.
func (w *writing) response(res *wire.Response) {
	w.joins = res.Wire != Wire || w.VendorOnly // lists from servers of this wire stay lists
	res = w.Answer(res, false)
	w.Log.ReportExtras("", res.Extras)
	w.Object()
	if res.Error != nil && len(res.Choices) == 0 {
		w.Key("error")
		w.failure(*res.Error, res.Extras, res.Wire == Wire)
		w.EndWith(res.Extras, "")
		return
	}
	meta := w.settle(res.Meta)
	w.KeyString("id", meta.ID)
	w.Text("object", "chat.completion")
	w.KeyInt("created", meta.Created)
	w.KeyString("model", meta.Model)
	w.KeyArray("choices")
	for i, choice := range w.Restore(res) {
		field := wireio.At("choices", i)
		w.Log.ReportExtras(field, choice.Extras)
		w.Log.ReportExtras(field+".message", choice.Message.Extras)
		w.Object()
		w.KeyInt("index", int64(i))
		w.KeyObject("message")
		w.assistant(choice.Message, w.sort(choice.Message, field+".message"), field+".message")
		w.EndWith(choice.Message.Extras, "")
		w.KeyOrNull("finish_reason", w.finishWord(field+".finish", wire.WithCalls(choice.Finish, choice.Message.HasCalls())))
		w.EndWith(choice.Extras, "")
	}
	w.EndArray()
	if res.Usage != (chat.Usage{}) || w.HasExtras(res.Extras, "usage") {
		w.Key("usage")
		w.usage(res.Usage, res.Extras)
		w.Log.Usage(res.Meta)
	}
	if res.Error != nil {
		w.Key("error")
		w.failure(*res.Error, res.Extras, res.Wire == Wire)
	}
	w.EndWith(res.Extras, "")
}

// settle makes up the id that an answer must have. Plain text is not a wire's answer, so
// that nothing is lost.
func (w *writing) settle(m chat.Meta) chat.Meta {
	if m.ID == "" {
		m.ID = "chatcmpl-" + strings.TrimPrefix(wire.MakeID(wire.Seed(m, 0), 0, m.Model), "call_")
		if m.Wire != "" {
			w.Log.AddOnce(features.ResponseID, "id", m.ID+" is made up")
		}
	}
	return m
}

// finishNames are the words for finish reasons.
var finishNames = features.FinishWords{
	chat.FinishStop: "stop", chat.FinishPause: "stop", chat.FinishToolCalls: "tool_calls", chat.FinishLength: "length",
	chat.FinishError: "length", chat.FinishOther: "length", chat.FinishContentFilter: "content_filter", chat.FinishRefusal: "content_filter",
}

// finishWord returns the wire's word for a reason; see features.FinishWords.
func (w *writing) finishWord(field string, f chat.Finish) string {
	if f.Wire == Wire && f.Reason != chat.FinishToolCalls && wire.ReadFinish(Wire, f.Word).Reason == f.Reason {
		return f.Word
	}
	return finishNames.Of(&w.Log, field, f)
}
