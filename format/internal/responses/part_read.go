package responses

import (
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/rawjson"
)

// content reads the content of a message or the output of a tool: a text, or a
// list of parts.
func (r *reading) content(v rawjson.Value, path string) []chat.Part {
	return r.Content(v, path, r.part)
}

// part reads a part of a content; not ok is one with nothing in it.
func (r *reading) part(v rawjson.Value, path string) (part chat.Part, ok bool) {
	switch kind := v.Get("type"); {
	case v.Kind != rawjson.Object:
		return chat.Part{}, false
	case kind.Is("input_text"), kind.Is("output_text"), kind.Is("text"):
		return r.text(v, chat.PartText, "text", path)
	case kind.Is("refusal"):
		return r.text(v, chat.PartRefusal, "refusal", path)
	case kind.Is("input_image"):
		return r.image(v, path), true
	case kind.Is("input_file"):
		return r.file(v, path), true
	}
	keep := r.Keeper()
	keep.Rest("", v)
	return chat.Part{Extras: keep.Extras}, len(keep.Extras) > 0
}

func (r *reading) text(v rawjson.Value, kind chat.PartKind, member, path string) (part chat.Part, ok bool) {
	part.Kind = kind
	keep := r.Keeper()
	list := func(key []byte, v rawjson.Value) {
		if v.Kind != rawjson.Array || !v.IsEmpty() {
			keep.Keep("", key, v)
		}
	}
	r.Members(v, path, &keep, "", "type", nil, member, &part.Text, "annotations", list, "logprobs", list)
	part.Extras = keep.Extras
	return part, part.Text != "" || len(part.Extras) > 0
}

func (r *reading) image(v rawjson.Value, path string) chat.Part {
	m := new(chat.Media)
	keep := r.Keeper()
	r.Members(v, path, &keep, "", "type", nil, "image_url", &m.URL, "file_id", &m.ID,
		"detail", func(key []byte, detail rawjson.Value) {
			if !detail.Is("auto") {
				keep.KeepSet("", key, detail)
			}
		})
	if kind, data, ok := dataURL(m.URL); ok {
		m.Type, m.Data, m.URL = kind, data, ""
	}
	return chat.Part{Kind: chat.PartImage, Media: m, Extras: keep.Extras}
}

func (r *reading) file(v rawjson.Value, path string) chat.Part {
	m := new(chat.Media)
	keep := r.Keeper()
	r.Members(v, path, &keep, "", "type", nil, "file_data", &m.Data, "filename", &m.Name, "file_id", &m.ID, "file_url", &m.URL)
	if kind, data, ok := dataURL(m.Data); ok {
		m.Type, m.Data = kind, data
	} else if m.Data != "" {
		keep.Spell(asBare)
	}
	if m.Data != "" && m.Name == "" {
		keep.Spell(asUnnamed)
	}
	return chat.Part{Kind: chat.PartFile, Media: m, Extras: keep.Extras}
}

// dataURL takes a data URL apart, where it is base64 of a plain type.
func dataURL(url string) (kind, data string, ok bool) {
	rest, ok := strings.CutPrefix(url, "data:")
	if !ok {
		return "", "", false
	}
	kind, data, ok = strings.Cut(rest, ";base64,")
	return kind, data, ok && kind != "" && data != "" && !strings.ContainsAny(kind, ",;")
}
