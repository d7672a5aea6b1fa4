package openai

import (
	"iter"

	"github.com/toolparse/toolparse/format/internal/extra"
	"github.com/toolparse/toolparse/format/internal/payload"
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

	wholeCall   = "tool_calls[]" // an element that is none of what is known
	wholeDetail = "reasoning_details[]"
	wholePart   = "content[]"
)

// isPadding reports whether a member is there to hide how long an event is.
func isPadding[S string | []byte](key S) bool { return string(key) == "obfuscation" }

// topExtras tells the members of an event that is no error itself.
func (d *Decoder) topExtras(dst []toolcall.Delta, root, failure payload.Value) []toolcall.Delta {
	if failure.Kind == payload.Object && failure.At == root.At {
		return dst
	}
	for key, v := range root.Fields() {
		switch string(key) {
		case "choices", "error", "object", inGroq, inUsage, "id", "model", "created", serviceTier, fingerprint:
		case "detail":
			if failure.At != v.At {
				dst = d.extras.Set(dst, 0, "", key, v)
			}
		default:
			if !isPadding(key) {
				dst = d.extras.Set(dst, 0, "", key, v)
			}
		}
	}
	return dst
}

func choiceExtras(dst []toolcall.Delta, v payload.Value, choice int) []toolcall.Delta {
	for key, member := range v.Fields() {
		switch string(key) {
		case "index", "delta", "message", "finish_reason":
		default:
			dst = extra.Add(dst, choice, toolcall.NoIndex, inChoice, key, member)
		}
	}
	return dst
}

// messageExtras tells the members of a message or a delta that are not known.
func (m messageDecoder) messageExtras(dst []toolcall.Delta, v payload.Value) []toolcall.Delta {
	for key, member := range v.Fields() {
		switch string(key) {
		case "role", "content", "reasoning_content", "reasoning", "thinking", "reasoning_details",
			"refusal", "tool_calls", "function_call", "extra_content":
		default:
			dst = extra.Add(dst, m.choice, toolcall.NoIndex, m.path, key, member)
		}
	}
	return dst
}

// add tells those members of an object at a path in the message that are none of
// the known ones.
func (m messageDecoder) add(dst []toolcall.Delta, index int, in string, object payload.Value, known ...string) []toolcall.Delta {
	for key, member := range object.Fields() {
		if member.IsSet() && !extra.IsOneOf(known, key) {
			dst = extra.Add(dst, m.choice, index, m.path+in, key, member)
		}
	}
	return dst
}

// wholeExtra tells an element of a list that no delta tells.
func (m messageDecoder) wholeExtra(dst []toolcall.Delta, index int, name string, v payload.Value) []toolcall.Delta {
	return extra.Add(dst, m.choice, index, m.path, []byte(name), v)
}

// googleExtras tells what extra_content has beside the signature.
func (m messageDecoder) googleExtras(dst []toolcall.Delta, index int, in string, v payload.Value) []toolcall.Delta {
	google := v.Get("google")
	if google.Kind != payload.Object {
		return m.add(dst, index, in+inGoogle, v)
	}
	dst = m.add(dst, index, in+inGoogle, v, "google")
	return m.add(dst, index, in+inGoogle+inSignature, google, "thought_signature")
}

// member is a member of an object inside of an answer.
type member struct {
	in, name string
	value    payload.Value

	// spelled: another delta tells the value, and the member which of several
	// names it has.
	spelled bool
}

// path is the name of a spelling in chat.Extras.
func (m member) path() string { return m.in + "." + m.name }

// keep keeps members of a whole body.
func keep(k *extra.Keeper, members iter.Seq[member]) {
	for m := range members {
		if m.spelled {
			k.Spell(m.path())
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
			dst = d.extras.Spell(dst, 0, m.in, m.name)
		case m.in == inError:
			dst = extra.Add(dst, 0, toolcall.NoIndex, m.in, []byte(m.name), m.value)
		default:
			dst = d.extras.Set(dst, 0, m.in, []byte(m.name), m.value)
		}
	}
	return dst
}
