package anthropic

import (
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/wireio"
)

// isSystem reports whether a message belongs to the system prompt.
func isSystem(m chat.Message) bool {
	return (m.Role == chat.System || m.Role == chat.Developer) && !wire.UsesName(m.Extras, Wire, systemHere)
}

// system writes the system prompt, which contains all system messages.
func (w *writing) system(messages []chat.Message) {
	var prompt []wireio.Located
	for field, m := range w.SystemPrompt(messages, isSystem) {
		prompt = w.blocks(prompt, wireio.Locate(m.Parts, field+".parts"), inSystem)
	}
	if len(prompt) > 0 {
		w.Key("system")
		w.content(prompt)
	}
}

// messages writes a history without its system prompt.
func (w *writing) messages(messages []chat.Message) {
	linked := w.EnsureContent(w.Link(messages), "(empty)")
	w.Array()
	var turn wireio.Turn
	for i, m := range linked {
		field := wireio.At("messages", i)
		switch {
		case isSystem(m):
		case m.Role == chat.User, m.Role == chat.ToolRole:
			w.add(&turn, m, field)
		case m.Role == chat.Assistant:
			w.turn(&turn)
			for _, p := range wireio.Locate(m.Parts, field+".parts") {
				if p.Kind == chat.PartCall && p.Call != nil {
					turn.AddCall(p)
				}
			}
			w.plainMessage(m, field, inAssistant)
		case m.Role == chat.System || m.Role == chat.Developer:
			w.turn(&turn)
			w.plainMessage(m, field, inSystem)
		default:
			w.Log.Add(features.OtherRole, field)
		}
	}
	w.turn(&turn)
	w.ReportUnanswered(&turn)
	w.EndArray()
}

// plainMessage writes a message, unless it is empty.
func (w *writing) plainMessage(m chat.Message, field string, where place) {
	w.Log.ReportExtras(field, m.Extras)
	w.message(m.Role, w.blocks(nil, wireio.Locate(m.Parts, field+".parts"), where), m.Extras, field)
}

func (w *writing) message(role chat.Role, blocks []wireio.Located, extras chat.Extras, field string) {
	if len(blocks) == 0 {
		w.Log.Add(features.EmptyMessage, field)
		return
	}
	w.Object()
	w.Text("role", string(role))
	w.Key("content")
	w.content(blocks)
	w.EndWith(extras, "")
}

// add adds a message of the user or of tools. Results without a call directly before
// become user text.
func (w *writing) add(t *wireio.Turn, m chat.Message, field string) {
	w.Log.ReportExtras(field, m.Extras)
	extras := m.Extras
	var parts []wireio.Located
	found := false
	for _, p := range wireio.Locate(m.Parts, field+".parts") {
		if p.Kind != chat.PartResult || p.Result == nil {
			parts = append(parts, p)
			continue
		}
		w.Log.ReportExtras(p.Field, p.Extras)
		if !t.HasCall(p) {
			w.Log.Add(features.ResultWithoutCall, p.Field)
			parts = append(parts, w.ResultAsText(p, "the call "+p.Result.CallID)...)
			continue
		}
		t.AddResult(p, field, extras)
		extras, found = nil, true
	}
	if len(parts) > 0 || !found {
		t.Messages = append(t.Messages, wireio.UserMessage{Parts: parts, From: field, Extras: extras})
	}
}

// turn writes the collected messages, and begins another turn.
func (w *writing) turn(t *wireio.Turn) {
	if len(t.Results) == 0 && len(t.Messages) == 0 {
		return // successive messages of the model are one turn
	}
	w.ReportUnanswered(t)
	messages := t.Messages
	if len(t.Results) > 0 {
		w.SortResults(t, t.Results[0].From)
		var blocks []wireio.Located
		var extras chat.Extras
		for _, r := range t.Results {
			blocks = append(blocks, r.Located)
			switch {
			case !w.HasExtras(r.Extras, ""):
			case extras == nil:
				extras = r.Extras
			default:
				w.Log.Add(features.ForeignExtra, r.From, "left out: all results are in one message")
			}
		}
		if len(messages) > 0 && !w.HasExtras(messages[0].Extras, "") {
			blocks = w.blocks(blocks, messages[0].Parts, inUser)
			messages = messages[1:]
		}
		w.message(chat.User, blocks, extras, t.Results[0].From)
	}
	for _, m := range messages {
		w.message(chat.User, w.blocks(nil, m.Parts, inUser), m.Extras, m.From)
	}
	*t = wireio.Turn{}
}

// content writes blocks as a text, if that is possible without loss, or else as a list.
func (w *writing) content(blocks []wireio.Located) {
	w.Content(blocks, w.answer || wire.UsesName(blocks[0].Extras, Wire, inList), w.block)
}

// place is a place for blocks.
type place uint8

const (
	inSystem place = iota
	inUser
	inAssistant
	inResult
)

// blocks returns the parts that fit into a place, and reports the others.
func (w *writing) blocks(dst, parts []wireio.Located, where place) []wireio.Located {
	return wireio.Fitting(&w.Writer, dst, parts, where, w.fits)
}

// fits reports whether a block fits into a place, and changes it so that it does, if
// possible.
func (w *writing) fits(b *wireio.Located, where place) bool {
	hasExtras := w.HasExtras(b.Extras, "")
	switch b.Kind {
	case chat.PartText, chat.PartRefusal:
		if b.Signature != "" {
			w.ReportSignature(*b)
		}
		if b.Kind == chat.PartRefusal {
			w.Log.Add(features.Refusal, b.Field)
			b.Kind = chat.PartText
		}
		if b.Text != "" && !hasExtras && !w.answer && strings.TrimSpace(b.Text) == "" {
			w.Log.Add(features.EmptyMessage, b.Field, "left out: it is blank")
			return false
		}
		return b.Text != "" || hasExtras
	case chat.PartReasoning:
		if where == inAssistant {
			return w.reasoningFits(b)
		}
	case chat.PartImage, chat.PartFile:
		if where == inAssistant || where == inSystem {
			w.Log.Add(features.OfMedia(b.Kind, features.UserImage, features.UserFile), b.Field)
			return false
		}
		if m := b.Media; m != nil && (m.Data != "" || m.ID != "" || m.URL != "") {
			*b = w.Media(*b, takes)
			return true
		}
	case chat.PartCall:
		if where == inAssistant && b.Call != nil {
			if b.Signature != "" {
				w.ReportSignature(*b)
			}
			return true
		}
	case chat.PartOther:
		if hasExtras {
			return true
		}
	}
	w.Log.Add(features.OtherPart, b.Field)
	return false
}

// reasoningFits reports whether reasoning can be written. A request requires the
// provider's own signature, which nobody can forge; an answer does not.
func (w *writing) reasoningFits(b *wireio.Located) bool {
	ownSignature := b.SignedBy == Wire
	if b.Redacted != "" {
		if ownSignature {
			if b.Text != "" {
				w.Log.Add(features.ReasoningText, b.Field+".text", "left out: the encrypted block replaces it")
			}
			return true
		}
		w.Log.Add(features.ForeignRedacted, b.Field+".redacted")
		b.Redacted = ""
	}
	if b.Signature != "" {
		if ownSignature {
			return true
		}
		w.Log.Add(features.ForeignSignature, b.Field+".signature")
		b.Signature = ""
	}
	asItCame := wire.UsesName(b.Extras, Wire, unsigned)
	switch {
	case b.Text == "" && !asItCame:
		return false
	case !w.VendorOnly && (w.answer || asItCame):
		return true
	}
	w.Log.Add(features.ReasoningText, b.Field+".text")
	return false
}

// block writes a block.
func (w *writing) block(b wireio.Located) {
	w.Object()
	switch b.Kind {
	case chat.PartText:
		if !writeReference(&w.Writer.Writer, b.Part) && !w.writeSearchResult(b.Part) {
			w.Text("type", "text")
			w.KeyString("text", b.Text)
		}
	case chat.PartReasoning:
		w.reasoning(b.Part)
	case chat.PartImage, chat.PartFile:
		w.media(b.Part, b.Field)
	case chat.PartCall:
		w.call(b)
	case chat.PartResult:
		w.toolResult(b)
	}
	w.EndWith(b.Extras, "")
}

func (w *writing) reasoning(p chat.Part) {
	if p.Redacted != "" {
		w.Text("type", "redacted_thinking")
		w.Text("data", p.Redacted)
		return
	}
	w.Text("type", "thinking")
	w.KeyString("thinking", p.Text)
	w.KeyString("signature", p.Signature)
}

func (w *writing) call(b wireio.Located) {
	w.Text("type", "tool_use")
	w.KeyString("id", w.ID(b.Call.ID, b.Field+".call.id"))
	w.Key("name")
	name, native := b.Call.Name, b.Call.Native
	if native.Wire == Wire && native.Namespace != "" {
		name = wireio.OwnName(name, native)
	}
	w.String(w.Name(name, b.Field+".call.name"))
	if name != b.Call.Name && b.Extras.Get(Wire, "", toolsetName) == nil {
		w.Text(toolsetName, native.Namespace)
	}
	w.Key("input")
	w.ObjectArguments(b.Call.Arguments, b.Field+".call.arguments")
	if b.Call.Custom {
		w.Log.Add(features.CustomTool, b.Field+".call.custom", features.CustomCall)
	}
	if wire.UsesName(b.Extras, Wire, "caller") {
		w.Member("caller", []byte(directCaller))
	}
}

func (w *writing) toolResult(b wireio.Located) {
	w.Text("type", "tool_result")
	w.KeyString("tool_use_id", w.ID(b.Result.CallID, b.Field+".result.call_id"))
	if parts := w.blocks(nil, wireio.Locate(b.Result.Parts, b.Field+".result.parts"), inResult); len(parts) > 0 {
		w.Key("content")
		w.content(parts)
	}
	if b.Result.IsError || wire.UsesName(b.Extras, Wire, "is_error") {
		w.KeyBool("is_error", b.Result.IsError)
	}
}
