package gemini

import (
	"encoding/json"
	"slices"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/features"
	"github.com/toolparse/toolparse/format/internal/rawjson"
	"github.com/toolparse/toolparse/format/internal/schemaform"
	"github.com/toolparse/toolparse/format/internal/wireio"
)

// jsonSchema marks a tool whose parameters came as JSON Schema, and not in the
// vendor's own form of it.
const jsonSchema = "parametersJsonSchema"

// DecodeTools reads a list of tools. The declarations in it are tools each; so
// is all that the provider runs itself.
func (Codec) DecodeTools(list []byte) ([]chat.Tool, error) {
	r := newReading()
	return r.ToolList(list, r.tools)
}

// EncodeTools writes a list of tools.
func (Codec) EncodeTools(tools []chat.Tool, opts chat.Options) ([]byte, []chat.Loss, error) {
	w := newWriting(opts)
	w.tools(tools)
	return w.Out, w.Log.Losses, nil
}

func (r *reading) tools(v rawjson.Value, path string) []chat.Tool {
	var tools []chat.Tool
	for item := range r.list(v, path).Items() {
		for key, member := range r.Object(item, path, "[]").Fields() {
			if camel(key) != "functionDeclarations" {
				keep := r.Keeper()
				keep.Keep("", key, member)
				tool := chat.Tool{Hosted: true, Extras: keep.Extras}
				tool.Name = string(key)
				tools = append(tools, tool)
				continue
			}
			at := path + "[].functionDeclarations"
			for f := range r.list(member, at).Items() {
				tools = append(tools, r.function(r.Object(f, at, "[]"), at+"[]"))
			}
		}
	}
	return tools
}

func (r *reading) function(v rawjson.Value, path string) chat.Tool {
	var tool chat.Tool
	keep := r.Keeper()
	r.Members(v, path, &keep, "", "name", &tool.Name, "description", &tool.Description,
		"parameters", func(v rawjson.Value) {
			if v = r.Object(v, path, ".parameters"); v.IsSet() {
				tool.Parameters = schemaform.FromGemini(v.JSON())
			}
		},
		jsonSchema, func(v rawjson.Value) {
			if v.IsSet() {
				tool.Parameters = v.JSON()
				keep.Spell(jsonSchema)
			}
		})
	tool.Extras = keep.Extras
	return tool
}

// list returns a list. The wire takes a single object for one of one element.
func (r *reading) list(v rawjson.Value, path ...string) rawjson.Value {
	if v.Kind == rawjson.Object {
		return rawjson.Value{Kind: rawjson.Array, Raw: slices.Concat([]byte("["), v.Raw, []byte("]")), At: v.At - 1}
	}
	return r.Array(v, path...)
}

// tools writes a list of tools: all declarations in one, as the wire wants
// them, and those that the provider runs each by itself.
func (w *writing) tools(tools []chat.Tool) {
	w.Array()
	declared := false
	for i, tool := range tools {
		field := wireio.At("tools", i)
		switch {
		case tool.Hosted:
			w.Hosted(tool, field)
		case !declared:
			declared = true
			w.declarations(tools)
		}
	}
	w.EndArray()
}

func (w *writing) declarations(tools []chat.Tool) {
	w.Object()
	w.KeyArray("functionDeclarations")
	for i, tool := range tools {
		if tool.Hosted {
			continue
		}
		field := wireio.At("tools", i)
		w.Declare(&tool, field)
		w.AsFunction(&tool, field)
		if tool.Strict == chat.On {
			w.Log.Add(features.Strict, field+".strict")
		}
		w.Object()
		w.ToolHead(tool, field)
		w.parameters(tool, field+".parameters")
		w.Extras(tool.Extras, "")
		w.EndObject()
	}
	w.EndArray()
	w.EndObject()
}

// parameters writes the schema of a tool, unless it says nothing: the wire
// takes no object without properties.
func (w *writing) parameters(tool chat.Tool, field string) {
	if len(tool.Parameters) == 0 {
		return
	}
	if !json.Valid(tool.Parameters) {
		w.Log.Add(features.ToolSchema, field, "left out: it is not valid JSON")
		return
	}
	if tool.Extras.Spells(Wire, jsonSchema) {
		w.Member(jsonSchema, tool.Parameters)
		return
	}
	schema, changes := schemaform.ToGemini(tool.Parameters)
	if len(changes) > 0 && schemaform.FitsGeminiJSON(tool.Parameters) {
		w.Member(jsonSchema, tool.Parameters) // which holds what the plain form does not
		return
	}
	for _, c := range changes {
		w.Log.Add(features.ToolSchema, field+c.Path, c.Done)
	}
	if len(schema) > 0 {
		w.Member("parameters", schema)
	}
}
