package openai

import (
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/features"
	"github.com/toolparse/toolparse/format/internal/wireio"
)

// messages writes a history. What results, which are text here, cannot hold
// follows those of their turn in a message of the user.
func (w *writing) messages(messages []chat.Message) {
	var deferred []wireio.Located
	w.Array()
	for i, m := range wireio.JoinTurns(w.Link(messages)) {
		field := wireio.At("messages", i)
		w.Log.Extras(field, m.Extras)
		if m.Role != chat.ToolRole {
			w.deferred(&deferred)
		}
		switch m.Role {
		case chat.Assistant:
			w.assistantMessage(m, field)
		case chat.ToolRole:
			deferred = append(deferred, w.results(m, field)...)
		default:
			w.plainMessage(m, field)
		}
	}
	w.deferred(&deferred)
	w.EndArray()
}

// deferred writes the message for what results could not hold.
func (w *writing) deferred(parts *[]wireio.Located) {
	if len(*parts) > 0 {
		w.saidBy(chat.User, *parts, nil)
		*parts = nil
	}
}

// saidBy writes a message of anybody but the model.
func (w *writing) saidBy(role chat.Role, parts []wireio.Located, x chat.Extras) {
	w.Object()
	w.KeyString("role", string(role))
	w.Key("content")
	w.content(parts)
	w.Extras(x, "")
	w.EndObject()
}

// plainMessage writes a message of the system or the user. Results in it, which
// some wires have there, come first.
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
		w.saidBy(m.Role, parts, m.Extras)
	case results == 0:
		w.empty(field)
	}
}

// empty reports a message of which nothing can be written.
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
	w.Extras(m.Extras, "")
	w.EndObject()
}

// said is what a model said, sorted by where the wire has it.
type said struct {
	content   []wireio.Located
	refusal   []byte
	signature string // of the text
	calls     int
	thoughts  bool // there is reasoning beside the content
}

func (s said) isEmpty() bool {
	return len(s.content) == 0 && len(s.refusal) == 0 && s.signature == "" && s.calls == 0 && !s.thoughts
}

// sort sorts the parts of what a model said, and reports those that the wire
// cannot hold.
func (w *writing) sort(m chat.Message, field string) said {
	var s said
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
		case chat.PartImage:
			w.Log.Add(features.UserImage, p.Field)
			continue
		case chat.PartFile:
			w.Log.Add(features.UserFile, p.Field)
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

// assistant writes what a model said, into the message's object.
func (w *writing) assistant(m chat.Message, s said, field string) {
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

// oneText joins the texts of an answer, whose content the vendor has as one
// string. What else stands beside a text has no place there.
func (w *writing) oneText(content []wireio.Located, field string) string {
	if len(content) > 1 {
		w.Log.Add(features.PartOrder, field+".parts", "its texts are joined")
	}
	var text strings.Builder
	for _, p := range content {
		text.WriteString(p.Text)
		w.Log.Extras(p.Field, p.Extras)
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
	w.Extras(x, "extra_content.google")
	w.EndObject()
	w.Extras(x, "extra_content")
	w.EndObject()
}
