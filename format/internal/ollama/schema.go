package ollama

import (
	"encoding/json"

	"github.com/toolparse/toolparse/format/internal/features"
	"github.com/toolparse/toolparse/format/internal/rawjson"
	"github.com/toolparse/toolparse/format/internal/wireio"
)

// maxSchemaDepth is how deep schemas are looked into. What is below goes as it
// is.
const maxSchemaDepth = 64

// schema writes the parameters of a tool: all of them, also what the server
// passes over, as a newer one may read more. But it refuses a whole request for a
// schema that does not have its shape: that is made to fit.
func (w *writing) schema(schema json.RawMessage, field string) {
	v, err := rawjson.Parse(schema)
	if v.Kind != rawjson.Object {
		if err != nil || v.IsSet() {
			w.Log.Add(features.ToolSchema, field, "left out: it is not an object")
		}
		w.Raw([]byte(`{"type":"object","properties":{}}`))
		return
	}
	w.schemaNode(v, field, 0)
}

// schemaNode writes a schema, that of the parameters at depth 0.
func (w *writing) schemaNode(v rawjson.Value, field string, depth int) {
	if v.Kind != rawjson.Object {
		w.Log.Add(features.ToolSchema, field, "written as {}: the server requires an object")
		w.Raw([]byte("{}"))
		return
	}
	if depth > maxSchemaDepth {
		w.Raw(v.Raw)
		return
	}
	w.Object()
	for key, member := range v.Fields() {
		name := string(key)
		switch place := field + "." + name; {
		case !fits(name, member, depth == 0):
			w.misfit(name, member, place)
		case name == "properties" && member.IsSet():
			w.KeyObject(name)
			for key, property := range member.Fields() {
				w.Key(string(key))
				w.schemaNode(property, place+"."+string(key), depth+1)
			}
			w.EndObject()
		case name == "anyOf" && member.IsSet() && depth > 0:
			w.KeyArray(name)
			i := 0
			for alternative := range member.Items() {
				w.schemaNode(alternative, wireio.At(place, i), depth+1)
				i++
			}
			w.EndArray()
		default:
			w.Member(name, member.JSON())
		}
	}
	w.EndObject()
}

// fits reports whether the value of a keyword has the type that the server
// wants of it.
func fits(name string, v rawjson.Value, root bool) bool {
	if !v.IsSet() {
		return true
	}
	switch name {
	case "type":
		return v.Kind == rawjson.String || !root && isTexts(v)
	case "required":
		return isTexts(v)
	case "properties":
		return v.Kind == rawjson.Object
	case "anyOf", "enum":
		return root || v.Kind == rawjson.Array
	case "description":
		return root || v.Kind == rawjson.String
	}
	return true
}

// isTexts reports whether a value is a list of strings.
func isTexts(v rawjson.Value) bool {
	for item := range v.Items() {
		if item.Kind != rawjson.String {
			return false
		}
	}
	return v.Kind == rawjson.Array
}

// misfit deals with a keyword that the server would refuse the request for.
func (w *writing) misfit(name string, v rawjson.Value, field string) {
	if name == "type" {
		for item := range v.Items() {
			if item.Is("object") {
				w.Log.Add(features.ToolSchema, field, "written as object")
				w.Text(name, "object")
				return
			}
		}
	}
	w.Log.Add(features.ToolSchema, field, "left out: the server would refuse the request")
}
