package openai

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/features"
	"github.com/toolparse/toolparse/format/internal/wireio"
)

// fits reports whether a part can stand in a content. One that cannot is a loss.
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

// content writes parts as a string where that says it all, else as a list.
func (w *writing) content(parts []wireio.Located) {
	if len(parts) == 0 {
		w.String("")
		return
	}
	if p := parts[0]; len(parts) == 1 && p.Kind == chat.PartText && !w.HasExtras(p.Extras, "") {
		w.Log.Extras(p.Field, p.Extras)
		w.String(p.Text)
		return
	}
	w.Array()
	for _, p := range parts {
		w.part(p)
	}
	w.EndArray()
}

// part writes a part of a content.
func (w *writing) part(p wireio.Located) {
	w.Log.Extras(p.Field, p.Extras)
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
	w.Extras(p.Extras, "")
	w.EndObject()
}
