package responses

import (
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/toolcall"
)

// part is the open part of an item, or the last one.
type part struct {
	kind    partKind // noPart after its end
	index   int
	sent    int    // bytes of its text that came,
	sum     uint64 // which it identifies without keeping them
	members unknown.Stream
	noted   bool // its annotations came one by one
}

// say appends a piece of text.
func (it *item) say(dst []toolcall.Delta, kind partKind, text string) []toolcall.Delta {
	if text == "" {
		return dst
	}
	it.emitted[partShapes[kind].list] += len(text)
	it.part.sent += len(text)
	it.part.sum = fnv(it.part.sum, text)
	return append(dst, toolcall.Delta{Kind: partShapes[kind].emits, Text: text})
}

// rest returns what a whole text has after its pieces. ok is false if it contradicts them.
func (p *part) rest(whole string) (rest string, ok bool) {
	if p.sent > len(whole) || p.sent > 0 && fnv(0, whole[:p.sent]) != p.sum {
		return "", false
	}
	return whole[p.sent:], true
}

// partIndex returns the index of an event's part, or that of the last part if the event
// has none.
func (d *Decoder) partIndex(f *fields, it *item, at list) int {
	v := f.contentIndex
	if at == inSummary {
		v = f.summaryIndex
	}
	if index, ok := d.Index(v, listShapes[at].index); ok {
		return index
	}
	return it.part.index
}

// enter appends that what follows belongs to a part, unless that is already the case.
func (d *Decoder) enter(dst []toolcall.Delta, it *item, kind partKind, index int) []toolcall.Delta {
	if it.part.kind == kind && it.part.index == index {
		return dst
	}
	return d.openPart(dst, it, kind, index)
}

func (d *Decoder) openPart(dst []toolcall.Delta, it *item, kind partKind, index int) []toolcall.Delta {
	dst = d.flush(dst, it)
	if !it.added && !it.started {
		dst = d.announce(dst, it, new(output))
	}
	it.started = true
	it.part = part{kind: kind, index: index}
	shape := &partShapes[kind]
	it.parts[shape.list]++
	return append(dst, toolcall.Delta{
		Kind: toolcall.DeltaExtra, Index: toolcall.NoIndex, Name: shape.typePath, Text: `"` + shape.kind + `"`,
	})
}

// flush appends what is held of the open part's text.
func (d *Decoder) flush(dst []toolcall.Delta, it *item) []toolcall.Delta {
	if it.part.kind == noPart {
		return dst
	}
	return it.say(dst, it.part.kind, d.Texts.Rest(rawjson.Channel{Kind: partShapes[it.part.kind].emits}))
}

// leave ends the open part.
func (it *item) leave(at list) {
	it.part.kind = noPart
	it.ended[at] = it.parts[at]
}

// textDelta decodes a piece of text.
func (d *Decoder) textDelta(dst []toolcall.Delta, f *fields, kind partKind) []toolcall.Delta {
	shape := &partShapes[kind]
	it := d.piece(f, shape.item)
	if it == nil {
		return dst
	}
	delta, index := d.String(f.delta, "delta"), d.partIndex(f, it, shape.list)
	if d.Err() != nil {
		return dst
	}
	text := d.Texts.Piece(rawjson.Channel{Kind: shape.emits}, delta)
	return it.say(d.enter(dst, it, kind, index), kind, text)
}

// textDone decodes a whole text, for servers that send no pieces.
func (d *Decoder) textDone(dst []toolcall.Delta, f *fields, kind partKind) []toolcall.Delta {
	shape, whole := &partShapes[kind], f.text
	if kind == refusalPart {
		whole = f.refusal
	}
	text := d.Texts.Whole(d.String(whole, shape.member))
	it := d.ending(f, shape.item)
	if it == nil && text != "" && d.items.isNew(d.indexOf(f), shape.item) {
		it = d.piece(f, shape.item)
	}
	if it == nil {
		return dst
	}
	dst = d.flush(dst, it)
	index := d.partIndex(f, it, shape.list)
	if text == "" || index < it.part.index || index == it.part.index && (it.part.sent > 0 || it.ended[shape.list] > 0 && it.part.kind == noPart) {
		return dst
	}
	return it.say(d.enter(dst, it, kind, index), kind, text)
}

// isNew reports whether no part of that kind has been at an index.
func (s *items) isNew(index int, kind itemKind) bool {
	was, over := s.past[index]
	return !over || was.kind != kind
}

// partAt returns the part of an event, its kind and its item.
func (d *Decoder) partAt(f *fields, at list) (v rawjson.Value, kind partKind, it *item) {
	v = d.Object(f.part, "part")
	kind = partKindOf(d.Texts.Name(d.String(v.Get("type"), "part.type")))
	of := partShapes[kind].item
	if kind == noPart {
		if of = messageItem; at == inSummary || d.ending(f, messageItem) == nil {
			of = reasoningItem
		}
	}
	return v, kind, d.ending(f, of)
}

// listOf returns the list of an event's part.
func (f *fields) listOf() list {
	if f.summaryIndex.IsSet() {
		return inSummary
	}
	return inContent
}

func (f *fields) hasPartIndex() bool { return f.contentIndex.IsSet() || f.summaryIndex.IsSet() }

// partAdded opens a part. A part of an unknown kind is appended at its end.
func (d *Decoder) partAdded(dst []toolcall.Delta, f *fields) []toolcall.Delta {
	v, kind, it := d.partAt(f, f.listOf())
	if d.Err() != nil {
		return dst
	}
	if kind == noPart {
		if it == nil {
			return dst
		}
		return wholePart(d.flush(dst, it), d.Texts.Name(v.Get("type")), f.listOf(), "added", v)
	}
	shape := &partShapes[kind]
	if it == nil {
		if it = d.piece(f, shape.item); it == nil {
			return dst
		}
	}
	index := d.partIndex(f, it, shape.list)
	sent := false
	if it.part.index == index && it.parts[shape.list] > 0 { // some servers announce a part again, or after its first pieces
		if f.hasPartIndex() && it.part.kind == noPart {
			return dst // it is over
		}
		sent = it.part.sent > 0 && it.part.kind == kind
	}
	dst = d.enter(dst, it, kind, index)
	dst = d.partExtras(dst, it, shape.list, v)
	if sent {
		return dst
	}
	return it.say(dst, kind, d.Texts.Whole(d.String(v.Get(shape.member), "part.", shape.member)))
}

// partDone closes a part. It decodes the text if that has not come.
func (d *Decoder) partDone(dst []toolcall.Delta, f *fields) []toolcall.Delta {
	at := f.listOf()
	v, kind, it := d.partAt(f, at)
	if it == nil || d.Err() != nil || d.partIndex(f, it, at) < it.part.index {
		return dst
	}
	dst = d.flush(dst, it)
	if kind == noPart {
		return it.otherPart(dst, d.Texts.Name(v.Get("type")), at, v)
	}
	shape := &partShapes[kind]
	if it.part.kind == noPart && it.ended[at] > 0 && d.partIndex(f, it, at) == it.part.index {
		return dst // repeated
	}
	dst = d.enter(dst, it, kind, d.partIndex(f, it, shape.list))
	if text := d.String(v.Get(shape.member), "part.", shape.member); it.part.sent == 0 {
		dst = it.say(dst, kind, d.Texts.Whole(text))
	}
	dst = d.partExtras(dst, it, shape.list, v)
	it.leave(shape.list)
	return dst
}

// otherPart appends a part of an unknown kind.
func (it *item) otherPart(dst []toolcall.Delta, kind string, at list, v rawjson.Value) []toolcall.Delta {
	it.parts[at]++
	it.leave(at)
	return wholePart(dst, kind, at, "done", v)
}

// wholePart appends a part that no delta expresses, as an event.
func wholePart(dst []toolcall.Delta, kind string, at list, when string, v rawjson.Value) []toolcall.Delta {
	event := append([]byte(`{"type":"`+when+`","part":`), v.Raw...)
	return unknown.Add(dst, 0, toolcall.NoIndex, listShapes[at].member+"[]", []byte(kind), rawjson.Value{Kind: rawjson.Object, Raw: append(event, '}')})
}

// annotation decodes an annotation of the open text.
func (d *Decoder) annotation(dst []toolcall.Delta, f *fields) []toolcall.Delta {
	if !f.annotation.IsSet() {
		return dst
	}
	it := d.piece(f, messageItem)
	if it == nil {
		return dst
	}
	dst = d.enter(d.flush(dst, it), it, textPart, d.partIndex(f, it, inContent))
	it.part.noted = true
	return unknown.Add(dst, 0, toolcall.NoIndex, "item.content[]", []byte("annotations[]"), f.annotation)
}

// parts decodes the parts of a whole item, except what was already decoded.
func (d *Decoder) parts(dst []toolcall.Delta, o *output, it *item) []toolcall.Delta {
	return d.partsIn(d.partsIn(dst, it, inSummary, o.summary), it, inContent, o.content)
}

// partsIn decodes the parts of a list. Of one that has come, only what its text has after the
// pieces is new; a list that contradicts what came is an extra.
func (d *Decoder) partsIn(dst []toolcall.Delta, it *item, at list, v rawjson.Value) []toolcall.Delta {
	i, come, whole, same := 0, it.parts[at], 0, true
	for part := range v.Items() {
		part = d.Object(part, "item.", listShapes[at].member, "[]")
		name := d.Texts.Name(d.String(part.Get("type"), "item.", listShapes[at].member, "[].type"))
		kind := partKindOf(name)
		shape := &partShapes[kind]
		switch {
		case part.Kind == rawjson.Absent:
		case kind == noPart && i >= it.ended[at]:
			dst = it.otherPart(dst, name, at, part)
		case kind != noPart:
			text := d.Texts.Whole(d.String(part.Get(shape.member), "item.", listShapes[at].member, "[].", shape.member))
			whole += len(text)
			if i >= come {
				dst = d.openPart(dst, it, kind, i)
			}
			if i < it.ended[at] || i < it.parts[at]-1 {
				same = same && !it.hasMore(at, part)
				break
			}
			dst = d.partExtras(dst, it, at, part)
			rest, goesOn := it.part.rest(text)
			dst, same = it.say(dst, kind, rest), same && goesOn
		}
		i++
	}
	if i > 0 && (!same || whole != it.emitted[at]) {
		dst = unknown.Add(dst, 0, toolcall.NoIndex, "item", []byte(listShapes[at].member), v)
	}
	return dst
}

// hasMore reports whether a part has members that no delta expresses, and that were not
// appended while the part was open.
func (it *item) hasMore(at list, part rawjson.Value) bool {
	for key, v := range part.Fields() {
		if !isOfPart(key) && !isMeaningless(key, v) && !it.passed[partMember(at, key, v)] {
			return true
		}
	}
	return false
}

// isOfPart reports whether a member of a part is read, or has events of its own.
func isOfPart(key []byte) bool {
	switch string(key) {
	case "type", "text", "refusal", "annotations":
		return true
	}
	return false
}

// partMember identifies a member of a part without keeping it.
func partMember(at list, key []byte, v rawjson.Value) uint64 {
	sum := fnv(fnv(0, listShapes[at].member), string(key))
	return fnv(fnv(sum, ":"), string(v.Raw))
}

// fnv continues the sum of a text, 0 at its beginning, by FNV-1a.
func fnv(sum uint64, text string) uint64 {
	if sum == 0 {
		sum = 14695981039346656037
	}
	for i := range len(text) {
		sum = (sum ^ uint64(text[i])) * 1099511628211
	}
	return sum
}

// maxPassed limits the members of parts that are remembered.
const maxPassed = 1 << 12

// pass records that a member of a part was appended.
func (it *item) pass(member uint64) {
	if it.passed == nil {
		it.passed = map[uint64]bool{}
	}
	if len(it.passed) < maxPassed {
		it.passed[member] = true
	}
}
