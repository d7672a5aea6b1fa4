package openai

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/frame"
	"github.com/toolparse/toolparse/format/internal/multitool"
	"github.com/toolparse/toolparse/format/internal/rawjson"
	"github.com/toolparse/toolparse/format/internal/unknown"
	"github.com/toolparse/toolparse/format/internal/wireio"
	"github.com/toolparse/toolparse/toolcall"
)

// Decoder turns the events of one response, the chunks of a stream or one
// whole body, into deltas. The zero value is ready for one response.
//
// A tool-call delta has the index, id and name that its piece of the wire has,
// and no others. Arguments that come as an object are Whole; those of a custom
// tool become {"input":"..."}. The calls of a whole body are Whole and Done,
// but for the last one of an answer that was cut short. Calls of
// multi_tool_use.parallel are unpacked. What no delta tells is an extra, which
// comes before the deltas that it stands beside; see extras.go.
type Decoder struct {
	wireio.Reader
	extras   unknown.Stream
	parallel multitool.Unpacker
	customs  []customCall

	// reasoned: reasoning comes in a field of its own, which the texts in
	// reasoning_details repeat; detailed: there are such.
	reasoned, detailed bool

	isFlat bool // there was a call without the member function

	begun, settled rawjson.Choices // the choices that were seen, and that finished
	ended          bool
	meta           chat.Meta
}

// Meta returns what is known of the answer so far.
func (d *Decoder) Meta() chat.Meta {
	m := d.meta
	m.Wire = Wire
	return m
}

// Feed decodes an event and appends its deltas to dst. It takes time linear in
// the event, and allocates little beyond the texts of the deltas. The error is
// a *frame.SyntaxError; what was decoded of the event before it is in dst.
func (d *Decoder) Feed(dst []toolcall.Delta, e frame.Event) ([]toolcall.Delta, error) {
	if e.IsDone() {
		d.ended = true
		dst = d.closeCustoms(dst, anyChoice, true) // without a finish reason, nothing says that the text is all
		return d.Close(dst), nil
	}
	root, err := d.Open(e)
	if err != nil {
		return dst, err
	}
	isBody := e.IsBody() && isAnswer(root)
	if isBody {
		root = d.OpenAnswer(e, root, &answerType)
	}
	var f fields
	before := len(dst)
	dst = d.fields(dst, d.Object(root), &f)
	failure := failureOf(root, &f, e.Name == "error")
	switch {
	case failure.Kind == rawjson.Object && failure.At == root.At: // whose members are the error's
		dst = dst[:before]
	case f.detail.IsSet() && failure.At != f.detail.At:
		dst = d.extras.Set(dst, 0, "", []byte("detail"), f.detail)
	}
	place := 0
	for choice := range f.choices.Items() {
		if d.Err() != nil {
			break
		}
		if isBody && lacksMessage(choice) {
			d.Fault(wireio.At("choices", place)+".message", wireio.ErrMissing)
		}
		dst = d.choice(dst, d.Object(choice, inChoice), place)
		place++
	}
	if failure.IsSet() {
		dst = append(d.tell(dst, errorRest(failure)), d.Texts.Error(failure))
		// A body that is nothing but an error is not cut short.
		d.ended = d.ended || e.IsBody()
	}
	d.ended = d.ended || isBody && f.hasChoices
	return dst, d.Err()
}

// fields are the members of an event that are read together.
type fields struct {
	choices, failure, object, detail rawjson.Value

	hasChoices bool // though they may be none
}

// lacksMessage reports whether a choice of a whole answer says nothing: it has no
// message, nor the text of /v1/completions.
func lacksMessage(choice rawjson.Value) bool {
	for key := range choice.Fields() {
		if k := string(key); k == "message" || k == textOfChoice {
			return false
		}
	}
	return true
}

// isAnswer reports whether an event is a whole answer and no chunk of a stream, whose
// choices have a delta in place of the message.
func isAnswer(root rawjson.Value) bool {
	var choices, object rawjson.Value
	for key, v := range root.Fields() {
		switch string(key) {
		case "choices":
			choices = v
		case "object":
			object = v
		}
	}
	for choice := range choices.Items() {
		var delta, message rawjson.Value
		for key, v := range choice.Fields() {
			switch string(key) {
			case "delta":
				delta = v
			case "message":
				message = v
			}
		}
		if !delta.IsZero() || delta.IsSet() && !message.IsSet() {
			return false
		}
	}
	return !object.Is("chat.completion.chunk")
}

func (d *Decoder) fields(dst []toolcall.Delta, root rawjson.Value, f *fields) []toolcall.Delta {
	for key, v := range root.Fields() {
		switch string(key) {
		case "choices":
			f.choices, f.hasChoices = d.Array(v, "choices"), true
		case inError:
			f.failure = v
		case "object":
			f.object = v
		case "detail":
			f.detail = v
		case inGroq:
			dst = d.groq(dst, d.Object(v, inGroq), f)
		case inUsage:
			dst = d.usage(dst, d.Object(v, inUsage))
		case "id":
			switch id := readLabel(&d.Reader, v, "id"); {
			case d.meta.ID == "":
				d.meta.ID = d.Texts.Whole(id)
			case len(id.Raw) > 0 && !id.Is(d.meta.ID):
				dst = d.extras.Set(dst, 0, "", key, v)
			}
		case "model":
			if model := d.String(v, "model"); d.meta.Model == "" {
				d.meta.Model = d.Texts.Whole(model)
			}
		case "created":
			if created := d.Time(v, "created"); d.meta.Created == 0 {
				d.meta.Created = created
			}
		default:
			if !isPadding(key) {
				dst = d.extras.Set(dst, 0, "", key, v)
			}
		}
	}
	return dst
}

// groq decodes what Groq has in a place of its own.
func (d *Decoder) groq(dst []toolcall.Delta, v rawjson.Value, f *fields) []toolcall.Delta {
	for key, member := range v.Fields() {
		switch {
		case string(key) == "error" && member.IsSet():
			f.failure = member
		case string(key) == inUsage:
			dst = d.usage(dst, d.Object(member, inGroq, ".usage"))
		default:
			dst = d.extras.Set(dst, 0, inGroq, key, member)
		}
	}
	return dst
}

// usage notes the usage. Servers repeat it, and the last one counts.
func (d *Decoder) usage(dst []toolcall.Delta, v rawjson.Value) []toolcall.Delta {
	if v.Kind != rawjson.Object {
		return dst
	}
	d.meta.Usage = readUsage(&d.Reader, v)
	return d.tell(dst, usageRest(v))
}

// Close says that no event follows, and appends what was held back: half a
// surrogate pair, or a parallel call that never closed.
func (d *Decoder) Close(dst []toolcall.Delta) []toolcall.Delta {
	return d.parallel.FlushAll(d.Texts.DrainAll(dst))
}

// Ended reports whether the response came to its end: by "[DONE]", or by a
// finish reason for each choice, since bodies have no such marker, and some
// servers and recordings lack it.
func (d *Decoder) Ended() bool {
	return d.ended || d.begun.Any() && d.begun == d.settled
}

// choice decodes one element of choices.
func (d *Decoder) choice(dst []toolcall.Delta, v rawjson.Value, place int) []toolcall.Delta {
	var delta, message, finish, text rawjson.Value
	first := len(dst)
	for key, member := range v.Fields() {
		switch string(key) {
		case "index":
			if n, ok := d.Index(member, inChoice, ".index"); ok {
				place = n
			}
		case "delta":
			delta = d.Object(member, inDelta)
		case "message":
			message = d.Object(member, inMessage)
		case "finish_reason":
			finish = d.String(member, inChoice, ".finish_reason")
		case textOfChoice:
			text = member
		default:
			dst = unknown.Add(dst, 0, toolcall.NoIndex, inChoice, key, member)
		}
	}
	isCompletion := text.Kind == rawjson.String && !delta.IsSet() && !message.IsSet()
	if text.IsSet() && !isCompletion {
		dst = unknown.Add(dst, 0, toolcall.NoIndex, inChoice, []byte(textOfChoice), text)
	}
	for i := first; i < len(dst); i++ { // the index may come last
		dst[i].Choice = place
	}
	if d.Err() != nil {
		return dst
	}
	d.begun.Add(place)
	reason := d.Texts.Name(finish)
	isWhole := !message.IsZero() && delta.IsZero() || message.IsSet() && !delta.IsSet()
	m := messageDecoder{Decoder: d, choice: place, path: inDelta, cut: chat.ReadFinish(Wire, reason).Reason.IsCut()}
	dst = m.message(dst, delta)
	if message.IsSet() {
		m.path, m.whole = inMessage, true
		dst = m.message(dst, message)
	}
	if isCompletion {
		dst = m.text(dst, toolcall.DeltaText, text)
	}
	if d.Err() != nil { // what is malformed ends nothing
		return dst
	}
	if isWhole {
		d.settled.Add(place) // whether or not it tells why it ended
	}
	if reason == "" {
		return dst
	}
	d.settled.Add(place)
	dst = d.Texts.Drain(dst, place)
	dst = d.parallel.Flush(dst, place)
	dst = d.closeCustoms(dst, place, m.cut)
	return append(dst, toolcall.Delta{Kind: toolcall.DeltaFinish, Choice: place, Text: reason, Truncated: m.cut})
}
