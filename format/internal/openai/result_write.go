package openai

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/features"
	"github.com/toolparse/toolparse/format/internal/wireio"
)

// results writes the results of a message, and returns what they cannot hold.
func (w *writing) results(m chat.Message, field string) (rest []wireio.Located) {
	for _, p := range w.Locate(m.Parts, field) {
		if p.Kind != chat.PartResult || p.Result == nil {
			w.Log.Add(features.OtherPart, p.Field)
			continue
		}
		rest = append(rest, w.result(p, m.Extras)...)
	}
	return rest
}

// result writes a result as the message that it is, with what that has, and
// returns what it cannot hold: all of it where there is no call, since servers
// accept none without.
func (w *writing) result(p wireio.Located, x chat.Extras) (rest []wireio.Located) {
	w.Log.Extras(p.Field, p.Extras)
	if !w.called[p.Result.CallID] {
		w.Log.Add(features.StrayResult, p.Field)
		for _, p := range w.Stray(p) {
			if w.fits(p) {
				rest = append(rest, p)
			}
		}
		return rest
	}
	parts, rest := w.output(p, x.Spells(Wire, markedHere))
	w.Object()
	w.Text("role", string(chat.ToolRole))
	w.KeyString("tool_call_id", w.ID(p.Result.CallID, p.Field+".result.call_id"))
	if x.Spells(Wire, "name") {
		w.Text("name", w.Name(p.Result.Name, p.Field+".result.name"))
	}
	w.Key("content")
	w.content(parts)
	w.Extras(x, "")
	w.EndObject()
	return rest
}

// output returns the parts of a result, and what has no place there. isMarked
// tells that its wire marks an error as this one does.
func (w *writing) output(p wireio.Located, isMarked bool) (parts, rest []wireio.Located) {
	if p.Result.IsError && !isMarked {
		w.Log.Add(features.ResultError, p.Field+".result.is_error")
	}
	for _, inner := range w.Locate(p.Result.Parts, p.Field+".result") {
		switch inner.Kind {
		case chat.PartImage, chat.PartFile:
			feature := features.ResultImage
			if inner.Kind == chat.PartFile {
				feature = features.ResultFile
			}
			if !w.fits(inner) {
				continue
			}
			w.Log.Add(feature, inner.Field)
			name := wireio.Located{Part: chat.TextPart("[" + inner.Kind.String() + " of call " + p.Result.CallID + "]"), Field: inner.Field}
			parts, rest = append(parts, name), append(rest, name, inner)
		default:
			if w.fits(inner) {
				parts = append(parts, inner)
			}
		}
	}
	if p.Result.IsError {
		parts = marked(parts)
	}
	return parts, rest
}

// marked puts the mark of an error before the first text.
func marked(parts []wireio.Located) []wireio.Located {
	if len(parts) == 0 || parts[0].Kind != chat.PartText {
		return append([]wireio.Located{{Part: chat.TextPart(errorMark)}}, parts...)
	}
	parts[0].Text = errorMark + parts[0].Text
	return parts
}
