package history

import (
	"encoding/binary"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/text"
	"github.com/toolparse/toolparse/toolcall"
)

// turn is a turn of the model, with the results of its calls. How it is written depends on
// nothing else.
type turn struct {
	reasoning, text string
	calls           []*chat.Call
	results         []*chat.Result // of the calls; nil for a call without one
	earlier         int            // number of calls that are written before it
	last            bool           // no message follows, so that missing results may still come
}

// writtenTurn is how a turn is written.
type writtenTurn struct {
	text    string
	calls   int      // number of calls that are written in the dialect's form
	results []string // their turns
	words   []string // results that are described in words
}

// written writes a turn, or returns how it was written before. It does not remember a turn
// with losses, because these name their place in the conversation.
func (r *rendering) written(t *turn) *writtenTurn {
	size, ok := t.size()
	if !ok || !r.opts.Texts.Keeps(size) {
		return r.write(t)
	}
	r.key = t.appendKey(r.key[:0])
	rendered := r.opts.Texts.Made(r.maker, r.key, func() (any, int) {
		losses := len(r.losses)
		out := r.write(t)
		if len(r.losses) > losses {
			return out, -1
		}
		size := len(out.text)
		for _, text := range out.results {
			size += len(text)
		}
		return out, size
	})
	return rendered.(*writtenTurn)
}

// size returns the bytes of what a turn consists of. ok is false if a result contains
// something other than text.
func (t *turn) size() (size int, ok bool) {
	size = len(t.reasoning) + len(t.text)
	for i, c := range t.calls {
		size += len(c.Name) + len(c.ID) + len(c.Arguments)
		if t.results[i] == nil {
			continue
		}
		for _, p := range t.results[i].Parts {
			if p.Kind != chat.PartText && p.Kind != chat.PartRefusal {
				return 0, false
			}
			size += len(p.Text)
		}
	}
	return size, true
}

// appendKey appends what a turn consists of.
func (t *turn) appendKey(dst []byte) []byte {
	flags := byte(0)
	if t.last {
		flags = 1
	}
	dst = binary.AppendUvarint(append(dst, flags), uint64(t.earlier))
	dst = appendField(appendField(dst, t.reasoning), t.text)
	for i, c := range t.calls {
		dst = appendField(appendField(appendField(dst, c.Name), c.ID), c.Arguments)
		result := t.results[i]
		switch {
		case result == nil:
			dst = append(dst, 0)
			continue
		case result.IsError:
			dst = append(dst, 1)
		default:
			dst = append(dst, 2)
		}
		dst = binary.AppendUvarint(dst, uint64(len(result.Parts)))
		for _, p := range result.Parts {
			dst = appendField(dst, p.Text)
		}
	}
	return dst
}

// appendField appends a text so that the next one cannot be confused with it.
func appendField(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

// write writes a turn.
func (r *rendering) write(t *turn) *writtenTurn {
	msg := text.Message{Reasoning: t.reasoning, Text: t.text, Earlier: t.earlier, Turn: true}
	written, ok := r.asCalls(msg, t.calls)
	inForm := make([]bool, len(t.calls)) // the calls that are not described in words
	count := 0
	for i, c := range t.calls {
		inForm[i] = ok
		if !ok {
			var inv toolcall.ToolInvocation
			if inv, inForm[i] = r.callable(c); inForm[i] {
				msg.Calls = append(msg.Calls, inv)
			} else {
				msg.Text = joined(msg.Text, r.prose(c))
			}
		}
		if inForm[i] {
			count++
		}
	}
	if !ok {
		written = r.checked(msg)
	}
	out := &writtenTurn{text: written, calls: count}
	r.answer(t, inForm, out)
	return out
}
