package openai

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/carry"
	"github.com/toolparse/toolparse/format/internal/codec"
)

// fits reports whether a part can stand in a content. One that cannot is a loss.
func (w *writing) fits(p codec.Located) bool {
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
		w.Log.Add(carry.OtherPart, p.Field)
	}
	return ok
}

// content writes parts as a string where that says it all, else as a list.
func (w *writing) content(parts []codec.Located) {
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
func (w *writing) part(p codec.Located) {
	w.Log.Extras(p.Field, p.Extras)
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
		w.image(p)
	case chat.PartFile:
		w.file(p)
	}
	w.Extras(p.Extras, "")
	w.EndObject()
}

func (w *writing) image(p codec.Located) {
	url := urlOf(p.Media)
	if url == "" {
		w.Log.Add(carry.MediaID, p.Field)
		w.Text("type", "text")
		w.Text("text", "[image "+p.Media.ID+"]")
		return
	}
	if p.Media.Name != "" {
		w.Log.Add(carry.UserImage, p.Field+".media.name")
	}
	w.Text("type", "image_url")
	w.Key("image_url")
	w.Object()
	w.Text("url", url)
	w.Extras(p.Extras, "image_url")
	w.EndObject()
}

func (w *writing) file(p codec.Located) {
	if p.Media.URL != "" {
		w.Log.Add(carry.MediaURL, p.Field)
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
