package responses

import (
	"strconv"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/customtool"
	"github.com/toolparse/toolparse/format/internal/features"
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

// call writes a piece of a call: its item first, which ends what the model said
// before.
func (e *encoder) call(dst []byte, d toolcall.Delta) []byte {
	it := e.calls[d.Index]
	if it == nil {
		if e.copies[d.ID] {
			e.calls[d.Index] = &openItem{done: true}
			return dst
		}
		name, native, custom := e.w.CalledTool(d.Name)
		if e.next != nil && e.next.own.Get("namespace") != "" { // its wire says what it is
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
		if it.asks = clientItemNamed(native); it.asks == nil {
			it.name = e.bareName(it, name, native)
			it = e.newItem(it)
			it.point("")
			dst = e.itemAdded(dst, it)
		}
	}
	if it.done || it.ready {
		return dst
	}
	if it.asks != nil {
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
		if !it.told { // else its wire has yet to tell of its end
			dst = e.callDone(dst, it)
		}
	}
	return dst
}

// bareName returns the name of a call that stands in its item beside the
// namespace, which comes from the call's own wire or from the request.
func (e *encoder) bareName(it *openItem, name string, native chat.Native) string {
	namespace := textOf(it.own.Get("namespace"))
	if native.Wire == Wire && native.Namespace != "" && namespace == "" {
		namespace = native.Namespace
		it.own.Add("namespace", string(rawjson.AppendQuoted(nil, namespace)))
	}
	own := chat.Native{Wire: Wire, Namespace: namespace}
	if native.Wire == Wire {
		own.Name = native.Name
	}
	return e.w.Name(ownName(name, own), "stream.calls.name")
}

// ask takes a piece of a call that is to be an item with members of its own,
// which is written when it is whole.
func (e *encoder) ask(dst []byte, it *openItem, d toolcall.Delta) []byte {
	if it.text = append(it.text, d.Text...); !d.Done {
		return dst
	}
	e.open--
	it.done, it.kind = true, otherItem
	var w jsonout.Writer
	id := itemID(it.asks.prefix, e.id, len(e.items))
	if !it.asks.write(&w, id, it.callID, string(it.text), nil) {
		e.w.Log.AddOnce(features.BrokenArguments, "stream.calls.arguments", "left out")
		return dst
	}
	w.EndObject()
	it.id, it.raw, it.text = id, w.Out, nil
	it = e.newItem(it)
	return e.itemDone(e.itemAdded(dst, it), it)
}

// callDone ends a call that is whole.
func (e *encoder) callDone(dst []byte, it *openItem) []byte {
	event, member := "function_call_arguments.done", `,"arguments":"`
	if it.kind == customItem {
		event, member = "custom_tool_call_input.done", `,"input":"`
	}
	dst = append(e.beginEvent(dst, "response."+event), it.place...)
	dst = append(append(append(dst, member...), it.text...), '"')
	return e.itemDone(e.endPiece(dst, event, it.call), it)
}

// input writes a piece of a custom call's input, which is the one argument, or
// whatever there is.
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
	return e.endPiece(append(dst, '"'), "custom_tool_call_input.delta", it.call)
}

// piece writes a piece of what is open in an item.
func (e *encoder) piece(dst []byte, it *openItem, event, text string) []byte {
	dst = append(e.beginEvent(dst, event), it.head...)
	from := len(dst) + 1
	dst = rawjson.AppendQuoted(dst, text)
	it.text = append(it.text, dst[from:len(dst)-1]...)
	if len(e.waiting) == 0 {
		if it.part.kind == textPart {
			dst = append(dst, `,"logprobs":[]`...)
		}
		return append(dst, "}\n\n"...)
	}
	event = event[len("response."):]
	if it.part.kind == textPart && !e.waiting.has(event, "logprobs") {
		dst = append(dst, `,"logprobs":[]`...)
	}
	return e.endPiece(dst, event, it.call)
}

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
