package responses

import (
	"cmp"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/features"
	"github.com/toolparse/toolparse/format/internal/wireio"
)

// fits reports whether there is anything of a text, an image, a file or a part
// of the wire's own to write.
func (w *writing) fits(p wireio.Located) bool {
	own := w.HasExtras(p.Extras, "")
	ok := false
	switch p.Kind {
	case chat.PartText, chat.PartRefusal:
		if p.Signature != "" {
			w.strayed(p)
		}
		if p.Text == "" && !own {
			return false
		}
		ok = true
	case chat.PartImage, chat.PartFile:
		ok = p.Media != nil
	case chat.PartOther:
		ok = own
	}
	if !ok {
		w.Log.Add(features.OtherPart, p.Field)
		return false
	}
	w.Log.Extras(p.Field, p.Extras)
	return true
}

// strayed reports a signature of what has none here.
func (w *writing) strayed(p wireio.Located) {
	feature := features.ForeignSignature
	if p.SignedBy == Wire {
		feature = features.Signature
	}
	w.Log.Add(feature, p.Field+".signature")
}

// content writes parts as a text where that says it all, else as a list.
func (w *writing) content(parts []wireio.Located) {
	if len(parts) == 0 {
		w.String("")
		return
	}
	if p := parts[0]; len(parts) == 1 && p.Kind == chat.PartText && !w.HasExtras(p.Extras, "") {
		w.String(p.Text)
		return
	}
	w.Array()
	for _, p := range parts {
		w.part(p)
	}
	w.EndArray()
}

// part writes a part of what the model is given.
func (w *writing) part(p wireio.Located) {
	if p.Kind == chat.PartImage || p.Kind == chat.PartFile {
		p = w.Media(p, takes)
	}
	w.Object()
	switch p.Kind {
	case chat.PartText:
		w.inputText(p.Text)
	case chat.PartRefusal:
		w.Log.Add(features.Refusal, p.Field, "a text")
		w.inputText(p.Text)
	case chat.PartImage:
		w.image(p)
	case chat.PartFile:
		w.file(p)
	}
	w.Extras(p.Extras, "")
	w.EndObject()
}

func (w *writing) inputText(text string) {
	w.Text("type", "input_text")
	w.KeyString("text", text)
}

func (w *writing) image(p wireio.Located) {
	w.Text("type", "input_image")
	if m := p.Media; m.Data != "" {
		w.Text("image_url", "data:"+imageType(m)+";base64,"+m.Data)
	} else {
		w.Text("image_url", m.URL)
	}
	w.Text("file_id", p.Media.ID)
	if p.Media.Name != "" {
		w.Log.Add(features.UserImage, p.Field+".media.name")
	}
	if p.Extras.Get(Wire, "", "detail") == nil {
		w.Text("detail", "auto")
	}
}

// imageType returns the type of an image, which its first bytes tell where its
// wire did not.
func imageType(m *chat.Media) string {
	if m.Type != "" {
		return m.Type
	}
	if kind := wireio.TypeOf(m.Data); strings.HasPrefix(kind, "image/") {
		return kind
	}
	return "image/png"
}

// takes reports whether there is a place for the type of an image or a file.
func takes(p chat.Part) bool { return p.Kind == chat.PartImage || !wireio.IsSound(p.Media.Type) }

func (w *writing) file(p wireio.Located) {
	w.Text("type", "input_file")
	if data := p.Media.Data; data != "" {
		switch {
		case p.Media.Type != "":
			data = "data:" + p.Media.Type + ";base64," + data
		case !p.Extras.Spells(Wire, asBare):
			data = "data:application/octet-stream;base64," + data
		}
		w.Text("file_data", data)
	}
	name := p.Media.Name
	if name == "" && p.Media.Data != "" && !p.Extras.Spells(Wire, asUnnamed) {
		name = wireio.FileName(cmp.Or(p.Media.Type, wireio.TypeOf(p.Media.Data)))
		w.Log.Add(features.MediaName, p.Field+".media.name", "named "+name)
	}
	w.Text("filename", name)
	w.Text("file_id", p.Media.ID)
	w.Text("file_url", p.Media.URL)
}
