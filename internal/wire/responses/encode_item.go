package responses

import (
	"strconv"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/customtool"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/jsonout"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/toolcall"
)

// openItem is an output item that is being written. An announced one has no index, and is
// not written yet.
type openItem struct {
	kind      itemKind
	index     int
	id        string
	place     []byte // members of events that identify the item
	head      []byte // members of events that precede a piece of its open part
	done      bool
	cut       bool            // it did not end
	ready     bool            // a complete call; its end may have more members
	announced bool            // by an extra
	passed    bool            // but something else came instead
	extras    unknown.Members // members of the wire that have no other place
	status    string          // on its wire
	raw       []byte          // of an item that is an extra as a whole

	call    int // index, or toolcall.NoIndex
	callID  string
	name    string
	input   customtool.Input
	request *clientItem // the kind of request to the client, or nil

	part      openPart
	parts     [lists]int    // number of parts that have begun
	ended     [lists][]byte // JSON of the parts that have ended, with commas
	text      []byte        // of the open part, or the arguments, escaped for a JSON string
	encrypted string
}

// newItem gives an item the next output index, and an id if it has none.
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

// point sets the members before the next pieces; index is the member with the index of
// the part.
func (it *openItem) point(index string) {
	it.head = append(append(append(it.head[:0], it.place...), index...), `,"delta":`...)
}

// write writes the item in its current state.
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
		if !it.extras.Has(name) {
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
		w.Key(itemShapes[it.kind].member)
		w.Raw([]byte{'"'})
		w.Out = append(append(w.Out, it.text...), '"')
	}
	w.Out = it.extras.AppendTo(w.Out)
	w.EndObject()
}

// itemEvent writes an event with the item.
func (e *encoder) itemEvent(dst []byte, it *openItem, kind string) []byte {
	w := e.event(dst, kind)
	w.KeyInt("output_index", int64(it.index))
	w.Key("item")
	it.write(w)
	return endEvent(w.Out)
}

func (e *encoder) itemAdded(dst []byte, it *openItem) []byte {
	return e.itemEvent(dst, it, "response.output_item.added")
}

func (e *encoder) itemDone(dst []byte, it *openItem) []byte {
	it.done = true
	return e.itemEvent(dst, it, "response.output_item.done")
}

// openProse opens a message or reasoning, using the announced item if there is one. No
// other item is open.
func (e *encoder) openProse(dst []byte, kind itemKind, id string) []byte {
	it := e.announced(kind)
	if it.id == "" {
		it.id = id
	}
	e.prose = e.newItem(it)
	return e.itemAdded(dst, e.prose)
}

// announced returns the announced item of a kind, or a new one.
func (e *encoder) announced(kind itemKind) *openItem {
	if it := e.next; it != nil && it.kind == kind {
		e.next = nil
		return it
	} else if it != nil {
		it.passed = true
	}
	return &openItem{kind: kind, call: toolcall.NoIndex}
}

// closeProse ends the open message or reasoning, if there is one.
func (e *encoder) closeProse(dst []byte) []byte {
	it := e.prose
	if it == nil {
		return dst
	}
	e.prose = nil
	return e.itemDone(e.closePart(dst, it), it)
}

// call writes a piece of a call. The first one begins its item, and ends the text before.
func (e *encoder) call(dst []byte, d toolcall.Delta) []byte {
	it := e.calls[d.Index]
	if it == nil {
		if e.copies[d.ID] {
			e.calls[d.Index] = &openItem{done: true}
			return dst
		}
		name, native, custom := e.w.CalledTool(d.Name)
		if e.next != nil && e.next.extras.Get("namespace") != "" { // its wire identifies the tool
			name, native, custom = d.Name, chat.Native{}, false
		}
		dst = e.closeProse(dst)
		kind := functionItem
		if d.Custom || custom {
			kind = customItem
		}
		it = e.announced(kind)
		it.call, it.callID = d.Index, e.w.ID(d.ID, "stream.calls.id")
		e.calls[d.Index] = it
		e.open++
		if it.request = clientItemNamed(native); it.request == nil {
			it.name = e.bareName(it, name, native)
			it = e.newItem(it)
			it.point("")
			dst = e.itemAdded(dst, it)
		}
	}
	if it.done || it.ready {
		return dst
	}
	if it.request != nil {
		return e.ask(dst, it, d)
	}
	if it.kind == customItem {
		dst = e.input(dst, it, d.Text)
	} else if d.Text != "" {
		dst = e.piece(dst, it, "response.function_call_arguments.delta", d.Text)
	}
	if d.Done {
		e.open--
		it.ready = true
		if !it.announced { // otherwise its wire reports its end later
			dst = e.callDone(dst, it)
		}
	}
	return dst
}

// bareName returns the name of a call without its namespace, which comes from the call's
// own wire or from the request.
func (e *encoder) bareName(it *openItem, name string, native chat.Native) string {
	namespace := textOf(it.extras.Get("namespace"))
	if native.Wire == Wire && native.Namespace != "" && namespace == "" {
		namespace = native.Namespace
		it.extras.Add("namespace", string(rawjson.AppendQuoted(nil, namespace)))
	}
	ref := chat.Native{Wire: Wire, Namespace: namespace}
	if native.Wire == Wire {
		ref.Name = native.Name
	}
	return e.w.Name(ownName(name, ref), "stream.calls.name")
}

// ask collects a piece of a call whose item has members of its own, which is written when
// the call is complete.
func (e *encoder) ask(dst []byte, it *openItem, d toolcall.Delta) []byte {
	if it.text = append(it.text, d.Text...); !d.Done {
		return dst
	}
	e.open--
	it.done, it.kind = true, otherItem
	var w jsonout.Writer
	id := itemID(it.request.prefix, e.id, len(e.items))
	if !it.request.write(&w, id, it.callID, string(it.text), nil) {
		e.w.Log.AddOnce(features.BrokenArguments, "stream.calls.arguments", "left out")
		return dst
	}
	w.EndObject()
	it.id, it.raw, it.text = id, w.Out, nil
	it = e.newItem(it)
	return e.itemDone(e.itemAdded(dst, it), it)
}

// callDone ends a complete call.
func (e *encoder) callDone(dst []byte, it *openItem) []byte {
	shape := &itemShapes[it.kind]
	dst = append(e.beginEvent(dst, "response."+shape.event+".done"), it.place...)
	dst = append(append(append(dst, `,"`...), shape.member...), `":"`...)
	dst = append(append(dst, it.text...), '"')
	return e.itemDone(endEvent(dst), it)
}

// input writes a piece of a custom call's input, which is the only argument, or all
// arguments.
func (e *encoder) input(dst []byte, it *openItem, arguments string) []byte {
	text, ok := it.input.Next(arguments)
	if !ok {
		e.w.Log.AddOnce(features.BrokenArguments, "stream.calls.arguments", "left out where it is not an input")
	}
	if text == "" {
		return dst
	}
	const event = "response.custom_tool_call_input.delta"
	dst = append(append(append(e.beginEvent(dst, event), it.head...), '"'), text...)
	it.text = append(it.text, text...)
	return endEvent(append(dst, '"'))
}

// piece writes a piece of what is open in an item.
func (e *encoder) piece(dst []byte, it *openItem, event, text string) []byte {
	dst = append(e.beginEvent(dst, event), it.head...)
	from := len(dst) + 1
	dst = rawjson.AppendQuoted(dst, text)
	it.text = append(it.text, dst[from:len(dst)-1]...)
	if it.part.kind == textPart {
		dst = append(dst, `,"logprobs":[]`...)
	}
	return endEvent(dst)
}

// openPart is the open part of an item.
type openPart struct {
	kind   partKind
	next   partKind        // announced, but not open yet
	extras unknown.Members // members of the wire that have no other place
	// The annotations that were written, with commas.
	notes []byte
	count int
}

// write writes the part with its text so far.
func (p *openPart) appendTo(dst, text []byte) []byte {
	shape := &partShapes[p.kind]
	dst = append(append(append(dst, `{"type":"`...), shape.kind...), '"')
	if p.kind == textPart {
		if !p.extras.Has("annotations") {
			dst = append(append(append(dst, `,"annotations":[`...), p.notes...), ']')
		}
		if !p.extras.Has("logprobs") {
			dst = append(dst, `,"logprobs":[]`...)
		}
	}
	dst = append(append(append(dst, `,"`...), shape.member...), `":"`...)
	return append(p.extras.AppendTo(append(append(dst, text...), '"')), '}')
}

// writeParts writes a list of parts, of which none is open, as a member of the item.
func (it *openItem) writeParts(w *jsonout.Writer, at list) {
	w.KeyArray(listShapes[at].member)
	w.Out = append(w.Out, it.ended[at]...)
	w.EndArray()
}

// comma appends a comma unless a list is empty.
func comma(dst, list []byte) []byte {
	if len(list) > 0 {
		return append(dst, ',')
	}
	return dst
}

// enterPart opens a part of a kind, unless one is open.
func (e *encoder) enterPart(dst []byte, it *openItem, kind partKind) []byte {
	if it.part.kind == kind {
		return dst
	}
	if it.part.kind != noPart || it.part.next != kind {
		dst = e.closePart(dst, it)
	}
	return e.openPart(dst, it, kind)
}

// openPart opens a part in an item without an open one.
func (e *encoder) openPart(dst []byte, it *openItem, kind partKind) []byte {
	it.part.kind, it.part.next = kind, noPart
	at := partShapes[kind].list
	it.nextPart(at)
	e.room -= itemCost
	return e.partEvent(dst, it, listShapes[at].added, it.part.appendTo(nil, it.text))
}

// nextPart sets the index of the next part in a list.
func (it *openItem) nextPart(at list) {
	it.point(`,"` + listShapes[at].index + `":` + strconv.Itoa(it.parts[at]))
	it.parts[at]++
}

// partEvent writes an event with the open part.
func (e *encoder) partEvent(dst []byte, it *openItem, event string, part []byte) []byte {
	dst = append(e.beginEvent(dst, "response."+event), it.partPlace()...)
	return endEvent(append(append(dst, `,"part":`...), part...))
}

// partPlace returns the members of events that identify the part.
func (it *openItem) partPlace() []byte { return it.head[:len(it.head)-len(`,"delta":`)] }

// closePart ends the part of an item that is open or announced, if there is one.
func (e *encoder) closePart(dst []byte, it *openItem) []byte {
	if it.part.kind == noPart {
		if it.part.next == noPart {
			return dst
		}
		dst = e.openPart(dst, it, it.part.next)
	}
	shape := &partShapes[it.part.kind]
	dst = append(e.beginEvent(dst, "response."+shape.done), it.partPlace()...)
	dst = append(append(append(dst, `,"`...), shape.member...), `":"`...)
	dst = append(append(dst, it.text...), '"')
	if it.part.kind == textPart {
		dst = append(dst, `,"logprobs":[]`...)
	}
	dst = endEvent(dst)
	part := it.part.appendTo(nil, it.text)
	dst = e.partEvent(dst, it, listShapes[shape.list].done, part)
	it.endPart(shape.list, part)
	return dst
}

// endPart keeps a part that was written.
func (it *openItem) endPart(at list, part []byte) {
	it.ended[at] = append(comma(it.ended[at], it.ended[at]), part...)
	it.part, it.text = openPart{}, it.text[:0]
}
