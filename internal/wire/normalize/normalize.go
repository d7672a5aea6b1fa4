// Package normalize brings the deltas of a wire into the form that the encoders of
// streams require.
//
// Decoders return what servers send: calls without an index or id, ids that every
// fragment repeats, whole arguments after their fragments. In normal form:
//
//   - The Index numbers the calls of each choice from 0. Several may be open.
//   - Only the first delta of a call has its ID and Name. Ids are unique in a choice; missing
//     ones are made, unless the target needs none.
//   - Whole is never set: repetitions are left out.
//   - Every target runs exactly the calls that package parser would run, with the same
//     arguments: package native decides for both.
//   - The last delta of a complete call has Done and the end of the arguments, which are one
//     JSON object, or "{}" if the wire ends the call without any.
//   - A truncated or broken call has neither Done nor the end of an object, and the finish
//     reason after it has Truncated.
//   - A signature or an extra has the Index of its call, or NoIndex.
//   - The finish reason of a choice comes once, at the end of the stream, because some
//     servers continue after it. A stream with an error has only the finish reasons before
//     the error, and they precede it.
//   - Nothing that the model wrote follows an error.
//   - A DeltaRestart voids the open calls. Only encoders that hold calls until they are
//     complete get it; others have written some of the calls, and get an error instead.
package normalize

import (
	"maps"
	"slices"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/native"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/toolcall"
)

const maxChoices = 1 << 10

// Deltas brings the deltas of one stream into normal form.
type Deltas struct {
	// Log collects losses. Its wire is the target.
	Log features.Log

	meta    chat.Meta
	holds   bool // the target writes only complete calls
	bare    bool // and needs no ids for them
	failed  bool
	broken  bool // by a restart
	choices map[int]*choice
	dst     []toolcall.Delta // receives the deltas
}

// New returns Deltas for a stream that will be written on a wire.
func New(target string) *Deltas {
	pieces, _ := features.Of(target, features.StreamedArguments)
	return &Deltas{
		Log: features.Log{Wire: target}, holds: pieces.Outcome != features.Carried,
		bare: features.TraitsOf(target).NeedsNoIDs, choices: map[int]*choice{},
	}
}

// IsRestarted reports whether the provider restarted its message after some of a call was
// written; the last delta was the error about it.
func (n *Deltas) IsRestarted() bool { return n.broken }

// SetMeta sets what is known about the answer. The ids that are made depend on it.
func (n *Deltas) SetMeta(m chat.Meta) { n.meta = m }

// Add appends what is new in d.
func (n *Deltas) Add(dst []toolcall.Delta, d toolcall.Delta) []toolcall.Delta {
	n.dst = dst
	n.add(d)
	return n.taken()
}

// taken returns the deltas for the caller.
func (n *Deltas) taken() []toolcall.Delta {
	dst := n.dst
	n.dst = nil
	return dst
}

func (n *Deltas) add(d toolcall.Delta) {
	if n.choices[d.Choice] == nil && len(n.choices) == maxChoices {
		n.Log.Add(features.Choices, "stream.choices", "left out: there are too many")
		return
	}
	if n.failed && d.Kind <= toolcall.DeltaSignature {
		n.Log.AddOnce(features.AfterFinish, "stream")
		return
	}
	switch d.Kind {
	case toolcall.DeltaText, toolcall.DeltaReasoning, toolcall.DeltaRefusal:
		if d.Text == "" {
			return
		}
		c := n.choice(d.Choice)
		if d.Kind == toolcall.DeltaText || d.Kind != c.lastKind {
			c.calls.MoveOn()
		}
		c.lastKind = d.Kind
	case toolcall.DeltaToolCall:
		n.toolCall(&d)
		return
	case toolcall.DeltaSignature:
		d.Index = n.signed(&d)
	case toolcall.DeltaExtra:
		d.Index = n.numberAt(&d)
	case toolcall.DeltaFinish:
		if n.failed {
			n.tooLate(d)
		} else {
			n.finish(d)
		}
		return
	case toolcall.DeltaError:
		n.fail()
	case toolcall.DeltaRestart:
		n.restart(d)
		return
	}
	n.dst = append(n.dst, d)
}

func (n *Deltas) choice(number int) *choice {
	c := n.choices[number]
	if c == nil {
		c = &choice{Deltas: n, number: number, used: map[string]bool{}}
		c.calls.Host, c.calls.MaxBytes = c, native.MaxBytes
		c.forget()
		n.choices[number] = c
	}
	return c
}

// brokenCall describes what happens to a call whose arguments are not an object.
const brokenCall = "the call ends incomplete, and the answer as truncated"

// finish ends the calls of a choice, and keeps the reason. A call with incomplete
// arguments was truncated.
func (n *Deltas) finish(d toolcall.Delta) {
	c := n.choice(d.Choice)
	c.calls.Finish(d.Truncated)
	d.Truncated = d.Truncated || c.finish.Truncated
	if !d.Truncated && !n.holds { // a target that holds calls reports those that it leaves out
		for _, name := range c.broken {
			n.Log.Add(features.BrokenArguments, "stream.calls."+name, brokenCall)
		}
	}
	c.broken = nil
	d.Truncated = d.Truncated || c.cut
	c.finish = d
}

// sorted yields the choices in order.
func (n *Deltas) sorted(yield func(*choice) bool) {
	for _, number := range slices.Sorted(maps.Keys(n.choices)) {
		if !yield(n.choices[number]) {
			return
		}
	}
}

// fail appends the finish reasons that came before an error.
func (n *Deltas) fail() {
	if n.failed {
		return
	}
	n.failed = true
	for c := range n.sorted {
		c.calls.Fail()
	}
	for c := range n.sorted {
		if d := c.finish; d.Kind != 0 && (n.saysMore(d) || n.meta.Wire == n.Log.Wire) {
			n.dst = append(n.dst, d)
		}
	}
}

// saysMore reports whether a finish reason says more than that there was an error.
func (n *Deltas) saysMore(d toolcall.Delta) bool {
	return wire.ReadFinish(n.meta.Wire, d.Text).Reason != chat.FinishError
}

// tooLate reports a finish reason that comes after an error.
func (n *Deltas) tooLate(d toolcall.Delta) {
	if n.saysMore(d) {
		n.Log.AddOnce(features.FinishFailed, "stream.finish", "left out")
	}
}

// Close ends a complete stream with the finish reasons. Choices without one get one,
// because some servers never send any.
func (n *Deltas) Close(dst []toolcall.Delta) []toolcall.Delta {
	if n.failed { // open calls were truncated
		return dst
	}
	n.dst = dst
	if len(n.choices) == 0 {
		n.choice(0) // also ends an empty answer
	}
	for c := range n.sorted {
		c.calls.Close()
		if c.finish.Kind == 0 {
			c.finish = toolcall.Delta{Kind: toolcall.DeltaFinish, Choice: c.number, Text: "stop"}
		}
		n.finish(c.finish)
		n.dst = append(n.dst, c.finish)
	}
	return n.taken()
}

// restart voids the open calls. A target that holds calls has written nothing of them.
// Other targets have, which cannot be undone, so that the stream is broken.
func (n *Deltas) restart(d toolcall.Delta) {
	open := false
	for _, c := range n.choices {
		c.finish, c.cut = toolcall.Delta{}, false
		for _, of := range c.calls.Open {
			open = open || of.Own.opened
		}
		c.forget()
	}
	switch {
	case !open:
		n.Log.Add(features.Restart, "stream", "the text continues")
	case n.holds:
		n.Log.Add(features.Restart, "stream")
		n.dst = append(n.dst, d)
	default:
		n.Log.Add(features.Restart, "stream", "the stream ends with an error")
		n.failed, n.broken = true, true
		n.dst = append(n.dst, toolcall.Delta{
			Kind: toolcall.DeltaError, Name: "message_restarted",
			Text: "the provider restarted its message after a call had begun",
		})
	}
}
