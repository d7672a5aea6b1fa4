package wireio

import (
	"cmp"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/features"
)

// Media returns an image or file unchanged if the wire accepts it, or else a text that
// names it, which it reports. takes reports whether the wire accepts its type.
func (w *Writer) Media(p Located, takes func(chat.Part) bool) Located {
	switch {
	case p.Media.Data == "" && onlyGoogleHas(p.Media.URL):
		w.Log.Add(features.MediaGoogle, p.Field)
	case p.Media.Data == "" && p.Media.URL == "" && !w.stores(p.Media):
		w.Log.Add(features.ForeignMediaID, p.Field)
	case !takes(p.Part):
		w.Log.Add(features.MediaType, p.Field)
	default:
		if !w.stores(p.Media) {
			w.Log.Add(features.ForeignMediaID, p.Field+".media.id", "left out")
			m := *p.Media
			m.ID, p.Media = "", &m
		}
		return p
	}
	p.Part = chat.Part{Kind: chat.PartText, Text: MediaPlaceholder(p.Part), Extras: p.Extras}
	return p
}

// StoredBy returns the wire whose provider stores the file, if that has an id.
func StoredBy(m *chat.Media, wire string) string {
	if m.ID == "" {
		return ""
	}
	return wire
}

// stores reports whether the wire's provider has a file with an id.
func (w *Writer) stores(m *chat.Media) bool {
	return m.StoredBy == "" || features.TraitsOf(m.StoredBy).Files == features.TraitsOf(w.wire).Files
}

// MediaPlaceholder returns the text that replaces an image or a file that cannot be sent.
func MediaPlaceholder(p chat.Part) string {
	m := p.Media
	return "[" + strings.TrimSpace(p.Kind.String()+" "+cmp.Or(m.Name, m.URL, m.ID, m.Type)) + "]"
}

// FileName returns the name of a file. One with data needs a name, so that it gets one by
// its type, unless the mark says that its own wire had none.
func (w *Writer) FileName(p Located, mark string) string {
	if p.Media.Data == "" || p.Media.Name != "" || wire.UsesName(p.Extras, w.wire, mark) {
		return p.Media.Name
	}
	name := fileName(cmp.Or(p.Media.Type, MediaTypeOf(p.Media.Data)))
	w.Log.Add(features.MediaName, p.Field+".media.name", "named "+name)
	return name
}

func fileName(kind string) string {
	for _, known := range [...]struct{ kind, name string }{
		{"application/pdf", "file.pdf"}, {"application/json", "file.json"}, {"text/csv", "file.csv"}, {"text/html", "file.html"},
		{"text/markdown", "file.md"}, {"text/", "file.txt"},
	} {
		if strings.HasPrefix(kind, known.kind) {
			return known.name
		}
	}
	return "file"
}

// CutDataURL returns the media type and the data in a base64 data URL. ok is false for
// other URLs, and for types with parameters.
func CutDataURL(url string) (kind, data string, ok bool) {
	if url, ok = strings.CutPrefix(url, "data:"); !ok {
		return "", "", false
	}
	kind, data, ok = strings.Cut(url, ";base64,")
	return kind, data, ok && !strings.ContainsAny(kind, ",;")
}

// DataURL returns the data URL of base64 data.
func DataURL(kind, data string) string {
	return "data:" + cmp.Or(kind, "application/octet-stream") + ";base64," + data
}

// onlyGoogleHas reports whether only Google's models can fetch a URL.
func onlyGoogleHas(url string) bool {
	return strings.HasPrefix(url, "gs://") || strings.HasPrefix(url, "https://generativelanguage.googleapis.com/")
}

// IsAudioOrVideo reports whether a media type is audio or video.
func IsAudioOrVideo(kind string) bool {
	return strings.HasPrefix(kind, "audio/") || strings.HasPrefix(kind, "video/")
}

// MediaTypeOf returns the media type of base64 data by the first bytes, or "" if they do
// not show it.
func MediaTypeOf(data string) string {
	for _, known := range [...]struct{ begin, kind string }{
		{"iVBORw0KGgo", "image/png"}, {"/9j/", "image/jpeg"}, {"R0lGOD", "image/gif"}, {"UklGR", "image/webp"}, {"JVBERi", "application/pdf"},
	} {
		if strings.HasPrefix(data, known.begin) {
			return known.kind
		}
	}
	return ""
}

// TypeOf returns the media type of an image or a file with data. If its wire did not say,
// it is the type that the first bytes show, or else the most common one.
func TypeOf(p chat.Part) string {
	other := "application/pdf"
	if p.Kind == chat.PartImage {
		other = "image/png"
	}
	return cmp.Or(p.Media.Type, MediaTypeOf(p.Media.Data), other)
}

var standardAlphabet = strings.NewReplacer("-", "+", "_", "/")

// StandardBase64 returns base64 data of either alphabet in the standard one.
func StandardBase64(data string) string {
	if strings.IndexByte(data, '-') < 0 && strings.IndexByte(data, '_') < 0 {
		return data
	}
	return standardAlphabet.Replace(data)
}

// IsBase64 reports whether all clients can decode a text: standard alphabet with padding,
// and nothing else.
func IsBase64(s string) bool {
	if len(s)%4 != 0 {
		return false
	}
	for i := range len(s) {
		switch c := s[i]; {
		case c|0x20 >= 'a' && c|0x20 <= 'z', c >= '0' && c <= '9', c == '+', c == '/':
		case c == '=' && (i == len(s)-1 || i == len(s)-2 && s[i+1] == '='):
		default:
			return false
		}
	}
	return true
}
