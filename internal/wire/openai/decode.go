package openai

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/internal/wire/multitool"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/internal/wire/wireio"
	"github.com/toolparse/toolparse/toolcall"
)

// Decoder decodes the events of one response, the chunks of a stream or one whole body,
// into deltas. The zero value is ready for one response.
//
// The delta of a call has exactly the index, id and name of its piece on the wire.
// Arguments that come as an object are Whole; those of a custom tool become
// {"input":"..."}. The calls of a whole body are Whole and Done, except the last one of
// an answer that was cut. Calls of multi_tool_use.parallel are unpacked. Members that no
// other delta expresses become extras, before the deltas of the same object; see
// extras.go.
type Decoder struct {
	wireio.Reader
	decoderState
}

// decoderState is a Decoder without its memory.
type decoderState struct {
	extras   unknown.Stream
	parallel multitool.Unpacker
	customs  []customCall

	// reasoned means that reasoning comes in a field of its own, and detailed that it
	// comes in reasoning_details, whose texts repeat that field.
	reasoned, detailed bool

	begun, settled rawjson.Choices // choices that have begun, and that have finished
	streamed       streamed
	broken         rawjson.Value // the error of the event, or in its choices
	counted        bool          // the usage has come, next to the choices
	ended          bool
	meta           chat.Meta
}

// Reset makes d ready for another response, and keeps memory.
func (d *Decoder) Reset() {
	d.Reader.Reset()
	d.decoderState = decoderState{}
}

// Meta returns what is known about the answer so far.
func (d *Decoder) Meta() chat.Meta {
	m := d.meta
	m.Wire = Wire
	return m
}

// Feed decodes an event and appends its deltas to dst. It takes time linear in the event,
// and allocates little beyond the texts of the deltas. The error is a *frame.SyntaxError;
// dst then has the deltas before it.
func (d *Decoder) Feed(dst []toolcall.Delta, e frame.Event) ([]toolcall.Delta, error) {
	if e.IsDone() {
		d.ended = true
		dst = d.closeCustoms(dst, anyChoice, true) // without a finish reason, the text may be incomplete
		return d.Close(dst), nil
	}
	root, err := d.Open(e)
	if err != nil {
		return dst, err
	}
	var f fields
	before := len(dst)
	dst = d.fields(dst, d.Object(root), &f)
	d.IsAnswer = e.IsBody() && f.isAnswer()
	dst = d.usage(dst, d.Object(f.groq, inGroq, ".usage"))
	dst = d.usage(dst, d.Object(f.usage, inUsage))
	failure := failureOf(root, &f, e.Name == "error")
	switch {
	case failure.Kind == rawjson.Object && failure.At == root.At: // the members are those of the error
		dst = dst[:before]
	case f.detail.IsSet() && failure.At != f.detail.At:
		dst = d.extras.Set(dst, 0, "", []byte("detail"), f.detail)
	}
	place := 0
	d.broken = failure
	for choice := range f.choices.Items() {
		if d.Err() != nil {
			break
		}
		if choice = d.Object(choice, inChoice); !choice.IsSet() {
			continue
		}
		dst = d.choice(dst, choice, place)
		place++
	}
	failure = d.broken
	if e, ok := baseFailure(&d.Texts, f.base); ok && !failure.IsSet() {
		dst = append(dst, e)
	}
	if failure.IsSet() {
		dst = d.failure(dst, failure)
		// A body that contains only an error is complete.
		d.ended = d.ended || e.IsBody()
	}
	d.ended = d.ended || d.IsAnswer && f.hasChoices
	return dst, d.Err()
}

// failure decodes an error.
func (d *Decoder) failure(dst []toolcall.Delta, v rawjson.Value) []toolcall.Delta {
	errorRest(v, d.keepIn(&dst))
	return append(dst, d.Texts.Error(v))
}

// fields are members of an event that are read together.
type fields struct {
	choices, failure, object, detail, base, usage rawjson.Value

	groq       rawjson.Value // the usage in Groq's own object
	hasChoices bool          // even if the list is empty
}

// lacksMessage reports whether a choice of a whole answer is empty: no message, and no
// text as in /v1/completions. Azure leaves the message out if its filter stopped the answer.
func lacksMessage(choice, message, text rawjson.Value) bool {
	return message.Kind == rawjson.Absent && text.Kind == rawjson.Absent && !choice.Get("finish_reason").Is("content_filter")
}

// isAnswer reports whether an event is a whole answer, and not a chunk of a stream, whose
// choices have a delta instead of a message.
func (f *fields) isAnswer() bool {
	for choice := range f.choices.Items() {
		if delta := choice.Get("delta"); !delta.IsZero() || delta.IsSet() && !choice.Get("message").IsSet() {
			return false
		}
	}
	return !f.object.Is("chat.completion.chunk")
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
		case inBase:
			f.base = v
			dst = d.extras.Set(dst, 0, "", key, v)
		case inGroq:
			dst = d.groq(dst, d.Object(v, inGroq), f)
		case inUsage:
			d.counted = d.counted || v.Kind == rawjson.Object
			f.usage = v
		case "id":
			switch id := d.Label(v, "id"); {
			case d.meta.ID == "":
				d.meta.ID = id.Text() // without a copy, if the body lends its texts
			case len(id.Raw) > 0 && !id.Is(d.meta.ID):
				dst = d.extras.Set(dst, 0, "", key, v)
			}
		case "model":
			if model := d.String(v, "model"); d.meta.Model == "" {
				d.meta.Model = d.Texts.Name(model)
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

// groq decodes the members in Groq's own object.
func (d *Decoder) groq(dst []toolcall.Delta, v rawjson.Value, f *fields) []toolcall.Delta {
	for key, member := range v.Fields() {
		switch {
		case string(key) == "error" && member.IsSet():
			f.failure = member
		case string(key) == inUsage:
			f.groq = member
		default:
			dst = d.extras.Set(dst, 0, inGroq, key, member)
		}
	}
	return dst
}

// usage decodes the usage. Servers repeat it; the last one counts.
func (d *Decoder) usage(dst []toolcall.Delta, v rawjson.Value) []toolcall.Delta {
	if v.Kind != rawjson.Object {
		return dst
	}
	d.meta.Usage = readUsage(&d.Reader, v, d.keepIn(&dst))
	return dst
}

// choiceUsage decodes the usage in a choice, where Moonshot has it. One next to the choices
// counts more.
func (d *Decoder) choiceUsage(dst []toolcall.Delta, v rawjson.Value) []toolcall.Delta {
	if v = d.Object(v, inChoice, ".usage"); d.counted {
		return dst
	}
	return d.usage(dst, v)
}

// Close appends what was held back, when no event follows: half a surrogate pair, or a
// parallel call that was not closed.
func (d *Decoder) Close(dst []toolcall.Delta) []toolcall.Delta {
	return d.parallel.FlushAll(d.Texts.DrainAll(dst))
}

// Ended reports whether the response is complete: by "[DONE]", or by a finish reason for
// each choice, because bodies have no such marker, and some servers and recordings lack
// it.
func (d *Decoder) Ended() bool {
	return d.ended || d.begun.Any() && d.begun == d.settled
}

// isBroken reports whether an error in a choice, where OpenRouter has them, says what
// happened.
func isBroken(v rawjson.Value) bool { return v.Get("message").Kind == rawjson.String }

// streamed are the choices whose deltas had a kind of output. A message beside or after
// the deltas repeats that: Perplexity sends the message so far with each delta, and others
// send the whole answer in the last event.
type streamed [toolcall.DeltaExtra + 1]rawjson.Choices

func (s *streamed) add(deltas []toolcall.Delta, choice int) {
	for i := range deltas {
		s[deltas[i].Kind].Add(choice)
	}
}

// choice decodes one element of choices.
func (d *Decoder) choice(dst []toolcall.Delta, v rawjson.Value, place int) []toolcall.Delta {
	var delta, message, finish, text rawjson.Value
	first, position := len(dst), place
	for key, member := range v.Fields() {
		switch string(key) {
		case "index":
			if n, ok := d.Index(member, inChoice, ".index"); ok {
				place = n
			}
		case "delta":
			delta = d.Object(member, inDelta)
		case "message":
			message = member
		case "finish_reason":
			finish = d.String(member, inChoice, ".finish_reason")
		case textOfChoice:
			text = member
		case inUsage:
			dst = d.choiceUsage(dst, member)
		case inError:
			if d.broken.IsSet() || !isBroken(member) {
				dst = unknown.Add(dst, 0, toolcall.NoIndex, inChoice, key, member)
			} else {
				d.broken = member
			}
		default:
			dst = unknown.Add(dst, 0, toolcall.NoIndex, inChoice, key, member)
		}
	}
	if d.IsAnswer && lacksMessage(v, message, text) {
		d.Fault(wireio.At("choices", position)+".message", wireio.ErrMissing)
	}
	message = d.Object(message, inMessage)
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
	m := messageDecoder{Decoder: d, choice: place, path: inDelta, cut: wire.IsCut(wire.ReadFinish(Wire, reason).Reason)}
	dst = m.message(dst, delta)
	d.streamed.add(dst[first:], place)
	if message.IsSet() {
		m.path, m.whole, m.late = inMessage, true, !delta.IsSet()
		dst = m.message(dst, message)
	}
	if isCompletion {
		dst = m.text(dst, toolcall.DeltaText, text)
	}
	if d.Err() != nil { // nothing ends with malformed input
		return dst
	}
	if isWhole {
		d.settled.Add(place) // even without a finish reason
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
