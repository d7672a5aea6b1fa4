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
	w.tools(tools, nil)
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

// tools writes a list of tools and returns how many there are in it. at are
// their places in the request; nil means that they stand as they do here.
func (w *writing) tools(tools []chat.Tool, at []int) (written int) {
	w.Array()
	for i, tool := range tools {
		if at != nil {
			i = at[i]
		}
		field := codec.At("tools", i)
		if tool.Hosted {
			if !w.HasExtras(tool.Extras, "") {
				w.Log.Add(carry.HostedTool, field)
				continue
			}
			w.Object()
			w.Extras(tool.Extras, "")
			w.EndObject()
		} else {
			w.tool(tool, field)
		}
		written++
	}
	w.EndArray()
	return written
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
