package toolcall

// DeltaKind tells what a [Delta] carries.
type DeltaKind uint8

// The kinds of delta.
const (
	DeltaText      DeltaKind = iota + 1 // Text: visible output, which a text dialect may still parse
	DeltaReasoning                      // Text: reasoning that the wire keeps apart
	DeltaToolCall                       // a fragment of a native tool call
	DeltaRefusal                        // Text: the model's refusal, where the wire keeps it apart
	DeltaSignature                      // Text: an opaque signature of reasoning or of the call at Index
	DeltaFinish                         // Text: the provider's own finish reason
	DeltaError                          // Text: the error's message, Name: its code or type
	DeltaRestart                        // the provider begins its message anew: what it had not finished is void
	DeltaExtra                          // Text: the JSON of a member that no other delta tells, Name: its path
)

var deltaKindNames = [...]string{
	DeltaText: "text", DeltaReasoning: "reasoning", DeltaToolCall: "tool_call", DeltaRefusal: "refusal",
	DeltaSignature: "signature", DeltaFinish: "finish", DeltaError: "error", DeltaRestart: "restart", DeltaExtra: "extra",
}

// String returns the kind in lower case.
func (k DeltaKind) String() string { return nameOf(deltaKindNames[:], int(k), "DeltaKind") }

// NoIndex is the Index of a tool-call fragment whose wire gave none.
const NoIndex = -1

// What a DeltaSignature belongs to, as its Name; "" is the text or the
// reasoning before it.
const (
	SignsCall     = "call"     // the call at Index, else of ID, else the last one
	SignsRedacted = "redacted" // Text is no signature, but reasoning that came encrypted
)

// Delta is one decoded piece of a provider's stream. It is a flat value,
// comparable with ==, and owns its strings.
//
// A tool-call fragment carries what its wire gave and nothing made up: which
// call it belongs to is for package parser to decide, from Index, ID and Name
// together, since real servers leave each of them out or repeat it.
type Delta struct {
	Kind DeltaKind

	// Whole: Text is all of the call's arguments, not a further fragment.
	// A wire that repeats them at the end (Responses) sends fragments first
	// and a whole one after.
	Whole bool
	// Done: the wire says that the call at Index has ended. It may come with
	// a fragment or alone.
	Done bool
	// Truncated, on DeltaFinish: the provider cut the output short (length,
	// content filter), so that calls still open are incomplete.
	Truncated bool
	// Custom, on the first DeltaToolCall of a call: its tool takes free text.
	// The arguments are {"input":"..."} all the same.
	Custom bool

	Choice int // the candidate this belongs to, from 0
	Index  int // DeltaToolCall, DeltaSignature, DeltaExtra: the call's place by its wire, or NoIndex

	ID string // DeltaToolCall, DeltaSignature: the provider's call id, where this piece has one
	// Name, on DeltaToolCall, is the tool's name, where this piece has one; on
	// DeltaFinish details of the reason; on DeltaSignature what is signed:
	// SignsCall, SignsRedacted, or "" for the text or reasoning before it; on
	// DeltaExtra the member's path in an event of its wire, such as
	// "service_tier", with "[]" for an element of a list.
	Name string
	Text string // see Kind; DeltaToolCall: argument text, JSON
}
