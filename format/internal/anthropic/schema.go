package anthropic

import (
	"encoding/json"
	"slices"

	"github.com/toolparse/toolparse/format/internal/features"
	"github.com/toolparse/toolparse/format/internal/rawjson"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/schema"
)

// schema writes the schema of a tool. The wire wants an object at the root, and
// says so by type; it takes no alternatives there.
func (w *writing) schema(raw json.RawMessage, field string) {
	root, err := rawjson.Parse(raw)
	switch {
	case err != nil:
		w.Log.Add(features.ToolSchema, field, "left out: it is not valid JSON")
		root = rawjson.Value{}
	case root.Kind == rawjson.Bool && !root.IsTrue():
		w.Log.Add(features.ToolSchema, field, "left out: no arguments fit it")
	}
	if root.Kind != rawjson.Object {
		w.Raw([]byte(`{"type":"object"}`))
		return
	}
	var kind rawjson.Value
	plain := true
	for key, member := range root.Fields() {
		switch string(key) {
		case "type":
			kind = member
		case "$ref", "anyOf", "oneOf", "allOf":
			plain = false
		}
	}
	switch {
	case plain && kind.Is("object"):
		w.Raw(raw)
		return
	case plain && !kind.IsSet(): // the arguments of a call are an object anyway
		w.Object()
		w.Text("type", "object")
		w.without(root, "type")
		w.EndObject()
		return
	}
	if doc, err := jsonvalue.Parse(raw); err == nil {
		if flat, ok := schema.NewDocument(doc).Shaper(maxSchemas).Flat(doc); ok {
			w.Log.Add(features.ToolSchema, field, "its alternatives are merged into one object")
			w.flat(flat, root)
			return
		}
	}
	w.Log.Add(features.ToolSchema, field, "wrapped: its value is the argument \"input\"")
	w.Object()
	w.Text("type", "object")
	w.KeyObject("properties")
	w.KeyObject("input")
	w.without(root, "$defs", "definitions")
	w.EndObject()
	w.EndObject()
	w.Member("required", []byte(`["input"]`))
	for key, member := range root.Fields() { // references start from the root
		if name := string(key); name == "$defs" || name == "definitions" {
			w.Member(name, member.JSON())
		}
	}
	w.EndObject()
}

// without writes the members of an object but for some.
func (w *writing) without(v rawjson.Value, names ...string) {
	for key, member := range v.Fields() {
		if !slices.Contains(names, string(key)) {
			w.Member(string(key), member.JSON())
		}
	}
}

// maxSchemas bounds how many schemas are looked at below a root.
const maxSchemas = 200

// flat writes a root as the object that it is with its alternatives merged.
func (w *writing) flat(s *schema.Shape, root rawjson.Value) {
	w.Object()
	w.Text("type", "object")
	w.KeyObject("properties")
	for _, p := range s.Properties {
		w.Member(p.Name, jsonvalue.Compact.AppendWritten(nil, p.Schema))
	}
	w.EndObject()
	if len(s.Required) > 0 {
		w.KeyArray("required")
		for _, name := range s.Required {
			w.String(name)
		}
		w.EndArray()
	}
	if !root.Get("description").IsSet() {
		w.Text("description", s.Description)
	}
	done := []string{"type", "properties", "required", "$ref", "anyOf", "oneOf", "allOf"}
	if root.Get("properties").Len() < len(s.Properties) { // it was said of the root's own alone
		done = append(done, "additionalProperties", "unevaluatedProperties")
	}
	w.without(root, done...)
	w.EndObject()
}
