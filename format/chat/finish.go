package chat

// FinishReason says why an answer ended.
type FinishReason uint8

// The finish reasons.
const (
	FinishUnset FinishReason = iota
	FinishStop
	FinishToolCalls
	FinishLength        // the caller's token limit, or the model's
	FinishContentFilter // the provider intervened
	FinishRefusal       // the model declined
	FinishPause         // the provider will continue the answer
	FinishError
	FinishOther
)

var finishNames = [...]string{"unset", "stop", "tool_calls", "length", "content_filter", "refusal", "pause", "error", "other"}

// String returns the reason in lower case.
func (r FinishReason) String() string {
	if int(r) < len(finishNames) {
		return finishNames[r]
	}
	return "unknown"
}

// Finish is a finish reason together with the provider's word for it.
type Finish struct {
	Reason FinishReason
	Word   string // "" if the reason was not read from a wire
	Wire   string // the wire that Word is from
}
