package anthropic

import (
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/jsonout"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/toolcall"
)

// The places of extras in events. What belongs to the message after its beginning is
// written at its end. Of the members of a block and its pieces the first counts, because
// nothing else of the block may come before them.
var places = unknown.Places{
	{In: inHeadUsage + inDetails, Late: inEndUsage + inDetails, Keeps: unknown.Last},
	{In: inHeadUsage, Late: inEndUsage, Keeps: unknown.Last},
	{In: inMessage, Late: inEndDelta, Keeps: unknown.Last},
	{In: inStart, Late: inEnd, Keeps: unknown.Last},
	{In: inBlock},
	{In: kinds[textBlock].in},
	{In: kinds[thinkingBlock].in},
	{In: kinds[redactedBlock].in},
	{In: kinds[toolBlock].in},
	{In: inBlockStart},
	{In: pieces[textPiece].in},
	{In: pieces[thinkingPiece].in},
	{In: pieces[signaturePiece].in},
	{In: pieces[inputPiece].in},
	{In: inBlockDelta},
	{In: inBlockStop},
	{In: inEndUsage + inDetails, Keeps: unknown.Last},
	{In: inEndUsage, Keeps: unknown.Last},
	{In: inEndDelta, Keeps: unknown.Last},
	{In: inEnd, Keeps: unknown.Last},
	{In: inStop, Keeps: unknown.Last},
	{In: inError, Keeps: unknown.Last},
	{In: inErrorEvent, Keeps: unknown.Last},
}

// maxEarly limits the bytes of events before the beginning of the message.
const maxEarly = 1 << 16

// extra writes an extra in its place, or as near to it as possible.
func (e *encoder) extra(dst []byte, d toolcall.Delta) []byte {
	at, name := places.Of(d.Name)
	ends := d.Name == inBlockStop
	switch {
	case at.In == "" && !ends:
		return e.rawEvent(dst, d)
	case !strings.HasPrefix(d.Name, inBlock):
		if e.wroteStart && at.Late != "" {
			at.In = at.Late
		}
		return e.waiting.Put(dst, at, name, d, &e.w.Log, nil)
	case e.open == toolBlock && d.Index != e.call.number:
		return e.postpone(dst, d)
	case e.open != toolBlock && d.Index != toolcall.NoIndex && !strings.HasPrefix(d.Name, inBlockStop):
		e.w.Log.ReportUnplaced(d) // the arguments were complete, and the call has ended
		return dst
	case !e.wroteStart:
		dst = e.begin(dst)
	}
	switch {
	case ends:
		return e.endTexts(dst)
	case at.In == inBlock:
		return e.rawBlock(dst, d)
	case at.In == inBlockDelta:
		for kind := textBlock; kind < otherBlock; kind++ {
			if strings.HasPrefix(name, kinds[kind].name+".") {
				return e.rawDelta(dst, kind, d)
			}
		}
	case d.Name == callerPath && d.Text == "null":
		d.Text = directCaller
	}
	return e.waiting.Put(dst, at, name, d, &e.w.Log, nil)
}

// usage writes the usage as known so far, at a path.
func (e *encoder) usage(in string) {
	var extras chat.Extras
	for _, inner := range [...]string{"", inDetails} {
		extras = append(extras, e.waiting.Extras(in+inner, Wire, "usage"+inner)...)
		e.waiting.Drop(in + inner)
	}
	e.w.usage(e.meta.Usage, extras)
}

// endTexts ends a block of text or thinking, even if it has only extras.
func (e *encoder) endTexts(dst []byte) []byte {
	if e.open == noBlock {
		for _, piece := range [...]pieceKind{textPiece, thinkingPiece} {
			if kind := pieces[piece].of; e.waiting.Has(kinds[kind].in, pieces[piece].in) {
				dst = e.become(dst, kind)
			}
		}
	}
	return e.stop(dst)
}

// rawDelta writes a delta that no other delta expresses, in a block of this kind.
func (e *encoder) rawDelta(dst []byte, kind blockKind, d toolcall.Delta) []byte {
	switch {
	case kind == textBlock, kind == thinkingBlock:
		dst = e.become(dst, kind)
	case kind != e.open:
		e.w.Log.ReportUnplaced(d)
		return dst
	}
	dst = append(e.event(dst, inBlockDelta), `,"delta":`...)
	dst = e.waiting.Take(jsonout.AppendLine(dst, d.Text), inBlockDelta)
	return append(dst, "}\n\n"...)
}

// rawBlock writes an event of a block that no delta expresses, with our own index.
func (e *encoder) rawBlock(dst []byte, d toolcall.Delta) []byte {
	event, err := rawjson.Parse(d.Text)
	kind := ""
	for _, name := range [...]string{inBlockStart, inBlockDelta, inBlockStop} {
		if event.Get("type").Is(name) {
			kind = name
		}
	}
	switch {
	case err != nil || kind == "", kind != inBlockStart && (e.open != otherBlock || e.other != d.Name):
		e.w.Log.ReportUnplaced(d)
		return dst
	case kind == inBlockStart:
		dst = e.stop(dst)
		e.open, e.other = otherBlock, d.Name
		e.blocks++
	case kind == inBlockStop:
		e.open = noBlock
	}
	dst = e.event(dst, kind)
	for key, v := range event.Fields() {
		if name := string(key); name != "type" && name != "index" {
			dst = append(rawjson.AppendQuoted(append(dst, ','), name), ':')
			dst = jsonout.AppendLine(dst, v.JSON())
		}
	}
	return append(dst, "}\n\n"...)
}

// rawEvent writes an unknown event, but not before the message begins.
func (e *encoder) rawEvent(dst []byte, d toolcall.Delta) []byte {
	switch d.Name {
	case inStart, inEnd, inStop, inErrorEvent: // another message is not part of this one
		e.w.Log.ReportUnplaced(d)
		return dst
	}
	if strings.ContainsAny(d.Name, "\r\n") {
		e.w.Log.ReportUnplaced(d)
		return dst
	}
	if !e.wroteStart && len(e.early)+len(d.Text) > maxEarly {
		dst = e.begin(dst)
	}
	to := &dst
	if !e.wroteStart {
		to = &e.early
	}
	*to = append(append(append(*to, "event: "...), d.Name...), "\ndata: "...)
	*to = append(jsonout.AppendLine(*to, d.Text), "\n\n"...)
	return dst
}
