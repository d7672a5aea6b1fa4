package wire

import (
	"errors"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/toolcall"
)

// ErrUnfinished means that the provider is still working on the answer.
var ErrUnfinished = errors.New("the answer is not finished")

// ReadFinish returns the reason that a provider's word stands for. One list serves all
// wires and the servers that imitate them, because their words do not conflict.
func ReadFinish(wire, word string) chat.Finish {
	return chat.Finish{Reason: reasonOf(word), Word: word, Wire: wire}
}

// finishWords are the words of all wires, by their reasons, as fold writes them.
var finishWords = map[chat.FinishReason][]string{
	chat.FinishStop:      {"stop", "end_turn", "stop_sequence", "completed", "eos", "eos_token", "stop_token", "unload", "load"},
	chat.FinishToolCalls: {"tool_calls", "tool_call", "function_call", "tool_use"},
	chat.FinishLength:    {"length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded", "incomplete"},
	chat.FinishContentFilter: {
		"content_filter", "safety", "recitation", "blocklist", "prohibited_content", "spii", "language",
		"image_safety", "image_prohibited_content", "image_recitation", "model_armor", "sensitive",
	},
	chat.FinishRefusal: {"refusal"},
	chat.FinishPause:   {"pause_turn", "compaction"},
	chat.FinishError: {
		"error", "failed", "cancelled", "abort", "network_error", "insufficient_system_resource",
		"malformed_function_call", "unexpected_tool_call", "too_many_tool_calls",
	},
}

// reasons are the reasons by their words. The map is read-only.
var reasons = func() map[string]chat.FinishReason {
	of := map[string]chat.FinishReason{}
	for reason, words := range finishWords {
		for _, word := range words {
			of[word] = reason
		}
	}
	return of
}()

func reasonOf(word string) chat.FinishReason {
	if word == "" {
		return chat.FinishUnset
	}
	if reason, ok := reasons[fold(word)]; ok {
		return reason
	}
	return chat.FinishOther
}

// fold returns a word in lower case and with underscores: gateways write the vendors' words
// as TOOL_CALLS or tool-calls, too.
func fold(word string) string { return strings.ReplaceAll(strings.ToLower(word), "-", "_") }

// FinishOf returns the reason in a DeltaFinish in normal form. calls reports whether the
// choice has any calls.
func FinishOf(wire string, d toolcall.Delta, calls bool) chat.Finish {
	f := ReadFinish(wire, d.Text)
	if d.Name != "" {
		if detail := ReadFinish(wire, d.Name); detail.Reason != chat.FinishUnset && detail.Reason != chat.FinishOther {
			f = detail
		}
	}
	if d.Truncated && !IsCut(f.Reason) {
		f = chat.Finish{Reason: chat.FinishLength}
	}
	return WithCalls(f, calls)
}

// IsCut reports whether calls that are open at such an end are incomplete. For an unknown
// reason it returns true, to be safe.
func IsCut(r chat.FinishReason) bool {
	switch r {
	case chat.FinishLength, chat.FinishContentFilter, chat.FinishRefusal, chat.FinishError, chat.FinishOther:
		return true
	}
	return false
}

// IsPending reports whether the provider is still working on the answer, such as one that
// it makes in the background.
func IsPending(f chat.Finish) bool { return f.Word == "queued" || f.Word == "in_progress" }

// WithCalls returns f, corrected by whether the answer has calls. Servers often send the
// wrong reason.
func WithCalls(f chat.Finish, calls bool) chat.Finish {
	switch {
	case calls && f.Reason == chat.FinishStop:
		f.Reason = chat.FinishToolCalls
	case !calls && f.Reason == chat.FinishToolCalls:
		f.Reason = chat.FinishStop
	}
	return f
}
