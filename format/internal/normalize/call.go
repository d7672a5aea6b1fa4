package normalize

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/features"
	"github.com/toolparse/toolparse/toolcall"
)

// The default limits of package parser.
const (
	maxCalls = 10_000  // in one choice
	maxOpen  = 128     // open at the same time
	maxHeld  = 4 << 20 // bytes of arguments before the name
)

// choice is one of the answers.
type choice struct {
	number   int
	finish   toolcall.Delta // the last finish reason; the zero Delta before there is one
	begun    int            // number of calls
	count    int            // and of calls that were emitted
	at       map[int]*call  // the last call at each index,
	id       map[string]*call
	ended    map[int]ending // how it ended
	over     map[string]ending
	final    ending          // how the last call ended
	used     map[string]bool // ids that were emitted
	open     []*call
	last     *call
	lastKind toolcall.DeltaKind // kind of the last delta that was not of a call
	cut      bool               // an emitted call did not become complete
	broken   []string           // names of such calls whose loss has not been reported
}

// call is a call that is being assembled.
type call struct {
	index    int // on its wire
	number   int // in normal form
	id       string
	name     string // so far
	named    bool   // the name is certain: something else of the call has come
	custom   bool   // its tool takes free text
	again    bool   // the name came again with a later fragment
	opened   bool   // some of the call was emitted
	reported bool   // the reason why it is not complete was reported
	whole    bool   // its wire has repeated all arguments
	held     []byte // arguments before the name, as they will be written
	args     arguments
}

// isComplete reports whether the wire need not say that the call has ended.
func (of *call) isComplete() bool { return of.named && of.args.ready }

// forget drops the calls of an abandoned message.
func (c *choice) forget() {
	c.at, c.id, c.last, c.open = map[int]*call{}, map[string]*call{}, nil, nil
	c.ended, c.over, c.final = map[int]ending{}, map[string]ending{}, notEnded
}

// ending says how a call has ended.
type ending uint8

const (
	notEnded ending = iota
	well            // complete, or as its wire says
	broken          // before that: the rest may still come
	named           // the same, on a wire that repeats the name in every fragment
)

// toolCall handles a fragment of a call.
func (n *Deltas) toolCall(dst []toolcall.Delta, d toolcall.Delta) []toolcall.Delta {
	c := n.choice(d.Choice)
	of, late := c.callOf(d)
	switch {
	case late:
		n.late(c, d)
		return dst
	case of == nil:
		dst = n.moveOn(dst, c, func(of *call) bool { return c.isBeside(of, d) })
		if c.begun == maxCalls || len(c.open) == maxOpen {
			n.Log.Add(features.NamelessCall, "stream.calls", "left out: too many calls")
			return dst
		}
		of = c.begin(d)
	}
	if of.id == "" {
		if of.id = d.ID; of.id != "" {
			c.id[of.id] = of
		}
	}
	of.custom = of.custom || d.Custom
	other := d.Done && d.Name != "" && of.named && d.Name != of.name
	if of.again = of.again || of.named && d.Name != ""; !of.named {
		of.name = joinName(of.name, d.Name)
		of.named = !IsNameless(of.name) && (!n.namesInPieces() || d.Text != "" || d.Whole || d.Done || of.args.hasText())
	}
	if other {
		n.Log.Add(features.DifferentEnd, "stream.calls."+of.name, "the wire ends the call as "+d.Name+", and it ends incomplete")
		of.reported = true
		of.args.spoil()
		return n.end(dst, c, of)
	}
	return n.extend(dst, c, of, d)
}

// namesInPieces reports whether names may come in pieces, as in Chat Completions, so that
// a name is certain only when something else of the call has come.
func (n *Deltas) namesInPieces() bool {
	return n.meta.Wire == "" || features.TraitsOf(n.meta.Wire).NamesInPieces
}

// IsNameless reports whether the name of a call is blank.
func IsNameless(name string) bool { return isBlank(name) }

// joinName adds a piece to a name. Servers send a name once, in every fragment, or in
// pieces.
func joinName(name, piece string) string {
	if strings.HasPrefix(piece, name) {
		return piece
	}
	return name + piece
}

// callOf returns the call that a fragment belongs to, or nil if it begins one. late
// reports that the call has ended, so that the fragment adds nothing. As in package
// parser, index, id and position decide together, because servers leave out each of them
// or get it wrong.
func (c *choice) callOf(d toolcall.Delta) (of *call, late bool) {
	of = c.openCall(d)
	switch {
	case c.isRest(d, of):
		return nil, true
	case of == nil:
		return nil, d.Name == "" && c.isLate(d)
	case d.ID != "" && of.id != "" && d.ID != of.id && !(d.Name == "" && d.Index != toolcall.NoIndex && !of.isComplete()):
		return nil, false
	case d.ID == "" && d.Name != "" && of.name != "" && of.isComplete():
		return nil, false
	}
	return of, false
}

func (c *choice) openCall(d toolcall.Delta) *call {
	for i := len(c.open) - 1; i >= 0; i-- {
		of := c.open[i]
		switch {
		case d.Index != toolcall.NoIndex && of.index != toolcall.NoIndex:
			if of.index == d.Index {
				return of
			}
		case d.ID != "":
			if of.id == d.ID {
				return of
			}
		case d.Name == "" || of.name == "" || d.Name == of.name && !of.args.hasText():
			return of
		}
	}
	return nil
}

func (c *choice) isLate(d toolcall.Delta) bool {
	switch {
	case !d.Whole && !isBlank(d.Text):
		return false
	case d.ID != "":
		return c.over[d.ID] != notEnded
	}
	return c.ended[d.Index] != notEnded || !d.Whole
}

// isRest reports whether a fragment continues a call that broke before the wire ended it.
// open is the open call that it seems to belong to.
func (c *choice) isRest(d toolcall.Delta, open *call) bool {
	end := c.final
	switch {
	case d.ID != "":
		return c.over[d.ID] >= broken // whatever else it repeats
	case d.Index != toolcall.NoIndex && open != nil:
		return false
	case d.Index != toolcall.NoIndex:
		end = c.ended[d.Index]
	}
	return end == named || end == broken && d.Name == ""
}

func (c *choice) begin(d toolcall.Delta) *call {
	of := &call{index: d.Index, id: d.ID}
	if d.Index != toolcall.NoIndex {
		c.at[d.Index] = of
	}
	if d.ID != "" {
		c.id[d.ID] = of
	}
	c.open = append(c.open, of)
	c.last, c.final, c.lastKind = of, notEnded, 0
	c.begun++
	return of
}

// isBeside reports whether a call with only a placeholder may go on although another one
// begins: that has only one, too, and another index.
func (c *choice) isBeside(of *call, d toolcall.Delta) bool {
	return d.Index != toolcall.NoIndex && of.index != toolcall.NoIndex && of.index != d.Index && strings.Trim(d.Text, " \t\r\n") == noArguments && len(c.open) < maxOpen
}

// moveOn ends the complete calls, and emits those with a name, because the wire has moved
// on. Calls with only a placeholder may go on if goesOn says so; nil means that none does.
func (n *Deltas) moveOn(dst []toolcall.Delta, c *choice, goesOn func(*call) bool) []toolcall.Delta {
	for i := 0; i < len(c.open); {
		of := c.open[i]
		if of.isComplete() && !(goesOn != nil && of.args.isPlaceholder() && goesOn(of)) {
			dst = n.end(dst, c, of)
			continue
		}
		dst = n.settle(dst, c, of)
		i++
	}
	return dst
}

// settle emits a call when its name is known.
func (n *Deltas) settle(dst []toolcall.Delta, c *choice, of *call) []toolcall.Delta {
	if of.opened || IsNameless(of.name) {
		return dst
	}
	of.named = true
	return n.give(dst, c, of, "", false)
}

// end ends a call, as complete if its arguments are.
func (n *Deltas) end(dst []toolcall.Delta, c *choice, of *call) []toolcall.Delta {
	dst = n.settle(dst, c, of)
	if !of.opened {
		n.Log.Add(features.NamelessCall, "stream.calls")
	} else if of.args.ready {
		dst = n.give(dst, c, of, of.args.tail, true)
	}
	n.close(c, of)
	return dst
}

// close records that the call accepts nothing more.
func (n *Deltas) close(c *choice, of *call) {
	if of.opened && of.args.ready && of.args.repaired() {
		n.Log.Add(features.RepairedArguments, "stream.calls."+of.name)
	}
	end := well
	switch {
	case !of.args.broken && of.named:
	case of.again:
		end = named
	default:
		end = broken
	}
	of.args.forget()
	c.ended[of.index], c.over[of.id] = end, end
	if of == c.open[len(c.open)-1] {
		c.final = end
	}
	if of.opened && !of.args.ready {
		c.cut = true
		switch {
		case of.reported:
		case of.args.broken && !n.holds: // not truncated, whatever the finish reason is
			n.Log.Add(features.BrokenArguments, "stream.calls."+of.name, brokenCall)
		default:
			c.broken = append(c.broken, of.name)
		}
	}
	if i := slices.Index(c.open, of); i >= 0 {
		c.open = slices.Delete(c.open, i, i+1)
	}
}

// extend adds a fragment to its call.
func (n *Deltas) extend(dst []toolcall.Delta, c *choice, of *call, d toolcall.Delta) []toolcall.Delta {
	text := d.Text
	of.args.restart(text)
	of.whole = of.whole || d.Whole
	if d.Whole && of.args.hasText() {
		rest, ok := of.args.rest(text)
		if !ok {
			n.Log.Add(features.DifferentEnd, "stream.calls."+of.name)
			of.reported = true
			of.args.spoil()
			return n.end(dst, c, of)
		}
		text = rest
	}
	of.args.note(text)
	wasReady := of.args.ready
	text = of.args.read(text)
	if of.named = of.named || d.Done && !IsNameless(of.name); !of.named {
		of.held = append(of.held, text...)
		if of.args.size > maxHeld {
			of.args.spoil()
		}
		if d.Done || of.args.size > maxHeld {
			return n.end(dst, c, of)
		}
		return dst
	}
	if len(of.held) > 0 {
		text, of.held = string(of.held)+text, nil
	}
	if wasReady && of.args.broken {
		n.Log.Add(features.DifferentEnd, "stream.calls."+of.name, "the data after the arguments is left out, and the call ends incomplete")
		of.reported = true
	}
	if d.Done {
		of.args.end()
	}
	whole := d.Done && of.args.ready
	if whole {
		text += of.args.tail
	}
	dst = n.give(dst, c, of, text, whole)
	switch {
	case whole:
		n.close(c, of)
	case d.Done || of.args.broken:
		dst = n.end(dst, c, of)
	}
	return dst
}

// give appends what is new of a call. Done comes with the end of the arguments.
func (n *Deltas) give(dst []toolcall.Delta, c *choice, of *call, text string, done bool) []toolcall.Delta {
	d := toolcall.Delta{Kind: toolcall.DeltaToolCall, Choice: c.number, Index: of.number, Text: text, Done: done}
	if of.opened {
		if text == "" && !done {
			return dst
		}
		return append(dst, d)
	}
	of.opened = true
	of.number = c.count
	c.count++
	d.Index, d.Name, d.ID, d.Custom = of.number, of.name, n.uniqueID(c, of), of.custom
	return append(dst, d)
}

// uniqueID returns the id of a call for the encoder.
func (n *Deltas) uniqueID(c *choice, of *call) string {
	id := of.id
	if id == "" && n.bare {
		return ""
	}
	for k := of.number; id == "" || c.used[id]; k += maxCalls {
		id = chat.MakeID(n.meta.Seed(c.number)+of.id, k, of.name)
	}
	c.used[id] = true
	return id
}

// late handles a fragment of a call that has ended, which nearly always repeats it.
func (n *Deltas) late(c *choice, d toolcall.Delta) {
	of := c.at[d.Index]
	if byID := c.id[d.ID]; d.ID != "" && byID != nil {
		of = byID
	}
	if isBlank(d.Text) || of == nil || of.args.repeats(d.Text) {
		return
	}
	n.Log.Add(features.DifferentEnd, "stream.calls."+of.name, "left out: it has already ended")
}

// numberAt returns the number of the call at the index of d, or NoIndex.
func (n *Deltas) numberAt(dst []toolcall.Delta, d toolcall.Delta) (int, []toolcall.Delta) {
	c := n.choices[d.Choice]
	if c == nil || d.Index == toolcall.NoIndex {
		return toolcall.NoIndex, dst
	}
	return n.numberOf(dst, c, c.at[d.Index])
}

// signed returns the number of the call that a signature belongs to.
func (n *Deltas) signed(dst []toolcall.Delta, d toolcall.Delta) (int, []toolcall.Delta) {
	c := n.choices[d.Choice]
	if c == nil || d.Name != toolcall.SignsCall {
		return toolcall.NoIndex, dst
	}
	of := c.last
	if byID := c.id[d.ID]; d.ID != "" && byID != nil {
		of = byID
	} else if at := c.at[d.Index]; d.Index != toolcall.NoIndex && at != nil {
		of = at
	}
	return n.numberOf(dst, c, of)
}

// numberOf returns the number of a call, and emits the call first: what belongs to it
// follows.
func (n *Deltas) numberOf(dst []toolcall.Delta, c *choice, of *call) (int, []toolcall.Delta) {
	if of == nil {
		return toolcall.NoIndex, dst
	}
	if dst = n.settle(dst, c, of); !of.opened {
		return toolcall.NoIndex, dst
	}
	return of.number, dst
}
