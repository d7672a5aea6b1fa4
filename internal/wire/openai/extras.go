package openai

import (
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/toolcall"
)

// The extras of a stream are all members that no other delta expresses, except
// meaningless ones: padding; "object", "role" and "type" with known values; repeated ids,
// models and times; the indices of parts and calls in a whole body.
//
// These constants are their paths. Members of a choice, of its message and of
// reasoning_details come before the deltas of the same object, those of a call after
// them. Members at the top and of the usage are states, which come when they are new; all
// others add to earlier ones.
//
// An extra with null says which name the wire has for what another delta expresses.
const (
	inChunk   = ""
	inChoice  = "choices[]"
	inDelta   = inChoice + ".delta"
	inMessage = inChoice + ".message" // instead of inDelta, in a whole body
	inUsage   = "usage"
	inError   = "error"
	inGroq    = "x_groq"

	// In a choice of /v1/completions, instead of a message.
	textOfChoice = "text"

	// In every chunk.
	serviceTier = "service_tier"
	fingerprint = "system_fingerprint"

	// In a delta or a message.
	inCall     = ".tool_calls[]"
	inFunction = inCall + ".function"
	inCustom   = inCall + ".custom"
	inDetail   = ".reasoning_details[]"
	inPart     = ".content[]"
	inGoogle   = ".extra_content" // in a message or a call

	inSignature = ".google" // in inGoogle

	wholeCall   = "tool_calls[]" // an element of an unknown kind
	wholeDetail = "reasoning_details[]"
	wholePart   = "content[]"
)

// isPadding reports whether a member only hides the length of an event.
func isPadding[S string | []byte](key S) bool { return string(key) == "obfuscation" }

// add appends the members of an object, at a path in the message, except the known ones.
func (m messageDecoder) add(dst []toolcall.Delta, index int, in string, object rawjson.Value, known ...string) []toolcall.Delta {
	for key, member := range object.Fields() {
		if member.IsSet() && !unknown.IsOneOf(known, key) {
			dst = unknown.Add(dst, m.choice, index, m.path+in, key, member)
		}
	}
	return dst
}

// wholeExtra appends an element of a list that no other delta expresses.
func (m messageDecoder) wholeExtra(dst []toolcall.Delta, index int, name string, v rawjson.Value) []toolcall.Delta {
	return unknown.Add(dst, m.choice, index, m.path, []byte(name), v)
}

// googleExtras appends the members of extra_content besides the signature.
func (m messageDecoder) googleExtras(dst []toolcall.Delta, index int, in string, v rawjson.Value) []toolcall.Delta {
	google := v.Get("google")
	if google.Kind != rawjson.Object {
		return m.add(dst, index, in+inGoogle, v)
	}
	dst = m.add(dst, index, in+inGoogle, v, "google")
	return m.add(dst, index, in+inGoogle+inSignature, google, "thought_signature")
}

// keepFunc takes a member of the object in that the canonical chat does not have. If its
// value is nameOnly, another delta or field has it, and the name is what is to be kept.
type keepFunc func(in string, name []byte, v rawjson.Value)

var nameOnly rawjson.Value

// keepIn keeps the members of a whole body.
func keepIn(k *unknown.Keeper) keepFunc {
	return func(in string, name []byte, v rawjson.Value) {
		if v.Kind == nameOnly.Kind {
			k.NoteName(in + "." + string(name))
		} else {
			k.Keep(in, name, v)
		}
	}
}

// keepIn appends the extras for members. Those of an error are appended each time.
func (d *Decoder) keepIn(dst *[]toolcall.Delta) keepFunc {
	return func(in string, name []byte, v rawjson.Value) {
		switch {
		case v.Kind == nameOnly.Kind:
			*dst = d.extras.NoteName(*dst, 0, in, string(name))
		case in == inError:
			*dst = unknown.Add(*dst, 0, toolcall.NoIndex, in, name, v)
		default:
			*dst = d.extras.Set(*dst, 0, in, name, v)
		}
	}
}
