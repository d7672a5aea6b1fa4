package ollama

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/features"
	"github.com/toolparse/toolparse/format/internal/rawjson"
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
	w.tools(tools, wireio.Places(tools))
	return w.Out, w.Log.Losses, nil
}

func (r *reading) tools(v rawjson.Value, path string) []chat.Tool {
	return r.Tools(v, path, r.tool)
}

// tool reads a tool. One without a function would be another kind of tool,
// which only the server can know.
func (r *reading) tool(v rawjson.Value, path string) chat.Tool {
	keep := r.Keeper()
	var kind, function rawjson.Value
	r.Members(v, path, &keep, "", "type", &kind, inFunction, wireio.AnObject(&function))
	if !function.IsSet() {
		return r.HostedTool(v, kind)
	}
	var tool chat.Tool
	r.Members(function, path+".function", &keep, inFunction, "name", &tool.Name, "description", &tool.Description, "parameters", &tool.Parameters)
	tool.Extras = keep.Extras
	return tool
}

// tools writes those of the tools that stand at the places.
func (w *writing) tools(tools []chat.Tool, at []int) { w.Tools(tools, at, w.tool) }

func (w *writing) tool(tool chat.Tool, field string) {
	if tool.Strict == chat.On {
		w.Log.Add(features.Strict, field+".strict")
	}
	w.AsFunction(&tool, field)
	w.Object()
	w.Text("type", "function")
	w.KeyObject(inFunction)
	w.ToolHead(tool, field)
	w.Key("parameters")
	w.schema(tool.Parameters, field+".parameters")
	w.Extras(tool.Extras, inFunction)
	w.EndObject()
	w.Extras(tool.Extras, "")
	w.EndObject()
}
