package schemaform

import (
	"encoding/json"
	"slices"

	"github.com/toolparse/toolparse/format/internal/jsonout"
	"github.com/toolparse/toolparse/format/internal/payload"
)

// ToStrict rewrites a schema by OpenAI's rules for strict tools: objects have
// additionalProperties false, and all of their properties are required. What
// was optional may be null instead. A schema that keeps to the rules comes back
// as it is; not ok is one that cannot be made to, and why is told.
func ToStrict(schema json.RawMessage) (strict json.RawMessage, changes []Change, ok bool) {
	root, err := parse(schema)
	if err != nil || root.Kind != payload.Object || !root.Get("type").Is("object") || root.Get("anyOf").IsSet() {
		return schema, []Change{{"", "the root is not an object"}}, false
	}
	s := strictWriter{}
	s.schema(root, "", 0)
	switch {
	case s.bad != "":
		return schema, []Change{{s.badAt, s.bad}}, false
	case len(s.changes) == 0:
		return schema, nil, true
	}
	return s.out.Out, s.changes, true
}

// strictWriter rewrites one schema.
type strictWriter struct {
	record
	out        jsonout.Writer
	texts      payload.Texts
	bad, badAt string // why it cannot be
}

func (s *strictWriter) fail(path, why string) {
	if s.bad == "" {
		s.bad, s.badAt = why, path
	}
}

// schema writes a schema.
func (s *strictWriter) schema(v payload.Value, path string, depth int) {
	switch {
	case v.Kind != payload.Object:
		s.fail(path, "a schema with references cannot be strict")
	case depth > maxNesting:
		s.fail(path, "it is nested too deep")
	case saysNothing(v):
		s.fail(path, "a value of any type cannot be strict")
	}
	if s.bad != "" {
		return
	}
	isObject := v.Get("type").Is("object") || v.Get("properties").Kind == payload.Object
	for item := range v.Get("type").Items() {
		isObject = isObject || item.Is("object")
	}
	w := &s.out
	w.Object()
	for key, member := range v.Fields() {
		s.keyword(string(key), member, v, path, depth)
	}
	if isObject {
		s.closed(v, path)
	}
	w.EndObject()
}

// saysNothing reports whether nothing is left of a schema but what is written
// anew or left out.
func saysNothing(v payload.Value) bool {
	for key := range v.Fields() {
		switch string(key) {
		case "additionalProperties", "required", "default":
		default:
			return false
		}
	}
	return true
}

func (s *strictWriter) keyword(name string, v, in payload.Value, path string, depth int) {
	w := &s.out
	switch name {
	case "additionalProperties", "required": // see closed
		return
	case "default":
		s.add(path+".default", "left out")
		return
	case "properties":
		required := map[string]bool{}
		for item := range in.Get("required").Items() {
			required[s.texts.Whole(item)] = true
		}
		w.Key(name)
		w.Object()
		for property, schema := range v.Fields() {
			at := path + ".properties." + string(property)
			w.Key(string(property))
			if required[string(property)] {
				s.schema(schema, at, depth+1)
				continue
			}
			s.add(at, "made required and nullable")
			s.orNull(schema, at, depth+1)
		}
		w.EndObject()
		return
	case "oneOf":
		s.add(path+".oneOf", "written as anyOf")
		name = "anyOf"
		fallthrough
	case "anyOf":
		w.Key(name)
		w.Array()
		for item := range v.Items() {
			s.schema(item, path+"."+name, depth+1)
		}
		w.EndArray()
		return
	case "items":
		w.Key(name)
		s.schema(v, path+".items", depth+1)
		return
	case "$defs", "definitions":
		w.Key(name)
		w.Object()
		for definition, schema := range v.Fields() {
			w.Key(string(definition))
			s.schema(schema, path+"."+name+"."+string(definition), depth+1)
		}
		w.EndObject()
		return
	case "allOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas", "patternProperties", "prefixItems":
		s.fail(path+"."+name, "strict tools do not support the keyword")
		return
	}
	w.Member(name, v.JSON())
}

// closed writes what closes an object.
func (s *strictWriter) closed(v payload.Value, path string) {
	additional := v.Get("additionalProperties")
	switch {
	case additional.Kind == payload.Object && !isEmpty(additional):
		s.fail(path+".additionalProperties", "additional properties cannot be strict")
		return
	case additional.Kind != payload.Bool || additional.IsTrue():
		s.add(path+".additionalProperties", "false")
	}
	w := &s.out
	w.Key("additionalProperties")
	w.Bool(false)
	w.Key("required")
	w.Array()
	for property := range v.Get("properties").Fields() {
		w.String(string(property))
	}
	w.EndArray()
	if !v.Get("properties").IsSet() {
		s.add(path+".properties", "none")
		w.Key("properties")
		w.Raw([]byte("{}"))
	}
}

// orNull writes a schema whose values may also be null.
func (s *strictWriter) orNull(v payload.Value, path string, depth int) {
	kind, choice, constant := v.Get("type"), v.Get("enum"), v.Get("const")
	types := []string{s.texts.Whole(kind)}
	if kind.Kind == payload.Array {
		types = nil
		for item := range kind.Items() {
			types = append(types, s.texts.Whole(item))
		}
	}
	if !kind.IsSet() || constant.Kind != payload.Absent {
		w := &s.out
		w.Object()
		w.Key("anyOf")
		w.Array()
		s.schema(v, path, depth)
		w.Raw([]byte(`{"type":"null"}`))
		w.EndArray()
		w.EndObject()
		return
	}
	if slices.Contains(types, "null") {
		s.schema(v, path, depth)
		return
	}
	nullable := jsonout.Writer{}
	nullable.Object()
	for key, member := range v.Fields() {
		switch string(key) {
		case "type":
			nullable.Key("type")
			nullable.Array()
			for _, name := range append(types, "null") {
				nullable.String(name)
			}
			nullable.EndArray()
		case "enum":
			nullable.Key("enum")
			nullable.Array()
			for item := range choice.Items() {
				nullable.Raw(item.JSON())
			}
			nullable.Raw(nil)
			nullable.EndArray()
		default:
			nullable.Member(string(key), member.JSON())
		}
	}
	nullable.EndObject()
	again, err := parse(nullable.Out)
	if err != nil {
		s.fail(path, "it is no JSON")
		return
	}
	s.schema(again, path, depth)
}
