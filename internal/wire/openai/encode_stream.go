package openai

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/customtool"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/jsonout"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/internal/wire/wireio"
	"github.com/toolparse/toolparse/toolcall"
)

func newEncoder(w *writing) wire.Encoder { return &encoder{w: w, choices: map[int]*answer{}} }

// encoder writes chunks in the form that OpenAI's own client accumulates: the role first;
// the id and name of a call once, in its first chunk; nothing of a choice after its
// finish reason; and the usage in a chunk of its own. Each line is a chunk:
//
//	stream = choice... usage? "[DONE]"
//	choice = {role} (text | refusal | reasoning | signature | call)... {finish_reason}
//	call   = {index, id, name} {index, arguments}...
//
// Choices and calls may interleave, except that no call begins while a custom one is open:
// it waits (see [waiting]). A call that came whole waits for its signature, until
// something else of the choice follows or the event ends (see [answer.held]).
type encoder struct {
	w       *writing
	meta    chat.Meta
	settled chat.Meta // the same in all chunks, because the id must not change
	head    []byte    // beginning of the next chunk, up to its choices
	choices map[int]*answer
	held    int             // number of calls that wait for a signature
	inHead  unknown.Members // in every chunk
	extras  unknown.Waiting
	failed  bool
}

// answer is one of the choices.
type answer struct {
	calls, open       int                       // calls that have begun, and that are still open
	inputs            map[int]*customtool.Input // of open custom calls
	started, finished bool
	elements          int            // number of elements of reasoning_details from another wire
	held              toolcall.Delta // a complete call that waits for its signature
	signature         string
	waiting           waiting
	spelled           spellings
	details           unknown.Members // in every element of reasoning_details
	extras            unknown.Waiting
}

func (e *encoder) SetMeta(m chat.Meta) { e.meta = m }

func (e *encoder) Losses() []chat.Loss { return e.w.Log.Losses }

func (e *encoder) Append(dst []byte, d toolcall.Delta) []byte {
	switch d.Kind {
	case toolcall.DeltaError:
		return e.failure(dst, d)
	case toolcall.DeltaExtra:
		return e.extra(e.releaseAll(dst), d)
	}
	a := e.answer(d.Choice)
	if a.finished {
		e.w.Log.AddOnce(features.AfterFinish, "stream")
		return dst
	}
	if !a.started {
		dst = e.open(dst, d.Choice, a)
	}
	if d.Kind != toolcall.DeltaSignature || d.Name != toolcall.SignsCall {
		dst = e.release(dst, a)
	}
	switch d.Kind {
	case toolcall.DeltaText:
		if a.calls > 0 && e.meta.Wire != Wire {
			e.w.Log.AddOnce(features.PartOrder, wireio.At("choices", d.Choice)+".message.parts", "in its original order, but clients put all text first")
		}
		dst = e.text(dst, d, a, "content")
	case toolcall.DeltaRefusal:
		dst = e.text(dst, d, a, "refusal")
	case toolcall.DeltaReasoning:
		dst = e.reasoning(dst, d, a)
	case toolcall.DeltaSignature:
		dst = e.signature(dst, d, a)
	case toolcall.DeltaToolCall:
		dst = e.call(dst, d, a)
	case toolcall.DeltaFinish:
		dst = e.finish(dst, d, a)
	}
	return dst
}

// open writes the first chunk of a choice.
func (e *encoder) open(dst []byte, choice int, a *answer) []byte {
	a.started = true
	dst = append(e.begin(dst, choice), `"role":"assistant","content":""},"finish_reason":null}`...)
	return e.end(dst)
}

func (e *encoder) answer(choice int) *answer { return wireio.Entry(e.choices, choice) }

func (e *encoder) Close(dst []byte) []byte {
	for _, choice := range slices.Sorted(maps.Keys(e.choices)) {
		if a := e.choices[choice]; !a.finished && !e.failed {
			dst = e.finish(dst, toolcall.Delta{Choice: choice, Truncated: true}, a)
		}
	}
	extras := e.extras.Extras(inUsage, Wire, inUsage, inPrompt, inCompletion)
	if e.meta.Usage != (chat.Usage{}) || unknown.Has(extras, Wire, inUsage) {
		e.w.Log.Usage(e.meta)
		e.w.On(append(e.chunkHead(dst), `],"usage":`...))
		e.w.usage(e.meta.Usage, extras)
		dst = e.endEvent(e.w.Out)
	}
	return append(e.flush(dst), "data: [DONE]\n\n"...)
}

// chunkHead begins a chunk, up to its choices.
func (e *encoder) chunkHead(dst []byte) []byte {
	if e.head == nil {
		if e.settled == (chat.Meta{}) {
			e.settled = e.w.settle(e.meta)
		}
		w := jsonout.Writer{Out: []byte("data: ")}
		w.Object()
		w.Text("id", e.settled.ID)
		w.Text("object", "chat.completion.chunk")
		w.KeyInt("created", e.settled.Created)
		w.KeyString("model", e.settled.Model)
		e.head = append(e.inHead.AppendTo(w.Out), `,"choices":[`...)
	}
	return append(dst, e.head...)
}

// begin begins a chunk, up to the members of its delta.
func (e *encoder) begin(dst []byte, choice int) []byte {
	dst = append(e.chunkHead(dst), `{"index":`...)
	dst = strconv.AppendInt(dst, int64(choice), 10)
	return append(dst, `,"delta":{`...)
}

// endDelta ends a chunk after the members of its delta. The finish reason is "" if the
// choice continues.
func (e *encoder) endDelta(dst []byte, a *answer, finish string) []byte {
	dst = a.extras.Take(dst, inDelta)
	dst = append(dst, `},"finish_reason":`...)
	if finish == "" {
		dst = append(dst, "null"...)
	} else {
		dst = rawjson.AppendQuoted(dst, finish)
	}
	return e.end(append(a.extras.Take(dst, inChoice), '}'))
}

// end ends a chunk after its choices.
func (e *encoder) end(dst []byte) []byte { return e.endEvent(append(dst, ']')) }

// endEvent ends an event.
func (e *encoder) endEvent(dst []byte) []byte { return append(e.writeExtras(dst), "}\n\n"...) }

func (e *encoder) text(dst []byte, d toolcall.Delta, a *answer, key string) []byte {
	dst = appendText(e.begin(dst, d.Choice), key, d.Text)
	return e.endDelta(dst, a, "")
}

// appendText appends the first member of an object.
func appendText(dst []byte, key, text string) []byte {
	dst = append(dst, '"')
	dst = append(dst, key...)
	return rawjson.AppendQuoted(append(dst, `":`...), text)
}

func (e *encoder) finish(dst []byte, d toolcall.Delta, a *answer) []byte {
	a.finished = true
	dst = e.release(dst, a)
	a.extras.Unplaced(&e.w.Log, inDelta+inDetail)
	if len(a.waiting.deltas) > 0 || a.waiting.full {
		e.w.Log.AddOnce(features.InterleavedCalls, "stream.calls", "left out: a custom call before them does not end")
		d.Truncated = true
	}
	d.Truncated = d.Truncated || a.open > 0
	finish := wire.FinishOf(e.meta.Wire, d, a.calls > 0)
	return e.endDelta(e.begin(dst, d.Choice), a, cmp.Or(e.w.finishWord("stream.finish", finish), "stop"))
}

// failure writes an error, which ends the stream for OpenAI's client, after chunks with
// what is known about the answer.
func (e *encoder) failure(dst []byte, d toolcall.Delta) []byte {
	e.failed = true
	dst = e.releaseAll(dst)
	if e.head == nil && e.meta.ID+e.meta.Model != "" {
		dst = e.open(dst, 0, e.answer(0))
	}
	e.w.On(append(e.flush(dst), `data: {"error":`...))
	e.w.failure(wire.Error{Code: d.Name, Message: d.Text}, e.extras.Extras(inError, Wire, inError), e.meta.Wire == Wire)
	e.extras.Drop(inError)
	return e.endEvent(e.w.Out)
}
