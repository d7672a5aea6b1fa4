package responses

import (
	"strings"

	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/toolcall"
)

// Members without meaning, which the encoder makes anew: the numbers of events and
// annotations, padding, and keep-alives. An empty list means the same as none.

func isMeaningless(key []byte, v rawjson.Value) bool {
	switch string(key) {
	case "sequence_number", "obfuscation", "annotation_index":
		return true
	case "annotations", "logprobs":
		return v.Kind == rawjson.Array && v.IsEmpty()
	}
	return !v.IsSet()
}

// isEvent reports whether the members of an event are read, so that it is not kept as a
// whole.
func isEvent(kind string) bool {
	for part := textPart; part < partKinds; part++ {
		if kind == partShapes[part].delta || kind == partShapes[part].done {
			return true
		}
	}
	switch kind {
	case "created", "in_progress", "queued", "completed", "incomplete", "failed", "cancelled",
		"content_part.added", "content_part.done", "reasoning_summary_part.added", "reasoning_summary_part.done", "output_text.annotation.added",
		"function_call_arguments.delta", "function_call_arguments.done", "custom_tool_call_input.delta", "custom_tool_call_input.done":
		return true
	}
	return false
}

// isCallEvent reports whether an event has a piece of a call.
func isCallEvent(kind string) bool {
	return strings.HasPrefix(kind, "function_call_arguments.") || strings.HasPrefix(kind, "custom_tool_call_input.")
}

// eventExtras appends the members of an event that no delta expresses, before the event's
// other deltas.
func eventExtras(dst []toolcall.Delta, kind string, f *fields) []toolcall.Delta {
	index := toolcall.NoIndex
	if n, ok := f.index.Int(); ok && n >= 0 && isCallEvent(kind) {
		index = n
	}
	for _, m := range f.rest {
		if kind == "function_call_arguments.done" && m.name == "name" { // repeated
			continue
		}
		dst = unknown.Add(dst, 0, index, kind, []byte(m.name), m.value)
	}
	return dst
}

// wholeEvent appends an unknown event.
func (d *Decoder) wholeEvent(dst []toolcall.Delta, kind string, root rawjson.Value) []toolcall.Delta {
	if kind == "keepalive" || kind == "ping" {
		return dst
	}
	return unknown.Add(dst, 0, toolcall.NoIndex, "event", []byte(kind), root)
}

// itemExtra appends a member of an item if its value is new. For a call that has begun,
// the extra has the call's index.
func (d *Decoder) itemExtra(dst []toolcall.Delta, it *item, in string, key []byte, v rawjson.Value) []toolcall.Delta {
	if isMeaningless(key, v) {
		return dst
	}
	n := len(dst)
	dst = it.members.Set(dst, 0, in, key, v)
	if len(dst) > n && it.started && it.kind.isCall() {
		dst[n].Index = it.index
	}
	return dst
}

// partExtras appends the members of an item's open part that no delta expresses.
func (d *Decoder) partExtras(dst []toolcall.Delta, it *item, at list, part rawjson.Value) []toolcall.Delta {
	in := "item." + listShapes[at].member + "[]"
	for key, v := range part.Fields() {
		if isOfPart(key) && (it.part.noted || string(key) != "annotations") {
			continue
		}
		if !isMeaningless(key, v) {
			it.pass(partMember(at, key, v))
			dst = it.part.members.Set(dst, 0, in, key, v)
		}
	}
	return dst
}
