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
	if e.open == toolBlock && d.Index == e.call.number {
		dst = e.input(dst, d.Text, d.Done)
		if d.Done {
			dst = e.next(e.stop(dst))
		}
		return dst
	}
	if e.queue.abandoned[d.Index] {
		e.w.Log.AddOnce(features.AfterFinish, "stream.calls", "left out: the call was abandoned")
		return dst
	}
	if e.open == toolBlock {
		e.queue.add(d)
		return e.relieve(dst)
	}
	dst = e.startCall(dst, d)
	dst = e.input(dst, d.Text, d.Done)
	if d.Done {
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
	toolset, err := rawjson.Parse(e.waiting.Of(kinds[toolBlock].in).Get(toolsetName))
	if err != nil || toolset.Kind != rawjson.String {
		return name
	}
	return wireio.BareName(new(rawjson.Texts).Whole(toolset), name)
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

// next writes what waited for the end of a call, up to the next unfinished call.
func (e *encoder) next(dst []byte) []byte {
	for e.open != toolBlock {
		item, ok := e.queue.pop()
		if !ok {
			break
		}
		d := item.delta
		d.Text = string(item.text)
		if d.Kind != toolcall.DeltaToolCall {
			dst = e.write(dst, d)
			continue
		}
		dst = e.startCall(dst, d)
		dst = e.input(dst, d.Text, item.done)
		if item.done {
			dst = e.stop(dst)
		}
	}
	return dst
}

// relieve gives up the open call when too much is waiting for it.
func (e *encoder) relieve(dst []byte) []byte {
	if e.queue.heldBytes <= maxHeld {
		return dst
	}
	e.w.Log.AddOnce(features.InterleavedCalls, "stream.calls", "cut off: too much output waits for its end")
	return e.next(e.giveUp(dst))
}

// giveUp treats the open call as truncated: its block gets no stop, and later pieces are
// ignored.
func (e *encoder) giveUp(dst []byte) []byte {
	if e.open == toolBlock {
		e.queue.giveUp(e.call.number)
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

// queue holds what is waiting for the end of a call, in order.
type queue struct {
	items     []*waiting
	calls     map[int]*waiting // waiting calls, by number
	abandoned map[int]bool
	heldBytes int // bytes
}

// waiting is a call or a run of text.
type waiting struct {
	delta toolcall.Delta // the first delta
	text  []byte
	done  bool
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
	} else if n := len(q.items); n > 0 && d.Kind <= toolcall.DeltaReasoning && q.items[n-1].delta.Kind == d.Kind {
		item = q.items[n-1]
	}
	if item == nil {
		item = &waiting{delta: d}
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
	item.done = item.done || d.Done
	q.heldBytes += len(d.Text)
}

// pop removes and returns the first entry.
func (q *queue) pop() (*waiting, bool) {
	if len(q.items) == 0 {
		return nil, false
	}
	item := q.items[0]
	q.items[0] = nil
	q.items = q.items[1:]
	q.heldBytes -= len(item.text) + itemSize
	if item.delta.Kind == toolcall.DeltaToolCall {
		delete(q.calls, item.delta.Index)
	}
	return item, true
}

// giveUp makes the queue ignore further pieces of a call.
func (q *queue) giveUp(call int) {
	if q.abandoned == nil {
		q.abandoned = map[int]bool{}
	}
	q.abandoned[call] = true
}
