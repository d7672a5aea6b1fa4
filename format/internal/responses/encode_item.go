package responses

import (
	"strconv"

	"github.com/toolparse/toolparse/format/internal/customtool"
	"github.com/toolparse/toolparse/format/internal/jsonout"
	"github.com/toolparse/toolparse/format/internal/rawjson"
	"github.com/toolparse/toolparse/format/internal/unknown"
	"github.com/toolparse/toolparse/toolcall"
)

// openItem is an output item of a stream that is written. One that is announced
// has no index, and is not written yet.
type openItem struct {
	kind   itemKind
	index  int
	id     string
	place  []byte // members of events that tell which item they are about
	head   []byte // those before a piece of what is open in it
	done   bool
	cut    bool            // it was not finished
	ready  bool            // a call that is whole; its end may still tell more
	told   bool            // announced
	passed bool            // and something else came instead
	own    unknown.Members // that the wire has and we do not know
	status string          // by its wire
	raw    []byte          // of an item that is nothing else

	call   int // its number, or toolcall.NoIndex
	callID string
	name   string
	input  customtool.Input
	asks   *clientItem // what else the client is asked for, or nil

	part      openPart
	parts     [lists]int    // that were begun
	ended     [lists][]byte // the JSON of those that ended, with commas
	text      []byte        // of the part that is open, or the arguments, as it stands in a JSON string
	encrypted string
}

// newItem gives an item the next output index, and an id where it has none.
func (e *encoder) newItem(it *openItem) *openItem {
	it.index = len(e.items)
	if it.id == "" {
		it.id = itemID(itemShapes[it.kind].prefix, e.id, it.index)
	}
	it.place = append(it.place, `,"item_id":`...)
	it.place = rawjson.AppendQuoted(it.place, it.id)
	it.place = append(it.place, `,"output_index":`...)
	it.place = strconv.AppendInt(it.place, int64(it.index), 10)
	e.items = append(e.items, it)
	e.room -= itemCost
	return it
}

// point sets the head of the pieces to come; index is the member that numbers
// the part.
func (it *openItem) point(index string) {
	it.head = append(append(append(it.head[:0], it.place...), index...), `,"delta":`...)
}

// write writes the item as it stands.
func (it *openItem) write(w *jsonout.Writer) {
	if it.kind == otherItem {
		w.Raw(it.raw)
		return
	}
	status := "completed"
	switch {
	case it.done && !it.cut && it.status != "":
		status = it.status
	case it.cut:
		status = "incomplete"
	case !it.done:
		status = "in_progress"
	}
	text := func(name, value string) {
		if !it.own.Has(name) {
			w.Text(name, value)
		}
	}
	w.Object()
	w.Text("id", it.id)
	w.Text("type", itemShapes[it.kind].kind)
	switch it.kind {
	case messageItem:
		text("status", status)
		text("role", "assistant")
		it.writeParts(w, inContent)
	case reasoningItem:
		it.writeParts(w, inSummary)
		if it.parts[inContent] > 0 {
			it.writeParts(w, inContent)
		}
		w.Text("encrypted_content", it.encrypted)
	case functionItem, customItem:
		text("status", status)
		w.KeyString("call_id", it.callID)
		w.KeyString("name", it.name)
		if it.kind == functionItem {
			w.Key("arguments")
		} else {
			w.Key("input")
		}
		w.Raw([]byte{'"'})
		w.Out = append(append(w.Out, it.text...), '"')
	}
	w.Out = it.own.AppendTo(w.Out)
	w.EndObject()
}

// itemEvent writes an event that holds the item.
func (e *encoder) itemEvent(dst []byte, it *openItem, kind string) []byte {
	w := e.event(dst, kind)
	w.KeyInt("output_index", int64(it.index))
	w.Key("item")
	it.write(w)
	return e.endEvent(w, kind)
}

func (e *encoder) itemAdded(dst []byte, it *openItem) []byte {
	return e.itemEvent(dst, it, "response.output_item.added")
}

func (e *encoder) itemDone(dst []byte, it *openItem) []byte {
	it.done = true
	return e.itemEvent(dst, it, "response.output_item.done")
}

// openProse opens a message or reasoning, that which was announced if one was.
// No other is open.
func (e *encoder) openProse(dst []byte, kind itemKind, id string) []byte {
	it := e.announced(kind)
	if it.id == "" {
		it.id = id
	}
	e.prose = e.newItem(it)
	return e.itemAdded(dst, e.prose)
}

// announced returns the item of a kind that was announced, or a new one.
func (e *encoder) announced(kind itemKind) *openItem {
	if it := e.next; it != nil && it.kind == kind {
		e.next = nil
		return it
	} else if it != nil {
		it.passed = true
	}
	return &openItem{kind: kind, call: toolcall.NoIndex}
}

// closeProse ends the message or the reasoning that is open, if one is.
func (e *encoder) closeProse(dst []byte) []byte {
	it := e.prose
	if it == nil {
		return dst
	}
	e.prose = nil
	return e.itemDone(e.closePart(dst, it), it)
}
