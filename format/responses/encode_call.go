package responses

import (
	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format/internal/carry"
	"github.com/toolparse/toolparse/format/internal/payload"
)

// call writes a piece of a call: its item first, which ends what the model said
// before.
func (e *encoder) call(dst []byte, d toolparse.Delta) []byte {
	it := e.calls[d.Index]
	if it == nil {
		dst = e.closeProse(dst)
		kind := functionItem
		if d.Custom {
			kind = customItem
		}
		it = e.newItem(e.announced(kind))
		it.callID, it.name = e.w.ID(d.ID, "stream.calls.id"), e.w.Name(d.Name, "stream.calls.name")
		it.call = d.Index
		it.point("")
		e.calls[d.Index] = it
		e.open++
		dst = e.itemAdded(dst, it)
	}
	if it.done || it.ready {
		return dst
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
		e.w.Log.AddOnce(carry.BrokenArguments, "stream.calls.arguments", "what is no input is left out")
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
	dst = payload.AppendQuoted(dst, text)
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
