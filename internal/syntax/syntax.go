// Package syntax holds what the argument syntaxes have in common. A folder below it is one
// syntax: its reader, its writer and its grammar, what it compiles from a dialect's row, and
// the checks of that row. Package all lists the syntaxes.
//
// The interface between a machine and the parser is narrow:
//
//	          Begin, Read, Expire, Finish, PassThrough
//	parser  ----------------------------------------->  Machine
//	        <-----------------------------------------
//	          Host: positions, going back, the end of the arguments
//	          Call: where the arguments go, through a Writer
//
// Both sides keep one invariant. The bytes of the stream are in one of three regions:
//
//	read and final     | looked at, pending     | not read
//	-------------------+------------------------+----------
//	                   ^ Host.From()            ^ At(i)
//
// A machine reads every input from the offset that it is given to the end of the input, or
// to the end of the arguments, and returns how far it came. What it has read is final, and
// the parser may emit it, unless the machine looks: [Host.Look] puts a boundary before a
// byte that may be markup, and all bytes from there on stay pending. The machine then
// either decides (Decide: they are final) or rewinds (Rewind: it reads some of them again,
// as something else). A look has a deadline in bytes; when it passes, the parser calls
// Expire, and the machine must treat the bytes as content. No decision depends on where an
// input ends, so the result does not depend on how the stream is cut. Since each look is
// bounded, the time is linear.
package syntax

import (
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/rules"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/toolcall"
)

// A Machine reads the arguments of a call, and is then used for the next call. It writes
// the arguments through a [Writer]. At their end it calls Host.End or returns the result of
// Host.Done; if they are broken, it returns the result of Host.Fail.
type Machine interface {
	// Begin starts the arguments of a call.
	Begin(h Host, c Call, f *Form)
	// Read consumes in from offset i, and returns the offset up to which it has read.
	Read(h Host, in string, i int) int
	// Expire is called when a look has reached its deadline. The machine must decide that
	// the pending bytes are not markup. It returns where to continue.
	Expire(h Host, in string, i int) int
	// Finish is called at the end of the stream, and reports whether the arguments are
	// complete.
	Finish(h Host) bool
	// PassThrough says how the parser may pass on the next chunk without the machine, and
	// the bytes that prevent that. The stops are nil if the machine must read it anyway.
	PassThrough() (PassAs, *Stops)
}

// A Lookahead is a [Machine] that can check, after the head of a call, whether arguments
// begin there: otherwise the head was text. It keeps nothing of what it reads; Read gets
// the same bytes again.
type Lookahead interface {
	// BeginLookahead starts the check after the head of a call to a tool with schema s. amid
	// reports that text precedes the call in its line.
	BeginLookahead(f *Form, s *schema.Schema, amid bool)
	// ReadLookahead consumes in from offset i, and returns its verdict so far with the offset.
	ReadLookahead(in string, i int) (Verdict, int)
}

// A LookaheadEnder is a [Lookahead] that may have read enough to recognise a call when the
// stream ends. LookaheadEnds reports, at that point, whether there is one.
type LookaheadEnder interface{ LookaheadEnds() bool }

// An AttributeReader is a [Machine] that accepts arguments from the head of a call before
// it reads.
type AttributeReader interface {
	// AddAttribute adds the argument name with the value text.
	AddAttribute(name, text string)
	// EndAtHead ends the call before in[i]: it consists of its head only.
	EndAtHead(h Host, in string, i int) int
}

// A Resumer is a [Machine] that can continue after a JSON object that the parser read in
// place of its syntax (see Host.JSON).
type Resumer interface {
	AfterJSON(h Host, in string, i int) int
}

// Verdict is the result of reading ahead.
type Verdict uint8

const (
	Unsure  Verdict = iota // more input is needed
	Begins                 // the arguments begin here, or the call has none
	Differs                // something else begins
)

// Host is the part of the parser that machines use. An int64 is an offset in the stream, in
// bytes; an int is an offset in the input at hand.
type Host interface {
	// At returns the stream offset of in[i].
	At(i int) int64
	// Look begins a look at in[i]: the bytes from there on stay pending. Its deadline
	// leaves room for any closer and the blanks around it.
	Look(i int)
	// LookFrom is Look at a stream offset, which must be pending. It replaces an open look.
	LookFrom(at int64)
	// LookWithin is Look with a deadline of n bytes.
	LookWithin(i, n int)
	// Until shortens the look: its deadline becomes at most n bytes after in[i].
	Until(i, n int)
	// Looking reports whether a look is open. From returns the stream offset where it
	// begins.
	Looking() bool
	From() int64
	// Decide ends the look and makes the pending bytes final.
	Decide()
	// Rewind ends the look and goes back from in[i] to the stream offset to, which must be
	// pending. It returns the offset at which the caller must continue.
	Rewind(in string, i int, to int64) int
	// Pending returns the pending bytes from a stream offset up to in[i]. IsHeld reports
	// whether some of them came with an earlier input.
	Pending(in string, i int, from int64) string
	IsHeld(from int64) bool

	// IsTool reports whether a tool with this name was declared.
	IsTool(name string) bool

	// End ends the arguments at a stream offset. The frame of the call reads the rest.
	End(to int64)
	// Done ends the arguments before in[i], after their last byte, and returns where to
	// continue.
	Done(in string, i int) int
	// Fail reports broken arguments. The rest of the call goes with them. It returns where
	// to continue.
	Fail(in string, i int, status toolcall.Status, reason toolcall.Reason) int
	// JSON makes the parser read one JSON object from here on, in place of the syntax.
	JSON()

	// ContentEnds and Close are for machines that also read what follows the arguments.
	// ContentEnds sets the stream offset at which the arguments end, and Close the one at
	// which the call ends. Close goes back there from in[i], and returns where to continue.
	ContentEnds(at int64)
	Close(in string, i int, at int64, status toolcall.Status, reason toolcall.Reason) int
}

// NotMarkup decides that the first pending byte is content, and calls add with it. The bytes
// after it are content, too, if none of stops is among them; otherwise they are read again.
// It returns where to continue.
func NotMarkup(h Host, in string, i int, stops string, add func(in string, a, b int)) int {
	from := h.From()
	if !h.IsHeld(from) {
		at := int(from - h.At(0))
		add(in, at, at+1)
		return h.Rewind(in, i, from+1)
	}
	rest := h.Pending(in, i, from) // valid up to Rewind or Decide
	if strings.ContainsAny(rest[1:], stops) {
		add(rest, 0, 1)
		return h.Rewind(in, i, from+1)
	}
	add(rest, 0, len(rest))
	h.Decide()
	return i
}

// Call is the part of a call that machines use.
type Call interface {
	// Schema returns the schema of the arguments; nil if the tool is unknown.
	Schema() *schema.Schema
	// Out returns where the arguments go, or the content of a file tool's segment.
	Out() *jsonstream.Out
	// Tolerate records what was repaired.
	Tolerate(toolcall.Tolerances)
	// Break sets the status with which the call will end, before its arguments do.
	Break(toolcall.Status, toolcall.Reason)

	// IsFile reports whether the call has a file tool's own segment. Then every argument
	// but the content is metadata, which SetMeta adds as JSON.
	IsFile() bool
	SetMeta(name, json string)
	// The machine calls BeginArgument with the name of each argument before its value, and
	// EndArgument after each one that it has written as JSON. These calls, and BeginText,
	// decide whether the call is a file tool's.
	BeginArgument(name string)
	EndArgument(name string)
	// IsContent reports whether an argument is, or may be, the content of a file tool's
	// segment. The machine calls BeginText where a text value begins; if that reports
	// true, the text goes to Out as it is, and otherwise as a JSON string.
	IsContent(name string) bool
	BeginText(name string) bool
	// IsCommand reports whether that content is, or may be, a shell command. Markers
	// returns the opening and closing marker that may enclose the content.
	IsCommand() bool
	Markers() [2]string
}

// Limits bound the memory of a machine.
type Limits struct {
	Blanks int // bytes of blanks that may turn out to be layout
	Held   int // bytes of a value that does not stream
	Look   int // bytes until the deadline of a look
	Depth  int // nesting of containers
}

// Lookable returns in up to the deadline of a look at in[i].
func (l Limits) Lookable(in string, i int) string { return in[:min(len(in), i+l.Look)] }

// Form is one compiled way to write a call: the part that the arguments depend on.
type Form struct {
	*dialect.Form
	Noise  []string    // of the dialect
	Bare   bool        // no marker distinguishes a call from prose
	Closer lex.Pattern // ends the call
	Enter  lex.Pattern // opens a section of calls
	Leave  lex.Pattern // closes the section
	After  *lex.Set    // everything that may follow the arguments
	Kinds  []After     // what each pattern in After is
	// Heads are the beginnings of other calls with a marker, up to after the name. Text can
	// quote them, a value of another type cannot.
	Heads []lex.Pattern

	Compiled any // what Syntax.Compile returned
}

// After says what a pattern in Form.After is.
type After uint8

const (
	AfterCloser  After = iota // the call's closer
	AfterSection              // the section's closer
	AfterNext                 // the beginning of the next call
)

// A Syntax is one way to write arguments. Optional functions may be nil.
type Syntax struct {
	// New makes a machine. It reads one call after another.
	New func(Limits) Machine
	// Compile prepares what the machine needs of a form, once for all streams. The result
	// becomes Form.Compiled. Optional.
	Compile func(*Form) any
	// First returns what arguments can begin with; nil means anything. Optional.
	First func(*dialect.Args) []lex.Pattern
	// Attributes means that the attributes beside the name, in the tag that names the tool, are
	// arguments. The machine is an [AttributeReader], and also reads what follows the arguments.
	Attributes bool
	// Sure means that the end of the head identifies a call as reliably as a marker, if
	// tools are declared. A stream that ends there leaves an incomplete call rather than
	// text.
	Sure bool
	// Fault names a field of a row that does not fit the syntax, and says what is wrong
	// with it. It returns "" if all fields fit. Optional.
	Fault func(*dialect.Form) (field, wrong string)
	// Write appends the arguments of a call in the form that the machine reads. Its error
	// is an [*Unwritable].
	Write func(dst []byte, w *Writing) ([]byte, error)
	// Grammar matches the arguments of a call of t, of the shape s, that the machine reads
	// and that fit the tool's schema.
	Grammar func(w *rules.Writer, t *rules.Tool, s *rules.Shape) *rules.Node
	// About describes, for the documentation, how arguments are written and how their
	// values get types. It calls code to mark up literal text.
	About func(a *dialect.Args, code func(string) string) (written, typed string)
}

// TypedBySchema describes, for Syntax.About, how values without a written type get theirs.
func TypedBySchema(a *dialect.Args, code func(string) string) string {
	switch {
	case a.Type != "":
		return "by the attribute " + code(a.Type) + " and the tool's schema; without either a string."
	case a.TypeMark.Open != "":
		return "by the written type and the tool's schema; without either a string."
	}
	return "by the tool's schema; without one a string."
}
