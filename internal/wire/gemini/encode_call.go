package gemini

import (
	"maps"
	"slices"

	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/jsonout"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/internal/wire/wireio"
	"github.com/toolparse/toolparse/toolcall"
)

// callExtras are what a call that is held has beside its name and arguments.
type callExtras struct {
	signature string
	part      unknown.Members // extras of the call's part
	extras    unknown.Waiting // of the call itself
}

type heldCall = wireio.HeldCall[callExtras]

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
		if len(a.calls.Pending) > 0 && a.calls.Pending[0].Done {
			return e.releaseAll(dst)
		}
	}
	return dst
}

// call adds a piece to a call, and writes complete calls in order.
func (e *encoder) call(dst []byte, d toolcall.Delta, a *answer) []byte {
	if d.Index >= a.calls.Begun { // the next call in normal form
		dst = e.release(dst, d.Choice, a)
	}
	a.calls.Add(d, &e.held, &e.w.Log, func() callExtras {
		return callExtras{part: a.extras.Drop(inPart)}
	})
	if !e.signs() {
		dst = e.release(dst, d.Choice, a)
	}
	return dst
}

// release writes the complete calls before the first incomplete one.
func (e *encoder) release(dst []byte, choice int, a *answer) []byte {
	for c := a.calls.Next(&e.held); c != nil; c = a.calls.Next(&e.held) {
		dst = e.whole(dst, choice, a, c)
		a.written++
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
		a.calls.Drop(&e.held)
	}
	return e.releaseAll(dst)
}

// whole writes a call.
func (e *encoder) whole(dst []byte, choice int, a *answer, c *heldCall) []byte {
	w := jsonout.Writer{Out: e.begin(dst)}
	w.Object()
	w.KeyObject("functionCall")
	w.Text("id", e.w.ID(c.ID, "stream.calls.id"))
	w.Text("name", e.w.CalledName(c.Name, "stream.calls.name"))
	w.Key("args")
	e.w.StreamedArguments(&w, c.Args)
	w.Out = c.Own.extras.Take(w.Out, callPath)
	w.EndObject()
	w.Text("thoughtSignature", c.Own.signature)
	w.Out = c.Own.part.AppendTo(w.Out)
	w.EndObject()
	return e.end(w.Out, choice, a)
}

// settle writes the calls of a choice that has ended. It leaves out incomplete calls, so
// that nobody runs them.
func (e *encoder) settle(dst []byte, choice int, a *answer) []byte {
	dst = e.release(e.setPart(dst, choice, a, ""), choice, a)
	for _, c := range a.calls.Drop(&e.held) {
		a.cut = true
		e.w.Log.Add(features.BrokenArguments, "stream.calls."+c.Name, "the call is left out, and the answer ends as truncated")
	}
	return e.release(dst, choice, a)
}
