package openai

import (
	"errors"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/customtool"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/internal/wire/wireio"
)

var errNoFunction = errors.New("a function tool without the member function")

// markedHere marks a result whose error mark this wire has read.
const markedHere = "tool_error"

// messageFields are members of a message that are read together.
type messageFields struct {
	role, content, refusal, calls, function, callID, name, details, extra rawjson.Value

	reasoning []namedText // fields with reasoning as text
}

type namedText struct {
	name string
	text rawjson.Value
}

// message reads a message of a request or an answer.
func (r *reading) message(v rawjson.Value, path string) chat.Message {
	keep := r.Keeper()
	var f messageFields
	reasoning := func(key []byte, v rawjson.Value) {
		if v.Kind == rawjson.String && len(v.Raw) > 0 {
			f.reasoning = append(f.reasoning, namedText{string(key), v})
		} else {
			keep.Keep("", key, v)
		}
	}
	r.Members(v, path, &keep, "", "role", &f.role, "content", &f.content, "refusal", &f.refusal, "tool_calls", &f.calls,
		"function_call", &f.function, "tool_call_id", &f.callID, "name", &f.name, "reasoning_details", &f.details, "extra_content", &f.extra,
		reasoningNames[0], reasoning, reasoningNames[1], reasoning, reasoningNames[2], reasoning, reasoningNames[3], reasoning)
	m := chat.Message{Role: chat.Role(r.Text(f.role, path, ".role"))}
	switch m.Role {
	case chat.ToolRole, "function":
		r.result(&m, f, path, &keep)
	default:
		if f.name.IsSet() {
			keep.Keep("", []byte("name"), f.name)
		}
		r.reasoning(&m, f, path, &keep)
		m.Parts = append(m.Parts, r.content(f.content, path)...)
		if text := r.Text(f.refusal, path, ".refusal"); text != "" {
			m.Parts = append(m.Parts, chat.Part{Kind: chat.PartRefusal, Text: text})
		}
		r.calls(&m, f, path)
		callSignatures(&m)
		r.messageSignature(&m, f.extra, &keep)
	}
	m.Extras = keep.Extras
	return m
}

// result reads a tool message: the result of one call.
func (r *reading) result(m *chat.Message, f messageFields, path string, keep *unknown.Keeper) {
	m.Role = chat.ToolRole
	result := &chat.Result{Parts: r.content(f.content, path), CallID: r.Text(f.callID, path, ".tool_call_id"), Name: r.Text(f.name, path, ".name")}
	if result.Name != "" {
		keep.NoteName("name")
	}
	if wireio.TakeErrorMark(result) {
		keep.NoteName(markedHere)
	}
	m.Parts = []chat.Part{{Kind: chat.PartResult, Result: result}}
}

// content reads the visible content: a string, or a list of parts.
func (r *reading) content(v rawjson.Value, path string) []chat.Part {
	return r.Content(v, path+".content", r.part)
}

// part reads a part of a message's content. ok is false if the part is empty.
func (r *reading) part(v rawjson.Value, path string) (part chat.Part, ok bool) {
	keep := r.Keeper()
	kind := v.Get("type")
	var value rawjson.Value
	for key, member := range v.Fields() {
		switch {
		case string(key) == "type":
		case kind.Is(string(key)): // the value of a part is in the member with the name of its type
			value = member
		default:
			keep.Keep("", key, member)
		}
	}
	part.Extras = keep.Extras
	switch {
	case kind.Is("text") && value.Kind == rawjson.String:
		part.Kind, part.Text = chat.PartText, r.Texts.Whole(value)
		return part, part.Text != "" || len(part.Extras) > 0
	case kind.Is("refusal") && value.Kind == rawjson.String:
		part.Kind, part.Text = chat.PartRefusal, r.Texts.Whole(value)
		return part, part.Text != ""
	case kind.Is("thinking") && value.Kind == rawjson.Array: // Mistral
		part.Kind = chat.PartReasoning
		for text := range value.Items() {
			part.Text += r.Text(text.Get("text"), path, ".thinking[].text")
		}
		keep.NoteName("thinking")
		part.Extras = keep.Extras
		return part, true
	case r.media(&part, kind, value, &keep, path):
	default:
		return r.OtherPart(v), true
	}
	part.Extras = keep.Extras
	return part, true
}

// calls reads tool_calls, or the legacy function_call.
func (r *reading) calls(m *chat.Message, f messageFields, path string) {
	for item := range r.Array(f.calls, path, ".tool_calls").Items() {
		if part := r.call(r.Object(item, path, ".tool_calls[]"), path+".tool_calls[]"); part.Kind != chat.PartOther || len(part.Extras) > 0 {
			m.Parts = append(m.Parts, part)
		}
	}
	if function := r.Object(f.function, path, ".function_call"); !function.IsZero() {
		part := chat.CallPart("", "", "{}")
		keep := r.Keeper()
		r.callFunction(part.Call, function, "function", path+".function_call", &keep)
		part.Extras = keep.Extras
		m.Parts = append(m.Parts, part)
	}
}

func (r *reading) call(v rawjson.Value, path string) chat.Part {
	keep := r.Keeper()
	part := chat.CallPart("", "", "{}")
	var kind, function, free, name, arguments rawjson.Value
	r.Each(v, path, nil, "type", &kind, "function", &function, "custom", &free, "name", &name, "arguments", &arguments)
	flat := isFlat(kind, function, free, name, arguments)
	ofFlat := func(key []byte, member rawjson.Value) {
		if !flat {
			keep.Keep("", key, member)
		}
	}
	r.Members(v, path, &keep, "", "index", nil, "name", ofFlat, "arguments", ofFlat,
		"type", func(key []byte, member rawjson.Value) {
			if kind = r.String(member, path, ".type"); !kind.Is("function") && !kind.Is("custom") {
				keep.Keep("", key, member)
			}
		},
		"id", func(id rawjson.Value) { part.Call.ID = r.Texts.Whole(r.Label(id, path, ".id")) },
		"function", wireio.ObjectMember(&function), "custom", wireio.ObjectMember(&free),
		"extra_content", func(extra rawjson.Value) {
			if text, ok := r.googleSignature(extra, &keep); ok {
				part.Signature, part.SignedBy = text, googleSigner()
			}
		})
	switch {
	case flat:
		if part.Call.Name = r.Text(name, path, ".name"); isNoCall(part.Call.ID, part.Call.Name, arguments) {
			return chat.Part{}
		}
		r.Note(flatCall)
		r.CallArguments(part.Call, arguments)
	case isCustom(kind, function, free):
		part.Call.Custom, part.Call.Arguments = true, customtool.Arguments(rawjson.Value{})
		r.callFunction(part.Call, free, "custom", path+".custom", &keep)
	case function.IsSet() || kind.IsZero() || kind.Is("function") || kind.Is("custom"):
		r.callFunction(part.Call, function, "function", path+".function", &keep)
		if isNoCall(part.Call.ID, part.Call.Name, function.Get("arguments")) {
			return chat.Part{}
		}
	default: // of an unknown kind
		return r.OtherPart(v)
	}
	part.Extras = keep.Extras
	return part
}

func (r *reading) callFunction(call *chat.Call, function rawjson.Value, in, path string, keep *unknown.Keeper) {
	r.Members(function, path, keep, in, "name", &call.Name,
		"arguments", func(arguments rawjson.Value) { r.CallArguments(call, arguments) },
		"id", func(v rawjson.Value) { // older builds of llama.cpp
			if id := r.Texts.Whole(r.Label(v, path, ".id")); call.ID == "" {
				call.ID = id
			}
		},
		"input", func(key []byte, v rawjson.Value) {
			if in != "custom" {
				keep.Keep(in, key, v)
			} else if input := customtool.Text(&r.Reader.Reader, function, v, path, ".input"); input.IsSet() {
				call.Arguments = customtool.Arguments(input)
			}
		})
}

// googleSignature returns Gemini's signature in extra_content, and keeps the other
// members.
func (r *reading) googleSignature(v rawjson.Value, keep *unknown.Keeper) (string, bool) {
	google := v.Get("google")
	signature := google.Get("thought_signature")
	if signature.Kind != rawjson.String || len(signature.Raw) == 0 {
		if v.IsSet() {
			keep.Keep("", []byte("extra_content"), v)
		}
		return "", false
	}
	keep.Rest("extra_content", v, "google")
	keep.Rest("extra_content.google", google, "thought_signature")
	return r.Texts.Whole(signature), true
}

// messageSignature adds the signature of a message to its last text.
func (r *reading) messageSignature(m *chat.Message, v rawjson.Value, keep *unknown.Keeper) {
	text, ok := r.googleSignature(v, keep)
	if !ok {
		return
	}
	for i := len(m.Parts) - 1; i >= 0; i-- {
		if m.Parts[i].Kind == chat.PartText {
			m.Parts[i].Signature, m.Parts[i].SignedBy = text, googleSigner()
			return
		}
	}
	m.Parts = append(m.Parts, chat.Part{Kind: chat.PartText, Signature: text, SignedBy: googleSigner()})
}
