// Package normalize brings the deltas of a wire into the form that encoders of
// streams expect.
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
//   - the calls that package parser would run, and no others, are run by every
//     target, with the same arguments: what is one call, when it is whole, and how
//     nearly-JSON is repaired is decided as there;
//   - the delta with which a call is whole has Done and the end of its arguments,
//     which are one JSON object; none of that call follows. Where the wire says
//     that the call is done and gave no arguments they are "{}";
//   - a call that was cut, or broke, has no Done, nor the end of an object; the
//     finish reason after it has Truncated;
//   - a signature and an extra have the Index of their call, or NoIndex;
//   - the finish reason of a choice comes once and after all else, which is at
//     the end of the stream, as some servers go on after one; a stream with an
//     error has only those that came before it, which come before it, too;
//   - nothing that the model wrote follows an error;
//   - a DeltaRestart says that the calls that are open are void. Only encoders
//     that hold calls until they are whole get it: others have written some of
//     them, which is an error instead.
package normalize

import (
	"maps"
	"slices"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/features"
	"github.com/toolparse/toolparse/toolcall"
)

const maxChoices = 1 << 10

// Deltas brings the deltas of one stream into normal form.
type Deltas struct {
	// Log takes what could not be kept. Its wire is the target.
	Log features.Log

	meta    chat.Meta
	holds   bool // the target writes calls whole
	bare    bool // and needs no ids for them
	failed  bool
	broken  bool // by a restart
	choices map[int]*choice
}

// New returns one for a stream that is to be written on a wire.
func New(target string) *Deltas {
	pieces, _ := features.Of(target, features.StreamedArguments)
	return &Deltas{
		Log: features.Log{Wire: target}, holds: pieces.Outcome != features.Carried,
		bare: features.TraitsOf(target).NeedsNoIDs, choices: map[int]*choice{},
	}
}

// IsRestarted reports whether the provider began its message anew when some of a call
// was written: the error that says so was the last delta.
func (n *Deltas) IsRestarted() bool { return n.broken }

// SetMeta tells what is known of the answer; ids that are made depend on it.
func (n *Deltas) SetMeta(m chat.Meta) { n.meta = m }

// Add appends d, as far as it is anything new, to dst.
func (n *Deltas) Add(dst []toolcall.Delta, d toolcall.Delta) []toolcall.Delta {
	if n.choices[d.Choice] == nil && len(n.choices) == maxChoices {
		n.Log.Add(features.Choices, "stream.choices", "left out: there are too many")
		return dst
	}
	if n.failed && d.Kind <= toolcall.DeltaSignature {
		n.Log.AddOnce(features.AfterFinish, "stream")
		return dst
	}
	switch d.Kind {
	case toolcall.DeltaText, toolcall.DeltaReasoning, toolcall.DeltaRefusal:
		if d.Text == "" {
			return dst
		}
		c := n.choice(d.Choice)
		if d.Kind == toolcall.DeltaText || d.Kind != c.says {
			dst = n.moveOn(dst, c)
		}
		c.says = d.Kind
	case toolcall.DeltaToolCall:
		return n.toolCall(dst, d)
	case toolcall.DeltaSignature:
		d.Index, dst = n.signed(dst, d)
	case toolcall.DeltaExtra:
		d.Index, dst = n.numberAt(dst, d)
	case toolcall.DeltaFinish:
		if n.failed {
			n.tooLate(d)
			return dst
		}
		return n.finish(dst, d)
	case toolcall.DeltaError:
		dst = n.fail(dst)
	case toolcall.DeltaRestart:
		return n.restart(dst, d)
	}
	return append(dst, d)
}

func (n *Deltas) choice(number int) *choice {
	c := n.choices[number]
	if c == nil {
		c = &choice{number: number, used: map[string]bool{}}
		c.forget()
		n.choices[number] = c
	}
	return c
}

// brokenCall is what becomes of a call whose arguments are no object.
const brokenCall = "the call ends incomplete, and the answer as truncated"

// finish ends the calls of a choice, and keeps the reason. A call whose
// arguments are not whole was cut.
func (n *Deltas) finish(dst []toolcall.Delta, d toolcall.Delta) []toolcall.Delta {
	c := n.choice(d.Choice)
	for _, of := range slices.Clone(c.open) {
		if !of.args.isBlank() || d.Truncated {
			dst = n.end(dst, c, of)
		} else {
			dst = n.extend(dst, c, of, toolcall.Delta{Done: true})
		}
	}
	d.Truncated = d.Truncated || c.finish.Truncated
	if !d.Truncated && !n.holds { // a target that holds calls reports those that it leaves out
		for _, name := range c.broken {
			n.Log.Add(features.BrokenArguments, "stream.calls."+name, brokenCall)
		}
	}
	c.broken = nil
	d.Truncated = d.Truncated || c.cut
	c.finish = d
	return dst
}

// fail gives, before an error, the finish reasons that came before it.
func (n *Deltas) fail(dst []toolcall.Delta) []toolcall.Delta {
	if n.failed {
		return dst
	}
	n.failed = true
	for _, number := range slices.Sorted(maps.Keys(n.choices)) {
		dst = n.moveOn(dst, n.choices[number])
	}
	for _, number := range slices.Sorted(maps.Keys(n.choices)) {
		if d := n.choices[number].finish; d.Kind != 0 && (n.saysMore(d) || n.meta.Wire == n.Log.Wire) {
			dst = append(dst, d)
		}
	}
	return dst
}

// saysMore reports whether a finish reason says more than that there was an error.
func (n *Deltas) saysMore(d toolcall.Delta) bool {
	return chat.ReadFinish(n.meta.Wire, d.Text).Reason != chat.FinishError
}

// tooLate reports a finish reason that comes after an error.
func (n *Deltas) tooLate(d toolcall.Delta) {
	if n.saysMore(d) {
		n.Log.AddOnce(features.FinishFailed, "stream.finish", "left out")
	}
}

// Close ends a stream that came to its end, with the finish reasons. Choices
// without one get one: some servers never send any.
func (n *Deltas) Close(dst []toolcall.Delta) []toolcall.Delta {
	if n.failed { // and calls that are open were cut
		return dst
	}
	if len(n.choices) == 0 {
		n.choice(0) // an answer that says nothing ends, too
	}
	for _, number := range slices.Sorted(maps.Keys(n.choices)) {
		c := n.choices[number]
		for _, of := range slices.Clone(c.open) {
			dst = n.end(dst, c, of)
		}
		d := toolcall.Delta{Kind: toolcall.DeltaFinish, Choice: number, Text: "stop"}
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
func (n *Deltas) restart(dst []toolcall.Delta, d toolcall.Delta) []toolcall.Delta {
	open := false
	for _, c := range n.choices {
		c.finish, c.cut = toolcall.Delta{}, false
		for _, of := range c.open {
			open = open || of.opened
		}
		c.forget()
	}
	switch {
	case !open:
		n.Log.Add(features.Restart, "stream", "the text continues")
	case n.holds:
		n.Log.Add(features.Restart, "stream")
		dst = append(dst, d)
	default:
		n.Log.Add(features.Restart, "stream", "the stream ends with an error")
		n.failed, n.broken = true, true
		dst = append(dst, toolcall.Delta{
			Kind: toolcall.DeltaError, Name: "message_restarted",
			Text: "the provider restarted its message after a call had begun",
		})
	}
	return dst
}
