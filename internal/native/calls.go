// Package native assembles the calls that arrive on a wire as deltas of their own, and judges
// them: which call a fragment belongs to, what its name and its arguments are, when it is
// complete, and what is wrong with it. Package parser makes events of such calls, and
// translations make deltas of another wire. Because both leave the judgement to [Calls], a
// call runs on the other side of a translation exactly if the parser would run it.
package native

import (
	"strings"

	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/toolcall"
)

// The usual limits.
const (
	MaxBytes = 64 << 20 // of the arguments of a call
	MaxDepth = 128      // of their nesting
	MaxCalls = 10_000   // in an answer
)

// maxOpen limits the calls that are open at the same time, because every fragment is compared
// with all of them.
const maxOpen = 128

// noArguments are the arguments of a call without any. Some servers begin a call with them,
// and the arguments follow.
const noArguments = "{}"

// Calls are the calls of one answer. T is what their host knows about a call. Set Host and
// MaxBytes before the first call.
//
// For each fragment, pass the result of Of or Begin to Extend. The other methods say what else
// happens in the answer.
type Calls[T any] struct {
	Host     Host[T]
	MaxBytes int // of the arguments of a call
	// WholeNames means that the wire does not send names in pieces. Otherwise a name is
	// certain only when something else of the call, or of the answer, follows.
	WholeNames bool

	Open     []*Call[T] // in the order in which they began
	Finished bool       // the wire has said that the answer is finished
	Failed   bool       // the stream has failed

	// How the calls with each index and id have ended, and the one that began last.
	index map[int]ending
	id    map[string]ending
	last  ending

	spare *Call[T] // an ended call, whose memory is reused
}

// Host receives what [Calls] has decided.
type Host[T any] interface {
	// Declares reports whether the answer may call a tool with this name. It is false if the
	// tools are unknown.
	Declares(name string) bool
	// Named is called when the name of a call, which is c.Label, is certain. It returns what
	// reads the arguments.
	Named(c *Call[T]) *jsonstream.Arguments
	// Grown is called after a call that has a name has got something that can be passed on.
	Grown(c *Call[T])
	// Ended is called when a call has ended, possibly before it got a name.
	Ended(c *Call[T], status toolcall.Status, reason toolcall.Reason)
}

// Call is a call that is being assembled.
type Call[T any] struct {
	Own    T      // the host's; kept when the memory is reused
	Index  int    // on the wire, or toolcall.NoIndex
	ID     string // "" as long as there is none
	Label  string // the name so far
	Custom bool   // its tool takes free text
	Named  bool   // the name is certain
	Args   *jsonstream.Arguments

	// What is already known to be wrong; 0 means nothing.
	Status     toolcall.Status
	Reason     toolcall.Reason
	Tolerances toolcall.Tolerances

	again bool           // a later fragment repeated the name
	sent  jsonstream.Out // the text of the arguments, to compare it with a complete copy
	bytes int            // its length
	text  bool           // there is some
	empty bool           // it is a placeholder so far, which is not read yet
	whole bool           // and the wire has said that this is all
}

// Sent returns the text of the arguments as the wire sent it.
func (c *Call[T]) Sent() string { return c.sent.Text() }

// IsComplete reports whether the wire need not say that the call has ended.
func (c *Call[T]) IsComplete() bool { return c.Named && (c.empty || c.Args.IsComplete()) }

// IsNameless reports whether the name of a call is blank.
func IsNameless(name string) bool { return lex.SkipBlanks(name, 0) == len(name) }

// isPlaceholder reports whether a text may be one that the arguments replace.
func isPlaceholder(text string) bool { return lex.TrimBlanks(text) == noArguments }

// fail says what is wrong with the call.
func (c *Call[T]) fail(status toolcall.Status, reason toolcall.Reason) {
	c.Status, c.Reason = status, reason
}

// Begin begins a call. Earlier calls that are complete end now, because the wire has moved on.
// tooMany means that the answer has too many calls.
func (x *Calls[T]) Begin(d *toolcall.Delta, tooMany bool) *Call[T] {
	beside := toolcall.NoIndex
	if len(x.Open) < maxOpen && isPlaceholder(d.Text) {
		beside = d.Index
	}
	x.moveOn(beside)
	c := x.spare
	if x.spare = nil; c == nil {
		c = &Call[T]{}
	}
	c.sent.Reset()
	*c = Call[T]{Own: c.Own, Index: d.Index, sent: c.sent}
	x.Open = append(x.Open, c)
	x.last = notEnded
	if tooMany || len(x.Open) > maxOpen {
		c.fail(toolcall.Rejected, toolcall.ReasonTooManyCalls)
	}
	return c
}

// Extend adds a fragment to its call.
func (x *Calls[T]) Extend(c *Call[T], d *toolcall.Delta) {
	if c.ID == "" {
		c.ID = d.ID
	}
	c.Custom = c.Custom || d.Custom
	switch {
	case d.Name == "":
	case !c.Named:
		c.Label = x.joinName(c.Label, d.Name)
	default:
		c.again = true
		if d.Done && d.Name != c.Label && c.Status == 0 {
			c.fail(toolcall.Malformed, toolcall.ReasonArgumentsDiffer)
		}
	}
	if x.WholeNames || d.Text != "" || d.Whole || d.Done || c.sent.Len() > 0 {
		x.settleName(c)
	}
	x.arguments(c, d)
	switch {
	case d.Done || c.Status != 0:
		x.end(c, toolcall.Complete, toolcall.ReasonNone)
	case c.Named:
		x.Host.Grown(c)
	}
}

// joinName adds a piece to a name. Servers send the name once, with every fragment, or in
// pieces.
func (x *Calls[T]) joinName(name, piece string) string {
	joined := name + piece
	switch {
	case strings.HasPrefix(piece, name): // the first piece, a repetition, or a longer prefix
		return piece
	case x.Host.Declares(name) && !x.Host.Declares(joined):
		return name
	}
	return joined
}

// Settle makes the name of a call certain, because something else follows.
func (x *Calls[T]) Settle(c *Call[T]) {
	x.settleName(c)
	if c.Named {
		x.Host.Grown(c)
	}
}

// settleName makes the name of a call certain, and reads the arguments that came before it.
func (x *Calls[T]) settleName(c *Call[T]) {
	if c.Named || IsNameless(c.Label) {
		return
	}
	c.Named = true
	c.Args = x.Host.Named(c)
	if c.sent.Len() > 0 {
		c.read(c.sent.Text())
	}
}

// arguments handles the arguments in a fragment.
func (x *Calls[T]) arguments(c *Call[T], d *toolcall.Delta) {
	text := d.Text
	if d.Whole && c.text {
		// The complete arguments are repeated: only what is new counts.
		if lex.TrimBlanks(text) == "" {
			return
		}
		sent := c.sent.Text()
		switch rest, ok := strings.CutPrefix(text, sent); {
		case ok:
			text = rest
		case jsonvalue.EqualTexts(sent, text): // spelled differently
			return
		default:
			c.fail(toolcall.Malformed, toolcall.ReasonArgumentsDiffer)
			return
		}
	}
	if !c.text {
		switch trimmed := lex.TrimBlanks(text); {
		case trimmed == "":
			return
		case trimmed == noArguments:
			c.empty, c.whole = true, c.whole || d.Whole
			return
		case c.empty && trimmed[0] == '{':
			c.Tolerances |= toolcall.DuplicateArgument
		case c.empty:
			text = noArguments + text
		}
		c.empty = false
	}
	x.add(c, text)
}

// add adds text that counts to the arguments.
func (x *Calls[T]) add(c *Call[T], text string) {
	if text == "" {
		return
	}
	c.text = true
	if c.bytes += len(text); c.bytes > x.MaxBytes {
		c.fail(toolcall.Rejected, toolcall.ReasonCallTooLarge)
		return
	}
	c.sent.Pass(text, 0, len(text))
	if c.Named {
		c.read(text)
	}
}

// read reads text of the arguments. After them, nothing may follow.
func (c *Call[T]) read(text string) {
	if c.Status != 0 {
		return
	}
	progress, i := jsonstream.Finished, 0
	if !c.Args.IsComplete() {
		progress, i = c.Args.Read(text, 0)
	}
	switch {
	case progress == jsonstream.Broken:
		c.fail(c.Args.Fault())
	case progress == jsonstream.Finished && lex.SkipBlanks(text, i) < len(text):
		c.fail(toolcall.Malformed, toolcall.ReasonInvalidJSON)
	}
	if c.Args.Form == jsonstream.FormString {
		c.Tolerances |= toolcall.StringArguments
	}
	if progress != jsonstream.Unfinished {
		c.Tolerances |= c.Args.Tolerances()
	}
}

// Pass adds a fragment that the host has passed on itself: it is part of a string in the
// arguments of the call.
func (x *Calls[T]) Pass(c *Call[T], text string) {
	c.bytes += len(text)
	c.sent.Pass(text, 0, len(text))
}

// Fits reports whether a call can get more text and is not too large then.
func (x *Calls[T]) Fits(c *Call[T], text string) bool {
	return c.Status == 0 && c.bytes+len(text) <= x.MaxBytes
}

// MoveOn ends the calls whose arguments are complete and settles the names of the others,
// because something else than a call follows. Those stay open, since a server may interleave
// calls.
func (x *Calls[T]) MoveOn() { x.moveOn(toolcall.NoIndex) }

// moveOn is MoveOn, also for a call that begins. If that has the index beside, and begins with
// a placeholder, calls with only a placeholder stay open as well.
func (x *Calls[T]) moveOn(beside int) {
	goesOn := func(c *Call[T]) bool {
		return c.empty && c.Index != toolcall.NoIndex && beside != toolcall.NoIndex && c.Index != beside
	}
	for i := 0; i < len(x.Open); {
		if c := x.Open[i]; c.IsComplete() && !goesOn(c) {
			x.end(c, toolcall.Complete, toolcall.ReasonNone)
		} else {
			i++
		}
	}
	for _, c := range x.Open {
		x.Settle(c)
	}
}

// Finish ends all calls, because the answer is finished, or was cut.
func (x *Calls[T]) Finish(truncated bool) {
	x.Finished = true
	if truncated {
		x.endAll(toolcall.Incomplete, toolcall.ReasonTruncated)
	} else {
		x.endAll(toolcall.Complete, toolcall.ReasonNone)
	}
}

// Fail ends all calls, because the stream has failed. Before the answer is finished, the
// arguments of a call without any may have been to come.
func (x *Calls[T]) Fail() {
	x.Failed = true
	x.endAll(toolcall.Rejected, toolcall.ReasonStreamError)
}

// Restart ends all calls as rejected, whatever their arguments, because the provider has
// discarded the message.
func (x *Calls[T]) Restart() {
	for _, c := range x.Open {
		if c.Status == 0 {
			c.fail(toolcall.Rejected, toolcall.ReasonRestarted)
		}
	}
	x.endAll(toolcall.Complete, toolcall.ReasonNone)
	x.Forget()
}

// Close ends all calls at the end of the stream.
func (x *Calls[T]) Close() { x.endAll(toolcall.Incomplete, toolcall.ReasonEndOfStream) }

// endAll ends all calls. If the answer is finished, those whose arguments are complete end as
// complete anyway.
func (x *Calls[T]) endAll(status toolcall.Status, reason toolcall.Reason) {
	for len(x.Open) > 0 {
		c := x.Open[0]
		if x.Finished && c.IsComplete() {
			x.end(c, toolcall.Complete, toolcall.ReasonNone)
		} else {
			x.end(c, status, reason)
		}
	}
}

// end ends a call. status is what the wire says; the arguments decide.
func (x *Calls[T]) end(c *Call[T], status toolcall.Status, reason toolcall.Reason) {
	x.settleName(c)
	if c.empty {
		c.empty = false
		if !x.Failed || x.Finished || c.whole { // otherwise the arguments may have been to come
			x.add(c, noArguments)
		}
	}
	switch {
	case c.Status != 0:
		status, reason = c.Status, c.Reason
	case !c.Named:
		status, reason = toolcall.Malformed, toolcall.ReasonNoName
	case c.Args.IsComplete():
		if status != toolcall.Complete {
			status, reason = toolcall.Complete, toolcall.ReasonNone
			c.Tolerances |= toolcall.MissingCloser
		}
	case status != toolcall.Complete:
	case c.Args.Form == jsonstream.FormUnknown:
		c.Args.None() // calls without arguments have an empty text
	case c.Args.End():
		c.Tolerances |= c.Args.Tolerances()
	default:
		status, reason = toolcall.Incomplete, toolcall.ReasonEndOfStream
	}
	x.Host.Ended(c, status, reason)
	x.remove(c)
	x.spare = c
}

// Object returns the object in the complete arguments of a call, repaired like arguments that
// stream, with the tolerances. For blanks and null, which mean no arguments, it returns "". ok
// is false for anything else.
func Object(text string) (object string, used toolcall.Tolerances, ok bool) {
	var out jsonstream.Out
	var a jsonstream.Arguments
	a.Value.MaxDepth, a.Value.Out, a.Value.Silent, a.Value.Quiet = MaxDepth, &out, true, true
	progress, end := jsonstream.Broken, 0
	if len(text) <= MaxBytes {
		progress, end = a.Read(text, 0)
	}
	switch {
	case progress == jsonstream.Unfinished && (a.Form == jsonstream.FormUnknown || a.End()):
		return "", 0, true
	case progress != jsonstream.Finished || lex.SkipBlanks(text, end) < len(text):
		return text, 0, false
	case a.Empty:
		return "", 0, true
	}
	return out.Take(), a.Tolerances(), true
}
