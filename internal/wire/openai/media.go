package openai

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/internal/wire/wireio"
)

const (
	inAudio = "input_audio" // audio, and the path of its extras

	unnamed = "filename" // marks a file that has data but no name
)

// media reads an image, a file or audio, and reports whether v is one.
func (r *reading) media(part *chat.Part, kind, v rawjson.Value, keep *unknown.Keeper, path string) bool {
	switch {
	case kind.Is("image_url") && v.Get("url").Kind == rawjson.String:
		part.Kind = chat.PartImage
		part.Media = mediaOf(r.Texts.Whole(v.Get("url")))
		keep.Rest("image_url", v, "url")
	case kind.Is("file") && v.Kind == rawjson.Object:
		part.Kind = chat.PartFile
		part.Media = mediaOf(r.Text(v.Get("file_data"), path, ".file.file_data"))
		part.Media.Name = r.Text(v.Get("filename"), path, ".file.filename")
		part.Media.ID = r.Text(v.Get("file_id"), path, ".file.file_id")
		part.Media.StoredBy = wireio.StoredBy(part.Media, Wire)
		if part.Media.Data != "" && part.Media.Name == "" {
			keep.NoteName(unnamed)
		}
		keep.Rest("file", v, "file_data", "filename", "file_id")
	case kind.Is(inAudio) && v.Get("data").Kind == rawjson.String && (v.Get("format").Is("wav") || v.Get("format").Is("mp3")):
		part.Kind = chat.PartFile
		part.Media = &chat.Media{Type: "audio/" + r.Texts.Name(v.Get("format")), Data: r.Texts.Whole(v.Get("data"))}
		keep.Rest(inAudio, v, "data", "format")
	default:
		return false
	}
	return true
}

// mediaOf parses a data URL. It returns any other URL as it is.
func mediaOf(url string) *chat.Media {
	if kind, data, ok := wireio.CutDataURL(url); ok {
		return &chat.Media{Type: kind, Data: data}
	}
	return &chat.Media{URL: url}
}

// audioFormat returns the wire's word for a type of audio, or "".
func audioFormat(kind string) string {
	switch kind {
	case "audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave":
		return "wav"
	case "audio/mp3", "audio/mpeg":
		return "mp3"
	}
	return ""
}

// takes reports whether the wire accepts the type of an image or a file.
func takes(p chat.Part) bool {
	return p.Kind == chat.PartImage || !wireio.IsAudioOrVideo(p.Media.Type) || p.Media.Data != "" && audioFormat(p.Media.Type) != "" || p.Media.ID != ""
}

// media returns an image or a file in a form that can be written, or a text that names
// it.
func (w *writing) media(p wireio.Located) wireio.Located {
	feature := features.MediaURL
	switch m := p.Media; {
	case p.Kind == chat.PartImage && m.Data == "" && m.URL == "":
		feature = features.MediaID
	case p.Kind == chat.PartFile && m.URL != "":
	default:
		return w.Media(p, takes)
	}
	w.Log.Add(feature, p.Field)
	p.Part = chat.Part{Kind: chat.PartText, Text: wireio.MediaPlaceholder(p.Part), Extras: p.Extras}
	return p
}

func (w *writing) image(p wireio.Located) {
	if p.Media.Name != "" {
		w.Log.Add(features.UserImage, p.Field+".media.name")
	}
	w.Text("type", "image_url")
	w.KeyObject("image_url")
	w.Text("url", urlOf(p.Media))
	w.EndWith(p.Extras, "image_url")
}

func (w *writing) file(p wireio.Located) {
	m := p.Media
	if format := audioFormat(m.Type); format != "" && m.Data != "" {
		w.audio(p, format)
		return
	}
	w.Text("type", "file")
	w.KeyObject("file")
	w.Text("file_data", urlOf(m))
	w.Text("filename", w.FileName(p, unnamed))
	w.Text("file_id", m.ID)
	w.EndWith(p.Extras, "file")
}

func (w *writing) audio(p wireio.Located, format string) {
	if p.Media.Name != "" {
		w.Log.Add(features.UserFile, p.Field+".media.name")
	}
	w.Text("type", inAudio)
	w.KeyObject(inAudio)
	w.Text("data", p.Media.Data)
	w.Text("format", format)
	w.EndWith(p.Extras, inAudio)
}

// urlOf returns the URL of an image or a file: a data URL, if it has data.
func urlOf(m *chat.Media) string {
	if m.Data == "" {
		return m.URL
	}
	return wireio.DataURL(m.Type, m.Data)
}
