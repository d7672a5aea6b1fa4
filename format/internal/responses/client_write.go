package responses

import (
	"encoding/json"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/features"
	"github.com/toolparse/toolparse/format/internal/frame"
	"github.com/toolparse/toolparse/format/internal/rawjson"
	"github.com/toolparse/toolparse/format/internal/wireio"
)

// clientCall writes a call as an item that asks the client for something. Not ok,
// with nothing written, is one whose arguments are no object: it is written as
// that of a function.
func (w *writing) clientCall(row *clientItem, p wireio.Located) (ok bool) {
	callID := w.ID(p.Call.ID, p.Field+".call.id")
	id := itemID(row.prefix, w.seed+callID, w.items)
	if !row.write(&w.Writer.Writer, id, callID, p.Call.Arguments, p.Extras) {
		w.Log.Add(features.BrokenArguments, p.Field+".call.arguments", "a function call")
		return false
	}
	w.items++
	w.Extras(p.Extras, "")
	w.EndObject()
	if given := p.Extras.Get(Wire, "", "id"); given != nil {
		id = textOf(string(given))
	}
	w.calls[callID] = written{answer: row.answer, row: row, itemID: id}
	return true
}

// answeredBy returns the call that a result is of, if it was read as the client's
// answer to an item that is not here.
func answeredBy(x chat.Extras) written {
	for i := range clientItems {
		if row := &clientItems[i]; x.Spells(Wire, row.answer) {
			return written{answer: row.answer, row: row}
		}
	}
	return written{answer: functionAnswer}
}

// clientResult writes the client's answer to what an item asks.
func (w *writing) clientResult(call written, id string, p wireio.Located) {
	row := call.row
	w.Object()
	w.Text("type", row.answer)
	if p.Extras.Spells(Wire, asItemID) && call.itemID != "" {
		id = call.itemID
	}
	w.Text(row.answersID, id)
	switch row.result {
	case asImage:
		w.screenshot(row, p)
	case asObject:
		v := jsonOf(w.answerText(row, p), row.wrap)
		for key, member := range v.Fields() {
			if name := string(key); name != "type" && name != row.answersID && p.Extras.Get(Wire, "", name) == nil {
				w.Member(name, member.JSON())
			}
		}
	case asJSON:
		w.Member(row.output, jsonOf(w.answerText(row, p), row.wrap).JSON())
	default:
		if text := w.answerText(row, p); text != "" || !row.verdict {
			w.KeyString(row.output, text)
		}
	}
	if row.verdict {
		status := "completed"
		if p.Result.IsError {
			status = "failed"
		}
		w.Text("status", status)
	}
	for _, f := range row.told {
		if p.Extras.Get(Wire, "", f.name) == nil {
			w.Member(f.name, json.RawMessage(f.value))
		}
	}
	w.Extras(p.Extras, "")
	w.EndObject()
}

// answerText returns the text of a result, and reports what is no text.
func (w *writing) answerText(row *clientItem, p wireio.Located) string {
	var b strings.Builder
	if p.Result.IsError && !row.verdict {
		w.Log.Add(features.ResultError, p.Field+".result.is_error")
		b.WriteString(errorMark)
	}
	for _, part := range w.Locate(p.Result.Parts, p.Field+".result") {
		if part.Kind == chat.PartText {
			b.WriteString(part.Text)
		} else {
			w.Log.Add(features.OtherPart, part.Field)
		}
	}
	return b.String()
}

// screenshot writes the image of a result.
func (w *writing) screenshot(row *clientItem, p wireio.Located) {
	var image *chat.Part
	for _, part := range w.Locate(p.Result.Parts, p.Field+".result") {
		if part.Kind == chat.PartImage && image == nil {
			image = &part.Part
		} else {
			w.Log.Add(features.OtherPart, part.Field)
		}
	}
	w.KeyObject(row.output)
	w.Text("type", "computer_screenshot")
	if image != nil && image.Media != nil {
		m := image.Media
		w.Text("file_id", m.ID)
		if m.Data != "" {
			w.Text("image_url", "data:"+m.Type+";base64,"+m.Data)
		} else {
			w.Text("image_url", m.URL)
		}
		w.Extras(image.Extras, "")
	}
	w.EndObject()
}

// jsonOf returns the JSON that a text is, if it is of the kind that wrap is, a
// list or an object; else wrap with the text in it.
func jsonOf(text, wrap string) rawjson.Value {
	v, err := rawjson.Parse(text)
	wrapped, _ := new(rawjson.Reader).Open(frame.Event{
		Data: []byte(strings.Replace(wrap, "%", string(rawjson.AppendQuoted(nil, text)), 1)),
	})
	if err == nil && v.Kind == wrapped.Kind {
		return v
	}
	return wrapped
}
