package anthropic

import (
	"slices"
	"strconv"

	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/toolcall"
)

// The extras of a stream are all members that no other delta expresses. Their paths begin
// with the type of the event:
//
//   - message_start.message.container, message_delta.usage.service_tier,
//     content_block_stop.x: a member, before the deltas of its event;
//   - content_block_start.text.citations, content_block_delta.text_delta.x: a member of a
//     block's start or of a delta, whose type replaces "content_block" or "delta";
//   - content_block_delta.text.citations_delta: a whole delta of a type that no other delta
//     expresses, after the type of its block;
//   - content_block.server_tool_use: a whole event of a block of such a type;
//   - content_block_stop: the text or thinking before it is a block of its own, although
//     more of the same kind follows;
//   - the type of an unknown event: the whole event;
//   - message_start: the whole event that begins another message.
//
// Those of a whole body are the same as if it had been streamed.
const (
	inStart      = "message_start"
	inMessage    = inStart + ".message"
	inHeadUsage  = inMessage + ".usage"
	inBlock      = "content_block"
	inBlockStart = "content_block_start"
	inBlockDelta = "content_block_delta"
	inBlockStop  = "content_block_stop"
	inEnd        = "message_delta"
	inEndDelta   = inEnd + ".delta"
	inEndUsage   = inEnd + ".usage"
	inStop       = "message_stop"
	inErrorEvent = "error"
	inError      = inErrorEvent + ".error"
	inDetails    = ".output_tokens_details" // of a usage

	callerPath = inBlockStart + ".tool_use.caller"
)

// isSilent reports whether a member of an event means nothing: p, which is Bedrock's
// padding, null, the constant type and role of a message, a text block without text, a
// ping, and counts of 0.
func isSilent(key []byte) bool { return string(key) == "p" }

// rest appends the members of an object at a path, except the known ones.
func rest(dst []toolcall.Delta, index int, in string, object rawjson.Value, known ...string) []toolcall.Delta {
	for key, v := range object.Fields() {
		if !slices.Contains(known, string(key)) && !isSilent(key) {
			dst = unknown.Add(dst, 0, index, in, key, v)
		}
	}
	return dst
}

// whole appends an event that no delta expresses, with its path.
func whole(dst []toolcall.Delta, in string, name string, event rawjson.Value) []toolcall.Delta {
	return unknown.Add(dst, 0, toolcall.NoIndex, in, []byte(name), event)
}

// ends appends the extra for the end of a block of text. matters is false if nothing would
// be lost without it.
func ends(dst []toolcall.Delta, index int, matters bool) []toolcall.Delta {
	d := toolcall.Delta{Kind: toolcall.DeltaExtra, Index: toolcall.NoIndex, Name: inBlockStop, Text: "null"}
	if matters {
		d.Text = `{"type":"content_block_stop","index":` + strconv.Itoa(max(index, 0)) + "}"
	}
	return append(dst, d)
}

// fields are the members of an event.
type fields struct {
	root, kind, index, block, delta, message, usage, failure rawjson.Value

	count int // of members, besides the type and meaningless ones
}

func (f *fields) read(event rawjson.Value) {
	f.root = event
	for key, v := range event.Fields() {
		switch string(key) {
		case "type":
			f.kind = v
			continue
		case "index":
			f.index = v
		case "content_block":
			f.block = v
		case "delta":
			f.delta = v
		case "message":
			f.message = v
		case "usage":
			f.usage = v
		case "error":
			f.failure = v
		default:
			if isSilent(key) {
				continue
			}
		}
		f.count++
	}
}

// rest appends the members of an event at a path, except its type and the known ones.
func (f *fields) rest(dst []toolcall.Delta, index int, in string, known ...string) []toolcall.Delta {
	if f.count == 0 {
		return dst
	}
	return rest(dst, index, in, f.root, append(known, "type")...)
}
