package normalize

import (
	"hash/maphash"

	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/native"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/toolcall"
)

// choice is one of the answers. It is the host of its calls.
type choice struct {
	*Deltas
	number   int
	finish   toolcall.Delta // the last finish reason; the zero Delta before there is one
	created  int            // number of calls
	count    int            // and of calls that were emitted
	calls    native.Calls[*call]
	at       map[int]*call // the last call at each index,
	id       map[string]*call
	used     map[string]bool // ids that were emitted
	last     *call
	lastKind toolcall.DeltaKind // kind of the last delta that was not of a call
	cut      bool               // an emitted call did not become complete
	broken   []string           // names of such calls whose loss has not been reported
}

// call is a call in normal form.
type call struct {
	open   *native.Call[*call] // nil when it has ended; then size and sum describe its arguments
	args   *arguments
	number int    // in normal form
	opened bool   // some of the call was emitted
	name   string // when it has ended
	size   int
	sum    uint64
}

// arguments are the arguments of an open call. What was not emitted yet is in out.
type arguments struct {
	jsonstream.Arguments
	out jsonstream.Out
}

// forget drops the calls of an abandoned message.
func (c *choice) forget() {
	c.at, c.id, c.last = map[int]*call{}, map[string]*call{}, nil
	c.calls.Forget()
}

// toolCall handles a fragment of a call.
func (n *Deltas) toolCall(d *toolcall.Delta) {
	c := n.choice(d.Choice)
	of, place := c.calls.Of(d)
	switch place {
	case native.Late:
		c.late(d)
		return
	case native.Begins:
		// In Chat Completions names may come in pieces.
		c.calls.WholeNames = n.meta.Wire != "" && !features.TraitsOf(n.meta.Wire).NamesInPieces
		c.created++
		of = c.calls.Begin(d, c.created > native.MaxCalls)
		of.Own = &call{open: of}
		if d.Index != toolcall.NoIndex {
			c.at[d.Index] = of.Own
		}
		c.last, c.lastKind = of.Own, 0
	}
	if of.ID == "" && d.ID != "" {
		c.id[d.ID] = of.Own
	}
	c.calls.Extend(of, d)
}

// Declares implements [native.Host]: the tools are unknown.
func (c *choice) Declares(string) bool { return false }

// Named implements [native.Host].
func (c *choice) Named(of *native.Call[*call]) *jsonstream.Arguments {
	a := &arguments{}
	a.Value.Out, a.Value.MaxDepth, a.Value.Quiet, a.Value.Silent = &a.out, native.MaxDepth, true, true
	of.Own.args = a
	return &a.Arguments
}

// Grown implements [native.Host]. It holds back the end of the object, because the call is
// certainly complete only when the wire says so or moves on.
func (c *choice) Grown(of *native.Call[*call]) {
	text := ""
	if !of.Args.WroteAll() {
		text = of.Own.args.out.Take()
	}
	c.give(of, text, false)
}

// Ended implements [native.Host].
func (c *choice) Ended(of *native.Call[*call], status toolcall.Status, reason toolcall.Reason) {
	switch {
	case reason == toolcall.ReasonTooManyCalls:
		c.Log.Add(features.NamelessCall, "stream.calls", "left out: too many calls")
	case !of.Named:
		c.Log.Add(features.NamelessCall, "stream.calls")
	default:
		text, whole := "", status == toolcall.Complete
		switch {
		case of.Args.Form == jsonstream.FormUnknown && of.Status != 0: // something else than an object
			text = of.Sent()
		case whole || !of.Args.WroteAll():
			text = of.Own.args.out.Take()
		}
		c.give(of, text, whole)
		c.report(of, whole, reason)
	}
	sent := of.Sent()
	own := of.Own
	own.open, own.args, own.name, own.size, own.sum = nil, nil, of.Label, len(sent), maphash.String(seed, sent)
}

// report records the losses of a call that has ended.
func (c *choice) report(of *native.Call[*call], whole bool, reason toolcall.Reason) {
	c.cut = c.cut || !whole
	field := "stream.calls." + of.Label
	switch {
	case whole && of.Args.Tolerances()|of.Tolerances&toolcall.DuplicateArgument != 0:
		c.Log.Add(features.RepairedArguments, field)
	case whole:
	case reason == toolcall.ReasonArgumentsDiffer:
		c.Log.Add(features.DifferentEnd, field)
	case of.Status != 0 && !c.holds: // not truncated, whatever the finish reason is
		c.Log.Add(features.BrokenArguments, field, brokenCall)
	default:
		c.broken = append(c.broken, of.Label)
	}
}

// give appends what is new of a call. Done comes with the end of the arguments.
func (c *choice) give(of *native.Call[*call], text string, done bool) {
	own := of.Own
	d := toolcall.Delta{Kind: toolcall.DeltaToolCall, Choice: c.number, Index: own.number, Text: text, Done: done}
	switch {
	case !own.opened:
		own.opened = true
		own.number = c.count
		c.count++
		d.Index, d.Name, d.ID, d.Custom = own.number, of.Label, c.uniqueID(of), of.Custom
	case text == "" && !done:
		return
	}
	c.dst = append(c.dst, d)
}

// uniqueID returns the id of a call for the encoder.
func (c *choice) uniqueID(of *native.Call[*call]) string {
	id := of.ID
	if id == "" && c.bare {
		return ""
	}
	for k := of.Own.number; id == "" || c.used[id]; k += native.MaxCalls {
		id = wire.MakeID(wire.Seed(c.meta, c.number)+of.ID, k, of.Label)
	}
	c.used[id] = true
	return id
}

var seed = maphash.MakeSeed()

// late handles a fragment of a call that has ended, which nearly always repeats it.
func (c *choice) late(d *toolcall.Delta) {
	of := c.at[d.Index]
	if byID := c.id[d.ID]; d.ID != "" && byID != nil {
		of = byID
	}
	if of == nil || lex.TrimBlanks(d.Text) == "" || of.repeats(d.Text) {
		return
	}
	c.Log.Add(features.DifferentEnd, "stream.calls."+of.name, "left out: it has already ended")
}

// repeats reports whether a text repeats the arguments of a call that has ended.
func (of *call) repeats(text string) bool {
	return len(text) >= of.size && lex.TrimBlanks(text[of.size:]) == "" && maphash.String(seed, text[:of.size]) == of.sum
}

// numberAt returns the number of the call at the index of d, or NoIndex.
func (n *Deltas) numberAt(d *toolcall.Delta) int {
	c := n.choices[d.Choice]
	if c == nil || d.Index == toolcall.NoIndex {
		return toolcall.NoIndex
	}
	return c.numberOf(c.at[d.Index])
}

// signed returns the number of the call that a signature belongs to.
func (n *Deltas) signed(d *toolcall.Delta) int {
	c := n.choices[d.Choice]
	if c == nil || d.Name != toolcall.SignsCall {
		return toolcall.NoIndex
	}
	of := c.last
	if byID := c.id[d.ID]; d.ID != "" && byID != nil {
		of = byID
	} else if at := c.at[d.Index]; d.Index != toolcall.NoIndex && at != nil {
		of = at
	}
	return c.numberOf(of)
}

// numberOf returns the number of a call, and emits the call first: what belongs to it
// follows.
func (c *choice) numberOf(of *call) int {
	if of == nil {
		return toolcall.NoIndex
	}
	if !of.opened && of.open != nil {
		c.calls.Settle(of.open)
	}
	if !of.opened {
		return toolcall.NoIndex
	}
	return of.number
}
