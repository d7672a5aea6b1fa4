package anthropic

import (
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/wireio"
	"github.com/toolparse/toolparse/toolcall"
)

// toolCall writes a piece of a call if the call's block is open or can be opened, and
// otherwise keeps it.
func (e *encoder) toolCall(dst []byte, d toolcall.Delta) []byte {
	switch isOpen := e.open == toolBlock; {
	case isOpen && d.Index == e.call.number:
		return e.next(e.callPiece(dst, d))
	case e.queue.abandoned[d.Index]:
		e.w.Log.AddOnce(features.AfterFinish, "stream.calls", "left out: the call was abandoned")
		return dst
	case isOpen:
		return e.postpone(dst, d)
	}
	return e.callPiece(dst, d)
}

// callPiece writes a piece of the open call, or of one that it begins.
func (e *encoder) callPiece(dst []byte, d toolcall.Delta) []byte {
	if e.open != toolBlock {
		dst = e.startCall(dst, d)
	}
	if dst = e.input(dst, d.Text, d.Done); d.Done {
		dst = e.stop(dst)
	}
	return dst
}

// startCall opens the block of a call.
func (e *encoder) startCall(dst []byte, d toolcall.Delta) []byte {
	dst = e.start(e.stop(dst), `"tool_use","id":`)
	dst = rawjson.AppendQuoted(dst, e.w.ID(d.ID, "stream.calls.id"))
	dst = append(dst, `,"name":`...)
	name, _, _ := e.w.CalledTool(d.Name)
	dst = rawjson.AppendQuoted(dst, e.w.Name(e.bareName(name), "stream.calls.name"))
	e.call = openCall{number: d.Index}
	e.calls++
	if d.Custom {
		e.w.Log.AddOnce(features.CustomTool, "stream.calls.custom", features.CustomCall)
	}
	return e.started(append(dst, `,"input":{}`...), toolBlock)
}

// bareName returns the name of a call without its toolset, if it has one.
func (e *encoder) bareName(name string) string {
	toolset, _ := rawjson.Parse(e.waiting.Of(kinds[toolBlock].in).Get(toolsetName))
	return wireio.BareName(toolset.Text(), name)
}

// input writes a piece of the open call's input. An input that is not an object is
// wrapped, and written at its end, because a piece of it could close the wrapper.
func (e *encoder) input(dst []byte, text string, done bool) []byte {
	if !e.call.started && text != "" {
		if first := wireio.FirstByte(text); first != 0 {
			e.call.started = true
			if first != '{' {
				e.w.Log.AddOnce(features.NotObject, "stream.calls.arguments")
				e.call.wrapped = true
				dst = e.piece(dst, inputPiece, `{"input":`)
			}
		}
	}
	if e.call.wrapped {
		if e.call.value = append(e.call.value, text...); !done {
			return dst
		}
		text = string(e.call.value) + "}"
	}
	if text == "" {
		return dst
	}
	return e.piece(dst, inputPiece, text)
}

// postpone keeps a delta until the open call ends. It gives the call up when too much is
// waiting for that.
func (e *encoder) postpone(dst []byte, d toolcall.Delta) []byte {
	if e.queue.add(d); e.queue.heldBytes <= maxHeld {
		return dst
	}
	e.w.Log.AddOnce(features.InterleavedCalls, "stream.calls", "cut off: too much output waits for its end")
	return e.next(e.giveUp(dst))
}

// next writes what waited for the end of a call, up to the next unfinished call.
func (e *encoder) next(dst []byte) []byte {
	for e.open != toolBlock && len(e.queue.items) > 0 {
		if d := e.queue.pop(); d.Kind == toolcall.DeltaToolCall {
			dst = e.callPiece(dst, d)
		} else {
			dst = e.write(dst, d)
		}
	}
	return dst
}

// giveUp treats the open call as truncated: its block gets no stop, and later pieces are
// ignored.
func (e *encoder) giveUp(dst []byte) []byte {
	if e.open == toolBlock {
		if e.queue.abandoned == nil {
			e.queue.abandoned = map[int]bool{}
		}
		e.queue.abandoned[e.call.number] = true
		e.cut = true
		e.open = noBlock
	}
	return dst
}

// flush writes everything that is waiting, at the end of the output. Blocks of unfinished
// calls stay open.
func (e *encoder) flush(dst []byte) []byte {
	for e.open == toolBlock && len(e.queue.items) > 0 {
		dst = e.next(e.giveUp(dst))
	}
	if e.open != toolBlock {
		dst = e.stop(dst)
	}
	return dst
}

// queue holds what is waiting for the end of a call, in order: calls, and runs of text.
type queue struct {
	items     []*waiting
	calls     map[int]*waiting // those that are calls, by number
	abandoned map[int]bool     // calls whose further pieces are ignored
	heldBytes int              // bytes
}

// waiting are deltas that are written as one: the first, with the text of all.
type waiting struct {
	toolcall.Delta
	text []byte
}

const (
	maxHeld  = 1 << 20 // bytes that may wait
	itemSize = 256     // counted for each entry, in addition to its text
)

// add adds a delta.
func (q *queue) add(d toolcall.Delta) {
	var item *waiting
	if d.Kind == toolcall.DeltaToolCall {
		item = q.calls[d.Index]
	} else if n := len(q.items); n > 0 && d.Kind <= toolcall.DeltaReasoning && q.items[n-1].Kind == d.Kind {
		item = q.items[n-1]
	}
	if item == nil {
		item = &waiting{Delta: d}
		q.items = append(q.items, item)
		q.heldBytes += itemSize
		if d.Kind == toolcall.DeltaToolCall {
			if q.calls == nil {
				q.calls = map[int]*waiting{}
			}
			q.calls[d.Index] = item
		}
	}
	item.text = append(item.text, d.Text...)
	item.Done = item.Done || d.Done
	q.heldBytes += len(d.Text)
}

// pop removes and returns the first entry. There is one.
func (q *queue) pop() toolcall.Delta {
	item := q.items[0]
	q.items[0] = nil
	q.items = q.items[1:]
	q.heldBytes -= len(item.text) + itemSize
	if item.Kind == toolcall.DeltaToolCall {
		delete(q.calls, item.Index)
	}
	item.Text = string(item.text)
	return item.Delta
}
