package anthropic

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/wireio"
)

// message reads a message. The results in a user message become messages of their own.
func (r *reading) message(dst []chat.Message, v rawjson.Value) []chat.Message {
	m := chat.Message{}
	keep := r.Keeper()
	var role string
	var content rawjson.Value
	r.Members(v, "messages[]", &keep, "", "role", &role, "content", &content)
	m.Role = chat.Role(role)
	if m.Role == chat.System {
		keep.NoteName(systemHere)
	}
	m.Extras, m.Parts = keep.Extras, r.content(content, "messages[].content")
	return wireio.SplitResults(dst, m)
}

// systemHere marks a system message among the other messages.
const systemHere = "role"

// content reads content that is a text or a list of blocks.
func (r *reading) content(v rawjson.Value, path string) []chat.Part {
	parts := r.Content(v, path, r.part)
	if v.Kind == rawjson.Array && len(parts) == 1 && parts[0].Kind == chat.PartText && len(parts[0].Extras) == 0 {
		parts[0].Extras = r.Spelled(inList)
	}
	return parts
}

// inList marks a single text in a list, instead of a string.
const inList = "content"

// part reads a block. ok is false if the block is empty.
func (r *reading) part(v rawjson.Value, path string) (part chat.Part, ok bool) {
	if r.IsAnswer {
		v = typed(&r.Reader, v, path)
	}
	switch kind := v.Get("type"); {
	case kind.Is("text"):
		part = r.textPart(v, path)
		return part, part.Text != "" || len(part.Extras) > 0
	case kind.Is("thinking"):
		return r.thinking(v, path), true
	case kind.Is("redacted_thinking"):
		part = r.redacted(v, path)
		ok = part.Redacted != ""
	case kind.Is("tool_use"):
		return r.call(v, path), true
	case kind.Is("tool_result"):
		return r.result(v, path), true
	case kind.Is(toolReference):
		return r.reference(v, path), true
	case kind.Is(toolAddition), kind.Is(toolRemoval):
		return r.change(v, path, kind.Is(toolAddition)), true
	case kind.Is(searchResult):
		part, ok = r.searchResult(v, path)
	case kind.Is("image"):
		part, ok = r.media(v, path, chat.PartImage)
	case kind.Is("document"):
		part, ok = r.media(v, path, chat.PartFile)
	}
	if !ok {
		part = r.OtherPart(v)
	}
	return part, len(part.Extras) > 0 || ok
}

func (r *reading) textPart(v rawjson.Value, path string) chat.Part {
	keep := r.Keeper()
	keep.Skip = isNull
	part := chat.Part{Kind: chat.PartText}
	r.Members(v, path, &keep, "", "type", nil, "text", &part.Text)
	part.Extras = keep.Extras
	return part
}

// isNull reports whether a member is null, which means the same as its absence.
func isNull(_ []byte, v rawjson.Value) bool { return !v.IsSet() }

func (r *reading) thinking(v rawjson.Value, path string) chat.Part {
	keep := r.Keeper()
	part := chat.Part{Kind: chat.PartReasoning}
	r.Members(v, path, &keep, "", "type", nil, "thinking", &part.Text, "signature", &part.Signature)
	if part.Signature != "" {
		part.SignedBy = Wire
	} else {
		keep.NoteName(unsigned)
	}
	part.Extras = keep.Extras
	return part
}

// unsigned marks thinking without a signature, as from servers that imitate the vendor:
// they accept it without one.
const unsigned = "thinking"

func (r *reading) redacted(v rawjson.Value, path string) chat.Part {
	part := chat.Part{Kind: chat.PartReasoning, SignedBy: Wire}
	part.Extras = r.Others(v, path, "type", nil, "data", &part.Redacted)
	return part
}

func (r *reading) call(v rawjson.Value, path string) chat.Part {
	keep := r.Keeper()
	part := chat.CallPart("", "", "{}")
	call := part.Call
	r.Members(v, path, &keep, "", "type", nil, "id", &call.ID, "name", &call.Name,
		"input", func(input rawjson.Value) { r.CallObject(call, input) },
		"caller", func(caller rawjson.Value) bool { // by default the model itself
			if isDirect(caller) {
				keep.NoteName("caller")
			}
			return isDirect(caller)
		},
		toolsetName, func(name rawjson.Value) bool {
			call.Native.Namespace = r.Text(name, path, ".", toolsetName)
			return false
		})
	if call.Native.Namespace != "" {
		call.Native.Wire = Wire
		call.Name, call.Native = r.CallName(call.Name, call.Native, r.IsAnswer)
	}
	part.Extras = keep.Extras
	return part
}

// isDirect reports whether the model itself made a call.
func isDirect(v rawjson.Value) bool {
	name, kind, ok := v.Only()
	return ok && name == "type" && kind.Is("direct")
}

const directCaller = `{"type":"direct"}`

func (r *reading) result(v rawjson.Value, path string) chat.Part {
	keep := r.Keeper()
	result := new(chat.Result)
	r.Members(v, path, &keep, "", "type", nil, "tool_use_id", &result.CallID,
		"content", func(content rawjson.Value) { result.Parts = r.content(content, path+".content") },
		"is_error", func(flag rawjson.Value) {
			if result.IsError = r.Bool(flag, path, ".is_error"); !result.IsError && flag.IsSet() {
				keep.NoteName("is_error")
			}
		})
	return chat.Part{Kind: chat.PartResult, Result: result, Extras: keep.Extras}
}
