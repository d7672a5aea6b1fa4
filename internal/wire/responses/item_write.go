package responses

import (
	"cmp"
	"slices"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/customtool"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/wireio"
)

// history writes messages as items, except those that have been written.
func (w *writing) history(messages []chat.Message, written int) {
	for i := written; i < len(messages); i++ {
		m, field := messages[i], wireio.At("messages", i)
		w.Log.ReportExtras(field, m.Extras)
		switch {
		case m.Role == chat.Assistant:
			w.assistant(m, field)
		case m.Role == chat.ToolRole || isRole(m.Role) || wire.UsesName(m.Extras, Wire, asRole):
			w.message(m, field)
		default:
			w.Log.Add(features.OtherRole, field)
		}
	}
}

// message writes a message of anyone except the model. Results in it become items of
// their own.
func (w *writing) message(m chat.Message, field string) {
	var content []wireio.Located
	written := false
	flush := func() {
		if len(content) > 0 {
			w.messageItem(m, content)
			content, written = nil, true
		}
	}
	for _, p := range w.Locate(m.Parts, field) {
		switch {
		case p.Kind == chat.PartResult && p.Result != nil:
			flush()
			w.result(p)
			written = true
		case m.Role == chat.ToolRole:
			w.Log.Add(features.OtherPart, p.Field)
		case w.fits(p):
			content = append(content, p)
		}
	}
	switch flush(); {
	case written || m.Role == chat.ToolRole:
	case len(m.Parts) > 0:
		w.Log.Add(features.EmptyMessage, field, "left out")
	default:
		w.messageItem(m, nil)
	}
}

func (w *writing) messageItem(m chat.Message, content []wireio.Located) {
	w.Object()
	w.Text("type", "message")
	w.KeyString("role", string(m.Role))
	w.Key("content")
	w.content(content)
	w.EndWith(m.Extras, "")
}

// assistant writes a message of the model in order: texts as message items, everything
// else as an item of its own.
func (w *writing) assistant(m chat.Message, field string) {
	parts := w.Locate(m.Parts, field)
	var spoken []wireio.Located
	flush := func() {
		if len(spoken) > 0 {
			w.messageParts(spoken)
			spoken = nil
		}
	}
	for i := 0; i < len(parts); i++ {
		p := parts[i]
		switch {
		case p.Kind == chat.PartReasoning:
			flush()
			first := i
			for i+1 < len(parts) && goesOn(parts[i+1].Part) {
				i++
			}
			w.reasoning(parts[first : i+1])
		case p.Kind == chat.PartCall && p.Call != nil:
			flush()
			w.call(p)
		case p.Kind == chat.PartOther && w.HasExtras(p.Extras, inItem) && !w.HasExtras(p.Extras, ""): // otherwise it begins a message
			flush()
			w.state = true // such as a reference to an item
			w.Object()
			w.EndWith(p.Extras, inItem)
		case p.Kind == chat.PartImage, p.Kind == chat.PartFile:
			w.Log.Add(features.OfMedia(p.Kind, features.UserImage, features.UserFile), p.Field)
		case w.fits(p):
			if w.HasExtras(p.Extras, inItem) || wire.UsesName(p.Extras, Wire, nextItem) {
				flush()
			}
			spoken = append(spoken, p)
		}
	}
	if flush(); len(m.Parts) == 0 && !w.answer {
		w.messageItem(chat.Message{Role: m.Role}, nil)
	}
}

// goesOn reports whether reasoning belongs to the item of the reasoning before it.
func goesOn(p chat.Part) bool {
	return p.Kind == chat.PartReasoning && wire.UsesName(p.Extras, Wire, nextPart)
}

// messageParts writes a message item of the model. One with an id is written as the server wrote
// it.
func (w *writing) messageParts(parts []wireio.Located) {
	x := parts[0].Extras
	asAnswer := w.answer || x.Get(Wire, inItem, "id") != nil
	w.Object()
	if w.answer {
		w.id("msg_", x, inItem)
	}
	w.Text("type", "message")
	w.Text("role", string(chat.Assistant))
	if asAnswer && x.Get(Wire, inItem, "status") == nil {
		w.Text("status", "completed")
	}
	w.Key("content")
	if p := parts[0]; !asAnswer && len(parts) == 1 && p.Kind == chat.PartText && !w.HasExtras(p.Extras, "") {
		w.String(p.Text)
	} else {
		w.Array()
		for _, p := range parts {
			w.saidPart(p.Part)
		}
		w.EndArray()
	}
	w.EndWith(x, inItem)
}

func (w *writing) saidPart(p chat.Part) {
	w.Object()
	switch p.Kind {
	case chat.PartText:
		w.Text("type", "output_text")
		w.KeyString("text", p.Text)
		if p.Extras.Get(Wire, "", "annotations") == nil {
			w.Member("annotations", []byte("[]"))
		}
	case chat.PartRefusal:
		w.Text("type", "refusal")
		w.KeyString("refusal", p.Text)
	}
	w.EndWith(p.Extras, "")
}

// id writes the id of an item in an answer, where it is required.
func (w *writing) id(prefix string, x chat.Extras, in string) {
	if x.Get(Wire, in, "id") == nil {
		w.Text("id", itemID(prefix, w.seed, w.items))
		w.items++
	}
}

func (w *writing) call(p wireio.Located) {
	w.Log.ReportExtras(p.Field, p.Extras)
	if p.Signature != "" {
		w.ReportSignature(p)
	}
	if row := clientItemNamed(p.Call.Native); row != nil && w.clientCall(row, p) {
		return
	}
	shape := &itemShapes[functionItem]
	if p.Call.Custom {
		shape = &itemShapes[customItem]
	}
	id := w.ID(p.Call.ID, p.Field+".call.id")
	w.calls[id] = written{answer: shape.answer, name: ownName(p.Call.Name, p.Call.Native)}
	w.Object()
	if w.answer {
		w.id(shape.prefix, p.Extras, "")
	}
	w.Text("type", shape.kind)
	w.KeyString("call_id", id)
	w.named(p.Call.Name, p.Call.Native, p.Field+".call.name", p.Extras)
	w.Key(shape.member)
	if p.Call.Custom {
		w.customInput(p.Call, p.Field)
	} else {
		w.String(wireio.TextArguments(p.Call))
	}
	if w.answer && p.Extras.Get(Wire, "", "status") == nil {
		status := "completed"
		if p.Call.Cut || w.cut && !wireio.IsJSON(p.Call.Arguments) {
			status = "incomplete"
		}
		w.Text("status", status)
	}
	w.EndWith(p.Extras, "")
}

// named writes a name and its namespace.
func (w *writing) named(name string, n chat.Native, field string, x chat.Extras) {
	if n.Wire == Wire && x.Get(Wire, "", "namespace") == nil {
		w.Text("namespace", n.Namespace)
	}
	w.Text("name", w.Name(ownName(name, n), field))
}

// customInput writes the input of a custom tool's call: the only argument, or all
// arguments.
func (w *writing) customInput(call *chat.Call, field string) {
	if input, ok := customtool.InputOf(call); ok {
		w.Raw(input)
		return
	}
	w.Log.Add(features.BrokenArguments, field+".call.arguments", "the whole text becomes the input")
	w.String(call.Arguments)
}

// result writes the result of a call. Servers reject it without the call, unless they
// remember that.
func (w *writing) result(p wireio.Located) {
	w.Log.ReportExtras(p.Field, p.Extras)
	id := w.ID(p.Result.CallID, p.Field+".result.call_id")
	call, known := w.calls[id]
	switch {
	case !known && !w.state:
		w.strayResult(p)
		return
	case !known && wire.UsesName(p.Extras, Wire, asCustom):
		call.answer = customAnswer
	case !known:
		call = answeredBy(p.Extras)
	}
	if call.row != nil && !wire.UsesName(p.Extras, Wire, functionAnswer) {
		w.clientResult(call, id, p)
		return
	}
	kind := call.answer
	if call.row != nil {
		kind = functionAnswer
	}
	w.Object()
	w.Text("type", kind)
	w.KeyString("call_id", id)
	if wire.UsesName(p.Extras, Wire, asName) {
		name := cmp.Or(call.name, p.Result.Name)
		if namespace := p.Extras.Get(Wire, "", "namespace"); namespace != nil && !known {
			name = wireio.BareName(textOf(string(namespace)), name)
		}
		w.Text("name", w.Name(name, p.Field+".result.name"))
	}
	w.Key("output")
	w.content(w.output(p))
	w.EndWith(p.Extras, "")
}

// output returns the parts of a result.
func (w *writing) output(result wireio.Located) []wireio.Located {
	r := result.Result
	if r.IsError {
		w.Log.Add(features.ResultError, result.Field+".result.is_error")
	}
	parts := slices.DeleteFunc(w.Locate(r.Parts, result.Field+".result"), w.lacks)
	if r.IsError {
		parts = wireio.AddErrorMark(parts)
	}
	return parts
}

// strayResult writes the content of a result without a call as user text.
func (w *writing) strayResult(p wireio.Located) {
	w.Log.Add(features.ResultWithoutCall, p.Field)
	w.messageItem(chat.Message{Role: chat.User}, slices.DeleteFunc(w.ResultAsText(p, "the call "+p.Result.CallID), w.lacks))
}

// lacks is the opposite of fits.
func (w *writing) lacks(p wireio.Located) bool { return !w.fits(p) }

// fits reports whether a text, an image, a file or another part of this wire can be
// written.
func (w *writing) fits(p wireio.Located) bool {
	hasExtras := w.HasExtras(p.Extras, "")
	ok := false
	switch p.Kind {
	case chat.PartText, chat.PartRefusal:
		if p.Signature != "" {
			w.ReportSignature(p)
		}
		if p.Text == "" && !hasExtras {
			return false
		}
		ok = true
	case chat.PartImage, chat.PartFile:
		ok = p.Media != nil
	case chat.PartOther:
		ok = hasExtras
	}
	if !ok {
		w.Log.Add(features.OtherPart, p.Field)
		return false
	}
	w.Log.ReportExtras(p.Field, p.Extras)
	return true
}

// content writes parts as a text, if that is possible without loss, or else as a list.
func (w *writing) content(parts []wireio.Located) {
	w.Content(parts, false, w.part)
}

// part writes a part of a request.
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
	w.EndWith(p.Extras, "")
}

func (w *writing) inputText(text string) {
	w.Text("type", "input_text")
	w.KeyString("text", text)
}

func (w *writing) image(p wireio.Located) {
	w.Text("type", "input_image")
	if m := p.Media; m.Data != "" {
		w.Text("image_url", wireio.DataURL(wireio.TypeOf(p.Part), m.Data))
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

// takes reports whether the wire accepts the type of an image or a file.
func takes(p chat.Part) bool { return p.Kind == chat.PartImage || !wireio.IsAudioOrVideo(p.Media.Type) }

func (w *writing) file(p wireio.Located) {
	w.Text("type", "input_file")
	data := p.Media.Data
	if data != "" && (p.Media.Type != "" || !wire.UsesName(p.Extras, Wire, asBare)) {
		data = wireio.DataURL(p.Media.Type, data)
	}
	w.Text("file_data", data)
	w.Text("filename", w.FileName(p, asUnnamed))
	w.Text("file_id", p.Media.ID)
	w.Text("file_url", p.Media.URL)
}
