package responses

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/jsonout"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/toolcall"
)

// The places of extras in events; those of items and parts wait in [openItem]. The last
// event may have another name than in the stream that is read. Other events need not come.
var places = unknown.Places{
	{In: "response", Keeps: unknown.Last, Most: maxOwn},
	{In: "error", Keeps: unknown.First},
	{In: atEnd, Keeps: unknown.First},
	{In: "incomplete", Late: atEnd, Keeps: unknown.First},
	{In: "failed", Late: atEnd, Keeps: unknown.First},
	{In: "cancelled", Late: atEnd, Keeps: unknown.First},
	{In: "", Keeps: unknown.Nowhere},
}

const atEnd = "completed"

// maxOwn limits the members of a response that are kept.
const maxOwn = 256

// extra writes an extra of this wire, or keeps it for its event: those of the response
// until an event with the response, those of items and parts until theirs.
func (e *encoder) extra(dst []byte, d toolcall.Delta) []byte {
	if passed := features.TraitsOf(e.meta.Wire).PassedFormat; passed != "" && d.Name == passed {
		e.sealed = d.Text == strconv.Quote(features.TraitsOf(Wire).DetailFormat)
		if e.sealed {
			return dst
		}
	}
	if e.w.Log.ReportForeign(e.meta.Wire, d) {
		return dst
	}
	in, name, _ := strings.Cut(d.Name, ".")
	isLate := (e.finished || e.failure != nil) && in != "response" && in != atEnd
	if isLate || len(d.Text) > e.room {
		e.w.Log.ReportUnplaced(d)
		return dst
	}
	e.room -= len(d.Text)
	for at, shape := range listShapes {
		if name, ok := strings.CutPrefix(d.Name, "item."+shape.member+"[]."); ok {
			return e.partExtra(dst, list(at), name, d)
		}
	}
	switch in {
	case "event":
		return e.wholeEvent(dst, d)
	case "output[]", "call[]":
		return e.wholeItem(dst, d)
	case "item":
		return e.itemExtra(dst, name, d)
	}
	at, name := places.Of(d.Name)
	at.In = cmp.Or(at.Late, at.In)
	return e.extras.Put(dst, at, name, d, &e.w.Log, nil)
}

// itemExtra begins an item, or keeps a member of the current one.
func (e *encoder) itemExtra(dst []byte, name string, d toolcall.Delta) []byte {
	if name == "type" {
		dst = e.settle(dst)
		kind := itemKindOf(textOf(d.Text))
		e.next = &openItem{kind: kind, call: toolcall.NoIndex, announced: true}
		return dst
	}
	it := e.next
	switch {
	case d.Index != toolcall.NoIndex:
		it = e.calls[d.Index]
	case it == nil:
		it = e.prose
	}
	switch {
	case it == nil || it.done || isOfItem(name):
		e.w.Log.ReportUnplaced(d)
	case name == "status" && it.kind != reasoningItem:
		if it.status = textOf(d.Text); it.ready {
			dst = e.callDone(dst, it)
		}
	case name == "id" && it == e.next:
		it.id = textOf(d.Text)
	case name == "id":
	default:
		if !it.extras.Replace(name, d.Text) {
			e.w.Log.ReportUnplaced(d)
		}
	}
	return dst
}

// isOfItem reports whether items have a member with this name that other deltas carry, or
// contradict.
func isOfItem(name string) bool {
	switch name {
	case "call_id", "name", "arguments", "input", "encrypted_content", "content", "summary":
		return true
	}
	return false
}

// textOf returns the text of a JSON string, or "" for other JSON.
func textOf(json string) string {
	v, _ := rawjson.Parse(json)
	return v.Text()
}

// settle ends what is open before an item begins. It writes an announced item of which
// nothing came.
func (e *encoder) settle(dst []byte) []byte {
	it := e.next
	e.next = nil
	if e.prose != nil {
		dst = e.closeProse(dst)
	}
	for _, call := range e.items {
		if call.ready && !call.done {
			dst = e.callDone(dst, call)
		}
	}
	switch {
	case it == nil:
	case it.passed || it.kind.isCall() || it.kind == otherItem:
		for _, x := range it.extras {
			e.w.Log.ReportUnplaced(toolcall.Delta{Name: "item." + x.Name})
		}
	default:
		dst = e.begin(dst)
		e.next = it
		dst = e.closeProse(e.openProse(dst, it.kind, ""))
	}
	return dst
}

// ofPart returns the item whose part is open or announced.
func (e *encoder) ofPart() *openItem {
	if e.next != nil && !e.next.kind.isCall() {
		return e.next
	}
	return e.prose
}

// partExtra begins a part, or keeps a member of the one that is open or announced.
func (e *encoder) partExtra(dst []byte, at list, name string, d toolcall.Delta) []byte {
	it := e.ofPart()
	if it == nil {
		e.w.Log.ReportUnplaced(d)
		return dst
	}
	switch name {
	case "type":
		kind := partKindOf(textOf(d.Text))
		if kind == noPart || partShapes[kind].list != at || partShapes[kind].item != it.kind {
			return dst
		}
		if it == e.next && it.part.next != noPart {
			dst = e.openProse(e.begin(dst), it.kind, "")
		}
		if it == e.prose {
			dst = e.closePart(dst, it)
		}
		it.part.next = kind
	case "annotations[]":
		return e.annotation(dst, it, d)
	case "text", "refusal":
		e.w.Log.ReportUnplaced(d)
	default:
		if it.part.kind == noPart && it.part.next == noPart || !it.part.extras.Replace(name, d.Text) {
			e.w.Log.ReportUnplaced(d)
		}
	}
	return dst
}

// annotation writes an annotation of the open text.
func (e *encoder) annotation(dst []byte, it *openItem, d toolcall.Delta) []byte {
	if it.kind != messageItem {
		e.w.Log.ReportUnplaced(d)
		return dst
	}
	if dst = e.begin(dst); it == e.next {
		dst = e.openProse(dst, messageItem, "")
	}
	dst = e.enterPart(dst, it, textPart)
	w := e.event(dst, "response.output_text.annotation.added")
	w.Out = append(w.Out, it.partPlace()...)
	w.KeyInt("annotation_index", int64(it.part.count))
	w.Key("annotation")
	note := jsonout.OneLine([]byte(d.Text))
	w.Raw(note)
	it.part.notes = append(comma(it.part.notes, it.part.notes), note...)
	it.part.count++
	return endEvent(w.Out)
}

// wholeEvent writes an event that no delta expresses, with our own sequence number and
// output index.
func (e *encoder) wholeEvent(dst []byte, d toolcall.Delta) []byte {
	v := valueOf(d)
	name := v.Get("type").Text()
	if name == "" || strings.IndexFunc(name, isOdd) >= 0 {
		e.w.Log.ReportUnplaced(d)
		return dst
	}
	return e.copyEvent(e.begin(dst), name, v)
}

// valueOf returns the value of an extra on one line, absent if it is not JSON.
func valueOf(d toolcall.Delta) rawjson.Value {
	v, _ := rawjson.Parse(jsonout.OneLine([]byte(d.Text)))
	return v
}

// isOdd reports whether a character is not allowed in the name of an event, which is on a
// line of its own and in JSON.
func isOdd(c rune) bool { return c <= ' ' || c > '~' || c == '"' || c == '\\' }

// copyEvent writes an event unchanged.
func (e *encoder) copyEvent(dst []byte, name string, v rawjson.Value) []byte {
	w := e.event(dst, name)
	for key, member := range v.Fields() {
		switch string(key) {
		case "type", "sequence_number":
		case "output_index":
			w.Key("output_index")
			if it := e.sources[string(member.Raw)]; it != nil {
				w.Int(int64(it.index))
			} else {
				w.Raw(member.JSON())
			}
		default:
			w.Member(string(key), member.JSON())
		}
	}
	return endEvent(w.Out)
}

// wholeItem writes an item that no delta expresses, from the event that contains it: the
// first one begins the item, and one with its end ends it.
func (e *encoder) wholeItem(dst []byte, d toolcall.Delta) []byte {
	v := valueOf(d)
	item := v.Get("item")
	if item.Kind != rawjson.Object {
		e.w.Log.ReportUnplaced(d)
		return dst
	}
	source, done := string(v.Get("output_index").Raw), v.Get("type").Is("response.output_item.done")
	it := e.sources[source]
	if it == nil || it.done || source == "" || !done {
		dst = e.settle(e.begin(dst))
		it = e.newItem(&openItem{call: toolcall.NoIndex, id: item.Get("id").Text()})
		if e.sources == nil {
			e.sources = map[string]*openItem{}
		}
		e.sources[source] = it
		if done {
			it.raw = item.Raw
			dst = e.itemAdded(dst, it)
		}
		if row := clientItemOf(item); row != nil {
			e.copied(row, item)
		}
	}
	it.raw = item.Raw
	name := "response.output_item.added"
	if done {
		it.done, name = true, "response.output_item.done"
		delete(e.sources, "")
	}
	if source == "" {
		return e.itemEvent(dst, it, name)
	}
	return e.copyEvent(dst, name, v)
}

// copied records that an item is a call, so that the call's own delta need not be
// written.
func (e *encoder) copied(row *clientItem, item rawjson.Value) {
	if e.copies == nil {
		e.copies = map[string]bool{}
	}
	e.copies[cmp.Or(item.Get(row.id).Text(), item.Get("id").Text())] = true
}
