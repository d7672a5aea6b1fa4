package openai

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/rawjson"
	"github.com/toolparse/toolparse/format/internal/unknown"
	"github.com/toolparse/toolparse/format/internal/wireio"
)

// DecodeTools reads a list of tools.
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
	return r.Tools(v, path, r.tool)
}

func (r *reading) tool(v rawjson.Value, path string) chat.Tool {
	keep := r.Keeper()
	var kind, function, custom rawjson.Value
	r.Members(v, path, &keep, "", "type", &kind, "function", &function, "custom", &custom)
	switch {
	case function.Kind == rawjson.Object:
		tool := r.function(function, "function", path+".function", &keep)
		tool.Extras = keep.Extras
		return tool
	case custom.Kind == rawjson.Object:
		tool := r.function(custom, "custom", path+".custom", &keep)
		tool.Custom, tool.Parameters = true, chat.CustomParameters()
		tool.Extras = keep.Extras
		return tool
	case kind.Is("function"):
		r.Fail(function, errNoFunction, path, ".function")
		return chat.Tool{}
	}
	return r.HostedTool(v, kind)
}

// function reads what a function or a custom tool says of itself. The legacy
// functions of a request are such, too.
func (r *reading) function(v rawjson.Value, in, path string, keep *unknown.Keeper) chat.Tool {
	var tool chat.Tool
	r.Members(v, path, keep, in, "name", &tool.Name, "description", &tool.Description, "strict", &tool.Strict,
		"parameters", func(v rawjson.Value) {
			if v.IsSet() {
				tool.Parameters = v.JSON()
			}
		})
	if tool.Strict == chat.On {
		keep.Spell(strictHere)
	}
	return tool
}

func (w *writing) tools(tools []chat.Tool) { w.Tools(tools, wireio.Places(tools), w.tool) }

func (w *writing) tool(tool chat.Tool, field string) {
	in := "function"
	if tool.Custom {
		in = "custom"
		w.custom[tool.Name] = true
	}
	w.Object()
	w.KeyString("type", in)
	w.KeyObject(in)
	w.ToolHead(tool, field)
	if !tool.Custom {
		w.StrictSchema(&tool, strictHere, field)
		if len(tool.Parameters) > 0 {
			w.Member("parameters", tool.Parameters)
		}
		w.Strict(tool)
	}
	w.Extras(tool.Extras, in)
	w.EndObject()
	w.Extras(tool.Extras, "")
	w.EndObject()
}

// strictHere marks a tool that was strict by the rules of this wire already: its
// schema is nobody's to change.
const strictHere = "strict"
