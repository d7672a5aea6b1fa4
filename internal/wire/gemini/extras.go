package gemini

import (
	"slices"

	"github.com/toolparse/toolparse/internal/wire/jsonout"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/toolcall"
)

// The extras of a stream are all members that no other delta expresses, except
// meaningless ones: the role of a content, which is always the model's; an empty text; an
// index; an unspecified finish reason; repeated ids and models; false as a thought. Of
// the usage's other counts, only the last values are kept.
//
// These constants are their paths. The extras of a part come before it: its members
// before what they belong to, which is a text, a call, or an extra in partKinds. Any
// other part is an extra as a whole.
const (
	inChunk      = ""
	inFeedback   = "promptFeedback"
	inError      = "error"
	inCandidate  = "candidates[]"
	inContent    = inCandidate + ".content"
	wholePart    = "parts[]" // in inContent
	inPart       = inContent + "." + wholePart
	callPath     = inPart + ".functionCall"
	inPartialArg = callPath + ".partialArgs[]"
)

// partKinds are the kinds of parts that are neither text nor a call.
var partKinds = [...]string{
	"inlineData", "fileData", "executableCode", "codeExecutionResult", "functionResponse", "toolCall", "toolResponse",
}

func isPartKind[S string | []byte](name S) bool { return slices.Contains(partKinds[:], string(name)) }

// standing are the members of a candidate with a state; the others add to earlier ones.
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

// usageExtras appends the members of a usage that chat.Usage does not have, or not
// separately. The count of the tools' tokens becomes 0 if it is missing in later counts.
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

// partExtras appends the members of a part besides text, call and signature. hasText means
// that deltas of its text or call follow.
func (d *Decoder) partExtras(dst []toolcall.Delta, v rawjson.Value, choice int, hasText bool) []toolcall.Delta {
	kind, aboutText := false, true
	for key, member := range members(v) {
		kind = kind || isPartKind(key) && member.IsSet()
		aboutText = aboutText && (string(key) != "functionCall" || member.Kind != rawjson.Object)
	}
	if !hasText && !kind {
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

// restOfPart returns a part without its signature, which is a delta of its own, or null
// if nothing is left.
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
