package ollama

import (
	"slices"

	"github.com/toolparse/toolparse/format/internal/features"
	"github.com/toolparse/toolparse/format/internal/jsonout"
	"github.com/toolparse/toolparse/toolcall"
)

// heldCall is one that is held until all of it is there.
type heldCall struct {
	number   int
	id, name string
	args     []byte
	extras   callExtras
	done     bool
	gone     bool // it is too long
}

// maxHeld bounds the bytes of calls that are held.
const maxHeld = 64 << 20

// call adds a piece to a call, and writes those that are whole, in their order.
func (e *encoder) call(dst []byte, d toolcall.Delta) []byte {
	var c *heldCall
	if d.Index >= e.calls { // in normal form: the next one
		e.calls = d.Index + 1
		c = &heldCall{number: d.Index, id: d.ID, name: d.Name, extras: e.own.call}
		e.own.call = callExtras{}
		if d.Custom {
			e.w.Log.AddOnce(features.CustomTool, "stream.calls.custom", features.CustomCall)
		}
		e.pending = append(e.pending, c)
	} else if i := slices.IndexFunc(e.pending, func(c *heldCall) bool { return c.number == d.Index }); i >= 0 {
		c = e.pending[i]
	}
	if c == nil || c.done || c.gone {
		return dst
	}
	if e.held += len(d.Text); e.held > maxHeld {
		e.held -= len(c.args) + len(d.Text)
		c.args, c.gone = nil, true
		return dst
	}
	c.args = append(c.args, d.Text...)
	c.done = d.Done
	return e.release(dst)
}

// release writes the calls that are whole, up to the first that is not.
func (e *encoder) release(dst []byte) []byte {
	for len(e.pending) > 0 && e.pending[0].done {
		dst = e.whole(dst, e.pending[0])
		e.pending = e.pending[1:]
	}
	return dst
}

// restart forgets the calls that are not whole, which are void, and writes those
// that waited for them.
func (e *encoder) restart(dst []byte) []byte {
	e.pending = slices.DeleteFunc(e.pending, func(c *heldCall) bool {
		if !c.done {
			e.held -= len(c.args)
		}
		return !c.done
	})
	return e.release(dst)
}

// whole writes a call.
func (e *encoder) whole(dst []byte, c *heldCall) []byte {
	e.held -= len(c.args)
	w := jsonout.Writer{Out: append(e.begin(dst), `"","tool_calls":[`...)}
	w.Object()
	w.Text(fieldID, e.w.ID(c.id, "stream.calls.id"))
	w.KeyObject(inFunction)
	w.KeyInt(fieldIndex, int64(e.written))
	w.KeyString(fieldName, e.w.CalledName(c.name, "stream.calls.name"))
	w.Key(fieldArguments)
	args := jsonout.OneLine(c.args)
	if isObject(args) {
		w.Raw(args)
	} else {
		e.w.Log.AddOnce(features.NotObject, "stream.calls.arguments")
		w.Object()
		w.Member("input", args)
		w.EndObject()
	}
	e.written++
	dst = append(c.extras.function.AppendTo(w.Out), '}')
	return e.end(append(c.extras.call.AppendTo(dst), "}]"...))
}

// isObject reports whether JSON is an object.
func isObject(json []byte) bool {
	for _, c := range json {
		if c != ' ' && c != '\t' {
			return c == '{'
		}
	}
	return false
}

// settle writes the calls of an answer that has ended. What is not whole is
// left out, so that nobody runs it.
func (e *encoder) settle(dst []byte) []byte {
	for _, c := range e.pending {
		if c.done {
			dst = e.whole(dst, c)
			continue
		}
		e.cut = true
		done := leftOut
		if e.failed {
			done = "the call is left out"
		}
		e.w.Log.Add(features.BrokenArguments, "stream.calls."+c.name, done)
		e.unplacedCall(c.extras)
	}
	e.unplacedCall(e.own.call)
	e.pending, e.own.call = nil, callExtras{}
	return dst
}
