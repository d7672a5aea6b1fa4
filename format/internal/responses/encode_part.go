package responses

import (
	"strconv"

	"github.com/toolparse/toolparse/format/internal/jsonout"
	"github.com/toolparse/toolparse/format/internal/unknown"
)

// openPart is the part that is open in an item that is written.
type openPart struct {
	kind partKind
	next partKind        // announced, and not open yet
	own  unknown.Members // that the wire has and we do not know
	raw  []byte          // of a part that is nothing else,
	at   list            // in that list
	// The annotations that were written, with commas.
	notes []byte
	count int
}

// write writes the part, with the text that it has so far.
func (p *openPart) appendTo(dst, text []byte) []byte {
	shape := &partShapes[p.kind]
	dst = append(append(append(dst, `{"type":"`...), shape.kind...), '"')
	if p.kind == textPart {
		if !p.own.Has("annotations") {
			dst = append(append(append(dst, `,"annotations":[`...), p.notes...), ']')
		}
		if !p.own.Has("logprobs") {
			dst = append(dst, `,"logprobs":[]`...)
		}
	}
	dst = append(append(append(dst, `,"`...), shape.member...), `":"`...)
	return append(p.own.AppendTo(append(append(dst, text...), '"')), '}')
}

// writeParts writes a list of parts as a member of the item.
func (it *openItem) writeParts(w *jsonout.Writer, at list) {
	w.KeyArray(listShapes[at].member)
	w.Out = append(w.Out, it.ended[at]...)
	switch {
	case it.part.raw != nil && it.part.at == at:
		w.Out = append(comma(w.Out, it.ended[at]), it.part.raw...)
	case it.part.kind != noPart && partShapes[it.part.kind].list == at:
		w.Out = it.part.appendTo(comma(w.Out, it.ended[at]), it.text)
	}
	w.EndArray()
}

// comma appends one to dst if a list is not empty.
func comma(dst, list []byte) []byte {
	if len(list) > 0 {
		return append(dst, ',')
	}
	return dst
}

// openPart opens a part of an item that has none open.
func (e *encoder) openPart(dst []byte, it *openItem, kind partKind) []byte {
	it.part.kind, it.part.next = kind, noPart
	at := partShapes[kind].list
	it.nextPart(at)
	e.room -= itemCost
	return e.partEvent(dst, it, listShapes[at].added, it.part.appendTo(nil, it.text))
}

// nextPart numbers the next part of a list.
func (it *openItem) nextPart(at list) {
	it.point(`,"` + listShapes[at].index + `":` + strconv.Itoa(it.parts[at]))
	it.parts[at]++
}

// partEvent writes an event that holds the part that is open.
func (e *encoder) partEvent(dst []byte, it *openItem, event string, part []byte) []byte {
	dst = append(e.beginEvent(dst, "response."+event), it.partPlace()...)
	return e.endBytes(append(append(dst, `,"part":`...), part...), event)
}

// partPlace returns the members of events that tell which part they are about.
func (it *openItem) partPlace() []byte { return it.head[:len(it.head)-len(`,"delta":`)] }

// closePart ends the part that is open in an item, or was announced, if one is.
func (e *encoder) closePart(dst []byte, it *openItem) []byte {
	if it.part.raw != nil {
		return e.closeWhole(dst, it, it.part.at, it.part.raw)
	}
	if it.part.kind == noPart {
		if it.part.next == noPart {
			return dst
		}
		dst = e.openPart(dst, it, it.part.next)
	}
	shape := &partShapes[it.part.kind]
	if e.waiting.of(shape.delta) {
		dst = e.piece(dst, it, shape.deltaPath, "")
	}
	dst = append(e.beginEvent(dst, "response."+shape.done), it.partPlace()...)
	dst = append(append(append(dst, `,"`...), shape.member...), `":"`...)
	dst = append(append(dst, it.text...), '"')
	if it.part.kind == textPart && !e.waiting.has(shape.done, "logprobs") {
		dst = append(dst, `,"logprobs":[]`...)
	}
	dst = e.endBytes(dst, shape.done)
	part := it.part.appendTo(nil, it.text)
	dst = e.partEvent(dst, it, listShapes[shape.list].done, part)
	it.endPart(shape.list, part)
	return dst
}

// endPart keeps a part that is written.
func (it *openItem) endPart(at list, part []byte) {
	it.ended[at] = append(comma(it.ended[at], it.ended[at]), part...)
	it.part, it.text = openPart{}, it.text[:0]
}
