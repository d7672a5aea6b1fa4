package carry

import (
	"encoding/json"

	"github.com/toolparse/toolparse/format/internal/jsonout"
	"github.com/toolparse/toolparse/format/internal/payload"
	"github.com/toolparse/toolparse/format/internal/schemaform"
)

// answerFormat is what an answer must be: any text, JSON, or JSON of a schema.
type answerFormat struct {
	kind   string // "text", "json_object" or "json_schema"
	schema json.RawMessage
	rest   payload.Value // an object with what else is said of the schema: its name, whether it is strict
}

// convertAnswerFormat makes the format of an answer that of another wire: Chat
// Completions have the schema and its name in an object of their own, Responses
// beside the type, Anthropic without a name, Gemini and Ollama the schema alone.
func convertAnswerFormat(from, to string, value json.RawMessage) (json.RawMessage, string, bool) {
	f, ok := readAnswerFormat(from, parse(value))
	if !ok || to == "gemini" && f.kind != "json_schema" {
		return nil, "", false
	}
	return f.write(to)
}

// convertAnswerType is convertAnswerFormat for Gemini's setting that has no schema.
func convertAnswerType(from, to string, value json.RawMessage) (json.RawMessage, string, bool) {
	f, ok := answerFormat{}, false
	if from != "gemini" {
		f, ok = readAnswerFormat(from, parse(value))
	} else if v := parse(value); v.Is("application/json") {
		f, ok = answerFormat{kind: "json_object"}, true
	} else if v.Is("text/plain") {
		return nil, "", true
	}
	switch {
	case !ok || f.kind == "json_schema":
		return nil, "", false
	case to != "gemini":
		return f.write(to)
	case f.kind == "text":
		return nil, "", true
	}
	return json.RawMessage(`"application/json"`), "", true
}

// fromGeminiSchema reads the schema of an answer in the form that only Gemini has.
func fromGeminiSchema(from, to string, value json.RawMessage) (json.RawMessage, string, bool) {
	if from != "gemini" || parse(value).Kind != payload.Object {
		return nil, "", false
	}
	return answerFormat{kind: "json_schema", schema: schemaform.FromGemini(value)}.write(to)
}

func readAnswerFormat(from string, v payload.Value) (f answerFormat, ok bool) {
	kind := v.Get("type")
	of := v // what holds the schema
	switch {
	case from == "gemini" && v.Kind == payload.Object, from == "ollama" && v.Kind == payload.Object:
		return answerFormat{kind: "json_schema", schema: v.JSON()}, true
	case from == "ollama" && v.Is("json"):
		return answerFormat{kind: "json_object"}, true
	case from == "gemini", from == "ollama":
		return f, false
	case kind.Is("text"), kind.Is("json_object"):
		return answerFormat{kind: string(kind.Raw)}, true
	case !kind.Is("json_schema"):
		return f, false
	case from == "openai":
		of = v.Get("json_schema")
	}
	schema := of.Get("schema")
	return answerFormat{kind: "json_schema", schema: schema.JSON(), rest: of}, of.Kind == payload.Object && (schema.Kind == payload.Object || from != "anthropic")
}

func (f answerFormat) write(to string) (json.RawMessage, string, bool) {
	hasSchema := parse(f.schema).Kind == payload.Object
	switch to {
	case "gemini", "ollama":
		switch {
		case f.kind == "json_schema" && hasSchema:
			return f.schema, "", true
		case f.kind == "json_object" && to == "ollama":
			return json.RawMessage(`"json"`), "", true
		}
		return nil, "", f.kind == "text"
	case "anthropic":
		if f.kind != "json_schema" || !hasSchema {
			return nil, "", f.kind == "text"
		}
		return json.RawMessage(`{"type":"json_schema","schema":` + string(f.schema) + `}`), "", true
	}
	var w jsonout.Writer
	w.Object()
	w.Text("type", f.kind)
	if f.kind == "json_schema" {
		if to == "openai" {
			w.Key("json_schema")
			w.Object()
		}
		if !f.rest.Get("name").IsSet() { // which these want
			w.Text("name", "answer")
		}
		for key, member := range f.rest.Fields() {
			if string(key) != "type" {
				w.Member(string(key), member.JSON())
			}
		}
		if !f.rest.Get("schema").IsSet() && f.schema != nil {
			w.Member("schema", f.schema)
		}
		if to == "openai" {
			w.EndObject()
		}
	}
	w.EndObject()
	return w.Out, "", true
}
