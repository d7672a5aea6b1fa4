package gemini

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/jsonout"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/internal/wire/wireio"
	"github.com/toolparse/toolparse/toolcall"
)

func newEncoder(w *writing) wire.Encoder {
	e := &encoder{w: w, choices: map[int]*answer{}}
	e.tail = e.chunkTail()
	return e
}

// encoder writes chunks as the vendor's servers do: only data lines, with CRLF, each a
// whole answer with one more part; a call whole in one part, with its signature; and a
// last chunk with the finish reasons and the usage.
//
//	stream = (text | thought | call | other part)... last
//
// A call is held until it is complete, those before it are written, and its signature has
// come or can no longer come. A part that is an extra is held until it is known whether a
// signature follows (see [answer.openPart]).
type encoder struct {
	w       *writing
	meta    chat.Meta
	tail    []byte // of every chunk, after its part
	choices map[int]*answer
	held    int  // bytes of the calls that are held
	started bool // a chunk was written
	failed  bool
	extras  unknown.Waiting
	exact   []byte // the time with fractions of a second, in every chunk

	usageWritten chat.Usage
}

// answer is one of the choices.
type answer struct {
	calls    wireio.HeldCalls[callExtras]
	written  int // number of calls that were written
	finish   toolcall.Delta
	finished bool
	cut      bool // a call was left out
	spoke    bool // there was text, reasoning or a signature
	thinks   bool // the last part is reasoning

	openPart []byte // a part that is an extra, without its brace: a signature may follow
	extras   unknown.Waiting
}

func (e *encoder) SetMeta(m chat.Meta) {
	if m.ID != e.meta.ID || m.Model != e.meta.Model || m.Created != e.meta.Created {
		e.meta = m
		e.tail = e.chunkTail()
	}
	e.meta = m
}

func (e *encoder) Losses() []chat.Loss { return e.w.Log.Losses }

func (e *encoder) Append(dst []byte, d toolcall.Delta) []byte {
	switch d.Kind {
	case toolcall.DeltaError:
		return e.failure(dst, d)
	case toolcall.DeltaExtra:
		return e.extra(dst, d)
	case toolcall.DeltaRestart:
		return e.restart(dst)
	}
	if e.failed {
		e.w.Log.AddOnce(features.AfterFinish, "stream")
		return dst
	}
	a := e.answer(d.Choice)
	if a.finished {
		e.w.Log.AddOnce(features.AfterFinish, "stream")
		return dst
	}
	if len(a.openPart) > 0 {
		if d.Kind == toolcall.DeltaSignature && d.Name == "" {
			return e.setPart(dst, d.Choice, a, d.Text)
		}
		dst = e.setPart(dst, d.Choice, a, "")
	}
	switch d.Kind {
	case toolcall.DeltaText:
		return e.text(dst, d, a, false)
	case toolcall.DeltaReasoning:
		return e.text(dst, d, a, true)
	case toolcall.DeltaRefusal:
		e.w.Log.AddOnce(features.Refusal, "stream.refusal")
		return e.text(dst, d, a, false)
	case toolcall.DeltaSignature:
		return e.signature(dst, d, a)
	case toolcall.DeltaToolCall:
		return e.call(dst, d, a)
	case toolcall.DeltaFinish:
		a.finished, a.finish = true, d
	}
	return dst
}

func (e *encoder) answer(choice int) *answer { return wireio.Entry(e.choices, choice) }

// Close writes the last chunk.
func (e *encoder) Close(dst []byte) []byte {
	numbers := slices.Sorted(maps.Keys(e.choices))
	for _, number := range numbers {
		dst = e.settle(dst, number, e.choices[number])
	}
	if e.failed {
		if e.meta.Usage != e.usageWritten {
			e.w.Log.AddOnce(features.FinishFailed, "usage", "left out")
		}
		return dst
	}
	return e.last(dst, numbers)
}

// last writes the last chunk, with the finish reasons of these choices, unless it would
// be empty.
func (e *encoder) last(dst []byte, numbers []int) []byte {
	if len(numbers) == 0 && !e.hasUsage() && !e.waits() && (e.started || e.meta.ID+e.meta.Model == "") {
		return dst
	}
	blocked := e.blocked()
	w := e.w
	w.On(append(dst, "data: "...))
	w.Object()
	if len(numbers) > 0 && blocked == "" {
		w.KeyArray("candidates")
		for _, number := range numbers {
			e.finish(number, e.choices[number])
		}
		w.EndArray()
	}
	e.rest(blocked)
	return append(w.Out, lineEnd...)
}

// rest writes the members of the last chunk besides its candidates, and ends it.
func (e *encoder) rest(blocked string) {
	w := e.w
	e.writeExtras(&w.Writer.Writer, blocked)
	if e.hasUsage() {
		e.usageWritten = e.meta.Usage
		w.Log.Usage(e.meta)
		w.Key(inUsage)
		w.usage(e.meta.Usage, e.extras.Extras(inUsage, Wire, inUsage))
	}
	e.about()
	w.EndObject()
}

func (e *encoder) hasUsage() bool { return e.meta.Usage != (chat.Usage{}) || e.extras.Has(inUsage) }

// blocked returns why the prompt was blocked, in the provider's word, if the stream has
// nothing else.
func (e *encoder) blocked() string {
	a := e.choices[0]
	if a == nil || len(e.choices) > 1 || a.spoke || a.calls.Begun > 0 || !e.isBlocked(a.finish) {
		return ""
	}
	return a.finish.Text
}

// isBlocked reports whether a finish reason is that of a blocked prompt.
func (e *encoder) isBlocked(d toolcall.Delta) bool {
	return e.meta.Wire == Wire && d.Name == blockedPrompt
}

const lineEnd = "\r\n\r\n"

// about writes the members that are in every chunk.
func (e *encoder) about() {
	e.w.Text("modelVersion", e.meta.Model)
	e.w.Text("responseId", e.meta.ID)
	e.w.time(e.meta.Created, e.exact)
}

// chunkTail returns the end of every chunk, after its candidate.
func (e *encoder) chunkTail() []byte {
	e.w.On(nil)
	e.w.Next()
	e.about()
	e.w.EndObject()
	return append(e.w.Out, lineEnd...)
}

// begin begins a chunk, up to its one part; end ends it.
func (e *encoder) begin(dst []byte) []byte {
	return append(dst, `data: {"candidates":[{"content":{"parts":[`...)
}

func (e *encoder) end(dst []byte, choice int, a *answer) []byte {
	e.started = true
	dst = append(dst, ']')
	dst = a.extras.Take(dst, inContent)
	dst = append(dst, `,"role":"model"},"index":`...)
	dst = strconv.AppendInt(dst, int64(choice), 10)
	dst = a.extras.Take(dst, inCandidate)
	dst = append(dst, '}', ']')
	if e.waits() {
		w := jsonout.Writer{Out: dst}
		w.Next()
		e.writeExtras(&w, "")
		dst = w.Out
	}
	return append(dst, e.tail...)
}

func (e *encoder) text(dst []byte, d toolcall.Delta, a *answer, thinks bool) []byte {
	dst = e.release(dst, d.Choice, a)
	if len(a.calls.Pending) > 0 {
		e.w.Log.AddOnce(features.InterleavedCalls, "stream.calls")
	}
	a.spoke, a.thinks = true, thinks
	return e.textPart(dst, d.Choice, a, d.Text, thinks, "")
}

func (e *encoder) textPart(dst []byte, choice int, a *answer, text string, thinks bool, signature string) []byte {
	dst = append(e.begin(dst), `{"text":`...)
	dst = rawjson.AppendQuoted(dst, text)
	if thinks {
		dst = append(dst, `,"thought":true`...)
	}
	if signature != "" {
		dst = append(dst, `,"thoughtSignature":`...)
		dst = rawjson.AppendQuoted(dst, signature)
	}
	dst = a.extras.Take(dst, inPart)
	return e.end(append(dst, '}'), choice, a)
}

// signature writes the signature of text or reasoning as a part with empty text, or keeps
// that of a call for its part.
func (e *encoder) signature(dst []byte, d toolcall.Delta, a *answer) []byte {
	switch {
	case d.Name == toolcall.SignsRedacted:
		e.w.Log.AddOnce(features.ForeignRedacted, "stream.redacted")
	case !e.isOwn(d):
		e.w.Log.AddOnce(features.ForeignSignature, "stream.signature", "left out")
	case e.meta.Wire != Wire && !wireio.IsBase64(d.Text): // clients fail at it
		e.w.Log.AddOnce(features.Signature, "stream.signature", "left out")
	case d.Name != toolcall.SignsCall:
		dst = e.release(dst, d.Choice, a)
		a.spoke = true
		dst = e.textPart(dst, d.Choice, a, "", a.thinks, d.Text)
	default:
		for _, c := range a.calls.Pending {
			if c.Number == d.Index {
				c.Own.signature = d.Text
				return dst
			}
		}
		e.w.Log.AddOnce(features.Signature, "stream.signature", "left out: its call is already written")
	}
	return dst
}

// isOwn reports whether a signature is this provider's. In Chat Completions, no other
// provider signs calls.
func (e *encoder) isOwn(d toolcall.Delta) bool {
	return e.meta.Wire == Wire || e.w.Sealed && d.Name == "" || d.Name == toolcall.SignsCall && features.TraitsOf(e.meta.Wire).PassesSignatures
}

// finish writes the end of a choice. One without a finish reason was truncated.
func (e *encoder) finish(number int, a *answer) {
	w, d := e.w, a.finish
	d.Truncated = d.Truncated || a.cut || !a.finished
	if e.isBlocked(d) && wire.ReadFinish(Wire, d.Text).Reason == chat.FinishContentFilter {
		d.Name = "" // the word says everything
	}
	finish := wire.FinishOf(e.meta.Wire, d, a.written > 0)
	if e.meta.Wire == Wire && d.Name == "" && isOwnWord(d.Text) && wire.IsCut(wire.ReadFinish(Wire, d.Text).Reason) {
		finish = wire.ReadFinish(Wire, d.Text) // the word also says that the answer was cut
	}
	word := cmp.Or(w.finishWord("stream.finish", finish), wordStop)
	w.Object()
	w.Key("content")
	w.Out = append(w.Out, `{"parts":[{"text":""`...)
	w.Out = a.extras.Take(w.Out, inPart)
	w.Out = append(w.Out, `}]`...)
	w.Out = a.extras.Take(w.Out, inContent)
	w.Out = append(w.Out, `,"role":"model"}`...)
	w.Next()
	w.Text("finishReason", word)
	w.KeyInt("index", int64(number))
	w.Out = a.extras.Take(w.Out, inCandidate)
	w.EndObject()
}

// failure writes an error, after the complete calls, the extras that wait for a chunk,
// and the finish reasons before it. It is not framed as an event, because all of the
// vendor's clients expect that.
func (e *encoder) failure(dst []byte, d toolcall.Delta) []byte {
	var ended []int
	for _, number := range slices.Sorted(maps.Keys(e.choices)) {
		a := e.choices[number]
		dst = e.settle(dst, number, a)
		if a.finished {
			ended = append(ended, number)
		} else if a.extras.Has(inCandidate, inContent, inPart) || len(a.openPart) > 0 {
			dst = e.textPart(dst, number, a, "", false, "")
		}
	}
	if !e.failed {
		dst = e.last(dst, ended)
	}
	e.failed = true
	w := e.w
	w.On(dst)
	w.Object()
	w.Key("error")
	w.failure(wire.Error{Code: d.Name, Message: d.Text}, e.extras.Extras(inError, Wire, inError), e.meta.Wire == Wire, "stream.error.code")
	w.EndObject()
	return append(w.Out, lineEnd...)
}
