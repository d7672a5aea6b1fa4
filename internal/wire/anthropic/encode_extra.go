package anthropic

import (
	"maps"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/jsonout"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/internal/wire/wireio"
	"github.com/toolparse/toolparse/toolcall"
)

// holders are the objects in events that members wait for, with the path to use when the
// object has already been written. Inner objects come before outer ones.
var holders = [...]struct{ in, late string }{
	{inHeadUsage + inDetails, inEndUsage + inDetails},
	{inHeadUsage, inEndUsage},
	{inMessage, inEndDelta},
	{inStart, inEnd},
	{in: kinds[textBlock].in},
	{in: kinds[thinkingBlock].in},
	{in: kinds[redactedBlock].in},
	{in: kinds[toolBlock].in},
	{in: inBlockStart},
	{in: pieces[textPiece].in},
	{in: pieces[thinkingPiece].in},
	{in: pieces[signaturePiece].in},
	{in: pieces[inputPiece].in},
	{in: inBlockDelta},
	{in: inBlockStop},
	{in: inEndUsage + inDetails},
	{in: inEndUsage},
	{in: inEndDelta},
	{in: inEnd},
	{in: inStop},
	{in: inError},
	{in: inErrorEvent},
}

// maxEarly limits the bytes of events before the beginning of the message.
const maxEarly = 1 << 16

// extra writes an extra in its place, or as near to it as possible.
func (e *encoder) extra(dst []byte, d toolcall.Delta) []byte {
	if name, ok := strings.CutPrefix(d.Name, inBlockDelta+"."); ok {
		for kind := textBlock; kind < otherBlock; kind++ {
			if strings.HasPrefix(name, kinds[kind].name+".") {
				return e.inOrder(dst, d, func(dst []byte) []byte { return e.rawDelta(dst, kind, d) })
			}
		}
	}
	for _, h := range holders {
		name, ok := strings.CutPrefix(d.Name, h.in+".")
		switch {
		case !ok:
			continue
		case strings.HasPrefix(h.in, inBlock):
			return e.inOrder(dst, d, func(dst []byte) []byte { e.wait(h.in, name, d); return dst })
		case e.wroteStart && h.late != "":
			h.in = h.late
		}
		e.wait(h.in, name, d)
		return dst
	}
	switch {
	case d.Name == inBlockStop:
		return e.inOrder(dst, d, e.endTexts)
	case strings.HasPrefix(d.Name, inBlock+"."):
		return e.inOrder(dst, d, func(dst []byte) []byte { return e.rawBlock(dst, d) })
	}
	return e.rawEvent(dst, d)
}

// inOrder calls do for something about the blocks, unless another call is open: then it
// waits.
func (e *encoder) inOrder(dst []byte, d toolcall.Delta, do func([]byte) []byte) []byte {
	switch {
	case e.open == toolBlock && d.Index != e.call.number:
		e.queue.add(d)
		return e.relieve(dst)
	case e.open != toolBlock && d.Index != toolcall.NoIndex && !strings.HasPrefix(d.Name, inBlockStop):
		e.w.Log.ReportUnplaced(d) // the arguments were complete, and the call has ended
		return dst
	case !e.wroteStart:
		dst = e.begin(dst)
	}
	return do(dst)
}

// wait keeps a member for its object. The last of several with one name counts.
func (e *encoder) wait(in, name string, d toolcall.Delta) {
	if e.waiting == nil {
		e.waiting = map[string]*unknown.Members{}
	}
	m := wireio.Entry(e.waiting, in)
	if d.Name == callerPath && d.Text == "null" {
		d.Text = directCaller
	}
	if strings.HasPrefix(in, inBlock) && m.Has(name) || !m.Replace(name, d.Text) {
		e.w.Log.ReportUnplaced(d)
	}
}

// waits reports whether members are waiting for an object.
func (e *encoder) waits(in string) bool { return e.waiting[in] != nil }

// take writes the members that are waiting for an object, after another member.
func (e *encoder) take(dst []byte, in string) []byte {
	if len(e.waiting) == 0 {
		return dst
	}
	return e.taken(in).AppendTo(dst)
}

// taken removes and returns the members that are waiting for an object.
func (e *encoder) taken(in string) unknown.Members {
	m := e.waiting[in]
	if m == nil {
		return nil
	}
	delete(e.waiting, in)
	return *m
}

// usage writes the usage as known so far, at a path.
func (e *encoder) usage(in string) {
	var extras chat.Extras
	for _, inner := range [...]string{"", inDetails} {
		extras = append(extras, asExtras(e.taken(in+inner), "usage"+inner)...)
	}
	e.w.usage(e.meta.Usage, extras)
}

// asExtras returns members as extras in an object.
func asExtras(m unknown.Members, in string) (extras chat.Extras) {
	for _, x := range m {
		extras = append(extras, chat.Extra{Wire: Wire, In: in, Name: x.Name, Value: jsonout.OneLine([]byte(x.Value))})
	}
	return extras
}

// unplaced reports what is still waiting at the end of the stream.
func (e *encoder) unplaced() {
	for _, in := range slices.Sorted(maps.Keys(e.waiting)) {
		for _, x := range e.taken(in) {
			e.w.Log.ReportUnplaced(toolcall.Delta{Name: in + "." + x.Name})
		}
	}
}

// endTexts ends a block of text or thinking, even if it has only extras.
func (e *encoder) endTexts(dst []byte) []byte {
	if e.open == noBlock {
		for _, piece := range [...]pieceKind{textPiece, thinkingPiece} {
			if kind := pieces[piece].of; e.waits(kinds[kind].in) || e.waits(pieces[piece].in) {
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
	dst = e.take(jsonout.AppendLine(dst, d.Text), inBlockDelta)
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
