package gemini

import (
	"path"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/internal/wire/wireio"
)

// media reads an image or a file, which its media type distinguishes.
func (r *reading) media(v rawjson.Value, path, in string, keep *unknown.Keeper) chat.Part {
	m := new(chat.Media)
	r.Members(v, path, keep, in, "mimeType", &m.Type, "data", &m.Data, "fileUri", &m.URL, "displayName", &m.Name)
	if m.Name != "" {
		keep.NoteName("displayName")
	}
	m.Data = wireio.StandardBase64(m.Data) // Google's client for Python writes the URL-safe alphabet
	kind := chat.PartFile
	if t := typeOf(m); strings.HasPrefix(t, "image/") {
		kind = chat.PartImage
	}
	return chat.Part{Kind: kind, Media: m}
}

// typeOf returns a missing media type by the first bytes or the end of the name, or "" if
// it is unknown.
func typeOf(m *chat.Media) string {
	switch {
	case m.Type != "":
		return m.Type
	case m.Data != "":
		return wireio.MediaTypeOf(m.Data)
	}
	return extTypes[extOf(m.URL)]
}

var extTypes = map[string]string{
	".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp", ".pdf": "application/pdf",
}

// extOf returns the extension in the path of a URL.
func extOf(url string) string {
	url, _, _ = strings.Cut(url, "?")
	url, _, _ = strings.Cut(url, "#")
	return strings.ToLower(path.Ext(url))
}

// fitMedia returns an image or a file in a form that can be written.
func (w *writing) fitMedia(p *chat.Part, field string, where place) bool {
	m := *p.Media
	feature := features.OfMedia(p.Kind, features.UserImage, features.UserFile)
	switch {
	case where == inSystem:
		w.Log.Add(feature, field, "left out")
		return false
	case m.Data == "" && m.URL == "":
		w.Log.Add(features.MediaID, field)
		*p = chat.TextPart(wireio.MediaPlaceholder(*p))
		return true
	}
	if m.Name != "" && !wire.UsesName(p.Extras, Wire, "displayName") {
		w.Log.Add(feature, field+".media.name", "left out: not every endpoint accepts names")
		m.Name = ""
	}
	switch m.Type = typeOf(&m); {
	case m.Type != "":
	case m.Data == "":
		if p.Kind == chat.PartImage {
			w.Log.Add(feature, field, "sent as a file of unknown type")
		}
	case p.Kind == chat.PartImage:
		m.Type = "image/jpeg"
		w.Log.Add(feature, field+".media.type", "missing; written as image/jpeg")
	default:
		m.Type = "application/octet-stream"
		w.Log.Add(feature, field+".media.type", "missing; written as application/octet-stream")
	}
	p.Media = &m
	return true
}

// media writes an image or a file.
func (w *writing) media(p chat.Part) {
	in := "inlineData"
	if p.Media.Data == "" {
		in = "fileData"
	}
	w.KeyObject(in)
	w.Text("mimeType", p.Media.Type)
	if p.Media.Data != "" {
		w.Text("data", p.Media.Data)
	} else {
		w.Text("fileUri", p.Media.URL)
	}
	w.Text("displayName", p.Media.Name)
	w.EndWith(p.Extras, in)
}
