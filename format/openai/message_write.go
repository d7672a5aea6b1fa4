package openai

import (
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/frame"
	"github.com/toolparse/toolparse/format/internal/carry"
	"github.com/toolparse/toolparse/format/internal/codec"
	"github.com/toolparse/toolparse/format/internal/payload"
)

// messages writes a history. Images in results, which are text here, follow
// the results of their turn in a user message.
func (w *writing) messages(messages []chat.Message) {
	linked := w.Link(messages)
	w.Array()
	var deferred []chat.Part
	for i, m := range linked {
		field := codec.At("messages", i)
		if m.Role != chat.ToolRole {
			w.deferred(&deferred)
		}
		switch m.Role {
		case chat.Assistant:
			w.Log.Extras(field, m.Extras)
			w.Object()
			w.assistant(m, field)
			w.Extras(m.Extras, "")
			w.EndObject()
		case chat.ToolRole:
			deferred = append(deferred, w.results(m, field)...)
		default:
			w.plainMessage(m, field, &deferred)
		}
	}
	w.deferred(&deferred)
	w.EndArray()
}

// deferred writes the message for what results could not hold.
func (w *writing) deferred(parts *[]chat.Part) {
	if len(*parts) > 0 {
		w.Object()
		w.Text("role", string(chat.User))
		w.Key("content")
		w.content(*parts, "")
		w.EndObject()
		*parts = nil
	}
}

// plainMessage writes a message of the system or the user. Results in it, which
// some wires have there, come first.
func (w *writing) plainMessage(m chat.Message, field string, deferred *[]chat.Part) {
	var parts []chat.Part
	results := chat.Message{Extras: nil}
	for i, p := range m.Parts {
		switch p.Kind {
		case chat.PartResult:
			results.Parts = append(results.Parts, p)
		case chat.PartCall, chat.PartReasoning:
			w.Log.Add(carry.OtherPart, codec.At(field+".parts", i))
		default:
			parts = append(parts, p)
		}
	}
	if len(results.Parts) > 0 {
		*deferred = append(*deferred, w.results(results, field)...)
		w.deferred(deferred)
		if len(parts) == 0 {
			return
		}
	}
	w.Log.Extras(field, m.Extras)
	w.Object()
	w.Key("role")
	w.String(string(m.Role))
	w.Key("content")
	w.content(parts, field)
	w.Extras(m.Extras, "")
	w.EndObject()
}

// content writes parts as a string where that says it all, else as a list.
func (w *writing) content(parts []chat.Part, field string) {
	if len(parts) == 0 {
		w.String("")
		return
	}
	if p := parts[0]; len(parts) == 1 && p.Kind == chat.PartText && !w.HasExtras(p.Extras, "") {
		w.Log.Extras(field+".parts[0]", p.Extras)
		w.String(p.Text)
		return
	}
	w.Array()
	for i, p := range parts {
		w.part(p, codec.At(field+".parts", i))
	}
	w.EndArray()
}

// part writes a part of a content.
func (w *writing) part(p chat.Part, field string) {
	if p.Kind == chat.PartOther && !w.HasExtras(p.Extras, "") || p.Kind != chat.PartOther && p.Media == nil &&
		(p.Kind == chat.PartImage || p.Kind == chat.PartFile) {
		w.Log.Add(carry.OtherPart, field)
		return
	}
	w.Log.Extras(field, p.Extras)
	w.Object()
	switch p.Kind {
	case chat.PartText:
		w.Text("type", "text")
		w.Key("text")
		w.String(p.Text)
	case chat.PartRefusal:
		w.Text("type", "refusal")
		w.Key("refusal")
		w.String(p.Text)
	case chat.PartReasoning:
		w.Text("type", "thinking")
		w.Key("thinking")
		w.Array()
		w.Object()
		w.Text("type", "text")
		w.Key("text")
		w.String(p.Text)
		w.EndObject()
		w.EndArray()
	case chat.PartImage:
		w.image(p, field)
	case chat.PartFile:
		w.file(p, field)
	}
	w.Extras(p.Extras, "")
	w.EndObject()
}

func (w *writing) image(p chat.Part, field string) {
	url := urlOf(p.Media)
	if url == "" {
		w.Log.Add(carry.MediaID, field)
		w.Text("type", "text")
		w.Text("text", "[image "+p.Media.ID+"]")
		return
	}
	if p.Media.Name != "" {
		w.Log.Add(carry.UserImage, field+".media.name")
	}
	w.Text("type", "image_url")
	w.Key("image_url")
	w.Object()
	w.Text("url", url)
	w.Extras(p.Extras, "image_url")
	w.EndObject()
}

func (w *writing) file(p chat.Part, field string) {
	if p.Media.URL != "" {
		w.Log.Add(carry.MediaURL, field)
		w.Text("type", "text")
		w.Text("text", "[file "+p.Media.URL+"]")
		return
	}
	w.Text("type", "file")
	w.Key("file")
	w.Object()
	w.Text("file_data", urlOf(p.Media))
	w.Text("filename", p.Media.Name)
	w.Text("file_id", p.Media.ID)
	w.Extras(p.Extras, "file")
	w.EndObject()
}

// urlOf returns the URL of an image or a file: a data URL where it is here.
func urlOf(m *chat.Media) string {
	if m.Data == "" {
		return m.URL
	}
	kind := m.Type
	if kind == "" {
		kind = "application/octet-stream"
	}
	return "data:" + kind + ";base64," + m.Data
}

// assistant writes what a model said, into the message's object.
func (w *writing) assistant(m chat.Message, field string) {
	w.Text("role", string(chat.Assistant))
	w.reasoning(m, field)
	var content []chat.Part
	var places []int // of the content, among the parts
	var refusal []byte
	var signature *chat.Part
	calls, late := 0, false
	for i, p := range m.Parts {
		switch p.Kind {
		case chat.PartCall:
			calls++
			continue
		case chat.PartRefusal:
			refusal = append(refusal, p.Text...)
			continue
		case chat.PartReasoning:
			if !w.inContent(p) {
				continue
			}
		case chat.PartImage, chat.PartFile:
			feature := carry.UserImage
			if p.Kind == chat.PartFile {
				feature = carry.UserFile
			}
			w.Log.Add(feature, codec.At(field+".parts", i))
			continue
		case chat.PartResult:
			w.Log.Add(carry.OtherPart, codec.At(field+".parts", i))
			continue
		case chat.PartOther:
			if w.joins {
				w.Log.Add(carry.OtherPart, codec.At(field+".parts", i))
				continue
			}
		}
		if p.Signature != "" && p.Kind == chat.PartText {
			if signature != nil || w.VendorOnly || p.SignedBy != "gemini" {
				w.Log.Add(carry.Signature, codec.At(field+".parts", i)+".signature")
			} else {
				signature = &p
			}
			if p.Text == "" {
				continue
			}
		}
		late = late || calls > 0
		content, places = append(content, p), append(places, i)
	}
	if late {
		w.Log.Add(carry.PartOrder, field+".parts")
	}
	w.Key("content")
	switch {
	case len(content) == 0 && (calls > 0 || len(refusal) > 0):
		w.Raw(nil)
	case w.joins:
		w.String(w.oneText(content, places, field))
	default:
		w.content(content, field)
	}
	w.Text("refusal", string(refusal))
	if calls > 0 {
		w.calls(m, field)
	}
	if signature != nil || w.HasExtras(m.Extras, "extra_content") {
		text := ""
		if signature != nil {
			text = signature.Signature
		}
		w.googleSignature(text, m.Extras)
	}
}

// oneText joins the texts of an answer, whose content the vendor has as one
// string. What else stands beside a text has no place there.
func (w *writing) oneText(content []chat.Part, places []int, field string) string {
	if len(content) > 1 {
		w.Log.Add(carry.PartOrder, field+".parts", "its texts are joined")
	}
	var text strings.Builder
	for i, p := range content {
		text.WriteString(p.Text)
		at := codec.At(field+".parts", places[i])
		w.Log.Extras(at, p.Extras)
		for _, x := range p.Extras {
			if x.Wire == Wire && !x.Spelling {
				w.Log.Add(carry.ForeignExtra, at+"."+x.Name, "left out, as the content is one string")
			}
		}
	}
	return text.String()
}

func (w *writing) googleSignature(text string, x chat.Extras) {
	w.Key("extra_content")
	w.Object()
	w.Key("google")
	w.Object()
	w.Text("thought_signature", text)
	w.Extras(x, "extra_content.google")
	w.EndObject()
	w.Extras(x, "extra_content")
	w.EndObject()
}

func (w *writing) calls(m chat.Message, field string) {
	w.Key("tool_calls")
	w.Array()
	for i, p := range m.Parts {
		if p.Kind == chat.PartCall {
			w.call(p, codec.At(field+".parts", i))
		}
	}
	w.EndArray()
}

func (w *writing) call(p chat.Part, field string) {
	w.Log.Extras(field, p.Extras)
	input, custom := customInput(p.Call)
	in := "function"
	if custom {
		in = "custom"
	}
	w.Object()
	w.Text("id", w.ID(p.Call.ID, field+".call.id"))
	w.Text("type", in)
	w.Key(in)
	w.Object()
	w.Key("name")
	w.String(w.Name(p.Call.Name, field+".call.name"))
	if custom {
		w.Member("input", input)
	} else {
		w.Key("arguments")
		w.String(argumentsOf(p.Call))
	}
	w.Extras(p.Extras, in)
	w.EndObject()
	w.Extras(p.Extras, "")
	switch {
	case p.Signature == "" || inDetails(p) && !w.VendorOnly:
	case w.VendorOnly || p.SignedBy != "gemini":
		w.Log.Add(carry.Signature, field+".signature")
	default:
		w.googleSignature(p.Signature, p.Extras)
	}
	w.EndObject()
}

func argumentsOf(c *chat.Call) string {
	if c.Arguments == "" {
		return "{}"
	}
	return c.Arguments
}

// customInput returns the input of a call of a custom tool, as JSON.
func customInput(c *chat.Call) ([]byte, bool) {
	if !c.Custom {
		return nil, false
	}
	var r payload.Reader
	v, err := r.Open(frame.Event{Data: []byte(c.Arguments)})
	if err != nil {
		return nil, false
	}
	input := v.Get("input")
	return input.JSON(), input.Kind == payload.String
}

// results writes the results of a message, and returns what they cannot hold.
func (w *writing) results(m chat.Message, field string) (rest []chat.Part) {
	for i, p := range m.Parts {
		field := codec.At(field+".parts", i)
		if p.Kind != chat.PartResult || p.Result == nil {
			w.Log.Add(carry.OtherPart, field)
			continue
		}
		w.Log.Extras(field, p.Extras)
		w.Log.Extras(field, m.Extras)
		w.Object()
		w.Text("role", string(chat.ToolRole))
		w.Key("tool_call_id")
		w.String(w.ID(p.Result.CallID, field+".result.call_id"))
		if m.Extras.Spells(Wire, "name") {
			w.Text("name", w.Name(p.Result.Name, field+".result.name"))
		}
		w.Key("content")
		var parts []chat.Part
		if p.Result.IsError && !m.Extras.Spells(Wire, markedHere) {
			w.Log.Add(carry.ResultError, field+".result.is_error")
		}
		for j, inner := range p.Result.Parts {
			field := codec.At(field+".result.parts", j)
			switch inner.Kind {
			case chat.PartText, chat.PartRefusal, chat.PartOther:
				parts = append(parts, inner)
			case chat.PartImage, chat.PartFile:
				feature := carry.ResultImage
				if inner.Kind == chat.PartFile {
					feature = carry.ResultFile
				}
				w.Log.Add(feature, field)
				name := "[" + inner.Kind.String() + " of call " + p.Result.CallID + "]"
				parts = append(parts, chat.TextPart(name))
				rest = append(rest, chat.TextPart(name), inner)
			default:
				w.Log.Add(carry.OtherPart, field)
			}
		}
		if p.Result.IsError {
			parts = marked(parts)
		}
		w.content(parts, field)
		w.Extras(m.Extras, "")
		w.EndObject()
	}
	return rest
}

// marked puts the mark of an error before the first text.
func marked(parts []chat.Part) []chat.Part {
	if len(parts) == 0 || parts[0].Kind != chat.PartText {
		return append([]chat.Part{chat.TextPart(errorMark)}, parts...)
	}
	parts[0].Text = errorMark + parts[0].Text
	return parts
}
