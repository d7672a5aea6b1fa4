package anthropic

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/features"
	"github.com/toolparse/toolparse/format/internal/wireio"
)

// isSystem reports whether a message belongs into the one system prompt.
func isSystem(m chat.Message) bool {
	return (m.Role == chat.System || m.Role == chat.Developer) && !m.Extras.Spells(Wire, systemHere)
}

// system writes the system prompt: all system messages there are.
func (w *writing) system(messages []chat.Message) {
	var prompt []wireio.Located
	found, first := 0, 0
	for i, m := range messages {
		if !isSystem(m) {
			continue
		}
		field := wireio.At("messages", i)
		if found == 0 {
			first = i
		}
		if found++; found > 1 || first > 0 {
			w.Log.Add(features.SystemRole, field)
		}
		if m.Role == chat.Developer {
			w.Log.Add(features.DeveloperRole, field+".role")
		}
		w.Log.Extras(field, m.Extras)
		prompt = w.blocks(prompt, wireio.Locate(m.Parts, field+".parts"), inSystem)
	}
	if len(prompt) > 0 {
		w.Key("system")
		w.content(prompt)
	}
}

// messages writes a history without its system prompt.
func (w *writing) messages(messages []chat.Message) {
	linked := w.Asking(w.Link(messages), "(empty)")
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
					turn.Asks(p)
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
	w.Unanswered(&turn)
	w.EndArray()
}

// plainMessage writes a message by itself, unless there is nothing in it.
func (w *writing) plainMessage(m chat.Message, field string, where place) {
	w.Log.Extras(field, m.Extras)
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
	w.Extras(extras, "")
	w.EndObject()
}

// add adds a message of the user, or of tools. Results whose call was not asked for just
// before are what the user says.
func (w *writing) add(t *wireio.Turn, m chat.Message, field string) {
	w.Log.Extras(field, m.Extras)
	extras := m.Extras
	var parts []wireio.Located
	found := false
	for _, p := range wireio.Locate(m.Parts, field+".parts") {
		if p.Kind != chat.PartResult || p.Result == nil {
			parts = append(parts, p)
			continue
		}
		w.Log.Extras(p.Field, p.Extras)
		if !t.Expects(p) {
			w.Log.Add(features.StrayResult, p.Field)
			parts = append(parts, w.Stray(p)...)
			continue
		}
		t.Answer(p, field, extras)
		extras, found = nil, true
	}
	if len(parts) > 0 || !found {
		t.Said = append(t.Said, wireio.Said{Parts: parts, From: field, Extras: extras})
	}
}

// turn writes what has gathered, and begins another.
func (w *writing) turn(t *wireio.Turn) {
	if len(t.Results) == 0 && len(t.Said) == 0 {
		return // messages of the model in a row are one turn
	}
	w.Unanswered(t)
	said := t.Said
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
		if len(said) > 0 && !w.HasExtras(said[0].Extras, "") {
			blocks = w.blocks(blocks, said[0].Parts, inUser)
			said = said[1:]
		}
		w.message(chat.User, blocks, extras, t.Results[0].From)
	}
	for _, m := range said {
		w.message(chat.User, w.blocks(nil, m.Parts, inUser), m.Extras, m.From)
	}
	*t = wireio.Turn{}
}

// content writes blocks as a text where that says it all, else as a list.
func (w *writing) content(blocks []wireio.Located) {
	if b := blocks[0]; len(blocks) == 1 && !w.answer && b.Kind == chat.PartText && !w.HasExtras(b.Extras, "") && !b.Extras.Spells(Wire, inList) {
		w.String(b.Text)
		return
	}
	w.Array()
	for _, b := range blocks {
		w.block(b)
	}
	w.EndArray()
}
