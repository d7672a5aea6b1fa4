package toolcall

import "encoding/json"

// ToolInvocation is one call that a model asked for, in whatever way it was
// written. Calls that were cut short or broken are invocations too; ask
// [ToolInvocation.Runnable] before running one.
type ToolInvocation struct {
	ID        string          // the id of the segment that it came from
	CallID    string          // the provider's own id, to be echoed with the result; may be empty or repeat
	Name      string          // the tool
	Arguments json.RawMessage // one JSON object when Status is Complete, else what had arrived of it

	Status     Status
	Reason     Reason
	Tolerances Tolerances

	Dialect string // that the call was read in, NativeDialect for a provider's own; "" where it is not known
	// Start and End are the offsets in bytes, End exclusive, of the call's raw
	// bytes in the text that was parsed. Both are 0 for a provider's own call,
	// which has none.
	Start, End int64

	// Unknown: tools were declared, and this is none of them.
	Unknown bool
	// Problems are the ways in which the arguments break the tool's schema.
	Problems []Problem
	// Unchecked are the rules of the schema that the arguments could not be held
	// against, each behind the JSON pointer of its value: "/p: the pattern ^(a)\1$
	// could not be checked: ...". A schema whose rules guard something is worth
	// writing without such rules, or with adapter.Options.Strict, where each is a
	// problem.
	Unchecked []string
}

// Runnable reports whether the call may be run: it is complete, its tool is
// declared (or none were), and its arguments fit the schema, as far as that could
// be checked: see Unchecked.
func (t ToolInvocation) Runnable() bool {
	return t.Status == Complete && !t.Unknown && len(t.Problems) == 0
}
