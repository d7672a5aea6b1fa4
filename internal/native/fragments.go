package native

import (
	"slices"

	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/toolcall"
)

// ending says how a call has ended.
type ending uint8

const (
	notEnded ending = iota
	well            // its arguments were complete, or its wire said that it ended
	broken          // it broke or was rejected before that, so the rest of it may follow
	named           // the same, on a wire that repeats the name with every fragment
)

// Place says where a fragment belongs.
type Place uint8

// The places.
const (
	Begins    Place = iota // it begins a call
	Continues              // it adds to an open call
	Late                   // it adds nothing: its call has ended
)

// Of returns the open call that a fragment continues, or says where else it belongs: by its
// index, its id and its position together, because servers omit, repeat or corrupt each of
// them.
func (x *Calls[T]) Of(d *toolcall.Delta) (*Call[T], Place) {
	at := x.find(d)
	switch {
	case x.isRest(d, at >= 0), at < 0 && d.Name == "" && x.isLate(d):
		return nil, Late
	case at < 0:
		return nil, Begins
	}
	c := x.Open[at]
	switch {
	case d.ID != "" && c.ID != "" && d.ID != c.ID && !(d.Name == "" && d.Index != toolcall.NoIndex && !c.IsComplete()):
		// Another id at the same index is another call, unless a server changes the ids of
		// fragments.
		return nil, Begins
	case d.ID == "" && d.Name != "" && c.Label != "" && c.IsComplete():
		return nil, Begins
	case d.ID == "" && d.Name != c.Label && x.Host.Declares(d.Name) && x.Host.Declares(c.Label):
		return nil, Begins
	}
	return c, Continues
}

// find returns the place in Open of the call with the fragment's index or id, or -1.
// Without either, a fragment with a name begins a call, and any other fragment continues
// the last one.
func (x *Calls[T]) find(d *toolcall.Delta) int {
	for at, c := range slices.Backward(x.Open) {
		switch {
		case d.Index != toolcall.NoIndex && c.Index != toolcall.NoIndex:
			if c.Index == d.Index {
				return at
			}
		case d.ID != "":
			if c.ID == d.ID {
				return at
			}
		case d.Name == "" || c.Label == "" || d.Name == c.Label && !c.text:
			return at
		}
	}
	return -1
}

// isLate reports whether a fragment without a name belongs to a call that has ended, and
// adds nothing to it: it is blank, or repeats the arguments.
func (x *Calls[T]) isLate(d *toolcall.Delta) bool {
	switch {
	case !d.Whole && lex.TrimBlanks(d.Text) != "":
		return false
	case d.ID != "":
		return x.id[d.ID] != notEnded
	}
	return x.index[d.Index] != notEnded || !d.Whole
}

// isRest reports whether a fragment continues a call that broke or was rejected before its
// wire ended it. open means that it seems to belong to an open call.
func (x *Calls[T]) isRest(d *toolcall.Delta, open bool) bool {
	end := x.last
	switch {
	case d.ID != "":
		return x.id[d.ID] >= broken // whatever else it repeats
	case d.Index != toolcall.NoIndex && open:
		return false
	case d.Index != toolcall.NoIndex:
		end = x.index[d.Index]
	}
	return end == named || end == broken && d.Name == ""
}

// remove removes an open call, which has ended.
func (x *Calls[T]) remove(c *Call[T]) {
	end := broken
	switch {
	case c.Named && c.Status == 0:
		end = well
	case c.again:
		end = named
	}
	if x.index == nil {
		x.index, x.id = map[int]ending{}, map[string]ending{}
	}
	x.index[c.Index], x.id[c.ID] = end, end
	at := slices.Index(x.Open, c)
	if at == len(x.Open)-1 {
		x.last = end
	}
	x.Open = slices.Delete(x.Open, at, at+1)
}

// Forget drops all calls, because the provider has discarded the message. The next one may
// reuse ids and indices.
func (x *Calls[T]) Forget() {
	clear(x.index)
	clear(x.id)
	x.Open, x.last, x.Finished = x.Open[:0], notEnded, false
}
