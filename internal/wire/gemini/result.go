package gemini

import (
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/internal/wire/wireio"
)

// inResult is the path of the extras of a functionResponse.
const inResult = "functionResponse"

func (r *reading) result(v rawjson.Value, path string, keep *unknown.Keeper) chat.Part {
	result := new(chat.Result)
	var media []chat.Part
	r.Members(v, path, keep, inResult, "id", &result.CallID, "name", &result.Name,
		"response", func(v rawjson.Value) {
			var text string
			if text, result.IsError = r.output(r.Object(v, path, ".response")); text != "" {
				result.Parts = []chat.Part{chat.TextPart(text)}
			}
		},
		"parts", func(v rawjson.Value) { media = r.parts(v, path+".parts") })
	if len(media) > 0 {
		result.Parts = append(result.Parts, media...)
	}
	return chat.Part{Kind: chat.PartResult, Result: result}
}

// output reads a tool's response: a text in "output" or "error", or else the whole
// object as JSON.
func (r *reading) output(v rawjson.Value) (text string, isError bool) {
	name, value, ok := v.Only()
	switch {
	case v.IsEmpty():
		return "", false
	case ok && isReserved(name, value):
		isError = name == "error"
		if value.Kind == rawjson.String {
			return r.Texts.Whole(value), isError
		}
		return string(value.Raw), isError
	}
	return string(v.Raw), false
}

// isReserved reports whether the only member of a response is one with a meaning.
func isReserved(name string, v rawjson.Value) bool {
	switch name {
	case "output":
		return v.Kind == rawjson.String
	case "error":
		return v.Kind == rawjson.String || v.Kind == rawjson.Object || v.Kind == rawjson.Array
	}
	return false
}

// output writes a tool's response so that reading it gives the same.
func (w *writing) output(text string, isError bool) {
	v, err := rawjson.Parse(text)
	isWhole := err == nil && len(v.Raw) == len(text) && (v.Kind == rawjson.Object || v.Kind == rawjson.Array)
	if !isError && isWhole && v.Kind == rawjson.Object && !isSpecial(v) {
		w.Raw(v.Raw)
		return
	}
	w.Object()
	switch {
	case isError && isWhole:
		w.Member("error", v.Raw)
	case isError:
		w.KeyString("error", text)
	default:
		w.KeyString("output", text)
	}
	w.EndObject()
}

// isSpecial reports whether an object would not be read as a whole.
func isSpecial(v rawjson.Value) bool {
	name, value, ok := v.Only()
	return v.IsEmpty() || ok && isReserved(name, value)
}

// result writes a functionResponse, and returns the media that it cannot contain.
func (w *writing) result(p wireio.Located) (rest []wireio.Located) {
	field := p.Field
	var texts []string
	var media []wireio.Located
	late := false
	for _, inner := range w.fit(nil, wireio.Locate(p.Result.Parts, field+".result.parts"), inResponse) {
		if inner.Kind == chat.PartText {
			texts = append(texts, inner.Text)
			late = late || len(media) > 0
		} else {
			media = append(media, inner)
		}
	}
	if len(texts) > 1 {
		w.Log.Add(features.PartOrder, field+".result.parts", "its texts are joined by line feeds")
	}
	if late {
		w.Log.Add(features.PartOrder, field+".result.parts", "its text comes first")
	}
	w.Object()
	w.KeyObject("functionResponse")
	w.Text("id", w.ID(w.generated.Visible(p.Result.CallID), field+".result.call_id"))
	w.Text("name", w.Name(p.Result.Name, field+".result.name"))
	w.Key("response")
	w.output(strings.Join(texts, "\n"), p.Result.IsError)
	if len(media) > 0 {
		if isBefore3(w.model) {
			rest = w.outside(media, p.Part)
		} else {
			w.KeyArray("parts")
			for _, c := range media {
				w.part(c)
			}
			w.EndArray()
		}
	}
	w.EndWith(p.Extras, inResult)
	w.EndWith(p.Extras, "")
	return rest
}

// outside returns the media of a result as parts of a user message, for models that do
// not read them in results.
func (w *writing) outside(media []wireio.Located, p chat.Part) []wireio.Located {
	var rest []wireio.Located
	for _, c := range media {
		w.Log.Add(features.OfMedia(c.Kind, features.ResultImage, features.ResultFile), c.Field, "sent as a user message after the results: this model reads no media in results")
		name := chat.TextPart("[" + c.Kind.String() + " of the result of " + p.Result.Name + "]")
		rest = append(rest, wireio.Located{Part: name, Field: c.Field}, c)
	}
	return rest
}
