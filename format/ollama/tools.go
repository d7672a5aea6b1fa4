package ollama

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/carry"
	"github.com/toolparse/toolparse/format/internal/codec"
	"github.com/toolparse/toolparse/format/internal/payload"
)

// DecodeTools reads a list of tools.
func (Codec) DecodeTools(list []byte) ([]chat.Tool, error) {
	r := newReading()
	v, err := r.Body(list)
	if err != nil {
		return nil, err
	}
	tools := r.tools(r.List(v, "tools"), "tools")
	return tools, r.Failure()
}

// EncodeTools writes a list of tools.
func (Codec) EncodeTools(tools []chat.Tool, opts chat.Options) ([]byte, []chat.Loss, error) {
	w := newWriting(opts)
	w.tools(tools, codec.Places(tools))
	return w.Out, w.Log.Losses, nil
}

func (r *reading) tools(v payload.Value, path string) []chat.Tool {
	var tools []chat.Tool
	for item := range r.Array(v, path).Items() {
		tools = append(tools, r.tool(r.Object(item, path, "[]"), path+"[]"))
	}
	return tools
}

// tool reads a tool. One without a function would be another kind of tool,
// which only the server can know.
func (r *reading) tool(v payload.Value, path string) chat.Tool {
	keep := r.Keeper()
	var kind, function payload.Value
	for key, member := range v.Fields() {
		switch string(key) {
		case "type":
			kind = member
		case inFunction:
			function = r.Object(member, path, ".function")
		default:
			keep.Keep("", key, member)
		}
	}
	if !function.IsSet() {
		keep = r.Keeper()
		keep.Rest("", v)
		hosted := chat.Tool{Hosted: true, Extras: keep.Extras}
		hosted.Name = r.Texts.Name(kind)
		return hosted
	}
	path += ".function"
	var tool chat.Tool
	for key, member := range function.Fields() {
		switch string(key) {
		case "name":
			tool.Name = r.Text(member, path, ".name")
		case "description":
			tool.Description = r.Text(member, path, ".description")
		case "parameters":
			if r.Object(member, path, ".parameters").IsSet() {
				tool.Parameters = member.JSON()
			}
		default:
			keep.Keep(inFunction, key, member)
		}
	}
	tool.Extras = keep.Extras
	return tool
}

// tools writes those of the tools that stand at the places.
func (w *writing) tools(tools []chat.Tool, at []int) {
	w.Array()
	for _, i := range at {
		w.tool(tools[i], codec.At("tools", i))
	}
	w.EndArray()
}

func (w *writing) tool(tool chat.Tool, field string) {
	if tool.Hosted {
		w.Hosted(tool, field)
		return
	}
	w.Log.Extras(field, tool.Extras)
	if tool.Strict == chat.On {
		w.Log.Add(carry.Strict, field+".strict")
	}
	if tool.Custom {
		w.Log.Add(carry.CustomTool, field)
		if len(tool.Parameters) == 0 {
			tool.Parameters = chat.CustomParameters()
		}
	}
	w.Object()
	w.Text("type", "function")
	w.Key(inFunction)
	w.Object()
	w.Key("name")
	w.String(w.Name(tool.Name, field+".name"))
	w.Text("description", tool.Description)
	w.Key("parameters")
	w.schema(tool.Parameters, field+".parameters")
	w.Extras(tool.Extras, inFunction)
	w.EndObject()
	w.Extras(tool.Extras, "")
	w.EndObject()
}
