// Package normal brings the deltas of a wire into the form that encoders of
// streams are given.
//
// Decoders hand on what servers send: calls without an index or an id, ids
// that come again with every fragment, whole arguments after the fragments of
// the same. In normal form
//
//   - the calls of each choice are numbered from 0, by Index, and may be open
//     side by side;
//   - the first delta of a call has its ID and Name, the others neither; no two
//     calls of a choice have the same id; one that its wire gave none has one
//     made, unless the target does without;
//   - Whole is never set: what would repeat is left out;
//   - the delta with which the arguments become one JSON object has Done, and
//     none of that call follows; arguments that never come are "{}";
//   - a call that was cut, or broke, has no Done; the finish reason after it
//     has Truncated;
//   - a signature and an extra have the Index of their call, or NoIndex;
//   - the finish reason of a choice comes once and after all else, which is at
//     the end of the stream, as some servers go on after one; a stream with an
//     error has none but what came before it, which is given before it, too;
//   - nothing that the model wrote follows an error;
//   - a DeltaRestart says that the calls that are open are void. Only encoders
//     that hold calls until they are whole get it: others have written some of
//     them, which is an error instead.
package normal

import (
	"hash/maphash"
	"maps"
	"slices"
	"strings"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/carry"
	"github.com/toolparse/toolparse/format/internal/strictjson"
)

const (
	maxCalls   = 1 << 16 // of one stream
	maxChoices = 1 << 10
	maxOpen    = 256     // calls of one choice, at once
	maxHeld    = 1 << 20 // bytes of arguments before a name
)

// Deltas brings the deltas of one stream into normal form.
type Deltas struct {
	// Log takes what could not be kept. Its wire is the target.
	Log carry.Log

	meta    chat.Meta
	calls   int
	holds   bool // the target writes calls whole
	bare    bool // and needs no ids for them
	failed  bool
	broken  bool // by a restart
	choices map[int]*choice
}

// New returns one for a stream that is to be written on a wire.
func New(target string) *Deltas {
	pieces, _ := carry.Of(target, carry.StreamedArguments)
	return &Deltas{
		Log: carry.Log{Wire: target}, holds: pieces.Fate != carry.Carried,
		bare: target == "gemini" || target == "ollama", choices: map[int]*choice{},
	}
}

// Broken reports whether the provider began its message anew when some of a call
// was written: the error that says so was the last delta.
func (n *Deltas) Broken() bool { return n.broken }

// SetMeta tells what is known of the answer; ids that are made depend on it.
func (n *Deltas) SetMeta(m chat.Meta) { n.meta = m }

// choice is one of the answers.
type choice struct {
	number int
	finish toolparse.Delta // the last finish reason; of no kind where there is none
	count  int             // of its calls
	at     map[int]*call
	id     map[string]*call
	used   map[string]bool // the ids given out
	open   []*call
	last   *call
}

// call is a call that is being put together.
type call struct {
	index  int // by its wire
	number int // in normal form
	id     string
	name   string
	held   strings.Builder // what came before the name
	custom bool            // its tool takes free text
	opened bool            // it was given out
	closed bool            // nothing more of it counts
	done   bool            // with Done
	broken bool            // its text is no JSON

	scan strictjson.Scanner
	sum  maphash.Hash
	size int // bytes of its text
}

// Add appends d, as far as it is anything new, to dst.
func (n *Deltas) Add(dst []toolparse.Delta, d toolparse.Delta) []toolparse.Delta {
	if n.choices[d.Choice] == nil && len(n.choices) == maxChoices {
		n.Log.Add(carry.Choices, "stream.choices", "left out: there are too many")
		return dst
	}
	if n.failed && d.Kind <= toolparse.DeltaSignature {
		n.Log.AddOnce(carry.AfterFinish, "stream")
		return dst
	}
	switch d.Kind {
	case toolparse.DeltaText, toolparse.DeltaReasoning, toolparse.DeltaRefusal:
		if d.Text == "" {
			return dst
		}
		n.choice(d.Choice)
	case toolparse.DeltaToolCall:
		return n.toolCall(dst, d)
	case toolparse.DeltaSignature:
		d.Index = n.signed(d)
	case toolparse.DeltaExtra:
		d.Index = n.numberAt(d)
	case toolparse.DeltaFinish:
		if n.failed {
			n.tooLate(d)
			return dst
		}
		return n.finish(dst, d)
	case toolparse.DeltaError:
		dst = n.fail(dst)
	case toolparse.DeltaRestart:
		return n.restart(dst, d)
	}
	return append(dst, d)
}

func (n *Deltas) choice(number int) *choice {
	c := n.choices[number]
	if c == nil {
		c = &choice{number: number, at: map[int]*call{}, id: map[string]*call{}, used: map[string]bool{}}
		n.choices[number] = c
	}
	return c
}

// numberAt returns the number of the call at the index of d, or NoIndex.
func (n *Deltas) numberAt(d toolparse.Delta) int {
	if c := n.choices[d.Choice]; c != nil && d.Index != toolparse.NoIndex {
		if of := c.at[d.Index]; of != nil && of.opened {
			return of.number
		}
	}
	return toolparse.NoIndex
}

// signed returns the number of the call that a signature belongs to.
func (n *Deltas) signed(d toolparse.Delta) int {
	c := n.choices[d.Choice]
	if c == nil || d.Name != toolparse.SignsCall {
		return toolparse.NoIndex
	}
	of := c.last
	if byID := c.id[d.ID]; d.ID != "" && byID != nil {
		of = byID
	} else if at := c.at[d.Index]; d.Index != toolparse.NoIndex && at != nil {
		of = at
	}
	if of == nil || !of.opened {
		return toolparse.NoIndex
	}
	return of.number
}

func (n *Deltas) toolCall(dst []toolparse.Delta, d toolparse.Delta) []toolparse.Delta {
	c := n.choice(d.Choice)
	of := c.callOf(d)
	if of == nil {
		if d.ID == "" && d.Name == "" && isBlank(d.Text) {
			return dst
		}
		if n.calls == maxCalls || len(c.open) == maxOpen {
			n.Log.Add(carry.NamelessCall, "stream.calls", "left out: too many calls")
			return dst
		}
		n.calls++
		of = c.begin(d)
	}
	if of.id == "" && !of.opened {
		if of.id = d.ID; of.id != "" {
			c.id[of.id] = of
		}
	}
	if of.name == "" {
		of.name = d.Name
	}
	of.custom = of.custom || d.Custom
	if of.closed {
		n.late(of, d)
		return dst
	}
	return n.extend(dst, c, of, d)
}

// callOf returns the call that a fragment is of, or nil where it begins one.
// Index, id and position decide together, since servers leave each of them out
// or get it wrong.
func (c *choice) callOf(d toolparse.Delta) *call {
	if d.Index != toolparse.NoIndex {
		of := c.at[d.Index]
		switch {
		case of == nil:
			// A server that gives the index with the first piece only.
			if byID := c.id[d.ID]; d.ID != "" && byID != nil && byID.index == toolparse.NoIndex {
				return byID
			}
			return nil
		case d.ID != "" && of.id != "" && d.ID != of.id:
			return nil
		case d.ID == "" && d.Name != "" && of.name != "" && of.closed && !d.Whole:
			return nil // another call at the same index
		}
		return of
	}
	if d.ID != "" {
		if of := c.id[d.ID]; of != nil && (d.Name == "" || of.name == "" || d.Name == of.name) {
			return of
		}
		if c.last != nil && c.last.id == "" && !c.last.opened && d.Name == "" {
			return c.last
		}
		return nil
	}
	of := c.last
	for i := len(c.open) - 1; i >= 0 && (of == nil || of.closed); i-- {
		of = c.open[i]
	}
	if of == nil || d.Name != "" && (of.closed || of.name != "" && (of.name != d.Name || d.Whole)) {
		return nil
	}
	return of
}

func (c *choice) begin(d toolparse.Delta) *call {
	of := &call{index: d.Index, id: d.ID}
	if d.Index != toolparse.NoIndex {
		c.at[d.Index] = of
	}
	if d.ID != "" {
		c.id[d.ID] = of
	}
	c.open = append(c.open, of)
	c.last = of
	return of
}

// extend adds a fragment to its call.
func (n *Deltas) extend(dst []toolparse.Delta, c *choice, of *call, d toolparse.Delta) []toolparse.Delta {
	text := d.Text
	if d.Whole && of.size > 0 {
		rest, ok := of.rest(text)
		if !ok {
			n.Log.Add(carry.DifferentEnd, "stream.calls."+of.name)
			c.close(of, false)
			return dst
		}
		text = rest
	}
	whole := false
	if text != "" {
		text, whole = n.read(of, text)
	}
	if d.Done && !whole {
		switch {
		case of.size == 0:
			text, whole = "{}", true
		case !of.broken:
			_, whole, _ = of.scan.Scan([]byte{'\n'}) // a number ends with what follows it
		}
	}
	if of.name == "" && !whole {
		if of.held.Len()+len(text) > maxHeld {
			n.Log.Add(carry.NamelessCall, "stream.calls", "left out: its name does not come")
			c.close(of, false)
			return dst
		}
		of.held.WriteString(text)
		return dst
	}
	dst = n.give(dst, c, of, text, whole)
	if whole || d.Done {
		c.close(of, whole)
	}
	return dst
}

// read takes the text of arguments up to where they are whole.
func (n *Deltas) read(of *call, text string) (taken string, whole bool) {
	if !of.broken {
		took, done, err := of.scan.Scan([]byte(text))
		of.broken = err != nil
		if done {
			if !isBlank(text[took:]) {
				n.Log.Add(carry.DifferentEnd, "stream.calls."+of.name, "what follows the arguments is left out")
			}
			text, whole = text[:took], true
		}
	}
	if of.size == 0 && !whole && isBlank(text) {
		return "", false // some servers begin with blanks, and end with them
	}
	of.size += len(text)
	_, _ = of.sum.WriteString(text)
	return text, whole
}

// give appends what is new of a call.
func (n *Deltas) give(dst []toolparse.Delta, c *choice, of *call, text string, done bool) []toolparse.Delta {
	d := toolparse.Delta{Kind: toolparse.DeltaToolCall, Choice: c.number, Index: of.number, Text: text, Done: done}
	if !of.opened {
		if of.name == "" {
			n.Log.Add(carry.NamelessCall, "stream.calls")
			return dst
		}
		of.opened = true
		of.number = c.count
		c.count++
		d.Index, d.Name, d.ID, d.Custom = of.number, of.name, n.uniqueID(c, of), of.custom
		d.Text = of.held.String() + text
		of.held = strings.Builder{}
	} else if text == "" && !done {
		return dst
	}
	return append(dst, d)
}

// uniqueID returns the id that a call is given.
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

// close ends a call: nothing more of it counts.
func (c *choice) close(of *call, done bool) {
	of.closed, of.done = true, done
	if i := slices.Index(c.open, of); i >= 0 {
		if done || !of.opened {
			c.open = slices.Delete(c.open, i, i+1)
		}
	}
}

// rest returns what a whole text has beyond the fragments that came.
func (of *call) rest(whole string) (string, bool) {
	if len(whole) < of.size {
		return "", false
	}
	var sum maphash.Hash
	sum.SetSeed(of.sum.Seed())
	_, _ = sum.WriteString(whole[:of.size])
	return whole[of.size:], sum.Sum64() == of.sum.Sum64()
}

// late is more of a call that has ended: nearly always what repeats it.
func (n *Deltas) late(of *call, d toolparse.Delta) {
	if isBlank(d.Text) {
		return
	}
	if d.Whole {
		if rest, ok := of.rest(d.Text); ok && isBlank(rest) {
			return
		}
	}
	n.Log.Add(carry.DifferentEnd, "stream.calls."+of.name, "left out: it had ended")
}

// finish ends the calls of a choice, and keeps the reason. A call whose
// arguments are not whole was cut.
func (n *Deltas) finish(dst []toolparse.Delta, d toolparse.Delta) []toolparse.Delta {
	c := n.choice(d.Choice)
	d.Truncated = d.Truncated || c.finish.Truncated
	for _, of := range slices.Clone(c.open) {
		switch {
		case of.closed: // broken, or contradicted
			d.Truncated = d.Truncated || of.opened
		case of.size == 0 && d.Truncated:
			dst = n.give(dst, c, of, "", false)
		default:
			dst = n.extend(dst, c, of, toolparse.Delta{Done: true})
			d.Truncated = d.Truncated || !of.done
		}
	}
	c.finish = d
	return dst
}

// fail gives, before an error, the finish reasons that came before it.
func (n *Deltas) fail(dst []toolparse.Delta) []toolparse.Delta {
	if n.failed {
		return dst
	}
	n.failed = true
	for _, number := range slices.Sorted(maps.Keys(n.choices)) {
		if d := n.choices[number].finish; d.Kind != 0 && (n.saysMore(d) || n.meta.Wire == n.Log.Wire) {
			dst = append(dst, d)
		}
	}
	return dst
}

// saysMore reports whether a finish reason says more than that there was an error.
func (n *Deltas) saysMore(d toolparse.Delta) bool {
	return chat.ReadFinish(n.meta.Wire, d.Text).Reason != chat.FinishError
}

// tooLate reports a finish reason that comes after an error.
func (n *Deltas) tooLate(d toolparse.Delta) {
	if n.saysMore(d) {
		n.Log.AddOnce(carry.FinishFailed, "stream.finish", "left out")
	}
}

// Close ends a stream that came to its end, with the finish reasons. Choices
// without one get one: some servers never send any.
func (n *Deltas) Close(dst []toolparse.Delta) []toolparse.Delta {
	if n.failed { // and calls that are open were cut
		return dst
	}
	for _, number := range slices.Sorted(maps.Keys(n.choices)) {
		c := n.choices[number]
		d := toolparse.Delta{Kind: toolparse.DeltaFinish, Choice: number, Text: "stop"}
		if c.finish.Kind != 0 {
			d = c.finish
		}
		dst = append(n.finish(dst, d), c.finish)
	}
	return dst
}

// restart voids the calls that are open. A target that holds calls has written
// nothing of them. What others have written cannot be taken back, and so the
// stream is broken.
func (n *Deltas) restart(dst []toolparse.Delta, d toolparse.Delta) []toolparse.Delta {
	open := false
	for _, c := range n.choices {
		c.finish = toolparse.Delta{}
		for _, of := range c.open {
			of.closed = true
			open = open || of.opened
		}
		c.at, c.id, c.last, c.open = map[int]*call{}, map[string]*call{}, nil, nil
	}
	switch {
	case !open:
		n.Log.Add(carry.Restart, "stream", "the text goes on")
	case n.holds:
		n.Log.Add(carry.Restart, "stream")
		dst = append(dst, d)
	default:
		n.Log.Add(carry.Restart, "stream", "an error, with which the stream ends")
		n.failed, n.broken = true, true
		dst = append(dst, toolparse.Delta{
			Kind: toolparse.DeltaError, Name: "message_restarted",
			Text: "the provider began its message anew, after a call had begun",
		})
	}
	return dst
}

func isBlank(s string) bool {
	for i := range len(s) {
		if !strictjson.IsBlank(s[i]) {
			return false
		}
	}
	return true
}
