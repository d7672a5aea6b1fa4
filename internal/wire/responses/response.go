package responses

import (
	"slices"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/jsonout"
	"github.com/toolparse/toolparse/internal/wire/multitool"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/internal/wire/wireio"
)

// response reads a whole answer, or an error instead.
func (r *reading) response(root rawjson.Value, res *wire.Response) {
	keep := r.Keeper()
	keep.Skip = func(key []byte, v rawjson.Value) bool { return !v.IsSet() || isDefault(key, v) }
	var status, details, output rawjson.Value
	r.Members(r.Object(root), "", &keep, "", "object", nil, "id", &res.ID, "model", &res.Model, "output", &output,
		"status", wireio.TextMember(&status), "incomplete_details", wireio.ObjectMember(&details),
		"created_at", func(v rawjson.Value) { res.Created = r.Time(v, "created_at") },
		"usage", func(v rawjson.Value) {
			res.Usage = readUsage(&r.Reader, r.Object(v, "usage"), "usage", keep.Keep)
		},
		"error", func(v rawjson.Value) {
			res.Error = r.failure(v, &keep)
		})
	switch {
	case isAnswer(root):
		choice := r.choice(output, statusOf(&r.Texts, status, details))
		choice.Finish = r.finish(status, details, &keep)
		if slices.ContainsFunc(choice.Message.Parts, isUnopened) && !wire.IsCut(choice.Finish.Reason) { // whatever the status is
			choice.Finish.Reason = chat.FinishLength
		}
		choice.Finish = wire.WithCalls(choice.Finish, choice.Message.HasCalls())
		res.Choices = []wire.Choice{choice}
		if lacksOutput(output, r.Texts.Name(status), res.Error != nil) {
			r.Fault("output", wireio.ErrMissing)
		}
	case res.Error == nil:
		r.Missing(root, "output")
	}
	res.Extras = keep.Extras
}

func (r *reading) failure(v rawjson.Value, keep *unknown.Keeper) *wire.Error {
	if v.IsZero() {
		return nil
	}
	d := r.Texts.Error(v)
	keep.Rest("error", v, "message", "code")
	return &wire.Error{Code: d.Name, Message: d.Text}
}

// isAnswer reports whether an object is an answer, and not an error.
func isAnswer(v rawjson.Value) bool {
	for key, member := range v.Fields() {
		switch string(key) {
		case "output", "status":
			return true
		case "object":
			if member.Is("response") {
				return true
			}
		}
	}
	return false
}

// lacksOutput reports whether an answer that has ended has no output.
func lacksOutput(output rawjson.Value, status string, failed bool) bool {
	return output.Kind == rawjson.Absent && !failed && (status == "" || status == "completed")
}

// statusOf returns the status of an answer: incomplete, if it has a reason for that.
func statusOf(texts *rawjson.Texts, status, details rawjson.Value) string {
	word := texts.Name(status)
	if reason := details.Get("reason"); word == "" && (reason.Is(maxOutputTokens) || reason.Is(contentFilter)) {
		return "incomplete"
	}
	return word
}

// isCut reports whether an answer with this status was cut, which affects its last item.
func isCut(status string) bool { return status != "" && status != "completed" }

// choice reads the output of an answer.
func (r *reading) choice(output rawjson.Value, status string) wire.Choice {
	choice := wire.Choice{Message: chat.Message{Role: chat.Assistant}}
	var decoded turns
	items := slices.Collect(r.Array(output, "output").Items())
	for i, item := range items {
		r.cut = i == len(items)-1 && isCut(status)
		if item = r.Object(item, "output[]"); item.IsSet() {
			for _, name := range [...]string{"id", "status"} { // of any item, as Decoder reads them
				_ = r.String(item.Get(name), "output[].", name)
			}
			r.item(&decoded, item, "output[]")
		}
	}
	if len(decoded.messages) > 0 {
		choice.Message = decoded.messages[0]
		choice.Message.Parts = multitool.Expand(choice.Message.Parts)
	}
	return choice
}

// isUnopened reports whether a part is a function call that was cut before its arguments
// began.
func isUnopened(p chat.Part) bool {
	return p.Kind == chat.PartCall && p.Call.Cut && !p.Call.Custom && p.Call.Native.Type == ""
}

// finish reads the end of an answer. If it is incomplete, a known reason is the word.
func (r *reading) finish(status, details rawjson.Value, keep *unknown.Keeper) chat.Finish {
	word := r.Texts.Name(status)
	reason := r.String(details.Get("reason"), "incomplete_details.reason")
	switch {
	case reason.Is(maxOutputTokens) || reason.Is(contentFilter):
		word = r.Texts.Name(reason)
		keep.Rest("incomplete_details", details, "reason")
	case details.IsSet():
		keep.Keep("", []byte("incomplete_details"), details)
	}
	return r.Reader.Finish(word)
}

// The reasons for an incomplete answer.
const (
	maxOutputTokens = "max_output_tokens"
	contentFilter   = "content_filter"
)

// settings are members of an answer that repeat the request, and that clients require
// even without a value.
var settings = [...]struct{ name, value string }{
	{"instructions", "null"}, {"metadata", "{}"}, {"parallel_tool_calls", "true"}, {"temperature", "null"},
	{"tool_choice", `"auto"`}, {"tools", "[]"}, {"top_p", "null"},
}

// isDefault reports whether a member of an answer has the value that is written anyway.
func isDefault(key []byte, v rawjson.Value) bool {
	for _, s := range settings {
		if s.name == string(key) {
			return s.value == string(v.JSON())
		}
	}
	return false
}

// response writes a whole answer.
func (w *writing) response(res *wire.Response) {
	w.answer, w.seed = true, wire.Seed(res.Meta, 0)
	res = w.Answer(res, false)
	w.Log.ReportExtras("", res.Extras)
	if res.Error != nil && len(res.Choices) == 0 {
		w.Object()
		w.Key("error")
		writeFailure(&w.Writer.Writer, *res.Error, res.Extras)
		w.EndWith(res.Extras, "")
		return
	}
	choices := w.Restore(res)
	if len(choices) > 1 {
		w.Log.Add(features.Choices, "choices[1]")
	}
	var choice wire.Choice
	if len(choices) > 0 {
		choice = choices[0]
		w.Log.ReportExtras("choices[0]", choice.Extras)
		w.Log.ReportExtras("choices[0].message", choice.Message.Extras)
	}
	end, lost := endOf(wire.WithCalls(choice.Finish, choice.Message.HasCalls()), res.Error)
	if lost != "" {
		w.Log.Finish(lost, "choices[0].finish", choice.Finish)
	}
	w.cut = wire.IsCut(choice.Finish.Reason)
	id := res.ID
	if id == "" && res.Wire != Wire {
		id = itemID("resp_", w.seed, 0)
	}
	w.madeUp(res.Meta, id)
	answer := answer{meta: res.Meta, ending: end, extras: res.Extras}
	answer.meta.ID = id
	answer.write(&w.Writer.Writer, func() { w.assistant(choice.Message, "choices[0].message") })
}

// madeUp reports required members that an answer of another wire lacks.
func (w *writing) madeUp(m chat.Meta, id string) {
	if m.Wire == "" || m.Wire == Wire {
		return
	}
	if m.ID == "" {
		w.Log.AddOnce(features.ResponseID, "id", id+" is made up")
	}
	if m.Created == 0 {
		w.Log.AddOnce(features.Created, "created", "written as the beginning of 1970")
	}
}

// answer is an answer without its output.
type answer struct {
	meta chat.Meta
	ending
	extras chat.Extras
	begins bool // it has no usage yet
}

// write writes the answer, with output for the items.
func (a answer) write(w *jsonout.Writer, output func()) {
	w.Object()
	w.KeyString("id", a.meta.ID)
	w.Text("object", "response")
	w.KeyInt("created_at", a.meta.Created)
	w.Text("status", a.status)
	w.Key("error")
	if a.failure != nil {
		writeFailure(w, *a.failure, a.extras)
	} else {
		w.Raw(nil)
	}
	if a.extras.Get(Wire, "", "incomplete_details") == nil {
		w.Key("incomplete_details")
		if a.reason != "" {
			w.Object()
			w.Text("reason", a.reason)
			unknown.Write(w, a.extras, Wire, "incomplete_details")
			w.EndObject()
		} else {
			w.Raw(nil)
		}
	}
	w.KeyString("model", a.meta.Model)
	w.KeyArray("output")
	output()
	w.EndArray()
	for _, s := range settings {
		if a.extras.Get(Wire, "", s.name) == nil {
			w.Member(s.name, []byte(s.value))
		}
	}
	w.Key("usage")
	if !a.begins && (a.meta.Usage != (chat.Usage{}) || unknown.Has(a.extras, Wire, "usage")) {
		writeUsage(w, a.meta.Usage, a.extras)
	} else {
		w.Raw(nil)
	}
	unknown.Write(w, a.extras, Wire, "")
	w.EndObject()
}

func writeFailure(w *jsonout.Writer, e wire.Error, x chat.Extras) {
	w.Object()
	w.KeyString("code", e.Code)
	w.KeyString("message", e.Message)
	unknown.Write(w, x, Wire, "error")
	w.EndObject()
}

// ending is the end of an answer.
type ending struct {
	status  string
	reason  string      // if incomplete
	failure *wire.Error // if failed
}

// endOf returns the ending for a finish reason, and the feature that the ending lacks, if
// any.
func endOf(f chat.Finish, failure *wire.Error) (ending, features.Feature) {
	if failure != nil {
		return ending{status: "failed", failure: failure}, ""
	}
	if f.Wire == Wire && (f.Reason == chat.FinishOther || f.Word == "cancelled" || f.Word == "incomplete" || f.Word == "completed") {
		return ending{status: f.Word}, ""
	}
	switch f.Reason {
	case chat.FinishLength:
		return ending{status: "incomplete", reason: maxOutputTokens}, ""
	case chat.FinishContentFilter:
		return ending{status: "incomplete", reason: contentFilter}, ""
	case chat.FinishRefusal:
		return ending{status: "incomplete", reason: contentFilter}, features.FinishRefusal
	case chat.FinishPause:
		return ending{status: "incomplete"}, features.FinishPause
	case chat.FinishError:
		return ending{status: "failed", failure: &wire.Error{Code: serverError, Message: "the answer ended with: " + f.Word}}, ""
	case chat.FinishOther:
		return ending{status: "incomplete"}, features.FinishOther
	}
	return ending{status: "completed"}, ""
}

// typeOfItem returns the kind of an item. An item with a role is a message.
func typeOfItem(v rawjson.Value) string {
	kind := v.Get("type")
	if !kind.IsSet() && v.Get("role").IsSet() {
		return "message"
	}
	if kind.Kind == rawjson.String {
		return string(kind.Raw)
	}
	return ""
}

// The paths of the details of a usage.
const (
	inputDetails  = "usage.input_tokens_details"
	outputDetails = "usage.output_tokens_details"
)

// keepFunc takes a member of the object in, of a response.
type keepFunc func(in string, key []byte, v rawjson.Value)

// readUsage reads a usage at a path.
func readUsage(r *wireio.Reader, v rawjson.Value, path string, keep keepFunc) chat.Usage {
	var u chat.Usage
	other := func(in string) func([]byte, rawjson.Value) {
		return func(key []byte, v rawjson.Value) { keep(in, key, v) }
	}
	details := func(name, in string, known ...any) func(rawjson.Value) {
		return func(v rawjson.Value) { r.Each(r.Object(v, path, ".", name), path+"."+name, other(in), known...) }
	}
	r.Each(v, path, other("usage"), "input_tokens", &u.Input, "output_tokens", &u.Output, "total_tokens", &u.Total,
		"input_tokens_details", details("input_tokens_details", inputDetails, "cached_tokens", &u.CachedInput, "cache_write_tokens", &u.CacheWrite),
		"output_tokens_details", details("output_tokens_details", outputDetails, "reasoning_tokens", &u.Reasoning))
	return wire.WithTotal(u)
}

// writeUsage writes a usage as an object. Clients require all of its counts.
func writeUsage(w *jsonout.Writer, u chat.Usage, x chat.Extras) {
	u = wire.WithTotal(u)
	w.Object()
	w.KeyInt("input_tokens", int64(u.Input))
	w.KeyObject("input_tokens_details")
	w.KeyInt("cached_tokens", int64(u.CachedInput))
	w.KeyInt("cache_write_tokens", int64(u.CacheWrite))
	unknown.Write(w, x, Wire, inputDetails)
	w.EndObject()
	w.KeyInt("output_tokens", int64(u.Output))
	w.KeyObject("output_tokens_details")
	w.KeyInt("reasoning_tokens", int64(u.Reasoning))
	unknown.Write(w, x, Wire, outputDetails)
	w.EndObject()
	w.KeyInt("total_tokens", int64(u.Total))
	unknown.Write(w, x, Wire, "usage")
	w.EndObject()
}
