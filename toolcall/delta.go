package toolcall

// DeltaKind says what a [Delta] carries.
type DeltaKind uint8

// The kinds of delta.
const (
	DeltaText      DeltaKind = iota + 1 // Text: visible output, which may contain calls of a text dialect
	DeltaReasoning                      // Text: reasoning, on wires that separate it from text
	DeltaToolCall                       // a fragment of a native tool call
	DeltaRefusal                        // Text: a refusal, on wires that separate it from text
	DeltaSignature                      // Text: an opaque signature of reasoning or of the call at Index
	DeltaFinish                         // Text: the provider's own finish reason
	DeltaError                          // Text: the error message; Name: its code or type
	DeltaRestart                        // the provider begins the message anew; its unfinished parts are void
	DeltaExtra                          // Text: a JSON member that no other kind carries; Name: its path
)

var deltaKindNames = [...]string{
	DeltaText: "text", DeltaReasoning: "reasoning", DeltaToolCall: "tool_call", DeltaRefusal: "refusal",
	DeltaSignature: "signature", DeltaFinish: "finish", DeltaError: "error", DeltaRestart: "restart", DeltaExtra: "extra",
}

// String returns the kind in lower case.
func (k DeltaKind) String() string { return nameOf(deltaKindNames[:], int(k), "DeltaKind") }

// NoIndex is the Index of a tool-call fragment to which the wire gave no index.
const NoIndex = -1

// The values of a DeltaSignature's Name. "" means that it signs the text or reasoning
// before it.
const (
	SignsCall     = "call"     // signs the call at Index, else the call with ID, else the last call
	SignsRedacted = "redacted" // Text is not a signature but encrypted reasoning
)

// Delta is one decoded piece of a provider's stream. It is a flat value, comparable
// with ==, and owns its strings.
//
// A tool-call fragment carries only what its wire sent. Package parser decides to
// which call it belongs, from Index, ID and Name together, because real servers omit
// or repeat each of them.
type Delta struct {
	Kind DeltaKind

	// Whole means that Text is all arguments of the call and not the next fragment.
	// Some wires (Responses) send fragments first and then the whole again.
	Whole bool
	// Done means that the wire ended the call at Index. It may come with a fragment or
	// alone.
	Done bool
	// Truncated, on DeltaFinish, means that the provider cut the output short (length,
	// content filter), so that open calls are incomplete.
	Truncated bool
	// Custom, on the first DeltaToolCall of a call, means that its tool takes free
	// text, which is wrapped as {"input":"..."}.
	Custom bool

	Choice int // the candidate that this piece belongs to, from 0
	Index  int // DeltaToolCall, DeltaSignature, DeltaExtra: the wire's index of the call, or NoIndex

	ID string // DeltaToolCall, DeltaSignature: the provider's call id, if this piece has one
	// Name depends on Kind. DeltaToolCall: the tool's name, if this piece has one.
	// DeltaFinish: details of the reason. DeltaError: the code or type. DeltaSignature:
	// SignsCall, SignsRedacted or "". DeltaExtra: the member's path in an event of its
	// wire, such as "service_tier", with "[]" for an element of a list.
	Name string
	Text string // see DeltaKind; DeltaToolCall: a fragment of the arguments' JSON
}
