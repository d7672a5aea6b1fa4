package anthropic

import (
	"github.com/toolparse/toolparse/format/chat"
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
	tools := r.Tools(v, path, r.tool)
	r.NameTools(tools)
	return tools
}

func (r *reading) tool(v rawjson.Value, path string) chat.Tool {
	kind := v.Get("type")
	if row := clientToolOf(kind); row != nil && v.Get("name").IsSet() {
		return r.clientTool(row, v, kind)
	} else if kind.IsSet() && !kind.Is("custom") {
		return r.HostedTool(v, v.Get("name"), kind)
	}
	keep := r.Keeper()
	var tool chat.Tool
	if kind.IsSet() {
		keep.Spell("custom")
	}
	r.Members(v, path, &keep, "", "type", nil, "name", &tool.Name, "description", &tool.Description, "input_schema", &tool.Parameters,
		"strict", func(strict rawjson.Value) {
			if strict.Kind == rawjson.Bool {
				tool.Strict = chat.SwitchOf(strict.IsTrue())
			} else {
				keep.KeepSet("", []byte("strict"), strict)
			}
		})
	tool.Extras = keep.Extras
	return tool
}

// tools writes those of the tools that stand at the places.
func (w *writing) tools(tools []chat.Tool, at []int) { w.Tools(tools, at, w.tool) }

func (w *writing) tool(tool chat.Tool, field string) {
	w.AsFunction(&tool, field)
	w.Object()
	if tool.Native.Wire == Wire && tool.Native.Type != "" {
		w.Extras(tool.Extras, "")
		w.EndObject()
		return
	}
	if tool.Extras.Spells(Wire, "custom") {
		w.Text("type", "custom")
	}
	w.ToolHead(tool, field)
	w.Key("input_schema")
	w.schema(tool.Parameters, field+".parameters")
	w.Strict(tool)
	w.Extras(tool.Extras, "")
	w.EndObject()
}
