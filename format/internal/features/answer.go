package features

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/jsonout"
	"github.com/toolparse/toolparse/format/internal/rawjson"
	"github.com/toolparse/toolparse/format/internal/schemaform"
)

// answerFormat is what an answer must be: any text, JSON, or JSON of a schema.
type answerFormat struct {
	kind   string // "text", "json_object" or "json_schema"
	schema json.RawMessage
	rest   rawjson.Value // an object with what else is said of the schema: its name, whether it is strict
}

// convertAnswerFormat makes the format of an answer that of another wire.
func convertAnswerFormat(from, to string, value json.RawMessage) (json.RawMessage, string, bool) {
	f, ok := readAnswerFormat(from, value)
	if !ok {
		return nil, "", false
	}
	return f.write(to)
}

// convertAnswerType is convertAnswerFormat where one of the wires has a setting
// for the MIME type, without a schema.
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
	value, ok := write(f)
	return value, "", ok
}

func (f answerFormat) hasSchema() bool {
	return f.kind == "json_schema" && parse(f.schema).Kind == rawjson.Object
}

// Chat Completions have the schema and its name in an object of their own.

func readGroupedAnswer(v rawjson.Value) (answerFormat, bool) {
	return readTypedAnswer(v, v.Get("json_schema"))
}

func writeGroupedAnswer(f answerFormat) ([]byte, bool) { return f.writeTyped("json_schema"), true }

// Responses have them beside the type.

func readFlatAnswer(v rawjson.Value) (answerFormat, bool) { return readTypedAnswer(v, v) }

func writeFlatAnswer(f answerFormat) ([]byte, bool) { return f.writeTyped(""), true }

// Anthropic has the schema beside the type, without a name.

func readSchemaAnswer(v rawjson.Value) (answerFormat, bool) {
	f, ok := readTypedAnswer(v, v)
	return f, ok && (f.kind != "json_schema" || f.hasSchema())
}

func writeSchemaAnswer(f answerFormat) ([]byte, bool) {
	if !f.hasSchema() {
		return nil, f.kind == "text"
	}
	return []byte(`{"type":"json_schema","schema":` + string(f.schema) + "}"), true
}

// Gemini has the schema alone.

func readBareSchema(v rawjson.Value) (answerFormat, bool) {
	return answerFormat{kind: "json_schema", schema: v.JSON()}, v.Kind == rawjson.Object
}

func writeBareSchema(f answerFormat) ([]byte, bool) { return f.schema, f.hasSchema() }

// Ollama has the schema alone, or a word.

func readSchemaOrJSON(v rawjson.Value) (answerFormat, bool) {
	if v.Is("json") {
		return answerFormat{kind: "json_object"}, true
	}
	return readBareSchema(v)
}

func writeSchemaOrJSON(f answerFormat) ([]byte, bool) {
	switch {
	case f.hasSchema():
		return f.schema, true
	case f.kind == "json_object":
		return []byte(`"json"`), true
	}
	return nil, f.kind == "text"
}

// readTypedAnswer reads an object with a type; of has the schema.
func readTypedAnswer(v, of rawjson.Value) (answerFormat, bool) {
	switch kind := v.Get("type"); {
	case kind.Is("text"), kind.Is("json_object"):
		return answerFormat{kind: string(kind.Raw)}, true
	case !kind.Is("json_schema"):
		return answerFormat{}, false
	}
	return answerFormat{kind: "json_schema", schema: of.Get("schema").JSON(), rest: of}, of.Kind == rawjson.Object
}

// writeTyped writes an object with a type, and what is said of the schema in one
// of this name, or beside the type.
func (f answerFormat) writeTyped(group string) []byte {
	var w jsonout.Writer
	w.Object()
	w.Text("type", f.kind)
	if f.kind == "json_schema" {
		if group != "" {
			w.KeyObject(group)
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
		if group != "" {
			w.EndObject()
		}
	}
	w.EndObject()
	return w.Out
}

// Answer is the form that a request wants the text of the answer in.
type Answer struct {
	JSON   bool
	Schema json.RawMessage // nil: any JSON
	// Unknown is the path of a form that is neither text nor JSON; "" where there is none.
	Unknown string
}

// TakeAnswer returns the form of the answer that the extras of a request ask for, in
// whatever wire, and the extras without it.
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

// take takes what a member at a path says of the answer, and returns what is left of
// the member: nil for nothing.
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

// Where Chat Completions say the form of an answer.
const (
	groupedWire   = "openai"
	groupedAnswer = "response_format"
)

// read reads what a member of a wire says. A schema wins over the mere type.
func (a *Answer) read(wire, path string, value json.RawMessage) {
	if saysNothing(path, value) {
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

// convertGrammar makes the format of a custom tool's input that of another wire:
// Chat Completions have the grammar in an object of its own.
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

// regroup writes an object anew: its type, and the members of of, beside it or
// in an object named so.
func regroup(v, of rawjson.Value, group bool, name string) json.RawMessage {
	var w jsonout.Writer
	w.Object()
	w.Member("type", v.Get("type").JSON())
	if group {
		w.KeyObject(name)
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

// parse returns the value that JSON is, an absent one for invalid JSON.
func parse(value json.RawMessage) rawjson.Value {
	v, _ := rawjson.Parse(value)
	return v
}
