package ollama

import (
	"unicode/utf8"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/features"
	"github.com/toolparse/toolparse/format/internal/jsonout"
	"github.com/toolparse/toolparse/format/internal/rawjson"
	"github.com/toolparse/toolparse/toolcall"
)

// NewEncoder returns an encoder of the lines of one answer.
func (Codec) NewEncoder(opts chat.Options) chat.Encoder { return &encoder{w: newWriting(opts)} }

// encoder writes lines as Ollama's own server does: each an object with a piece
// of the message, a call whole and in one of them, and last the one that is
// done, with the reason and the counts. There are no blank lines: Ollama's
// client takes one for an error.
type encoder struct {
	w       *writing
	meta    chat.Meta
	head    []byte // of every line, up to the content; nil where it must be made anew
	pending []*heldCall
	calls   int // calls begun
	written int // and written
	held    int // bytes of those that are not

	own     ownExtras
	created string // as JSON, with its fraction, where there is one

	finish   toolcall.Delta
	begun    bool // a line is written
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

func (e *encoder) Append(dst []byte, d toolcall.Delta) ([]byte, error) {
	switch {
	case d.Kind == toolcall.DeltaExtra && e.w.Log.Foreign(e.meta.Wire, d):
		return dst, nil
	case d.Kind == toolcall.DeltaError:
		return e.failure(dst, d), nil
	case e.failed && d.Kind == toolcall.DeltaExtra:
		e.w.Log.Unplaced(d)
		return dst, nil
	case e.failed:
		e.w.Log.AddOnce(features.AfterFinish, "stream")
		return dst, nil
	case d.Kind == toolcall.DeltaRestart:
		return e.restart(dst), nil
	case d.Choice != 0:
		e.w.Log.AddOnce(features.Choices, "stream.choices")
		return dst, nil
	case e.finished:
		e.w.Log.AddOnce(features.AfterFinish, "stream")
		return dst, nil
	}
	switch d.Kind {
	case toolcall.DeltaText:
		return e.text(dst, d.Text, false), nil
	case toolcall.DeltaReasoning:
		return e.text(dst, d.Text, true), nil
	case toolcall.DeltaRefusal:
		e.w.Log.AddOnce(features.Refusal, "stream.refusal")
		return e.text(dst, d.Text, false), nil
	case toolcall.DeltaSignature:
		if d.Name == toolcall.SignsRedacted {
			e.w.Log.AddOnce(features.Redacted, "stream.redacted")
		} else {
			e.w.Log.AddOnce(features.Signature, "stream.signature")
		}
	case toolcall.DeltaToolCall:
		return e.call(dst, d), nil
	case toolcall.DeltaExtra:
		return e.extra(dst, d), nil
	case toolcall.DeltaFinish:
		e.finished, e.finish = true, d
	}
	return dst, nil
}

// Close writes the last line. An answer that never finished was cut.
func (e *encoder) Close(dst []byte) ([]byte, error) {
	dst = e.settle(dst)
	if e.failed {
		if e.meta.Usage != (chat.Usage{}) {
			e.w.Log.AddOnce(features.FinishFailed, "usage")
		}
		e.unplaced(inMessage, e.own.message)
		e.unplaced(inLine, e.own.line)
		e.unplaced(inLine, e.own.last)
		return dst, nil
	}
	e.w.madeTime(e.meta.Created, e.created)
	e.w.idOf(e.meta)
	d := e.finish
	d.Truncated = d.Truncated || e.cut || !e.finished
	finish := chat.FinishOf(e.meta.Wire, d, e.written > 0)
	word, lost := doneReason(finish)
	if word == "" {
		word = wordStop
	}
	if lost != "" {
		e.w.Log.Finish(lost, "stream.finish", finish)
	}
	dst = e.endMessage(append(e.begin(dst), `""`...))
	e.w.Writer.Writer = jsonout.Writer{Out: dst}
	e.w.Next()
	e.w.KeyBool(fieldDone, true)
	e.w.Text(fieldReason, word)
	e.w.usage(e.meta.Usage)
	return append(e.own.last.TakeAll(e.w.Out), "}\n"...), nil
}

// begin begins a line, up to the content of its message; end ends it after the
// last of that, with the extras that wait.
func (e *encoder) begin(dst []byte) []byte {
	if e.head == nil {
		var w jsonout.Writer
		w.Object()
		w.KeyString(fieldModel, e.meta.Model)
		writeTime(&w, e.meta.Created, e.created)
		w.KeyObject(fieldMessage)
		w.Text(fieldRole, string(chat.Assistant))
		w.Key(fieldContent)
		e.head = w.Out
	}
	return append(dst, e.head...)
}

func (e *encoder) end(dst []byte) []byte { return append(e.endMessage(dst), `,"done":false}`+"\n"...) }

func (e *encoder) endMessage(dst []byte) []byte {
	e.begun = true
	e.own.size = 0
	return e.own.line.TakeAll(append(e.own.message.TakeAll(dst), '}'))
}

// emptyLine writes a line for nothing but the extras that wait.
func (e *encoder) emptyLine(dst []byte) []byte { return e.end(append(e.begin(dst), `""`...)) }

// maxText bounds the text of a line. Ollama's client gives up at lines of 512
// KB, and escapes are up to six times as long as what they stand for.
const maxText = 64 << 10

func (e *encoder) text(dst []byte, text string, thinks bool) []byte {
	if len(e.pending) > 0 {
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

// failure writes an error, behind the calls that are whole. Ollama's client
// reads no further, and there is no line that is done.
func (e *encoder) failure(dst []byte, d toolcall.Delta) []byte {
	e.failed = true
	dst = e.settle(dst)
	if len(e.own.message) > 0 || !e.begun && e.meta.ID+e.meta.Model != "" {
		dst = e.emptyLine(dst)
	}
	if e.finished {
		e.w.Log.AddOnce(features.FinishFailed, "stream.finish")
	}
	e.w.idOf(e.meta)
	e.w.Writer.Writer = jsonout.Writer{Out: dst}
	e.w.Object()
	e.w.failure(chat.Error{Code: d.Name, Message: d.Text})
	dst = e.own.last.TakeAll(e.own.line.TakeAll(e.w.Out))
	e.own.size = 0
	return append(dst, "}\n"...)
}
