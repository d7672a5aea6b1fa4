package anthropic

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

func (r *reading) tool(v payload.Value, path string) chat.Tool {
	keep := r.Keeper()
	var tool chat.Tool
	for key, member := range v.Fields() {
		switch string(key) {
		case "type":
			if member.Is("custom") {
				keep.Spell("custom")
			} else if member.IsSet() {
				return r.hosted(v)
			}
		case "name":
			tool.Name = r.Text(member, path, ".name")
		case "description":
			tool.Description = r.Text(member, path, ".description")
		case "input_schema":
			if r.Object(member, path, ".input_schema").IsSet() {
				tool.Parameters = member.JSON()
			}
		case "strict":
			if member.Kind == payload.Bool {
				tool.Strict = chat.SwitchOf(member.IsTrue())
			} else {
				keep.KeepSet("", key, member)
			}
		default:
			keep.Keep("", key, member)
		}
	}
	tool.Extras = keep.Extras
	return tool
}

// hosted reads a tool that the vendor defined. Some of them the caller runs,
// such as bash, but all are known by their type alone.
func (r *reading) hosted(v payload.Value) chat.Tool {
	keep := r.Keeper()
	keep.Rest("", v)
	tool := chat.Tool{Hosted: true, Extras: keep.Extras}
	if tool.Name = r.Texts.Name(v.Get("name")); tool.Name == "" {
		tool.Name = r.Texts.Name(v.Get("type"))
	}
	return tool
}

// tools writes those of the tools that stand at the places.
func (w *writing) tools(tools []chat.Tool, at []int) {
	w.Array()
	for _, i := range at {
		field := codec.At("tools", i)
		if tool := tools[i]; tool.Hosted {
			w.Hosted(tool, field)
		} else {
			w.tool(tool, field)
		}
	}
	w.EndArray()
}

func (w *writing) tool(tool chat.Tool, field string) {
	w.Log.Extras(field, tool.Extras)
	if tool.Custom {
		w.Log.Add(carry.CustomTool, field)
		if len(tool.Parameters) == 0 {
			tool.Parameters = chat.CustomParameters()
		}
	}
	w.Object()
	if tool.Extras.Spells(Wire, "custom") {
		w.Text("type", "custom")
	}
	w.Key("name")
	w.String(w.Name(tool.Name, field+".name"))
	w.Text("description", tool.Description)
	w.Key("input_schema")
	w.schema(tool.Parameters, field+".parameters")
	if tool.Strict != chat.Unset {
		w.Key("strict")
		w.Bool(tool.Strict == chat.On)
	}
	w.Extras(tool.Extras, "")
	w.EndObject()
}
