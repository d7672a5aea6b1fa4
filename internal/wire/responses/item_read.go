package responses

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/customtool"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/internal/wire/wireio"
)

// turns collects items into messages. Successive items of the model become one message.
type turns struct {
	messages []chat.Message
	answers  bool // the last message is the model's, and may continue
}

// say adds parts to the model's message.
func (t *turns) say(parts ...chat.Part) {
	if !t.answers {
		t.messages = append(t.messages, chat.Message{Role: chat.Assistant})
		t.answers = true
	}
	m := &t.messages[len(t.messages)-1]
	m.Parts = append(m.Parts, parts...)
}

// add adds a message of somebody else.
func (t *turns) add(m chat.Message) {
	t.messages = append(t.messages, m)
	t.answers = false
}

// history reads the items of an input.
func (r *reading) history(v rawjson.Value, path string) []chat.Message {
	var t turns
	for item := range r.Array(v, path).Items() {
		r.inputItem(&t, r.Object(item, path, "[]"), path+"[]")
	}
	return t.messages
}

// inputItem reads an item of the input.
func (r *reading) inputItem(t *turns, v rawjson.Value, path string) {
	kind := r.String(v.Get("type"), path, ".type")
	switch {
	case kind.Is("message"), !kind.IsSet() && v.Get("role").IsSet():
		if role := v.Get("role"); !role.Is("assistant") {
			t.add(r.message(v, path))
			return
		}
	case kind.Is(functionAnswer), kind.Is(customAnswer):
		t.add(r.result(v, kind.Is(customAnswer), path))
		return
	case r.isAnswer(v):
		t.add(r.clientResult(answerOf(kind), v, path))
		return
	}
	r.item(t, v, path)
}

// item reads an item of the model.
func (r *reading) item(t *turns, v rawjson.Value, path string) {
	kind := r.String(v.Get("type"), path, ".type")
	switch {
	case kind.Is("message"), !kind.IsSet() && v.Get("role").IsSet():
		r.messageParts(t, v, path)
	case kind.Is("function_call"):
		t.say(r.call(functionItem, v, path))
	case kind.Is("custom_tool_call"):
		t.say(r.call(customItem, v, path))
	case kind.Is("reasoning"):
		t.say(r.reasoning(v, path)...)
	case clientItemOf(v) != nil:
		t.say(r.clientCall(clientItemOf(v), v, path))
	case !kind.IsSet() && !r.IsAnswer && v.Get("id").Kind != rawjson.String: // otherwise it is a reference
		r.Missing(v, path, ".type")
	default:
		r.note(v)
		if part := r.other(v); len(part.Extras) > 0 {
			t.say(part)
		}
	}
}

// other keeps an item that the canonical chat cannot express.
func (r *reading) other(v rawjson.Value) chat.Part {
	keep := r.Keeper()
	keep.Rest(inItem, v)
	return chat.Part{Extras: keep.Extras}
}

// ofItem returns a keeper for the members of an item, except meaningless ones.
func (r *reading) ofItem() unknown.Keeper {
	keep := r.Keeper()
	keep.Skip = isNothing
	return keep
}

// isNothing reports whether a member of an item is meaningless.
func isNothing(key []byte, v rawjson.Value) bool {
	switch string(key) {
	case "type":
		return true
	case "id", "status", "phase", "namespace", "caller", "created_by":
		return !v.IsSet()
	}
	return false
}

// message reads a user or system message.
func (r *reading) message(v rawjson.Value, path string) chat.Message {
	var m chat.Message
	keep := r.ofItem()
	r.Members(v, path, &keep, "", "role", func(role rawjson.Value) { m.Role = chat.Role(r.Text(role, path, ".role")) },
		"content", func(content rawjson.Value) { m.Parts = r.content(content, path+".content") })
	if !isRole(m.Role) {
		keep.NoteName(asRole)
	}
	m.Extras = keep.Extras
	return m
}

// isRole reports whether all servers know the role of a message.
func isRole(role chat.Role) bool {
	return role == chat.User || role == chat.System || role == chat.Developer || role == chat.Assistant
}

// messageParts reads a message of the model.
func (r *reading) messageParts(t *turns, v rawjson.Value, path string) {
	keep := r.ofItem()
	var parts []chat.Part
	r.Members(v, path, &keep, inItem, "role", nil,
		"content", func(content rawjson.Value) { parts = r.content(content, path+".content") },
		"status", func(key []byte, status rawjson.Value) {
			if !status.Is("completed") { // the encoder writes it anyway
				keep.KeepSet(inItem, key, status)
			}
		})
	if len(parts) == 0 {
		if len(keep.Extras) > 0 {
			t.say(r.other(v))
		}
		t.say()
		return
	}
	if len(keep.Extras) == 0 && t.answers && follows(t.messages[len(t.messages)-1].Parts) {
		keep.NoteName(nextItem)
	}
	parts[0].Extras = append(keep.Extras, parts[0].Extras...)
	t.say(parts...)
}

// follows reports whether a text after these parts would look like a continuation of the
// message item before it.
func follows(parts []chat.Part) bool {
	return len(parts) > 0 && ofMessage(parts[len(parts)-1])
}

// ofMessage reports whether a part of the model belongs to a message item.
func ofMessage(p chat.Part) bool {
	switch p.Kind {
	case chat.PartText, chat.PartRefusal:
		return true
	case chat.PartOther:
		return len(p.Extras) > 0 && p.Extras[len(p.Extras)-1].Wire == Wire && p.Extras[len(p.Extras)-1].In != inItem
	}
	return false
}

// call reads a call of a function or a custom tool. The id of the item replaces a missing
// call id.
func (r *reading) call(kind itemKind, v rawjson.Value, path string) chat.Part {
	part := chat.CallPart("", "", "{}")
	call := part.Call
	asked := func(arguments rawjson.Value) {
		call.Arguments = r.Texts.WholeArguments(arguments) // with another type, the call is malformed
	}
	if kind == customItem {
		call.Custom, call.Arguments = true, customtool.Arguments(rawjson.Value{})
		asked = func(input rawjson.Value) {
			call.Arguments = customtool.Arguments(customtool.Text(&r.Reader.Reader, v, input, path, ".input"))
		}
	}
	keep := r.ofItem()
	var id string
	r.Members(v, path, &keep, "", "call_id", &call.ID, "name", &call.Name, itemShapes[kind].member, asked,
		"status", func(key []byte, status rawjson.Value) {
			if !r.IsAnswer || !status.Is("completed") {
				keep.KeepSet("", key, status)
			}
		},
		"id", func(key []byte, v rawjson.Value) {
			id = r.Texts.Whole(v)
			keep.KeepSet("", key, v)
		})
	status := v.Get("status")
	if r.IsAnswer && (isUnfinished(status) || r.cut && !status.Is("completed")) {
		// JSON arguments show whether they are complete.
		if call.Cut = call.Custom || wireio.IsEmptyArguments(v.Get("arguments")); call.Cut && !call.Custom {
			call.Arguments = ""
		}
	}
	if call.ID == "" {
		call.ID = id
	}
	if call.Name == "" && !r.IsAnswer { // encoders leave out a call without a name
		r.Missing(v, path, ".name")
	}
	if namespace := r.Text(v.Get("namespace"), path, ".namespace"); namespace != "" {
		call.Native = chat.Native{Wire: Wire, Namespace: namespace}
	}
	call.Name, call.Native = r.CallName(call.Name, call.Native, r.IsAnswer)
	part.Extras = keep.Extras
	return part
}

// result reads the result of a call.
func (r *reading) result(v rawjson.Value, custom bool, path string) chat.Message {
	result := new(chat.Result)
	keep := r.ofItem()
	r.Members(v, path, &keep, "", "call_id", &result.CallID, "name", &result.Name,
		"output", func(output rawjson.Value) { result.Parts = r.content(output, path+".output") })
	if result.Name != "" {
		keep.NoteName(asName)
	}
	switch {
	case custom:
		keep.NoteName(asCustom)
	case r.asked[result.CallID] != nil: // from Codex
		keep.NoteName(functionAnswer)
	}
	wireio.TakeErrorMark(result)
	return chat.Message{Role: chat.ToolRole, Parts: []chat.Part{{Kind: chat.PartResult, Result: result, Extras: keep.Extras}}}
}

// reasoning reads a reasoning item as a part for each of its texts. Encrypted content
// belongs to the last part, or is a part of its own if there is no text.
func (r *reading) reasoning(v rawjson.Value, path string) []chat.Part {
	keep := r.ofItem()
	var summary, content rawjson.Value
	var encrypted string
	r.Members(v, path, &keep, "", "summary", wireio.ListMember(&summary), "content", wireio.ListMember(&content), "encrypted_content", &encrypted)
	parts, known := r.thoughts(nil, summary, "summary_text", asSummary)
	if known {
		parts, known = r.thoughts(parts, content, "reasoning_text", asContent)
	}
	if !known {
		return []chat.Part{r.other(v)}
	}
	if len(parts) == 0 {
		p := chat.Part{Kind: chat.PartReasoning, Redacted: encrypted, Extras: append(keep.Extras, spelling(asReference))}
		if encrypted != "" {
			p.SignedBy = Wire
		}
		return []chat.Part{p}
	}
	parts[0].Extras = append(keep.Extras, parts[0].Extras...)
	for i := range parts[1:] {
		parts[i+1].Extras = append(parts[i+1].Extras, spelling(nextPart))
	}
	if encrypted != "" {
		last := &parts[len(parts)-1]
		last.Signature, last.SignedBy = encrypted, Wire
	}
	return parts
}

// thoughts appends the texts of a reasoning item. known is false if the list contains
// anything else.
func (r *reading) thoughts(dst []chat.Part, list rawjson.Value, kind, spelled string) (parts []chat.Part, known bool) {
	for item := range list.Items() {
		text := item.Get("text")
		if r.IsAnswer {
			text = r.String(text)
		}
		if !item.Get("type").Is(kind) || text.IsSet() && text.Kind != rawjson.String {
			return nil, false
		}
		keep := r.Keeper()
		keep.Rest(spelled, item, "type", "text")
		keep.NoteName(spelled)
		if len(text.Raw) > 0 || len(keep.Extras) > 1 {
			dst = append(dst, chat.Part{Kind: chat.PartReasoning, Text: r.Texts.Whole(text), Extras: keep.Extras})
		}
	}
	return dst, true
}

// content reads the content of a message or the output of a tool: a text or a list of
// parts.
func (r *reading) content(v rawjson.Value, path string) []chat.Part {
	return r.Content(v, path, r.part)
}

// part reads a part. ok is false if the part is empty.
func (r *reading) part(v rawjson.Value, path string) (part chat.Part, ok bool) {
	switch kind := v.Get("type"); {
	case v.Kind != rawjson.Object:
		return chat.Part{}, false
	case kind.Is("input_text"), kind.Is("output_text"), kind.Is("text"):
		return r.text(v, chat.PartText, "text", path)
	case kind.Is("refusal"):
		return r.text(v, chat.PartRefusal, "refusal", path)
	case kind.Is("input_image"):
		return r.image(v, path), true
	case kind.Is("input_file"):
		return r.file(v, path), true
	}
	part = r.OtherPart(v)
	return part, len(part.Extras) > 0
}

func (r *reading) text(v rawjson.Value, kind chat.PartKind, member, path string) (part chat.Part, ok bool) {
	part.Kind = kind
	keep := r.Keeper()
	list := func(key []byte, v rawjson.Value) {
		if v.Kind != rawjson.Array || !v.IsEmpty() {
			keep.Keep("", key, v)
		}
	}
	r.Members(v, path, &keep, "", "type", nil, member, &part.Text, "annotations", list, "logprobs", list)
	part.Extras = keep.Extras
	return part, part.Text != "" || len(part.Extras) > 0
}

func (r *reading) image(v rawjson.Value, path string) chat.Part {
	m := new(chat.Media)
	keep := r.Keeper()
	r.Members(v, path, &keep, "", "type", nil, "image_url", &m.URL, "file_id", &m.ID,
		"detail", func(key []byte, detail rawjson.Value) {
			if !detail.Is("auto") {
				keep.KeepSet("", key, detail)
			}
		})
	if kind, data, ok := wireio.CutDataURL(m.URL); ok && kind != "" && data != "" {
		m.Type, m.Data, m.URL = kind, data, ""
	}
	m.StoredBy = wireio.StoredBy(m, Wire)
	return chat.Part{Kind: chat.PartImage, Media: m, Extras: keep.Extras}
}

func (r *reading) file(v rawjson.Value, path string) chat.Part {
	m := new(chat.Media)
	keep := r.Keeper()
	r.Members(v, path, &keep, "", "type", nil, "file_data", &m.Data, "filename", &m.Name, "file_id", &m.ID, "file_url", &m.URL)
	if kind, data, ok := wireio.CutDataURL(m.Data); ok && kind != "" && data != "" {
		m.Type, m.Data = kind, data
	} else if m.Data != "" {
		keep.NoteName(asBare)
	}
	if m.Data != "" && m.Name == "" {
		keep.NoteName(asUnnamed)
	}
	m.StoredBy = wireio.StoredBy(m, Wire)
	return chat.Part{Kind: chat.PartFile, Media: m, Extras: keep.Extras}
}
