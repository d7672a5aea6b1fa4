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

// IsCut reports whether calls that are open at such an end are incomplete. For an unknown
// reason it returns true, to be safe.
func (r FinishReason) IsCut() bool {
	switch r {
	case FinishLength, FinishContentFilter, FinishRefusal, FinishError, FinishOther:
		return true
	}
	return false
}

// Finish is a finish reason together with the provider's word for it.
type Finish struct {
	Reason FinishReason
	Word   string // "" if the reason was not read from a wire
	Wire   string // the wire that Word is from
}

// IsPending reports whether the provider is still working on the answer, such as one that
// it makes in the background.
func (f Finish) IsPending() bool { return f.Word == "queued" || f.Word == "in_progress" }

// WithCalls returns f, corrected by whether the answer has calls. Servers often send the
// wrong reason.
func (f Finish) WithCalls(calls bool) Finish {
	switch {
	case calls && f.Reason == FinishStop:
		f.Reason = FinishToolCalls
	case !calls && f.Reason == FinishToolCalls:
		f.Reason = FinishStop
	}
	return f
}
