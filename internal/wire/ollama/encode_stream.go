package ollama

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/jsonout"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/internal/wire/wireio"
	"github.com/toolparse/toolparse/toolcall"
)

func newEncoder(w *writing) wire.Encoder { return &encoder{w: w} }

// encoder writes lines as Ollama's own server does: each an object with a piece of the
// message; a call whole in one of them, when it and those before it are complete; and a last
// line with done, the reason and the counts. There are no blank lines, because Ollama's client
// takes one for an error.
type encoder struct {
	w         *writing
	meta      chat.Meta
	head      []byte // of every line, up to the content; nil if it has changed
	calls     wireio.HeldCalls[unknown.Waiting]
	written   int // number of calls that were written
	heldBytes int // bytes of the others

	extras  unknown.Waiting // for the next line
	size    int             // bytes of these
	ofCall  unknown.Waiting // for the next call
	last    unknown.Waiting // for the last line
	created string          // as JSON, with fractions of a second, if known

	finish   toolcall.Delta
	started  bool // a line was written
	finished bool
	cut      bool // a call was left out
	failed   bool
}

func (e *encoder) SetMeta(m chat.Meta) {
	if m.Model != e.meta.Model || m.Created != e.meta.Created {
		e.head = nil
	}
	e.meta = m
}

func (e *encoder) Losses() []chat.Loss { return e.w.Log.Losses }

func (e *encoder) Append(dst []byte, d toolcall.Delta) []byte {
	switch {
	case d.Kind == toolcall.DeltaExtra && e.w.Log.ReportForeign(e.meta.Wire, d):
		return dst
	case d.Kind == toolcall.DeltaError:
		return e.failure(dst, d)
	case e.failed && d.Kind == toolcall.DeltaExtra:
		e.w.Log.ReportUnplaced(d)
		return dst
	case e.failed:
		e.w.Log.AddOnce(features.AfterFinish, "stream")
		return dst
	case d.Kind == toolcall.DeltaRestart:
		return e.restart(dst)
	case d.Choice != 0:
		e.w.Log.AddOnce(features.Choices, "stream.choices")
		return dst
	case e.finished:
		e.w.Log.AddOnce(features.AfterFinish, "stream")
		return dst
	}
	switch d.Kind {
	case toolcall.DeltaText:
		return e.text(dst, d.Text, false)
	case toolcall.DeltaReasoning:
		return e.text(dst, d.Text, true)
	case toolcall.DeltaRefusal:
		e.w.Log.AddOnce(features.Refusal, "stream.refusal")
		return e.text(dst, d.Text, false)
	case toolcall.DeltaSignature:
		if d.Name == toolcall.SignsRedacted {
			e.w.Log.AddOnce(features.Redacted, "stream.redacted")
		} else {
			e.w.Log.AddOnce(features.Signature, "stream.signature")
		}
	case toolcall.DeltaToolCall:
		return e.call(dst, d)
	case toolcall.DeltaExtra:
		return e.extra(dst, d)
	case toolcall.DeltaFinish:
		e.finished, e.finish = true, d
	}
	return dst
}

// Close writes the last line. An answer without a finish reason was truncated.
func (e *encoder) Close(dst []byte) []byte {
	dst = e.settle(dst)
	if e.failed {
		if e.meta.Usage != (chat.Usage{}) {
			e.w.Log.AddOnce(features.FinishFailed, "usage")
		}
		e.extras.Unplaced(&e.w.Log, inMessage, inLine)
		e.last.Unplaced(&e.w.Log, inLine)
		return dst
	}
	e.w.madeTime(e.meta.Created, e.created)
	e.w.idOf(e.meta)
	d := e.finish
	d.Truncated = d.Truncated || e.cut || !e.finished
	finish := wire.FinishOf(e.meta.Wire, d, e.written > 0)
	word := cmp.Or(e.w.doneReason("stream.finish", finish), wordStop)
	dst = e.endMessage(append(e.begin(dst), `""`...))
	e.w.On(dst)
	e.w.Next()
	e.w.KeyBool("done", true)
	e.w.Text("done_reason", word)
	e.w.usage(e.meta)
	if !e.last.Of(inLine).Has(metrics[0]) { // the upstream has not measured it
		e.w.durations()
	}
	return append(e.last.Take(e.w.Out, inLine), "}\n"...)
}

// begin begins a line, up to the content of its message; end ends it after the
// last of that, with the extras that wait.
func (e *encoder) begin(dst []byte) []byte {
	if e.head == nil {
		w := e.w
		w.On(nil)
		w.Object()
		w.KeyString("model", e.meta.Model)
		w.time(e.meta.Created, e.created)
		w.KeyObject("message")
		w.Text("role", string(chat.Assistant))
		w.Key("content")
		e.head = w.Out
	}
	return append(dst, e.head...)
}

func (e *encoder) end(dst []byte) []byte { return append(e.endMessage(dst), `,"done":false}`+"\n"...) }

func (e *encoder) endMessage(dst []byte) []byte {
	e.started = true
	e.size = 0
	return e.extras.Take(append(e.extras.Take(dst, inMessage), '}'), inLine)
}

// emptyLine writes a line only for the waiting extras.
func (e *encoder) emptyLine(dst []byte) []byte { return e.end(append(e.begin(dst), `""`...)) }

// maxText limits the text of a line. Ollama's client gives up at lines of 512 KB, and
// escapes are up to six times as long as their text.
const maxText = 64 << 10

func (e *encoder) text(dst []byte, text string, thinks bool) []byte {
	if len(e.calls.Pending) > 0 {
		e.w.Log.AddOnce(features.InterleavedCalls, "stream.calls")
	}
	for text != "" {
		n := len(text)
		if n > maxText {
			for n = maxText; n > maxText-utf8.UTFMax && !utf8.RuneStart(text[n]); n-- {
			}
		}
		dst = e.begin(dst)
		if thinks {
			dst = append(dst, `"","thinking":`...)
		}
		dst = e.end(rawjson.AppendQuoted(dst, text[:n]))
		text = text[n:]
	}
	return dst
}

// failure writes an error, after the complete calls. Ollama's client stops reading there,
// so that no line with done follows.
func (e *encoder) failure(dst []byte, d toolcall.Delta) []byte {
	e.failed = true
	dst = e.settle(dst)
	if e.extras.Has(inMessage) || !e.started && e.meta.ID+e.meta.Model != "" {
		dst = e.emptyLine(dst)
	}
	if e.finished {
		e.w.Log.AddOnce(features.FinishFailed, "stream.finish")
	}
	e.w.idOf(e.meta)
	e.w.On(dst)
	e.w.Object()
	e.w.failure(wire.Error{Code: d.Name, Message: d.Text})
	dst = e.last.Take(e.extras.Take(e.w.Out, inLine), inLine)
	e.size = 0
	return append(dst, "}\n"...)
}

// call adds a piece to a call, and writes complete calls in order.
func (e *encoder) call(dst []byte, d toolcall.Delta) []byte {
	e.calls.Add(d, &e.heldBytes, &e.w.Log, func() unknown.Waiting {
		x := e.ofCall
		e.ofCall = unknown.Waiting{}
		return x
	})
	return e.release(dst)
}

// release writes the complete calls before the first incomplete one.
func (e *encoder) release(dst []byte) []byte {
	for c := e.calls.Next(&e.heldBytes); c != nil; c = e.calls.Next(&e.heldBytes) {
		dst = e.whole(dst, c)
	}
	return dst
}

// restart drops the incomplete calls, which are void, and writes those that waited for
// them.
func (e *encoder) restart(dst []byte) []byte {
	e.calls.Drop(&e.heldBytes)
	return e.release(dst)
}

// whole writes a call.
func (e *encoder) whole(dst []byte, c *wireio.HeldCall[unknown.Waiting]) []byte {
	w := jsonout.Writer{Out: append(e.begin(dst), `"","tool_calls":[`...)}
	w.Object()
	w.Text("id", e.w.ID(c.ID, "stream.calls.id"))
	w.KeyObject(inFunction)
	w.KeyInt("index", int64(e.written))
	w.KeyString("name", e.w.CalledName(c.Name, "stream.calls.name"))
	w.Key("arguments")
	e.w.StreamedArguments(&w, c.Args)
	e.written++
	dst = append(c.Own.Take(w.Out, inCallFunction), '}')
	return e.end(append(c.Own.Take(dst, inCall), "}]"...))
}

// settle writes the calls of an answer that has ended. It leaves out incomplete calls, so
// that nobody runs them.
func (e *encoder) settle(dst []byte) []byte {
	for _, c := range e.calls.Drop(&e.heldBytes) {
		e.cut = true
		done := leftOut
		if e.failed {
			done = "the call is left out"
		}
		e.w.Log.Add(features.BrokenArguments, "stream.calls."+c.Name, done)
		c.Own.Unplaced(&e.w.Log, inCall, inCallFunction)
	}
	e.ofCall.Unplaced(&e.w.Log, inCall, inCallFunction)
	e.ofCall = unknown.Waiting{}
	return e.release(dst)
}

// The places of extras in lines. Those of a call come before it.
var places = unknown.Places{
	{In: inCallFunction, Keeps: unknown.Last},
	{In: inCall, Keeps: unknown.Last},
	{In: inMessage, Keeps: unknown.Each},
	{In: inLine, Keeps: unknown.Each},
}

// maxExtras limits the bytes of the extras on one line, like maxText.
const maxExtras = maxText

// metrics are the members of a line with the durations of an answer, that of all first. They
// belong to the last line.
var metrics = [...]string{"total_duration", "load_duration", "prompt_eval_duration", "eval_duration"}

// extra keeps an extra for what is written next.
func (e *encoder) extra(dst []byte, d toolcall.Delta) []byte {
	at, name := places.Of(d.Name)
	to := &e.ofCall
	switch {
	case d.Name == "created_at."+inFraction:
		e.created, e.head = d.Text, nil
		return dst
	case strings.HasPrefix(d.Name, "error."):
		e.w.Log.AddOnce(features.Failure, "stream."+d.Name)
		return dst
	case isExpressed(at.In, name):
		at.Keeps = unknown.Nowhere
	case at.In == inLine && slices.Contains(metrics[:], name):
		to, at.Keeps = &e.last, unknown.Last
	case at.Keeps == unknown.Each:
		if e.size+len(d.Text) > maxExtras {
			dst = e.emptyLine(dst)
		}
		dst = e.extras.Put(dst, at, name, d, &e.w.Log, e.emptyLine)
		e.size += len(d.Text)
		return dst
	}
	if to.Of(at.In).Has(name) {
		e.w.Log.ReportUnplaced(d) // instead of the one before
	}
	return to.Put(dst, at, name, d, &e.w.Log, nil)
}
