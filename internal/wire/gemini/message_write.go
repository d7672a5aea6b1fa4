package gemini

import (
	"cmp"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/wireio"
)

func isSystem(m chat.Message) bool { return m.Role == chat.System || m.Role == chat.Developer }

// system writes the system instruction, which contains all system messages.
func (w *writing) system(messages []chat.Message) {
	var parts []wireio.Located
	var extras chat.Extras
	role := ""
	for field, m := range w.SystemPrompt(messages, isSystem) {
		for _, x := range m.Extras {
			if x.Spelling && x.Wire == Wire && isSystemRole(x.Name) {
				role = x.Name
			}
		}
		parts = w.fit(parts, wireio.Locate(m.Parts, field+".parts"), inSystem)
		w.oneOf(&extras, m.Extras, field)
	}
	if len(parts) > 0 {
		w.Key("systemInstruction")
		w.content(role, parts, extras)
	}
}

// oneOf keeps the extras of messages that are joined: those of the first message that has
// any.
func (w *writing) oneOf(first *chat.Extras, x chat.Extras, field string) {
	switch {
	case !w.HasExtras(x, ""):
	case *first == nil:
		*first = x
	default:
		w.Log.Add(features.ForeignExtra, field, "left out: the content is merged with another")
	}
}

// fitAll returns the parts of a message that fit into a place, and reports the rest.
func (w *writing) fitAll(dst []wireio.Located, m chat.Message, field string, where place) []wireio.Located {
	w.Log.ReportExtras(field, m.Extras)
	return w.fit(dst, wireio.Locate(m.Parts, field+".parts"), where)
}

// content writes a content.
func (w *writing) content(role string, parts []wireio.Located, extras chat.Extras) {
	w.Object()
	w.Text("role", role)
	w.KeyArray("parts")
	for _, p := range parts {
		w.part(p)
	}
	w.EndArray()
	w.EndWith(extras, "")
}

// turn collects messages until one content is complete: the model's parts, the results,
// and the user's parts.
type turn struct {
	wireio.Turn
	model   []wireio.Located // the model's parts that were not written yet
	extras  chat.Extras
	started bool // there is a part of the model
}

// contents writes a history. The results of a turn are in one content, directly after the
// calls.
func (w *writing) contents(messages []chat.Message) {
	linked := w.Link(messages)
	for i, m := range messages {
		w.generated.Add(m.Parts, linked[i].Parts)
	}
	linked = w.EnsureContent(linked, " ")
	w.Array()
	var t turn
	for i, m := range linked {
		field := wireio.At("messages", i)
		switch {
		case isSystem(m):
		case m.Role == chat.Assistant:
			w.modelSays(&t, m, field)
		case m.Role == chat.User, m.Role == chat.ToolRole:
			w.userSays(&t, m, field)
		default:
			w.Log.Add(features.OtherRole, field)
		}
	}
	w.writeTurn(&t)
	w.EndArray()
}

// modelSays adds a message of the model. Calls in successive messages must be in one
// content, and so must their results.
func (w *writing) modelSays(t *turn, m chat.Message, field string) {
	if len(t.Results) > 0 || len(t.Messages) > 0 || !t.HasCalls() {
		w.writeTurn(t)
	} else {
		w.Log.Add(features.ParallelResults, field, "merged with the message before, which also has calls")
	}
	before, reported := len(t.model), len(w.Log.Losses)
	t.model = w.fitAll(t.model, m, field, inModel)
	t.started = true
	if len(t.model) == before {
		w.Log.Add(features.EmptyMessage, field)
		return
	}
	w.oneOf(&t.extras, m.Extras, field)
	for i := before; i < len(t.model); i++ {
		if p := &t.model[i]; p.Kind == chat.PartCall {
			if !t.HasCalls() && p.Signature == "" && w.placeholds() && !wire.UsesName(p.Extras, Wire, unsigned) {
				p.Signature = placeholder
				w.replaced(reported, p.Field)
			}
			t.AddCall(*p)
		}
	}
}

// replaced adds to the losses from an index on, about a call's lost signature, that the
// placeholder replaces it.
func (w *writing) replaced(from int, field string) {
	for i := range w.Log.Losses[from:] {
		if l := &w.Log.Losses[from+i]; l.Field == field+".signature" {
			l.Action = "replaced by the documented placeholder"
		}
	}
}

// placeholds reports whether the requested model may require a signature on calls that it
// did not make. A model named in a request of another wire is not the one that gets the
// request.
func (w *writing) placeholds() bool {
	return !w.ownModel || !isBefore3(w.model) && !isClaude(w.model)
}

// userSays adds a message of the user or of a tool.
func (w *writing) userSays(t *turn, m chat.Message, field string) {
	w.Log.ReportExtras(field, m.Extras)
	extras := m.Extras
	var parts []wireio.Located
	results := 0
	for _, p := range wireio.Locate(m.Parts, field+".parts") {
		if p.Kind != chat.PartResult || p.Result == nil {
			parts = w.fit(parts, []wireio.Located{p}, inUser)
			continue
		}
		results++
		if !t.HasCall(p) && (t.started || p.Result.Name == "") { // at the beginning, the calls may be in a cache
			w.Log.Add(features.ResultWithoutCall, p.Field)
			parts = w.fit(parts, w.ResultAsText(p, cmp.Or(p.Result.Name, p.Result.CallID)), inUser)
			continue
		}
		w.Log.ReportExtras(p.Field, p.Extras)
		t.AddResult(p, field, extras)
		extras = nil
	}
	switch {
	case len(parts) > 0:
		t.Messages = append(t.Messages, wireio.UserMessage{Parts: parts, Extras: extras})
	case results == 0:
		w.Log.Add(features.EmptyMessage, field)
	}
}

// writeTurn writes what was collected: the model's parts, the results, and the user's
// parts.
func (w *writing) writeTurn(t *turn) {
	if len(t.model) > 0 {
		w.content("model", t.model, t.extras)
		w.ReportUnanswered(&t.Turn)
	}
	if len(t.Results) > 0 {
		w.results(t)
	}
	for _, m := range t.Messages {
		w.content("user", m.Parts, m.Extras)
	}
	*t = turn{started: t.started}
}

func (w *writing) results(t *turn) {
	w.SortResults(&t.Turn, t.Results[0].Field)
	var extras chat.Extras
	var rest []wireio.Located
	w.Object()
	w.Text("role", "user")
	w.KeyArray("parts")
	for _, r := range t.Results {
		w.oneOf(&extras, r.Extras, r.Field)
		rest = append(rest, w.result(r.Located)...)
	}
	w.EndArray()
	w.EndWith(extras, "")
	if len(rest) > 0 {
		w.content("user", rest, nil)
	}
}

// place is a place for parts.
type place uint8

const (
	inSystem place = iota
	inUser
	inModel
	inResponse // of a tool
)

// fit returns the parts that fit into a place, and reports the others.
func (w *writing) fit(dst, parts []wireio.Located, where place) []wireio.Located {
	return wireio.Fitting(&w.Writer, dst, parts, where, func(p *wireio.Located, where place) bool { return w.fits(&p.Part, p.Field, where) })
}

func (w *writing) fits(p *chat.Part, field string, where place) bool {
	hasExtras := w.HasExtras(p.Extras, "")
	switch p.Kind {
	case chat.PartText, chat.PartRefusal:
		if p.Kind == chat.PartRefusal {
			w.Log.Add(features.Refusal, field)
			p.Kind = chat.PartText
		}
		w.trust(p, field)
		return p.Text != "" || p.Signature != "" || hasExtras
	case chat.PartReasoning:
		if where != inModel {
			break
		}
		if p.Redacted != "" {
			feature := features.ForeignRedacted
			if p.SignedBy == Wire {
				feature = features.Redacted
			}
			w.Log.Add(feature, field+".redacted")
		}
		w.trust(p, field)
		return p.Text != "" || p.Signature != "" || hasExtras
	case chat.PartImage, chat.PartFile:
		if m := p.Media; m == nil || m.Data == "" && m.URL == "" && m.ID == "" {
			break
		}
		w.trust(p, field)
		return w.fitMedia(p, field, where)
	case chat.PartCall:
		if where != inModel || p.Call == nil {
			break
		}
		if p.Call.Custom {
			w.Log.Add(features.CustomTool, field+".call.custom", features.CustomCall)
		}
		w.trust(p, field)
		return true
	case chat.PartOther:
		if hasExtras {
			return true
		}
	}
	w.Log.Add(features.OtherPart, field)
	return false
}

// trust removes a signature that the provider would not accept.
func (w *writing) trust(p *chat.Part, field string) {
	switch {
	case p.Signature == "":
	case p.SignedBy != Wire:
		w.Log.Add(features.ForeignSignature, field+".signature", "left out")
		p.Signature = ""
	case w.answer && !w.native && !wireio.IsBase64(p.Signature):
		w.Log.Add(features.Signature, field+".signature", "left out")
		p.Signature = ""
	}
}

// part writes a part.
func (w *writing) part(p wireio.Located) {
	w.Object()
	switch p.Kind {
	case chat.PartText, chat.PartReasoning:
		w.KeyString("text", p.Text)
		if p.Kind == chat.PartReasoning {
			w.KeyBool("thought", true)
		}
	case chat.PartImage, chat.PartFile:
		w.media(p.Part)
	case chat.PartCall:
		w.call(p)
	}
	w.Text("thoughtSignature", p.Signature)
	w.EndWith(p.Extras, "")
}

func (w *writing) call(p wireio.Located) {
	w.KeyObject("functionCall")
	w.Text("id", w.ID(w.generated.Visible(p.Call.ID), p.Field+".call.id"))
	w.Text("name", w.Name(p.Call.Name, p.Field+".call.name"))
	if !p.Call.Cut || p.Call.Arguments != "{}" { // otherwise its piece had no arguments, and "{}" would be complete ones
		w.Key("args")
		w.ObjectArguments(p.Call.Arguments, p.Field+".call.arguments")
	}
	w.EndWith(p.Extras, "functionCall")
}
