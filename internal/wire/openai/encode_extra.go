package openai

import (
	"maps"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/jsonout"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/toolcall"
)

// The places of extras in chunks. Calls and parts have none, because their objects are in
// another chunk.
var places = unknown.Places{
	{In: inDelta + inDetail, Keeps: unknown.First},
	{In: inDelta + inCall, Keeps: unknown.Nowhere},
	{In: inDelta + inPart, Keeps: unknown.Nowhere},
	{In: inDelta + inGoogle, Keeps: unknown.Nowhere},
	{In: inDelta, Keeps: unknown.Each},
	{In: inChoice, Keeps: unknown.Each},
	{In: inGroq, Keeps: unknown.Each},
	{In: inUsage, Keeps: unknown.Last, Most: maxKept},
	{In: inError, Keeps: unknown.Last, Most: maxKept},
	{In: inChunk, Keeps: unknown.Each},
}

const (
	maxKept    = 256     // members that are kept for the usage, or an error
	maxAnswers = 1 << 10 // choices that extras can begin
)

// extra keeps an extra for the next chunk that can contain it.
func (e *encoder) extra(dst []byte, d toolcall.Delta) []byte {
	if e.w.Log.ReportForeign(e.meta.Wire, d) {
		return dst
	}
	if rest, ok := strings.CutPrefix(d.Name, inMessage); ok {
		d.Name = inDelta + rest // a body that is written as a stream
	}
	switch at, name := places.Of(d.Name); {
	case strings.HasPrefix(at.In, inChoice):
		return e.choiceExtra(dst, d, at, name)
	case d.Name == "id": // clients require one in all chunks
		e.w.Log.AddOnce(features.ResponseID, "stream.id", "the first one stays")
		return dst
	case d.Name == serviceTier, d.Name == fingerprint:
		dst = e.flush(dst) // it came before
		if e.head == nil && e.inHead.Has(d.Name) {
			dst = e.end(e.chunkHead(dst)) // the last one was in no chunk
		}
		e.head = nil
		e.inHead.Replace(d.Name, d.Text)
		return dst
	default:
		return e.extras.Put(dst, at, name, d, &e.w.Log, func(dst []byte) []byte { return e.end(e.chunkHead(dst)) })
	}
}

// choiceExtra keeps an extra for the next chunk of its choice.
func (e *encoder) choiceExtra(dst []byte, d toolcall.Delta, at unknown.Place, name string) []byte {
	if e.choices[d.Choice] == nil && len(e.choices) == maxAnswers || e.answer(d.Choice).finished {
		e.w.Log.ReportUnplaced(d)
		return dst
	}
	a := e.answer(d.Choice)
	isDetail := at.In == inDelta+inDetail
	switch {
	case d.Text == "null" && a.spelled.spell(d.Name):
		return dst
	case d.Text == "null" && d.Name == inDelta+inPart+".thinking": // OpenAI's client fails at a list in a stream
		e.w.Log.AddOnce(features.OwnExtra, "stream.content", "its thinking is written as reasoning_content")
		return dst
	case isDetail && e.w.VendorOnly:
		at.Keeps = unknown.Nowhere
	case isDetail && name == "": // an element that is an extra as a whole
		dst = append(e.begin(dst, d.Choice), `"reasoning_details":[`...)
		return e.endDelta(append(jsonout.AppendLine(dst, d.Text), ']'), a, "")
	case isDetail && (name == "format" || name == "index"):
		a.details.Replace(name, d.Text)
		return dst
	}
	return a.extras.Put(dst, at, name, d, &e.w.Log, func(dst []byte) []byte { return e.endDelta(e.begin(dst, d.Choice), a, "") })
}

// writeExtras appends the extras that belong at the end of a chunk.
func (e *encoder) writeExtras(dst []byte) []byte {
	if e.extras.Has(inGroq) {
		dst = append(e.extras.Take(append(dst, `,"x_groq":{`...), inGroq), '}')
	}
	return e.extras.Take(dst, inChunk)
}

// flush writes what is waiting for a chunk.
func (e *encoder) flush(dst []byte) []byte {
	for _, choice := range slices.Sorted(maps.Keys(e.choices)) {
		if a := e.choices[choice]; a.extras.Has(inChoice, inDelta) && !a.finished {
			dst = e.endDelta(e.begin(dst, choice), a, "")
		}
	}
	if e.extras.Has(inGroq, inChunk) {
		dst = e.end(e.chunkHead(dst))
	}
	return dst
}
