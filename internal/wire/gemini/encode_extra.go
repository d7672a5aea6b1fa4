package gemini

import (
	"strings"

	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/jsonout"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/toolcall"
)

// The places of extras in chunks. Those of the usage and of an error wait for the last
// chunk. Calls are written whole, so that the pieces of their arguments have none.
var places = unknown.Places{
	{In: inPartialArg, Keeps: unknown.Nowhere},
	{In: callPath, Keeps: unknown.First},
	{In: inPart, Keeps: unknown.First},
	{In: inContent, Keeps: unknown.Each},
	{In: inCandidate, Keeps: unknown.Each},
	{In: inUsage, Keeps: unknown.Last},
	{In: inError, Keeps: unknown.Last},
	{In: inFeedback, Keeps: unknown.Each},
	{In: inChunk, Keeps: unknown.Each},
}

// maxAnswers limits the candidates that extras can begin.
const maxAnswers = 1 << 10

// extra writes an extra in its place, or as near to it as possible: those of parts into a
// part of their own or the next one, others into the next or the last chunk.
func (e *encoder) extra(dst []byte, d toolcall.Delta) []byte {
	if e.w.Log.ReportForeign(e.meta.Wire, d) {
		return dst
	}
	if e.choices[d.Choice] == nil && len(e.choices) == maxAnswers {
		e.w.Log.AddOnce(features.Choices, "stream.choices", "left out: there are too many")
		return dst
	}
	at, name := places.Of(d.Name)
	switch at.In {
	case callPath: // of the call before it
		if pending := e.answer(d.Choice).calls.Pending; len(pending) > 0 {
			return pending[len(pending)-1].Own.extras.Put(dst, at, name, d, &e.w.Log, nil)
		}
		at.Keeps = unknown.Nowhere
	case inPart:
		return e.partExtra(dst, d, at, name)
	case inContent, inCandidate:
		a := e.answer(d.Choice)
		a.spoke = true
		dst = e.release(e.setPart(dst, d.Choice, a, ""), d.Choice, a)
		return a.extras.Put(dst, at, name, d, &e.w.Log, func(dst []byte) []byte { return e.textPart(dst, d.Choice, a, "", false, "") })
	case inFeedback, inChunk:
		if d.Name == inTime+"."+exactTime {
			e.exact = jsonout.OneLine([]byte(d.Text))
			e.tail = e.chunkTail()
			return dst
		}
		dst = e.releaseAll(dst) // that came before
	}
	return e.extras.Put(dst, at, name, d, &e.w.Log, e.emptyChunk)
}

// emptyChunk writes a chunk without candidates.
func (e *encoder) emptyChunk(dst []byte) []byte {
	w := e.w
	w.On(append(dst, "data: "...))
	w.Object()
	e.writeExtras(&w.Writer.Writer, "")
	e.about()
	w.EndObject()
	return append(w.Out, lineEnd...)
}

// waits reports whether extras wait for a chunk, of any candidate.
func (e *encoder) waits() bool { return e.extras.Has(inChunk, inFeedback) }

// writeExtras writes the extras that are not of a candidate, and why the prompt was
// blocked, if it was.
func (e *encoder) writeExtras(w *jsonout.Writer, blocked string) {
	if blocked != "" || e.extras.Has(inFeedback) {
		w.KeyObject(inFeedback)
		w.Text("blockReason", blocked)
		w.Out = e.extras.Take(w.Out, inFeedback)
		w.EndObject()
	}
	if e.extras.Has(inChunk) {
		w.Out = e.extras.Take(w.Out, inChunk)
		w.Next()
	}
}

// partExtra begins a part that is neither text nor a call, or keeps a member of the next
// part.
func (e *encoder) partExtra(dst []byte, d toolcall.Delta, at unknown.Place, name string) []byte {
	a := e.answer(d.Choice)
	if a.finished {
		e.w.Log.ReportUnplaced(d)
		return dst
	}
	dst = e.setPart(dst, d.Choice, a, "")
	whole := name == ""
	if !whole && !isPartKind(name) {
		return a.extras.Put(dst, at, name, d, &e.w.Log, nil)
	}
	dst = e.release(dst, d.Choice, a)
	if len(a.calls.Pending) > 0 {
		e.w.Log.AddOnce(features.InterleavedCalls, "stream.calls")
	}
	a.spoke = true
	if text, ok := strings.CutSuffix(d.Text, "}"); whole && ok {
		a.openPart = jsonout.OneLine([]byte(strings.TrimRight(text, " \t\r\n")))
		return dst
	} else if whole {
		e.w.Log.ReportUnplaced(d)
		return dst
	}
	w := jsonout.Writer{}
	w.Object()
	w.Member(name, jsonout.OneLine([]byte(d.Text)))
	a.openPart = a.extras.Take(w.Out, inPart)
	return dst
}

// setPart writes the part that an extra began.
func (e *encoder) setPart(dst []byte, choice int, a *answer, signature string) []byte {
	if len(a.openPart) == 0 {
		return dst
	}
	w := jsonout.Writer{Out: append(e.begin(dst), a.openPart...)}
	if w.Out[len(w.Out)-1] != '{' {
		w.Next()
	}
	w.Text("thoughtSignature", signature)
	w.EndObject()
	a.openPart, a.thinks = nil, false
	return e.end(w.Out, choice, a)
}
