package chat

import (
	"errors"
	"strings"

	"github.com/toolparse/toolparse/toolcall"
)

// ErrUnfinished means that the provider is still working on the answer.
var ErrUnfinished = errors.New("the answer is not finished")

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

// ReadFinish returns the reason that a provider's word stands for. One list serves all
// wires and the servers that imitate them, because their words do not conflict.
func ReadFinish(wire, word string) Finish {
	return Finish{Reason: reasonOf(word), Word: word, Wire: wire}
}

// finishWords are the words of all wires, by their reasons, as fold writes them.
var finishWords = map[FinishReason][]string{
	FinishStop:      {"stop", "end_turn", "stop_sequence", "completed", "eos", "eos_token", "stop_token", "unload", "load"},
	FinishToolCalls: {"tool_calls", "tool_call", "function_call", "tool_use"},
	FinishLength:    {"length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded", "incomplete"},
	FinishContentFilter: {
		"content_filter", "safety", "recitation", "blocklist", "prohibited_content", "spii", "language",
		"image_safety", "image_prohibited_content", "image_recitation", "model_armor", "sensitive",
	},
	FinishRefusal: {"refusal"},
	FinishPause:   {"pause_turn", "compaction"},
	FinishError: {
		"error", "failed", "cancelled", "abort", "network_error", "insufficient_system_resource",
		"malformed_function_call", "unexpected_tool_call", "too_many_tool_calls",
	},
}

// reasons are the reasons by their words. The map is read-only.
var reasons = func() map[string]FinishReason {
	of := map[string]FinishReason{}
	for reason, words := range finishWords {
		for _, word := range words {
			of[word] = reason
		}
	}
	return of
}()

func reasonOf(word string) FinishReason {
	if word == "" {
		return FinishUnset
	}
	if reason, ok := reasons[fold(word)]; ok {
		return reason
	}
	return FinishOther
}

// fold returns a word in lower case and with underscores: gateways write the vendors' words
// as TOOL_CALLS or tool-calls, too.
func fold(word string) string { return strings.ReplaceAll(strings.ToLower(word), "-", "_") }

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

// FinishOf returns the reason in a DeltaFinish in normal form. calls reports whether the
// choice has any calls.
func FinishOf(wire string, d toolcall.Delta, calls bool) Finish {
	f := ReadFinish(wire, d.Text)
	if d.Name != "" {
		if detail := ReadFinish(wire, d.Name); detail.Reason != FinishUnset && detail.Reason != FinishOther {
			f = detail
		}
	}
	if d.Truncated && !f.Reason.IsCut() {
		f = Finish{Reason: FinishLength}
	}
	return f.WithCalls(calls)
}
