package ollama

import (
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/wireio"
)

// message reads a message of a request or an answer. Its parts are in a fixed order,
// because the wire has none.
func (r *reading) message(v rawjson.Value, path string) chat.Message {
	keep := r.Keeper()
	m := chat.Message{Role: chat.Role(strings.ToLower(r.Text(v.Get("role"), path, ".role")))}
	result := new(chat.Result)
	var thinking, content string
	var images, calls []chat.Part
	readImages := func(v rawjson.Value) { images = r.images(v, path+".images") }
	isResult := m.Role == chat.ToolRole
	if isResult {
		r.Members(v, path, &keep, "", "role", nil, "content", &content, "images", readImages,
			"tool_call_id", &result.CallID, "tool_name", &result.Name,
			"name", func(v rawjson.Value) { // clients wrote it before there was tool_name
				if result.Name == "" && v.Kind == rawjson.String {
					result.Name = r.Texts.Whole(v)
					keep.NoteName("name")
				} else {
					keep.Keep("", []byte("name"), v)
				}
			})
	} else {
		r.Members(v, path, &keep, "", "role", nil, "content", &content, "images", readImages,
			"thinking", &thinking, "tool_calls", func(v rawjson.Value) { calls = r.calls(v, path+".tool_calls") })
	}
	if isResult {
		if content, result.IsError = strings.CutPrefix(content, wireio.ErrorMark); result.IsError {
			keep.NoteName(wireio.ErrorMark)
		}
	}
	if thinking != "" {
		m.Parts = append(m.Parts, chat.Part{Kind: chat.PartReasoning, Text: thinking})
	}
	if content != "" {
		m.Parts = append(m.Parts, chat.TextPart(content))
	}
	m.Parts = append(append(m.Parts, images...), calls...)
	if isResult {
		result.Parts = m.Parts
		m.Parts = []chat.Part{{Kind: chat.PartResult, Result: result}}
	}
	m.Extras = keep.Extras
	return m
}

// generated reads the message in a line of /api/generate.
func (r *reading) generated(line rawjson.Value) chat.Message {
	m := chat.Message{Role: chat.Assistant}
	if thinking := r.Text(line.Get("thinking"), "thinking"); thinking != "" {
		m.Parts = append(m.Parts, chat.Part{Kind: chat.PartReasoning, Text: thinking})
	}
	if text := r.Text(line.Get("response"), "response"); text != "" {
		m.Parts = append(m.Parts, chat.TextPart(text))
	}
	m.Parts = append(m.Parts, r.calls(line.Get("tool_calls"), "tool_calls")...)
	return m
}

// images reads images, whose first bytes show the media type.
func (r *reading) images(v rawjson.Value, path string) []chat.Part {
	var parts []chat.Part
	for item := range r.Array(v, path).Items() {
		data := r.Text(item, path, "[]")
		if data == "" {
			continue
		}
		parts = append(parts, chat.Part{Kind: chat.PartImage, Media: &chat.Media{Type: wireio.MediaTypeOf(data), Data: data}})
	}
	return parts
}

func (r *reading) calls(v rawjson.Value, path string) []chat.Part {
	var parts []chat.Part
	for item := range r.Array(v, path).Items() {
		if item = r.Object(item, path, "[]"); item.IsSet() || !r.IsAnswer {
			parts = append(parts, r.call(item, path+"[]"))
		}
	}
	return parts
}

func (r *reading) call(v rawjson.Value, path string) chat.Part {
	keep := r.Keeper()
	part := chat.CallPart("", "", "{}")
	r.Members(v, path, &keep, "",
		"id", func(id rawjson.Value) { part.Call.ID = r.Texts.Name(r.Label(id, path, ".id")) },
		inFunction, func(function rawjson.Value) { // its index is that in the list
			r.Members(r.Object(function, path, ".function"), path+".function", &keep, inFunction, "index", nil, "name", &part.Call.Name,
				"arguments", func(v rawjson.Value) { part.Call.Arguments = r.ObjectArguments(v) })
		},
		"type", func(kind rawjson.Value) bool {
			if kind.Is("function") {
				keep.NoteName("type")
			}
			return kind.Is("function")
		})
	if part.Call.Name == "" && !r.IsAnswer { // encoders leave out a call without a name
		r.Missing(v, path, ".function.name")
	}
	part.Extras = keep.Extras
	return part
}
