package schemaform

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/toolparse/toolparse/format/internal/jsonout"
	"github.com/toolparse/toolparse/format/internal/payload"
)

// WithItems returns a schema in which every list that has prefixItems has items,
// too, as OpenAI wants it of all lists: any of the prefix's. What it changes says
// less than before of where a value may stand.
func WithItems(schema json.RawMessage) (json.RawMessage, []Change) {
	if !bytes.Contains(schema, []byte(`"prefixItems"`)) {
		return schema, nil
	}
	v, err := parse(schema)
	if err != nil {
		return schema, nil
	}
	var w itemsWriter
	w.schema(v, "", 0)
	if len(w.changes) == 0 {
		return schema, nil
	}
	return w.Out, w.changes
}

type itemsWriter struct {
	jsonout.Writer
	changes []Change
}

// Keywords whose values hold no schemas, and those that hold them by name.
var (
	noSchemas   = []string{"enum", "const", "default", "example", "examples", "required"}
	schemaNames = []string{"properties", "$defs", "definitions", "patternProperties", "dependentSchemas"}
)

func (w *itemsWriter) schema(v payload.Value, path string, depth int) {
	switch {
	case v.Kind == payload.Array && depth < maxNested:
		w.Array()
		for item := range v.Items() {
			w.schema(item, path, depth+1)
		}
		w.EndArray()
		return
	case v.Kind != payload.Object || depth >= maxNested:
		w.Raw(v.JSON())
		return
	}
	w.Object()
	for key, member := range v.Fields() {
		name := string(key)
		w.Key(name)
		switch {
		case slices.Contains(noSchemas, name):
			w.Raw(member.JSON())
		case slices.Contains(schemaNames, name) && member.Kind == payload.Object:
			w.Object()
			for key, member := range member.Fields() {
				w.Key(string(key))
				w.schema(member, path+"."+name+"."+string(key), depth+1)
			}
			w.EndObject()
		default:
			w.schema(member, path+"."+name, depth+1)
		}
	}
	if prefix := v.Get("prefixItems"); prefix.Kind == payload.Array && !v.Get("items").IsSet() {
		w.Key("items")
		w.Object()
		w.Key("anyOf")
		w.schema(prefix, path, depth+1)
		w.EndObject()
		w.changes = append(w.changes, Change{Path: path + ".prefixItems", Done: "items is any of them"})
	}
	w.EndObject()
}
