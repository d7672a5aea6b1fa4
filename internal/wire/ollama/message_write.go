package ollama

import (
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/wireio"
)

// reply is the content of a message, sorted by the members of the wire.
type reply struct {
	texts, thinking, images []string
	calls                   []wireio.Located
	last                    place // of the last part
}

func (s reply) isEmpty() bool {
	return len(s.texts) == 0 && len(s.thinking) == 0 && len(s.images) == 0 && len(s.calls) == 0
}

// place is a place for parts, in the order in which decoders read them.
type place uint8

const (
	inThinking place = iota
	inText
	inImages
	inCalls
)

// message writes a message. Results in it become messages of their own, before it.
func (w *writing) message(m chat.Message, field string) {
	w.Log.ReportExtras(field, m.Extras)
	extras := m.Extras
	results := 0
	var rest []wireio.Located
	for _, c := range w.Locate(m.Parts, field) {
		switch {
		case c.Kind != chat.PartResult:
			rest = append(rest, c)
		case c.Result == nil:
			w.Log.Add(features.OtherPart, c.Field)
		default:
			w.result(c, extras)
			extras = nil // only a message with one result has extras
			results++
		}
	}
	if results > 0 && len(rest) == 0 {
		return
	}
	role := m.Role
	switch {
	case role == chat.Developer:
		w.Log.Add(features.DeveloperRole, field+".role")
		role = chat.System
	case role == chat.ToolRole && results > 0: // anything else would be read as a result
		for _, c := range rest {
			w.Log.Add(features.OtherPart, c.Field)
		}
		return
	}
	content := w.sort(rest, field, role)
	if len(rest) > 0 && content.isEmpty() {
		if results == 0 {
			w.Log.Add(features.EmptyMessage, field, "left out")
		}
		return
	}
	w.Object()
	w.KeyString("role", string(role))
	w.writeContent(content)
	w.EndWith(extras, "")
}

// sort sorts the parts of a message, and reports what the wire cannot express.
func (w *writing) sort(parts []wireio.Located, field string, role chat.Role) reply {
	var s reply
	disordered := false
	for _, c := range parts {
		to, ok := w.add(&s, c)
		if !ok {
			continue
		}
		w.Log.ReportExtras(c.Field, c.Extras)
		disordered = disordered || to < s.last
		s.last = to
		if c.Signature != "" {
			w.Log.Add(features.Signature, c.Field+".signature")
		}
	}
	switch {
	case disordered:
		w.Log.Add(features.PartOrder, field+".parts")
	case len(s.texts) > 1 && role == chat.Assistant || len(s.thinking) > 1:
		w.Log.Add(features.PartOrder, field+".parts", "joined")
	}
	if len(s.texts) > 1 && role != chat.Assistant {
		w.Log.Add(features.PartOrder, field+".parts", "its texts are joined by line feeds")
		s.texts = []string{strings.Join(s.texts, "\n")}
	}
	return s
}

// add adds a part, and returns its place.
func (w *writing) add(s *reply, c wireio.Located) (place, bool) {
	switch c.Kind {
	case chat.PartText:
		s.texts = append(s.texts, c.Text)
		return inText, true
	case chat.PartRefusal:
		w.Log.Add(features.Refusal, c.Field)
		s.texts = append(s.texts, c.Text)
		return inText, true
	case chat.PartReasoning:
		if c.Redacted != "" {
			w.Log.Add(features.Redacted, c.Field+".redacted")
		}
		if c.Text != "" {
			s.thinking = append(s.thinking, c.Text)
		}
		return inThinking, c.Text != ""
	case chat.PartImage, chat.PartFile:
		data, text := w.media(c, features.UserImage, features.UserFile)
		if data != "" {
			s.images = append(s.images, data)
			return inImages, true
		}
		if text != "" {
			s.texts = append(s.texts, text)
		}
		return inText, text != ""
	case chat.PartCall:
		if c.Call != nil {
			s.calls = append(s.calls, c)
			return inCalls, true
		}
	}
	w.Log.Add(features.OtherPart, c.Field)
	return 0, false
}

// writeContent writes the content of a message into its object.
func (w *writing) writeContent(s reply) {
	w.KeyString("content", strings.Join(s.texts, ""))
	w.Text("thinking", strings.Join(s.thinking, ""))
	w.Strings("images", s.images)
	if len(s.calls) > 0 {
		w.KeyArray("tool_calls")
		for i, c := range s.calls {
			w.call(c, i)
		}
		w.EndArray()
	}
}

func (w *writing) call(c wireio.Located, index int) {
	if c.Call.Custom {
		w.Log.Add(features.CustomTool, c.Field+".call.custom", features.CustomCall)
	}
	w.Object()
	w.Text("id", w.ID(w.generated.Visible(c.Call.ID), c.Field+".call.id"))
	if wire.UsesName(c.Extras, Wire, "type") {
		w.Text("type", "function")
	}
	w.KeyObject(inFunction)
	w.KeyInt("index", int64(index))
	w.KeyString("name", w.Name(c.Call.Name, c.Field+".call.name"))
	w.Key("arguments")
	w.ObjectArguments(c.Call.Arguments, c.Field+".call.arguments")
	w.EndWith(c.Extras, inFunction)
	w.EndWith(c.Extras, "")
}

// result writes a result as a message.
func (w *writing) result(c wireio.Located, extras chat.Extras) {
	w.Log.ReportExtras(c.Field, c.Extras)
	var texts, images []string
	late := false
	for _, inner := range w.Locate(c.Result.Parts, c.Field+".result") {
		switch inner.Kind {
		case chat.PartText, chat.PartRefusal:
			texts = append(texts, inner.Text)
			late = late || len(images) > 0
		case chat.PartImage, chat.PartFile:
			data, text := w.media(inner, features.ResultImage, features.ResultFile)
			if data != "" {
				images = append(images, data)
			}
			if text != "" {
				texts = append(texts, text)
			}
		default:
			w.Log.Add(features.OtherPart, inner.Field)
			continue
		}
		w.Log.ReportExtras(inner.Field, inner.Extras)
	}
	switch {
	case len(texts) > 1:
		w.Log.Add(features.PartOrder, c.Field+".result.parts", "its texts are joined by line feeds")
	case late:
		w.Log.Add(features.PartOrder, c.Field+".result.parts", "its text comes first")
	}
	text := strings.Join(texts, "\n")
	if c.Result.IsError {
		if !wire.UsesName(extras, Wire, wireio.ErrorMark) {
			w.Log.Add(features.ResultError, c.Field+".result.is_error")
		}
		text = wireio.ErrorMark + text
	}
	w.Object()
	w.Text("role", string(chat.ToolRole))
	w.KeyString("content", text)
	w.Strings("images", images)
	name := "tool_name"
	if wire.UsesName(extras, Wire, "name") {
		name = "name"
	}
	if c.Result.Name != "" {
		w.Text(name, w.Name(c.Result.Name, c.Field+".result.name"))
	}
	w.Text("tool_call_id", w.ID(w.generated.Visible(c.Result.CallID), c.Field+".result.call_id"))
	w.EndWith(extras, "")
}

// media returns the data of an image, or the text that replaces what the wire cannot
// express. image and file are the features of a loss.
func (w *writing) media(c wireio.Located, image, file features.Feature) (data, text string) {
	m := c.Media
	if m == nil || m.Data == "" && m.URL == "" && m.ID == "" {
		w.Log.Add(features.OtherPart, c.Field)
		return "", ""
	}
	named := wireio.MediaPlaceholder(c.Part)
	switch {
	case c.Kind == chat.PartFile:
		w.Log.Add(file, c.Field)
		return "", named
	case m.Data == "" && m.URL != "":
		w.Log.Add(features.MediaURL, c.Field)
		return "", named
	case m.Data == "":
		w.Log.Add(features.MediaID, c.Field)
		return "", named
	case !wireio.IsBase64(m.Data): // servers and clients fail at it
		w.Log.Add(image, c.Field, "a text names it: its data is not base64")
		return "", named
	}
	if m.Name != "" {
		w.Log.Add(image, c.Field+".media.name", "left out")
	}
	if m.Type != "" && m.Type != wireio.MediaTypeOf(m.Data) {
		w.Log.Add(image, c.Field+".media.type", "left out: the server detects it from the first bytes")
	}
	return m.Data, ""
}
