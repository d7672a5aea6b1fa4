package ollama

import (
	"cmp"
	"errors"
	"time"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/jsonout"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/wireio"
)

// response reads a whole answer, the body for a request without streaming.
func (r *reading) response(root rawjson.Value, res *wire.Response) {
	keep := r.Keeper()
	choice := wire.Choice{Message: chat.Message{Role: chat.Assistant}}
	found := false
	generated := isGenerated(root)
	if generated {
		keep.Skip = func(key []byte, _ rawjson.Value) bool { return isOutput(key) }
	}
	r.Members(r.Object(root), "", &keep, "", "model", &res.Model, "prompt_eval_count", &res.Usage.Input, "eval_count", &res.Usage.Output,
		cachedCount, func(key []byte, v rawjson.Value) {
			if res.Usage.CachedInput = r.Tokens(v, cachedCount); res.Usage.CachedInput == 0 {
				keep.Keep("", key, v)
			}
		},
		"created_at", func(v rawjson.Value) {
			var exact bool
			if res.Created, exact = wireio.ParseTime(r.Text(v, "created_at")); !exact {
				keep.Keep("created_at", []byte(inFraction), v)
			}
		},
		"message", func(v rawjson.Value) {
			found = true
			choice.Message = r.message(r.Object(v, "message"), "message")
			choice.Message.Role = chat.Assistant
		},
		"done", func(v rawjson.Value) {
			done := r.Bool(v, "done")
			if found = found || done; !done && v.IsSet() {
				r.Fail(v, errNotDone, "done")
			}
		},
		"done_reason", func(v rawjson.Value) { choice.Finish = r.Finish(r.Text(v, "done_reason")) },
		"error", func(v rawjson.Value) {
			if !v.Is("") { // clients ignore an empty one
				res.Error = r.Error(v, "error", &keep)
			}
		})
	if generated {
		found = true
		choice.Message = r.generated(root)
	}
	switch {
	case found:
		choice.Finish = wire.WithCalls(choice.Finish, choice.Message.HasCalls())
		res.Choices = []wire.Choice{choice}
	case res.Error == nil:
		r.Missing(root, "message")
	}
	res.Usage = wire.WithTotal(res.Usage)
	res.Extras = keep.Extras
}

var errNotDone = errors.New("the answer is incomplete")

// response writes a whole answer.
func (w *writing) response(res *wire.Response) {
	res = w.Answer(res, true)
	w.Log.ReportExtras("", res.Extras)
	w.Object()
	if res.Error == nil || len(res.Choices) > 0 {
		w.answer(res)
	}
	if res.Error != nil {
		w.failure(*res.Error)
		for _, x := range res.Extras {
			if x.Wire == Wire && x.In == "error" {
				w.Log.Add(features.Failure, "error."+x.Name)
			}
		}
	}
	w.EndWith(res.Extras, "")
	w.Out = jsonout.OneLine(w.Out) // clients also read bodies as lines
}

// answer writes the first choice, because the wire has only one, and the members of the
// answer.
func (w *writing) answer(res *wire.Response) {
	w.idOf(res.Meta)
	w.KeyString("model", res.Model)
	exact := string(res.Extras.Get(Wire, "created_at", inFraction))
	w.madeTime(res.Created, exact)
	w.time(res.Created, exact)
	var choice wire.Choice
	linked := w.Restore(res)
	for i := range linked {
		if i > 0 {
			w.Log.Add(features.Choices, wireio.At("choices", i))
			continue
		}
		choice = linked[0]
		w.generated.Add(res.Choices[0].Message.Parts, choice.Message.Parts)
	}
	w.Log.ReportExtras("choices[0]", choice.Extras)
	w.Log.ReportExtras("choices[0].message", choice.Message.Extras)
	parts := make([]wireio.Located, 0, len(choice.Message.Parts))
	for i, p := range choice.Message.Parts {
		parts = append(parts, wireio.Located{Part: p, Field: wireio.At("choices[0].message.parts", i)})
	}
	w.KeyObject("message")
	w.Text("role", string(chat.Assistant))
	w.writeContent(w.sort(parts, "choices[0].message", chat.Assistant))
	w.EndWith(choice.Message.Extras, "")
	w.KeyBool("done", true)
	w.Text("done_reason", w.doneReason("choices[0].finish", choice.Finish))
	w.usage(res.Meta)
	if res.Extras.Get(Wire, inLine, metrics[0]) == nil { // the upstream has not measured it
		w.durations()
	}
}

// idOf reports the id of an answer as a loss, unless it is one of this wire, whose ids
// are made up.
func (w *writing) idOf(m chat.Meta) {
	if m.ID != "" && m.Wire != Wire {
		w.Log.AddOnce(features.ResponseID, "id")
	}
}

// madeTime reports an unknown time.
func (w *writing) madeTime(seconds int64, exact string) {
	if seconds == 0 && exact == "" {
		w.Log.AddOnce(features.Created, "created", "written as the beginning of 1970")
	}
}

// time writes the time of an answer; exact is JSON, if known. Clients require a
// time, so that an unknown one becomes the beginning of 1970.
func (w *writing) time(seconds int64, exact string) {
	if exact != "" {
		w.Member("created_at", jsonout.OneLine([]byte(exact)))
		return
	}
	w.Text("created_at", wireio.FormatTime(seconds))
}

// failure writes an error, which is a text on this wire.
func (w *writing) failure(e wire.Error) {
	if e.Code != "" && e.Message != "" {
		w.Log.Add(features.Failure, "error.code")
	}
	w.KeyString("error", errorText(e))
}

// errorText returns the text of an error, which must not be empty, because clients ignore
// that.
func errorText(e wire.Error) string { return cmp.Or(e.Message, e.Code, "unknown error") }

// usage writes the counts that the wire has.
func (w *writing) usage(m chat.Meta) {
	w.Log.Usage(m)
	count := w.Number
	if !w.began.IsZero() {
		count = func(name string, n int) { w.KeyInt(name, int64(n)) }
	}
	count("prompt_eval_count", m.Usage.Input)
	w.Number(cachedCount, m.Usage.CachedInput)
	count("eval_count", m.Usage.Output)
}

// durations writes how long the answer took, and zero for its parts, which are unknown: some
// clients ignore the counts if one of these members is missing.
func (w *writing) durations() {
	if w.began.IsZero() {
		return
	}
	w.KeyInt(metrics[0], int64(time.Since(w.began)))
	for _, name := range metrics[1:] {
		w.KeyInt(name, 0)
	}
}

// cachedCount is the number of tokens of the prompt that were read from the cache.
const cachedCount = "prompt_eval_cached_count"

const (
	wordStop   = "stop"
	wordLength = "length"
)

// leftOut describes what happens to an incomplete call in an answer.
const leftOut = "the call is left out, and the answer ends as truncated"

// finishNames are the words for finish reasons. Truncated answers get "length", because
// "stop" would mean that the answer is complete.
var finishNames = features.FinishWords{
	chat.FinishStop: wordStop, chat.FinishToolCalls: wordStop, chat.FinishPause: wordStop, chat.FinishLength: wordLength,
	chat.FinishContentFilter: wordLength, chat.FinishRefusal: wordLength, chat.FinishError: wordLength, chat.FinishOther: wordLength,
}

// doneReason returns the wire's word for a reason; see features.FinishWords.
func (w *writing) doneReason(field string, f chat.Finish) string {
	if f.Wire == Wire && f.Word != "" {
		return f.Word
	}
	return finishNames.Of(&w.Log, field, f)
}
