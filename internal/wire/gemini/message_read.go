package gemini

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
)

const (
	// placeholder is a value that the vendor accepts as a signature on calls that its
	// models did not make.
	placeholder = "skip_thought_signature_validator"

	// unsigned marks a call that came without a signature, so that it goes back without
	// one.
	unsigned = "functionCall"
)

// system reads the system instruction. Its role is meaningless.
func (r *reading) system(v rawjson.Value) chat.Message {
	m := chat.Message{Role: chat.System}
	if v.Kind == rawjson.String {
		m.Parts = []chat.Part{chat.TextPart(r.Texts.Whole(v))}
		return m
	}
	keep := r.Keeper()
	r.Members(r.Object(v, "systemInstruction"), "systemInstruction", &keep, "",
		"parts", func(parts rawjson.Value) { m.Parts = r.parts(parts, "systemInstruction.parts") },
		"role", func(role rawjson.Value) {
			if word := r.Texts.Whole(role); isSystemRole(word) {
				keep.NoteName(word)
			} else {
				keep.Keep("", []byte("role"), role)
			}
		})
	m.Extras = keep.Extras
	return m
}

// isSystemRole reports whether clients use this role for the system instruction.
func isSystemRole(word string) bool { return word == "user" || word == "system" }

// message reads a content as one message.
func (r *reading) message(v rawjson.Value, path string) chat.Message {
	m := chat.Message{Role: chat.User}
	m.Extras = r.Others(v, path,
		"role", func(role rawjson.Value) { m.Role = roleOf(r.Text(role, path, ".role")) },
		"parts", func(parts rawjson.Value) { m.Parts = r.parts(parts, path+".parts") })
	return m
}

func roleOf(word string) chat.Role {
	switch word {
	case "model":
		return chat.Assistant
	case "user", "", "function", "tool": // the last two have only results
		return chat.User
	}
	return chat.Role(word)
}

func (r *reading) parts(v rawjson.Value, path string) []chat.Part {
	var parts []chat.Part
	calls := r.calls // of this list, not of a nested one
	r.calls = nil
	place := -1
	for item := range list(&r.Reader, v, path).Items() {
		place++
		call := calls[place]
		if call != nil && call.pieces[0] != place {
			continue
		}
		if p, ok := r.part(r.Object(item, path, "[]"), path+"[]"); ok {
			if call != nil {
				call.complete(&p)
			}
			parts = append(parts, p)
		}
	}
	return parts
}

// partFields are the members of a part that are read together.
type partFields struct {
	text, thought, signature, call, result, inline, file rawjson.Value
}

// part reads a part. ok is false if the part is empty.
func (r *reading) part(v rawjson.Value, path string) (p chat.Part, ok bool) {
	var f partFields
	keep := r.Keeper()
	r.Members(v, path, &keep, "", "text", &f.text, "thought", &f.thought, "thoughtSignature", &f.signature, "functionCall", &f.call,
		"functionResponse", &f.result, "inlineData", &f.inline, "fileData", &f.file)
	_ = r.Bool(f.thought, path, ".thought")
	f.call = r.Object(f.call, path, ".functionCall")
	isText := f.text.IsSet() || len(keep.Extras) == 0 // otherwise it is something unknown
	switch {
	case !f.call.IsZero():
		p = r.call(f.call, path+".functionCall", &keep)
	case !f.result.IsZero():
		p = r.result(r.Object(f.result, path, ".functionResponse"), path+".functionResponse", &keep)
		f.keepThought(&keep)
		p.Extras = keep.Extras
		return p, true
	case !f.inline.IsZero():
		p = r.media(r.Object(f.inline, path, ".inlineData"), path+".inlineData", "inlineData", &keep)
	case !f.file.IsZero():
		p = r.media(r.Object(f.file, path, ".fileData"), path+".fileData", "fileData", &keep)
	case isText:
		p.Kind, p.Text = chat.PartText, r.Text(f.text, path, ".text")
		if f.thought.IsTrue() {
			p.Kind = chat.PartReasoning
		}
		f.thought = rawjson.Value{}
	default:
		return r.OtherPart(v), true
	}
	switch signature := r.Text(f.signature, path, ".thoughtSignature"); signature {
	case "":
		if p.Kind == chat.PartCall {
			keep.NoteName(unsigned)
		}
	case placeholder: // no signature
	default:
		p.Signature, p.SignedBy = signature, Wire
	}
	f.signature = rawjson.Value{}
	f.keepThought(&keep)
	p.Extras = keep.Extras
	isEmpty := (p.Kind == chat.PartText || p.Kind == chat.PartReasoning) && p.Text == "" && p.Signature == "" && len(p.Extras) == 0
	return p, !isEmpty
}

// keepThought keeps the flag for thoughts if nothing else expresses it.
func (f partFields) keepThought(keep *unknown.Keeper) {
	if f.thought.IsTrue() {
		keep.Keep("", []byte("thought"), f.thought)
	}
	if f.signature.IsSet() {
		keep.Keep("", []byte("thoughtSignature"), f.signature)
	}
}

func (r *reading) call(v rawjson.Value, path string, keep *unknown.Keeper) chat.Part {
	p := chat.CallPart("", "", "{}")
	piece := func(key []byte, v rawjson.Value) { // of a call that streams
		p.Call.Cut = p.Call.Cut || !v.IsZero()
		keep.Keep("functionCall", key, v)
	}
	r.Members(v, path, keep, "functionCall", "id", &p.Call.ID, "name", &p.Call.Name, "willContinue", piece, "partialArgs", piece,
		"args", func(args rawjson.Value) { p.Call.Arguments = r.ObjectArguments(args) }) // with another type, only the call is malformed
	return p
}
