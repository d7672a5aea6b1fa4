package gemini

import (
	"slices"

	"github.com/toolparse/toolparse/format/internal/jsonout"
	"github.com/toolparse/toolparse/format/internal/rawjson"
	"github.com/toolparse/toolparse/format/internal/unknown"
	"github.com/toolparse/toolparse/toolcall"
)

// A stream's extras are all members that no other delta tells, but for those
// that mean nothing: the role of a content, which is the model's whatever it
// says; a text without characters; an index; a finish reason that is
// unspecified; the id and the model where they come again; false as a thought.
// In place of the usage's counts, chunk after chunk, the last ones are kept.
//
// These are the paths that they stand at. Those of a part come before it:
// members of its own before what they are about, which is a text, a call, or an
// extra that is one of partKinds. A part that is nothing of these is an extra as
// a whole.
const (
	inFeedback   = "promptFeedback"
	inError      = "error"
	inCandidate  = "candidates[]"
	inContent    = inCandidate + ".content"
	wholePart    = "parts[]" // in inContent
	inPart       = inContent + "." + wholePart
	callPath     = inPart + ".functionCall"
	inPartialArg = callPath + ".partialArgs[]"
)

// partKinds are what a part may be that is neither text nor call.
var partKinds = [...]string{
	"inlineData", "fileData", "executableCode", "codeExecutionResult", "functionResponse", "toolCall", "toolResponse",
}

func isPartKind[S string | []byte](name S) bool { return slices.Contains(partKinds[:], string(name)) }

// standing are the members of a candidate that say how things stand; the others
// add to what came before.
var standing = [...]string{"safetyRatings", "finishMessage", "tokenCount", "avgLogprobs"}

func (d *Decoder) candidateExtras(dst []toolcall.Delta, v rawjson.Value, choice int) []toolcall.Delta {
	for key, member := range members(v) {
		switch name := string(key); {
		case name == "index", name == "content", name == "finishReason":
		case slices.Contains(standing[:], name):
			dst = d.extras.Set(dst, choice, inCandidate, key, member)
		default:
			dst = unknown.Add(dst, choice, toolcall.NoIndex, inCandidate, key, member)
		}
	}
	return dst
}

// usageExtras tells those members of a usage that a chat.Usage has not, or not
// apart from others. What the tools used is 0 where it no longer comes in counts
// that do.
func (d *Decoder) usageExtras(dst []toolcall.Delta, v rawjson.Value, counts bool) []toolcall.Delta {
	usedTools := false
	for key, member := range members(v) {
		if !slices.Contains(counted[:], string(key)) {
			usedTools = usedTools || string(key) == toolUse
			dst = d.extras.Set(dst, 0, inUsage, key, member)
		}
	}
	if counts && d.usedTools && !usedTools {
		dst = d.extras.Set(dst, 0, inUsage, []byte(toolUse), rawjson.Value{Kind: rawjson.Number, Raw: []byte("0")})
	}
	d.usedTools = usedTools || d.usedTools && !counts
	return dst
}

// errorExtras tells what an error has beside its message and its code.
func (d *Decoder) errorExtras(dst []toolcall.Delta, v rawjson.Value) []toolcall.Delta {
	for key, member := range errorRest(v, &d.Texts) {
		dst = unknown.Add(dst, 0, toolcall.NoIndex, inError, key, member)
	}
	return dst
}

// partExtras tells what a part has beside text, call and signature. Said tells
// that deltas of its text or its call follow.
func (d *Decoder) partExtras(dst []toolcall.Delta, v rawjson.Value, choice int, said bool) []toolcall.Delta {
	kind, aboutText := false, true
	for key, member := range members(v) {
		kind = kind || isPartKind(key) && member.IsSet()
		aboutText = aboutText && (string(key) != "functionCall" || member.Kind != rawjson.Object)
	}
	if !said && !kind {
		if whole := restOfPart(v); whole.IsSet() {
			d.apart = choice + 1
			dst = unknown.Add(dst, choice, toolcall.NoIndex, inContent, []byte(wholePart), whole)
		}
		return dst
	}
	aboutText = aboutText && !kind
	for key, member := range members(v) {
		switch name := string(key); {
		case name == "text", name == "functionCall", name == "thoughtSignature", isPartKind(key):
		case name == "thought" && (aboutText || !member.IsTrue()): // the kind of its delta says it
		default:
			dst = unknown.Add(dst, choice, toolcall.NoIndex, inPart, key, member)
		}
	}
	for key, member := range members(v) {
		if isPartKind(key) {
			d.apart = choice + 1
			dst = unknown.Add(dst, choice, toolcall.NoIndex, inPart, key, member)
		}
	}
	return dst
}

// restOfPart returns a part without its signature, which is a delta of its own,
// or null where nothing is left of it.
func restOfPart(v rawjson.Value) rawjson.Value {
	var w jsonout.Writer
	w.Object()
	rest := rawjson.Null
	for key, member := range members(v) {
		if member.IsSet() && string(key) != "thoughtSignature" {
			w.Member(string(key), member.JSON())
			rest = rawjson.Object
		}
	}
	w.EndObject()
	return rawjson.Value{Kind: rest, Raw: w.Out}
}
