package openai

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/carry"
	"github.com/toolparse/toolparse/format/internal/codec"
	"github.com/toolparse/toolparse/format/internal/extra"
	"github.com/toolparse/toolparse/format/internal/payload"
	"github.com/toolparse/toolparse/format/internal/schemaform"
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
	w.tools(tools)
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
	var kind, function, custom payload.Value
	for key, member := range v.Fields() {
		switch string(key) {
		case "type":
			kind = member
		case "function":
			function = member
		case "custom":
			custom = member
		default:
			keep.Keep("", key, member)
		}
	}
	switch {
	case function.Kind == payload.Object:
		tool := r.function(function, "function", path+".function", &keep)
		tool.Extras = keep.Extras
		return tool
	case custom.Kind == payload.Object:
		tool := r.function(custom, "custom", path+".custom", &keep)
		tool.Custom, tool.Parameters = true, chat.CustomParameters()
		tool.Extras = keep.Extras
		return tool
	case kind.Is("function"):
		r.Fail(function, errNoFunction, path, ".function")
		return chat.Tool{}
	}
	all := r.Keeper()
	all.Rest("", v)
	tool := chat.Tool{Hosted: true, Extras: all.Extras}
	tool.Name = r.Texts.Name(kind)
	return tool
}

// function reads what a function or a custom tool says of itself. The legacy
// functions of a request are such, too.
func (r *reading) function(v payload.Value, in, path string, keep *extra.Keeper) chat.Tool {
	var tool chat.Tool
	for key, member := range v.Fields() {
		switch string(key) {
		case "name":
			tool.Name = r.Text(member, path, ".name")
		case "description":
			tool.Description = r.Text(member, path, ".description")
		case "parameters":
			if member.IsSet() {
				tool.Parameters = member.JSON()
			}
		case "strict":
			if on := r.Bool(member, path, ".strict"); member.IsSet() {
				tool.Strict = chat.SwitchOf(on)
			}
			if tool.Strict == chat.On {
				keep.Spell(strictHere)
			}
		default:
			keep.Keep(in, key, member)
		}
	}
	return tool
}

func (w *writing) tools(tools []chat.Tool) {
	w.Array()
	for i, tool := range tools {
		field := codec.At("tools", i)
		if tool.Hosted {
			w.Hosted(tool, field)
			continue
		}
		w.Log.Extras(field, tool.Extras)
		in := "function"
		if tool.Custom {
			in = "custom"
			w.custom[tool.Name] = true
		}
		w.Object()
		w.Key("type")
		w.String(in)
		w.Key(in)
		w.Object()
		w.Key("name")
		w.String(w.Name(tool.Name, field+".name"))
		w.Text("description", tool.Description)
		if !tool.Custom {
			w.strictSchema(&tool, field)
			if len(tool.Parameters) > 0 {
				w.Member("parameters", tool.Parameters)
			}
			if tool.Strict != chat.Unset {
				w.Key("strict")
				w.Bool(tool.Strict == chat.On)
			}
		}
		w.Extras(tool.Extras, in)
		w.EndObject()
		w.Extras(tool.Extras, "")
		w.EndObject()
	}
	w.EndArray()
}

// strictHere marks a tool that was strict by the rules of this wire already: its
// schema is nobody's to change.
const strictHere = "strict"

// strictSchema makes the schema of a strict tool of another wire keep to the
// rules of this one. A tool that cannot is not strict.
func (w *writing) strictSchema(tool *chat.Tool, field string) {
	if tool.Strict != chat.On || tool.Extras.Spells(Wire, strictHere) {
		return
	}
	schema, changes, ok := schemaform.ToStrict(tool.Parameters)
	if !ok {
		tool.Strict = chat.Off
		w.Log.Add(carry.Strict, field+".strict", "not strict: in parameters"+changes[0].Path+" "+changes[0].Done)
		return
	}
	for _, c := range changes {
		w.Log.Add(carry.ToolSchema, field+".parameters"+c.Path, c.Done)
	}
	tool.Parameters = schema
}
