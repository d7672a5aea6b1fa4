package anthropic

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/internal/wire/wireio"
)

const plainText = "text/plain"

// media reads the block of an image or a document. ok is false if its content has a form
// of its own.
func (r *reading) media(v rawjson.Value, path string, kind chat.PartKind) (part chat.Part, ok bool) {
	keep := r.Keeper()
	keep.Skip = isNull
	part = chat.Part{Kind: kind, Media: new(chat.Media)}
	var source rawjson.Value
	r.Members(v, path, &keep, "", "type", nil, "source", wireio.ObjectMember(&source), "title", func(title rawjson.Value) bool {
		if kind == chat.PartFile {
			part.Media.Name = r.Texts.Whole(title)
		}
		return part.Media.Name != ""
	})
	if !r.source(part.Media, source, path+".source", &keep) {
		return part, false
	}
	part.Extras = keep.Extras
	return part, true
}

func (r *reading) source(m *chat.Media, v rawjson.Value, path string, keep *unknown.Keeper) bool {
	kind := v.Get("type")
	switch {
	case kind.Is("base64"):
		r.Members(v, path, keep, "source", "type", nil, "media_type", &m.Type, "data", &m.Data)
	case kind.Is("text"): // text without base64
		r.Members(v, path, keep, "source", "type", nil, "media_type", nil, "data", &m.Data)
		m.Type, m.Data = plainText, base64.StdEncoding.EncodeToString([]byte(m.Data))
	case kind.Is("url"):
		r.Members(v, path, keep, "source", "type", nil, "url", &m.URL)
	case kind.Is("file"):
		r.Members(v, path, keep, "source", "type", nil, "file_id", &m.ID)
		m.StoredBy = Wire
	}
	return m.Data != "" || m.URL != "" || m.ID != ""
}

// media writes the members of an image or a document.
func (w *writing) media(p chat.Part, field string) {
	m := p.Media
	kind := "image"
	if p.Kind == chat.PartFile {
		kind = "document"
	}
	w.Text("type", kind)
	w.KeyObject("source")
	switch text, isText := textOf(p); {
	case isText:
		w.Text("type", "text")
		w.Text("media_type", plainText)
		w.Text("data", text)
		if m.Type != plainText {
			w.Log.Add(features.UserFile, field+".media.type", m.Type+" is written "+plainText)
		}
	case m.Data != "":
		w.Text("type", "base64")
		w.Text("media_type", wireio.TypeOf(p))
		w.Text("data", m.Data)
	case m.ID != "":
		w.Text("type", "file")
		w.Text("file_id", m.ID)
	default:
		w.Text("type", "url")
		w.Text("url", m.URL)
	}
	w.EndWith(p.Extras, "source")
	if m.Data == "" && m.Type != "" {
		w.Log.Add(features.MediaURL, field+".media.type", "left out: the provider detects it")
	}
	switch {
	case m.Name == "":
	case p.Kind == chat.PartFile:
		w.Text("title", m.Name)
	default:
		w.Log.Add(features.UserImage, field+".media.name", "left out")
	}
}

// takes reports whether the wire accepts the type of an image or a document.
func takes(p chat.Part) bool {
	if kind := p.Media.Type; p.Media.Data == "" {
		return kind == "" || p.Media.ID != "" || kind == "application/pdf" || p.Kind == chat.PartImage
	}
	if _, isText := textOf(p); isText {
		return true
	}
	switch kind := wireio.TypeOf(p); p.Kind {
	case chat.PartImage:
		return kind == "image/jpeg" || kind == "image/png" || kind == "image/gif" || kind == "image/webp"
	default:
		return kind == "application/pdf"
	}
}

// textOf returns the text of a text file, which is written as it is, because the wire
// accepts only PDF in base64.
func textOf(p chat.Part) (string, bool) {
	if p.Kind != chat.PartFile || p.Media.Data == "" || !isText(p.Media.Type) {
		return "", false
	}
	text, err := base64.StdEncoding.DecodeString(p.Media.Data)
	return string(text), err == nil && utf8.Valid(text) && len(text) > 0
}

// isText reports whether files of a type are text.
func isText(kind string) bool {
	return strings.HasPrefix(kind, "text/") || kind == "application/json" || kind == "application/xml"
}
