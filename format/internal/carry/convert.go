package carry

import (
	"encoding/json"

	"github.com/toolparse/toolparse/format/frame"
	"github.com/toolparse/toolparse/format/internal/jsonout"
	"github.com/toolparse/toolparse/format/internal/payload"
)

// convertAnswerFormat makes the format of an answer, a JSON object or one of a
// schema, that of another wire: Chat Completions have the schema and its name in
// an object of their own, Responses beside the type, Ollama nothing else.
func convertAnswerFormat(from, to string, value json.RawMessage) (json.RawMessage, bool) {
	v := parse(value)
	kind := v.Get("type")
	of := v // what holds the schema
	switch {
	case from == "ollama":
		return formatOfSchema(to, v)
	case kind.Is("json_schema") && from == "openai":
		if of = v.Get("json_schema"); of.Kind != payload.Object {
			return nil, false
		}
	case kind.Is("json_schema"), kind.Is("json_object"), kind.Is("text"):
	default:
		return nil, false
	}
	if to == "ollama" {
		switch schema := of.Get("schema"); {
		case kind.Is("json_object"):
			return json.RawMessage(`"json"`), true
		case kind.Is("json_schema") && schema.Kind == payload.Object:
			return schema.JSON(), true
		}
		return nil, false
	}
	if !kind.Is("json_schema") {
		return value, true
	}
	return regroup(v, of, to == "openai", "json_schema"), true
}

// formatOfSchema makes the format of an Ollama request, a schema or a word, that
// of another wire. The schema has no name, which the others want.
func formatOfSchema(to string, v payload.Value) (json.RawMessage, bool) {
	switch {
	case v.Is("json"):
		return json.RawMessage(`{"type":"json_object"}`), true
	case v.Kind != payload.Object:
		return nil, false
	case to == "openai":
		return json.RawMessage(`{"type":"json_schema","json_schema":{"name":"answer","schema":` + string(v.Raw) + `}}`), true
	}
	return json.RawMessage(`{"type":"json_schema","name":"answer","schema":` + string(v.Raw) + `}`), true
}

// convertGrammar makes the format of a custom tool's input that of another wire:
// Chat Completions have the grammar in an object of its own.
func convertGrammar(from, to string, value json.RawMessage) (json.RawMessage, bool) {
	v := parse(value)
	of := v
	switch kind := v.Get("type"); {
	case kind.Is("text"):
		return value, true
	case !kind.Is("grammar"):
		return nil, false
	case from == "openai":
		if of = v.Get("grammar"); of.Kind != payload.Object {
			return nil, false
		}
	}
	return regroup(v, of, to == "openai", "grammar"), true
}

// regroup writes an object anew: its type, and the members of of, beside it or
// in an object named so.
func regroup(v, of payload.Value, group bool, name string) json.RawMessage {
	var w jsonout.Writer
	w.Object()
	w.Member("type", v.Get("type").JSON())
	if group {
		w.Key(name)
		w.Object()
	}
	for key, member := range of.Fields() {
		if string(key) != "type" {
			w.Member(string(key), member.JSON())
		}
	}
	if group {
		w.EndObject()
	}
	w.EndObject()
	return w.Out
}

// parse returns the value that JSON is, an absent one where it is none.
func parse(value json.RawMessage) payload.Value {
	v, err := new(payload.Reader).Open(frame.Event{Data: value})
	if err != nil {
		return payload.Value{}
	}
	return v
}
