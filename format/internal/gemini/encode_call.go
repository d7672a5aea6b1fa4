package gemini

import (
	"maps"
	"slices"

	"github.com/toolparse/toolparse/format/internal/features"
	"github.com/toolparse/toolparse/format/internal/jsonout"
	"github.com/toolparse/toolparse/format/internal/unknown"
	"github.com/toolparse/toolparse/toolcall"
)

// heldCall is a call that is held until it is complete.
type heldCall struct {
	number    int
	id, name  string
	args      []byte
	signature string
	part, own unknown.Members // extras of the call's part, and its own
	done      bool
	gone      bool // it is too long
}

// maxHeld limits the bytes of calls that are held.
const maxHeld = 64 << 20

// signs reports whether the signature of a call may come after it.
func (e *encoder) signs() bool {
	from := features.TraitsOf(e.meta.Wire)
	return from.SignsCalls || from.PassesSignatures
}

// EndEvent writes the complete calls. Gemini signs a call in its event; gateways may do
// so later, but not after a finish reason.
func (e *encoder) EndEvent(dst []byte, finished bool) []byte {
	if e.meta.Wire != Wire && !finished {
		return dst
	}
	for _, a := range e.choices {
		if len(a.pending) > 0 && a.pending[0].done {
			return e.releaseAll(dst)
		}
	}
	return dst
}

// call adds a piece to a call, and writes complete calls in order.
func (e *encoder) call(dst []byte, d toolcall.Delta, a *answer) []byte {
	var c *heldCall
	if d.Index >= a.calls { // the next call in normal form
		dst = e.release(dst, d.Choice, a)
		a.calls = d.Index + 1
		c = &heldCall{number: d.Index, id: d.ID, name: d.Name, part: a.own.part}
		a.own.part = nil
		if d.Custom {
			e.w.Log.AddOnce(features.CustomTool, "stream.calls.custom", features.CustomCall)
		}
		a.pending = append(a.pending, c)
	} else if i := slices.IndexFunc(a.pending, func(c *heldCall) bool { return c.number == d.Index }); i >= 0 {
		c = a.pending[i]
	}
	if c == nil || c.done || c.gone {
		return dst
	}
	if e.held += len(d.Text); e.held > maxHeld {
		e.held -= len(c.args) + len(d.Text)
		c.args, c.gone = nil, true
	} else {
		c.args = append(c.args, d.Text...)
	}
	c.done = d.Done && !c.gone
	if !e.signs() {
		dst = e.release(dst, d.Choice, a)
	}
	return dst
}

// release writes the complete calls before the first incomplete one.
func (e *encoder) release(dst []byte, choice int, a *answer) []byte {
	for len(a.pending) > 0 && a.pending[0].done {
		dst = e.whole(dst, choice, a, a.pending[0])
		a.written++
		a.pending = a.pending[1:]
		a.thinks = false
	}
	return dst
}

// releaseAll writes the complete calls of all choices.
func (e *encoder) releaseAll(dst []byte) []byte {
	for _, number := range slices.Sorted(maps.Keys(e.choices)) {
		a := e.choices[number]
		dst = e.release(e.setPart(dst, number, a, ""), number, a)
	}
	return dst
}

// restart drops the incomplete calls, which are void, and writes those that waited for
// them.
func (e *encoder) restart(dst []byte) []byte {
	for _, a := range e.choices {
		a.pending = slices.DeleteFunc(a.pending, func(c *heldCall) bool {
			if !c.done {
				e.held -= len(c.args)
			}
			return !c.done
		})
	}
	return e.releaseAll(dst)
}

// whole writes a call.
func (e *encoder) whole(dst []byte, choice int, a *answer, c *heldCall) []byte {
	e.held -= len(c.args)
	w := jsonout.Writer{Out: e.begin(dst)}
	w.Object()
	w.KeyObject("functionCall")
	w.Text("id", e.w.ID(c.id, "stream.calls.id"))
	w.Text("name", e.w.CalledName(c.name, "stream.calls.name"))
	w.Key("args")
	e.w.StreamedArguments(&w, c.args)
	w.Out = c.own.TakeAll(w.Out)
	w.EndObject()
	w.Text("thoughtSignature", c.signature)
	w.Out = c.part.TakeAll(w.Out)
	w.EndObject()
	return e.end(w.Out, choice, a)
}

// settle writes the calls of a choice that has ended. It leaves out incomplete calls, so
// that nobody runs them.
func (e *encoder) settle(dst []byte, choice int, a *answer) []byte {
	dst = e.release(e.setPart(dst, choice, a, ""), choice, a)
	var whole []*heldCall
	for _, c := range a.pending {
		if c.done {
			whole = append(whole, c)
			continue
		}
		a.cut = true
		e.w.Log.Add(features.BrokenArguments, "stream.calls."+c.name, "the call is left out, and the answer ends as truncated")
	}
	a.pending = whole
	return e.release(dst, choice, a)
}
