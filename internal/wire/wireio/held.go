package wireio

import (
	"slices"

	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/toolcall"
)

// HeldCalls are the calls of one answer that an encoder holds until they are complete, in
// their order. Own is what a wire keeps for each call.
type HeldCalls[Own any] struct {
	Begun   int // number of calls so far
	Pending []*HeldCall[Own]
}

// HeldCall is one of them.
type HeldCall[Own any] struct {
	ID, Name string
	Args     []byte
	Done     bool
	Own      Own

	Number  int
	tooLong bool
}

// maxHeld limits the bytes of the arguments of all calls that are held. A call that exceeds
// it is never complete.
const maxHeld = 64 << 20

// Add adds a piece to its call. begin returns what the wire keeps for a new call. held counts
// the bytes of all calls of the stream.
func (h *HeldCalls[Own]) Add(d toolcall.Delta, held *int, log *features.Log, begin func() Own) {
	var c *HeldCall[Own]
	if d.Index >= h.Begun { // the next call in normal form
		h.Begun = d.Index + 1
		c = &HeldCall[Own]{ID: d.ID, Name: d.Name, Own: begin(), Number: d.Index}
		if d.Custom {
			log.AddOnce(features.CustomTool, "stream.calls.custom", features.CustomCall)
		}
		h.Pending = append(h.Pending, c)
	} else if i := slices.IndexFunc(h.Pending, func(c *HeldCall[Own]) bool { return c.Number == d.Index }); i >= 0 {
		c = h.Pending[i]
	}
	if c == nil || c.Done || c.tooLong {
		return
	}
	if *held += len(d.Text); *held > maxHeld {
		*held -= len(c.Args) + len(d.Text)
		c.Args, c.tooLong = nil, true
		return
	}
	c.Args = append(c.Args, d.Text...)
	c.Done = d.Done
}

// Next removes the first call if it is complete, and returns it, or nil.
func (h *HeldCalls[Own]) Next(held *int) *HeldCall[Own] {
	if len(h.Pending) == 0 || !h.Pending[0].Done {
		return nil
	}
	c := h.Pending[0]
	h.Pending = h.Pending[1:]
	*held -= len(c.Args)
	return c
}

// Drop removes the calls that are not complete, and returns them.
func (h *HeldCalls[Own]) Drop(held *int) (dropped []*HeldCall[Own]) {
	var remaining []*HeldCall[Own]
	for _, c := range h.Pending {
		if c.Done {
			remaining = append(remaining, c)
			continue
		}
		*held -= len(c.Args)
		dropped = append(dropped, c)
	}
	h.Pending = remaining
	return dropped
}
