package openai

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/customtool"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/wireio"
)

// messages writes a history. Parts that results, which are texts here, cannot contain
// follow in a user message after the results of the turn.
func (w *writing) messages(messages []chat.Message) {
	var deferred []wireio.Located
	w.Array()
	for i, m := range wireio.JoinTurns(w.Link(messages)) {
		field := wireio.At("messages", i)
		w.Log.ReportExtras(field, m.Extras)
		if m.Role != chat.ToolRole {
			w.deferred(&deferred)
		}
		switch m.Role {
		case chat.Assistant:
			w.assistantMessage(m, field)
		case chat.ToolRole:
			for _, p := range w.Locate(m.Parts, field) {
				if p.Kind == chat.PartResult && p.Result != nil {
					deferred = append(deferred, w.result(p, m.Extras)...)
				} else {
					w.Log.Add(features.OtherPart, p.Field)
				}
			}
		default:
			w.plainMessage(m, field)
		}
	}
	w.deferred(&deferred)
	w.EndArray()
}

// deferred writes the message with these parts.
func (w *writing) deferred(parts *[]wireio.Located) {
	if len(*parts) > 0 {
		w.messageOf(chat.User, *parts, nil)
		*parts = nil
	}
}

// messageOf writes a message of anyone except the model.
func (w *writing) messageOf(role chat.Role, parts []wireio.Located, x chat.Extras) {
	w.Object()
	w.KeyString("role", string(role))
	w.Key("content")
	w.content(parts)
	w.EndWith(x, "")
}

// plainMessage writes a system or user message. If it contains results, as on some wires,
// they come first.
func (w *writing) plainMessage(m chat.Message, field string) {
	var parts, deferred []wireio.Located
	results := 0
	for _, p := range w.Locate(m.Parts, field) {
		switch {
		case p.Kind == chat.PartResult && p.Result != nil:
			deferred = append(deferred, w.result(p, nil)...)
			results++
		case w.fits(p):
			parts = append(parts, p)
		}
	}
	w.deferred(&deferred)
	switch {
	case len(parts) > 0 || len(m.Parts) == 0:
		w.messageOf(m.Role, parts, m.Extras)
	case results == 0:
		w.empty(field)
	}
}

// empty reports a message without anything that can be written.
func (w *writing) empty(field string) { w.Log.Add(features.EmptyMessage, field, "left out") }

// assistantMessage writes a message of the model.
func (w *writing) assistantMessage(m chat.Message, field string) {
	s := w.sort(m, field)
	if len(m.Parts) > 0 && s.isEmpty() {
		w.empty(field)
		return
	}
	w.Object()
	w.assistant(m, s, field)
	w.EndWith(m.Extras, "")
}

// sortedParts are the parts of a message of the model, sorted by the members of the wire.
type sortedParts struct {
	content   []wireio.Located
	refusal   []byte
	signature string // of the text
	calls     int
	thoughts  bool // there is reasoning next to the content
}

func (s sortedParts) isEmpty() bool {
	return len(s.content) == 0 && len(s.refusal) == 0 && s.signature == "" && s.calls == 0 && !s.thoughts
}

// sort sorts the parts of a message, and reports those that the wire cannot express.
func (w *writing) sort(m chat.Message, field string) sortedParts {
	var s sortedParts
	late := false
	if w.VendorOnly {
		w.plainReasoning(m, field)
	}
	for _, p := range w.Locate(m.Parts, field) {
		switch p.Kind {
		case chat.PartCall:
			s.calls++
			continue
		case chat.PartRefusal:
			s.refusal = append(s.refusal, p.Text...)
			continue
		case chat.PartReasoning:
			if !w.inContent(p.Part) {
				s.thoughts = s.thoughts || !w.VendorOnly
				continue
			}
		case chat.PartImage, chat.PartFile:
			w.Log.Add(features.OfMedia(p.Kind, features.UserImage, features.UserFile), p.Field)
			continue
		case chat.PartOther:
			if w.joins {
				w.Log.Add(features.OtherPart, p.Field)
				continue
			}
			if !w.fits(p) {
				continue
			}
		case chat.PartResult:
			w.Log.Add(features.OtherPart, p.Field)
			continue
		}
		if p.Signature != "" && p.Kind == chat.PartText {
			if s.signature != "" || w.VendorOnly || !features.TraitsOf(p.SignedBy).SignsCalls {
				w.Log.Add(features.Signature, p.Field+".signature")
			} else {
				s.signature = p.Signature
			}
			if p.Text == "" {
				continue
			}
		}
		late = late || s.calls > 0
		s.content = append(s.content, p)
	}
	if late {
		w.Log.Add(features.PartOrder, field+".parts")
	}
	return s
}

// assistant writes the members of a message of the model.
func (w *writing) assistant(m chat.Message, s sortedParts, field string) {
	w.Text("role", string(chat.Assistant))
	w.reasoning(m, field)
	w.Key("content")
	switch {
	case len(s.content) == 0 && (s.calls > 0 || len(s.refusal) > 0):
		w.Raw(nil)
	case w.joins:
		w.String(w.oneText(s.content, field))
	default:
		w.content(s.content)
	}
	w.Text("refusal", string(s.refusal))
	if s.calls > 0 {
		w.calls(m, field)
	}
	if s.signature != "" || w.HasExtras(m.Extras, "extra_content") {
		w.googleSignature(s.signature, m.Extras)
	}
}

// oneText joins the texts of an answer, because OpenAI's content is one string. Other
// parts cannot be written.
func (w *writing) oneText(content []wireio.Located, field string) string {
	if len(content) > 1 {
		w.Log.Add(features.PartOrder, field+".parts", "its texts are joined")
	}
	var text strings.Builder
	for _, p := range content {
		text.WriteString(p.Text)
		w.Log.ReportExtras(p.Field, p.Extras)
		for _, x := range p.Extras {
			if x.Wire == Wire && !x.Spelling {
				w.Log.Add(features.ForeignExtra, p.Field+"."+x.Name, "left out: the content is one string")
			}
		}
	}
	return text.String()
}

func (w *writing) googleSignature(text string, x chat.Extras) {
	w.KeyObject("extra_content")
	w.KeyObject("google")
	w.Text("thought_signature", text)
	w.EndWith(x, "extra_content.google")
	w.EndWith(x, "extra_content")
}

func (w *writing) calls(m chat.Message, field string) {
	w.KeyArray("tool_calls")
	for i, p := range m.Parts {
		if p.Kind == chat.PartCall {
			w.call(p, wireio.At(field+".parts", i))
		}
	}
	w.EndArray()
}

func (w *writing) call(p chat.Part, field string) {
	w.Log.ReportExtras(field, p.Extras)
	in := "function"
	input, custom := customtool.InputOf(p.Call)
	if custom {
		in = "custom"
	}
	w.called[p.Call.ID] = true
	w.Object()
	w.Text("id", w.ID(p.Call.ID, field+".call.id"))
	w.Type(in, p.Extras)
	w.KeyObject(in)
	w.KeyString("name", w.Name(p.Call.Name, field+".call.name"))
	if custom {
		w.Member("input", input)
	} else {
		w.KeyString("arguments", wireio.TextArguments(p.Call))
	}
	w.EndWith(p.Extras, in)
	w.Extras(p.Extras, "")
	switch {
	case p.Signature == "" || inDetails(p) && !w.VendorOnly:
	case w.VendorOnly || !features.TraitsOf(p.SignedBy).SignsCalls:
		w.Log.Add(features.Signature, field+".signature")
	default:
		w.googleSignature(p.Signature, p.Extras)
	}
	w.EndObject()
}

// result writes a result as a message, and returns the parts that it cannot contain: all
// of them if there is no call, because all servers reject such results.
func (w *writing) result(p wireio.Located, x chat.Extras) (rest []wireio.Located) {
	w.Log.ReportExtras(p.Field, p.Extras)
	if !w.called[p.Result.CallID] {
		w.Log.Add(features.ResultWithoutCall, p.Field)
		return slices.DeleteFunc(w.ResultAsText(p, "the call "+p.Result.CallID), w.lacks)
	}
	parts, rest := w.output(p, wire.UsesName(x, Wire, markedHere))
	w.Object()
	w.Text("role", string(chat.ToolRole))
	w.KeyString("tool_call_id", w.ID(p.Result.CallID, p.Field+".result.call_id"))
	if wire.UsesName(x, Wire, "name") {
		w.Text("name", w.Name(p.Result.Name, p.Field+".result.name"))
	}
	w.Key("content")
	w.content(parts)
	w.EndWith(x, "")
	return rest
}

// output returns the parts of a result that can be written, and the others. isMarked
// means that the result's wire marks errors in the same way.
func (w *writing) output(p wireio.Located, isMarked bool) (parts, rest []wireio.Located) {
	if p.Result.IsError && !isMarked {
		w.Log.Add(features.ResultError, p.Field+".result.is_error")
	}
	for _, inner := range w.Locate(p.Result.Parts, p.Field+".result") {
		switch inner.Kind {
		case chat.PartImage, chat.PartFile:
			if !w.fits(inner) {
				continue
			}
			w.Log.Add(features.OfMedia(inner.Kind, features.ResultImage, features.ResultFile), inner.Field)
			name := wireio.Located{Part: chat.TextPart("[" + inner.Kind.String() + " of call " + p.Result.CallID + "]"), Field: inner.Field}
			parts, rest = append(parts, name), append(rest, name, inner)
		default:
			if w.fits(inner) {
				parts = append(parts, inner)
			}
		}
	}
	if p.Result.IsError {
		parts = wireio.AddErrorMark(parts)
	}
	return parts, rest
}

// lacks reports whether the content of a message cannot contain a part, and reports the
// loss.
func (w *writing) lacks(p wireio.Located) bool { return !w.fits(p) }

// fits is the opposite of lacks.
func (w *writing) fits(p wireio.Located) bool {
	ok := false
	switch p.Kind {
	case chat.PartText, chat.PartRefusal:
		ok = true
	case chat.PartImage, chat.PartFile:
		ok = p.Media != nil
	case chat.PartOther:
		ok = w.HasExtras(p.Extras, "")
	}
	if !ok {
		w.Log.Add(features.OtherPart, p.Field)
	}
	return ok
}

// content writes parts as a string, if that is possible without loss, or else as a list.
func (w *writing) content(parts []wireio.Located) {
	for _, p := range parts {
		w.Log.ReportExtras(p.Field, p.Extras)
	}
	w.Content(parts, false, w.part)
}

// part writes a part of a content.
func (w *writing) part(p wireio.Located) {
	if p.Kind == chat.PartImage || p.Kind == chat.PartFile {
		p = w.media(p)
	}
	w.Object()
	switch p.Kind {
	case chat.PartText:
		w.Text("type", "text")
		w.KeyString("text", p.Text)
	case chat.PartRefusal:
		w.Text("type", "refusal")
		w.KeyString("refusal", p.Text)
	case chat.PartReasoning:
		w.Text("type", "thinking")
		w.KeyArray("thinking")
		w.Object()
		w.Text("type", "text")
		w.KeyString("text", p.Text)
		w.EndObject()
		w.EndArray()
	case chat.PartImage:
		w.image(p)
	case chat.PartFile:
		w.file(p)
	}
	w.EndWith(p.Extras, "")
}
