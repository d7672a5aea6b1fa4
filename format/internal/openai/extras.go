package openai

import (
	"iter"

	"github.com/toolparse/toolparse/format/internal/rawjson"
	"github.com/toolparse/toolparse/format/internal/unknown"
	"github.com/toolparse/toolparse/toolcall"
)

// A stream's extras are all members that no other delta tells, but for those
// that mean nothing: padding; the words "object", "role" and "type", where they
// are of a kind that is known; id, model and created where they come again; the
// places of parts and calls in a whole body.
//
// These are the paths that they stand at. Members of a choice, of its message
// and of reasoning_details come before the deltas that they stand beside, those
// of a call after it. What stands at the top, or in the usage, says how things
// stand, and comes where it is new; all else adds to what came before.
//
// A null extra tells of a name that the wire has for what another delta tells.
const (
	inChoice  = "choices[]"
	inDelta   = inChoice + ".delta"
	inMessage = inChoice + ".message" // in place of inDelta, in a whole body
	inUsage   = "usage"
	inError   = "error"
	inGroq    = "x_groq"

	// In a choice of /v1/completions, in place of a message.
	textOfChoice = "text"

	// What every chunk has.
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

// isPadding reports whether a member is there to hide how long an event is.
func isPadding[S string | []byte](key S) bool { return string(key) == "obfuscation" }

// add tells those members of an object at a path in the message that are not
// known.
func (m messageDecoder) add(dst []toolcall.Delta, index int, in string, object rawjson.Value, known ...string) []toolcall.Delta {
	for key, member := range object.Fields() {
		if member.IsSet() && !unknown.IsOneOf(known, key) {
			dst = unknown.Add(dst, m.choice, index, m.path+in, key, member)
		}
	}
	return dst
}

// wholeExtra tells an element of a list that no delta tells.
func (m messageDecoder) wholeExtra(dst []toolcall.Delta, index int, name string, v rawjson.Value) []toolcall.Delta {
	return unknown.Add(dst, m.choice, index, m.path, []byte(name), v)
}

// googleExtras tells what extra_content has beside the signature.
func (m messageDecoder) googleExtras(dst []toolcall.Delta, index int, in string, v rawjson.Value) []toolcall.Delta {
	google := v.Get("google")
	if google.Kind != rawjson.Object {
		return m.add(dst, index, in+inGoogle, v)
	}
	dst = m.add(dst, index, in+inGoogle, v, "google")
	return m.add(dst, index, in+inGoogle+inSignature, google, "thought_signature")
}

// member is a member of an object inside of an answer.
type member struct {
	in, name string
	value    rawjson.Value

	// spelled: another delta tells the value, and the member which of several
	// names it has.
	spelled bool
}

// path is the name of a spelling in chat.Extras.
func (m member) path() string { return m.in + "." + m.name }

// keep keeps members of a whole body.
func keep(k *unknown.Keeper, members iter.Seq[member]) {
	for m := range members {
		if m.spelled {
			k.NoteName(m.path())
		} else {
			k.Keep(m.in, []byte(m.name), m.value)
		}
	}
}

// tell appends the extras for members: those of an error each time.
func (d *Decoder) tell(dst []toolcall.Delta, members iter.Seq[member]) []toolcall.Delta {
	for m := range members {
		switch {
		case m.spelled:
			dst = d.extras.NoteName(dst, 0, m.in, m.name)
		case m.in == inError:
			dst = unknown.Add(dst, 0, toolcall.NoIndex, m.in, []byte(m.name), m.value)
		default:
			dst = d.extras.Set(dst, 0, m.in, []byte(m.name), m.value)
		}
	}
	return dst
}
