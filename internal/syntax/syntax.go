// Package syntax is what the machines that read the arguments of calls have in
// common. A folder below it is one syntax: what reads it and what writes it, what is
// compiled for it, and what makes a dialect's row wrong for it. Package all lists them.
//
// The waist between a machine and the parser is narrow:
//
//	          Begin, Read, Expire, Finish, Steady
//	parser  ----------------------------------------->  Machine
//	        <-----------------------------------------
//	          Host: where it is, what it may go back to, what ends the arguments
//	          Call: where the arguments go, by way of a Writer
//
// A machine reads each input once, from the offset that it is given to the end, or
// to where the arguments end, and returns how far it came. What may be markup it
// looks at: between [Host.Look] and the next Rewind or Decide the bytes from there on
// stay pending, so that it can go back to them; at most the number of bytes that it
// gave with the look later, Expire tells it that there is no markup. All else that it
// has read is final. That is what makes it blind to how the input is cut, and linear.
package syntax

import (
	"github.com/toolparse/toolparse/dialect"
	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/toolcall"
)

// A Machine reads the arguments of one call after the other. It writes them to the
// call by a [Writer], and hands on to Host.End or Host.Done at their end, or to
// Host.Fail.
type Machine interface {
	// Begin begins the arguments of a call.
	Begin(h Host, c Call, f *Form)
	// Read reads on, and returns the offset up to which it has read.
	Read(h Host, in string, i int) int
	// Expire is called where what is looked at has grown over its limit. It decides
	// that it is no markup.
	Expire(h Host, in string, i int) int
	// Finish is called where the stream ends. It reports whether the arguments are
	// complete.
	Finish(h Host) bool
	// Steady is how what comes next streams where it is nothing but content, and the
	// bytes that end that; nil where it does not stream as it is.
	Steady() (Smooth, *Stops)
}

// An Ahead is a [Machine] that reads ahead, after the head of a call, whether
// arguments begin there: only then was the head one. It keeps nothing of what it reads.
type Ahead interface {
	// BeginAhead is after the head of a call, of a tool whose schema is s. The call is
	// amid a line if text stands before it there.
	BeginAhead(f *Form, s *schema.Schema, amid bool)
	ReadAhead(in string, i int) (Verdict, int)
}

// An AheadEnder is an [Ahead] that may have read more than tells a call. AheadEnds
// reports, at the end of the stream, whether it was one.
type AheadEnder interface{ AheadEnds() bool }

// A Taker is a [Machine] that takes arguments from the head of a call, before it reads.
type Taker interface {
	Take(name, text string)
	// NoMore ends the call before in[i]: its head was all of it.
	NoMore(h Host, in string, i int) int
}

// A Resumer is a [Machine] that reads on after JSON in place of its syntax.
type Resumer interface {
	AfterJSON(h Host, in string, i int) int
}

// Verdict is what an [Ahead] has found.
type Verdict uint8

const (
	Unsure  Verdict = iota // more input is needed
	Begins                 // arguments begin, or there are none
	Differs                // something else does
)

// Host is the parser, as far as a machine needs it. Offsets in the stream tell places
// in all that is pending; offsets in the input at hand, those in it.
type Host interface {
	// At is the stream offset of in[i].
	At(i int) int64
	// Look begins a look at in[i], at a closer and what follows it.
	Look(i int)
	// LookWithin begins one that must be decided within n bytes.
	LookWithin(i, n int)
	// Until brings the end of a look nearer, to n bytes after in[i].
	Until(i, n int)
	// Looking reports whether there is one, From where it begins.
	Looking() bool
	From() int64
	// Decide ends it: what was looked at is read.
	Decide()
	// Rewind ends it, too, and goes back from in[i] to a stream offset that is
	// pending. It returns where to read on.
	Rewind(in string, i int, to int64) int
	// Pending is what is pending from a stream offset on, up to in[i]. IsHeld reports
	// whether some of that came with an earlier input.
	Pending(in string, i int, from int64) string
	IsHeld(from int64) bool

	// End ends the arguments at a stream offset: what is left belongs to the frame.
	End(to int64)
	// Done ends them before in[i], with their own last byte.
	Done(in string, i int) int
	// Fail is where they break. The rest of the call goes with it.
	Fail(in string, i int, status toolcall.Status, reason toolcall.Reason) int
	// JSON has what follows read as one JSON object in place of the syntax.
	JSON()

	// ContentEnds and Close are for machines that read what follows the arguments, too:
	// these end at one stream offset, and the call at another. Close goes back to that
	// from in[i], and returns where to read on.
	ContentEnds(at int64)
	Close(in string, i int, at int64, status toolcall.Status, reason toolcall.Reason) int
}

// Call is the call that a machine reads, as far as it needs it.
type Call interface {
	Schema() *schema.Schema
	// Out is where the arguments go, or the content of a file tool's segment.
	Out() *jsonstream.Out
	Tolerate(toolcall.Tolerances)
	// Break decides, before the arguments end, how the call ends.
	Break(toolcall.Status, toolcall.Reason)

	// IsFile reports whether the call is a file tool's: the arguments but one are
	// metadata then.
	IsFile() bool
	SetMeta(name, json string)
	// Meets is told of each argument's name, Has after each that was written as JSON.
	// They, and TextBegins, decide whether the call is a file tool's.
	Meets(name string)
	Has(name string)
	// IsContent reports whether an argument is, or may be, the content of a file
	// tool's segment. TextBegins is told where such a text begins; the text goes to Out
	// as it is where it reports true.
	IsContent(name string) bool
	TextBegins(name string) bool
	// IsCommand reports whether that content is, or may be, a command; Markers are what
	// may stand around it.
	IsCommand() bool
	Markers() [2]string
}

// Limits bound what a machine holds.
type Limits struct {
	Blanks int // bytes of blanks that may be layout
	Held   int // bytes of a value that does not stream
	Depth  int // of containers
}

// Form is a way to write a call, compiled, as far as its arguments need it.
type Form struct {
	*dialect.Form
	Noise  []string // the dialect's
	Bare   bool     // no marker tells a call from prose
	Closer lex.Pattern
	Enter  lex.Pattern   // the opener of a section
	Leave  lex.Pattern   // its closer
	After  []lex.Pattern // what may follow the arguments
	Kinds  []After       // of After

	Compiled any // what the syntax makes of it
}

// After is what a pattern after the arguments is.
type After uint8

const (
	AfterCloser  After = iota // the call's closer
	AfterSection              // the section's
	AfterNext                 // what the next call begins with
)

// A Syntax is one way to write arguments.
type Syntax struct {
	// New makes a machine, which is used for one call after the other.
	New func(Limits) Machine
	// Compile makes what the machine needs of a form, once for all streams; nil: it
	// needs no more than the form has.
	Compile func(*Form) any
	// First is what arguments may begin with; nil: anything.
	First func(*dialect.Args) []lex.Pattern
	// Takes: attributes beside the name, in the tag that has it, are arguments. Its
	// machine is a [Taker], and reads what follows the arguments, too.
	Takes bool
	// Sure: what ends the head tells a call as a marker does, where tools are declared.
	// Cut there, the call is incomplete, and no text.
	Sure bool
	// Fault names a field of a row that does not fit the syntax, and what is wrong with
	// it; "": nothing.
	Fault func(*dialect.Form) (field, wrong string)
	// Write writes the arguments of a call as the machine reads them. Its error is an
	// [*Unwritable].
	Write func(dst []byte, w *Writing) ([]byte, error)
	// About says, for the documentation, how arguments are written and how their values
	// get their types. code marks what stands in them.
	About func(a *dialect.Args, code func(string) string) (written, typed string)
}

// TypedBySchema is how values without a type of their own get it, for a syntax's About.
func TypedBySchema(a *dialect.Args, code func(string) string) string {
	switch {
	case a.Type != "":
		return "by the attribute " + code(a.Type) + " and the tool's schema; without either a string."
	case a.TypeMark.Open != "":
		return "by the written type and the tool's schema; without either a string."
	}
	return "by the tool's schema; without one a string."
}
