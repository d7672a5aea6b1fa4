package features

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/jsonout"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/schemaform"
)

// answerFormat is the required format of an answer: any text, JSON, or JSON that fits a
// schema.
type answerFormat struct {
	kind   string // "text", "json_object" or "json_schema"
	schema json.RawMessage
	rest   rawjson.Value // an object with further members about the schema: its name, whether it is strict
}

// convertAnswerFormat converts the format of an answer to another wire.
func convertAnswerFormat(from, to string, value json.RawMessage) (json.RawMessage, string, bool) {
	f, ok := readAnswerFormat(from, value)
	if !ok {
		return nil, "", false
	}
	return f.write(to)
}

// convertAnswerType is convertAnswerFormat for wires with a setting for the MIME type,
// which has no schema.
func convertAnswerType(from, to string, value json.RawMessage) (json.RawMessage, string, bool) {
	f, ok := answerFormat{}, false
	if !wireOf(from).answer.mime {
		f, ok = readAnswerFormat(from, value)
	} else if v := parse(value); v.Is("application/json") {
		f, ok = answerFormat{kind: "json_object"}, true
	} else if v.Is("text/plain") {
		return nil, "", true
	}
	switch {
	case !ok || f.kind == "json_schema":
		return nil, "", false
	case !wireOf(to).answer.mime:
		return f.write(to)
	case f.kind == "text":
		return nil, "", true
	}
	return json.RawMessage(`"application/json"`), "", true
}

// fromGeminiSchema reads the schema of an answer in the form that only Gemini has.
func fromGeminiSchema(from, to string, value json.RawMessage) (json.RawMessage, string, bool) {
	if !wireOf(from).answer.mime || parse(value).Kind != rawjson.Object {
		return nil, "", false
	}
	return answerFormat{kind: "json_schema", schema: schemaform.FromGemini(value)}.write(to)
}

func readAnswerFormat(from string, value json.RawMessage) (f answerFormat, ok bool) {
	read := wireOf(from).answer.read
	if read == nil {
		return f, false
	}
	return read(parse(value))
}

func (f answerFormat) write(to string) (json.RawMessage, string, bool) {
	write := wireOf(to).answer.write
	if write == nil {
		return nil, "", false
	}
	note := ""
	if rules := wireOf(to).answer.rules; rules != nil && f.hasSchema() {
		schema, changes, fits := rules(f.alone())
		switch {
		case !fits:
			note = "the same schema, which the server may refuse (in schema" + changes[0].Path + ": " + changes[0].Action + "),"
		case len(changes) > 0:
			note = "a schema in which other keywords are part of descriptions"
			f = answerFormat{kind: f.kind, schema: schema}
		}
	}
	value, ok := write(f)
	return value, note, ok
}

func (f answerFormat) hasSchema() bool {
	return f.kind == "json_schema" && parse(f.schema).Kind == rawjson.Object
}

// alone returns the schema for wires that have no description next to it.
func (f answerFormat) alone() json.RawMessage {
	about, schema := f.rest.Get("description"), parse(f.schema)
	if about.Kind != rawjson.String || schema.Kind != rawjson.Object || schema.Get("description").IsSet() {
		return f.schema
	}
	var w jsonout.Writer
	w.Object()
	w.Fields(schema)
	w.Member("description", about.JSON())
	w.EndObject()
	return w.Out
}

// In Chat Completions, an inner object contains the schema and its name.

func readGroupedAnswer(v rawjson.Value) (answerFormat, bool) {
	return readTypedAnswer(v, v.Get("json_schema"))
}

func writeGroupedAnswer(f answerFormat) ([]byte, bool) { return f.writeTyped("json_schema"), true }

// In Responses, they are next to the type.

func readFlatAnswer(v rawjson.Value) (answerFormat, bool) { return readTypedAnswer(v, v) }

func writeFlatAnswer(f answerFormat) ([]byte, bool) { return f.writeTyped(""), true }

// In Anthropic, the schema is next to the type, without a name.

func readSchemaAnswer(v rawjson.Value) (answerFormat, bool) {
	f, ok := readTypedAnswer(v, v)
	return f, ok && (f.kind != "json_schema" || f.hasSchema())
}

func writeSchemaAnswer(f answerFormat) ([]byte, bool) {
	if !f.hasSchema() {
		return nil, f.kind == "text"
	}
	return []byte(`{"type":"json_schema","schema":` + string(f.alone()) + "}"), true
}

// In Gemini, the value is the schema.

func readBareSchema(v rawjson.Value) (answerFormat, bool) {
	return answerFormat{kind: "json_schema", schema: v.JSON()}, v.Kind == rawjson.Object
}

func writeBareSchema(f answerFormat) ([]byte, bool) { return f.alone(), f.hasSchema() }

// In Ollama, the value is the schema, or a word.

func readSchemaOrJSON(v rawjson.Value) (answerFormat, bool) {
	if v.Is("json") {
		return answerFormat{kind: "json_object"}, true
	}
	return readBareSchema(v)
}

func writeSchemaOrJSON(f answerFormat) ([]byte, bool) {
	switch {
	case f.hasSchema():
		return f.alone(), true
	case f.kind == "json_object":
		return []byte(`"json"`), true
	}
	return nil, f.kind == "text"
}

// readTypedAnswer reads an object with a type; of contains the schema.
func readTypedAnswer(v, of rawjson.Value) (answerFormat, bool) {
	switch kind := v.Get("type"); {
	case kind.Is("text"), kind.Is("json_object"):
		return answerFormat{kind: string(kind.Raw)}, true
	case !kind.Is("json_schema"):
		return answerFormat{}, false
	}
	return answerFormat{kind: "json_schema", schema: of.Get("schema").JSON(), rest: of}, of.Kind == rawjson.Object
}

// writeTyped writes an object with a type. The members about the schema are in an inner
// object with the name group, or next to the type.
func (f answerFormat) writeTyped(group string) []byte {
	var w jsonout.Writer
	w.Object()
	w.Text("type", f.kind)
	if f.kind == "json_schema" {
		if group != "" {
			w.KeyObject(group)
		}
		if !f.rest.Get("name").IsSet() { // these wires require a name
			w.Text("name", "answer")
		}
		w.Fields(f.rest, "type")
		if !f.rest.Get("schema").IsSet() && f.schema != nil {
			w.Member("schema", f.schema)
		}
		if group != "" {
			w.EndObject()
		}
	}
	w.EndObject()
	return w.Out
}

// Answer is the required format of an answer's text.
type Answer struct {
	JSON   bool
	Schema json.RawMessage // nil means any JSON
	// Unknown is the path of a format that is neither text nor JSON, or "".
	Unknown string
}

// TakeAnswer returns the format that the extras of a request require, on whichever wire,
// and the extras without it.
func TakeAnswer(extras chat.Extras) (Answer, chat.Extras) {
	var found Answer
	var rest chat.Extras
	for _, x := range extras {
		if x.Spelling {
			rest = append(rest, x)
			continue
		}
		value := found.take(x.Wire, pathOf(x), parse(x.Value))
		if value != nil {
			x.Value = value
			rest = append(rest, x)
		}
	}
	return found, rest
}

// take reads what a member at a path says about the answer, and returns the rest of the
// member, or nil.
func (a *Answer) take(wire, path string, v rawjson.Value) json.RawMessage {
	inside := false
	for _, s := range ofRequest {
		if s.paths[groupedWire] != groupedAnswer {
			continue
		}
		at := s.paths[wire]
		if samePath(wire, at, path) {
			a.read(wire, path, v.JSON())
			return nil
		}
		inside = inside || strings.HasPrefix(at, path+".")
	}
	if !inside || v.Kind != rawjson.Object {
		return v.JSON()
	}
	var w jsonout.Writer
	w.Object()
	left, taken := 0, 0
	for key, member := range v.Fields() {
		if value := a.take(wire, path+"."+string(key), member); value != nil {
			w.Member(string(key), value)
			left++
		} else {
			taken++
		}
	}
	w.EndObject()
	switch {
	case taken == 0:
		return v.JSON()
	case left == 0:
		return nil
	}
	return w.Out
}

// The paths of the format in Chat Completions.
const (
	groupedWire   = "openai"
	groupedAnswer = "response_format"
)

// read reads a member of a wire. A schema takes precedence over the type.
func (a *Answer) read(wire, path string, value json.RawMessage) {
	if isEmpty(path, value) {
		return
	}
	known := false
	for _, s := range ofRequest {
		if s.paths[groupedWire] != groupedAnswer || !samePath(wire, s.paths[wire], path) {
			continue
		}
		converted, _, ok := s.convert(wire, groupedWire, value)
		if !ok {
			continue
		}
		known = true
		f, ok := readGroupedAnswer(parse(converted))
		if !ok || f.kind == "text" {
			continue
		}
		a.JSON = true
		if f.hasSchema() {
			a.Schema = slices.Clone(f.schema)
		}
	}
	if !known && a.Unknown == "" {
		a.Unknown = path
	}
}

// convertGrammar converts the format of a custom tool's input to another wire. In Chat
// Completions, an inner object contains the grammar.
func convertGrammar(from, to string, value json.RawMessage) (json.RawMessage, string, bool) {
	v := parse(value)
	of := v
	switch kind := v.Get("type"); {
	case kind.Is("text"):
		return value, "", true
	case !kind.Is("grammar"):
		return nil, "", false
	case wireOf(from).grouped:
		if of = v.Get("grammar"); of.Kind != rawjson.Object {
			return nil, "", false
		}
	}
	return regroup(v, of, wireOf(to).grouped, "grammar"), "", true
}

// regroup rewrites an object: its type, and the members of of, next to it or in an inner
// object with this name.
func regroup(v, of rawjson.Value, group bool, name string) json.RawMessage {
	var w jsonout.Writer
	w.Object()
	w.Member("type", v.Get("type").JSON())
	if group {
		w.KeyObject(name)
	}
	w.Fields(of, "type")
	if group {
		w.EndObject()
	}
	w.EndObject()
	return w.Out
}

// parse returns a JSON value, or an absent one if the JSON is invalid.
func parse(value json.RawMessage) rawjson.Value {
	v, _ := rawjson.Parse(value)
	return v
}
